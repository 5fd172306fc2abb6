//! The policies of a comparison: how to continue after a discrepancy.

use tafl_rules::{Game, Ply, Span};

use super::Discrepancy;
use crate::record::{WrittenCapture, WrittenMove};

/// The response to a discrepancy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Response {
    /// The game continues by the rules.
    GoOn,
    /// The game continues as written in the record.
    Force,
    /// The comparison ends here.
    Stop,
}

/// The error that ends a comparison: the policy stopped it, or no further move can be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ReplayStop;

/// Decides how to continue after each discrepancy.
pub(crate) trait Policy {
    /// Whether the rules are being tested rather than the record. In this case repetition rules end the game
    /// as soon as they apply, every end named in the record must occur on the board, and a resignation or
    /// timeout after an end counts.
    const RULES_IN_QUESTION: bool = false;

    /// Handles a discrepancy in the text at `span`; `game` is the position where it was found.
    fn on(&mut self, game: &Game, span: Span, found: Discrepancy) -> Response;

    /// Handles a written move that was played and compared.
    fn played(&mut self, _: &Game, _: &Ply) {}

    /// Returns whether the captures on the board are changed to those of the record, including unlisted
    /// kings.
    fn forces_captures(&self) -> bool {
        false
    }

    /// Announces that the following discrepancies belong to the next move.
    fn next_move(&mut self) {}
}

/// A written move, and its position in the game and the turn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WrittenStep<'s> {
    pub(crate) mv: &'s WrittenMove,
    /// The captures listed with it; `None` if they are unknown, so that any captures agree.
    pub(crate) captures: Option<&'s [WrittenCapture]>,
    pub(crate) is_first: bool,
    /// Whether the turn ends with this move, as written.
    pub(crate) ends_turn: bool,
}

impl<'s> WrittenStep<'s> {
    /// Returns the move with an index in a list of moves and their captures.
    #[inline]
    pub(crate) fn of(
        moves: &'s [WrittenMove],
        captures: &'s [WrittenCapture],
        index: usize,
    ) -> WrittenStep<'s> {
        let mv = &moves[index];
        let first = mv.first_capture as usize;
        WrittenStep {
            mv,
            captures: Some(captures.get(first..first + usize::from(mv.n_captures)).unwrap_or(&[])),
            is_first: index == 0,
            ends_turn: moves.get(index + 1).is_none_or(|next| !next.chained),
        }
    }
}
