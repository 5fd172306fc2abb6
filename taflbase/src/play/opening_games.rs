//! The recorded games whose first moves are openings.

use std::io::BufRead;
use std::path::PathBuf;
use std::sync::Arc;

use tafl_parser::Batch;
use tafl_rules::{Move, Shape, counted};

use crate::escape::escape;
use crate::records::{
    InputFinding, ReadSettings, RecordAt, RecordEvent, RecordReader, RecordWorker, ReplayConfig,
    ReplayWorker, SkipReason,
};
use crate::{Error, ErrorKind, Job, Result, Threads};

/// The games of files.
#[derive(Debug, Default)]
pub(super) struct OpeningGames {
    /// The games, with their boards.
    pub(super) games: Vec<(Shape, Vec<Move>)>,
    /// What was skipped, in sentences.
    pub(super) notices: Vec<String>,
}

/// The reason why a record is not a game with an opening.
enum SkippedRecord {
    /// It has no readable move, or its first move can't be played.
    Unreadable,
    /// Its rules are unknown.
    UnknownRules,
}

impl OpeningGames {
    /// Reads the games of files. `stdin` is what `-` reads instead of the standard input of the process.
    ///
    /// # Errors
    ///
    /// Fails at a file that can't be read, or is damaged. Single records that can't be read are only counted.
    pub(super) fn read<'i>(
        paths: &[PathBuf],
        job: &Job,
        stdin: Option<Box<dyn BufRead + Send + 'i>>,
    ) -> Result<OpeningGames> {
        let mut found = OpeningGames::default();
        let settings = ReadSettings { threads: Threads::ONE, ..ReadSettings::default() };
        let reader = RecordReader::new(paths, settings);
        let reader = match stdin {
            Some(stdin) => reader.with_stdin(stdin),
            None => reader,
        };
        if let Some(problem) = reader.inputs.problems.iter().find(|problem| problem.is_error()) {
            return Err(unreadable(problem.to_string()));
        }
        let config = Arc::new(ReplayConfig::default());
        let (mut n_unreadable, mut n_unknown) = (0, 0);
        reader.process(
            job,
            || OpeningWorker(ReplayWorker::new(&config)),
            |nth, event| {
                let name = || escape(&reader.inputs.list[nth].name());
                match event {
                    RecordEvent::Record(Ok(game)) => found.games.push(game),
                    RecordEvent::Record(Err(SkippedRecord::UnknownRules)) => n_unknown += 1,
                    RecordEvent::Record(Err(SkippedRecord::Unreadable)) | RecordEvent::Failed(..) => {
                        n_unreadable += 1;
                    }
                    RecordEvent::Finding(finding) if is_about_record(&finding) => {
                        n_unreadable += u64::from(finding.error.is_some());
                    }
                    RecordEvent::Finding(finding) if finding.error.is_some() => {
                        return Err(damaged(&name(), &finding));
                    }
                    RecordEvent::Finding(finding) if finding.finding.name == "empty-file" => {
                        found.notices.push(format!("skipped {}: no records", name()));
                    }
                    RecordEvent::Finding(_) | RecordEvent::Awaited => {}
                    RecordEvent::Skipped(reason) => {
                        let reason = match reason {
                            SkipReason::UnrecognizedFormat => "unrecognized format",
                            SkipReason::NoRecords => "no records",
                        };
                        found.notices.push(format!("skipped {}: {reason}", name()));
                    }
                    RecordEvent::Unreadable(error) => return Err(unreadable(format!("{}: {error}", name()))),
                }
                Ok(())
            },
        )?;
        let counts = [(n_unreadable, "no legal move could be read"), (n_unknown, "the rules are not known")];
        for (n, why) in counts.into_iter().filter(|(n, _)| *n > 0) {
            let records = counted(n, "record", "records");
            found.notices.push(format!("skipped {records} of --openings: {why}"));
        }
        Ok(found)
    }
}

/// Returns the error about a file that can't be read.
pub(super) fn unreadable(why: String) -> Error {
    Error::new(ErrorKind::Io, why).of("openings")
}

/// Returns the error about a file whose content is damaged.
fn damaged(name: &str, found: &InputFinding) -> Error {
    // The message of the finding states that the readable part was kept. Here, it is not used, because it would be an arbitrary
    // selection of openings.
    let message: &str = match found.finding.name {
        "truncated-file" => "the compressed file is truncated",
        _ => &found.finding.message,
    };
    unreadable(format!("{name}: {message}")).with_help(found.finding.help)
}

/// Returns whether a finding is about one record, and the rest of the file can be read.
fn is_about_record(found: &InputFinding) -> bool {
    match found.finding.name {
        "record-too-large" => true,
        "truncated-file" => false,
        _ => found.is_record_line,
    }
}

/// Returns the boards and moves of records.
struct OpeningWorker(ReplayWorker);

impl RecordWorker for OpeningWorker {
    type Answer = Result<(Shape, Vec<Move>), SkippedRecord>;

    fn enter(&mut self, batch: &Batch) {
        self.0.enter(batch);
    }

    fn record(&mut self, at: RecordAt<'_>) -> Self::Answer {
        let parsed = at.parse().1;
        if parsed.value.main().moves.is_empty() {
            return Err(SkippedRecord::Unreadable);
        }
        let replay = self.0.replay(parsed).replay;
        let Some(rules) = &replay.rules else { return Err(SkippedRecord::UnknownRules) };
        if replay.plies.is_empty() {
            return Err(SkippedRecord::Unreadable);
        }
        Ok((rules.book.shape(), replay.plies.iter().map(|ply| ply.mv).collect()))
    }
}
