//! The deviations from the written moves: captures not made, and moves taken back, written twice, or missing.

use super::{MAX_TAKEN_BACK, PlanSearch, PlanStage};
use crate::record::WrittenMove;
use crate::replay::plan::PlanStep;

/// The minimum number of moves of a repeated block. A choice: two turns by chance are too frequent.
const MIN_REPEATED_MOVES: usize = 4;

impl PlanSearch<'_> {
    /// Plays the written move of a frame without its unmarked captures.
    pub(super) fn without_capture(&mut self, top: usize) {
        if self.frames[top].unmade >= self.allow.unmade {
            return;
        }
        let index = self.frames[top].index;
        let written = &self.record.main().moves[index];
        let Some(mv) = self.cells(written) else { return };
        let mut state = self.frames[top].state.clone();
        let Ok(ply) = state.game.play(mv) else { return };
        let left = ply.captured.without(self.marked(written));
        if left.is_empty() || index + 1 == self.record.main().moves.len() || !state.put_back(left, ply.side) {
            return;
        }
        state.n_written[ply.side] += u32::from(written.n_captures);
        self.plan.push(PlanStep::WithoutCapture);
        let n_frames = self.frames.len();
        self.follow(top, state, ply.side);
        if self.frames.len() > n_frames {
            self.last().unmade += 1;
        }
    }

    pub(super) fn take_back(&mut self, top: usize, plies: usize) {
        let frame = &mut self.frames[top];
        // A move that could be played is neither written twice nor does it follow a missing one.
        let next = if frame.has_played { PlanStage::Done } else { PlanStage::SkipRepeated };
        frame.stage = if plies < MAX_TAKEN_BACK { PlanStage::TakeBack(plies + 1) } else { next };
        let index = frame.index;
        if frame.take_backs >= self.allow.take_backs {
            frame.stage = next;
            return;
        }
        let mut back = Some(top);
        for _ in 0..plies {
            back = back.and_then(|at| self.frames[at].parent);
        }
        let Some(back) = back else {
            self.frames[top].stage = next;
            return;
        };
        let state = &self.frames[back].state;
        let is_possible =
            self.cells(&self.record.main().moves[index]).is_some_and(|mv| state.game.is_legal(mv));
        if is_possible {
            // The captures of moves that are taken back still count.
            let mut state = state.clone();
            state.n_written = self.frames[top].state.n_written;
            let parent = self.frames[back].parent;
            self.plan.push(PlanStep::TakeBack { plies });
            self.frames[top].take_backs += 1;
            self.branch(top, state, index, parent);
            self.frames[top].take_backs -= 1;
        }
    }

    pub(super) fn skip_repeated(&mut self, top: usize) {
        self.skip_repeated_block(top);
        let frame = &self.frames[top];
        let moves = &self.record.main().moves;
        let same = |nth: usize| {
            frame.index.checked_sub(nth).is_some_and(|before| {
                let (one, other) = (&moves[before], &moves[frame.index]);
                (one.from, one.to) == (other.from, other.to)
            })
        };
        if frame.miswritten < self.allow.miswritten && (same(1) || same(2)) {
            let (state, index, parent) = (frame.state.clone(), frame.index + 1, frame.parent);
            self.plan.push(PlanStep::SkipMove);
            self.frames[top].miswritten += 1;
            self.branch(top, state, index, parent);
            self.frames[top].miswritten -= 1;
        }
    }

    /// Skips moves that the record writes again after it wrote them before. They count as moves that were taken back: the
    /// players returned to a position and made the same moves, of which the record keeps only some.
    fn skip_repeated_block(&mut self, top: usize) {
        let frame = &self.frames[top];
        let (index, parent) = (frame.index, frame.parent);
        let n_repeated = n_repeated(&self.record.main().moves, index);
        if n_repeated == 0 || frame.take_backs >= self.allow.take_backs {
            return;
        }
        let state = frame.state.clone();
        self.plan.extend(std::iter::repeat_n(PlanStep::SkipMove, n_repeated));
        self.frames[top].take_backs += 1;
        self.branch(top, state, index + n_repeated, parent);
        self.frames[top].take_backs -= 1;
    }

    pub(super) fn pass_turn(&mut self, top: usize) {
        let frame = &self.frames[top];
        let Some(mv) = self.cells(&self.record.main().moves[frame.index]) else { return };
        let side = frame.state.game.to_move();
        if frame.miswritten >= self.allow.miswritten
            || frame.state.game.piece(mv.from).is_none_or(|piece| piece.side == side)
        {
            return;
        }
        let mut state = frame.state.clone();
        state.game.set_to_move(side.other());
        if state.game.is_legal(mv) {
            let (index, parent) = (frame.index, frame.parent);
            self.plan.push(PlanStep::PassTurn);
            self.frames[top].miswritten += 1;
            self.branch(top, state, index, parent);
            self.frames[top].miswritten -= 1;
        }
    }
}

/// Returns the number of moves from an index on that repeat moves before it: an even number of moves that were all made, in
/// this order, at the end of the moves before. The largest such number, or 0.
fn n_repeated(moves: &[WrittenMove], index: usize) -> usize {
    let before = &moves[index.saturating_sub(MAX_TAKEN_BACK)..index];
    let is_same = |one: &WrittenMove, other: &WrittenMove| (one.from, one.to) == (other.from, other.to);
    let is_repeated = |n: &usize| {
        let Some(block) = moves.get(index..index + n) else { return false };
        let ends_alike = before.last().zip(block.last()).is_some_and(|(one, other)| is_same(one, other));
        let mut earlier = before.iter();
        ends_alike && block.iter().all(|mv| earlier.any(|other| is_same(mv, other)))
    };
    (MIN_REPEATED_MOVES..=before.len()).rev().filter(|n| n % 2 == 0).find(is_repeated).unwrap_or(0)
}
