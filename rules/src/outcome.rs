//! The outcomes of games.

use std::fmt;

use crate::name::impl_names;
use crate::side::Side;

/// The outcome of a game: the winner, if any, and the reason.
///
/// # Examples
///
/// ```
/// use tafl_rules::{Outcome, Reason, Side};
///
/// let outcome = Outcome::win(Side::Defenders, Reason::KingReachedGoal);
/// assert_eq!((outcome.winner_name(), outcome.winner), ("defenders", Some(Side::Defenders)));
/// assert_eq!(Outcome::draw(Reason::Agreement).winner_name(), "draw");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The winner; `None` for a draw.
    pub winner: Option<Side>,
    /// The reason for the end of the game.
    pub reason: Reason,
}

impl Outcome {
    /// Returns a win for a side.
    #[inline]
    pub const fn win(side: Side, reason: Reason) -> Outcome {
        Outcome { winner: Some(side), reason }
    }

    /// Returns a draw.
    #[inline]
    pub const fn draw(reason: Reason) -> Outcome {
        Outcome { winner: None, reason }
    }

    /// Returns the name of the winner in the JSON interface: `attackers`, `defenders`, or `draw`.
    pub const fn winner_name(self) -> &'static str {
        match self.winner {
            Some(side) => side.as_str(),
            None => "draw",
        }
    }
}

/// Writes the outcome, such as `attackers win (king captured)` or `draw (repetition)`.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.winner {
            Some(side) => write!(f, "{side} win ({})", self.reason),
            None => write!(f, "draw ({})", self.reason),
        }
    }
}

/// The reason for the end of a game, on or off the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// A king was captured.
    KingCaptured,
    /// A king reached a goal cell of his side.
    KingReachedGoal,
    /// The king is safe in a fort on the edge.
    ExitFort,
    /// The attackers enclosed all defenders.
    Encirclement,
    /// The side to move has no legal move.
    NoLegalMove,
    /// A side has lost all its pieces.
    AllCaptured,
    /// A repetition rule.
    Repetition,
    /// A player resigned.
    Resignation,
    /// A player ran out of time.
    Timeout,
    /// The players agreed on the result.
    Agreement,
    /// A third party decided the result.
    Adjudication,
    /// The limit of plies, or of plies without a capture, was reached.
    PlyLimit,
    /// The game was not played to its end.
    Unfinished,
    /// The reason is unknown.
    Unknown,
}

impl Reason {
    /// Every reason.
    pub const ALL: [Reason; 14] = [
        Reason::KingCaptured,
        Reason::KingReachedGoal,
        Reason::ExitFort,
        Reason::Encirclement,
        Reason::NoLegalMove,
        Reason::AllCaptured,
        Reason::Repetition,
        Reason::Resignation,
        Reason::Timeout,
        Reason::Agreement,
        Reason::Adjudication,
        Reason::PlyLimit,
        Reason::Unfinished,
        Reason::Unknown,
    ];

    /// Returns the name of the reason in the JSON interface.
    pub const fn as_str(self) -> &'static str {
        match self {
            Reason::KingCaptured => "king captured",
            Reason::KingReachedGoal => "king reached goal",
            Reason::ExitFort => "exit fort",
            Reason::Encirclement => "encirclement",
            Reason::NoLegalMove => "no legal move",
            Reason::AllCaptured => "all captured",
            Reason::Repetition => "repetition",
            Reason::Resignation => "resignation",
            Reason::Timeout => "timeout",
            Reason::Agreement => "agreement",
            Reason::Adjudication => "adjudication",
            Reason::PlyLimit => "ply limit",
            Reason::Unfinished => "unfinished",
            Reason::Unknown => "unknown",
        }
    }

    /// Returns whether this end is visible in the position on the board.
    pub const fn is_on_board(self) -> bool {
        matches!(
            self,
            Reason::KingCaptured
                | Reason::KingReachedGoal
                | Reason::ExitFort
                | Reason::Encirclement
                | Reason::NoLegalMove
                | Reason::AllCaptured
        )
    }
}

impl_names!(Reason, "the reason for the end of a game");
