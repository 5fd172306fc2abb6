//! `tafl import`: games into a corpus.

use std::path::Path;
use std::time::Instant;

use anyhow::Context;
use tafl_corpus::Corpus;
use tafl_corpus::ingest::{Ingest, IngestOptions, Prepared};
use tafl_corpus::rejected::NO_MOVES;
use tafl_corpus::row_line::kept_aside;
use tafl_parser::Source;
use taflbase::Job;
use taflbase::records::{PrepareWorker, ReadSettings, RecordEvent, RecordReader, RequestedRules};

use crate::args::database::corpus::ImportArgs;
use crate::number::Count;
use crate::{Exit, Io, records};
use taflbase::now;

mod rows;
mod summary;

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
    let config = records::replay_config(&args.variant, io)?;
    let input = args.input();
    let settings = ReadSettings { needs_moves: true, ..input.settings() };
    let mut reader = records::open_with(&input.paths, settings, io);
    if let Ok(corpus) = args.corpus.canonicalize() {
        // A folder that holds the corpus, too, is read without it.
        let is_own = |path: &Path| path.canonicalize().is_ok_and(|path| path.starts_with(&corpus));
        reader.inputs.list.retain(|input| !input.path().is_some_and(is_own));
    }
    if reader.inputs.list.is_empty() && !args.retry {
        if !reader.inputs.is_incomplete() {
            io.error("there is nothing to import: what was named holds no files, or is the corpus itself");
        }
        return Ok(Exit::Error);
    }
    let begun = Instant::now();
    let mut ingest = Ingest::begin(&args.corpus, &options(args))?;
    let worker = || PrepareWorker::new(&config);
    if args.retry {
        retry(&mut ingest, worker())?;
    }
    let commit_every = args.commit_every.map(std::num::NonZeroU64::get);
    let mut run = Run { ingest, reader: &reader, commit_every, since_commit: 0, plies: 0, begun };
    let counts = reader.process(&Job::default(), worker, |nth, event| run.take(io, nth, event))?;
    let (summary, exit) = finish((run.ingest, &args.corpus), (counts.skipped, counts.unreadable), begun, io)?;
    io.print(&summary.write(args.format))?;
    let has_file_errors = counts.file_errors > 0;
    let exit = exit.and(if has_file_errors { Exit::Findings } else { Exit::Ok });
    Ok(exit.and(records::read_exit(&reader, &counts)))
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
fn retry(ingest: &mut Ingest, mut worker: PrepareWorker) -> anyhow::Result<()> {
    for rejected in ingest.take_rejected()? {
        let Some(format) = rejected.notation() else {
            // A later version wrote it; it stays as it is.
            ingest.add(Prepared::Rejected(Box::new(rejected)))?;
            continue;
        };
        worker.replay().prepare(RequestedRules::of_name(Path::new(&rejected.source)));
        let source = Source { line: rejected.place, ..Source::named(&rejected.source, &rejected.text) };
        ingest.add(worker.prepare(source, format.parse(&source)))?;
    }
    Ok(())
}

/// The course of the command.
struct Run<'r, 'i> {
    ingest: Ingest,
    reader: &'r RecordReader<'i>,
    commit_every: Option<u64>,
    since_commit: u64,
    /// Plies of all games, doubled ones included.
    plies: u64,
    begun: Instant,
}

impl Run<'_, '_> {
    fn take(&mut self, io: &mut Io<'_>, nth: usize, event: RecordEvent<Prepared>) -> anyhow::Result<()> {
        match event {
            RecordEvent::Record(prepared) => {
                self.add(prepared)?;
                self.show(io);
            }
            RecordEvent::Finding(found) if found.is_record_line => {
                let rejected = found.error.as_ref().map(kept_aside);
                records::show_event(self.reader, nth, &RecordEvent::<()>::Finding(found), io);
                if let Some(rejected) = rejected {
                    self.add(Prepared::Rejected(Box::new(rejected)))?;
                }
            }
            event => records::show_event(self.reader, nth, &event, io),
        }
        Ok(())
    }

    fn add(&mut self, prepared: Prepared) -> anyhow::Result<()> {
        if let Prepared::Game(game) = &prepared {
            self.plies += u64::from(game.row().plies);
        }
        self.ingest.add(prepared)?;
        self.since_commit += 1;
        if self.commit_every.is_some_and(|every| self.since_commit >= every) {
            self.since_commit = 0;
            self.ingest.commit().context("the games so far could not be made part of the corpus")?;
        }
        Ok(())
    }

    fn show(&self, io: &mut Io<'_>) {
        if !io.shows_progress() {
            return;
        }
        let counts = self.ingest.summary();
        let seconds = self.begun.elapsed().as_secs_f64();
        let rate = Count((self.plies as f64 / seconds.max(1e-3)) as u64);
        let games = Count(counts.added + counts.doubled + counts.rejected);
        let left = match self.reader.proportion() {
            Some(done) if done > 0.02 && seconds > 1.0 => {
                format!(", {:.0} s left", (seconds / done - seconds).max(0.0))
            }
            Some(_) | None => String::new(),
        };
        io.progress(&format!("{games} games, {rate} plies/s{left}"));
    }
}
