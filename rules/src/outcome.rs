//! How games end.

use std::fmt;

use crate::side::Side;

/// The end of a game: who won, or nobody, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The winner; nobody in a draw.
    pub winner: Option<Side>,
    /// Why the game ended.
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

    /// Returns the word of the JSON interface for the winner: `attackers`, `defenders` or `draw`.
    pub const fn winner_word(self) -> &'static str {
        match self.winner {
            Some(side) => side.word(),
            None => "draw",
        }
    }
}

/// Writes `attackers win (king captured)` or `draw (repetition)`.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.winner {
            Some(side) => write!(f, "{side} win ({})", self.reason),
            None => write!(f, "draw ({})", self.reason),
        }
    }
}

/// Why a game ended, on the board or off it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// A king was captured.
    KingCaptured,
    /// A king stands on a goal cell of his side.
    KingReachedGoal,
    /// The king is safe in a fort at the edge.
    ExitFort,
    /// The attackers enclosed all defenders.
    Encirclement,
    /// The side to move has no legal move.
    NoLegalMove,
    /// A side has lost all its pieces.
    AllCaptured,
    /// A rule about repetition.
    Repetition,
    /// A player gave up.
    Resignation,
    /// A player ran out of time.
    Timeout,
    /// The players agreed.
    Agreement,
    /// Somebody else decided.
    Adjudication,
    /// The limit of plies, or of plies without a capture.
    PlyLimit,
    /// The game was not played to its end.
    Unfinished,
    /// It is not known why.
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

    /// Returns the words of the JSON interface.
    pub const fn words(self) -> &'static str {
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

    /// Returns the reason that the words of the JSON interface stand for.
    pub fn from_words(words: &str) -> Option<Reason> {
        Reason::ALL.into_iter().find(|reason| reason.words() == words)
    }

    /// Returns whether the position on the board shows this end.
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

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.words())
    }
}
