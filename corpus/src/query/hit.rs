//! What a query found in a game.

/// A place in a game where a query holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct GameHit {
    /// The plies played before the position; 0 for hits that are whole games.
    pub ply: u32,
    /// Where the first pattern or position of the query lies that holds there.
    pub placement: Option<Placement>,
}

/// How a pattern or a position of a query lies on a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Placement {
    /// Which one of the query, counted from 0 in the order in which they are written.
    pub pattern: u16,
    /// The number of the board's symmetry that was applied, see [`tafl_rules::Symmetry::id`].
    pub symmetry: u8,
    /// By how many files the pattern was moved before the symmetry was applied; its first cell begins on `a1`.
    pub files: i8,
    /// By how many ranks.
    pub ranks: i8,
    /// Whether the sides were swapped.
    pub swapped: bool,
}

/// What is true of a game as a whole.
pub trait GameTruth {
    /// Returns whether a condition holds, by its number in [`super::Query::game_conditions`].
    fn holds(&self, condition: usize) -> bool;
}

impl GameTruth for [bool] {
    fn holds(&self, condition: usize) -> bool {
        self[condition]
    }
}

impl GameTruth for Vec<bool> {
    fn holds(&self, condition: usize) -> bool {
        self[condition]
    }
}
