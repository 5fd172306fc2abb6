//! Game records of the tafl family: read in any notation, written in most.
//!
//! A [`Source`] is parsed to a [`Record`]: what somebody wrote down, which may be wrong. Parsing never fails; what could
//! not be read is said in [`Diagnostic`]s. Whether the moves were legal is decided by replaying them with the rules.

pub mod diagnostic;
mod format;
pub mod infer;
mod notation;
pub mod parallel;
pub mod reader;
pub mod record;
pub mod repair;
pub mod replay;
pub mod source;
mod token;
mod words;
pub mod write;

pub use diagnostic::{Code, Diagnostic, DiagnosticKind, Parsed, Severity};
pub use notation::detect;
pub use record::{Cut, Format, Record};
pub use replay::{Replay, ReplayOptions, Replayer};
pub use source::{LineCol, LineIndex, Source};
