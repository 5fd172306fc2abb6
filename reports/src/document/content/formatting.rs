//! Figures as cells and in sentences.

use tafl_rules::{Side, catalog};

use crate::document::{NumberFormat, SMALL_SAMPLE, Table, TableCell};
use crate::measure::{FAIR_MARGIN, FairnessDecision, GameTally, OtherStarts, PlayedVariant, VariantFindings};
use crate::percent::percent_text;
use crate::plot::Whisker;
use crate::plot::axis::grouped;
use crate::stats::quantile::Summary;
use crate::stats::{Balance, Estimate, NotEstimable, Rate, elo};

/// Returns a number with its interval as a cell.
pub(super) fn estimate(estimate: Estimate) -> TableCell {
    TableCell::estimate(estimate.value, estimate.low, estimate.high)
}

/// Returns a number with its interval as a cell; empty for `None`.
pub(super) fn maybe(found: Option<Estimate>) -> TableCell {
    found.map_or(TableCell::Empty, estimate)
}

/// Returns a number with its interval as a cell, or the reason why it is missing.
pub(super) fn or_reason(found: Result<Estimate, NotEstimable>) -> TableCell {
    found.map_or_else(|missing| TableCell::Missing(missing.to_string()), estimate)
}

/// Returns the mean or the median of a sample as a cell. For a sample of one, the interval is omitted because
/// it carries no information.
pub(super) fn of_summary(summary: &Summary, part: fn(&Summary) -> Estimate) -> TableCell {
    let found = part(summary);
    if summary.n > 1 { estimate(found) } else { TableCell::number(found.value) }
}

/// Returns a proportion as a cell.
pub(super) fn proportion(rate: Option<Rate>) -> TableCell {
    rate.map_or(TableCell::Proportion { hits: 0, n: 0, low: 0.0, high: 1.0 }, |rate| TableCell::Proportion {
        hits: rate.hits,
        n: rate.n,
        low: rate.proportion.low,
        high: rate.proportion.high,
    })
}

/// Returns a proportion of the plies of some games as a cell: as counts if the games are few, however many plies they have.
pub(super) fn proportion_of_plies(rate: Option<Rate>, n_games: u64) -> TableCell {
    match rate {
        Some(rate) if n_games < SMALL_SAMPLE => {
            TableCell::Text(format!("{} of {}", count(rate.hits), count(rate.n)))
        }
        _ => proportion(rate),
    }
}

/// Adds the columns for the number of games and their results; [`result_cells`] fills them.
pub(super) fn results(table: Table) -> Table {
    table
        .column("games", "games", NumberFormat::Count)
        .column("ended", "finished", NumberFormat::Count)
        .column("attackers", "attackers win", NumberFormat::Percent)
        .column("defenders", "defenders win", NumberFormat::Percent)
        .column("draws", "drawn", NumberFormat::Percent)
}

/// Returns the cells of the columns of [`results`].
pub(super) fn result_cells(tally: &GameTally) -> [TableCell; 5] {
    [
        TableCell::Count(tally.games),
        TableCell::Count(tally.ended()),
        proportion(tally.wins(Side::Attackers)),
        proportion(tally.wins(Side::Defenders)),
        proportion(tally.drawn()),
    ]
}

/// Returns the win ratio as a cell; as text if an end is infinite.
pub(super) fn win_ratio(balance: &Result<Balance, NotEstimable>) -> TableCell {
    match balance {
        Err(missing) => TableCell::Missing(missing.to_string()),
        Ok(balance) => match (balance.value.finite(), balance.low.finite(), balance.high.finite()) {
            (Some(value), Some(low), Some(high)) => TableCell::estimate(value, low, high),
            _ => TableCell::Text(
                format!("{} ({} to {})", balance.value, balance.low, balance.high).replace('-', "\u{2212}"),
            ),
        },
    }
}

/// Returns the mark of an estimate in a plot.
pub(super) fn whisker(estimate: Estimate) -> Whisker {
    Whisker { value: estimate.value, low: estimate.low, high: estimate.high }
}

/// Returns the mark of a proportion in a plot; `None` for a small sample.
pub(super) fn whisker_of(rate: Option<Rate>) -> Option<Whisker> {
    rate.filter(|rate| rate.n >= SMALL_SAMPLE).map(|rate| whisker(rate.proportion))
}

/// Returns the display name of a variant.
pub(super) fn title(variant: &PlayedVariant) -> String {
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

/// Returns the games that did not begin as their rules say, by what differs; `None` without any.
pub(super) fn other_starts(counts: &OtherStarts) -> Option<String> {
    let parts = [
        (counts.position, "from a nonstandard start position"),
        (counts.first_mover, "in which the wrong side moved first"),
        (counts.unknown_rules, "with rules that cannot be read"),
    ];
    let parts: Vec<String> =
        parts.into_iter().filter(|(n, _)| *n > 0).map(|(n, which)| format!("{} {which}", games(n))).collect();
    (!parts.is_empty()).then(|| enumeration(&parts))
}

/// Returns a number with its noun in the singular or the plural.
pub(super) fn counted(n: u64, one: &str, many: &str) -> String {
    let noun = if n == 1 { one } else { many };
    format!("{} {noun}", count(n))
}

/// Joins the parts of a list: `a`, `a and b`, `a, b, and c`.
pub(super) fn enumeration(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [one, two] => format!("{one} and {two}"),
        [first @ .., last] => format!("{}, and {last}", first.join(", ")),
    }
}

/// Returns a count with commas between groups of three digits.
pub(super) fn count(n: u64) -> String {
    grouped(&n.to_string())
}

/// Formats a number as a signed integer: `+35`, `−12`, `0`.
pub(super) fn whole(number: f64) -> String {
    format!("{number:+.0}").replace("-0", "0").replace("+0", "0").replace('-', "\u{2212}")
}

/// Formats a number with a sign and one decimal: `+3.5`, `−0.2`, `0.0`.
pub(super) fn decimal(number: f64) -> String {
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

/// Returns the sentence about the advantage by strength, if it has a significant trend.
pub(super) fn by_strength(variant: &VariantFindings) -> Option<String> {
    let trend = variant.significant_trend()?;
    let [low, _, high] = trend.strengths;
    Some(format!(
        "In these games, the attackers' advantage changes with the strength of the players: between equals of {} Elo, it is {}, and between \
         equals of {} Elo, {}. (A tenth of the games has a lower mean strength than the first, and a tenth a higher one than the \
         second; 0 is the mean player.) Per 100 Elo of strength, it changes by {} Elo ({} to {}, {}).",
        whole(elo(low)),
        in_elo(trend.at(low)),
        whole(elo(high)),
        in_elo(trend.at(high)),
        whole(trend.slope.value),
        whole(trend.slope.low),
        whole(trend.slope.high),
        p_value(variant.trend_fdr?)
    ))
}

/// Returns the sentence about the advantage between equals.
pub(super) fn between_equals(variant: &VariantFindings) -> Option<String> {
    let adjusted = variant.adjusted.as_ref().ok().filter(|adjusted| adjusted.games >= SMALL_SAMPLE)?;
    Some(format!(
        "Between players of equal strength, the attackers' expected score is {}{}, an advantage of {}.",
        if variant.significant_trend().is_some() { "on average " } else { "" },
        percent(adjusted.expectation),
        in_elo(adjusted.elo)
    ))
}

/// Returns the sentence on whether the variant is fair between equals.
pub(super) fn fairness(variant: &VariantFindings) -> Option<String> {
    let adjusted = variant.adjusted.as_ref().ok().filter(|adjusted| adjusted.games >= SMALL_SAMPLE)?;
    let fairness = variant.fairness?;
    let margin = FAIR_MARGIN * 100.0;
    let range = format!("{:.0} % to {:.0} %", 50.0 - margin, 50.0 + margin);
    let games = games(adjusted.games);
    Some(match fairness.decision {
        FairnessDecision::Fair => {
            format!("Fair within {margin:.0} points: yes. The whole interval is within {range} ({games}).")
        }
        FairnessDecision::Unfair => {
            format!("Fair within {margin:.0} points: no. The whole interval is outside of {range} ({games}).")
        }
        FairnessDecision::Undecided => format!(
            "Fair within {margin:.0} points: undecided. The interval is partly within {range} and partly outside ({games}). \
             About {} games, with proportionally more players, detect a deviation of {margin:.0} points from 50 % with a power of 80 %.",
            count(fairness.needed)
        ),
    })
}

/// Formats Elo in a sentence: `+35 Elo (+12 to +58)`.
pub(super) fn in_elo(elo: Estimate) -> String {
    format!("{} Elo ({} to {})", whole(elo.value), whole(elo.low), whole(elo.high))
}

/// Returns the name of a side at the start of a sentence.
pub(super) const fn the(side: Side) -> &'static str {
    match side {
        Side::Attackers => "The attackers",
        Side::Defenders => "The defenders",
    }
}

/// Returns the sentence about the results of a small sample.
pub(super) fn small_sample_results(tally: &GameTally) -> String {
    let GameTally { attackers, defenders, draws, .. } = tally;
    match tally.ended() {
        0 => "No game has finished, so the balance is unknown.".to_owned(),
        n => format!(
            "Only {} finished: the attackers won {attackers}, the defenders won {defenders}, and {}.",
            games(n),
            counted(*draws, "was drawn", "were drawn")
        ),
    }
}

/// Returns the reason for which a small sample has no percentages.
pub(super) fn small_sample_reason() -> String {
    format!(
        "With fewer than {SMALL_SAMPLE} games, percentages are omitted, because so small a sample rarely shows which side is favored."
    )
}

/// Returns the sentences about the results of a tally.
pub(super) fn who_wins(tally: &GameTally) -> Vec<String> {
    if tally.ended() < SMALL_SAMPLE {
        let reason = (tally.ended() > 0).then(small_sample_reason);
        return std::iter::once(small_sample_results(tally)).chain(reason).collect();
    }
    let mut sentences = Vec::new();
    if let (Some(attackers), Some(defenders), Some(drawn)) =
        (tally.wins(Side::Attackers), tally.wins(Side::Defenders), tally.drawn())
    {
        sentences.push(format!(
            "Of {} finished games, the attackers won {}, the defenders won {}, and {} % were drawn. In parentheses: \
             95 % intervals.",
            count(tally.ended()),
            percent(attackers.proportion),
            percent(defenders.proportion),
            percent_text(drawn.proportion.value, 0)
        ));
    }
    let share = tally.defenders_proportion().map(|rate| rate.proportion);
    sentences.push(match share {
        Some(share) if share.holds(0.5) => {
            "The data do not show which side is favored: the difference may be due to chance.".to_owned()
        }
        Some(share) => {
            let side = if share.value > 0.5 { Side::Defenders } else { Side::Attackers };
            format!("{} are favored in these games: the whole interval is on their side of 50 %.", the(side))
        }
        None => format!("The balance cannot be estimated: {}.", NotEstimable::NoneDecided),
    });
    sentences
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_described_in_sentences() {
        let tally = GameTally {
            games: 110,
            attackers: 54,
            defenders: 40,
            draws: 6,
            unfinished: 10,
            ..GameTally::default()
        };
        let sentences = who_wins(&tally);
        assert_eq!(
            sentences[0],
            "Of 100 finished games, the attackers won 54 % (44 % to 63 %), the defenders won 40 % (31 % to 50 %), and \
             6 % were drawn. In parentheses: 95 % intervals."
        );
        assert_eq!(
            sentences[1],
            "The data do not show which side is favored: the difference may be due to chance."
        );
    }

    #[test]
    fn a_small_proportion_of_draws_is_not_zero() {
        let tally =
            GameTally { games: 500, attackers: 250, defenders: 248, draws: 2, ..GameTally::default() };
        assert!(who_wins(&tally)[0].contains("and 0.4 % were drawn"), "{:?}", who_wins(&tally));
    }

    #[test]
    fn shared_players_may_explain_a_difference() {
        let tally = GameTally { games: 100, attackers: 38, defenders: 62, ..GameTally::default() };
        assert!(who_wins(&tally)[1].starts_with("The defenders are favored"));
        let shared = who_wins(&GameTally { design_effect: Some(4.0), ..tally });
        assert!(shared[0].contains("the attackers won 38 % (22 % to 57 %)"), "{shared:?}");
        assert!(shared[1].starts_with("The data do not show"), "{shared:?}");
    }

    #[test]
    fn small_samples_have_no_percentage() {
        let none = GameTally::default();
        assert_eq!(who_wins(&none), ["No game has finished, so the balance is unknown."]);
        let one = GameTally { games: 1, attackers: 1, ..GameTally::default() };
        let sentences = who_wins(&one);
        assert!(sentences.len() == 2 && sentences[0].starts_with("Only 1 game finished"), "{sentences:?}");
        assert!(sentences[1].contains("percentages are omitted"), "{sentences:?}");
        let drawn = GameTally { games: 1, draws: 1, ..GameTally::default() };
        assert!(who_wins(&drawn)[0].ends_with("and 1 was drawn."), "{:?}", who_wins(&drawn));
    }

    #[test]
    fn whole_numbers_have_a_sign_and_zero_has_none() {
        assert_eq!([35.4, -12.0, 0.3, -0.3, -1000.0].map(whole), ["+35", "−12", "0", "0", "−1000"]);
    }

    #[test]
    fn games_with_other_starts_are_listed_by_what_differs() {
        assert_eq!(other_starts(&OtherStarts::default()), None);
        let counts = OtherStarts { position: 5, first_mover: 1, unknown_rules: 0 };
        assert_eq!(
            other_starts(&counts).unwrap(),
            "5 games from a nonstandard start position and 1 game in which the wrong side moved first"
        );
    }

    #[test]
    fn lists_have_an_and_before_the_last_part() {
        let parts = ["a", "b", "c"].map(str::to_owned);
        assert_eq!([0, 1, 2, 3].map(|n| enumeration(&parts[..n])), ["", "a", "a and b", "a, b, and c"]);
    }

    #[test]
    fn needless_decimals_are_dropped() {
        assert_eq!([5.0, 2.5, 0.25, 100.0, 0.0].map(trimmed), ["5", "2.5", "0.25", "100", "0"]);
    }

    #[test]
    fn an_infinite_balance_is_written_in_words() {
        assert_eq!(win_ratio(&Balance::of(0, 5)), TableCell::Text("+∞ (+1.30 to +∞)".to_owned()));
        assert_eq!(win_ratio(&Balance::of(0, 0)), TableCell::Missing("no game has a winner".to_owned()));
    }
}
