//! Tournament crosstables with tie-breaks.

use std::collections::{BTreeMap, HashMap, HashSet};

use polars::prelude::{col, len};
use tafl_corpus::{GameResult, Result};
use tafl_rules::Side;

use super::frame::{self, FrameColumn};
use super::games::{GameFacts, Games};
use super::tie_break::{TieBreak, TieBreakSource, TieBreakValue, rank};
use super::win_length::{WinMeter, shortest_win};

/// A crosstable.
#[derive(Debug, Clone, PartialEq)]
pub struct Crosstable {
    /// The tie-breaks, the most important one first.
    pub tie_breaks: Vec<TieBreak>,
    /// The lines, best first.
    pub lines: Vec<CrosstableLine>,
    /// The number of players with fewer games, who are not in the table.
    pub omitted: u64,
    /// The number of unfinished games between players of the table, which do not count.
    pub unfinished: u64,
    /// Whether the lines have cells. If no number of players was requested, tables of more than 30 players have none.
    pub has_cells: bool,
}

/// The most players whose results against each other are a readable table, also on paper.
pub(crate) const MAX_COLUMNS: usize = 30;

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
    /// The values of the tie-breaks; [`TieBreakValue::Unused`] for those that were not applied.
    pub tie_breaks: Vec<TieBreakValue>,
    /// Whether the place is shared only because the solver could not determine the length of a win.
    pub is_undecided: bool,
    /// The points and games against each line of the table; empty if the table has no cells.
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

/// The players of a crosstable, and the order of its tie-breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrosstableOptions {
    /// The maximum number of players: those with the most games; `None` for all players.
    pub max_players: Option<usize>,
    /// The tie-breaks, the most important one first; repeated ones are ignored.
    pub tie_breaks: Vec<TieBreak>,
}

impl Default for CrosstableOptions {
    fn default() -> CrosstableOptions {
        CrosstableOptions { max_players: None, tie_breaks: TieBreak::DEFAULT.to_vec() }
    }
}

/// Returns the crosstable of the players with the most games. `meter` measures wins that were cut short, if the
/// shortest win is among the tie-breaks.
///
/// # Errors
///
/// Returns the path of a damaged file.
pub fn crosstable(
    games: &Games,
    options: &CrosstableOptions,
    meter: &mut dyn WinMeter,
) -> Result<Crosstable> {
    let mut tie_breaks: Vec<TieBreak> = Vec::new();
    for by in &options.tie_breaks {
        if !tie_breaks.contains(by) {
            tie_breaks.push(*by);
        }
    }
    let (mut chosen, mut omitted) = most_frequent(games, options.max_players.unwrap_or(usize::MAX));
    let mut table = PairTable::of(games, &chosen);
    if omitted > 0 && table.rows.iter().any(|row| !row.is_empty()) {
        // Players who have met none of the others would share the last place with no games.
        let mut own = table.rows.iter().map(|row| !row.is_empty());
        let before = chosen.len();
        chosen.retain(|_| own.next().is_some_and(|has_games| has_games));
        omitted += (before - chosen.len()) as u64;
        table = PairTable::of(games, &chosen);
    }
    let points: Vec<f64> = table.rows.iter().map(|row| row.values().map(|cell| cell.points).sum()).collect();
    let names: Vec<&str> = chosen.iter().map(|player| games.players.name(*player)).collect();
    let mut values = TableValues { games: &games.rows, table: &table, points: &points, meter };
    let mut ranking = rank(&points, &tie_breaks, &mut values)?;
    for class in &mut ranking.classes {
        class.sort_by_key(|player| names[*player]);
    }
    let order: Vec<usize> = ranking.classes.iter().flatten().copied().collect();
    let has_cells = options.max_players.is_some() || order.len() <= MAX_COLUMNS;
    let cells = |at: usize| -> Vec<CrosstableCell> {
        let row = &table.rows[at];
        let others = order.iter().filter(|_| has_cells);
        others.map(|other| row.get(other).copied().unwrap_or_default()).collect()
    };
    let mut lines = Vec::with_capacity(order.len());
    for class in &ranking.classes {
        let place = lines.len() as u32 + 1;
        lines.extend(class.iter().map(|at| CrosstableLine {
            place,
            name: names[*at].to_owned(),
            games: table.rows[*at].values().map(|cell| cell.games).sum(),
            points: points[*at],
            tie_breaks: std::mem::take(&mut ranking.values[*at]),
            is_undecided: ranking.undecided.binary_search(at).is_ok(),
            cells: cells(*at),
        }));
    }
    Ok(Crosstable { tie_breaks, lines, omitted, unfinished: table.unfinished, has_cells })
}

/// Returns the players with the most games, and the number of other players.
fn most_frequent(games: &Games, max_players: usize) -> (Vec<u32>, u64) {
    let found =
        frame::answer(frame::game_sides(&games.rows, &[]).group_by([col("player")]).agg([len().alias("n")]));
    let counts = frame::keys(&found, "player").into_iter().zip(frame::counts(&found, "n"));
    let mut chosen: Vec<(u32, u64)> = counts.filter_map(|(player, n)| Some((player?, n))).collect();
    chosen.sort_by_key(|(player, n)| (std::cmp::Reverse(*n), games.players.name(*player).to_owned()));
    let omitted = chosen.len().saturating_sub(max_players) as u64;
    chosen.truncate(max_players);
    (chosen.into_iter().map(|(player, _)| player).collect(), omitted)
}

/// The points of each player against each other.
struct PairTable {
    /// The line of each player, by the index in [`Games::players`].
    numbers: HashMap<u32, usize>,
    /// The results of each player against those whom the player met.
    rows: Vec<BTreeMap<usize, CrosstableCell>>,
    wins: Vec<u64>,
    unfinished: u64,
}

impl PairTable {
    fn of(games: &Games, players: &[u32]) -> PairTable {
        let n = players.len();
        let mut table = PairTable {
            numbers: players.iter().enumerate().map(|(at, player)| (*player, at)).collect(),
            rows: vec![BTreeMap::new(); n],
            wins: vec![0; n],
            unfinished: 0,
        };
        let pairing = [FrameColumn::Attackers, FrameColumn::Defenders, FrameColumn::Result];
        let query = frame::facts(&games.rows, &pairing)
            .group_by(pairing.map(FrameColumn::col))
            .agg([len().alias("n")]);
        let found = frame::answer(query);
        let [attackers, defenders] =
            ["attackers", "defenders"].map(|name| frame::keys(&found, name).into_iter());
        let ends = frame::results(&found, "result").into_iter().zip(frame::counts(&found, "n"));
        for ((attackers, defenders), (result, n)) in attackers.zip(defenders).zip(ends) {
            let Some([one, two]) = table.pair(attackers, defenders) else { continue };
            let points = match result {
                GameResult::Attackers => 1.0,
                GameResult::Draw => 0.5,
                GameResult::Defenders => 0.0,
                GameResult::Unfinished => {
                    table.unfinished += n;
                    continue;
                }
            };
            for (own, other, points) in [(one, two, points), (two, one, 1.0 - points)] {
                let cell = table.rows[own].entry(other).or_default();
                cell.points += points * n as f64;
                cell.games += n;
                table.wins[own] += if points == 1.0 { n } else { 0 };
            }
        }
        table
    }

    /// Returns the lines of two players, if both are in the table and different.
    fn pair(&self, attackers: Option<u32>, defenders: Option<u32>) -> Option<[usize; 2]> {
        let one = *self.numbers.get(&attackers?)?;
        let two = *self.numbers.get(&defenders?)?;
        (one != two).then_some([one, two])
    }
}

/// The values of tie-breaks in a table.
struct TableValues<'t> {
    games: &'t [GameFacts],
    table: &'t PairTable,
    points: &'t [f64],
    meter: &'t mut dyn WinMeter,
}

impl TableValues<'_> {
    /// Returns a sum over the opponents of a player.
    fn sum(&self, player: usize, value: impl Fn(usize, &CrosstableCell) -> f64) -> TieBreakValue {
        let row = self.table.rows[player].iter();
        TieBreakValue::Points(row.map(|(other, cell)| value(*other, cell)).sum())
    }

    /// Returns the games that a player won against others of the table, with the side.
    fn wins(&self, player: usize) -> Vec<(GameFacts, Side)> {
        let won = |game: &&GameFacts| {
            let [attackers, defenders] =
                self.table.pair(game.player(Side::Attackers), game.player(Side::Defenders))?;
            match game.winner()? {
                Side::Attackers => (attackers == player).then_some(Side::Attackers),
                Side::Defenders => (defenders == player).then_some(Side::Defenders),
            }
        };
        self.games.iter().filter_map(|game| Some((*game, won(&game)?))).collect()
    }
}

impl TieBreakSource for TableValues<'_> {
    type Error = tafl_corpus::CorpusError;

    fn values(&mut self, by: TieBreak, tied: &[usize]) -> Result<Vec<TieBreakValue>> {
        let points = self.points;
        Ok(match by {
            TieBreak::Direct => {
                let among: HashSet<usize> = tied.iter().copied().collect();
                let direct = |player: &usize| {
                    self.sum(*player, |other, cell| if among.contains(&other) { cell.points } else { 0.0 })
                };
                tied.iter().map(direct).collect()
            }
            // A win counts all points of the opponent, a draw half of them: the factor is the number of
            // points in the game.
            TieBreak::SonnebornBerger => tied
                .iter()
                .map(|player| self.sum(*player, |other, cell| cell.points * points[other]))
                .collect(),
            TieBreak::Buchholz => tied
                .iter()
                .map(|player| self.sum(*player, |other, cell| cell.games as f64 * points[other]))
                .collect(),
            TieBreak::Wins => {
                tied.iter().map(|player| TieBreakValue::Points(self.table.wins[*player] as f64)).collect()
            }
            TieBreak::ShortestWin => {
                let mut values = Vec::with_capacity(tied.len());
                for player in tied {
                    let wins = self.wins(*player);
                    values.push(TieBreakValue::Length(shortest_win(&wins, self.meter)?));
                }
                values
            }
        })
    }
}

#[cfg(test)]
mod tests;
