//! Pruning and reductions of quiet moves, and updates of the histories after a cutoff.

use tafl_rules::{Move, Side};

use super::Params;
use super::ordering::KILLER;
use super::searcher::{MoveLoop, SearchWorker};
use crate::score::Score;

/// Returns the table of late move reductions in plies, by depth and move number.
pub(super) fn reductions(params: &Params) -> Vec<[u8; 64]> {
    let base = f64::from(params.lmr_base) / 100.0;
    let divisor = f64::from(params.lmr_divisor) / 100.0;
    let entry = |depth: usize, number: usize| {
        if depth == 0 || number == 0 {
            return 0;
        }
        let grown = (depth as f64).ln() * (number as f64).ln() / divisor;
        (base + grown) as u8
    };
    (0..64).map(|depth| std::array::from_fn(|number| entry(depth, number))).collect()
}

impl<const N: usize> SearchWorker<'_, N> {
    /// Returns whether to skip a quiet move and all quiet moves after it: a limit on their number stays reached, and
    /// alpha never falls. Called only after a move was found that does not lose. `number` is the number of moves searched
    /// so far.
    #[inline]
    pub(super) fn skips_quiets(&self, node: &MoveLoop<'_, N>, number: usize, alpha: Score) -> bool {
        let params = &self.params;
        let depth = node.depth;

        // Late move pruning
        if depth <= params.lmp_depth && number as i32 >= params.lmp_first + params.lmp_per_ply * depth * depth
        {
            return true;
        }

        // Futility pruning
        let is_futile = depth <= params.futility_depth
            && node.static_eval.is_some_and(|eval| {
                eval.plus(params.futility_margin + params.futility_per_ply * depth) <= alpha
            });
        number > 0 && is_futile
    }

    /// Late move reductions: returns the reduction of a quiet move in plies, by its number and rank. A
    /// good rank reduces less.
    #[inline]
    pub(super) fn late_move_reduction(&self, depth: i32, number: usize, rank: i32) -> i32 {
        let params = &self.params;
        let is_late = number as i32 >= params.lmr_moves && depth >= params.lmr_depth;
        if !is_late || params.lmr_depth == 0 {
            return 0;
        }
        let plain = i32::from(self.reductions[depth.min(63) as usize][number.min(63)]);
        let rank = if rank > KILLER / 2 { rank - KILLER } else { rank };
        let by_history = match params.lmr_history {
            0 => 0,
            unit => rank / unit,
        };
        (plain - by_history).clamp(0, depth - 1)
    }

    /// Updates killers and histories after a cutoff by a quiet move: a bonus for this move, a malus
    /// for the quiet moves searched before it.
    pub(super) fn update_histories(&mut self, ply: u16, depth: i32, side: Side, mv: Move) {
        let bonus = self.params.history_bonus * depth;
        let uses_killers = self.params.killers != 0;
        let entry = self.stack(ply);
        if uses_killers && entry.killers[0] != Some(mv) {
            entry.killers = [Some(mv), entry.killers[0]];
        }
        if self.params.history == 0 {
            return;
        }
        let quiets = std::mem::take(&mut self.stack(ply).quiets);
        let thread = &mut *self.thread;
        let previous = thread.previous_move(ply).filter(|_| self.params.continuation != 0);
        thread.continuation.add(side, previous, mv, bonus);
        thread.history.add(side, mv, bonus);
        for other in quiets.iter().filter(|other| **other != mv) {
            thread.history.add(side, *other, -bonus);
            thread.continuation.add(side, previous, *other, -bonus);
        }
        self.stack(ply).quiets = quiets;
    }
}
