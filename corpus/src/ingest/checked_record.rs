//! A record with its replay, from which rows are made.

use tafl_parser::{Diagnostic, Record, Replay, Soundness, Source};

/// A record with its replay.
#[derive(Debug, Clone, Copy)]
pub struct CheckedRecord<'a> {
    /// The text and its place.
    pub source: Source<'a>,
    /// The record.
    pub record: &'a Record,
    /// The replay.
    pub replay: &'a Replay,
    /// The result of the comparison of both, from [`Replay::soundness`].
    pub verdict: Soundness,
    /// The findings, those of the replay included.
    pub diagnostics: &'a [Diagnostic],
}
