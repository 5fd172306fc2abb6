//! `tafl puzzles`: finds positions with one winning move.

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::Context as _;
use tafl_parser::{Format, WriteGame, write_record};
use tafl_rules::counted;
#[cfg(feature = "database")]
use taflbase::database::puzzles_file;
use taflbase::engine::{FoundPuzzle, PuzzleItem};
use taflbase::escape::escape;
#[cfg(feature = "database")]
use taflbase::records::sole_corpus;
use taflbase::{App, json_line};

use crate::args::annotate::{PuzzleFormat, PuzzlesArgs};
use crate::command::annotate::{exit_of_inputs, kept_evaluations, open_games, show_cache};
use crate::output::{JsonLayout, JsonList, Output, file_named};
use crate::target::{keep_apart, protect_inputs};
use crate::{Exit, Io};

/// Runs the command.
///
/// # Errors
///
/// Returns an error if the input is not a corpus, the cache is not a cache, or the output can't be written.
pub(crate) fn run(args: &PuzzlesArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let (app, job) = (App::new().with_rules_files(), io.job());
    let games = open_games(&args.games, &app, io)?;
    let store = store_of(args)?;
    let format = if store.is_some() { PuzzleFormat::Jsonl } else { args.format };
    let path = store.as_deref().or_else(|| file_named(args.output.as_deref()));
    if store.is_none() {
        protect_inputs(&[path], &args.games.paths)?;
    }
    keep_apart(&[("--cache", args.request.evaluation.cache.as_deref()), ("-o", path)])?;
    let layout = if format == PuzzleFormat::Json { JsonLayout::Array } else { JsonLayout::Lines };
    let mut list = JsonList::new(layout);
    let mut output = Output::begin(path)?;
    let mut exit = exit_of_inputs(&games);
    let cache = args.request.evaluation.open_cache(&games, &app)?;
    show_cache(cache.as_ref(), io);
    io.handle_stop_signals().set(format!("stopped: {}", kept_evaluations(cache.as_ref())));
    let counts = args.request.run_on(&games, &app, &job, |item| -> anyhow::Result<()> {
        match item {
            PuzzleItem::Puzzle(found) => {
                let text = puzzle_text(&found, format)?;
                write(&list.item(text.as_bytes()), output.as_mut(), io)?;
            }
            PuzzleItem::Failed(failure) => {
                io.error(&failure.message);
                exit = exit.and(Exit::Error);
            }
        }
        Ok(())
    })?;
    write(list.end().as_bytes(), output.as_mut(), io)?;
    io.end_progress();
    let puzzles = counted(counts.puzzles, "puzzle", "puzzles");
    io.notice(&format!("{puzzles} in {}", counted(counts.games, "game", "games")));
    output.map_or(Ok(()), Output::finish).context("the output cannot be written")?;
    Ok(exit)
}

/// Writes to the output file, or to standard output.
fn write(text: &[u8], output: Option<&mut Output>, io: &mut Io<'_>) -> anyhow::Result<()> {
    match output {
        Some(output) => output.write_all(text).context("the output cannot be written"),
        // The reader may wait for this puzzle, which took a while.
        None => Ok(io.write_bytes(text).and_then(|()| io.flush())?),
    }
}

/// Returns the file of the corpus in which puzzles are to be stored.
#[cfg(feature = "database")]
fn store_of(args: &PuzzlesArgs) -> anyhow::Result<Option<PathBuf>> {
    if !args.store {
        return Ok(None);
    }
    match sole_corpus(&args.games.paths)? {
        Some(corpus) => Ok(Some(puzzles_file(corpus))),
        None => anyhow::bail!("--store needs one corpus as its input; use --output FILE for other games"),
    }
}

/// Without the database, there is no corpus to store puzzles in.
#[cfg(not(feature = "database"))]
fn store_of(_: &PuzzlesArgs) -> anyhow::Result<Option<PathBuf>> {
    Ok(None)
}

fn puzzle_text(found: &FoundPuzzle, format: PuzzleFormat) -> anyhow::Result<String> {
    Ok(match format {
        PuzzleFormat::Text => line(found),
        PuzzleFormat::Json | PuzzleFormat::Jsonl => json_line(&found.answer()),
        PuzzleFormat::OpenTafl => {
            let mut out = String::new();
            write_record(WriteGame { record: &found.record(), played: None }, Format::OpenTafl, &mut out)?;
            out
        }
    })
}

/// Returns a puzzle as a line of text.
fn line(found: &FoundPuzzle) -> String {
    let FoundPuzzle { puzzle, variant, game, ply, .. } = found;
    format!(
        "{}  {}  {} win in {}: {}  [{}]  difficulty {} positions, depth {}; second best {:.0} %, by {}  ({}, after ply {ply})\n",
        escape(variant),
        puzzle.setup,
        puzzle.side,
        puzzle.plies,
        found.solution().join(" "),
        found.themes().join(" "),
        puzzle.difficulty.nodes.0,
        puzzle.difficulty.depth,
        puzzle.second * 100.0,
        puzzle.verified.as_str(),
        escape(game),
    )
}
