//! Depth-first proof-number search (df-pn) for one goal: a win of one side.
//!
//! See Nagai, "Df-pn algorithm for searching AND/OR trees" (2002). Sums over children are replaced
//! by the maximum plus one for each other child (Ueda's weak proof numbers), because many move
//! orders lead to the same position, which would be counted many times. The threshold of a child
//! exceeds its rival's number by a quarter (1 + epsilon), which reduces switching between children.

use tafl_rules::{Move, Position, Rulebook, Side};

use super::heuristic;
use super::keys::CanonicalKeys;
use super::path_history::PathHistory;
use super::proof_table::{INFINITE, ProofNumbers, ProofTable};
use crate::limits::{Instant, Limits};

/// The maximum length of a path. It bounds the recursion, for which `stack.rs` reserves memory; longer lines count as
/// cycles, which prove nothing.
const MAX_PATH: usize = 400;

/// The number of nodes between checks of the clock.
const CHECK_EVERY: u64 = 1 << 12;

/// A position after a move, with its value.
#[derive(Debug, Clone, Copy)]
pub(super) struct ProofChild<const N: usize> {
    pub(super) mv: Move,
    pub(super) pos: Position<N>,
    pub(super) key: u64,
    pub(super) value: ProofNumbers,
    /// Whether the move ended the game.
    pub(super) is_end: bool,
}

/// The moves of a position that are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ChildScope {
    /// All moves.
    All,
    /// The moves up to and including the first one that settles the position.
    UntilSettled,
}

/// The bound of a search without a limit on plies.
pub(super) const NO_BOUND: u16 = u16::MAX;

/// The search for one goal. It can be stopped and resumed, as its table is kept.
#[derive(Debug)]
pub(super) struct GoalSearch<'b, const N: usize> {
    pub(super) book: &'b Rulebook<N>,
    /// The side whose win is searched for.
    pub(super) goal: Side,
    pub(super) keys: CanonicalKeys,
    pub(super) history: PathHistory,
    pub(super) table: ProofTable,
    pub(super) nodes: u64,
    /// The number of nodes at which the search stops.
    pub(super) until: u64,
    pub(super) limits: Limits,
    pub(super) started: Instant,
    pub(super) is_stopped: bool,
    /// The root position.
    pub(super) root: Position<N>,
    /// The moves forbidden by repetition rules in the root position.
    pub(super) forbidden: Vec<Move>,
    /// The keys of the positions on the current path.
    pub(super) path: Vec<u64>,
    /// The number of keys on the current path for each value of their low bits: a filter that
    /// quickly excludes most positions.
    pub(super) path_filter: Vec<u8>,
    /// Buffers for lists of children.
    pub(super) buffers: Vec<Vec<ProofChild<N>>>,
}

/// The proof and disproof numbers at which the search below a position ends.
#[derive(Debug, Clone, Copy)]
struct ProofThresholds {
    pn: u32,
    dn: u32,
}

impl ProofThresholds {
    /// The thresholds of a search until the position is settled.
    const INFINITE: ProofThresholds = ProofThresholds { pn: INFINITE, dn: INFINITE };
}

impl<const N: usize> GoalSearch<'_, N> {
    /// Continues the search of a position until it is settled or a limit is reached.
    pub(super) fn run(&mut self, pos: &Position<N>, bound: u16) -> ProofNumbers {
        let key = self.key(pos, bound);
        if let Some(value) = self.table.get(key)
            && value.is_settled()
        {
            return value;
        }
        self.visit(pos, key, bound, ProofThresholds::INFINITE)
    }

    /// Searches a position even if the table has a settled value for it.
    pub(super) fn search_again(&mut self, pos: &Position<N>, bound: u16) {
        let key = self.key(pos, bound);
        self.visit(pos, key, bound, ProofThresholds::INFINITE);
    }

    /// Returns the key of a position with a number of plies left.
    #[inline]
    pub(super) fn key(&self, pos: &Position<N>, bound: u16) -> u64 {
        let key = self.keys.key(pos);
        if bound == NO_BOUND { key } else { key ^ u64::from(bound + 1).wrapping_mul(0xd6e8_feb8_6659_fd93) }
    }

    /// Searches below a position until its numbers reach one of the thresholds, and stores its
    /// value.
    fn visit(
        &mut self,
        pos: &Position<N>,
        key: u64,
        bound: u16,
        thresholds: ProofThresholds,
    ) -> ProofNumbers {
        let before = self.nodes;
        let is_or = pos.to_move() == self.goal;
        let mut children = self.buffers.pop().unwrap_or_default();
        self.children(pos, bound, ChildScope::UntilSettled, &mut children);
        self.push_path(key);
        let value = loop {
            let found = summarize(&children, is_or);
            if found.value.is_settled()
                || found.value.pn >= thresholds.pn
                || found.value.dn >= thresholds.dn
                || self.is_stopped
            {
                break found.value;
            }
            let of_child = found.thresholds(&children, is_or, thresholds);
            let child = children[found.best];
            let left = if bound == NO_BOUND { NO_BOUND } else { bound - 1 };
            children[found.best].value = self.visit(&child.pos, child.key, left, of_child);
        };
        self.pop_path(key);
        children.clear();
        self.buffers.push(children);
        self.table.put(key, value, self.nodes - before);
        value
    }

    /// Makes the moves of a position and looks up the values of the positions after them.
    pub(super) fn children(
        &mut self,
        pos: &Position<N>,
        bound: u16,
        scope: ChildScope,
        children: &mut Vec<ProofChild<N>>,
    ) {
        let is_or = pos.to_move() == self.goal;
        let book = self.book;
        let is_first = !self.forbidden.is_empty() && *pos == self.root;
        for mv in book.moves(pos) {
            if is_first && self.forbidden.contains(&mv) {
                continue;
            }
            let child = self.child(pos, mv, bound);
            let settles = if is_or { child.value.is_proven() } else { child.value.is_disproven() };
            children.push(child);
            if settles && scope == ChildScope::UntilSettled {
                return;
            }
        }
    }

    pub(super) fn child(&mut self, pos: &Position<N>, mv: Move, bound: u16) -> ProofChild<N> {
        self.count_node();
        let mover = pos.to_move();
        let mut next = *pos;
        let effects = self.book.play(&mut next, mv);
        let mut child = ProofChild { mv, pos: next, key: 0, value: ProofNumbers::DISPROVEN, is_end: true };
        let repetition_outcome = || match self.history.end(next.key(), mover) {
            Some(_) if effects.captured.any() => None,
            found => found,
        };
        let ended =
            effects.outcome.or_else(|| if self.history.is_empty() { None } else { repetition_outcome() });
        if let Some(outcome) = ended {
            if outcome.winner == Some(self.goal) {
                child.value = ProofNumbers::proven(0);
            }
            return child;
        }
        child.is_end = false;
        let left = if bound == NO_BOUND { NO_BOUND } else { bound - 1 };
        child.value = self.lookup(&next, left, &mut child.key);
        child
    }

    /// Returns the value of a position in which the game continues.
    fn lookup(&self, pos: &Position<N>, bound: u16, key: &mut u64) -> ProofNumbers {
        if bound == 0 {
            return ProofNumbers::DISPROVEN;
        }
        *key = self.key(pos, bound);
        if let Some(value) = self.table.get(*key)
            && value.is_settled()
        {
            return value;
        }
        if heuristic::immediate_win(self.book, pos).is_some() {
            return if pos.to_move() == self.goal {
                ProofNumbers::proven(1)
            } else {
                ProofNumbers::DISPROVEN
            };
        }
        if self.is_on_path(*key) || self.path.len() >= MAX_PATH {
            return ProofNumbers::CYCLE;
        }
        self.table.get(*key).unwrap_or_else(|| heuristic::estimate(self.book, pos, self.goal))
    }

    /// Returns whether the time is over or the search was stopped.
    pub(super) fn is_over_time(&self) -> bool {
        self.limits.is_over(self.started)
    }

    #[inline]
    fn count_node(&mut self) {
        self.nodes += 1;
        if self.nodes >= self.until {
            self.is_stopped = true;
        }
        if self.nodes.is_multiple_of(CHECK_EVERY) {
            self.is_stopped |= self.is_over_time();
        }
    }

    fn push_path(&mut self, key: u64) {
        let filter_index = self.filter_index(key);
        self.path_filter[filter_index] = self.path_filter[filter_index].saturating_add(1);
        self.path.push(key);
    }

    fn pop_path(&mut self, key: u64) {
        self.path.pop();
        let filter_index = self.filter_index(key);
        // A saturated counter is never decreased. This only makes the filter less effective.
        if self.path_filter[filter_index] < u8::MAX {
            self.path_filter[filter_index] -= 1;
        }
    }

    #[inline]
    fn filter_index(&self, key: u64) -> usize {
        key as usize & (self.path_filter.len() - 1)
    }

    #[inline]
    fn is_on_path(&self, key: u64) -> bool {
        self.path_filter[self.filter_index(key)] != 0 && self.path.contains(&key)
    }
}

/// The values of a position's children, combined.
struct ChildSummary {
    value: ProofNumbers,
    /// The child to search next.
    best: usize,
    /// The minimized number of the second-best child.
    rival: u32,
    /// The number of other children that contribute to the sum.
    others: u32,
}

/// Returns the numbers of a position, computed from those of its children.
///
/// If the goal's side is to move, the proof number is the minimum over the children and the
/// disproof number is their sum; otherwise the reverse.
fn summarize<const N: usize>(children: &[ProofChild<N>], is_or: bool) -> ChildSummary {
    let (mut least, mut rival, mut best) = (INFINITE, INFINITE, 0);
    let (mut greatest, mut summed) = (0, 0u32);
    let (mut path_dependent, mut plies, mut best_path_dependent) = (false, 0, false);
    for (at, child) in children.iter().enumerate() {
        let value = child.value;
        let (minimized, sum) = if is_or { (value.pn, value.dn) } else { (value.dn, value.pn) };
        if minimized < least || (minimized == 0 && is_or && value.plies < children[best].value.plies) {
            (rival, least, best) = (least, minimized, at);
            best_path_dependent = value.path_dependent;
        } else {
            rival = rival.min(minimized);
        }
        if sum > 0 {
            greatest = greatest.max(sum);
            summed += 1;
        } else {
            path_dependent |= value.path_dependent;
            plies = plies.max(value.plies);
        }
    }
    let others = summed.saturating_sub(1);
    let total = if greatest >= INFINITE { INFINITE } else { (greatest + others).min(INFINITE - 1) };
    let value = match (is_or, children.is_empty()) {
        // The side to move has no move and the game has no winner, so the goal cannot be reached.
        (_, true) => ProofNumbers::DISPROVEN,
        (true, false) if least == 0 => ProofNumbers::proven(children[best].value.plies + 1),
        (true, false) if total == 0 => ProofNumbers { path_dependent, ..ProofNumbers::DISPROVEN },
        (true, false) => ProofNumbers::open(least, total),
        (false, false) if least == 0 => {
            ProofNumbers { path_dependent: best_path_dependent, ..ProofNumbers::DISPROVEN }
        }
        (false, false) if total == 0 => ProofNumbers::proven(plies + 1),
        (false, false) => ProofNumbers::open(total, least),
    };
    ChildSummary { value, best, rival, others }
}

impl ChildSummary {
    /// Returns the thresholds up to which the best child is searched before another one becomes
    /// better.
    fn thresholds<const N: usize>(
        &self,
        children: &[ProofChild<N>],
        is_or: bool,
        ProofThresholds { pn, dn }: ProofThresholds,
    ) -> ProofThresholds {
        let best = children[self.best].value;
        let (max_min, max_sum) = if is_or { (pn, dn) } else { (dn, pn) };
        let slack = self.rival.saturating_add(self.rival / 4).saturating_add(1);
        let least = max_min.min(slack);
        let sum = if max_sum >= INFINITE { INFINITE } else { max_sum.saturating_sub(self.others) };
        // If the child's sum is not the maximum, it may grow up to the maximum; in any case it must
        // be able to grow by one.
        let own = if is_or { best.dn } else { best.pn };
        let sum = sum.max(own.saturating_add(1)).min(INFINITE);
        let (pn, dn) = if is_or { (least, sum) } else { (sum, least) };
        ProofThresholds { pn, dn }
    }
}
