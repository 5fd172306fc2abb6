//! Rejected records: those that could not be stored. They are kept and can be tried again.

use serde::{Deserialize, Serialize};
use tafl_parser::{ErrorLine, Format};
use xxhash_rust::xxh3::xxh3_64;

use crate::ingest::CheckedRecord;

/// A record that could not be stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RejectedRecord {
    /// The name of its file, as given on import.
    pub source: String,
    /// The line in which it begins.
    pub place: u64,
    /// The name of its notation.
    pub format: String,
    /// The codes of its diagnostics.
    pub codes: Vec<String>,
    /// Its text, verbatim.
    pub text: String,
}

impl RejectedRecord {
    pub(crate) fn of(record: &CheckedRecord<'_>) -> RejectedRecord {
        let mut codes: Vec<String> =
            record.diagnostics.iter().map(|found| found.code().as_str().to_owned()).collect();
        if record.record.main().moves.is_empty() && !codes.iter().any(|code| code == NO_MOVES) {
            codes.push(NO_MOVES.to_owned());
        }
        codes.sort();
        codes.dedup();
        RejectedRecord {
            source: record.source.name.to_owned(),
            place: record.source.line,
            format: record.record.format.name().to_owned(),
            codes,
            text: record.source.text.to_owned(),
        }
    }

    /// Returns the entry for a record that could not be read from its source.
    pub fn unreadable(error: &ErrorLine<'_>) -> RejectedRecord {
        RejectedRecord {
            source: error.source.as_deref().unwrap_or("-").to_owned(),
            place: error.place.unwrap_or(error.line),
            format: NO_NOTATION.to_owned(),
            codes: vec![error.code.to_string()],
            text: error.message.to_string(),
        }
    }

    /// Returns the notation, if this program knows it.
    pub fn notation(&self) -> Option<Format> {
        Format::from_name(&self.format)
    }

    /// Returns a number for notation and text: the same record is kept once.
    pub(crate) fn number(&self) -> u64 {
        let number = xxh3_64(self.text.as_bytes()) ^ xxh3_64(self.format.as_bytes());
        match &*self.format {
            // A record that could not be read has no text; its place identifies it.
            NO_NOTATION => number ^ xxh3_64(self.source.as_bytes()).rotate_left(9) ^ self.place,
            _ => number,
        }
    }
}

/// The notation of the entry for a record that could not be read.
pub(crate) const NO_NOTATION: &str = "none";

/// The code of a record without moves, which is rejected even if it has no fault.
pub const NO_MOVES: &str = "T011";
