//! The end of the game in a record: counts, endings, and results.

use tafl_rules::{BySide, Reason, Side, Span};

/// The numbers of captures written in a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrittenCaptureCounts {
    /// By capturing side: `attackers` is the number of pieces captured by the attackers.
    pub by: BySide<u32>,
    /// The spans in the text.
    pub spans: BySide<Span>,
}

/// A statement among the moves that ends the game, such as a resignation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrittenEnding {
    /// The kind of ending.
    pub kind: EndingKind,
    /// The side that resigned or ran out of time, if the record names it; otherwise it is the side to move.
    pub side: Option<Side>,
    /// The number of moves of the game before it. Moves after it are kept.
    pub after: u32,
    /// The span in the text.
    pub span: Span,
}

/// The kinds of endings written among the moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EndingKind {
    /// A player resigned.
    Resigned,
    /// A player ran out of time.
    Timeout,
    /// The players agreed to a draw.
    Agreed,
    /// An arbiter decided the game.
    Adjudicated,
}

impl EndingKind {
    /// Returns the corresponding reason of an outcome.
    pub const fn reason(self) -> Reason {
        match self {
            EndingKind::Resigned => Reason::Resignation,
            EndingKind::Timeout => Reason::Timeout,
            EndingKind::Agreed => Reason::Agreement,
            EndingKind::Adjudicated => Reason::Adjudication,
        }
    }
}

/// The result written in a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrittenResult {
    /// The recorded winner or status.
    pub verdict: WrittenVerdict,
    /// The reason, if the record gives one.
    pub reason: Option<Reason>,
    /// The span in the text.
    pub span: Span,
}

/// A recorded winner or status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WrittenVerdict {
    /// A win for this side.
    Win(Side),
    /// A draw.
    Draw,
    /// The game is not over.
    Ongoing,
    /// The record states that the result is unknown.
    Unknown,
}

impl WrittenVerdict {
    /// Returns the winner, if any.
    pub const fn winner(self) -> Option<Side> {
        match self {
            WrittenVerdict::Win(side) => Some(side),
            WrittenVerdict::Draw | WrittenVerdict::Ongoing | WrittenVerdict::Unknown => None,
        }
    }
}
