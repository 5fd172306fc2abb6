//! A record with its replay: what rows are made from.

use tafl_parser::{Diagnostic, Record, Replay, Soundness, Source};

/// A record with its replay.
#[derive(Debug, Clone, Copy)]
pub struct CheckedRecord<'a> {
    /// The text and its place.
    pub source: Source<'a>,
    /// What was written.
    pub record: &'a Record,
    /// What happened on the board.
    pub replay: &'a Replay,
    /// The result of the comparison of both, from [`Replay::verdict`].
    pub verdict: Soundness,
    /// The findings, those of the replay included.
    pub diagnostics: &'a [Diagnostic],
}
