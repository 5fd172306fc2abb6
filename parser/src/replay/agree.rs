//! Whether a way to play a record agrees with what the record says: captures, counts, and the end.

use tafl_rules::game::CellSet;
use tafl_rules::{Cell, Game, Outcome, Role, Side};

use super::search::{EndCheck, Frame, Search};
use crate::record::{CaptureStyle, Verdict, WrittenMove};

impl Search<'_> {
    /// Returns how many captures the record counts for a written move.
    pub(super) fn marks(&self, index: usize) -> u32 {
        u32::from(self.record.main().moves[index].n_captures)
    }

    pub(super) fn marked(&self, written: &WrittenMove) -> CellSet {
        let marks = self.record.captures_of(written).iter();
        marks.filter_map(|capture| self.shape.cell(capture.cell)).collect()
    }

    pub(super) fn captures_agree(
        &self,
        game: &Game,
        written: &WrittenMove,
        fallen: CellSet,
        side: Side,
    ) -> bool {
        if self.allow.differences || self.record.capture_style == CaptureStyle::NotWritten {
            return true;
        }
        let marked = self.marked(written);
        let is_king = |cell: &Cell| game.fallen(*cell).is_some_and(|piece| piece.role == Role::King);
        let missing = fallen.without(marked);
        if !missing.iter().all(|cell| is_king(&cell)) {
            return false;
        }
        let stays = |cell: Cell| game.piece(cell).is_some_and(|piece| piece.side != side);
        let extra = marked.without(fallen);
        extra.is_empty() || (self.allow.strays && extra.iter().all(stays))
    }

    pub(super) fn is_end_right(&self, frame: &Frame) -> bool {
        let check = self.allow.end;
        if check >= EndCheck::Counts
            && self
                .record
                .capture_counts
                .is_some_and(|counts| Side::ALL.iter().any(|side| counts.by[*side] != frame.fell[*side]))
        {
            return false;
        }
        let Some(Verdict::Win(winner)) = self.record.result.map(|result| result.verdict) else {
            let drawn = self.record.result.is_some_and(|result| result.verdict == Verdict::Draw);
            let won = |outcome: Outcome| outcome.winner.is_some();
            return check < EndCheck::Winner || !drawn || !frame.game.outcome().is_some_and(won);
        };
        let next = super::next_to_move(&frame.game);
        match frame.game.outcome() {
            Some(outcome) => check < EndCheck::Winner || outcome.winner == Some(winner),
            None if self.record.ending.is_some() => check < EndCheck::Winner || next != winner,
            // Who won with the last move did something that ends the game.
            None => check < EndCheck::Sight || next == winner || frame.index == 0,
        }
    }

    /// Returns whether the captures marked with a move are these, or nothing is marked in the whole record.
    pub(super) fn is_marked_as(&self, written: &WrittenMove, fallen: CellSet) -> bool {
        self.record.capture_style == CaptureStyle::NotWritten || self.marked(written) == fallen
    }
}
