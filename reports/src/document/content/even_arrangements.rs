//! What would make an unfair game even, in the section of a variant.

use super::formatting;
use crate::document::{Block, NumberFormat, Table, TableCell};
use crate::measure::{EvenArrangements, FairnessDecision, VariantFindings};
use crate::percent::percent_text;
use crate::stats::Estimate;

/// Returns the blocks on arrangements that make the game even; empty for a variant that is fair, or whose favored side is not
/// known.
pub(super) fn blocks(variant: &VariantFindings) -> Vec<Block> {
    let is_fair = variant.fairness.is_some_and(|fairness| fairness.decision == FairnessDecision::Fair);
    match &variant.even_arrangements {
        Some(arrangements) if !is_fair => {
            vec![
                Block::Heading("What would make the game even?".to_owned()),
                Block::Table(table(arrangements)),
            ]
        }
        Some(_) | None => Vec::new(),
    }
}

/// Returns the table of the arrangements. Its key `repairs` is part of the JSON and CSV formats of reports, so it can't be
/// renamed. The word means changes to a game that favors a side here, not the repairs of records (`tafl repair`).
fn table(arrangements: &EvenArrangements) -> Table {
    let favored = arrangements.favored.as_str();
    let other = arrangements.favored.other().as_str();
    let points = |estimate: Estimate| formatting::estimate(estimate.map(|part| part - 0.5));
    let mut table = Table::new("repairs", "Arrangements that make the game even", "arrangement")
        .column("elo", "Elo", NumberFormat::Number(0))
        .column("points", "points per win", NumberFormat::Number(2))
        .column("plies", "plies", NumberFormat::Number(0))
        .column(
            "before",
            "favored side above 50 %, without it (percentage points)",
            NumberFormat::SignedPercent(1),
        )
        .column("after", "the same, with it (percentage points)", NumberFormat::SignedPercent(1));
    // The rule is a part of the label: as a column of text, it would make the table wider than a page.
    table.push_keyed(
        "swap",
        "two games, sides swapped: both players play both sides, and the higher score in two games wins",
        [
            TableCell::Empty,
            TableCell::Empty,
            TableCell::Empty,
            points(arrangements.before),
            TableCell::number(0.0),
        ],
    );
    table.push_keyed(
        "handicap",
        &format!("handicap by strength: the player of the {other} is stronger by this difference"),
        [
            formatting::estimate(arrangements.handicap),
            TableCell::Empty,
            TableCell::Empty,
            points(arrangements.before),
            points(arrangements.with_handicap),
        ],
    );
    table.push_keyed(
        "points",
        &format!(
            "handicap by points: a win of the {other} counts this number of points, a win of the {favored} one point, and a draw half a \
             point for each"
        ),
        [
            TableCell::Empty,
            formatting::estimate(arrangements.win_value),
            TableCell::Empty,
            points(arrangements.before),
            TableCell::number(0.0),
        ],
    );
    if let Some(limit) = arrangements.limit {
        let size = limit.high.map_or_else(
            || TableCell::Text(format!("{} (from {})", limit.ply, limit.low)),
            |high| TableCell::estimate(f64::from(limit.ply), f64::from(limit.low), f64::from(high)),
        );
        table.push_keyed(
            "bid",
            &format!(
                "bid for the favored side: the {favored} must win by this ply, or the {other} win; players who bid for the {favored} should \
                 offer about this number"
            ),
            [TableCell::Empty, TableCell::Empty, size, points(arrangements.before), points(limit.after)],
        );
    }
    let percent = |part: f64| format!("{} %", percent_text(part, 0));
    table.noted(&format!(
        "In parentheses: 95 % intervals. Without an arrangement, between equals, the {favored} score {}. Sides swapped: {} of such \
         matches end with equal scores, {} if neither side were favored. The intervals after the handicap and the bid are those of \
         their estimated size. The bid assumes that the {favored} need as many plies for a win between equals as in the recorded \
         games, whose players had no limit.",
        formatting::percent(arrangements.before),
        formatting::percent(arrangements.tied),
        percent(arrangements.tied_if_even)
    ))
}
