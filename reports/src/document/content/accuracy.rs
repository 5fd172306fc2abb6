//! The accuracy report: error rates and drama of evaluated games.

use tafl_rules::Side;

use super::words::{self, games};
use crate::document::{Block, Cell, Provenance, Report, Section, Style, Table};
use crate::measure::Variant;
use crate::measure::evals::EvalFindings;
use crate::plot::{Axis, Chart, Forest, ForestRow, Plot};
use crate::stats::NotEstimable;
use crate::stats::quantile::Summary;

/// Returns the report on evaluated games; variants without evaluations are only counted.
pub fn accuracy_report(
    variants: &[(Variant, Result<EvalFindings, NotEstimable>)],
    provenance: Provenance,
) -> Report {
    let mut report = Report::new("accuracy", "How well are games played?", provenance);
    let found: Vec<(&Variant, &EvalFindings)> =
        variants.iter().filter_map(|(variant, found)| Some((variant, found.as_ref().ok()?))).collect();
    let n: u64 = found.iter().map(|(_, found)| found.games).sum();
    if found.is_empty() {
        report.summary = vec![
            "No game of the corpus was evaluated. `tafl annotate CORPUS` evaluates games; then this report has figures.".to_owned(),
        ];
        return report;
    }
    report.summary = vec![format!(
        "{} with a winner were evaluated, of {} variants. A blunder, a mistake and an inaccuracy are plies after which a player can \
         expect much less than before; docs/annotate.md has the limits.",
        games(n),
        found.len()
    )];
    report.with(found.into_iter().map(|(variant, found)| section(variant, found)))
}

fn section(variant: &Variant, found: &EvalFindings) -> Section {
    Section::new(&variant.label(), &words::title(variant)).with(blocks(found))
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
        for (side, name) in [(Side::Attackers, "attackers"), (Side::Defenders, "defenders")] {
            let rate = rates[side];
            rows.push(ForestRow {
                label: format!("{kind} of the {name}"),
                whisker: words::whisker_of(rate),
                second: None,
                n: rate.map_or(0, |rate| rate.n),
            });
        }
    }
    Plot {
        key: "errors".to_owned(),
        title: "How often each side errs".to_owned(),
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
    let mut table = Table::new("errors", "Errors of each side", "side")
        .column("blunders", "blunders", Style::Percent)
        .column("mistakes", "mistakes", Style::Percent)
        .column("inaccuracies", "inaccuracies", Style::Percent)
        .column("loss", "mean loss of a ply (points of 100)", Style::Number(2));
    for (side, name) in [(Side::Attackers, "attackers"), (Side::Defenders, "defenders")] {
        let points = |loss: &Summary| loss.mean.map(|share| share * 100.0);
        let loss = found.loss[side].as_ref().map(|loss| words::of_summary(loss, points));
        table.push(
            name,
            [
                words::share(found.blunders[side]),
                words::share(found.mistakes[side]),
                words::share(found.inaccuracies[side]),
                loss.unwrap_or_default(),
            ],
        );
    }
    table
}

fn drama(found: &EvalFindings) -> Table {
    let mut table = Table::new("drama", "How games go", "figure")
        .column("mean", "mean", Style::Number(2))
        .column("median", "median", Style::Number(2))
        .column("meaning", "what it means", Style::Text);
    let mut row = |label: &str, summary: &Option<Summary>, meaning: &str| {
        let part = |part: fn(&Summary) -> crate::stats::Estimate| {
            summary.as_ref().map_or(Cell::Empty, |all| words::of_summary(all, part))
        };
        table.push(label, [part(|all| all.mean), part(|all| all.median), Cell::text(meaning)]);
    };
    row("drama", &found.drama, "how far behind the later winner was: 0 never, 1 always lost");
    row("changes of lead", &found.lead_changes, "how often the lead changed in a game");
    row("decided after", &found.decided, "share of the game after which the winner stayed far ahead");
    table
}
