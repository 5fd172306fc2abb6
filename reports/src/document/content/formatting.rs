//! Figures as cells of tables, as marks of plots, and as numbers in sentences.

use tafl_rules::{Count, Side, catalog, counted};

use crate::document::{NumberFormat, SMALL_SAMPLE, Table, TableCell};
use crate::measure::{GameTally, PlayedVariant};
use crate::percent::percent_text;
use crate::plot::{Axis, Chart, Forest, ForestRow, Plot, Whisker};
use crate::stats::quantile::{SampleCenter, Summary};
use crate::stats::{Balance, Estimate, NotEstimable, Rate, WinRatio};

/// Returns a number with its interval as a cell.
pub(super) fn estimate(estimate: Estimate) -> TableCell {
    TableCell::estimate(estimate.value, estimate.low, estimate.high)
}

/// Returns a number with its interval as a cell; empty for `None`.
pub(super) fn estimate_or_empty(found: Option<Estimate>) -> TableCell {
    found.map_or(TableCell::Empty, estimate)
}

/// Returns a number with its interval as a cell, or the reason why it is missing.
pub(super) fn estimate_or_reason(found: Result<Estimate, NotEstimable>) -> TableCell {
    found.map_or_else(|missing| TableCell::Missing(missing.to_string()), estimate)
}

/// Returns the mean or the median of a sample as a cell, with its interval if it has one.
pub(super) fn of_summary(summary: &Summary, part: fn(&Summary) -> SampleCenter) -> TableCell {
    center(part(summary))
}

/// Returns a mean or a median as a cell, with its interval if it has one.
pub(super) fn center(found: SampleCenter) -> TableCell {
    found.interval.map_or_else(|| TableCell::number(found.value), estimate)
}

/// Returns a proportion as a cell.
pub(super) fn proportion(rate: Option<Rate>) -> TableCell {
    proportion_of_plies(rate, rate.map_or(0, |rate| rate.n))
}

/// Returns a proportion of the plies of some games as a cell: as counts if the games are few, however many plies they have.
pub(super) fn proportion_of_plies(rate: Option<Rate>, n_games: u64) -> TableCell {
    let (hits, n) = rate.map_or((0, 0), |rate| (rate.hits, rate.n));
    let (low, high) = rate.map_or((0.0, 1.0), |rate| (rate.proportion.low, rate.proportion.high));
    TableCell::Proportion { hits, n, low, high, is_small: n_games < SMALL_SAMPLE }
}

/// Returns the median of a sample as a cell; empty for `None`.
pub(super) fn median(summary: Option<&Summary>) -> TableCell {
    summary.map_or(TableCell::Empty, |summary| of_summary(summary, |all| all.median))
}

/// Adds the columns for the number of games and their results; [`result_cells`] fills them.
pub(super) fn with_result_columns(table: Table) -> Table {
    table
        .column("games", "games", NumberFormat::Count)
        .column("ended", "finished", NumberFormat::Count)
        .column("attackers", "attackers win", NumberFormat::Percent)
        .column("defenders", "defenders win", NumberFormat::Percent)
        .column("draws", "drawn", NumberFormat::Percent)
}

/// Returns the cells of the columns of [`with_result_columns`].
pub(super) fn result_cells(tally: &GameTally) -> [TableCell; 5] {
    [
        TableCell::Count(tally.games),
        TableCell::Count(tally.ended()),
        proportion(tally.wins(Side::Attackers)),
        proportion(tally.wins(Side::Defenders)),
        proportion(tally.drawn()),
    ]
}

/// Returns the win ratio as a cell; infinite if one side never won.
pub(super) fn win_ratio(balance: &Result<Balance, NotEstimable>) -> TableCell {
    let number = |ratio: WinRatio| match ratio {
        WinRatio::Finite(ratio) => ratio,
        WinRatio::Only(Side::Attackers) => f64::NEG_INFINITY,
        WinRatio::Only(Side::Defenders) => f64::INFINITY,
    };
    match balance {
        Err(missing) => TableCell::Missing(missing.to_string()),
        Ok(Balance { value, low, high, .. }) => {
            TableCell::unbounded_estimate(number(*value), number(*low), number(*high))
        }
    }
}

/// Returns the win ratio as a cell; without a figure for a small sample.
pub(super) fn win_ratio_of(tally: &GameTally, balance: &Result<Balance, NotEstimable>) -> TableCell {
    if tally.decided() < SMALL_SAMPLE {
        return small_sample();
    }
    win_ratio(balance)
}

/// Returns the cell in place of a figure of a small sample.
pub(super) fn small_sample() -> TableCell {
    TableCell::Missing("small sample".to_owned())
}

/// Returns the mark of an estimate in a plot.
pub(super) fn whisker(estimate: Estimate) -> Whisker {
    Whisker { value: estimate.value, low: estimate.low, high: estimate.high }
}

/// Returns the mark of a proportion in a plot; `None` for a small sample.
pub(super) fn whisker_of(rate: Option<Rate>) -> Option<Whisker> {
    rate.filter(|rate| rate.n >= SMALL_SAMPLE).map(|rate| whisker(rate.proportion))
}

/// Returns the row of a plot with the attackers' proportion of games with a winner.
pub(super) fn wins_row(label: String, tally: &GameTally) -> ForestRow {
    ForestRow { label, whisker: whisker_of(tally.attackers_proportion()), second: None, n: tally.decided() }
}

/// Returns the plot of rows by [`wins_row`].
pub(super) fn wins_plot(key: &str, title: &str, rows: Vec<ForestRow>) -> Plot {
    Plot {
        key: key.to_owned(),
        title: title.to_owned(),
        note: "The attackers' wins as a proportion of games with a winner. Bars: 95 % intervals.".to_owned(),
        chart: Chart::Forest(Forest {
            axis: Axis::percent("attackers' wins among games with a winner (%)"),
            reference: Some((0.5, "even".to_owned())),
            rows,
            counts: "games".to_owned(),
        }),
    }
}

/// Returns the display name of a variant.
pub(super) fn title(variant: &PlayedVariant) -> String {
    match variant.name.as_deref().and_then(catalog::find) {
        Some(known) => known.title.to_owned(),
        None => format!("{} ({})", variant.label(), variant.shape),
    }
}

/// Returns a number of games with its noun.
pub(super) fn games(n: u64) -> String {
    counted(n, "game", "games")
}

/// Returns a count with commas between groups of three digits.
pub(super) fn count(n: u64) -> String {
    Count(n).to_string()
}

/// Formats a number as a signed integer: `+35`, `−12`, `0`.
pub(super) fn signed_integer(number: f64) -> String {
    format!("{number:+.0}").replace("-0", "0").replace("+0", "0").replace('-', "\u{2212}")
}

/// Formats a number with a sign and one decimal: `+3.5`, `−0.2`, `0.0`.
pub(super) fn signed_decimal(number: f64) -> String {
    let text = format!("{number:+.1}");
    if text.ends_with("0.0") && text.len() == 4 { "0.0".to_owned() } else { text.replace('-', "\u{2212}") }
}

/// Formats a number without needless decimals: `5`, `2.5`.
pub(super) fn trimmed(number: f64) -> String {
    let text = format!("{number:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Formats a proportion in a sentence: `54 % (51 % to 57 %)`.
pub(super) fn percent(proportion: Estimate) -> String {
    let [value, low, high] =
        [proportion.value, proportion.low, proportion.high].map(|part| percent_text(part, 0));
    format!("{value} % ({low} % to {high} %)")
}

/// Formats a p-value in a sentence: `p = 0.0123`, `p < 0.0001`.
pub(super) fn p_value(p: f64) -> String {
    if p < 1e-4 { "p < 0.0001".to_owned() } else { format!("p = {p:.4}") }
}

/// Formats a difference of proportions in a sentence: `+3.5 percentage points (+1.0 to +6.0)`.
pub(super) fn in_points(difference: Estimate) -> String {
    let Estimate { value, low, high } = difference.map(|proportion| proportion * 100.0);
    let [value, low, high] = [value, low, high].map(signed_decimal);
    format!("{value} percentage points ({low} to {high})")
}

/// Formats Elo in a sentence: `+35 Elo (+12 to +58)`.
pub(super) fn in_elo(elo: Estimate) -> String {
    format!("{} Elo ({} to {})", signed_integer(elo.value), signed_integer(elo.low), signed_integer(elo.high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_have_a_sign_and_zero_has_none() {
        assert_eq!([35.4, -12.0, 0.3, -0.3, -1000.0].map(signed_integer), ["+35", "−12", "0", "0", "−1000"]);
    }

    #[test]
    fn small_p_values_are_the_same_in_sentences_and_tables() {
        for (p, text) in [(1e-9, "< 0.0001"), (0.000_3, "0.0003"), (0.04, "0.0400")] {
            assert!(p_value(p).ends_with(text), "{p}");
            assert_eq!(TableCell::number(p).shown(NumberFormat::Number(4)), text);
        }
    }

    #[test]
    fn needless_decimals_are_dropped() {
        assert_eq!([5.0, 2.5, 0.25, 100.0, 0.0].map(trimmed), ["5", "2.5", "0.25", "100", "0"]);
    }

    #[test]
    fn an_infinite_balance_has_a_finite_end() {
        let only = win_ratio(&Balance::of(0, 5));
        assert_eq!(only.shown(NumberFormat::Signed(2)), "+∞ (+1.30 to +∞)");
        assert!(matches!(only.ends(), [Some(low), None] if (low - 1.3016).abs() < 1e-4), "{only:?}");
        assert!(
            win_ratio(&Balance::of(5, 0)).shown(NumberFormat::SignedMixed).starts_with("−∞ (−∞ to −1.30)")
        );
        assert_eq!(win_ratio(&Balance::of(0, 0)), TableCell::Missing("no game has a winner".to_owned()));
    }
}
