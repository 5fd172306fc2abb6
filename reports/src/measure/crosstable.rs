//! Tournament crosstables with tie-breaks.

use std::collections::HashMap;

use polars::prelude::{col, len};
use tafl_corpus::GameResult;

use super::frame::{self, FrameColumn};
use super::games::Games;

/// A crosstable.
#[derive(Debug, Clone, PartialEq)]
pub struct Crosstable {
    /// The lines, best first.
    pub lines: Vec<CrosstableLine>,
    /// The number of players with fewer games, who are not in the table.
    pub omitted: u64,
    /// The number of unfinished games between players of the table, which do not count.
    pub unfinished: u64,
}

/// A player in a crosstable.
#[derive(Debug, Clone, PartialEq)]
pub struct CrosstableLine {
    /// The rank, from 1; shared by players whom no tie-break separates.
    pub place: u32,
    /// The name.
    pub name: String,
    /// The number of games.
    pub games: u64,
    /// The points: 1 for a win, a half for a draw.
    pub points: f64,
    /// The points from games against players with the same number of points.
    pub direct: f64,
    /// The Sonneborn-Berger score: the points of beaten opponents, plus half the points of drawn opponents.
    pub sonneborn_berger: f64,
    /// The Buchholz score: the points of all opponents, once for each game.
    pub buchholz: f64,
    /// The number of wins.
    pub wins: u64,
    /// The points and games against each line of the table.
    pub cells: Vec<CrosstableCell>,
}

/// The result of a player against another.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CrosstableCell {
    /// The points.
    pub points: f64,
    /// The games.
    pub games: u64,
}

/// Returns the crosstable of the players with the most games, at most `most` of them.
///
/// Ties are broken by direct encounter, Sonneborn-Berger, Buchholz, and wins, in this order.
pub fn crosstable(games: &Games, most: usize) -> Crosstable {
    let found =
        frame::answer(frame::seats(&games.rows, &[]).group_by([col("player")]).agg([len().alias("n")]));
    let counts = frame::keys(&found, "player").into_iter().zip(frame::counts(&found, "n"));
    let mut chosen: Vec<(u32, u64)> = counts.filter_map(|(player, n)| Some((player?, n))).collect();
    chosen.sort_by_key(|(player, n)| (std::cmp::Reverse(*n), games.players.name(*player).to_owned()));
    let omitted = chosen.len().saturating_sub(most) as u64;
    chosen.truncate(most);
    let numbers: HashMap<u32, usize> =
        chosen.iter().enumerate().map(|(at, (player, _))| (*player, at)).collect();
    let n = chosen.len();
    let mut cells = vec![vec![CrosstableCell::default(); n]; n];
    let mut wins = vec![0; n];
    let mut unfinished = 0;
    let pairing = [FrameColumn::Attackers, FrameColumn::Defenders, FrameColumn::Result];
    let query =
        frame::facts(&games.rows, &pairing).group_by(pairing.map(FrameColumn::col)).agg([len().alias("n")]);
    let found = frame::answer(query);
    let [attackers, defenders] = ["attackers", "defenders"].map(|name| frame::keys(&found, name).into_iter());
    let ends = frame::results(&found, "result").into_iter().zip(frame::counts(&found, "n"));
    for ((attackers, defenders), (result, n)) in attackers.zip(defenders).zip(ends) {
        let at = |player: Option<u32>| player.and_then(|player| numbers.get(&player).copied());
        let (Some(one), Some(two)) = (at(attackers), at(defenders)) else { continue };
        if one == two {
            continue;
        }
        let points = match result {
            GameResult::Attackers => 1.0,
            GameResult::Draw => 0.5,
            GameResult::Defenders => 0.0,
            GameResult::Unfinished => {
                unfinished += n;
                continue;
            }
        };
        for (own, other, points) in [(one, two, points), (two, one, 1.0 - points)] {
            cells[own][other].points += points * n as f64;
            cells[own][other].games += n;
            wins[own] += if points == 1.0 { n } else { 0 };
        }
    }
    let names = chosen.iter().map(|(player, _)| games.players.name(*player).to_owned()).collect();
    Crosstable { lines: ranked(names, &cells, &wins), omitted, unfinished }
}

fn ranked(names: Vec<String>, cells: &[Vec<CrosstableCell>], wins: &[u64]) -> Vec<CrosstableLine> {
    let n = names.len();
    let points: Vec<f64> = cells.iter().map(|row| row.iter().map(|cell| cell.points).sum()).collect();
    let line = |(at, name): (usize, String)| {
        let row = &cells[at];
        let sum = |value: &dyn Fn(usize, &CrosstableCell) -> f64| -> f64 {
            row.iter().enumerate().map(|(other, cell)| value(other, cell)).sum()
        };
        CrosstableLine {
            place: 0,
            name,
            games: row.iter().map(|cell| cell.games).sum(),
            points: points[at],
            direct: sum(&|other, cell| if points[other] == points[at] { cell.points } else { 0.0 }),
            // A win counts all points of the opponent, a draw half of them: the factor is the number of
            // points in the game.
            sonneborn_berger: sum(&|other, cell| cell.points * points[other]),
            buchholz: sum(&|other, cell| cell.games as f64 * points[other]),
            wins: wins[at],
            cells: row.clone(),
        }
    };
    let lines: Vec<CrosstableLine> = names.into_iter().enumerate().map(line).collect();
    let key = |line: &CrosstableLine| {
        [line.points, line.direct, line.sonneborn_berger, line.buchholz, line.wins as f64]
    };
    let better = |one: &CrosstableLine, two: &CrosstableLine| {
        let pairs = key(two).into_iter().zip(key(one));
        pairs.map(|(two, one)| two.total_cmp(&one)).find(|order| order.is_ne())
    };
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|one, two| {
        better(&lines[*one], &lines[*two]).unwrap_or_else(|| lines[*one].name.cmp(&lines[*two].name))
    });
    let mut sorted: Vec<CrosstableLine> = Vec::with_capacity(n);
    for (rank, at) in order.iter().enumerate() {
        let mut line = lines[*at].clone();
        line.cells = order.iter().map(|other| line.cells[*other]).collect();
        let shared = sorted.last().filter(|last| better(last, &line).is_none()).map(|last| last.place);
        line.place = shared.unwrap_or(rank as u32 + 1);
        sorted.push(line);
    }
    sorted
}
