//! Tables of tournaments, with tie-breaks.

use std::collections::HashMap;

use tafl_rules::Side;

use super::games::Games;
use super::players::result;

/// A table of everybody against everybody.
#[derive(Debug, Clone, PartialEq)]
pub struct Crosstable {
    /// The lines, the best first.
    pub lines: Vec<Line>,
    /// How many players had fewer games than those of the table and were left out.
    pub left_out: u64,
    /// How many games between players of the table were not finished and count for nobody.
    pub unfinished: u64,
}

/// A player of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The place, from 1; players whom no tie-break separates share it.
    pub place: u32,
    /// The name.
    pub name: String,
    /// How many games.
    pub games: u64,
    /// The points: 1 for a win, a half for a draw.
    pub points: f64,
    /// The points from games among those with as many points.
    pub direct: f64,
    /// The points of the opponents who were beaten and half of those of the opponents who drew (Sonneborn and Berger).
    pub sonneborn_berger: f64,
    /// The points of all opponents, once for each game (Buchholz).
    pub buchholz: f64,
    /// How many games were won.
    pub wins: u64,
    /// Against each line of the table: how many points in how many games.
    pub cells: Vec<Cell>,
}

/// What a player did against another.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Cell {
    /// The points.
    pub points: f64,
    /// The games.
    pub games: u64,
}

/// Returns the table of the players with the most games, at most so many.
///
/// Ties are broken by direct encounter, by Sonneborn and Berger, by Buchholz, by wins, in this order.
pub fn crosstable(games: &Games, most: usize) -> Crosstable {
    let mut counts: HashMap<u32, u64> = HashMap::new();
    for pair in games.rows.iter().filter_map(|game| game.pair()) {
        pair.into_iter().for_each(|player| *counts.entry(player).or_default() += 1);
    }
    let mut chosen: Vec<(u32, u64)> = counts.into_iter().collect();
    chosen.sort_by_key(|(player, n)| (std::cmp::Reverse(*n), games.players.name(*player).to_owned()));
    let left_out = chosen.len().saturating_sub(most) as u64;
    chosen.truncate(most);
    let numbers: HashMap<u32, usize> =
        chosen.iter().enumerate().map(|(at, (player, _))| (*player, at)).collect();
    let n = chosen.len();
    let mut cells = vec![vec![Cell::default(); n]; n];
    let mut wins = vec![0; n];
    let mut unfinished = 0;
    for game in &games.rows {
        let Some(pair) = game.pair() else { continue };
        let [Some(one), Some(two)] = pair.map(|player| numbers.get(&player).copied()) else { continue };
        let Some(record) = result(game, Side::Attackers) else {
            unfinished += 1;
            continue;
        };
        let points = record.wins as f64 + record.draws as f64 / 2.0;
        for (own, other, points) in [(one, two, points), (two, one, 1.0 - points)] {
            cells[own][other].points += points;
            cells[own][other].games += 1;
            wins[own] += u64::from(points == 1.0);
        }
    }
    let names = chosen.iter().map(|(player, _)| games.players.name(*player).to_owned()).collect();
    Crosstable { lines: ranked(names, &cells, &wins), left_out, unfinished }
}

fn ranked(names: Vec<String>, cells: &[Vec<Cell>], wins: &[u64]) -> Vec<Line> {
    let n = names.len();
    let points: Vec<f64> = cells.iter().map(|row| row.iter().map(|cell| cell.points).sum()).collect();
    let line = |(at, name): (usize, String)| {
        let row = &cells[at];
        let sum = |value: &dyn Fn(usize, &Cell) -> f64| -> f64 {
            row.iter().enumerate().map(|(other, cell)| value(other, cell)).sum()
        };
        Line {
            place: 0,
            name,
            games: row.iter().map(|cell| cell.games).sum(),
            points: points[at],
            direct: sum(&|other, cell| if points[other] == points[at] { cell.points } else { 0.0 }),
            // A win gives all points of the opponent, a draw half of them: as many as the points of the game say.
            sonneborn_berger: sum(&|other, cell| cell.points * points[other]),
            buchholz: sum(&|other, cell| cell.games as f64 * points[other]),
            wins: wins[at],
            cells: row.clone(),
        }
    };
    let lines: Vec<Line> = names.into_iter().enumerate().map(line).collect();
    let key =
        |line: &Line| [line.points, line.direct, line.sonneborn_berger, line.buchholz, line.wins as f64];
    let better = |one: &Line, two: &Line| {
        let pairs = key(two).into_iter().zip(key(one));
        pairs.map(|(two, one)| two.total_cmp(&one)).find(|order| order.is_ne())
    };
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|one, two| {
        better(&lines[*one], &lines[*two]).unwrap_or_else(|| lines[*one].name.cmp(&lines[*two].name))
    });
    let mut sorted: Vec<Line> = Vec::with_capacity(n);
    for (rank, at) in order.iter().enumerate() {
        let mut line = lines[*at].clone();
        line.cells = order.iter().map(|other| line.cells[*other]).collect();
        let shared = sorted.last().filter(|last| better(last, &line).is_none()).map(|last| last.place);
        line.place = shared.unwrap_or(rank as u32 + 1);
        sorted.push(line);
    }
    sorted
}
