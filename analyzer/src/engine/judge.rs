//! What speaks for and against a move before and after it is searched.

use tafl_rules::{Move, Side};

use super::moves::Plan;
use super::search::{Node, Searcher};
use crate::score::Score;

/// What a refutation adds to the history of a move, for each square of a ply of depth.
const REWARD: i32 = 32;

/// Whether a quiet move is worth a search.
pub(super) enum Prospect {
    Good,
    Bad,
    /// Neither this one nor those after it.
    BadAsTheRest,
}

impl<const N: usize> Searcher<'_, N> {
    /// Returns the move that led to a ply.
    #[inline]
    pub(super) fn before(&self, ply: u16) -> Option<Move> {
        if ply == 0 { None } else { self.frames[usize::from(ply) - 1].mv }
    }

    /// Returns whether the side to move stands no better than two plies before.
    #[inline]
    pub(super) fn is_worse(&self, ply: u16, plan: &Plan<'_, N>) -> bool {
        self.params.improving != 0 && ply >= 2 && plan.standing <= self.frames[usize::from(ply) - 2].standing
    }

    /// Returns whether a quiet move is worth a search, once a move was found that does not lose.
    #[inline]
    pub(super) fn prospect(&self, plan: &Plan<'_, N>, number: usize, rank: i32, alpha: Score) -> Prospect {
        let params = &self.params;
        let depth = plan.depth;
        if depth <= params.late_depth
            && number as i32 >= params.late_first + params.late_per_ply * depth * depth
        {
            return Prospect::BadAsTheRest;
        }
        let is_hopeless = depth <= params.hopeless_depth
            && plan.standing.plus(params.hopeless_margin + params.hopeless_per_ply * depth) <= alpha;
        let is_unloved = depth <= params.unloved_depth && rank < -params.unloved_history * depth;
        if number > 0 && (is_hopeless || is_unloved) { Prospect::Bad } else { Prospect::Good }
    }

    /// Returns by how many plies the search of a move is shallower; only quiet ones are.
    pub(super) fn reduction<K: Node>(
        &self,
        (ply, depth): (u16, i32),
        number: usize,
        quiet: Option<(Move, Side)>,
        is_worse: bool,
    ) -> i32 {
        let params = &self.params;
        let is_late = number as i32 >= params.reduction_moves && depth >= params.reduction_depth;
        let Some((mv, side)) = quiet.filter(|_| is_late && params.reduction_depth > 0) else { return 0 };
        let plain = i32::from(self.reductions[depth.min(63) as usize][number.min(63)]);
        let history = self.history.value(side, mv) + self.continuation.value(side, self.before(ply), mv);
        let by_history = match params.reduction_history {
            0 => 0,
            unit => history / unit,
        };
        (plain - i32::from(K::PV) - by_history + i32::from(is_worse)).clamp(0, depth - 1)
    }

    /// Remembers a quiet move that refuted, and those before it that did not.
    pub(super) fn reward(&mut self, ply: u16, depth: i32, side: Side, mv: Move) {
        let bonus = REWARD * depth * depth;
        let uses_killers = self.params.killers != 0;
        let frame = self.frame(ply);
        if uses_killers && frame.killers[0] != Some(mv) {
            frame.killers = [Some(mv), frame.killers[0]];
        }
        if self.params.history == 0 {
            return;
        }
        let tried = std::mem::take(&mut self.frame(ply).tried);
        let before = self.before(ply).filter(|_| self.params.continuation != 0);
        self.continuation.refute(side, before, mv);
        self.continuation.add(side, before, mv, bonus);
        self.history.add(side, mv, bonus);
        for other in tried.iter().filter(|other| **other != mv) {
            self.history.add(side, *other, -bonus);
            self.continuation.add(side, before, *other, -bonus);
        }
        self.frame(ply).tried = tried;
    }
}
