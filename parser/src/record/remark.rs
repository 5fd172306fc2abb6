//! What a record says between its moves: comments, clocks, and what replay can be compared with.

use tafl_rules::{Setup, Side, Span};

use super::{Place, Written, WrittenMove};

/// What somebody said about a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    /// The move: the last one before this place.
    pub place: Place,
    /// The words, verbatim.
    pub text: Box<str>,
    /// Their place in the text.
    pub span: Span,
}

/// A reading of a clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    /// When.
    pub place: Place,
    /// Whose clock.
    pub side: Side,
    /// What was left, in milliseconds.
    pub milliseconds: i64,
    /// The place in the text.
    pub span: Span,
}

/// A board that the record gives between two moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenBoard {
    /// How many moves of the game stand before it.
    pub after: u32,
    /// The arrangement.
    pub setup: Setup,
    /// Who is said to move next.
    pub to_move: Option<Side>,
    /// The place in the text.
    pub span: Span,
}

/// A move that a player tried and that was not allowed, so that it is no move of the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedMove {
    /// The move.
    pub mv: WrittenMove,
    /// How many moves of the game stand before it.
    pub after: u32,
    /// Why it was refused, in the words of the record.
    pub reason: Option<Written>,
}

/// A count of legal moves that the record gives between two moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrittenCount {
    /// How many moves of the game stand before it.
    pub after: u32,
    /// The count, for the side to move there.
    pub count: u32,
    /// The place in the text.
    pub span: Span,
}
