//! A set of cells whose type doesn't depend on the size of the board.

use crate::any::WIDEST;
use crate::bitboard::Bitboard;
use crate::shape::Cell;

/// A set of cells of a board of any width.
///
/// # Examples
///
/// ```
/// use tafl_rules::{CellSet, Shape};
///
/// let shape = Shape::square(7).unwrap();
/// let corners: CellSet = shape.corners().into_iter().collect();
/// assert_eq!(corners.len(), 4);
/// assert!(shape.center().is_some_and(|center| !corners.contains(center)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CellSet(Bitboard<WIDEST>);

impl CellSet {
    /// Returns whether the set contains a cell.
    pub fn contains(&self, cell: Cell) -> bool {
        self.0.contains(cell)
    }

    /// Adds a cell.
    pub fn insert(&mut self, cell: Cell) {
        self.0.insert(cell);
    }

    /// Returns whether the set is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the number of cells.
    pub fn len(&self) -> usize {
        self.0.count() as usize
    }

    /// Returns the cells of this set that are not in the other.
    #[must_use]
    pub fn without(self, other: CellSet) -> CellSet {
        CellSet(self.0.without(other.0))
    }

    /// Returns the cells in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = Cell> {
        self.0.iter()
    }
}

impl FromIterator<Cell> for CellSet {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Self {
        CellSet(cells.into_iter().collect())
    }
}

impl<const N: usize> From<Bitboard<N>> for CellSet {
    #[inline]
    fn from(cells: Bitboard<N>) -> Self {
        CellSet(cells.widened())
    }
}
