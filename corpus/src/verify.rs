//! Whether a corpus is what was written, and whether it says what the rules say.

use tafl_rules::{AnyRulebook, RuleSet, Setup};

use crate::ingest::Coach;
use crate::row::GameRow;

/// Returns the canonical key of the start of a game; nothing where its rules or start cannot be read.
pub(crate) fn start_key(row: &GameRow) -> Option<u64> {
    let rules: RuleSet = row.rules.parse().ok()?;
    let book = AnyRulebook::compile(&rules).ok()?;
    let start = Setup::parse(rules.shape(), &row.start).ok()?;
    let game = Coach { book: &book, start: &start, first: row.first }.game()?;
    Some(game.canonical_key().0.0)
}
