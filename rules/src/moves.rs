//! Moves from cell to cell.

use std::fmt;

use crate::shape::{Cell, Coord, Shape};

/// A move of one piece from one cell to another. Captures are effects of a move, not part of it.
///
/// # Examples
///
/// ```
/// use tafl_rules::{Move, Shape};
///
/// let shape = Shape::square(7).unwrap();
/// let mv = Move::parse("d1-d3", shape).unwrap();
/// assert_eq!((shape.name(mv.from), shape.name(mv.to)), ("d1".to_owned(), "d3".to_owned()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The cell on which the piece starts.
    pub from: Cell,
    /// The cell on which the piece arrives.
    pub to: Cell,
}

impl Move {
    /// Returns the move between two cells.
    #[inline]
    pub const fn new(from: Cell, to: Cell) -> Move {
        Move { from, to }
    }

    /// Returns the move as it is written in records: `d1-d3`.
    pub fn display(self, shape: Shape) -> MoveDisplay {
        MoveDisplay { from: shape.coord(self.from), to: shape.coord(self.to) }
    }
}

/// The written form of a move, returned by [`Move::display`].
#[derive(Debug, Clone, Copy)]
pub struct MoveDisplay {
    from: Coord,
    to: Coord,
}

impl fmt::Display for MoveDisplay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.from, self.to)
    }
}
