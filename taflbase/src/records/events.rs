//! The events of reading records.

use std::io;

use tafl_parser::{Batch, ERROR_LINE_VERSION, ErrorLine, FileFinding, Order};

use super::Finding;

/// The code of a record at which the program itself failed.
pub const PANIC: &str = "panic";

/// The message about such a record.
pub const FAILED: &str = "internal error while processing this record; please report it";

/// An event of reading records; events are in the order of the inputs.
#[derive(Debug)]
pub enum RecordEvent<T> {
    /// The answer about a record.
    Record(T),
    /// A finding about the file, or in place of a record.
    Finding(Box<InputFinding>),
    /// The program failed at a record; this is a bug.
    Failed(ErrorLine<'static>, Order),
    /// A file of a folder holds no records.
    Skipped(SkipReason),
    /// The input can't be read, or not to its end.
    Unreadable(io::Error),
    /// All record lines that were read so far are answered; their writer may be waiting for the answers.
    Awaited,
}

/// A finding about an input.
#[derive(Debug)]
pub struct InputFinding {
    /// The file that is meant.
    pub file: String,
    /// The finding.
    pub finding: Finding,
    /// The line in place of the record, if the finding is an error.
    pub error: Option<ErrorLine<'static>>,
    /// Whether it is about a record line.
    pub is_record_line: bool,
}

/// The reason why a file of a folder is skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SkipReason {
    /// Its notation is unknown.
    UnrecognizedFormat,
    /// No record of it has a move.
    NoRecords,
}

/// The number of inputs and records that were read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReadCounts {
    /// Inputs that were read.
    pub files: u64,
    /// Files of folders that were skipped.
    pub skipped: u64,
    /// Inputs that couldn't be read, or not to their end.
    pub unreadable: u64,
    /// Records.
    pub records: u64,
    /// Record lines without a readable record.
    pub unreadable_lines: u64,
    /// Findings about inputs with the severity of an error.
    pub file_errors: u64,
    /// Records at which the program failed.
    pub failed: u64,
}

impl<T> RecordEvent<T> {
    /// Returns the event with another answer.
    pub fn map<U>(self, map: impl FnOnce(T) -> U) -> RecordEvent<U> {
        match self {
            RecordEvent::Record(answer) => RecordEvent::Record(map(answer)),
            RecordEvent::Finding(found) => RecordEvent::Finding(found),
            RecordEvent::Failed(line, order) => RecordEvent::Failed(line, order),
            RecordEvent::Skipped(reason) => RecordEvent::Skipped(reason),
            RecordEvent::Unreadable(error) => RecordEvent::Unreadable(error),
            RecordEvent::Awaited => RecordEvent::Awaited,
        }
    }
}

impl ReadCounts {
    pub(super) fn add<T>(&mut self, event: &RecordEvent<T>) {
        match event {
            RecordEvent::Record(_) => self.records += 1,
            RecordEvent::Failed(..) => {
                self.records += 1;
                self.failed += 1;
            }
            RecordEvent::Finding(found) => {
                let is_error = u64::from(found.error.is_some());
                self.file_errors += is_error;
                self.unreadable_lines += is_error * u64::from(found.is_record_line);
            }
            RecordEvent::Skipped(_) => self.skipped += 1,
            RecordEvent::Unreadable(_) => self.unreadable += 1,
            RecordEvent::Awaited => {}
        }
    }
}

/// Returns the line in place of an unreadable record of the file with this name.
pub fn error_line(name: &str, batch: &Batch, found: &FileFinding) -> ErrorLine<'static> {
    let (source, place) = match &found.record {
        Some((source, place)) => (Some(source.to_string()), Some(*place)),
        None if batch.is_wrapped() => (None, None),
        None => (Some(name.to_owned()), Some(found.line)),
    };
    ErrorLine {
        taflbase_error: ERROR_LINE_VERSION,
        source: source.map(Into::into),
        place,
        line: found.line,
        code: found.kind.code().as_str().into(),
        message: Finding::of_file(found).message.into(),
    }
}

/// Returns the line in place of a record at which the program itself failed.
pub fn failure_line(file: &str, line: u64) -> ErrorLine<'static> {
    ErrorLine {
        taflbase_error: ERROR_LINE_VERSION,
        source: Some(file.to_owned().into()),
        place: Some(line),
        line,
        code: PANIC.into(),
        message: FAILED.into(),
    }
}
