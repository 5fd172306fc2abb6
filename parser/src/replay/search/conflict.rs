//! The cells on which a failed branch depends.
//!
//! A game of turns of several steps has dozens of turns that may have continued, and a wrong choice is often noticed many
//! moves later. If a written move fails, only cells on its way or near its destination can be the reason, so a directed
//! search goes back to a turn whose continuation changes one of them (conflict-directed backjumping) and skips the others.

use tafl_rules::{Cell, CellSet, Coord};

use super::{PlanBranch, PlanSearch};

/// The distance from the destination of a move, in steps, up to which cells decide about its captures.
const REACH: i16 = 2;

/// Adds the cells of a set to another one.
fn add(cells: &mut CellSet, others: impl IntoIterator<Item = Cell>) {
    others.into_iter().for_each(|cell| cells.insert(cell));
}

impl<'r> PlanSearch<'r> {
    /// Notes that the next written move of a frame fails.
    pub(super) fn note_failed_move(&mut self, top: usize) {
        if !self.allow.is_directed {
            return;
        }
        let written = &self.record.main().moves[self.frames[top].index];
        let (from, to) = (written.from, written.to);
        let decides = |at: Coord| {
            let is_on_way = (from.file.min(to.file)..=from.file.max(to.file)).contains(&at.file)
                && (from.rank.min(to.rank)..=from.rank.max(to.rank)).contains(&at.rank);
            is_on_way || (at.file - to.file).abs() + (at.rank - to.rank).abs() <= REACH
        };
        let shape = self.shape;
        add(&mut self.frames[top].conflict, shape.cells().filter(|cell| decides(shape.coord(*cell))));
    }

    /// Notes that a frame fails for a reason to which every earlier turn may have contributed.
    pub(super) fn note_any_conflict(&mut self, top: usize) {
        if self.allow.is_directed {
            let shape = self.shape;
            add(&mut self.frames[top].conflict, shape.cells());
        }
    }

    /// Removes the last frame. The reasons of its failure become reasons of the frame before it.
    pub(super) fn pop(&mut self) {
        let Some(last) = self.frames.pop() else { return };
        if let Some(before) = self.frames.last_mut()
            && self.allow.is_directed
        {
            add(&mut before.conflict, last.conflict.iter());
        }
    }

    /// Returns the next branch of a frame that may help.
    pub(super) fn next_branch(&mut self, top: usize) -> Option<PlanBranch<'r>> {
        let frame = &mut self.frames[top];
        if !self.allow.is_directed || frame.is_merged {
            return frame.branches.pop();
        }
        let helps = |branch: &PlanBranch<'_>| branch.touched.iter().any(|cell| frame.conflict.contains(cell));
        let nth = frame.branches.iter().rposition(helps)?;
        Some(frame.branches.remove(nth))
    }
}
