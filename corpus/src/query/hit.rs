//! The hits of a query in a game.

/// A hit of a query in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct GameHit {
    /// The number of plies before the position; 0 for hits that are whole games.
    pub ply: u32,
    /// The placement of the first pattern or position of the query that matches there.
    pub placement: Option<Placement>,
}

/// The placement of a pattern or a position of a query on a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Placement {
    /// The number of the pattern or position in the query, from 0 in the order written.
    pub pattern: u16,
    /// The number of the board's symmetry that was applied, see [`tafl_rules::Symmetry::id`].
    pub symmetry: u8,
    /// The number of files by which the pattern, whose first cell is on `a1`, was moved before the symmetry was
    /// applied.
    pub files: i8,
    /// The number of ranks.
    pub ranks: i8,
    /// Whether the sides were swapped.
    pub swapped: bool,
}

/// The truth of the conditions of a query on a game as a whole.
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
