//! `tafl puzzles`: finds positions with one winning move.

use std::io::Write as _;

use anyhow::Context as _;
use tafl_parser::{Format, WriteGame, write_record};
use taflbase::App;
use taflbase::engine::{FoundPuzzle, PuzzleItem};
use taflbase::escape::escape;

use crate::args::annotate::{PuzzleFormat, PuzzlesArgs};
use crate::command::annotate::{open_games, show_cache};
use crate::number::counted;
use crate::output::{Output, file_named, json_line};
use crate::target::protect_inputs;
use crate::{Exit, Io};

/// Runs the command.
///
/// # Errors
///
/// Returns an error if the input is not a corpus, the cache is not a cache, or the output can't be written.
pub(crate) fn run(args: &PuzzlesArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let (app, job) = (App::new().with_rules_files(), io.job());
    let games = open_games(&args.games, &app, io)?;
    let path = file_named(args.output.as_deref());
    protect_inputs(&[path], &args.games.paths)?;
    let mut output = Output::begin(path)?;
    let mut exit = if games.is_incomplete() { Exit::Error } else { Exit::Ok };
    let cache = args.request.evaluation.open_cache(&games, &app)?;
    show_cache(cache.as_ref(), io);
    let counts = args.request.run_on(&games, (&app, &job), |item| -> anyhow::Result<()> {
        match item {
            PuzzleItem::Puzzle(found) => {
                let text = puzzle_text(&found, args.format)?;
                match &mut output {
                    Some(output) => {
                        output.write_all(text.as_bytes()).context("the output cannot be written")?;
                    }
                    None => io.print(&text)?,
                }
            }
            PuzzleItem::Trouble(trouble) => {
                io.error(&trouble.message);
                exit = exit.and(Exit::Error);
            }
        }
        Ok(())
    })?;
    io.end_progress();
    let puzzles = counted(counts.puzzles, "puzzle", "puzzles");
    io.notice(&format!("{puzzles} in {}", counted(counts.games, "game", "games")));
    output.map_or(Ok(()), Output::finish).context("the output cannot be written")?;
    Ok(exit)
}

fn puzzle_text(found: &FoundPuzzle, format: PuzzleFormat) -> anyhow::Result<String> {
    Ok(match format {
        PuzzleFormat::Text => line(found),
        PuzzleFormat::Jsonl => json_line(&found.answer()),
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
