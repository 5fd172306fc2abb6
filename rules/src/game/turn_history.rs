//! The turns since the last capture, for repetition rules.

use std::collections::HashMap;

use crate::side::Side;

/// The position at the end of a turn since the last capture, as keys.
#[derive(Debug, Clone, Copy)]
pub(super) struct TurnEnd {
    pub(super) key: u64,
    /// The key of the defenders' pieces alone, if a rule needs it.
    pub(super) defenders: Option<u64>,
    /// The side that made the turn; `None` for the start.
    pub(super) by: Option<Side>,
}

impl TurnEnd {
    /// Returns the key of the defenders' pieces, unless the attackers made the turn.
    fn arrangement(&self) -> Option<u64> {
        self.defenders.filter(|_| self.by != Some(Side::Attackers))
    }
}

/// The turns since the last capture: no position before it can occur again.
#[derive(Debug, Default)]
pub(super) struct TurnHistory {
    turns: Vec<TurnEnd>,
    /// Bits of the keys in `turns`, see [`KeyFilter`].
    filter: KeyFilter,
    /// The occurrences in `turns`, kept once these are more than [`MAX_SCANNED`].
    counts: OccurrenceCounts,
    /// The keys of the positions of the chain since its last capture, with the current one; empty outside chains.
    chain: Vec<u64>,
}

/// A set of keys that may contain more keys than were added. In a typical game, positions don't recur, and then the turns need
/// not be scanned.
#[derive(Debug, Clone, Copy, Default)]
struct KeyFilter([u64; 8]);

impl KeyFilter {
    #[inline]
    fn add(&mut self, key: u64) {
        self.0[key as usize >> 6 & 7] |= 1 << (key & 63);
    }

    #[inline]
    fn may_contain(&self, key: u64) -> bool {
        self.0[key as usize >> 6 & 7] >> (key & 63) & 1 == 1
    }
}

/// The largest number of turns that are scanned for a key. Up to this number a scan is faster than a lookup in a hash table.
const MAX_SCANNED: usize = 64;

/// The number of occurrences of each position, kept in long games so that the cost of a turn does not grow.
#[derive(Debug, Clone, Default)]
struct OccurrenceCounts {
    /// The number of occurrences of each position.
    positions: HashMap<u64, u32>,
    /// The number of occurrences of each arrangement of the defenders, if a rule needs it. Turns of the attackers are not
    /// counted.
    arrangements: HashMap<u64, u32>,
    /// The number of turns counted so far.
    n_turns: usize,
}

impl TurnHistory {
    /// Returns the turns; the first one is the start or the end of a capturing turn.
    pub(super) fn turns(&self) -> &[TurnEnd] {
        &self.turns
    }

    pub(super) fn chain(&self) -> &[u64] {
        &self.chain
    }

    /// Adds a position inside a chain.
    pub(super) fn push_chain(&mut self, key: u64, is_capture: bool) {
        if is_capture {
            self.chain.clear();
        }
        self.chain.push(key);
    }

    #[inline]
    pub(super) fn end_chain(&mut self) {
        self.chain.clear();
    }

    /// Adds a turn, and returns the number of turns after which the position had its key, including this one.
    #[inline]
    pub(super) fn push(&mut self, turn: TurnEnd) -> u32 {
        self.end_chain();
        let is_new = !self.filter.may_contain(turn.key);
        self.filter.add(turn.key);
        self.turns.push(turn);
        if self.turns.len() > MAX_SCANNED {
            self.counts.add(&self.turns);
        }
        if is_new { 1 } else { self.count(turn.key) }
    }

    pub(super) fn clear(&mut self) {
        self.turns.clear();
        self.filter = KeyFilter::default();
        self.counts.clear();
        self.chain.clear();
    }

    /// Returns the number of turns after which the position had this key, including the last turn.
    #[inline]
    pub(super) fn count(&self, key: u64) -> u32 {
        if self.turns.len() <= MAX_SCANNED {
            return self.turns.iter().filter(|turn| turn.key == key).count() as u32;
        }
        self.counts.positions.get(&key).copied().unwrap_or(0)
    }

    /// Returns the number of turns after which the defenders had this arrangement; turns of the attackers are not counted.
    pub(super) fn count_arrangements(&self, key: u64) -> u32 {
        if self.turns.len() <= MAX_SCANNED {
            return self.turns.iter().filter(|turn| turn.arrangement() == Some(key)).count() as u32;
        }
        self.counts.arrangements.get(&key).copied().unwrap_or(0)
    }
}

/// A copy has room for more turns, because games are copied to try moves.
impl Clone for TurnHistory {
    fn clone(&self) -> TurnHistory {
        let mut turns = Vec::with_capacity(self.turns.len() + 4);
        turns.extend_from_slice(&self.turns);
        TurnHistory { turns, filter: self.filter, counts: self.counts.clone(), chain: self.chain.clone() }
    }
}

impl OccurrenceCounts {
    fn clear(&mut self) {
        self.positions.clear();
        self.arrangements.clear();
        self.n_turns = 0;
    }

    /// Counts the turns that have not been counted yet.
    #[cold]
    fn add(&mut self, turns: &[TurnEnd]) {
        for turn in &turns[self.n_turns..] {
            *self.positions.entry(turn.key).or_default() += 1;
            if let Some(key) = turn.arrangement() {
                *self.arrangements.entry(key).or_default() += 1;
            }
        }
        self.n_turns = turns.len();
    }
}
