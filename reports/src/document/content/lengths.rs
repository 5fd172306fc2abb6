//! The report on the lengths of games.

use tafl_rules::{Side, counted};

use super::formatting::{self, games};
use super::sentences;
use crate::document::{Block, NumberFormat, Provenance, Report, SMALL_SAMPLE, Section, Table, TableCell};
use crate::measure::lengths::{LengthBin, LengthFindings};
use crate::measure::{BalanceFindings, GameTally};
use crate::plot::{Axis, BarLayer, Bars, Chart, CurvePlot, Line, Plot, PlotCurve, Point};
use crate::stats::quantile::{MIN_FOR_MEAN, MIN_FOR_MEDIAN, Summary};
use crate::stats::survival::{Incidence, SurvivalPoint};

/// The maximum number of causes in a plot: more curves cannot be distinguished.
const MAX_CAUSES: usize = 6;

/// Returns the report on the lengths of games of all variants.
pub fn lengths_report(findings: &BalanceFindings, provenance: Provenance) -> Report {
    let mut report = Report::new("lengths", "How long do games last?", provenance);
    let variants = &findings.variants;
    if findings.total.ended() == 0 {
        report.summary = vec!["No game has finished, so the lengths are unknown.".to_owned()];
        return report;
    }
    let mut table = summaries("lengths", "Lengths of finished games", "variant");
    for variant in variants {
        push(&mut table, &formatting::title(&variant.variant), variant.lengths.all.as_ref());
    }
    report.summary = vec![format!(
        "{} of {}.",
        counted(findings.total.ended(), "finished game", "finished games"),
        counted(variants.len() as u64, "variant", "variants")
    )];
    report
        .summary
        .extend(sentences::other_starts(&findings.other_starts).map(|some| format!("Not counted: {some}.")));
    if let Some((variant, all)) =
        variants.first().and_then(|first| Some((first, first.lengths.all.as_ref()?)))
    {
        let title = formatting::title(&variant.variant);
        let which = match variants.len() {
            1 => format!("In {title}"),
            _ => format!("In the variant with the most games, {title}"),
        };
        report.summary.push(format!(
            "{which}, at least half of the games last at most {:.0} plies, and at least a quarter {:.0} or more.",
            all.median.value, all.upper_quartile
        ));
    }
    let overview = Section::new("overview", if variants.len() > 1 { "All variants" } else { "All games" })
        .with([Block::Table(table)]);
    let pages = variants.iter().filter(|variant| variant.tally.ended() > 0).map(|variant| {
        Section::new(&variant.variant.label(), &formatting::title(&variant.variant))
            .with(blocks(&variant.lengths, &variant.tally))
    });
    report.with([overview]).with(pages)
}

/// Returns the blocks about the lengths of games.
pub(super) fn blocks(lengths: &LengthFindings, tally: &GameTally) -> Vec<Block> {
    let mut blocks = Vec::new();
    if let Some(all) = &lengths.all {
        blocks.push(Block::Prose(format!(
            "At least half of the games last at most {:.0} plies, at least a quarter at most {:.0}, and at least a quarter {:.0} or \
             more. (A ply is a move by one side.)",
            all.median.value, all.lower_quartile, all.upper_quartile
        )));
    }
    if tally.ended() < SMALL_SAMPLE {
        blocks.push(Block::Warning(sentences::small_sample_results(tally)));
    }
    blocks.push(Block::Table(table(lengths)));
    let endings = lengths.by_reason.iter().map(|(ending, _)| ending);
    blocks.extend(sentences::inferred_reasons(endings).map(Block::Prose));
    if tally.ended() < SMALL_SAMPLE {
        return blocks;
    }
    blocks.push(Block::Plot(histogram(lengths)));
    if let Ok(incidence) = &lengths.by_ply {
        let names = [
            ("attackers won".to_owned(), tally.attackers),
            ("defenders won".to_owned(), tally.defenders),
            ("drawn".to_owned(), tally.draws),
        ];
        blocks.push(Block::Plot(curves("winner", "Results by ply", incidence, &names)));
    }
    if let Ok(incidence) = &lengths.by_ply_and_reason {
        let n = |cause| tally.reasons.get(cause).copied().unwrap_or_default();
        let names: Vec<(String, u64)> =
            lengths.causes.iter().take(MAX_CAUSES).map(|cause| (cause.to_string(), n(cause))).collect();
        blocks.push(Block::Plot(curves("reason", "Results and reasons by ply", incidence, &names)));
    }
    blocks
}

fn summaries(key: &str, title: &str, rows: &str) -> Table {
    Table::new(key, title, rows)
        .column("games", "games", NumberFormat::Count)
        .column("median", "median (plies)", NumberFormat::Number(0))
        .column("mean", "mean (plies)", NumberFormat::Number(1))
        .column("lower", "lower quartile", NumberFormat::Number(0))
        .column("upper", "upper quartile", NumberFormat::Number(0))
        .column("min", "shortest", NumberFormat::Number(0))
        .column("max", "longest", NumberFormat::Number(0))
        .noted(&format!("In parentheses: 95 % intervals that allow for games that share players, from {SMALL_SAMPLE} games on. \
             Medians of fewer than {MIN_FOR_MEDIAN} games, and means of fewer than {MIN_FOR_MEAN}, have none. From {SMALL_SAMPLE} games on, \
             this number is first divided by the design effect of shared players; therefore, many games of few players can have none, too."))
}

fn push(table: &mut Table, label: &str, summary: Option<&Summary>) {
    match summary {
        None => table.push(label, [TableCell::Count(0)]),
        Some(summary) => table.push(
            label,
            [
                TableCell::Count(summary.n),
                formatting::of_summary(summary, |all| all.median),
                formatting::of_summary(summary, |all| all.mean),
                TableCell::number(summary.lower_quartile),
                TableCell::number(summary.upper_quartile),
                TableCell::number(summary.min),
                TableCell::number(summary.max),
            ],
        ),
    }
}

fn table(lengths: &LengthFindings) -> Table {
    let mut table = summaries("lengths", "Lengths of finished games", "result");
    push(&mut table, "all", lengths.all.as_ref());
    push(&mut table, "attackers won", lengths.by_winner[Side::Attackers].as_ref());
    push(&mut table, "defenders won", lengths.by_winner[Side::Defenders].as_ref());
    push(&mut table, "drawn", lengths.draws.as_ref());
    for (ended, summary) in &lengths.by_reason {
        push(&mut table, &ended.to_string(), Some(summary));
    }
    if let Some(ranks) = &lengths.attackers_against_defenders {
        let proportion = ranks.superiority;
        let intervals = table.note.take().unwrap_or_default();
        table = table.noted(&format!(
            "{intervals} The probability that a game won by the attackers is longer than one won by the defenders is {}; equal lengths count \
             as half.",
            formatting::percent(proportion)
        ));
    }
    table
}

pub(super) fn histogram(lengths: &LengthFindings) -> Plot {
    let bins = &lengths.histogram;
    let mut edges: Vec<f64> = bins.iter().map(|bin| f64::from(bin.from)).collect();
    // The last class is open; it is drawn with the same width as the others.
    let width = edges.get(1).copied().unwrap_or(1.0);
    edges.extend(edges.last().map(|last| last + width));
    let layer = |label: &str, count: fn(&LengthBin) -> u64| BarLayer {
        label: label.to_owned(),
        counts: bins.iter().map(count).collect(),
    };
    let layers = vec![
        layer("attackers won", |bin| bin.attackers),
        layer("defenders won", |bin| bin.defenders),
        layer("drawn", |bin| bin.draws),
    ];
    let n: u64 = layers.iter().flat_map(|layer| &layer.counts).sum();
    Plot {
        key: "histogram".to_owned(),
        title: "Lengths of games".to_owned(),
        note: format!("{} that finished. The last bar contains all longer games.", games(n)),
        chart: Chart::Bars(Bars {
            x: Axis::from_zero("length (plies)"),
            y: Axis::from_zero("games"),
            edges,
            last_is_open: true,
            layers,
        }),
    }
}

/// The proportion of ended games after which the curves stop: the few longest games would fill most of the axis.
const SHOWN_PROPORTION: f64 = 0.99;

/// Returns the ply by which [`SHOWN_PROPORTION`] of the games that end have ended.
fn last_ply(incidence: &Incidence) -> u32 {
    let ended = |point: &SurvivalPoint| 1.0 - point.proportion.value;
    let all = incidence.lasting.last().map_or(0.0, ended);
    let reached = incidence.lasting.iter().find(|point| ended(point) >= SHOWN_PROPORTION * all);
    reached.map_or(u32::MAX, |point| point.ply)
}

/// Returns the curves of ends by ply; `names` have the names of the causes and their numbers of games.
fn curves(key: &str, title: &str, incidence: &Incidence, names: &[(String, u64)]) -> Plot {
    let last = last_ply(incidence);
    let curve = |((label, n), points): (&(String, u64), &Vec<SurvivalPoint>)| {
        let points = points.iter().filter(|point| point.ply <= last).map(|point| Point {
            x: f64::from(point.ply),
            y: point.proportion.value,
            interval: Some((point.proportion.low, point.proportion.high)),
        });
        PlotCurve { label: label.clone(), n: *n, points: points.collect() }
    };
    Plot {
        key: key.to_owned(),
        title: title.to_owned(),
        note: format!(
            "Proportions of {}, of which {} are unfinished (censored). In the legend: the number of games with this end. The axis ends \
             where {:.0} % of the games that end have ended. Bands: 95 % intervals that allow for games that share players.",
            games(incidence.n),
            formatting::count(incidence.censored),
            100.0 * SHOWN_PROPORTION
        ),
        chart: Chart::Curves(CurvePlot {
            scatter: None,
            x: Axis::from_zero("length (plies)"),
            y: Axis::percent("games ended (%)"),
            line: Line::Steps,
            reference: None,
            curves: names
                .iter()
                .zip(&incidence.causes)
                .filter(|(_, points)| !points.is_empty())
                .map(curve)
                .collect(),
        }),
    }
}
