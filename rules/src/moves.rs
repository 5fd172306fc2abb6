//! Moves.

use crate::shape::{Cell, Shape};

/// One piece moved once, from a cell to a cell. What it captures are effects, not part of the move.
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
