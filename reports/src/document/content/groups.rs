//! The balance of parts of the games: by strength, by era, and with other selections of games.

use tafl_rules::counted;

use super::formatting;
use crate::document::{Block, NumberFormat, SMALL_SAMPLE, Table, TableCell};
use crate::measure::VariantFindings;
use crate::measure::adjusted::AdvantageTrend;
use crate::measure::groups::GameGroup;
use crate::measure::sensitivity::{Exclusion, Sensitivity};
use crate::plot::{Axis, Chart, CurvePlot, Line, Plot, PlotCurve, Point};
use crate::stats::{Estimate, NotEstimable, elo};

/// Returns the blocks about the parts of the games, if there are any.
pub(super) fn blocks(variant: &VariantFindings) -> Vec<Block> {
    let mut blocks = vec![Block::Heading("Does the balance depend on who plays, and when?".to_owned())];
    let mut rows = Vec::new();
    let mut add = |kind: &str, groups: &[GameGroup]| {
        let named = groups.iter().map(|group| (format!("{kind}: {}", group.label), group.clone()));
        rows.extend(named);
    };
    blocks.extend(advantage_curve(variant).map(Block::Plot));
    let mut missing = Vec::new();
    match &variant.by_band {
        Ok(groups) => add("strength", groups),
        Err(why) => missing.push(format!("The balance by strength cannot be estimated: {why}.")),
    }
    match &variant.by_era {
        Ok(groups) => add("years", groups),
        Err(why) => missing.push(format!("The balance by year cannot be estimated: {why}.")),
    }
    if variant.by_first.len() > 1 {
        add("first move", &variant.by_first);
    }
    if !rows.is_empty() {
        blocks.push(Block::Plot(plot(&rows)));
        blocks.push(Block::Table(table(&rows, &left_out(variant))));
    }
    blocks.extend(missing.into_iter().map(Block::Prose));
    blocks.push(Block::Heading("Does the balance depend on which games are counted?".to_owned()));
    blocks.push(Block::Table(sensitivity(&variant.sensitivity)));
    blocks
}

/// Returns the plot of the advantage over strength, if it can be estimated.
pub(super) fn advantage_curve(variant: &VariantFindings) -> Option<Plot> {
    let trend = variant.trend.as_ref().ok()?;
    Some(curve(trend, variant.by_band.as_deref().unwrap_or_default()))
}

/// Returns the plot of the advantage over strength: the line with its band, and the bands of strength as points.
fn curve(trend: &AdvantageTrend, bands: &[GameGroup]) -> Plot {
    let [low, _, high] = trend.strengths;
    let line = (0..=STEPS).map(|step| {
        let strength = low + (high - low) * f64::from(step) / f64::from(STEPS);
        point(elo(strength), trend.at(strength))
    });
    let mut curves =
        vec![PlotCurve { label: "all games, as a line".to_owned(), n: trend.games, points: line.collect() }];
    let bands: Vec<Point> = bands.iter().filter_map(|band| Some(point(band.strength?, band.elo?))).collect();
    if bands.len() > 1 {
        curves.push(PlotCurve { label: "each band of strength".to_owned(), n: trend.games, points: bands });
    }
    Plot {
        key: "advantage_by_strength".to_owned(),
        title: "Advantage between equals, by strength".to_owned(),
        note: "The attackers' advantage in Elo between two players of the same strength, where 0 is the mean player. Shaded: \
               95 % intervals at each strength. The line covers the middle 80 % of the games by mean strength."
            .to_owned(),
        chart: Chart::Curves(CurvePlot {
            scatter: None,
            x: Axis::signed("mean strength of both players (Elo)"),
            y: Axis::signed("attackers' advantage (Elo)"),
            line: Line::Straight,
            reference: Some((0.0, "even".to_owned())),
            curves,
        }),
    }
}

/// The number of straight pieces of the line, whose band is curved.
const STEPS: u32 = 40;

fn point(x: f64, estimate: Estimate) -> Point {
    Point { x, y: estimate.value, interval: Some((estimate.low, estimate.high)) }
}

fn plot(rows: &[(String, GameGroup)]) -> Plot {
    let rows = rows.iter().map(|(label, group)| formatting::wins_row(label.clone(), &group.tally));
    formatting::wins_plot("groups", "Who wins, by group of games", rows.collect())
}

/// Returns the sentences on games that are in no group.
fn left_out(variant: &VariantFindings) -> String {
    let outside = |groups: &[GameGroup]| {
        variant.tally.games
            - groups.iter().map(|group| group.tally.games).sum::<u64>().min(variant.tally.games)
    };
    let kinds = [
        (&variant.by_band, "of strength", "unfinished, or without two named players"),
        (&variant.by_era, "of years", "the year is not known"),
    ];
    let sentence = |(groups, kind, reason): (&Result<Vec<GameGroup>, NotEstimable>, &str, &str)| {
        let n = groups.as_deref().map_or(0, outside);
        (n > 0).then(|| {
            let are = counted(n, "game is", "games are");
            format!(" {are} in no group {kind}: {reason}.")
        })
    };
    kinds.into_iter().filter_map(sentence).collect()
}

fn table(rows: &[(String, GameGroup)], left_out: &str) -> Table {
    let mut table = Table::new("groups", "Balance by group of games", "group")
        .column("games", "games", NumberFormat::Count)
        .column("decided", "games with a winner", NumberFormat::Count)
        .column("attackers", "attackers' wins (of games with a winner)", NumberFormat::Percent)
        .column("win_ratio", "win ratio", NumberFormat::Signed(2))
        .column("elo", "attackers' advantage between equals (Elo)", NumberFormat::Signed(0))
        .noted(&format!(
            "Strength: the mean of both players in Elo, where 0 is the mean player (not the mean game). The bands are cut at equal parts \
             of the games; games of the same mean are in the same band.{left_out}"
        ));
    for (label, group) in rows {
        let is_small = group.tally.decided() < SMALL_SAMPLE;
        let elo = if is_small { TableCell::Empty } else { formatting::estimate_or_empty(group.elo) };
        table.push(
            label,
            [
                TableCell::Count(group.tally.games),
                TableCell::Count(group.tally.decided()),
                formatting::proportion(group.tally.attackers_proportion()),
                formatting::win_ratio_of(&group.tally, &group.balance),
                elo,
            ],
        );
    }
    table
}

fn sensitivity(all: &[Sensitivity]) -> Table {
    let mut table = Table::new("sensitivity", "Balance under other selections of games", "selection")
        .column("games", "games", NumberFormat::Count)
        .column("excluded", "excluded games", NumberFormat::Count)
        .column("decided", "games with a winner", NumberFormat::Count)
        .column("attackers", "attackers' wins (of games with a winner)", NumberFormat::Percent)
        .column("win_ratio", "win ratio", NumberFormat::Signed(2))
        .column(
            "difference",
            "defenders' wins in the excluded games minus those in the others (percentage points)",
            NumberFormat::SignedPercent(1),
        )
        .noted(
            "A selection by how games ended is also one by who won them, so its balance is not that of games without timeouts or \
             resignations. First game of each pair on the same sides: two players can have two games, one with each side; games without \
             two names are kept.",
        );
    let n_games = all.iter().map(|choice| choice.tally.games).max().unwrap_or(0);
    for choice in all {
        let excluded = n_games - choice.tally.games;
        let difference = match choice.excluded_difference {
            Some(difference) => formatting::estimate(difference.value),
            None if excluded == 0 => TableCell::Empty,
            None => formatting::small_sample(),
        };
        // The keys are those of the first version of the JSON form.
        let key = match choice.without {
            Exclusion::Rematches => "first game of each pairing",
            other => other.as_str(),
        };
        table.push_keyed(
            key,
            choice.without.as_str(),
            [
                TableCell::Count(choice.tally.games),
                TableCell::Count(excluded),
                TableCell::Count(choice.tally.decided()),
                formatting::proportion(choice.tally.attackers_proportion()),
                formatting::win_ratio_of(&choice.tally, &choice.balance),
                difference,
            ],
        );
    }
    table
}
