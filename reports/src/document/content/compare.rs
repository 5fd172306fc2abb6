//! The comparison of two selections of games.

use tafl_rules::Side;

use super::formatting;
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
        format!("{} in both selections", formatting::counted(*shared, "game is", "games are"))
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
                let proportion = formatting::percent(rate.proportion);
                format!(
                    "{name}: the attackers won {proportion} of {} finished games.",
                    formatting::count(rate.n)
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
    sentences.extend(longer_games(comparison, names));
    sentences
}

/// Returns the sentence that names the selection with longer games, if the difference is significant after Holm's adjustment.
fn longer_games(comparison: &SelectionComparison, names: [&str; 2]) -> Option<String> {
    let superiority = comparison.lengths?.superiority;
    let [.., p] = comparison.p_holm;
    let [one, two] = comparison.plies.map(|plies| plies.map(|plies| plies.median.value));
    let (one, two) = one.zip(two)?;
    if p.is_none_or(|p| p >= 0.05) {
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
         the latter with a probability of {}.",
        medians[0],
        medians[1],
        formatting::percent(probability)
    ))
}

/// A measure of both selections.
struct Measure {
    /// The key for programs.
    key: &'static str,
    /// The name in the table.
    label: &'static str,
    /// The name in a sentence.
    name: &'static str,
    unit: &'static str,
    /// The first selection minus the second, in units, and the p-value.
    difference: Option<(Estimate, f64)>,
}

/// Returns the compared measures, in the order of [`SelectionComparison::p_holm`].
fn measures(comparison: &SelectionComparison) -> [Measure; 5] {
    let percent = |difference: Option<DifferenceEstimate>| {
        difference.map(|found| (found.value.map(|proportion| proportion * 100.0), found.p))
    };
    // A difference like the others: 0 if neither selection has longer games.
    let lengths = comparison
        .lengths
        .map(|ranks| (ranks.superiority.map(|longer| (2.0 * longer - 1.0) * 100.0), ranks.p));
    let of_100 = "points";
    [
        Measure {
            key: "defenders' share of won games (points of 100)",
            label: "defenders' wins among games with a winner (percentage points)",
            name: "the defenders' proportion of games with a winner",
            unit: of_100,
            difference: percent(comparison.defenders),
        },
        Measure {
            key: "attackers' score (points of 100)",
            label: "attackers' score (percentage points)",
            name: "the attackers' score",
            unit: of_100,
            difference: percent(comparison.score),
        },
        Measure {
            key: "draws (points of 100)",
            label: "draws (percentage points)",
            name: "the proportion of draws",
            unit: of_100,
            difference: percent(comparison.draws),
        },
        Measure {
            key: "attackers' advantage between equals (Elo)",
            label: "attackers' advantage between equals (Elo)",
            name: "the attackers' advantage between equals",
            unit: "Elo",
            difference: comparison.elo.map(|found| (found.value, found.p)),
        },
        Measure {
            key: "longer games, first minus second (points of 100)",
            label: "longer games (percentage points)",
            name: "the probability of a longer game",
            unit: of_100,
            difference: lengths,
        },
    ]
}

/// Returns the sentence that names the measures that differ after Holm's adjustment, or that none does.
fn differing(comparison: &SelectionComparison, names: [&str; 2]) -> Option<String> {
    let found: Vec<String> = measures(comparison)
        .into_iter()
        .zip(comparison.p_holm)
        .filter_map(|(measure, p)| {
            let (p, (Estimate { value, low, high }, _)) = (p.filter(|p| *p < 0.05)?, measure.difference?);
            let [value, low, high] = [value, low, high].map(formatting::signed_decimal);
            let (name, unit, p) = (measure.name, measure.unit, formatting::p_value(p));
            Some(format!("{name}: {value} {unit} ({low} to {high}, {p})"))
        })
        .collect();
    let tested = comparison.p_holm.iter().flatten().count();
    if tested == 0 {
        return None;
    }
    Some(if found.is_empty() {
        format!(
            "The data do not show a difference in any of {tested} measures, adjusted for {tested} comparisons (Holm)."
        )
    } else {
        format!(
            "{} minus {}, where the data show a difference: {}. (p-values are adjusted for {tested} comparisons by Holm's method.)",
            names[0],
            names[1],
            found.join("; ")
        )
    })
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
             the opposite.",
        );
    for (measure, p_holm) in measures(comparison).into_iter().zip(comparison.p_holm) {
        let p_holm = p_holm.map_or(TableCell::Empty, TableCell::number);
        let cells =
            measure.difference.map(|(value, p)| [formatting::estimate(value), TableCell::number(p), p_holm]);
        table.push_keyed(measure.key, measure.label, cells.into_iter().flatten());
    }
    table
}

/// Returns the sentence about the sequential test.
fn sequential(comparison: &SelectionComparison) -> String {
    let found = &comparison.sequential;
    let test = format!(
        "A sequential test for a difference of {} points between the scores, which takes one game of each selection in turn,",
        formatting::trimmed(found.min_difference * 100.0)
    );
    let mut sentences = match (found.decision, found.after) {
        (TestDecision::GoOn, _) => {
            format!("{test} reaches no decision after {} pairs.", formatting::count(found.pairs))
        }
        (TestDecision::Null | TestDecision::Alternative, after) => format!(
            "{test} decides{}: {}.",
            after.map_or(String::new(), |after| format!(" after {} pairs", formatting::count(after))),
            match found.first_scores_more {
                Some(true) => "the attackers score more in the first selection",
                Some(false) => "the attackers score more in the second selection",
                None => "the scores do not differ by as much as that",
            }
        ),
    };
    if let Some(needed) = comparison.needed {
        sentences += &format!(
            " To distinguish proportions that differ as much as these with a power of 80 % (significance level 5 %), {} games with a winner \
             are needed in each selection, if they share players as these games do.",
            formatting::count(needed)
        );
    }
    sentences
}
