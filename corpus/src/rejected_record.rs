//! Rejected records: those that could not be stored. They are kept and can be tried again.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};
use tafl_parser::{ErrorLine, Format, Severity, WrittenVerdict};
use tafl_rules::{RuleSet, Side};
use xxhash_rust::xxh3::xxh3_64;

use crate::ingest::CheckedRecord;
use crate::move_log::{GameResult, result_word};

/// A record that could not be stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RejectedRecord {
    /// The name of its file, as given on import.
    pub source: String,
    /// The line in which it begins.
    pub place: u64,
    /// The name of its notation.
    pub format: String,
    /// The codes of its errors and warnings. In corpora of earlier versions, those of notes are among them.
    pub codes: Vec<String>,
    /// Its text, verbatim.
    pub text: String,
    /// The name of its variant, or of its own rules; absent if the rules are unknown or have no name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// The result that it states, even if its moves contradict it; absent if it states none. Corpora of earlier versions lack
    /// it and the variant.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "result_word")]
    pub result: Option<GameResult>,
    /// The first of its worst diagnostics, in words. Corpora of earlier versions lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<RejectionReason>,
}

/// The reason why a record could not be stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "store", derive(schemars::JsonSchema))]
pub struct RejectionReason {
    /// The code of the diagnostic.
    pub code: String,
    /// Its message.
    pub message: String,
}

impl RejectedRecord {
    pub(crate) fn of(record: &CheckedRecord<'_>) -> RejectedRecord {
        let reason = reason_of(record);
        // Notes are left out, except one that is the only reason.
        let bad = record.diagnostics.iter().filter(|found| found.severity() > Severity::Note);
        let mut codes: Vec<String> = bad.map(|found| found.code().as_str().to_owned()).collect();
        codes.push(reason.code.clone());
        if record.record.main().moves.is_empty() {
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
            variant: variant_of(record),
            result: stated_result(record),
            reason: Some(reason),
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
            variant: None,
            result: None,
            reason: Some(RejectionReason {
                code: error.code.to_string(),
                message: error.message.to_string(),
            }),
        }
    }

    /// Returns the notation, if this program knows it.
    pub fn notation(&self) -> Option<Format> {
        Format::from_name(&self.format)
    }

    /// Returns a hash of notation and text: the same record is kept once.
    pub(crate) fn hash(&self) -> u64 {
        let hash = xxh3_64(self.text.as_bytes()) ^ xxh3_64(self.format.as_bytes());
        match &*self.format {
            // A record that could not be read has no text; its place identifies it.
            NO_NOTATION => hash ^ xxh3_64(self.source.as_bytes()).rotate_left(9) ^ self.place,
            _ => hash,
        }
    }
}

/// Returns the first of the worst diagnostics of a record, or that it has no moves.
fn reason_of(record: &CheckedRecord<'_>) -> RejectionReason {
    let found = record.diagnostics.iter().filter(|found| found.severity() > Severity::Note);
    let worst = found.min_by_key(|found| (Reverse(found.severity()), found.span.start));
    // A record that is rejected without any error has no moves, or ends in an unexplained way.
    let is_unplayed = record.record.main().moves.is_empty();
    match worst.or(record.diagnostics.first().filter(|_| !is_unplayed)) {
        Some(found) => RejectionReason {
            code: found.code().as_str().to_owned(),
            message: found.message(record.source.text),
        },
        None => RejectionReason { code: NO_MOVES.to_owned(), message: "the record has no moves".to_owned() },
    }
}

/// Returns the name of the variant of a record: that of the catalog, or that in its own rules string.
fn variant_of(record: &CheckedRecord<'_>) -> Option<String> {
    if let Some(chosen) = &record.replay.rules {
        return chosen.variant.map(str::to_owned).or_else(|| chosen.book.rules().name.clone());
    }
    let rules: RuleSet = record.record.rules.as_ref()?.text.parse().ok()?;
    rules.name
}

/// Returns the result that a record states. An ending among the moves is a statement as well.
fn stated_result(record: &CheckedRecord<'_>) -> Option<GameResult> {
    let written = record.record.result.map(|written| match written.verdict {
        WrittenVerdict::Win(Side::Attackers) => Some(GameResult::Attackers),
        WrittenVerdict::Win(Side::Defenders) => Some(GameResult::Defenders),
        WrittenVerdict::Draw => Some(GameResult::Draw),
        WrittenVerdict::Ongoing => Some(GameResult::Unfinished),
        WrittenVerdict::Unknown => None,
    });
    let recorded = || {
        let outcome = record.replay.recorded?.outcome;
        Some(match outcome.winner {
            Some(Side::Attackers) => GameResult::Attackers,
            Some(Side::Defenders) => GameResult::Defenders,
            None => GameResult::Draw,
        })
    };
    written.flatten().or_else(recorded)
}

/// The notation of the entry for a record that could not be read.
pub(crate) const NO_NOTATION: &str = "none";

/// The code of a record without moves, which is rejected even if it has no fault.
pub const NO_MOVES: &str = "T011";
