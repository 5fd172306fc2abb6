//! The options and the counts of an import.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rejected_record::{RejectedRecord, RejectionReason};
use crate::row::{GameRow, RecordVerdict};

/// The policy for copies of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CopyPolicy {
    /// Keep the copy with the higher quality score; of equal ones the first.
    #[default]
    Better,
    /// Keep the first copy.
    First,
}

/// The policy for records with the moves of a stored game. A record with the same moves from the same file and line is
/// the same record, and is never stored twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DuplicatePolicy {
    /// Store all.
    Keep,
    /// Store all, and mark copies and possible copies in the column `duplicate_of`.
    Note,
    /// Store a game once, with a list of its copies; store possible copies, and mark them.
    #[default]
    Drop,
}

/// The options of an import.
#[derive(Debug, Clone)]
pub struct IngestOptions {
    /// The policy for copies of a game.
    pub keep: CopyPolicy,
    /// The policy for records with the moves of a stored game.
    pub duplicates: DuplicatePolicy,
    /// A note for other writers, who read it in the lock file.
    pub note: String,
    /// The number of threads that write segments beside the one that adds games; with one, that thread writes them. The
    /// corpus is the same for any number.
    pub threads: NonZeroUsize,
}

impl Default for IngestOptions {
    fn default() -> IngestOptions {
        IngestOptions {
            keep: CopyPolicy::default(),
            duplicates: DuplicatePolicy::default(),
            note: String::new(),
            threads: NonZeroUsize::MIN,
        }
    }
}

/// The result of adding a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddOutcome {
    /// A new game.
    New,
    /// A copy of a stored game, which was noted there.
    Copy,
    /// A better copy of a stored game, which it replaced.
    Replaced,
    /// A record that could not be stored.
    Rejected,
}

/// The counts of an import. The order of the fields is that of the JSON object. The records that were read are `added`, `doubled`,
/// and `rejected`; a new game that a better copy from the same import replaced counts once, as that copy.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IngestSummary {
    /// Games that are new.
    pub added: u64,
    /// Plies of the new games.
    pub plies: u64,
    /// New games whose faults have an explanation.
    pub explained: u64,
    /// Copies of stored games, which are not stored again.
    // The JSON field keeps this name.
    pub doubled: u64,
    /// Copies among those that were better and took the place of the stored one.
    pub replaced: u64,
    /// Better copies among those that took the place of a record of the same import.
    #[serde(default)]
    pub replaced_new: u64,
    /// The number of plies that better copies added to games of earlier imports.
    #[serde(default)]
    pub replaced_plies: u64,
    /// Copies among those that are only the beginning of the other one.
    pub prefixes: u64,
    /// New games that are marked in the column `duplicate_of`: they have the moves of a stored game.
    pub possible_copies: u64,
    /// New games whose two players have one name because of aliases.
    #[serde(default)]
    pub merged_opponents: u64,
    /// Records that could not be stored.
    pub rejected: u64,
    /// Records among those with the notation and the text of another rejected record, from this import or from an earlier one. The
    /// corpus has such a record once.
    pub rejected_before: u64,
    /// The first rejected records; at most 10.
    #[serde(default)]
    pub first_rejected: Vec<RejectedPlace>,
    /// The number of rejected records with each code.
    pub codes: BTreeMap<String, u64>,
    /// The number of new games of each variant; the empty name means rules without a name.
    pub variants: BTreeMap<String, u64>,
}

/// The place of a rejected record, and the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RejectedPlace {
    /// The name of its file, as given on import.
    pub source: String,
    /// The line in which it begins.
    pub place: u64,
    /// The first of its worst diagnostics.
    #[serde(flatten)]
    pub reason: RejectionReason,
}

/// The maximum number of rejected records in a summary.
const MAX_LISTED: usize = 10;

impl IngestSummary {
    /// Counts a record that could not be stored.
    pub(super) fn add_rejected(&mut self, rejected: &RejectedRecord) {
        self.rejected += 1;
        for code in &rejected.codes {
            *self.codes.entry(code.clone()).or_default() += 1;
        }
        if let Some(reason) = rejected.reason.as_ref().filter(|_| self.first_rejected.len() < MAX_LISTED) {
            let RejectedRecord { source, place, .. } = rejected;
            let listed = RejectedPlace { source: source.clone(), place: *place, reason: reason.clone() };
            self.first_rejected.push(listed);
        }
    }

    /// Counts the plies of a better copy that is stored in place of a game of an earlier import.
    pub(super) fn replace_earlier(&mut self, old: &GameRow, new: &GameRow) {
        // The moves are the same, unless the old record is only the beginning.
        self.replaced_plies += u64::from(new.plies.saturating_sub(old.plies));
    }

    /// Counts a better copy that is stored in place of a new game.
    pub(super) fn replace_new(&mut self, old: &GameRow, new: &GameRow) {
        self.replaced_new += 1;
        self.added -= 1;
        self.plies -= u64::from(old.plies);
        self.explained -= u64::from(old.verdict == RecordVerdict::Explained);
        self.merged_opponents -= u64::from(old.has_merged_opponents());
        let variant = old.variant.as_deref().unwrap_or("");
        if let Some(count) = self.variants.get_mut(variant) {
            *count -= 1;
            if *count == 0 {
                self.variants.remove(variant);
            }
        }
        self.add_new(new);
    }

    /// Counts a new game.
    pub(super) fn add_new(&mut self, row: &GameRow) {
        self.added += 1;
        self.plies += u64::from(row.plies);
        self.explained += u64::from(row.verdict == RecordVerdict::Explained);
        self.merged_opponents += u64::from(row.has_merged_opponents());
        let variant = row.variant.as_deref().unwrap_or("");
        match self.variants.get_mut(variant) {
            Some(count) => *count += 1,
            None => drop(self.variants.insert(variant.to_owned(), 1)),
        }
    }
}
