//! Figures as cells and in sentences.

use tafl_rules::{Side, catalog};

use crate::document::{Cell, FEW, Style, Table};
use crate::measure::{Tally, Variant, VariantFindings};
use crate::plot::Whisker;
use crate::plot::axis::grouped;
use crate::stats::quantile::Summary;
use crate::stats::{Balance, Estimate, NotEstimable, Rate};

/// Returns a number with its interval as a cell.
pub(super) fn estimate(estimate: Estimate) -> Cell {
    Cell::estimate(estimate.value, estimate.low, estimate.high)
}

/// Returns a number with its interval as a cell; empty for `None`.
pub(super) fn maybe(found: Option<Estimate>) -> Cell {
    found.map_or(Cell::Empty, estimate)
}

/// Returns the mean or the median of a sample as a cell. For a sample of one, the interval is omitted because
/// it carries no information.
pub(super) fn of_summary(summary: &Summary, part: fn(&Summary) -> Estimate) -> Cell {
    let found = part(summary);
    if summary.n > 1 { estimate(found) } else { Cell::number(found.value) }
}

/// Returns a share as a cell.
pub(super) fn share(rate: Option<Rate>) -> Cell {
    rate.map_or(Cell::Share { hits: 0, n: 0, low: 0.0, high: 1.0 }, |rate| Cell::Share {
        hits: rate.hits,
        n: rate.n,
        low: rate.share.low,
        high: rate.share.high,
    })
}

/// Adds the columns for the number of games and their results; [`result_cells`] fills them.
pub(super) fn results(table: Table) -> Table {
    table
        .column("games", "games", Style::Count)
        .column("ended", "ended", Style::Count)
        .column("attackers", "attackers win", Style::Percent)
        .column("defenders", "defenders win", Style::Percent)
        .column("draws", "drawn", Style::Percent)
}

/// Returns the cells of the columns of [`results`].
pub(super) fn result_cells(tally: &Tally) -> [Cell; 5] {
    [
        Cell::Count(tally.games),
        Cell::Count(tally.ended()),
        share(tally.wins(Side::Attackers)),
        share(tally.wins(Side::Defenders)),
        share(tally.drawn()),
    ]
}

/// Returns the signed ratio as a cell; as text if an end is infinite.
pub(super) fn signed(balance: &Result<Balance, NotEstimable>) -> Cell {
    match balance {
        Err(missing) => Cell::Missing(missing.to_string()),
        Ok(balance) => match (balance.value.signed(), balance.low.signed(), balance.high.signed()) {
            (Some(value), Some(low), Some(high)) => Cell::estimate(value, low, high),
            _ => Cell::Text(
                format!("{} ({} to {})", balance.value, balance.low, balance.high).replace('-', "\u{2212}"),
            ),
        },
    }
}

/// Returns the mark of an estimate in a plot.
pub(super) fn whisker(estimate: Estimate) -> Whisker {
    Whisker { value: estimate.value, low: estimate.low, high: estimate.high }
}

/// Returns the mark of a share in a plot; `None` for a small sample.
pub(super) fn whisker_of(rate: Option<Rate>) -> Option<Whisker> {
    rate.filter(|rate| rate.n >= FEW).map(|rate| whisker(rate.share))
}

/// Returns the display name of a variant.
pub(super) fn title(variant: &Variant) -> String {
    let known = variant.name.as_deref().and_then(catalog::find);
    match known {
        Some(known) => known.title.to_owned(),
        None => format!("{} ({})", variant.label(), variant.shape),
    }
}

/// Returns a number of games with its noun.
pub(super) fn games(n: u64) -> String {
    counted(n, "game", "games")
}

/// Returns a number with its noun in the singular or the plural.
pub(super) fn counted(n: u64, one: &str, many: &str) -> String {
    let noun = if n == 1 { one } else { many };
    format!("{} {noun}", count(n))
}

/// Returns a count with commas between groups of three digits.
pub(super) fn count(n: u64) -> String {
    grouped(&n.to_string())
}

/// Formats a number as a signed integer: `+35`, `−12`, `0`.
pub(super) fn whole(number: f64) -> String {
    format!("{number:+.0}").replace("-0", "0").replace("+0", "0").replace('-', "\u{2212}")
}

/// Formats a share in words: `54 of 100 (between 51 and 57)`.
pub(super) fn of_100(share: Estimate) -> String {
    let whole = |part: f64| format!("{:.0}", part * 100.0);
    format!("{} of 100 (between {} and {})", whole(share.value), whole(share.low), whole(share.high))
}

/// Returns the sentence about the advantage between equals.
pub(super) fn between_equals(variant: &VariantFindings) -> Option<String> {
    let adjusted = variant.adjusted.as_ref().ok().filter(|_| variant.tally.ended() >= FEW)?;
    Some(format!(
        "Between two players of the same strength the attackers can expect to score {}: an advantage of {}.",
        of_100(adjusted.expectation),
        in_elo(adjusted.elo)
    ))
}

/// Formats Elo in words: `+35 Elo (between +12 and +58)`.
pub(super) fn in_elo(elo: Estimate) -> String {
    format!("{} Elo (between {} and {})", whole(elo.value), whole(elo.low), whole(elo.high))
}

/// Returns the name of a side at the start of a sentence.
pub(super) const fn the(side: Side) -> &'static str {
    match side {
        Side::Attackers => "The attackers",
        Side::Defenders => "The defenders",
    }
}

/// Returns the sentence that explains a missing percentage by the small sample.
pub(super) fn few_warning(tally: &Tally) -> String {
    let Tally { attackers, defenders, draws, .. } = tally;
    match tally.ended() {
        0 => "No game ended, so nothing can be said about who wins.".to_owned(),
        n => format!(
            "Only {} ended: the attackers won {attackers}, the defenders {defenders}, {draws} drawn. Below {FEW} games no \
             percentage is given; chance alone could turn the result around.",
            games(n)
        ),
    }
}

/// Returns the sentences about the results of a tally.
pub(super) fn who_wins(tally: &Tally, balance: &Result<Balance, NotEstimable>) -> Vec<String> {
    if tally.ended() < FEW {
        return vec![few_warning(tally)];
    }
    let mut said = Vec::new();
    if let (Some(attackers), Some(defenders), Some(drawn)) =
        (tally.wins(Side::Attackers), tally.wins(Side::Defenders), tally.drawn())
    {
        said.push(format!(
            "Attackers win {}; defenders win {}; {:.0} of 100 are drawn. These are {} that ended.",
            of_100(attackers.share),
            of_100(defenders.share),
            drawn.share.value * 100.0,
            games(tally.ended())
        ));
    }
    match balance {
        Ok(balance) => said.push(match balance.favored() {
            Some(side) => format!(
                "{} are favored: games between the same kind of players, again as many, would very probably show it again.",
                the(side)
            ),
            None => "The games do not show that either side is favored: the difference can be chance.".to_owned(),
        }),
        Err(missing) => said.push(format!("There is no balance: {missing}.")),
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readers_without_statistics_get_sentences() {
        let tally =
            Tally { games: 110, attackers: 54, defenders: 40, draws: 6, unfinished: 10, ..Tally::default() };
        let said = who_wins(&tally, &tally.balance());
        assert_eq!(
            said[0],
            "Attackers win 54 of 100 (between 44 and 63); defenders win 40 of 100 (between 31 and 50); 6 of 100 are drawn. \
             These are 100 games that ended."
        );
        assert_eq!(
            said[1],
            "The games do not show that either side is favored: the difference can be chance."
        );
    }

    #[test]
    fn few_games_have_no_percentage() {
        let none = Tally::default();
        assert_eq!(
            who_wins(&none, &none.balance()),
            ["No game ended, so nothing can be said about who wins."]
        );
        let one = Tally { games: 1, attackers: 1, ..Tally::default() };
        let said = who_wins(&one, &one.balance());
        assert!(said.len() == 1 && said[0].starts_with("Only 1 game ended"), "{said:?}");
    }

    #[test]
    fn whole_numbers_have_a_sign_and_zero_has_none() {
        assert_eq!([35.4, -12.0, 0.3, -0.3, -1000.0].map(whole), ["+35", "−12", "0", "0", "−1000"]);
    }

    #[test]
    fn an_infinite_balance_is_written_in_words() {
        assert_eq!(signed(&Balance::of(0, 5)), Cell::Text("+∞ (+1.30 to +∞)".to_owned()));
        assert_eq!(signed(&Balance::of(0, 0)), Cell::Missing("no game was won by either side".to_owned()));
    }
}
