//! The result of a game as it is written, and the side that its last statement is about.

use tafl_rules::{Outcome, Reason, Side};

use super::WriteGame;
use super::losses::RecordLosses;
use super::moves::sides;
use crate::diagnostic::Lost;
use crate::record::{EndingKind, WrittenVerdict};

/// A result to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StatedResult {
    /// The winner or status.
    pub(super) verdict: WrittenVerdict,
    /// The reason, if it is known.
    pub(super) reason: Option<Reason>,
}

impl From<Outcome> for StatedResult {
    fn from(outcome: Outcome) -> StatedResult {
        let verdict = outcome.winner.map_or(WrittenVerdict::Draw, WrittenVerdict::Win);
        StatedResult { verdict, reason: Some(outcome.reason) }
    }
}

impl WriteGame<'_> {
    /// Returns the result that the record states, or else that of its last statement, such as a resignation, or else that
    /// of the board.
    ///
    /// `from_ending` is false if the text has the last statement itself, in the words of the record's own notation.
    pub(super) fn stated_result(self, from_ending: bool) -> Option<StatedResult> {
        let ending = if from_ending { self.ending_outcome() } else { None };
        let board = self.played.and_then(|played| played.outcome);
        let by_ending = || {
            let outcome = ending?;
            // The board shows why the same side has won.
            let reason = board.filter(|board| board.winner == outcome.winner).map(|board| board.reason);
            Some(StatedResult::from(Outcome { reason: reason.unwrap_or(outcome.reason), ..outcome }))
        };
        match self.record.result {
            None => by_ending().or(board.map(StatedResult::from)),
            // The last statement decides a game whose result was open.
            Some(result) if matches!(result.verdict, WrittenVerdict::Ongoing | WrittenVerdict::Unknown) => {
                by_ending().or(Some(StatedResult { verdict: result.verdict, reason: result.reason }))
            }
            Some(result) => {
                let of_ending = self.record.ending.filter(|_| from_ending).map(|ending| ending.kind.reason());
                Some(StatedResult { verdict: result.verdict, reason: result.reason.or(of_ending) })
            }
        }
    }

    /// Returns the [`stated_result`](Self::stated_result), and lists the result as changed if its verdict differs from
    /// the record's.
    pub(super) fn result_to_write(
        self,
        from_ending: bool,
        losses: &mut RecordLosses,
    ) -> Option<StatedResult> {
        let stated = self.stated_result(from_ending);
        let is_changed = self.record.result.zip(stated).is_some_and(|(old, new)| old.verdict != new.verdict);
        losses.changed(Lost::Result, usize::from(is_changed));
        stated
    }

    /// Returns the result of the last statement among the moves, as replay reads it: a game without moves has no loser.
    fn ending_outcome(self) -> Option<Outcome> {
        let ending = self.record.ending.filter(|_| !self.record.main().moves.is_empty())?;
        let reason = ending.kind.reason();
        match ending.kind {
            EndingKind::Agreed => Some(Outcome::draw(reason)),
            EndingKind::Adjudicated => None,
            EndingKind::Resigned | EndingKind::Timeout => {
                let by = ending.side.or_else(|| self.side_to_move())?;
                Some(Outcome::win(by.other(), reason))
            }
        }
    }

    /// Returns whether a word without a side, such as `resigned`, means the side that the record names.
    pub(super) fn is_bare_ending_clear(self) -> bool {
        let Some(ending) = self.record.ending else { return true };
        match ending.kind {
            EndingKind::Agreed | EndingKind::Adjudicated => true,
            EndingKind::Resigned | EndingKind::Timeout => {
                ending.side.is_none() || ending.side == self.side_to_move()
            }
        }
    }

    /// Returns the side to move after the last move of the record, if it is known.
    fn side_to_move(self) -> Option<Side> {
        let record = self.record;
        let moves = &record.main().moves;
        let last = moves.len().checked_sub(1)?;
        let ply = self.played.filter(|played| played.plies.len() == moves.len());
        let by_ply = ply.and_then(|played| played.plies.last()).map(|ply| ply.piece.side);
        let by_turns = || sides(moves, record.first_mover?).last();
        by_ply.or(moves[last].side).or_else(by_turns).map(Side::other)
    }
}
