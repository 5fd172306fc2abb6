//! Information between moves: clocks, and data for comparison with replay.

use tafl_rules::{Setup, Side, Span};

use super::{MovePlace, Written, WrittenMove};

/// A clock time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrittenClock {
    /// The place among the moves.
    pub place: MovePlace,
    /// The side of the clock.
    pub side: Side,
    /// The remaining time in milliseconds.
    pub milliseconds: i64,
    /// The span in the text.
    pub span: Span,
}

/// A board written between two moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenBoard {
    /// The number of moves of the game before it.
    pub after: u32,
    /// The setup.
    pub setup: Setup,
    /// The side to move next, if written.
    pub to_move: Option<Side>,
    /// The span in the text.
    pub span: Span,
}

/// A move that a player tried and that was refused, so it is not part of the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedMove {
    /// The move.
    pub mv: WrittenMove,
    /// The number of moves of the game before it.
    pub after: u32,
    /// The reason, in the words of the record.
    pub reason: Option<Written>,
}

/// A number of legal moves written between two moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrittenCount {
    /// The number of moves of the game before it.
    pub after: u32,
    /// The number, for the side to move there.
    pub count: u32,
    /// The span in the text.
    pub span: Span,
}

/// A number of captures written with a move, as in `d5-c5x1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrittenMoveCaptureCount {
    /// The index of the move in the main line.
    pub at: u32,
    /// The number.
    pub count: u32,
    /// The span in the text.
    pub span: Span,
}
