//! Game records of tafl games: reading in all supported notations, writing in most of them.
//!
//! A [`Source`] is parsed into a [`Record`]: the game as it was written down, which may contain errors.
//! Parsing never fails; unreadable parts are reported as [`Diagnostic`]s. Replaying the moves with the rules
//! decides whether they were legal.

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
