//! Moves.

use crate::shape::{Cell, Shape};

/// One piece moved once, from a cell to a cell. What it captures are effects, not part of the move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// Where the piece stood.
    pub from: Cell,
    /// Where it stands afterwards.
    pub to: Cell,
}

impl Move {
    /// Returns the move between two cells.
    #[inline]
    pub const fn new(from: Cell, to: Cell) -> Move {
        Move { from, to }
    }

    /// Returns the move as records write it: `d1-d3`.
    pub fn text(self, shape: Shape) -> String {
        format!("{}-{}", shape.coord(self.from), shape.coord(self.to))
    }
}
