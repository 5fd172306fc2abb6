//! The buckets of lines: copies of a game, symmetric ones and prefixes have the same bucket.

use tafl_parser::ErrorLine;
use xxhash_rust::xxh3::Xxh3;

use super::hex::HexNumber;
use crate::ingest::PreparedGame;
use crate::rejected_record::RejectedRecord;

/// Returns the bucket of a game: a hash of its rules and the canonical key after its first ply.
pub(super) fn of_game(game: &PreparedGame) -> HexNumber {
    let first = game.replayed.keys.get(1).or(game.replayed.keys.first()).copied().unwrap_or(0);
    let mut hash = Xxh3::new();
    hash.update(&game.row.rules_id.0.to_le_bytes());
    hash.update(&first.to_le_bytes());
    HexNumber(hash.digest())
}

/// Returns the bucket of a record that could not be stored: of its notation and text.
pub(super) fn of_rejected(rejected: &RejectedRecord) -> HexNumber {
    HexNumber(rejected.hash())
}

/// Returns the bucket of an error: that of its rejected record.
pub(super) fn of_error(error: &ErrorLine<'_>) -> HexNumber {
    of_rejected(&RejectedRecord::unreadable(error))
}
