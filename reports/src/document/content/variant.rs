//! The section of a variant.

use std::collections::HashMap;

use tafl_rules::{RuleSet, Side};

use super::words::{self, between_equals, games};
use super::{accuracy, boards, groups, lengths, sources};
use crate::BoardPicture;
use crate::document::{Block, BoardBlock, Cell, FEW, Section, Style, Table};
use crate::measure::VariantFindings;
use crate::measure::boards::BoardFindings;
use crate::measure::branching::Branching;
use crate::measure::evals::EvalFindings;
use crate::measure::sources::Disagreement;
use crate::measure::tally::Tally;

/// Additional measurements of a variant, if available.
#[derive(Debug, Clone, Default)]
pub struct More {
    /// Statistics of the board.
    pub boards: Option<BoardFindings>,
    /// The branching factor.
    pub branching: Option<Branching>,
    /// The disagreement between sources.
    pub sources: Option<Disagreement>,
    /// Statistics of evaluations.
    pub evals: Option<EvalFindings>,
}

/// Additional measurements by the index of the variant.
pub type Mores = HashMap<u32, More>;

/// Returns the section of a variant: who wins, why, how certainly, and how long games last.
pub(super) fn variant_section(variant: &VariantFindings, mores: &Mores) -> Section {
    let tally = &variant.tally;
    let section = Section::new(&variant.variant.label(), &words::title(&variant.variant));
    let mut blocks: Vec<Block> = if tally.ended() < FEW {
        vec![Block::Warning(words::few_warning(tally))]
    } else {
        words::who_wins(tally, &variant.balance)
            .into_iter()
            .chain(between_equals(variant))
            .map(Block::Prose)
            .collect()
    };
    blocks.extend(left_out(variant).map(Block::Prose));
    blocks.push(Block::Table(results(tally)));
    blocks.push(Block::Table(reasons(tally)));
    if tally.ended() >= FEW {
        blocks.push(Block::Table(measures(variant)));
        blocks.extend(groups::blocks(variant));
        blocks.push(Block::Heading("How long games last".to_owned()));
        blocks.extend(lengths::blocks(&variant.lengths, tally));
    }
    if let Some(more) = mores.get(&variant.number) {
        blocks.extend(more_blocks(variant, more));
    }
    blocks.push(Block::Heading("The rules".to_owned()));
    // The board with the first moves already shows the start.
    if !blocks.iter().any(|block| matches!(block, Block::Board(board) if board.key == "first_moves")) {
        blocks.extend(start(variant));
    }
    blocks.push(Block::Prose(format!(
        "{} (number of the rules: {:016x})",
        variant.variant.rules, variant.variant.rules_id
    )));
    section.with(blocks)
}

/// Returns the blocks of additional measurements.
fn more_blocks(variant: &VariantFindings, more: &More) -> Vec<Block> {
    let mut blocks = Vec::new();
    if let Some(found) = &more.sources {
        blocks.extend(sources::blocks(found));
    }
    if let (Some(found), Ok(rules)) = (&more.boards, variant.variant.rules.parse::<RuleSet>()) {
        blocks.extend(boards::blocks(found, &rules, more.branching.as_ref()));
        blocks.push(Block::Heading("How games begin".to_owned()));
        blocks.extend(boards::openings(found, &rules));
    }
    if let Some(found) = &more.evals {
        blocks.push(Block::Heading("How well games are played".to_owned()));
        blocks.extend(accuracy::blocks(found));
    }
    blocks
}

/// Returns the start position.
fn start(variant: &VariantFindings) -> Option<Block> {
    let rules: RuleSet = variant.variant.rules.parse().ok()?;
    Some(Block::Board(Box::new(BoardBlock {
        key: "start".to_owned(),
        title: "The start".to_owned(),
        note: words::title(&variant.variant),
        picture: BoardPicture::of(&rules),
    })))
}

/// Returns the sentence about games that are not counted.
fn left_out(variant: &VariantFindings) -> Option<String> {
    let mut parts = Vec::new();
    if variant.from_elsewhere > 0 {
        parts.push(format!("{} that began at another start", games(variant.from_elsewhere)));
    }
    if variant.copies > 0 {
        parts.push(format!(
            "{} of games that are counted once",
            words::counted(variant.copies, "copy", "copies")
        ));
    }
    (!parts.is_empty()).then(|| format!("Not counted: {}.", parts.join("; ")))
}

fn results(tally: &Tally) -> Table {
    let mut table = Table::new("results", "How games ended", "result")
        .column("games", "games", Style::Count)
        .column("share", "share of those that ended", Style::Percent);
    let mut row = |label: &str, n: u64, cell: Cell| table.push(label, [Cell::Count(n), cell]);
    row("attackers won", tally.attackers, words::share(tally.wins(Side::Attackers)));
    row("defenders won", tally.defenders, words::share(tally.wins(Side::Defenders)));
    row("drawn", tally.draws, words::share(tally.drawn()));
    row("unfinished", tally.unfinished, Cell::Empty);
    table
}

fn reasons(tally: &Tally) -> Table {
    let mut table = Table::new("reasons", "Why games ended", "winner and reason")
        .column("games", "games", Style::Count)
        .column("share", "share of those that ended", Style::Percent);
    let mut all: Vec<_> =
        tally.reasons.iter().filter(|(ended, _)| ended.reason != tafl_rules::Reason::Unfinished).collect();
    all.sort_by_key(|(ended, n)| (std::cmp::Reverse(**n), **ended));
    for (ended, n) in all {
        table
            .push(&ended.words(), [Cell::Count(*n), words::share(crate::stats::Rate::of(*n, tally.ended()))]);
    }
    table
}

/// Returns the balance in all measures.
fn measures(variant: &VariantFindings) -> Table {
    let mut table = Table::new("measures", "The balance in several measures", "measure")
        .column("value", "value", Style::Signed(2))
        .column("meaning", "what it means", Style::Text)
        .noted("In parentheses: 95 % intervals.");
    let mut row = |key: &str, cell: Cell, meaning: &str| table.push(key, [cell, Cell::text(meaning)]);
    row(
        "signed balance",
        words::signed(&variant.balance),
        "wins of the favored side for each win of the other; + defenders, − attackers",
    );
    let score = match &variant.score {
        Ok(score) => words::estimate(score.map(|share| share * 100.0)),
        Err(missing) => Cell::Missing(missing.to_string()),
    };
    row("score of the attackers", score, "points of 100, a draw as a half");
    if let Some(over) = variant.over_players {
        row(
            "defenders' share over players",
            words::estimate(over.map(|share| share * 100.0)),
            "won games of 100; the interval allows for other players at the board",
        );
    }
    match &variant.adjusted {
        Ok(adjusted) => {
            row(
                "advantage between equals",
                words::estimate(adjusted.elo),
                "Elo of the attackers, strength of the players taken out",
            );
            if let Some(shrunk) = variant.shrunk {
                row(
                    "the same, leaning on all variants",
                    words::estimate(shrunk),
                    "Elo; best guess where there are few games",
                );
            }
            row("players", Cell::Text(words::count(adjusted.players)), "whose strength was estimated");
            row(
                "spread of their strength",
                Cell::Text(format!("{:.0}", adjusted.spread)),
                "Elo, standard deviation",
            );
        }
        Err(missing) => row("advantage between equals", Cell::Missing(missing.to_string()), "Elo"),
    }
    table
}
