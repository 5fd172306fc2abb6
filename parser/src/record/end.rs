//! How a record says that the game ended.

use tafl_rules::{BySide, Reason, Side, Span};

/// How many captures a record counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrittenCaptureCounts {
    /// By the captor: `attackers` counts the pieces that the attackers took.
    pub by: BySide<u32>,
    /// The places in the text.
    pub spans: BySide<Span>,
}

/// A word among the moves that ends the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrittenEnding {
    /// What it says.
    pub kind: EndingKind,
    /// Who gave up or ran out of time, where the record says so; else it is the side to move.
    pub side: Option<Side>,
    /// How many moves of the game stand before it. Moves behind it are kept.
    pub after: u32,
    /// The place in the text.
    pub span: Span,
}

/// What a word that ends the game says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EndingKind {
    /// A player gave up.
    Resigned,
    /// A player ran out of time.
    Timeout,
    /// The players agreed to a draw.
    Agreed,
    /// Somebody else decided.
    Adjudicated,
}

impl EndingKind {
    /// Returns the reason that the ending is.
    pub const fn reason(self) -> Reason {
        match self {
            EndingKind::Resigned => Reason::Resignation,
            EndingKind::Timeout => Reason::Timeout,
            EndingKind::Agreed => Reason::Agreement,
            EndingKind::Adjudicated => Reason::Adjudication,
        }
    }
}

/// The result that a record names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrittenResult {
    /// Who is said to have won.
    pub verdict: Verdict,
    /// Why, where the record says so.
    pub reason: Option<Reason>,
    /// The place in the text.
    pub span: Span,
}

/// Who is said to have won.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// This side.
    Win(Side),
    /// Nobody.
    Draw,
    /// The game is not over.
    Ongoing,
    /// The record says that it does not know.
    Unknown,
}

impl Verdict {
    /// Returns the winner, if there is one.
    pub const fn winner(self) -> Option<Side> {
        match self {
            Verdict::Win(side) => Some(side),
            Verdict::Draw | Verdict::Ongoing | Verdict::Unknown => None,
        }
    }
}
