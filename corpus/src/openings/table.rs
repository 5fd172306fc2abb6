//! The table of frequent positions of a segment, and the days and ratings of its games.
//!
//! ```text
//! file      magic "TAFLOPEN", version u32, games u32, nodes u32, children u32, then rankings, nodes, children
//! ranking   day u32 such as 20190317 (0 for none, zeros for unknown parts), rating i16 (-32768 for none), 0 u16
//! node      key u64, number of the first game setup with the same rules u32, games that ended there u32,
//!           first child u32, number of children u32, positions u32, counts; sorted by key and rules
//! child     key u64, counts; sorted by key
//! counts    games unfinished, won by attackers, won by defenders, drawn u32 each; plies of all games u64; last day u32;
//!           five rows of the best games u32 each (4294967295 for none)
//! ```
//!
//! All numbers are little endian. A node is a position under some rules. If at least [`MIN_FREQUENT`] games of the segment
//! have a position, under any rules, there is a node for each of their rules.

use std::collections::HashMap;

use tantivy::directory::OwnedBytes;

use super::counts::{GameRanking, GameRankings, N_TOP_GAMES, NO_ROW, SegmentCounts};
use super::position::QueryPosition;
use super::scan::PositionScan;
use crate::binary::{u32_at, u64_at};
use crate::error::FileFault;
use crate::id::RulesId;
use crate::move_log::MoveLog;
use crate::row::GameRow;

/// The version of the format. Readers reject other versions.
pub(crate) const OPENINGS_VERSION: u32 = 3;
/// The minimum number of games of a segment that make a position frequent. Fewer games are replayed in about 15 us.
pub(crate) const MIN_FREQUENT: u32 = 8;

const MAGIC: [u8; 8] = *b"TAFLOPEN";
const HEADER: usize = 24;
const RANKING: usize = 8;
const COUNTS: usize = 28 + 4 * N_TOP_GAMES;
const NODE: usize = 28 + COUNTS;
const CHILD: usize = 8 + COUNTS;

/// The identity of a node: a canonical key, and the number of the first game setup with the same rules. The table has this
/// order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct NodeKey {
    key: u64,
    group: u32,
}

/// A position while games are counted.
#[derive(Default)]
struct PositionCounter {
    counts: SegmentCounts,
    ended: u32,
    /// The number of plies at which games have the position.
    n_positions: u32,
    children: HashMap<u64, SegmentCounts>,
    /// The number of the last counted game plus one; 0 before the first game.
    game: u32,
    /// The moves of that game from this position.
    played: Vec<u64>,
}

struct RowRankings<'r>(&'r [GameRow]);

impl GameRankings for RowRankings<'_> {
    fn ranking(&self, row: u32) -> GameRanking {
        let row = &self.0[row as usize];
        let ratings: Vec<i32> =
            [row.attackers_rating, row.defenders_rating].into_iter().flatten().map(i32::from).collect();
        let rating = match ratings.len() as i32 {
            0 => i16::MIN,
            n => (ratings.iter().sum::<i32>() / n) as i16,
        };
        GameRanking { day: row.date.as_deref().map_or(0, day_number), rating }
    }
}

/// Returns a date as a number such as 20190317, with zeros for unknown parts.
fn day_number(date: &str) -> u32 {
    let mut parts = date.split('-').map(|part| part.parse::<u32>().unwrap_or(0));
    let mut next = |most: u32| parts.next().filter(|part| *part <= most).unwrap_or(0);
    next(9999) * 10_000 + next(12) * 100 + next(31)
}

/// Returns for each of the rules of game setups, in their order, the number of the first setup with the same rules.
fn groups<'r>(rules: impl Iterator<Item = &'r str>) -> Vec<u32> {
    let mut firsts: HashMap<&str, u32> = HashMap::new();
    (0..).zip(rules).map(|(at, rules)| *firsts.entry(rules).or_insert(at)).collect()
}

/// Returns the table of a segment. `keys` are the canonical keys of all positions in the order of the move log.
pub(crate) fn build(move_log: &MoveLog, keys: &[u64], rows: &[GameRow]) -> Vec<u8> {
    let groups = groups(move_log.game_setups().iter().map(|game_setup| &*game_setup.rules));
    let nodes = count(move_log, keys, rows, &groups);
    let mut n_games: HashMap<u64, u32> = HashMap::new();
    for (place, node) in &nodes {
        *n_games.entry(place.key).or_default() += node.counts.n_games();
    }
    let mut frequent: Vec<(&NodeKey, &PositionCounter)> =
        nodes.iter().filter(|(place, _)| n_games[&place.key] >= MIN_FREQUENT).collect();
    frequent.sort_by_key(|(place, _)| **place);
    let (mut bytes, mut children, mut n_children) = (Vec::new(), Vec::new(), 0u32);
    bytes.extend(MAGIC);
    bytes.extend(OPENINGS_VERSION.to_le_bytes());
    bytes.extend(move_log.n_games().to_le_bytes());
    bytes.extend((frequent.len() as u32).to_le_bytes());
    bytes.extend([0; 4]);
    for row in 0..move_log.n_games() {
        let ranking = RowRankings(rows).ranking(row);
        bytes.extend(ranking.day.to_le_bytes());
        bytes.extend(ranking.rating.to_le_bytes());
        bytes.extend([0; 2]);
    }
    for (NodeKey { key, group }, node) in frequent {
        bytes.extend(key.to_le_bytes());
        let n = node.children.len() as u32;
        [*group, node.ended, n_children, n, node.n_positions]
            .iter()
            .for_each(|number| bytes.extend(number.to_le_bytes()));
        write_counts(&mut bytes, &node.counts);
        n_children += n;
        let mut sorted: Vec<_> = node.children.iter().collect();
        sorted.sort_by_key(|(key, _)| **key);
        for (key, counts) in sorted {
            children.extend(key.to_le_bytes());
            write_counts(&mut children, counts);
        }
    }
    bytes[HEADER - 4..HEADER].copy_from_slice(&n_children.to_le_bytes());
    bytes.extend(children);
    bytes
}

/// Counts positions that may be frequent; all that are frequent are among them.
fn count(
    move_log: &MoveLog,
    keys: &[u64],
    rows: &[GameRow],
    groups: &[u32],
) -> HashMap<NodeKey, PositionCounter> {
    // A first pass finds the keys that can be frequent. Keys that share a slot only cost time in the second pass.
    let mask = (keys.len() * 2).next_power_of_two() as u64 - 1;
    let slot = |key: u64| (key & mask) as usize;
    let mut seen = vec![0u8; mask as usize + 1];
    let games = || {
        let mut rest = keys;
        (0..move_log.n_games()).map(move |game| {
            let entry = move_log.entry(game);
            let (own, others) = rest.split_at((entry.n_plies as usize + 1).min(rest.len()));
            rest = others;
            (game, groups.get(usize::from(entry.game_setup)).copied().unwrap_or(0), own)
        })
    };
    for (_, _, own) in games() {
        for key in own {
            let count = &mut seen[slot(*key)];
            *count = count.saturating_add(1);
        }
    }
    let rankings = RowRankings(rows);
    let mut nodes: HashMap<NodeKey, PositionCounter> = HashMap::new();
    for (game, group, own) in games() {
        let entry = move_log.entry(game);
        for (at, key) in own.iter().enumerate() {
            if u32::from(seen[slot(*key)]) < MIN_FREQUENT {
                continue;
            }
            let node = nodes.entry(NodeKey { key: *key, group }).or_default();
            node.n_positions += 1;
            if node.game != game + 1 {
                node.game = game + 1;
                node.played.clear();
                node.counts.add(game, entry.result, entry.n_plies, &rankings);
            }
            match own.get(at + 1) {
                None => node.ended += 1,
                Some(next) if node.played.contains(next) => {}
                Some(next) => {
                    node.played.push(*next);
                    let child = node.children.entry(*next).or_default();
                    child.add(game, entry.result, entry.n_plies, &rankings);
                }
            }
        }
    }
    nodes
}

fn write_counts(bytes: &mut Vec<u8>, counts: &SegmentCounts) {
    counts.results.iter().for_each(|count| bytes.extend(count.to_le_bytes()));
    bytes.extend(counts.plies.to_le_bytes());
    bytes.extend(counts.last_day.to_le_bytes());
    counts.top.iter().for_each(|row| bytes.extend(row.to_le_bytes()));
}

/// The table of a segment.
#[derive(Debug)]
pub(crate) struct OpeningTable {
    bytes: OwnedBytes,
    /// The numbers of the first game setups with each rules string, by the string without a name: rules without a name
    /// in the catalog may have several names in records.
    groups: HashMap<String, Vec<u32>>,
    /// That number for each game setup.
    of_setups: Vec<u32>,
    n_games: u32,
    n_nodes: usize,
    n_children: usize,
}

/// The occurrences of a position in a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Occurrences {
    pub(crate) n_positions: u64,
    pub(crate) n_games: u64,
}

/// A frequent position of a table.
pub(crate) struct FrequentPosition<'t> {
    table: &'t OpeningTable,
    at: usize,
}

impl OpeningTable {
    pub(crate) fn open(
        bytes: OwnedBytes,
        n_games: u32,
        rules: Vec<String>,
    ) -> Result<OpeningTable, FileFault> {
        if bytes.len() < HEADER || bytes[..8] != MAGIC {
            return Err(FileFault::Content);
        }
        let number = |at: usize| u32_at(&bytes, at);
        if number(8) != OPENINGS_VERSION {
            return Err(FileFault::OtherVersion);
        }
        if number(12) != n_games {
            return Err(FileFault::Differs("the number of games differs"));
        }
        let (n_nodes, n_children) = (number(16) as usize, number(20) as usize);
        let length = HEADER + n_games as usize * RANKING + n_nodes * NODE + n_children * CHILD;
        if bytes.len() != length {
            return Err(FileFault::Size { expected: length as u64, found: bytes.len() as u64 });
        }
        let of_setups = groups(rules.iter().map(String::as_str));
        let mut groups: HashMap<String, Vec<u32>> = HashMap::new();
        for (at, rules) in (0..).zip(&rules).filter(|(at, _)| of_setups[*at as usize] == *at) {
            groups.entry(RulesId::nameless(rules)).or_default().push(at);
        }
        Ok(OpeningTable { bytes, groups, of_setups, n_games, n_nodes, n_children })
    }

    /// Returns the numbers of the first game setups with the given rules, a rules string without a name: one number for each
    /// name that records have for these rules.
    pub(crate) fn groups(&self, rules: &str) -> &[u32] {
        self.groups.get(rules).map_or(&[], Vec::as_slice)
    }

    /// Returns whether a game setup has the rules of one of these groups.
    pub(crate) fn is_in(&self, game_setup: u16, groups: &[u32]) -> bool {
        self.of_setups.get(usize::from(game_setup)).is_some_and(|group| groups.contains(group))
    }

    /// Returns a frequent position by the number of the first game setup with its rules, and its canonical key.
    pub(crate) fn node(&self, group: u32, key: u64) -> Option<FrequentPosition<'_>> {
        let wanted = NodeKey { key, group };
        let at = self.first_from(wanted);
        (at < self.n_nodes && self.node_key(at) == wanted).then(|| self.position(at))
    }

    /// Returns the occurrences of a position under some rules, which are given by the number of a game setup; `None` if it
    /// is not frequent.
    pub(crate) fn occurrences(&self, key: u64, has_rules: impl Fn(u32) -> bool) -> Option<Occurrences> {
        let mut sum = None;
        // The nodes of a key under different rules are neighbors.
        let first = self.first_from(NodeKey { key, group: 0 });
        let nodes = (first..self.n_nodes).map(|at| (at, self.node_key(at)));
        for (at, found) in nodes.take_while(|(_, found)| found.key == key) {
            if !has_rules(found.group) {
                continue;
            }
            let node = self.position(at);
            let sum = sum.get_or_insert(Occurrences::default());
            sum.n_positions += u64::from(u32_at(&self.bytes, node.at + 24));
            sum.n_games += u64::from(self.counts(node.at + 28).n_games());
        }
        sum
    }

    /// Returns the number of the first node that is not before a key.
    fn first_from(&self, wanted: NodeKey) -> usize {
        let (mut low, mut high) = (0, self.n_nodes);
        while low < high {
            let middle = (low + high) / 2;
            if self.node_key(middle) < wanted { low = middle + 1 } else { high = middle }
        }
        low
    }

    fn node_key(&self, node: usize) -> NodeKey {
        let at = self.nodes() + node * NODE;
        NodeKey { key: u64_at(&self.bytes, at), group: u32_at(&self.bytes, at + 8) }
    }

    fn position(&self, node: usize) -> FrequentPosition<'_> {
        FrequentPosition { table: self, at: self.nodes() + node * NODE }
    }

    /// Returns the place of the first node.
    fn nodes(&self) -> usize {
        HEADER + self.n_games as usize * RANKING
    }

    fn counts(&self, at: usize) -> SegmentCounts {
        let number = |n: usize| u32_at(&self.bytes, at + 4 * n);
        let row = |n: usize| Some(number(7 + n)).filter(|row| *row < self.n_games).unwrap_or(NO_ROW);
        SegmentCounts {
            results: std::array::from_fn(number),
            plies: u64_at(&self.bytes, at + 16),
            last_day: number(6),
            top: std::array::from_fn(row),
        }
    }

    /// Returns the number of frequent positions.
    #[cfg(test)]
    pub(crate) fn n_nodes(&self) -> usize {
        self.n_nodes
    }
}

impl GameRankings for OpeningTable {
    fn ranking(&self, row: u32) -> GameRanking {
        let at = HEADER + row as usize * RANKING;
        let day = u32_at(&self.bytes, at);
        GameRanking { day, rating: i16::from_le_bytes([self.bytes[at + 4], self.bytes[at + 5]]) }
    }
}

impl FrequentPosition<'_> {
    /// Returns the counts of a query position from the table; `None` if they can be found only by replay.
    pub(crate) fn scan(&self, position: &QueryPosition) -> Option<PositionScan> {
        let FrequentPosition { table, at } = *self;
        let number = |offset: usize| u32_at(&table.bytes, at + offset) as usize;
        let mut scan = PositionScan::new(position);
        scan.ended = u32_at(&table.bytes, at + 12);
        scan.position = table.counts(at + 28);
        let first = table.nodes() + table.n_nodes * NODE;
        let (from, n) = (number(16), number(20));
        let mut has_other = false;
        for child in from..from.saturating_add(n).min(table.n_children) {
            let at = first + child * CHILD;
            let counts = table.counts(at + 8);
            match position.child(u64_at(&table.bytes, at)) {
                Some(child) => scan.children[child] = counts,
                // A game may be in both counts, but must count once.
                None if has_other => return None,
                None => (has_other, scan.other) = (true, counts.n_games()),
            }
        }
        Some(scan)
    }
}
