//! Arrangements of pieces, without legality checks.

use crate::piece::Piece;
use crate::shape::{Cell, Shape};

/// An arrangement of pieces on a board of any shape. It need not be reachable by play.
///
/// Written as a position record, see [`Setup::parse`].
///
/// # Examples
///
/// ```
/// use tafl_rules::{Piece, Setup, Shape};
///
/// let shape = Shape::square(5).unwrap();
/// let mut setup = Setup::parse(shape, "/5/2t2/1tKt1/2t2/5/").unwrap();
/// setup.put(shape.center().unwrap(), None);
/// assert_eq!(setup.to_string(), "/5/2t2/1t1t1/2t2/5/");
/// assert_eq!(setup.count(Piece::from_letter('t').unwrap()), 4);
/// println!("{}", setup.diagram());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Setup {
    shape: Shape,
    cells: Vec<Option<Piece>>,
}

impl Setup {
    /// Returns an empty board.
    pub fn empty(shape: Shape) -> Setup {
        Setup { shape, cells: vec![None; shape.n_cells()] }
    }

    /// Returns the shape of the board.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns the piece on a cell.
    ///
    /// # Panics
    ///
    /// Panics if the cell is not on the board.
    pub fn piece(&self, cell: Cell) -> Option<Piece> {
        self.cells[cell.index()]
    }

    /// Puts a piece on a cell, or removes the piece there.
    ///
    /// # Panics
    ///
    /// Panics if the cell is not on the board.
    pub fn put(&mut self, cell: Cell, piece: Option<Piece>) {
        self.cells[cell.index()] = piece;
    }

    /// Returns the pieces with their cells, in ascending order of cells.
    pub fn pieces(&self) -> impl Iterator<Item = (Cell, Piece)> {
        self.cells
            .iter()
            .enumerate()
            .filter_map(|(index, piece)| piece.map(|piece| (Cell::new(index), piece)))
    }

    /// Returns the number of pieces of one kind.
    pub fn count(&self, piece: Piece) -> usize {
        self.pieces().filter(|(_, found)| *found == piece).count()
    }

    /// Returns the arrangement with cell `from` moved to `map(from)`.
    ///
    /// # Panics
    ///
    /// Panics if `map` returns a cell that is not on the board.
    #[must_use]
    pub fn mapped(&self, map: impl Fn(Cell) -> Cell) -> Setup {
        let mut mapped = Setup::empty(self.shape);
        for (cell, piece) in self.pieces() {
            mapped.put(map(cell), Some(piece));
        }
        mapped
    }
}
