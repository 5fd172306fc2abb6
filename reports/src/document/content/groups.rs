//! The balance of parts of the games: by strength, by era, and with other selections of games.

use super::words;
use crate::document::{Block, Cell, FEW, Style, Table};
use crate::measure::VariantFindings;
use crate::measure::adjusted::GameGroup;
use crate::measure::sensitivity::Sensitivity;
use crate::plot::{Axis, Chart, Forest, ForestRow, Plot};

/// Returns the blocks about the parts of the games, if there are any.
pub(super) fn blocks(variant: &VariantFindings) -> Vec<Block> {
    let mut blocks = vec![Block::Heading("Does it depend on who plays, and when?".to_owned())];
    let mut rows = Vec::new();
    let mut add = |kind: &str, groups: &[GameGroup]| {
        let named = groups.iter().map(|group| (format!("{kind}: {}", group.label), group.clone()));
        rows.extend(named);
    };
    let mut missing = Vec::new();
    match &variant.by_band {
        Ok(groups) => add("strength", groups),
        Err(why) => missing.push(format!("by strength: {why}")),
    }
    match &variant.by_era {
        Ok(groups) => add("years", groups),
        Err(why) => missing.push(format!("by year: {why}")),
    }
    if variant.by_first.len() > 1 {
        add("first move", &variant.by_first);
    }
    if !rows.is_empty() {
        blocks.push(Block::Plot(plot(&rows)));
        blocks.push(Block::Table(table(&rows)));
    }
    if !missing.is_empty() {
        blocks.push(Block::Prose(format!("Not given: {}.", missing.join("; "))));
    }
    blocks.push(Block::Heading("Does it depend on which games are counted?".to_owned()));
    blocks.push(Block::Table(sensitivity(&variant.sensitivity)));
    blocks
}

fn plot(rows: &[(String, GameGroup)]) -> Plot {
    let forest = rows.iter().map(|(label, group)| ForestRow {
        label: label.clone(),
        whisker: words::whisker_of(group.tally.attackers_share()),
        second: None,
        n: group.tally.decided(),
    });
    Plot {
        key: "groups".to_owned(),
        title: "Who wins, by part of the games".to_owned(),
        note: "Share of the attackers' wins among won games. Bars: 95 % intervals.".to_owned(),
        chart: Chart::Forest(Forest {
            axis: Axis::percent("won games that the attackers win (%)"),
            reference: Some((0.5, "even".to_owned())),
            rows: forest.collect(),
            counts: "games".to_owned(),
        }),
    }
}

fn table(rows: &[(String, GameGroup)]) -> Table {
    let mut table = Table::new("groups", "The balance of parts of the games", "games")
        .column("games", "games", Style::Count)
        .column("attackers", "attackers win of won games", Style::Percent)
        .column("signed", "signed balance", Style::Signed(2))
        .column("elo", "attackers' advantage between equals (Elo)", Style::Signed(0));
    for (label, group) in rows {
        let few = group.tally.decided() < FEW;
        let signed = if few { Cell::Missing("too few".to_owned()) } else { words::signed(&group.balance) };
        let elo = if few { Cell::Empty } else { words::maybe(group.elo) };
        table.push(
            label,
            [Cell::Count(group.tally.games), words::share(group.tally.attackers_share()), signed, elo],
        );
    }
    table
}

fn sensitivity(all: &[Sensitivity]) -> Table {
    let mut table = Table::new("sensitivity", "The balance with other games counted", "which games")
        .column("games", "games", Style::Count)
        .column("attackers", "attackers win of won games", Style::Percent)
        .column("signed", "signed balance", Style::Signed(2))
        .column(
            "difference",
            "how the games left out differ: defenders' share (points of 100)",
            Style::Signed(1),
        );
    for choice in all {
        let few = choice.tally.decided() < FEW;
        let signed = if few { Cell::Missing("too few".to_owned()) } else { words::signed(&choice.balance) };
        let difference =
            choice.excluded_difference.map(|difference| difference.value.map(|share| share * 100.0));
        table.push(
            choice.without.words(),
            [
                Cell::Count(choice.tally.games),
                words::share(choice.tally.attackers_share()),
                signed,
                words::maybe(difference),
            ],
        );
    }
    table
}
