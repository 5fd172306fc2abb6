//! `tafl annotate`: where games were won and lost.

mod html;
pub(crate) mod json;
mod otn;
mod output;
mod page;
#[cfg(feature = "database")]
mod rows;
#[cfg(not(feature = "database"))]
#[path = "annotate/rows/without.rs"]
mod rows;
pub(super) mod source;
mod text;
mod totals;
pub(crate) mod words;

use std::path::PathBuf;
use std::sync::Mutex;

use anyhow::{Context, bail};
use tafl_analyzer::Nodes;
use tafl_analyzer::annotate::annotator::Confirm;
use tafl_analyzer::annotate::context::limits_text;
use tafl_analyzer::annotate::{Annotator, Curves, EvalLog, GameNotes, Played as Line, Settings};
use tafl_rules::Setup;

use crate::args::annotate::{AnnotateArgs, AnnotateFormat, JudgeArgs};
use crate::number::{Count, counted};
use crate::output::file_named;
use crate::stored::Selection;
use crate::target::spare;
use crate::{Exit, Io, records};
use taflbase::escape::{escape, escape_path};
use taflbase::records::PlayedBuilder;

use output::Sink;
use rows::{Rows, RowsOfGame};
use source::{GameReplayWorker, Played, Source};
use totals::Totals;

/// An annotated game.
struct Annotated {
    played: Played,
    notes: GameNotes,
    /// The arrangement with which it began.
    start: Setup,
}

/// What all games of a run have in common: it stands in every output.
#[derive(Debug, Clone)]
struct Provenance {
    limits: String,
    thresholds: String,
    curves: String,
}

impl Provenance {
    /// Returns everything that the notes on a game depend on, in a line.
    fn words(&self, notes: &GameNotes) -> String {
        let Provenance { limits, thresholds, curves } = self;
        format!("{}; {limits}; curve {} of {curves}; thresholds {thresholds}", notes.engine, notes.curve)
    }
}

impl Annotated {
    /// Returns the rules string.
    fn rules(&self) -> Option<String> {
        self.played.judged.replay.rules.as_ref().map(|rules| rules.book.rules().to_string())
    }

    /// Returns why the notes end before the record does, if they do.
    fn trouble(&self) -> Option<String> {
        let (done, written) = (self.notes.plies.len(), self.played.judged.record.main().moves.len());
        let illegal = self
            .played
            .judged
            .diagnostics
            .iter()
            .find(|found| found.severity() == tafl_parser::Severity::Error);
        match (self.notes.stopped, illegal) {
            (Some(stopped), _) => Some(format!("annotated as far as it can be played: {stopped}")),
            (None, Some(found)) if done < written => Some(format!(
                "annotated as far as it can be played: {done} of {written} moves ({})",
                found.code().text()
            )),
            (None, _) => None,
        }
    }
}

/// What is written about a game, and counted.
struct Answer {
    text: String,
    /// What the list of pages says of it, for formats that have a page for each game.
    page: Option<page::Entry>,
    trouble: Option<String>,
    totals: Totals,
    rows: Option<RowsOfGame>,
}

/// What a thread works with.
struct Hands {
    games: GameReplayWorker,
    played_builder: PlayedBuilder,
}

/// Runs the command.
///
/// # Errors
///
/// Fails when the input is no corpus or the cache no cache, and when something cannot be written.
pub(crate) fn run(args: &AnnotateArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let begun = std::time::Instant::now();
    let config = records::replay_config(&args.input.rules, io)?;
    let source = Source::new(&args.input, args.judge.query.as_deref(), io)?;
    let curves = curves(&args.judge)?;
    let log = open_log(&args.judge, source.stored(), io)?;
    let settings = settings(args);
    let provenance = Provenance {
        limits: limits_text(&settings.limits),
        thresholds: format!("{}{}", args.thresholds, if args.unconfirmed { " unconfirmed" } else { "" }),
        curves: curves.id(),
    };
    let annotator = Annotator::new(&settings, &curves, log.as_ref());
    spare(&[file_named(args.output.as_deref()), args.summary.as_deref()], &args.input.paths)?;
    let mut sink = Sink::new(args)?;
    let mut rows = Rows::new(source.stored(), &provenance);
    let mut totals = Totals::default();
    let mut exit = if source.is_incomplete() { Exit::Error } else { Exit::Ok };
    let work = |hands: &mut Hands, game| {
        let played = hands.games.replay(game)?;
        answer(played, &annotator, args.format, (hands, &provenance))
    };
    let workers =
        || Hands { games: GameReplayWorker::new(&config), played_builder: PlayedBuilder::default() };
    source::each((&source, source::threads(&args.input)), io, workers, work, |io, answer| {
        let answer: Answer = match answer {
            Ok(answer) => answer,
            Err(trouble) => {
                exit = exit.and(trouble.exit);
                match trouble.error.filter(|_| args.format == AnnotateFormat::Jsonl) {
                    Some(error) => sink.refuse(&error, io)?,
                    None => io.error(&trouble.text),
                }
                return Ok(());
            }
        };
        if let Some(trouble) = &answer.trouble {
            // The name of a file in it may come from a record line.
            io.notice(&escape(trouble));
            exit = exit.and(Exit::Findings);
        }
        totals.add(&answer.totals);
        sink.take(&answer, io)?;
        if args.format == AnnotateFormat::Jsonl {
            // A partner may wait for the answer before it asks more.
            io.flush()?;
        }
        rows.add(answer.rows)?;
        io.progress(&progress(&totals, source.share(totals.games), begun));
        Ok(())
    })?;
    rows.write()?;
    sink.finish(io, &totals)?;
    if let Some(path) = &args.summary {
        totals.write(path, &provenance, begun.elapsed())?;
    }
    io.notice(&totals.sentence(begun.elapsed()));
    Ok(exit)
}

fn settings(args: &AnnotateArgs) -> Settings {
    Settings {
        limits: args.judge.limits.limits(args.lines),
        thresholds: args.thresholds,
        confirm: if args.unconfirmed { Confirm::Nothing } else { Confirm::Errors },
        prove: args.prove.map(Nodes),
    }
}

/// Returns the line that shows how far the work is.
fn progress(totals: &Totals, share: Option<f64>, begun: std::time::Instant) -> String {
    let seconds = begun.elapsed().as_secs_f64();
    let speed = totals.plies() as f64 / seconds.max(1e-3);
    let share = share.map_or_else(String::new, |share| format!(" ({:.0} %)", share * 100.0));
    format!(
        "{}{share}, {} plies, {speed:.1} a second",
        counted(totals.games, "game", "games"),
        Count(totals.plies())
    )
}

/// Annotates a game and writes it.
fn answer(
    played: Played,
    annotator: &Annotator<'_>,
    format: AnnotateFormat,
    (hands, provenance): (&mut Hands, &Provenance),
) -> anyhow::Result<Answer> {
    let name = played.name();
    let (Some(rules), Some(start), Some(first)) =
        (played.judged.replay.rules.clone(), played.start(), played.first())
    else {
        let trouble = Some(format!("{name}: the rules are not known; name them with --variant or --rules"));
        let totals = Totals::of_unknown();
        let text = match format {
            AnnotateFormat::Jsonl => json::unknown(&played),
            AnnotateFormat::Text | AnnotateFormat::Otn | AnnotateFormat::Html => String::new(),
        };
        return Ok(Answer { text, page: None, trouble, totals, rows: None });
    };
    let plies = played.plies();
    let line = Line { book: &rules.book, variant: rules.variant, start: &start, first, plies: &plies };
    let notes = annotator.annotate(&line)?;
    let game = Annotated { played, notes, start };
    let text = match format {
        AnnotateFormat::Text => text::write(&game, provenance),
        AnnotateFormat::Jsonl => json::write(&game, provenance),
        AnnotateFormat::Otn => otn::write_otn(&game, &mut hands.played_builder, provenance)?,
        AnnotateFormat::Html => html::write(&game, provenance),
    };
    let page = (format == AnnotateFormat::Html).then(|| page::Entry::of(&game));
    let trouble = game.trouble().map(|why| format!("{name}: {why}"));
    Ok(Answer { text, page, trouble, totals: Totals::of(&game), rows: rows::of(&game) })
}

/// Reads the curves that the command line names, or those that are built in.
///
/// # Errors
///
/// Fails when the file cannot be read, or is no file of curves.
pub(super) fn curves(args: &JudgeArgs) -> anyhow::Result<Curves> {
    let Some(path) = &args.curves else { return Ok(Curves::built_in()) };
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    Curves::read(&text).with_context(|| path.display().to_string())
}

/// Opens the cache that the command line names, or that of a corpus; nothing where there is none.
///
/// # Errors
///
/// Fails when it cannot be used.
pub(super) fn open_log(
    args: &JudgeArgs,
    games: Option<&Selection>,
    io: &mut Io<'_>,
) -> anyhow::Result<Option<Mutex<EvalLog>>> {
    let path = match (&args.cache, games) {
        (Some(path), _) => path.clone(),
        (None, Some(games)) => own_log(games)?,
        (None, None) => return Ok(None),
    };
    if path.is_dir() {
        bail!("{} is a folder; --cache names a file", path.display());
    }
    let log = EvalLog::open(&path)?;
    if log.cut_off() > 0 {
        let bytes = counted(log.cut_off(), "byte", "bytes");
        io.notice(&format!(
            "{}: {bytes} at the end were no whole evaluation and were cut off",
            escape_path(&path)
        ));
    }
    if !log.is_empty() {
        io.notice(&format!(
            "{}: {} are there",
            escape_path(&path),
            counted(log.len() as u64, "evaluation", "evaluations")
        ));
    }
    Ok(Some(Mutex::new(log)))
}

fn own_log(games: &Selection) -> anyhow::Result<PathBuf> {
    let folder = games.evals_folder();
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    Ok(folder.join("cache.log"))
}
