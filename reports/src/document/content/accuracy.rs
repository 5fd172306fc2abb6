//! The accuracy report: error rates and drama of evaluated games.

use tafl_rules::{Side, counted};

use super::formatting::{self, games};
use crate::document::{Block, NumberFormat, Provenance, Report, SMALL_SAMPLE, Section, Table, TableCell};
use crate::measure::PlayedVariant;
use crate::measure::evals::EvalFindings;
use crate::plot::{Axis, Chart, Forest, ForestRow, Plot};
use crate::stats::NotEstimable;
use crate::stats::quantile::{SampleCenter, Summary};

/// Returns the report on evaluated games; variants without evaluations are only counted.
pub fn accuracy_report(
    variants: &[(PlayedVariant, Result<EvalFindings, NotEstimable>)],
    provenance: Provenance,
) -> Report {
    let mut report = Report::new("accuracy", "How well are games played?", provenance);
    let found: Vec<(&PlayedVariant, &EvalFindings)> =
        variants.iter().filter_map(|(variant, found)| Some((variant, found.as_ref().ok()?))).collect();
    let n: u64 = found.iter().map(|(_, found)| found.games).sum();
    if found.is_empty() {
        report.summary =
            vec!["No game of the corpus is evaluated; `tafl annotate CORPUS` evaluates games.".to_owned()];
        return report;
    }
    report.summary = vec![format!(
        "Evaluated: {} with a winner, from {}. Inaccuracies, mistakes, and blunders are moves that lower the player's expected \
         score; docs/annotate.md gives the thresholds.",
        games(n),
        counted(found.len() as u64, "variant", "variants")
    )];
    report.with(found.into_iter().map(|(variant, found)| section(variant, found)))
}

fn section(variant: &PlayedVariant, found: &EvalFindings) -> Section {
    Section::new(&variant.label(), &formatting::title(variant)).with(blocks(found))
}

/// Returns the blocks about the evaluations of a variant.
pub(super) fn blocks(found: &EvalFindings) -> Vec<Block> {
    vec![Block::Plot(plot(found)), Block::Table(errors(found)), Block::Table(drama(found))]
}

fn plot(found: &EvalFindings) -> Plot {
    let kinds =
        [("blunders", &found.blunders), ("mistakes", &found.mistakes), ("inaccuracies", &found.inaccuracies)];
    let mut rows = Vec::new();
    for (kind, rates) in kinds {
        for side in Side::ALL {
            let rate = rates[side];
            rows.push(ForestRow {
                label: format!("{kind} of the {side}"),
                whisker: formatting::whisker_of(rate).filter(|_| found.games >= SMALL_SAMPLE),
                second: None,
                n: rate.map_or(0, |rate| rate.n),
            });
        }
    }
    Plot {
        key: "errors".to_owned(),
        title: "Error rates by side".to_owned(),
        note: format!("{}. Bars: 95 % intervals.", games(found.games)),
        chart: Chart::Forest(Forest {
            axis: Axis { range: Some((0.0, 0.05)), ..Axis::percent("plies (%)") },
            reference: None,
            rows,
            counts: "plies".to_owned(),
        }),
    }
}

fn errors(found: &EvalFindings) -> Table {
    let mut table = Table::new("errors", "Error rates and mean loss by side", "side")
        .column("blunders", "blunders", NumberFormat::Percent)
        .column("mistakes", "mistakes", NumberFormat::Percent)
        .column("inaccuracies", "inaccuracies", NumberFormat::Percent)
        .column("loss", "mean loss per ply (percentage points)", NumberFormat::PercentNumber(2))
        .noted(&format!(
            "{}. In parentheses: 95 % intervals, which allow for plies of the same game.",
            games(found.games)
        ));
    for side in Side::ALL {
        let loss = found.loss[side].map(|loss| match loss.estimate() {
            _ if found.games < SMALL_SAMPLE => formatting::small_sample(),
            Some(estimate) => formatting::estimate(estimate.map(|proportion| proportion.max(0.0))),
            None => TableCell::number(loss.value),
        });
        table.push(
            side.as_str(),
            [
                formatting::proportion_of_plies(found.blunders[side], found.games),
                formatting::proportion_of_plies(found.mistakes[side], found.games),
                formatting::proportion_of_plies(found.inaccuracies[side], found.games),
                loss.unwrap_or_default(),
            ],
        );
    }
    table
}

fn drama(found: &EvalFindings) -> Table {
    let mut table = Table::new("drama", "Course of the games", "measure")
        .column("mean", "mean", NumberFormat::Number(2))
        .column("median", "median", NumberFormat::Number(2))
        .column("meaning", "meaning", NumberFormat::Text);
    let mut row = |key: &str, label: &str, summary: &Option<Summary>, max: f64, meaning: &str| {
        let part = |part: fn(&Summary) -> SampleCenter| {
            let Some(all) = summary else { return TableCell::Empty };
            let SampleCenter { value, interval } = part(all);
            // Intervals of small samples can exceed the range of the measure.
            let within = interval.map(|found| found.map(|number| number.clamp(0.0, max)));
            within.map_or_else(|| TableCell::number(value), formatting::estimate)
        };
        table.push_keyed(
            key,
            label,
            [part(|all| all.mean), part(|all| all.median), TableCell::text(meaning)],
        );
    };
    let drama = "the mean deficit of the later winner: 0 if never behind, 1 if always lost";
    row("drama", "drama", &found.drama, 1.0, drama);
    let changes = "the number of lead changes in a game";
    row("changes of lead", "lead changes", &found.lead_changes, f64::MAX, changes);
    let decided = "the proportion of the game after which the winner's expected score stayed at 80 % or more";
    row("decided after", "decided after", &found.decided, 1.0, decided);
    table
}

#[cfg(test)]
mod tests {
    use tafl_rules::BySide;

    use super::*;
    use crate::stats::RatioOfSums;

    #[test]
    fn the_mean_loss_of_few_games_is_not_shown() {
        let cell = |games: u64| {
            let losses: Vec<(f64, f64)> = (0..games).map(|at| (0.5 + at as f64 / 100.0, 20.0)).collect();
            let loss = RatioOfSums::of(&losses);
            let found = EvalFindings {
                games,
                drama: None,
                lead_changes: None,
                decided: None,
                blunders: BySide::default(),
                mistakes: BySide::default(),
                inaccuracies: BySide::default(),
                loss: BySide { attackers: loss, defenders: loss },
            };
            errors(&found).rows[0].cells[3].clone()
        };
        for games in [1, 2, 29] {
            assert_eq!(cell(games), formatting::small_sample(), "{games}");
        }
        assert!(cell(30).interval().is_some());
    }
}
