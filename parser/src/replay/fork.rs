//! The policy of the search for unwritten steps: a branch continues only while it agrees with the record.

use tafl_rules::{Game, Side, Span};

use super::Discrepancy;
use super::policy::{Policy, Response};

/// The deviations from the written moves that a search accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Allowance {
    /// The maximum number of positions to examine.
    pub(super) budget: usize,
    /// Whether steps of a turn may be unwritten.
    pub(super) unwritten: bool,
    /// Whether marked captures may not have been made.
    pub(super) unreal_captures: bool,
    /// The maximum number of moves that may not have made a capture required by the rules.
    pub(super) unmade: u8,
    /// Whether captures may differ in any way.
    pub(super) differences: bool,
    /// The maximum number of times that moves may have been taken back.
    pub(super) take_backs: u8,
    /// Whether moves may have been taken back although the next one could be played without it.
    pub(super) late_take_backs: bool,
    /// Whether the search goes back only to turns on which the failed move depends.
    pub(super) is_directed: bool,
    /// The maximum number of moves that may be written twice or be missing.
    pub(super) miswritten: u8,
    /// Whether play may continue after an end.
    pub(super) after_end: bool,
    /// The required agreement at the end.
    pub(super) end: EndCheck,
}

/// The required agreement at the end of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum EndCheck {
    /// Nothing has to agree.
    Nothing,
    /// The recorded winner.
    Winner,
    /// The winner; and if the last mover won, the game must end on the board.
    OnBoard,
    /// In addition, the numbers of captures.
    Counts,
}

/// Ends a branch at the first discrepancy that is not accepted.
pub(super) struct Fork {
    pub(super) allow: Allowance,
    /// The side that moves.
    pub(super) side: Side,
}

impl Policy for Fork {
    fn on(&mut self, game: &Game, _: Span, found: Discrepancy) -> Response {
        let allow = &self.allow;
        let goes_on = match found {
            Discrepancy::OffBoard { .. }
            | Discrepancy::BrokenChain
            | Discrepancy::WrongSide { .. }
            | Discrepancy::Illegal { .. }
            | Discrepancy::Impossible { .. }
            | Discrepancy::Counts => false,
            Discrepancy::MissingCapture { .. } => allow.differences,
            Discrepancy::UnrealCapture { cell } => {
                let stays = game.piece(cell).is_some_and(|piece| piece.side != self.side);
                allow.differences || (allow.unreal_captures && stays)
            }
            Discrepancy::Result { .. } | Discrepancy::LastWord { .. } => allow.end < EndCheck::Winner,
            // A winning last move must end the game on the board.
            Discrepancy::SilentWin { .. } => allow.end < EndCheck::OnBoard,
            // A wrong letter is weaker evidence than the following moves, and the search itself decides about
            // play after an end.
            Discrepancy::WrongLetter { .. }
            | Discrepancy::FirstMover { .. }
            | Discrepancy::AfterEnd(_)
            | Discrepancy::CaptureOffBoard { .. }
            | Discrepancy::DoubledCapture { .. }
            | Discrepancy::CaptureLetter { .. }
            | Discrepancy::Board { .. }
            | Discrepancy::SideToMove { .. }
            | Discrepancy::Unrecorded(_)
            | Discrepancy::NotOnBoard { .. }
            | Discrepancy::EndedBefore(_)
            | Discrepancy::SilentStop { .. }
            | Discrepancy::Unfinished
            | Discrepancy::Swap { .. } => true,
        };
        if goes_on { Response::GoOn } else { Response::Stop }
    }
}
