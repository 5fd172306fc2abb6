//! The import of records.

use std::collections::HashSet;
use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use tafl_corpus::{Ingest, PreparedRecord, RejectedRecord};

use super::{FinishedRead, ImportEvent, ImportRequest, PrepareWorker};
use crate::records::{InputProblem, ReadSettings, RecordEvent, RecordReader, ReplayConfig, RequestedRules};
use crate::{App, Error, Job, Progress, Result};

/// The proportion of the input, and the seconds, after which the rest of the time can be estimated.
const ESTIMATE_AFTER: (f64, f64) = (0.02, 1.0);

/// Adds the records of a request to its corpus.
pub(super) fn import(
    request: &ImportRequest,
    reader: &RecordReader<'_>,
    app: &App,
    job: &Job,
    take: &mut (dyn FnMut(ImportEvent) -> Result<()> + Send),
) -> Result<FinishedRead> {
    let config = Arc::new(ReplayConfig::by(&request.rules, app)?);
    for problem in &reader.inputs.problems {
        take(ImportEvent::Problem(problem.clone()))?;
    }
    if reader.inputs.list.is_empty() && !request.retry {
        let message = "nothing to import: the paths hold no files, or are the corpus itself";
        return Err(Error::parameter("paths", message));
    }
    let started = Instant::now();
    let mut ingest = request.begin()?;
    let worker = || PrepareWorker::new(&config);
    if request.retry {
        retry(&mut ingest, worker(), job)?;
    }
    let commit_every = request.commit_every.map(std::num::NonZeroU64::get);
    let mut run =
        ImportRun { ingest, reader, commit_every, since_commit: 0, plies: 0, started, unread: Vec::new() };
    let counts = reader.process(&job.silent(), worker, |nth, event| run.take(job, nth, event, take))?;
    Ok(FinishedRead { ingest: run.ingest, counts, unread: run.unread })
}

/// Finds the inputs, or those of them that are in a set. A folder that holds the corpus is read without it.
pub(super) fn reader<'i>(
    request: &ImportRequest,
    only: Option<&HashSet<PathBuf>>,
    stdin: Option<Box<dyn BufRead + Send + 'i>>,
) -> RecordReader<'i> {
    let settings = ReadSettings {
        format: request.notation.map(|notation| notation.0),
        threads: request.threads,
        needs_moves: true,
        ..ReadSettings::default()
    };
    let mut reader = RecordReader::new(&request.paths, settings);
    if let Some(stdin) = stdin {
        reader = reader.with_stdin(stdin);
    }
    if let Ok(corpus) = request.corpus.canonicalize() {
        let is_own = |path: &Path| path.canonicalize().is_ok_and(|path| path.starts_with(&corpus));
        reader.inputs.list.retain(|input| !input.path().is_some_and(is_own));
        let is_own_corpus =
            |problem: &InputProblem| matches!(problem, InputProblem::Corpus { path, .. } if is_own(path));
        reader.inputs.problems.retain(|problem| !is_own_corpus(problem));
    }
    if let Some(only) = only {
        reader.inputs.list.retain(|input| input.path().is_some_and(|path| only.contains(path)));
    }
    reader
}

/// Tries the rejected records again.
fn retry(ingest: &mut Ingest, mut worker: PrepareWorker, job: &Job) -> Result<()> {
    for rejected in ingest.take_rejected()? {
        job.check()?;
        let Some(format) = rejected.notation() else {
            // A later version wrote it; it stays as it is.
            ingest.add(PreparedRecord::Rejected(Box::new(rejected)))?;
            continue;
        };
        worker.ask(RequestedRules::of_name(Path::new(&rejected.source)));
        let source = format.stored_source(&rejected.source, rejected.place, &rejected.text);
        ingest.add(worker.prepare(source, format.parse(&source)))?;
    }
    Ok(())
}

/// Returns the estimated time left after `seconds`; empty if it is unknown, or less than a second. Writing takes longer than
/// that, and has its own stage, so there is no point in announcing the end of reading.
fn time_left(proportion: Option<f64>, seconds: f64) -> String {
    let (least, after) = ESTIMATE_AFTER;
    let done = proportion.filter(|done| *done > least && seconds > after);
    let left = done.map_or(0.0, |done| seconds / done - seconds);
    if left < 1.0 { String::new() } else { format!(", {left:.0} s left") }
}

/// The state of an import.
struct ImportRun<'r, 'i> {
    ingest: Ingest,
    reader: &'r RecordReader<'i>,
    commit_every: Option<u64>,
    since_commit: u64,
    /// Plies of all games, those of copies included.
    plies: u64,
    started: Instant,
    /// The files that the system could not read.
    unread: Vec<PathBuf>,
}

impl ImportRun<'_, '_> {
    fn take(
        &mut self,
        job: &Job,
        nth: usize,
        event: RecordEvent<PreparedRecord>,
        take: &mut (dyn FnMut(ImportEvent) -> Result<()> + Send),
    ) -> Result<()> {
        let event = match event {
            RecordEvent::Record(prepared) => {
                self.add(prepared, take)?;
                self.report(job);
                return Ok(());
            }
            RecordEvent::Finding(found) => {
                if let Some(error) = found.error.as_ref().filter(|_| found.is_record_line) {
                    self.add(PreparedRecord::Rejected(Box::new(RejectedRecord::unreadable(error))), take)?;
                }
                RecordEvent::Finding(found)
            }
            RecordEvent::Failed(line, order) => RecordEvent::Failed(line, order),
            RecordEvent::Skipped(reason) => RecordEvent::Skipped(reason),
            RecordEvent::Unreadable(error) => {
                // Other errors are about the content, such as a truncated archive.
                let is_of_system = error.raw_os_error().is_some();
                let path = self.reader.inputs.list[nth].path().filter(|_| is_of_system);
                self.unread.extend(path.map(Path::to_owned));
                RecordEvent::Unreadable(error)
            }
            RecordEvent::Awaited => return Ok(()),
        };
        take(ImportEvent::Input { name: self.reader.inputs.list[nth].name(), event })
    }

    fn add(
        &mut self,
        prepared: PreparedRecord,
        take: &mut (dyn FnMut(ImportEvent) -> Result<()> + Send),
    ) -> Result<()> {
        if let PreparedRecord::Game(game) = &prepared {
            self.plies += u64::from(game.row().plies);
        }
        self.ingest.add(prepared)?;
        self.since_commit += 1;
        if self.commit_every.is_some_and(|every| self.since_commit >= every) {
            self.since_commit = 0;
            self.ingest.commit()?;
            take(ImportEvent::Committed { added: self.ingest.summary().added, is_complete: false })?;
        }
        Ok(())
    }

    fn report(&self, job: &Job) {
        if !job.has_progress() {
            return;
        }
        let counts = self.ingest.summary();
        let seconds = self.started.elapsed().as_secs_f64();
        let proportion = self.reader.proportion();
        let speed = (self.plies as f64 / seconds.max(1e-3)) as u64;
        let detail = format!("replaying, {speed} plies/s{}", time_left(proportion, seconds));
        let done = counts.added + counts.doubled + counts.rejected;
        job.report(&Progress { done, unit: "games", proportion, detail: &detail });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RulesRequest, StreamRequest};

    #[test]
    fn every_commit_is_reported_with_the_number_of_stored_games() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.csv");
        std::fs::write(&file, "d2-c2 e4-e1 b4-b2 d4-e4\nd2-c2 e4-e3 f4-f3 e3-e2\n").unwrap();
        let request = ImportRequest {
            corpus: folder.path().join("corpus"),
            paths: vec![file],
            rules: RulesRequest::of("brandubh7"),
            commit_every: std::num::NonZeroU64::new(1),
            ..ImportRequest::default()
        };
        let mut committed = Vec::new();
        let take = &mut |event| {
            if let ImportEvent::Committed { added, is_complete } = event {
                committed.push((added, is_complete));
            }
            Ok(())
        };
        request.run(&App::new(), &Job::default(), take).unwrap();
        assert_eq!(committed, [(1, false), (2, false), (2, true)]);
    }

    #[test]
    fn the_time_left_is_shown_while_there_is_some() {
        assert_eq!(time_left(Some(0.5), 10.0), ", 10 s left");
        assert_eq!(time_left(Some(0.9), 10.0), ", 1 s left");
        assert_eq!(time_left(Some(0.999), 10.0), "");
        assert_eq!(time_left(Some(1.0), 10.0), "");
        // Too early for an estimate, or an input of unknown length.
        assert_eq!(time_left(Some(0.5), 0.5), "");
        assert_eq!(time_left(Some(0.01), 10.0), "");
        assert_eq!(time_left(None, 10.0), "");
    }
}
