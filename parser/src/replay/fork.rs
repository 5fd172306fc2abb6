//! The policy of the search for unwritten steps: a way to play a record goes on only while it agrees with the record.

use tafl_rules::{Game, Side, Span};

use super::Discrepancy;
use super::reconciler::{Policy, Response};

/// What may have happened besides what is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Allowance {
    /// How many positions may be looked at.
    pub(super) budget: usize,
    /// Further steps of a turn that are not written.
    pub(super) unwritten: bool,
    /// Captures that are marked and not made.
    pub(super) strays: bool,
    /// How many moves may not have captured what they capture by the rules.
    pub(super) unmade: u8,
    /// Captures that differ in any way.
    pub(super) differences: bool,
    /// How often moves may have been taken back.
    pub(super) take_backs: u8,
    /// How many moves may stand twice or be missing.
    pub(super) slips: u8,
    /// Play after an end.
    pub(super) after_end: bool,
    /// What the end must agree with.
    pub(super) end: EndCheck,
}

/// What the end of a game must agree with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum EndCheck {
    /// Nothing.
    Nothing,
    /// The winner that is written.
    Winner,
    /// The winner, and that a game which the last mover won ends on the board.
    Sight,
    /// All that, and the counts of captures.
    Counts,
}

/// Stops a way at the first discrepancy that is not allowed for.
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
                allow.differences || (allow.strays && stays)
            }
            Discrepancy::Result { .. } | Discrepancy::LastWord { .. } => allow.end < EndCheck::Winner,
            // Who won with the last move did something that ends the game.
            Discrepancy::SilentWin { .. } => allow.end < EndCheck::Sight,
            // What follows tells more than a letter, and the search itself decides about play after an end.
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
            | Discrepancy::Unfinished => true,
        };
        if goes_on { Response::GoOn } else { Response::Stop }
    }
}
