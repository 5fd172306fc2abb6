//! The comparison of two selections of games.

use tafl_rules::{Side, counted, word_list};

use super::formatting::{self, in_points};
use super::sentences;
use crate::document::{Block, NumberFormat, Provenance, Report, SMALL_SAMPLE, Section, Table, TableCell};
use crate::measure::{OtherStarts, SelectionComparison};
use crate::plot::Plot;
use crate::stats::Estimate;
use crate::stats::compare::DifferenceEstimate;
use crate::stats::sequential::TestDecision;

/// Returns the report on two selections with their names.
pub fn compare_report(comparison: &SelectionComparison, names: [&str; 2], provenance: Provenance) -> Report {
    let title = format!("Comparison of {} and {}", names[0], names[1]);
    let mut report = Report::new("compare", &title, provenance);
    report.summary = summary(comparison, names);
    if comparison.first.games.min(comparison.second.games) == 0 {
        return report;
    }
    let warnings: Vec<Block> = shared(comparison)
        .into_iter()
        .chain(same_rules(comparison, names))
        .chain(not_counted(comparison, names))
        .collect();
    let section = Section::new("comparison", "Comparison")
        .with(warnings)
        .with([Block::Plot(plot(comparison, names)), Block::Table(sides(comparison, names))])
        .with([Block::Table(differences(comparison)), Block::Prose(sequential(comparison))]);
    report.with([section])
}

/// Returns the warning about games that are in both selections.
fn shared(comparison: &SelectionComparison) -> Option<Block> {
    let SelectionComparison { first, second, shared, .. } = comparison;
    if *shared == 0 {
        return None;
    }
    let which = if *shared == first.games && *shared == second.games {
        "Both selections have the same games".to_owned()
    } else {
        format!("{} in both selections", counted(*shared, "game is", "games are"))
    };
    Some(Block::Warning(format!(
        "{which}. Intervals and p-values assume selections without common games; common games make the differences smaller."
    )))
}

/// Returns the warning that the rules of both variants do not differ.
fn same_rules(comparison: &SelectionComparison, names: [&str; 2]) -> Option<Block> {
    let [one, other] = names;
    comparison.is_of_same_rules.then(|| {
        Block::Warning(format!(
            "{one} and {other} have the same rules under different names. A difference is one between players, times, or \
             sources, not between rules."
        ))
    })
}

/// Returns the sentence about a selection without games to count.
fn nothing_selected(name: &str, other_starts: &OtherStarts) -> String {
    match sentences::other_starts(other_starts) {
        None => format!(
            "{name}: no game matches this selection. Check the query and the name of the variant; `tafl info` lists the variants of \
             a corpus."
        ),
        Some(all) => format!("{name}: no game of this selection can be counted: there are only {all}."),
    }
}

fn summary(comparison: &SelectionComparison, names: [&str; 2]) -> Vec<String> {
    let tallies = [&comparison.first, &comparison.second];
    if tallies.iter().any(|tally| tally.games == 0) {
        let selections = tallies.iter().zip(names).zip(&comparison.other_starts);
        let empty = selections.filter(|((tally, _), _)| tally.games == 0);
        return empty
            .map(|((_, name), other_starts)| nothing_selected(name, other_starts))
            .chain(["There is nothing to compare.".to_owned()])
            .collect();
    }
    let mut sentences: Vec<String> = tallies
        .iter()
        .zip(names)
        .map(|(tally, name)| match tally.wins(Side::Attackers).filter(|_| tally.ended() >= SMALL_SAMPLE) {
            Some(rate) => {
                format!(
                    "{name}: the attackers won {} of {}.",
                    formatting::percent(rate.proportion),
                    counted(rate.n, "finished game", "finished games")
                )
            }
            None => format!("{name}: {}", sentences::small_sample_results(tally)),
        })
        .collect();
    if tallies.iter().any(|tally| tally.ended() < SMALL_SAMPLE) {
        sentences.push(sentences::small_sample_reason());
    }
    if tallies.iter().any(|tally| tally.decided() < SMALL_SAMPLE) {
        sentences.push("The samples are too small for a comparison.".to_owned());
        return sentences;
    }
    sentences.extend(differing(comparison, names));
    let [p_of_defenders, ..] = comparison.p_holm;
    // A significant difference is already in the sentence before.
    if let Some(DifferenceEstimate { value, .. }) = comparison.defenders
        && p_of_defenders.is_none_or(|p| p >= 0.05)
    {
        sentences.push(format!(
            "The proportion of the defenders' wins among games with a winner in {} minus that in {} is {}.",
            names[0],
            names[1],
            in_points(value)
        ));
    }
    sentences.extend(longer_games(comparison, names));
    sentences
}

/// Returns the sentence that names the selection with longer games, or says that the difference is not significant after Holm's
/// adjustment.
fn longer_games(comparison: &SelectionComparison, names: [&str; 2]) -> Option<String> {
    let superiority = comparison.lengths?.superiority;
    let [.., p] = comparison.p_holm;
    let p = p?;
    let [one, two] = comparison.plies.map(|plies| plies.map(|plies| plies.median.value));
    let (one, two) = one.zip(two)?;
    if p >= 0.05 {
        return Some(format!(
            "The data do not show whose games are longer: the medians are {one:.0} plies in {} and {two:.0} in {}.",
            names[0], names[1]
        ));
    }
    let (longer, shorter, medians, probability) = if superiority.value > 0.5 {
        (names[0], names[1], [one, two], superiority)
    } else {
        let other = |part: f64| 1.0 - part;
        let Estimate { value, low, high } = superiority;
        (names[1], names[0], [two, one], Estimate { value: other(value), low: other(high), high: other(low) })
    };
    Some(format!(
        "Games of {longer} are longer: the median is {:.0} plies, and {:.0} in {shorter}; a game of the former is longer than one of \
         the latter with a probability of {} (equal lengths count as half), {}.",
        medians[0],
        medians[1],
        formatting::percent(probability),
        formatting::p_value(p)
    ))
}

/// Returns a sentence for each measure with a significant difference after Holm's adjustment, or one for no difference. The length
/// of games is left to [`longer_games`].
fn differing(comparison: &SelectionComparison, names: [&str; 2]) -> Vec<String> {
    let proportion =
        |found: Option<DifferenceEstimate>| found.map(|found| (found.value, in_points(found.value)));
    let elo = comparison.elo.map(|found| (found.value, formatting::in_elo(found.value)));
    // In the order of `p_holm`.
    let measures = [
        ("the proportion of the defenders' wins among games with a winner", proportion(comparison.defenders)),
        ("the attackers' score", proportion(comparison.score)),
        ("the proportion of draws", proportion(comparison.draws)),
        ("the attackers' advantage between equals", elo),
    ];
    let mut sentences: Vec<String> = measures
        .into_iter()
        .zip(comparison.p_holm)
        .filter_map(|((name, difference), p)| {
            let (difference, figures) = difference?;
            let p = formatting::p_value(p.filter(|p| *p < 0.05)?);
            let direction = if difference.value > 0.0 { "higher" } else { "lower" };
            Some(format!("In {}, {name} is {direction} than in {}: {figures}, {p}.", names[0], names[1]))
        })
        .collect();
    let tested: Vec<f64> = comparison.p_holm.iter().flatten().copied().collect();
    if tested.iter().any(|p| *p < 0.05) {
        sentences.push(format!("The p-values are adjusted for {} comparisons (Holm).", tested.len()));
    } else if !tested.is_empty() {
        sentences.push(format!(
            "The data do not show a difference in any of {0} measures, adjusted for {0} comparisons (Holm).",
            tested.len()
        ));
    }
    sentences
}

/// Returns the sentences about games that are not counted.
fn not_counted(comparison: &SelectionComparison, names: [&str; 2]) -> Vec<Block> {
    let sentence = |(name, other_starts): (&str, &OtherStarts)| {
        let some = sentences::other_starts(other_starts)?;
        Some(Block::Prose(format!("Not counted in {name}: {some}.")))
    };
    names.into_iter().zip(&comparison.other_starts).filter_map(sentence).collect()
}

fn plot(comparison: &SelectionComparison, names: [&str; 2]) -> Plot {
    let tallies = [&comparison.first, &comparison.second].into_iter();
    let rows = tallies.zip(names).map(|(tally, name)| formatting::wins_row(name.to_owned(), tally));
    formatting::wins_plot("wins", "Who wins", rows.collect())
}

fn sides(comparison: &SelectionComparison, names: [&str; 2]) -> Table {
    let mut table = formatting::with_result_columns(Table::new("sides", "The two selections", "selection"))
        .column("win_ratio", "win ratio", NumberFormat::Signed(2))
        .column("elo", "attackers' advantage between equals (Elo)", NumberFormat::Signed(0))
        .column("median", "median length (plies)", NumberFormat::Number(0));
    let both = [&comparison.first, &comparison.second].into_iter().zip(&comparison.adjusted).zip(names);
    for (((tally, adjusted), name), plies) in both.zip(&comparison.plies) {
        let elo = match adjusted {
            Ok(adjusted) => formatting::estimate(adjusted.elo),
            Err(missing) => TableCell::Missing(missing.to_string()),
        };
        let win_ratio = formatting::win_ratio_of(tally, &tally.balance());
        let median = formatting::median(plies.as_ref());
        table.push(name, formatting::result_cells(tally).into_iter().chain([win_ratio, elo, median]));
    }
    table
}

fn differences(comparison: &SelectionComparison) -> Table {
    let mut table = Table::new("differences", "Differences: the first selection minus the second", "measure")
        .column("difference", "difference", NumberFormat::Signed(1))
        .column("p", "p", NumberFormat::Number(4))
        .column("controlled", "p, adjusted", NumberFormat::Number(4))
        .noted(
            "p: the probability of a difference at least this large if the selections do not differ; adjusted for the comparisons of \
             this table (Holm). Longer games: the probability that a game of the first selection is longer than one of the second, minus the probability of \
             the opposite. The tests allow for games of a selection that share players. The selections are taken as independent, even if they share players.",
        );
    let percent = |difference: Option<DifferenceEstimate>| {
        difference.map(|found| (found.value.map(|proportion| proportion * 100.0), found.p))
    };
    let plain = |difference: Option<DifferenceEstimate>| difference.map(|found| (found.value, found.p));
    // A difference like the others: 0 if neither selection has longer games.
    let lengths = comparison
        .lengths
        .map(|ranks| (ranks.superiority.map(|longer| (2.0 * longer - 1.0) * 100.0), ranks.p));
    let rows = [
        (
            "defenders' share of won games (points of 100)",
            "defenders' wins among games with a winner (percentage points)",
            percent(comparison.defenders),
        ),
        (
            "attackers' score (points of 100)",
            "attackers' score (percentage points)",
            percent(comparison.score),
        ),
        ("draws (points of 100)", "draws (percentage points)", percent(comparison.draws)),
        (
            "attackers' advantage between equals (Elo)",
            "attackers' advantage between equals (Elo)",
            plain(comparison.elo),
        ),
        ("longer games, first minus second (points of 100)", "longer games (percentage points)", lengths),
    ];
    for ((key, label, found), p_holm) in rows.into_iter().zip(comparison.p_holm) {
        let p_holm = p_holm.map_or(TableCell::Empty, TableCell::number);
        match found {
            Some((value, p)) => {
                table.push_keyed(key, label, [formatting::estimate(value), TableCell::number(p), p_holm]);
            }
            None => table.push_keyed(key, label, []),
        }
    }
    table
}

/// Returns the sentences about the sequential test and the number of games needed.
fn sequential(comparison: &SelectionComparison) -> String {
    let found = &comparison.sequential;
    let pairs = |n: u64| counted(n, "pair", "pairs");
    let too_small = format!(
        "the scores differ by less than {} percentage points, the smallest relevant difference",
        formatting::trimmed(found.min_difference * 100.0)
    );
    let test = match (found.decision, found.after) {
        (TestDecision::GoOn, _) => format!(
            "A sequential test that takes one game of each selection in turn reaches no decision after {}.",
            pairs(found.pairs)
        ),
        (TestDecision::Null | TestDecision::Alternative, after) => format!(
            "A sequential test that takes one game of each selection in turn decides{}: {}.",
            after.map_or(String::new(), |after| format!(" after {}", pairs(after))),
            match found.first_scores_more {
                Some(true) => "the attackers score more in the first selection",
                Some(false) => "the attackers score more in the second selection",
                None => &too_small,
            }
        ),
    };
    let mut sentences = vec![test];
    sentences.extend(games_needed(comparison));
    sentences.join(" ")
}

/// Returns the sentence on the number of games that distinguish proportions that differ as much as these.
fn games_needed(comparison: &SelectionComparison) -> Option<String> {
    let needed = [
        (comparison.games_needed_for_wins, "games with a winner for the defenders' wins"),
        (comparison.games_needed_for_draws, "finished games for the draws"),
    ];
    let needed: Vec<String> = needed
        .into_iter()
        .filter_map(|(games, which)| Some(format!("{} {which}", formatting::count(games?))))
        .collect();
    (!needed.is_empty()).then(|| {
        format!(
            "To distinguish proportions that differ as much as these with a power of 80 % (significance level 5 %), each selection needs \
             {}. These numbers include the design effects of shared players, for numbers of players that grow with the games.",
            word_list(&needed, "and")
        )
    })
}

#[cfg(test)]
mod tests {
    use tafl_corpus::GameResult;

    use super::super::tests::game;
    use super::*;
    use crate::measure::{CompareOptions, compare_selections};

    #[test]
    fn differences_have_a_direction_figures_and_a_p_value() {
        let selection = |defenders: usize, draws: usize| {
            let results = (0..200).map(move |at| match at {
                at if at < defenders => GameResult::Defenders,
                at if at < defenders + draws => GameResult::Draw,
                _ => GameResult::Attackers,
            });
            results.zip(0..).map(|(result, at)| game(at, None, result)).collect::<Vec<_>>()
        };
        let of = |one: &[_], other: &[_]| {
            summary(&compare_selections(one, other, &CompareOptions::default()), ["A", "B"]).join(" ")
        };
        let found = of(&selection(60, 10), &selection(160, 10));
        assert!(found.contains("A: the attackers won 65 % (58 % to 71 %) of 200 finished games."), "{found}");
        let start = "In A, the proportion of the defenders' wins among games with a winner is lower than in B: \u{2212}52.6 percentage points (";
        assert!(found.contains(start) && found.contains("), p < 0.0001."), "{found}");
        assert!(found.contains("In A, the attackers' score is higher than in B: +50.0"), "{found}");
        assert!(!found.contains("draws is"), "{found}");
        let same = of(&selection(60, 10), &selection(61, 10));
        assert!(same.contains("The data do not show a difference in any of 4 measures"), "{same}");
        assert!(
            same.contains("The proportion of the defenders' wins among games with a winner in A minus"),
            "{same}"
        );
    }
}
