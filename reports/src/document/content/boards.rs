//! Statistics of the board: the king's cells, captures, and openings.

use tafl_rules::{RuleSet, Side, counted};

use super::formatting::{self, games};
use crate::BoardPicture;
use crate::document::{Block, BoardBlock, NumberFormat, SMALL_SAMPLE, Table, TableCell};
use crate::measure::LineScore;
use crate::measure::boards::{BoardFindings, MaterialPoint, OpeningLine, UnlistedGames};
use crate::measure::branching::BranchingFindings;
use crate::plot::{Axis, Chart, CurvePlot, Line, Plot, PlotCurve, Point};
use crate::stats::{Estimate, NotEstimable};

/// The maximum number of first moves that are drawn.
const MAX_ARROWS: usize = 5;

/// Returns the blocks about the board of a variant.
pub(super) fn blocks(
    found: &BoardFindings,
    rules: &RuleSet,
    branching: Option<&BranchingFindings>,
) -> Vec<Block> {
    let mut blocks = vec![Block::Heading("On the board".to_owned())];
    if let Some(branching) = branching {
        let interval =
            branching.mean.interval.map(|found| format!(" ({:.1} to {:.1})", found.low, found.high));
        blocks.push(Block::Prose(format!(
            "On average, a player has {:.1} legal moves{}.",
            branching.mean.value,
            interval.unwrap_or_default()
        )));
    }
    let symmetry =
        if found.symmetries > 1 { "Symmetric cells are averaged." } else { "The rules have no symmetry." };
    let picture = |key: &str, title: &str, note: String, proportions: &[f64]| {
        let is_empty = proportions.iter().all(|proportion| *proportion <= 0.0);
        (!is_empty).then(|| {
            Block::Board(Box::new(BoardBlock {
                key: key.to_owned(),
                title: title.to_owned(),
                note,
                picture: BoardPicture::heat_map(rules, proportions),
            }))
        })
    };
    let n = games(found.games);
    let king = format!("{n}. Percentage of positions with the king on the cell. {symmetry}");
    blocks.extend(picture("king", "Positions of the defenders' king", king, &found.king));
    let captures = format!("{n}. Percentage of captures on the cell. {symmetry}");
    blocks.extend(picture("captures", "Where pieces are captured", captures, &found.captures));
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
    if !found.first_moves.is_empty() {
        let mut picture = BoardPicture::of(rules);
        let first = found.first_moves.iter().filter_map(|opening| opening.moves.first().copied());
        picture.marks.moves = first.take(MAX_ARROWS).collect();
        blocks.push(Block::Board(Box::new(BoardBlock {
            key: "first_moves".to_owned(),
            title: "The most frequent first moves".to_owned(),
            note: format!(
                "The first {} of the table, with symmetric moves combined. {}.",
                found.first_moves.len().min(MAX_ARROWS),
                games(found.games)
            ),
            picture,
        })));
    }
    blocks.extend(unexpected_lines(found).map(Block::Prose));
    let (listed, others) = (&found.first_moves, &found.other_first_moves);
    blocks.push(Block::Table(lines("first_moves", "First moves", "first move", listed, others)));
    let (listed, others) = (&found.openings, &found.other_openings);
    blocks.push(Block::Table(lines("openings", "Openings", "opening", listed, others)));
    blocks
}

fn king_table(found: &BoardFindings) -> Table {
    let mut table = Table::new("king", "Moves of the king", "measure")
        .column("games", "games", NumberFormat::Count)
        .column("median", "median", NumberFormat::Number(0))
        .column("mean", "mean", NumberFormat::Number(1));
    let rows = [
        ("king moves in a game", "king moves per game", &found.king_moves),
        ("ply of his first move", "ply of the king's first move", &found.king_leaves),
    ];
    for (key, label, summary) in rows {
        match summary {
            Some(summary) => table.push_keyed(
                key,
                label,
                [
                    TableCell::Count(summary.n),
                    formatting::of_summary(summary, |all| all.median),
                    formatting::of_summary(summary, |all| all.mean),
                ],
            ),
            None => table.push_keyed(key, label, [TableCell::Count(0)]),
        }
    }
    table
}

fn escapes(found: &BoardFindings) -> Table {
    let mut table = Table::new("escapes", "Where kings escape", "cells")
        .column("games", "games", NumberFormat::Count)
        .column("share", "proportion of all escapes", NumberFormat::Percent)
        .noted("Symmetric cells are combined.");
    for escape in &found.escapes {
        let cells: Vec<String> = escape.cells.iter().map(|cell| found.shape.name(*cell)).collect();
        table.push(
            &cells.join(" "),
            [TableCell::Count(escape.proportion.hits), formatting::proportion(Some(escape.proportion))],
        );
    }
    table
}

fn material(material: &[MaterialPoint]) -> Plot {
    let n = material.first().map_or(0, |first| first.games);
    // With only a few remaining games, the mean jumps whenever one of them ends, and the longest games would fill most
    // of the axis.
    let min_games = n.div_ceil(100).max(SMALL_SAMPLE);
    let enough: Vec<&MaterialPoint> = material.iter().filter(|at| at.games >= min_games).collect();
    let curve = |label: &str, side: Side| PlotCurve {
        label: label.to_owned(),
        n,
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
        note: format!(
            "Mean over games still in progress, if there are at least {}. Bands: 95 % intervals that allow for games that share players, from {SMALL_SAMPLE} games on.",
            formatting::count(min_games)
        ),
        chart: Chart::Curves(CurvePlot {
            scatter: None,
            x: Axis::from_zero("plies played"),
            y: Axis::from_zero("pieces"),
            line: Line::Straight,
            reference: None,
            curves: vec![curve("attackers", Side::Attackers), curve("defenders", Side::Defenders)],
        }),
    }
}

/// Returns the table of lines, with the games that have none of them in the last rows, so that its numbers of games add up.
fn lines(key: &str, title: &str, noun: &str, openings: &[OpeningLine], others: &UnlistedGames) -> Table {
    let mut table = Table::new(key, title, "moves")
        .column("games", "games", NumberFormat::Count)
        .column("share", "proportion of all games", NumberFormat::Percent)
        .column("attackers", "attackers win", NumberFormat::Percent)
        .column("defenders", "defenders win", NumberFormat::Percent)
        .column("score", "attackers' score (%)", NumberFormat::PercentNumber(1))
        .column(
            "adjusted",
            "attackers' score minus the expected one (points)",
            NumberFormat::SignedPercent(1),
        )
        .column("p_fdr", "p of this difference (FDR)", NumberFormat::Number(3))
        .noted(
            "Symmetric lines are combined, and the rows add up to all games. In parentheses: 95 % intervals. Expected: by the strengths and side skills of the players \
             and the advantage of the attackers over all games of the variant. FDR: adjusted for the number of first moves and \
             openings; of the lines below 0.05, at most 5 % are expected to be wrong. Few players: a few of them have most of the games, so there is no \
             interval, and the result may be due to them rather than to the line.",
        );
    for opening in openings {
        let is_small = opening.tally.ended() < SMALL_SAMPLE;
        // With few players, no interval can allow for the games that they share.
        let has_few_players = opening.adjusted == Err(NotEstimable::SamePlayers);
        let score = match &opening.score {
            Ok(score) if !is_small && !has_few_players => formatting::estimate(*score),
            Ok(_) | Err(_) => TableCell::Empty,
        };
        let of_wins = |side: Side| match opening.tally.wins(side) {
            Some(rate) if has_few_players => TableCell::Missing(format!(
                "{} of {} (few players)",
                formatting::count(rate.hits),
                formatting::count(rate.n)
            )),
            rate => formatting::proportion(rate),
        };
        let [adjusted, p] = match &opening.adjusted {
            _ if is_small => [TableCell::Empty, TableCell::Empty],
            Ok(adjusted) => {
                [formatting::estimate(adjusted.difference.value), TableCell::number(adjusted.p_fdr)]
            }
            Err(NotEstimable::SamePlayers) => {
                [TableCell::Missing("few players".to_owned()), TableCell::Empty]
            }
            Err(NotEstimable::TooFew { .. }) => [formatting::small_sample(), TableCell::Empty],
            Err(missing) => [TableCell::Missing(missing.to_string()), TableCell::Empty],
        };
        table.push(
            &opening.moves_text,
            [
                TableCell::Count(opening.proportion.hits),
                formatting::proportion(Some(opening.proportion)),
                of_wins(Side::Attackers),
                of_wins(Side::Defenders),
                score,
                adjusted,
                p,
            ],
        );
    }
    let other_lines = counted(others.lines, &format!("other {noun}"), &format!("other {noun}s"));
    let too_short = match others.plies {
        1 => "no move".to_owned(),
        plies => format!("fewer than {plies} plies"),
    };
    for (key, label, rate) in
        [("other", other_lines, others.other_lines), ("too_short", too_short, others.too_short)]
    {
        if let Some(rate) = rate {
            table.push_keyed(key, &label, [TableCell::Count(rate.hits), formatting::proportion(Some(rate))]);
        }
    }
    table
}

/// Returns the sentence about the lines whose results differ from the expected ones; `None` if no line could be tested.
fn unexpected_lines(found: &BoardFindings) -> Option<String> {
    let lines = || found.first_moves.iter().chain(&found.openings);
    let tested = lines().filter(|line| line.adjusted.is_ok()).count();
    let differing: Vec<(&OpeningLine, &LineScore)> = lines()
        .filter_map(|line| {
            Some((line, line.adjusted.as_ref().ok().filter(|adjusted| adjusted.p_fdr < 0.05)?))
        })
        .collect();
    let one = |(line, adjusted): &(&OpeningLine, &LineScore)| {
        let Estimate { value, low, high } = adjusted.difference.value.map(|proportion| proportion * 100.0);
        let [value, low, high] = [value, low, high].map(formatting::signed_integer);
        format!("{} ({value} points, {low} to {high})", line.moves_text)
    };
    match (tested, differing.as_slice()) {
        (0, _) => None,
        (n, []) => Some(format!(
            "Allowing for the strengths of the players, the attackers' score differs significantly from the expected one after none \
             of {} (FDR).",
            counted(n as u64, "line", "lines")
        )),
        (n, some) => Some(format!(
            "Allowing for the strengths of the players, the attackers' score differs significantly from the expected one after {} of \
             {} (FDR): {}.",
            some.len(),
            counted(n as u64, "line", "lines"),
            some.iter().map(one).collect::<Vec<_>>().join("; ")
        )),
    }
}

#[cfg(test)]
mod tests {
    use tafl_rules::BySide;

    use super::*;

    #[test]
    fn the_curves_of_pieces_end_where_one_percent_of_the_games_remains() {
        let point = |ply: u32, games: u64| MaterialPoint {
            ply,
            games,
            pieces: BySide::from_fn(|_| Estimate { value: 10.0, low: 9.0, high: 11.0 }),
        };
        let last = |points: &[MaterialPoint]| match material(points).chart {
            Chart::Curves(curves) => curves.curves[0].points.last().map(|point| point.x),
            _ => None,
        };
        assert_eq!(last(&[point(0, 9000), point(5, 90), point(10, 89), point(200, 30)]), Some(5.0));
        assert_eq!(last(&[point(0, 100), point(5, 30), point(10, 29)]), Some(5.0));
    }
}
