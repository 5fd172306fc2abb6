//! Requests over records: files, folders, and streams of game records in every notation.
//!
//! [`RecordReader`] finds the inputs and reads them, and [`RecordReader::process`] is the one loop over their records. What
//! a request does with a record is a [`RecordWorker`]; what happens on the way is a [`RecordEvent`].

mod events;
mod finding;
mod input;
mod reader;
mod replay;
mod summary;
mod validate;

pub use events::{
    FAILED, InputFinding, PANIC, ReadCounts, RecordAt, RecordEvent, RecordWorker, SkipReason, error_line,
    failure_line,
};
pub use finding::{Excerpt, Finding, FindingLine, FindingLocator, FindingRecord};
pub use input::{Input, InputProblem, Inputs};
pub use reader::{BatchStream, ReadSettings, RecordReader};
pub use replay::{
    MAX_REPLAYERS, ReplayConfig, ReplayWorker, ReplayedRecord, RequestedRules, RequestedRulesKey,
};
pub use summary::{CodeCounts, GameCheck, SeverityCounts, SoundnessCounts, ValidationSummary};
pub use validate::{ValidateWorker, ValidatedRecord};
