//! Statistics of the board: the king's cells, captures, and openings.

use tafl_rules::{RuleSet, Setup, Shape, Side};

use super::words::{self, games};
use crate::BoardPicture;
use crate::board::{Heat, Zones};
use crate::document::{Block, BoardBlock, Cell, FEW, Style, Table};
use crate::measure::boards::{BoardFindings, Material, Opening};
use crate::measure::branching::Branching;
use crate::plot::{Axis, Chart, CurvePlot, Line, Plot, PlotCurve, Point};

/// The maximum number of first moves that are drawn.
const ARROWS: usize = 5;

/// Returns the blocks about the board of a variant.
pub(super) fn blocks(found: &BoardFindings, rules: &RuleSet, branching: Option<&Branching>) -> Vec<Block> {
    let mut blocks = vec![Block::Heading("On the board".to_owned())];
    if let Some(branching) = branching {
        blocks.push(Block::Prose(format!(
            "A player has {:.0} legal moves to choose from on average (between {:.0} and {:.0}).",
            branching.mean.value, branching.mean.low, branching.mean.high
        )));
    }
    let symmetry = if found.symmetries > 1 {
        "Cells that are alike by symmetry share their figures."
    } else {
        "The board has no symmetry that the rules keep."
    };
    let picture = |key: &str, title: &str, note: String, shares: &[f64]| {
        let is_empty = shares.iter().all(|share| *share <= 0.0);
        (!is_empty).then(|| {
            Block::Board(Box::new(BoardBlock {
                key: key.to_owned(),
                title: title.to_owned(),
                note,
                picture: heat(found.shape, rules, shares),
            }))
        })
    };
    let n = games(found.games);
    let king = format!("{n}. Numbers: of 100 positions, the king stood there in so many. {symmetry}");
    blocks.extend(picture("king", "Where the defenders' king stands", king, &found.king));
    let captures = format!("{n}. Numbers: of 100 captured pieces, so many fell there. {symmetry}");
    blocks.extend(picture("captures", "Where pieces fall", captures, &found.captures));
    blocks.push(Block::Table(king_table(found)));
    if !found.escapes.is_empty() {
        blocks.push(Block::Table(escapes(found)));
    }
    if found.material.len() > 1 {
        blocks.push(Block::Plot(material(&found.material)));
    }
    blocks
}

/// Returns the blocks about first moves and openings.
pub(super) fn openings(found: &BoardFindings, rules: &RuleSet) -> Vec<Block> {
    let mut blocks = Vec::new();
    if found.first_moves.is_empty() {
        return blocks;
    }
    let mut picture = BoardPicture::of(rules);
    let first = found.first_moves.iter().filter_map(|opening| opening.moves.first().copied());
    picture.marks.moves = first.take(ARROWS).collect();
    blocks.push(Block::Board(Box::new(BoardBlock {
        key: "first_moves".to_owned(),
        title: "The most frequent first moves".to_owned(),
        note: format!(
            "The first {} of the table; moves that are alike by symmetry are one. {}.",
            found.first_moves.len().min(ARROWS),
            games(found.games)
        ),
        picture,
    })));
    blocks.push(Block::Table(lines(("first_moves", "First moves"), &found.first_moves)));
    blocks.push(Block::Table(lines(("openings", "Openings"), &found.openings)));
    blocks
}

/// Returns an empty board with shares on its cells in percent; the greatest has the strongest color.
fn heat(shape: Shape, rules: &RuleSet, shares: &[f64]) -> BoardPicture {
    let mut picture = BoardPicture::new(Setup::empty(shape), Zones::of(rules));
    let most = shares.iter().copied().filter(|share| share.is_finite()).fold(f64::MIN_POSITIVE, f64::max);
    let cells = shape.cells().filter_map(|cell| Some((cell, *shares.get(cell.index())?)));
    picture.marks.heat = cells
        .filter(|(_, share)| share.is_finite() && *share > 0.0)
        .map(|(cell, share)| Heat {
            cell,
            // The square root keeps rare cells distinguishable if one cell, such as the throne, has most of
            // the counts.
            level: ((share / most).sqrt() * 100.0).round().clamp(1.0, 100.0) as u8,
            label: match share * 100.0 {
                percent if percent >= 9.95 => Some(format!("{percent:.0}")),
                percent if percent >= 0.05 => Some(format!("{percent:.1}")),
                _ => None,
            },
        })
        .collect();
    picture
}

fn king_table(found: &BoardFindings) -> Table {
    let mut table = Table::new("king", "The king on his way", "figure")
        .column("games", "games", Style::Count)
        .column("median", "median", Style::Number(0))
        .column("mean", "mean", Style::Number(1));
    let rows = [("king moves in a game", &found.king_moves), ("ply of his first move", &found.king_leaves)];
    for (label, summary) in rows {
        match summary {
            Some(summary) => table.push(
                label,
                [
                    Cell::Count(summary.n),
                    words::of_summary(summary, |all| all.median),
                    words::of_summary(summary, |all| all.mean),
                ],
            ),
            None => table.push(label, [Cell::Count(0)]),
        }
    }
    table
}

fn escapes(found: &BoardFindings) -> Table {
    let mut table = Table::new("escapes", "Where kings reach their goal", "cells")
        .column("games", "games", Style::Count)
        .column("share", "share of all escapes", Style::Percent)
        .noted("Cells that are alike by symmetry are one.");
    for escape in &found.escapes {
        let cells: Vec<String> = escape.cells.iter().map(|cell| found.shape.name(*cell)).collect();
        table.push(&cells.join(" "), [Cell::Count(escape.share.hits), words::share(Some(escape.share))]);
    }
    table
}

fn material(material: &[Material]) -> Plot {
    // With only a few remaining games, the mean jumps whenever one of them ends.
    let enough: Vec<&Material> = material.iter().filter(|at| at.games >= FEW).collect();
    let curve = |label: &str, side: Side| PlotCurve {
        label: label.to_owned(),
        n: material.first().map_or(0, |first| first.games),
        points: enough
            .iter()
            .map(|at| {
                let pieces = at.pieces[side];
                Point { x: f64::from(at.ply), y: pieces.value, interval: Some((pieces.low, pieces.high)) }
            })
            .collect(),
    };
    Plot {
        key: "material".to_owned(),
        title: "Pieces on the board".to_owned(),
        note: format!("Mean among games that go on, while there are {FEW} of them. Bands: 95 % intervals."),
        chart: Chart::Curves(CurvePlot {
            x: Axis::from_zero("plies played"),
            y: Axis::from_zero("pieces"),
            line: Line::Straight,
            reference: None,
            curves: vec![curve("attackers", Side::Attackers), curve("defenders", Side::Defenders)],
        }),
    }
}

fn lines((key, title): (&str, &str), openings: &[Opening]) -> Table {
    let mut table = Table::new(key, title, "moves")
        .column("games", "games", Style::Count)
        .column("share", "share of all games", Style::Percent)
        .column("attackers", "attackers win", Style::Percent)
        .column("defenders", "defenders win", Style::Percent)
        .column("score", "attackers' score (of 100)", Style::Number(1))
        .noted("Lines that are alike by symmetry are one. In parentheses: 95 % intervals.");
    for opening in openings {
        let few = opening.tally.ended() < FEW;
        let score = match &opening.score {
            Ok(score) if !few => words::estimate(score.map(|share| share * 100.0)),
            Ok(_) | Err(_) => Cell::Empty,
        };
        table.push(
            &opening.words,
            [
                Cell::Count(opening.share.hits),
                words::share(Some(opening.share)),
                words::share(opening.tally.wins(Side::Attackers)),
                words::share(opening.tally.wins(Side::Defenders)),
                score,
            ],
        );
    }
    table
}
