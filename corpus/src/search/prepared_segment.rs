//! The candidates of a query in a segment, and the tasks of threads that test them.

use std::ops::Range;
use std::sync::Arc;

use crate::index::NumberSet;
use crate::move_log::MoveLog;
use crate::query::{GameTruth, QueryPlan};

/// The number of games in a task of a thread.
const GAMES_PER_TASK: usize = 64;

/// The number of games in the first task. A small task often fills a page of hits.
const FIRST_GAMES: usize = 16;

/// A segment with the candidates of a query.
pub(super) struct PreparedSegment {
    /// The plans, each with the blocks of the segment that may have hits.
    pub(super) plans: Vec<(Arc<QueryPlan>, CandidateBlocks)>,
    /// The number of the plan of each game setup.
    pub(super) of_setups: Arc<[u16]>,
    /// The rows of the candidate games, in order.
    pub(super) rows: Vec<u32>,
    /// The games for which each condition of the query holds.
    pub(super) truths: Vec<Arc<NumberSet>>,
    /// The place of the first block of each game; empty if no candidates are places.
    pub(super) first_places: Arc<[u32]>,
}

/// The blocks of a segment that may have hits.
#[derive(Clone)]
pub(super) enum CandidateBlocks {
    /// All blocks of the candidate games.
    All,
    /// The blocks at a set of places in the order of the index, see [`PreparedSegment::first_places`].
    Places(Arc<NumberSet>),
    /// These blocks, in ascending order.
    List(Arc<[u32]>),
}

impl CandidateBlocks {
    /// Returns whether a block of a game may have hits; `block` is its number in the game.
    pub(super) fn has(&self, prepared: &PreparedSegment, row: u32, first: u32, block: u32) -> bool {
        match self {
            CandidateBlocks::All => true,
            CandidateBlocks::Places(places) => {
                let first = prepared.first_places.get(row as usize);
                first.is_some_and(|first| places.contains(first.saturating_add(block)))
            }
            CandidateBlocks::List(list) => list.binary_search(&first.saturating_add(block)).is_ok(),
        }
    }
}

/// The truth of the conditions of a query for a game.
pub(super) struct SegmentTruth<'p> {
    pub(super) truths: &'p [Arc<NumberSet>],
    pub(super) row: u32,
}

impl GameTruth for SegmentTruth<'_> {
    fn holds(&self, condition: usize) -> bool {
        self.truths[condition].contains(self.row)
    }
}

/// Returns the tasks for threads: slices of the rows of the candidates of a segment, in order, the first one small.
pub(super) fn tasks(
    group: Range<usize>,
    prepared: &[PreparedSegment],
) -> impl Iterator<Item = (usize, &PreparedSegment, &[u32])> + Send {
    let mut size = FIRST_GAMES;
    let mut all = group.zip(prepared).map(|(number, prepared)| (number, prepared, &prepared.rows[..]));
    let mut left = None;
    std::iter::from_fn(move || {
        loop {
            let (number, prepared, rows) = match left.take() {
                Some(left) => left,
                None => all.next()?,
            };
            if rows.is_empty() {
                continue;
            }
            let (task, after) = rows.split_at(size.min(rows.len()));
            size = GAMES_PER_TASK;
            left = Some((number, prepared, after));
            return Some((number, prepared, task));
        }
    })
}

/// Returns the rows of the games that may have hits by the plan of their own game setup, in order. A game whose setup is missing
/// is replayed, which reports that the move log is damaged.
pub(super) fn candidates(move_log: &MoveLog, candidate_games: &[NumberSet]) -> Vec<u32> {
    let mut any = NumberSet::empty(move_log.n_games());
    candidate_games.iter().for_each(|games| any.union_with(games));
    match candidate_games {
        [_] => any.iter().collect(),
        _ => {
            let may_hit = |row: &u32| {
                let games = candidate_games.get(usize::from(move_log.entry(*row).game_setup));
                games.is_none_or(|games| games.contains(*row))
            };
            any.iter().filter(may_hit).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use tafl_rules::{Facts, catalog};

    use super::*;
    use crate::move_log::{GameResult, GameSetup, MoveLogWriter};

    #[test]
    fn a_game_with_a_missing_setup_is_an_error() {
        let mut writer = MoveLogWriter::default();
        for name in ["brandubh7", "tablut-linnaeus"] {
            let rules = catalog::find(name).unwrap().rules();
            let (text, start) = (rules.to_string(), rules.start.to_string());
            let game_setup = GameSetup { rules: text, start, first: rules.first_mover };
            writer.begin(&game_setup, rules.shape(), &Facts::default());
            writer.end(GameResult::Draw);
        }
        let mut bytes = writer.finish();
        let footer = bytes.len() - 32;
        let directory = u64::from_le_bytes(bytes[footer..footer + 8].try_into().unwrap()) as usize;
        bytes[directory + 16] = 9;
        let move_log = MoveLog::from_bytes(bytes).unwrap();
        assert_eq!(candidates(&move_log, &[NumberSet::full(2), NumberSet::empty(2)]), [0]);
        assert!(move_log.cursor(0).is_err());
    }
}
