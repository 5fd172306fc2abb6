//! `tafl import`: games into a corpus.

use std::path::Path;
use std::time::Instant;

use anyhow::Context;
use tafl_corpus::Corpus;
use tafl_corpus::ingest::{Ingest, IngestOptions, Prepared, Preparer};
use tafl_corpus::rejected::{NO_MOVES, Rejected};
use tafl_corpus::row_line::kept_aside;
use tafl_parser::reader::Batch;
use tafl_parser::{Code, Source};

use crate::args::database::corpus::ImportArgs;
use crate::clerk;
use crate::command::database::clock::now;
use crate::finding::Finding;
use crate::input::Input;
use crate::io::Style;
use crate::number::Count;
use crate::pipeline::{Plan, Step};
use crate::referee::Terms;
use crate::{Exit, Io};
use taflbase::escape::escape;

pub(in crate::command) mod hands;
mod rows;
mod summary;

use hands::Hands;
use summary::Summary;

/// Runs the command.
///
/// # Errors
///
/// Fails when the rules that were asked for are not known, somebody else writes, or the corpus cannot be read or written.
pub(crate) fn run(args: &ImportArgs, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    if !args.rows.is_empty() {
        return rows::run(args, io);
    }
    let terms = Terms::new(&args.variant, io)?;
    let input = args.input();
    let mut plan = Plan::new(&input, io);
    if let Ok(corpus) = args.corpus.canonicalize() {
        // A folder that holds the corpus, too, is read without it.
        let is_own = |path: &Path| path.canonicalize().is_ok_and(|path| path.starts_with(&corpus));
        plan.inputs.list.retain(|input| !input.path().is_some_and(is_own));
    }
    if plan.inputs.list.is_empty() && !args.retry {
        if !plan.inputs.is_incomplete {
            io.error("there is nothing to import: what was named holds no files, or is the corpus itself");
        }
        return Ok(Exit::Error);
    }
    let begun = Instant::now();
    let mut ingest = Ingest::begin(&args.corpus, &options(args))?;
    if args.retry {
        retry(&mut ingest, &terms)?;
    }
    let style = io.error_style();
    let mut run = Run {
        ingest,
        plan: &plan,
        commit_every: args.commit_every.map(std::num::NonZeroU64::get),
        since_commit: 0,
        plies: 0,
        waiting: Vec::new(),
        current: None,
        failed: 0,
        skipped: 0,
        has_file_errors: false,
        begun,
    };
    plan.read(
        io,
        || Hands { referee: terms.referee(), preparer: Preparer::default() },
        |hands, input, batch| Answer::new(hands, input, batch, style),
        |io, step| run.take(io, step),
    )?;
    run.end_input(io)?;
    let Run { ingest, failed, skipped, has_file_errors, .. } = run;
    let (summary, exit) = finish((ingest, &args.corpus), (skipped, failed), begun, io)?;
    io.print(&summary.write(args.format))?;
    if plan.inputs.is_incomplete || failed > 0 {
        return Ok(Exit::Error);
    }
    Ok(exit.and(if has_file_errors { Exit::Findings } else { Exit::Ok }))
}

/// Returns how games are taken in.
fn options(args: &ImportArgs) -> IngestOptions {
    IngestOptions { keep: args.keep.keep(), note: format!("since {}", now()) }
}

/// Makes everything that was added a part of the corpus, and says how long it took.
fn finish(
    (ingest, corpus): (Ingest, &Path),
    (skipped, unreadable): (u64, u64),
    begun: Instant,
    io: &mut Io<'_>,
) -> anyhow::Result<(Summary, Exit)> {
    io.progress("writing tables and index");
    let counts = ingest.finish()?;
    io.end_progress();
    let seconds = begun.elapsed().as_secs_f64();
    let corpus_games = Corpus::open(corpus)?.n_games();
    let rate = Count((counts.plies as f64 / seconds.max(1e-3)) as u64);
    io.notice(&format!("{seconds:.1} s, {rate} plies a second"));
    // That a game was never played is no fault of its record.
    let is_fine = counts.codes.keys().all(|code| code == NO_MOVES);
    let summary = Summary { counts, skipped, unreadable, corpus_games };
    Ok((summary, if is_fine { Exit::Ok } else { Exit::Findings }))
}

/// Tries the rejected records again.
fn retry(ingest: &mut Ingest, terms: &Terms) -> anyhow::Result<()> {
    let mut hands = Hands { referee: terms.referee(), preparer: Preparer::default() };
    for rejected in ingest.take_rejected()? {
        let Some(format) = rejected.notation() else {
            // A later version wrote it; it stays as it is.
            ingest.add(Prepared::Rejected(Box::new(rejected)))?;
            continue;
        };
        hands.referee.enter(Path::new(&rejected.source));
        let source = Source { line: rejected.place, ..Source::named(&rejected.source, &rejected.text) };
        let (prepared, _) = hands.prepare(source, format.parse(&source));
        ingest.add(prepared)?;
    }
    Ok(())
}

/// What became of a batch.
struct Answer {
    games: Vec<(Prepared, bool)>,
    /// What is to be said about the file.
    file: Vec<(Code, String)>,
    /// What record lines could not be read as.
    aside: Vec<Rejected>,
}

impl Answer {
    fn new(hands: &mut Hands<'_>, input: &Input, batch: &Batch, style: Style) -> Answer {
        hands.referee.enter_batch(batch);
        let games = batch.parse().map(|(source, parsed)| hands.prepare(source, parsed)).collect();
        let name = input.name();
        let file = batch.findings().iter().map(|found| {
            let mut text = String::new();
            Finding::of_file(&name, found).write_text(style, &mut text);
            (found.kind.code(), text)
        });
        let file = file.collect();
        let aside = match batch.is_wrapped() {
            true => batch.findings().iter().map(|found| kept_aside(&clerk::error_line(&name, batch, found))),
            false => return Answer { games, file, aside: Vec::new() },
        };
        Answer { games, file, aside: aside.collect() }
    }
}

/// The course of the command.
struct Run<'p> {
    ingest: Ingest,
    plan: &'p Plan,
    commit_every: Option<u64>,
    since_commit: u64,
    /// Plies of all games, doubled ones included.
    plies: u64,
    /// Records without moves from the present file, as long as it has shown none with moves.
    waiting: Vec<Rejected>,
    /// The number of the present input, and whether a record with moves came from it.
    current: Option<(usize, bool)>,
    failed: u64,
    skipped: u64,
    has_file_errors: bool,
    begun: Instant,
}

impl Run<'_> {
    fn take(&mut self, io: &mut Io<'_>, step: Step<Answer>) -> anyhow::Result<()> {
        if self.current.is_none_or(|(nth, _)| nth != step.input) {
            self.end_input(io)?;
            self.current = Some((step.input, false));
        }
        let input = &self.plan.inputs.list[step.input];
        let answer = match step.answer {
            Ok(answer) => answer,
            Err(error) => {
                self.failed += 1;
                io.error(&format!("{}: {error}", input.name()));
                return Ok(());
            }
        };
        for (code, text) in &answer.file {
            if input.is_passed_over(*code) {
                self.pass_over(io, input);
            } else {
                io.notice_always(text.trim_end());
                self.has_file_errors |= code.severity() == tafl_parser::Severity::Error;
            }
        }
        for (prepared, has_moves) in answer.games {
            self.add(input, prepared, has_moves)?;
        }
        for rejected in answer.aside {
            self.add(input, Prepared::Rejected(Box::new(rejected)), true)?;
        }
        self.show(io);
        Ok(())
    }

    fn add(&mut self, input: &Input, prepared: Prepared, has_moves: bool) -> anyhow::Result<()> {
        let shown = self.current.as_mut().map(|(_, shown)| shown);
        let is_shown = shown.is_some_and(|shown| {
            *shown |= has_moves;
            *shown
        });
        match prepared {
            // A folder holds other files too: one without a single move is none of records.
            Prepared::Rejected(rejected) if !is_shown && matches!(input, Input::Found { .. }) => {
                self.waiting.push(*rejected);
                Ok(())
            }
            prepared => {
                for rejected in std::mem::take(&mut self.waiting) {
                    self.ingest.add(Prepared::Rejected(Box::new(rejected)))?;
                }
                if let Prepared::Game(game) = &prepared {
                    self.plies += u64::from(game.row().plies);
                }
                self.ingest.add(prepared)?;
                self.commit()
            }
        }
    }

    fn commit(&mut self) -> anyhow::Result<()> {
        self.since_commit += 1;
        if self.commit_every.is_some_and(|every| self.since_commit >= every) {
            self.since_commit = 0;
            self.ingest.commit().context("the games so far could not be made part of the corpus")?;
        }
        Ok(())
    }

    /// Ends the present input.
    fn end_input(&mut self, io: &mut Io<'_>) -> anyhow::Result<()> {
        let Some((nth, _)) = self.current.take() else { return Ok(()) };
        if !self.waiting.is_empty() {
            self.waiting.clear();
            self.pass_over(io, &self.plan.inputs.list[nth]);
        }
        Ok(())
    }

    fn pass_over(&mut self, io: &mut Io<'_>, input: &Input) {
        self.skipped += 1;
        io.notice(&format!("passed over {}: it holds no records", escape(&input.name())));
    }

    fn show(&self, io: &mut Io<'_>) {
        let counts = self.ingest.summary();
        let seconds = self.begun.elapsed().as_secs_f64();
        let rate = Count((self.plies as f64 / seconds.max(1e-3)) as u64);
        let games = Count(counts.added + counts.doubled + counts.rejected);
        let left = match self.plan.share_read() {
            Some(share) if share > 0.02 && seconds > 1.0 => {
                format!(", {:.0} s left", (seconds / share - seconds).max(0.0))
            }
            Some(_) | None => String::new(),
        };
        io.progress(&format!("{games} games, {rate} plies/s{left}"));
    }
}
