//! Depth-first proof-number search for one goal: that one side wins.
//!
//! See Nagai, "Df-pn algorithm for searching AND/OR trees" (2002). Sums over children are replaced by the greatest
//! number plus one for each other child (Ueda's weak numbers), because in these games many ways lead to the same
//! position and would be counted many times. A child is left later than its rival demands, by a quarter (1 + epsilon).

use std::time::Instant;

use tafl_rules::position::Position;
use tafl_rules::rulebook::Rulebook;
use tafl_rules::{Move, Side};

use super::heuristic;
use super::keys::Keys;
use super::path_history::PathHistory;
use super::proof_table::{INFINITE, ProofNumbers, ProofTable};
use crate::limits::Limits;

/// Paths longer than this are given up.
const LONGEST_PATH: usize = 400;

/// The clock is read after so many positions.
const CHECK_EVERY: u64 = 1 << 12;

/// A position after a move, and what is known of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Child<const N: usize> {
    pub(super) mv: Move,
    pub(super) pos: Position<N>,
    pub(super) key: u64,
    pub(super) value: ProofNumbers,
    /// Whether the move ended the game.
    pub(super) is_end: bool,
}

/// Which moves of a position are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ChildScope {
    /// All of them.
    All,
    /// Those up to the first that settles the position.
    UntilSettled,
}

/// What a goal is searched with: a bound of plies, or none.
pub(super) const NO_BOUND: u16 = u16::MAX;

/// The search for one goal. It can be stopped and goes on where it was, from its table.
#[derive(Debug)]
pub(super) struct GoalSearch<'b, const N: usize> {
    pub(super) book: &'b Rulebook<N>,
    /// The side that is to win.
    pub(super) goal: Side,
    pub(super) keys: Keys,
    pub(super) past: PathHistory,
    pub(super) table: ProofTable,
    pub(super) nodes: u64,
    /// The search stops when it has looked at so many positions.
    pub(super) until: u64,
    pub(super) limits: Limits,
    pub(super) started: Instant,
    pub(super) is_stopped: bool,
    /// The first position.
    pub(super) root: Position<N>,
    /// Moves that rules about repetition forbid there.
    pub(super) forbidden: Vec<Move>,
    /// The keys of the positions on the way.
    pub(super) path: Vec<u64>,
    /// How often the low bits of a key stand on the way, to rule positions out quickly.
    pub(super) marks: Vec<u8>,
    /// Lists of children for use again.
    pub(super) spare: Vec<Vec<Child<N>>>,
}

impl<const N: usize> GoalSearch<'_, N> {
    /// Searches on from a position until it is settled or a limit is reached.
    pub(super) fn run(&mut self, pos: &Position<N>, bound: u16) -> ProofNumbers {
        let key = self.key(pos, bound);
        if let Some(value) = self.table.get(key)
            && value.is_settled()
        {
            return value;
        }
        self.visit(pos, key, bound, (INFINITE, INFINITE))
    }

    /// Searches a position without asking what the table says of it.
    pub(super) fn again(&mut self, pos: &Position<N>, bound: u16) {
        let key = self.key(pos, bound);
        self.visit(pos, key, bound, (INFINITE, INFINITE));
    }

    /// Returns the key under which a position is kept when so many plies are left.
    #[inline]
    pub(super) fn key(&self, pos: &Position<N>, bound: u16) -> u64 {
        let key = self.keys.key(pos);
        if bound == NO_BOUND { key } else { key ^ u64::from(bound + 1).wrapping_mul(0xd6e8_feb8_6659_fd93) }
    }

    /// Searches below a position until its numbers reach one of the thresholds, and keeps what it found.
    fn visit(
        &mut self,
        pos: &Position<N>,
        key: u64,
        bound: u16,
        (most_pn, most_dn): (u32, u32),
    ) -> ProofNumbers {
        let before = self.nodes;
        let is_or = pos.to_move() == self.goal;
        let mut children = self.spare.pop().unwrap_or_default();
        self.children(pos, bound, ChildScope::UntilSettled, &mut children);
        self.enter(key);
        let value = loop {
            let found = tally(&children, is_or);
            if found.value.is_settled()
                || found.value.pn >= most_pn
                || found.value.dn >= most_dn
                || self.is_stopped
            {
                break found.value;
            }
            let thresholds = found.thresholds(&children, is_or, (most_pn, most_dn));
            let child = children[found.best];
            let left = if bound == NO_BOUND { NO_BOUND } else { bound - 1 };
            children[found.best].value = self.visit(&child.pos, child.key, left, thresholds);
        };
        self.leave(key);
        children.clear();
        self.spare.push(children);
        self.table.put(key, value, self.nodes - before);
        value
    }

    /// Makes moves and looks up what is known of the positions after them.
    pub(super) fn children(
        &mut self,
        pos: &Position<N>,
        bound: u16,
        scope: ChildScope,
        children: &mut Vec<Child<N>>,
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

    pub(super) fn child(&mut self, pos: &Position<N>, mv: Move, bound: u16) -> Child<N> {
        self.count_node();
        let mover = pos.to_move();
        let mut next = *pos;
        let effects = self.book.play(&mut next, mv);
        let mut child = Child { mv, pos: next, key: 0, value: ProofNumbers::DISPROVEN, is_end: true };
        let came_back = || match self.past.end(next.key(), mover) {
            Some(_) if effects.captured.any() => None,
            found => found,
        };
        let ended = effects.outcome.or_else(|| if self.past.is_empty() { None } else { came_back() });
        if let Some(outcome) = ended {
            if outcome.winner == Some(self.goal) {
                child.value = ProofNumbers::proven(0);
            }
            return child;
        }
        child.is_end = false;
        let left = if bound == NO_BOUND { NO_BOUND } else { bound - 1 };
        child.value = self.known(&next, left, &mut child.key);
        child
    }

    /// Returns what is known of a position in which the game goes on.
    fn known(&self, pos: &Position<N>, bound: u16, key: &mut u64) -> ProofNumbers {
        if bound == 0 {
            return ProofNumbers::DISPROVEN;
        }
        *key = self.key(pos, bound);
        if let Some(value) = self.table.get(*key)
            && value.is_settled()
        {
            return value;
        }
        if let Some(_run) = heuristic::win_at_once(self.book, pos) {
            return if pos.to_move() == self.goal {
                ProofNumbers::proven(1)
            } else {
                ProofNumbers::DISPROVEN
            };
        }
        if self.is_on_path(*key) || self.path.len() >= LONGEST_PATH {
            return ProofNumbers::CYCLE;
        }
        self.table.get(*key).unwrap_or_else(|| heuristic::estimate(self.book, pos, self.goal))
    }

    /// Returns whether the time is up or somebody stopped the search.
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

    fn enter(&mut self, key: u64) {
        let mark = self.mark(key);
        self.marks[mark] = self.marks[mark].saturating_add(1);
        self.path.push(key);
    }

    fn leave(&mut self, key: u64) {
        self.path.pop();
        let mark = self.mark(key);
        // A mark at its most stays: it only costs time.
        if self.marks[mark] < u8::MAX {
            self.marks[mark] -= 1;
        }
    }

    #[inline]
    fn mark(&self, key: u64) -> usize {
        key as usize & (self.marks.len() - 1)
    }

    #[inline]
    fn is_on_path(&self, key: u64) -> bool {
        self.marks[self.mark(key)] != 0 && self.path.contains(&key)
    }
}

/// What the children of a position make of it.
struct Tally {
    value: ProofNumbers,
    /// The child to search next.
    best: usize,
    /// The number of the best child that is minimized, and of its best rival.
    rival: u32,
    /// How many other children add to the sum.
    others: u32,
}

/// Returns the numbers of a position from those of its children.
///
/// In a position where the goal's side moves, the proof number is the least of the children and the disproof number their
/// sum; in others it is the other way round.
fn tally<const N: usize>(children: &[Child<N>], is_or: bool) -> Tally {
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
        // Nobody has a move and nobody has won: nothing can be reached from here.
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
    Tally { value, best, rival, others }
}

impl Tally {
    /// Returns how far to search the best child before another one is better.
    fn thresholds<const N: usize>(
        &self,
        children: &[Child<N>],
        is_or: bool,
        (most_pn, most_dn): (u32, u32),
    ) -> (u32, u32) {
        let best = children[self.best].value;
        let (most_least, most_sum) = if is_or { (most_pn, most_dn) } else { (most_dn, most_pn) };
        let slack = self.rival.saturating_add(self.rival / 4).saturating_add(1);
        let least = most_least.min(slack);
        let sum = if most_sum >= INFINITE { INFINITE } else { most_sum.saturating_sub(self.others) };
        // A child whose sum is not the greatest may grow up to it; it must grow by one in any case.
        let own = if is_or { best.dn } else { best.pn };
        let sum = sum.max(own.saturating_add(1)).min(INFINITE);
        if is_or { (least, sum) } else { (sum, least) }
    }
}
