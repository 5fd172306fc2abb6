//! The search state of one thread, shared by the steps of the search.

use std::sync::atomic::{AtomicBool, Ordering};

use tafl_rules::{BySide, Move, Outcome, Position, Rulebook, Side};

use super::params::{CHECK_EVERY, Params};
use super::path_rules::PathRules;
use super::repetition::RepetitionResult;
use super::thread::{StackEntry, ThreadState};
use crate::eval::Evaluator;
use crate::facts::{NodeFacts, NodeKings};
use crate::limits::{Instant, Limits};
use crate::score::{Score, SearchWindow};
use crate::solver::tablebase::Tablebases;
use crate::table::TranspositionTable;

/// The kind of a node in the search tree.
pub(super) trait NodeKind {
    /// Whether its exact score matters, rather than only a bound.
    const PV: bool;
    /// Whether it is the root.
    const ROOT: bool;
    /// The kind of its first child.
    type Next: NodeKind;
}

pub(super) struct Root;
pub(super) struct Pv;
pub(super) struct NonPv;

impl NodeKind for Root {
    const PV: bool = true;
    const ROOT: bool = true;
    type Next = Pv;
}
impl NodeKind for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
    type Next = Pv;
}
impl NodeKind for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
    type Next = NonPv;
}

/// The search state of one thread.
#[derive(Debug)]
pub(super) struct SearchWorker<'e, const N: usize> {
    pub(super) book: &'e Rulebook<N>,
    pub(super) eval: &'e Evaluator<N>,
    pub(super) params: Params,
    pub(super) table: &'e TranspositionTable,
    pub(super) tablebases: Option<&'e Tablebases>,
    pub(super) limits: &'e Limits,
    pub(super) repetition: BySide<RepetitionResult>,
    /// Whether only noisy moves can stop a king with an open line to a goal.
    pub(super) escapes_need_block: bool,
    /// The table of late move reductions, by depth and move number.
    pub(super) reductions: &'e [[u8; 64]],
    /// The histories and the stack, which outlive the search.
    pub(super) thread: &'e mut ThreadState<N>,
    /// The keys of the positions since the last capture: those of the game, followed by those of
    /// the current path.
    pub(super) path: Vec<u64>,
    pub(super) path_rules: &'e PathRules,
    /// The keys of the defenders' arrangements that count: those of the game, followed by those of the current path.
    pub(super) configurations: Vec<u64>,
    pub(super) nodes: u64,
    pub(super) started: Instant,
    pub(super) is_stopped: bool,
    /// Whether this thread obeys the limits. Helper threads only obey `halt`, which the main thread
    /// sets.
    pub(super) is_main: bool,
    pub(super) halt: &'e AtomicBool,
    /// The root moves that are not searched: the first moves of better lines, and moves forbidden
    /// by repetition rules.
    pub(super) multipv_excluded: Vec<Move>,
    /// Whether declining a chain at the root is not searched, because a better line begins with it.
    pub(super) excludes_declining: bool,
    pub(super) root_depth: i32,
    /// The best move of the previous iteration.
    pub(super) root_tt_move: Option<Move>,
    /// The score of the best root move in the current iteration.
    pub(super) root_score: Option<Score>,
}

/// The data of a node for the search of its moves.
pub(super) struct MoveLoop<'p, const N: usize> {
    pub(super) depth: i32,
    /// The TT move, which is searched first.
    pub(super) tt_move: Option<Move>,
    /// The static evaluation; only nodes without a threat to evade need it.
    pub(super) static_eval: Option<Score>,
    /// Whether the enemy king escapes unless this side prevents it.
    pub(super) must_evade: bool,
    /// Whether a limit of plies may end the game within the depth.
    pub(super) is_near_limit: bool,
    pub(super) facts: &'p NodeFacts<N>,
}

/// The best of the moves searched so far.
#[derive(Debug, Clone, Copy)]
pub(super) struct BestMove {
    /// The move, if it raised alpha.
    pub(super) mv: Option<Move>,
    pub(super) score: Score,
}

/// Returns the score of a finished game for a side, `ply` plies after the root.
pub(super) fn score_of(outcome: Outcome, side: Side, ply: u16) -> Score {
    match outcome.winner {
        Some(winner) if winner == side => Score::win_in(ply),
        Some(_) => Score::loss_in(ply),
        None => Score::DRAW,
    }
}

impl<const N: usize> SearchWorker<'_, N> {
    #[inline]
    pub(super) fn stack(&mut self, ply: u16) -> &mut StackEntry {
        self.thread.stack(ply)
    }

    /// Returns the static evaluation of a position, relative to the side to move.
    #[inline]
    pub(super) fn evaluate(&mut self, pos: &Position<N>, facts: &NodeFacts<N>) -> Score {
        let eval = self.eval.evaluate_with(self.book, pos, facts, &mut self.thread.row_sums);
        self.thread.evals.insert(pos.key().0, eval);
        eval
    }

    /// Returns the static evaluation of a position, relative to the side to move. Computes `facts` only if it is not cached.
    #[inline]
    pub(super) fn static_eval(
        &mut self,
        pos: &Position<N>,
        kings: &NodeKings<N>,
        facts: &mut Option<NodeFacts<N>>,
    ) -> Score {
        if let Some(eval) = self.thread.evals.get(pos.key().0) {
            return eval;
        }
        let facts = facts.get_or_insert_with(|| NodeFacts::new(self.book, pos, kings));
        self.evaluate(pos, facts)
    }

    /// Counts a node and checks the limits.
    #[inline]
    pub(super) fn count_node(&mut self) {
        self.nodes += 1;
        if self.is_main && self.limits.nodes.is_some_and(|most| self.nodes >= most.0) {
            self.is_stopped = true;
        }
        if self.nodes.is_multiple_of(CHECK_EVERY) {
            self.check_time();
        }
    }

    #[cold]
    fn check_time(&mut self) {
        let is_late = self.is_main && self.limits.time.is_some_and(|time| self.started.elapsed() >= time);
        self.is_stopped |= is_late || self.limits.is_stopped() || self.halt.load(Ordering::Relaxed);
    }

    /// Searches the position after a move and returns the score for the side that moved. In a chain
    /// of captures the same side moves again, so the window and the score are not negated.
    #[inline]
    pub(super) fn search_child(
        &mut self,
        pos: &Position<N>,
        next: &Position<N>,
        window: SearchWindow,
        search: impl FnOnce(&mut Self, SearchWindow) -> Score,
    ) -> Score {
        if next.to_move() == pos.to_move() {
            search(self, window)
        } else {
            -search(self, window.for_opponent())
        }
    }
}
