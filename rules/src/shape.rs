//! The shapes of boards and their cells.

use std::fmt;

/// A cell of a board, as an index: cells are numbered rank by rank, and within a rank by file,
/// without gaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u16);

impl Cell {
    /// Returns the cell with an index.
    #[inline]
    pub const fn new(index: usize) -> Cell {
        Cell(index as u16)
    }

    /// Returns the index of the cell.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A file and a rank, both counted from 0, whether or not the board has such a cell. Written `d11`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Coord {
    /// The file: 0 for `a`. No letter is skipped.
    pub file: i16,
    /// The rank: 0 for `1`.
    pub rank: i16,
}

impl Coord {
    /// Returns the coordinate with a file and a rank, both counted from 0.
    #[inline]
    pub const fn new(file: i16, rank: i16) -> Coord {
        Coord { file, rank }
    }

    /// Returns the coordinate one `step` away.
    #[inline]
    #[must_use]
    pub const fn plus(self, step: Step) -> Coord {
        Coord { file: self.file + step.file, rank: self.rank + step.rank }
    }
}

/// Writes the file letter and the rank number: `d11`.
impl fmt::Display for Coord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = u8::try_from(self.file)
            .ok()
            .filter(|file| *file < 26)
            .map_or('?', |file| char::from(b'a' + file));
        write!(f, "{letter}{}", i32::from(self.rank) + 1)
    }
}

/// A direction: the difference between two neighboring coordinates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Step {
    /// The number of files to the right.
    pub file: i16,
    /// The number of ranks up.
    pub rank: i16,
}

impl Step {
    const fn new(file: i16, rank: i16) -> Step {
        Step { file, rank }
    }

    /// Returns the opposite step.
    #[must_use]
    pub const fn back(self) -> Step {
        Step { file: -self.file, rank: -self.rank }
    }
}

/// The rising steps along the axes of a square board: along ranks and along files.
const SQUARE_AXES: [Step; 2] = [Step::new(1, 0), Step::new(0, 1)];
/// The rising diagonal steps of a square board.
const DIAGONAL_AXES: [Step; 2] = [Step::new(1, 1), Step::new(-1, 1)];
/// The rising steps along the three axes of a hexagonal board.
const HEX_AXES: [Step; 3] = [Step::new(1, 0), Step::new(0, 1), Step::new(1, 1)];

/// The shape and size of a board.
///
/// Files are letters starting at `a`, without skipping any; ranks are numbers starting at 1. A
/// hexagonal board with `side` cells a side has the cells whose file and rank differ by less than
/// `side`; the neighbors of a hexagonal cell are (+-1, 0), (0, +-1), (+1, +1), and (-1, -1).
/// SkudPaiSho and Ludii use the same labels.
///
/// # Examples
///
/// ```
/// use tafl_rules::{Coord, Shape};
///
/// let shape = Shape::square(11).unwrap();
/// let center = shape.cell("f6".parse::<Coord>()?).unwrap();
/// assert_eq!(shape.center(), Some(center));
/// let around: Vec<String> = shape.neighbors(center).map(|cell| shape.name(cell)).collect();
/// assert_eq!(around, ["g6", "e6", "f7", "f5"]);
/// # Ok::<(), tafl_rules::CellError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Shape {
    /// A square board.
    Square {
        /// The number of cells a side, 5 to 21.
        side: u8,
    },
    /// A hexagonal board.
    Hex {
        /// The number of cells a side, 3 to 8.
        side: u8,
    },
}

impl Shape {
    /// The largest number of cells a side.
    pub const MAX_SIDE: u8 = 21;
    /// The largest number of cells of a board.
    pub const MAX_CELLS: usize = Self::MAX_SIDE as usize * Self::MAX_SIDE as usize;

    /// Returns the square board with `side` cells a side, or `None` unless `side` is 5 to 21.
    pub fn square(side: u8) -> Option<Shape> {
        (5..=Self::MAX_SIDE).contains(&side).then_some(Shape::Square { side })
    }

    /// Returns the hexagonal board with `side` cells a side, or `None` unless `side` is 3 to 8.
    pub fn hex(side: u8) -> Option<Shape> {
        (3..=8).contains(&side).then_some(Shape::Hex { side })
    }

    /// Returns the number of cells a side.
    pub const fn side(self) -> u8 {
        match self {
            Shape::Square { side } | Shape::Hex { side } => side,
        }
    }

    /// Returns whether the board is hexagonal.
    pub const fn is_hex(self) -> bool {
        matches!(self, Shape::Hex { .. })
    }

    /// Returns the number of ranks, which is also the number of files.
    #[inline]
    pub const fn n_ranks(self) -> i16 {
        match self {
            Shape::Square { side } => side as i16,
            Shape::Hex { side } => 2 * side as i16 - 1,
        }
    }

    /// Returns the number of cells.
    pub const fn n_cells(self) -> usize {
        match self {
            Shape::Square { side } => side as usize * side as usize,
            Shape::Hex { side } => 3 * side as usize * (side as usize - 1) + 1,
        }
    }

    /// Returns the first file of a rank.
    #[inline]
    pub const fn first_file(self, rank: i16) -> i16 {
        match self {
            Shape::Square { .. } => 0,
            Shape::Hex { side } => {
                let low = rank - (side as i16 - 1);
                if low > 0 { low } else { 0 }
            }
        }
    }

    /// Returns the number of cells in a rank.
    #[inline]
    pub const fn rank_len(self, rank: i16) -> i16 {
        match self {
            Shape::Square { side } => side as i16,
            Shape::Hex { side } => {
                let off = rank - (side as i16 - 1);
                2 * side as i16 - 1 - off.abs()
            }
        }
    }

    /// Returns whether the board has a cell at a coordinate.
    #[inline]
    pub const fn has(self, coord: Coord) -> bool {
        coord.rank >= 0
            && coord.rank < self.n_ranks()
            && coord.file >= self.first_file(coord.rank)
            && coord.file < self.first_file(coord.rank) + self.rank_len(coord.rank)
    }

    /// Returns the index of the first cell of a rank.
    #[inline]
    const fn rank_start(self, rank: i16) -> usize {
        match self {
            Shape::Square { side } => rank as usize * side as usize,
            Shape::Hex { side } => {
                let (n, r) = (side as usize, rank as usize);
                if r < n {
                    r * n + r * r.saturating_sub(1) / 2
                } else {
                    // The upper half mirrors the lower half: count the cells from here to the end.
                    let left = 2 * n - 1 - r;
                    self.n_cells() - (left * n + left * left.saturating_sub(1) / 2)
                }
            }
        }
    }

    /// Returns the cell at a coordinate, or `None` if it is off the board.
    #[inline]
    pub const fn cell(self, coord: Coord) -> Option<Cell> {
        if self.has(coord) {
            Some(Cell::new(self.rank_start(coord.rank) + (coord.file - self.first_file(coord.rank)) as usize))
        } else {
            None
        }
    }

    /// Returns the coordinate of a cell.
    ///
    /// # Panics
    ///
    /// Panics if the cell is not on the board.
    pub fn coord(self, cell: Cell) -> Coord {
        assert!(
            cell.index() < self.n_cells(),
            "cell {} is not on a board of {} cells",
            cell.index(),
            self.n_cells()
        );
        match self {
            Shape::Square { side } => {
                Coord::new(cell.index() as i16 % i16::from(side), cell.index() as i16 / i16::from(side))
            }
            Shape::Hex { .. } => {
                let rank = (0..self.n_ranks())
                    .rev()
                    .find(|rank| self.rank_start(*rank) <= cell.index())
                    .expect("rank 0 starts at cell 0");
                Coord::new(self.first_file(rank) + (cell.index() - self.rank_start(rank)) as i16, rank)
            }
        }
    }

    /// Returns every cell in ascending order.
    pub fn cells(self) -> impl DoubleEndedIterator<Item = Cell> + ExactSizeIterator {
        (0..self.n_cells()).map(Cell::new)
    }

    /// Returns the rising steps of the axes along which pieces slide and capture: two on square
    /// boards, three on hexagonal boards.
    pub const fn axes(self) -> &'static [Step] {
        match self {
            Shape::Square { .. } => &SQUARE_AXES,
            Shape::Hex { .. } => &HEX_AXES,
        }
    }

    /// Returns the rising steps of the diagonals; hexagonal boards have none.
    pub const fn diagonals(self) -> &'static [Step] {
        match self {
            Shape::Square { .. } => &DIAGONAL_AXES,
            Shape::Hex { .. } => &[],
        }
    }

    /// Returns the neighbors of a cell along the axes, in the order of the axes, each in both
    /// directions.
    pub fn neighbors(self, cell: Cell) -> impl Iterator<Item = Cell> {
        let coord = self.coord(cell);
        self.axes()
            .iter()
            .flat_map(|step| [*step, step.back()])
            .filter_map(move |step| self.cell(coord.plus(step)))
    }

    /// Returns whether a cell is on the edge of the board.
    pub fn is_edge(self, cell: Cell) -> bool {
        self.neighbors(cell).count() < 2 * self.axes().len()
    }

    /// Returns the physical corners in ascending order: four on square boards, six on hexagonal
    /// boards.
    pub fn corners(self) -> Vec<Cell> {
        let corner_neighbors = match self {
            Shape::Square { .. } => 2,
            Shape::Hex { .. } => 3,
        };
        self.cells().filter(|cell| self.neighbors(*cell).count() == corner_neighbors).collect()
    }

    /// Returns the physical center; `None` for a square board with an even number of cells a side.
    pub fn center(self) -> Option<Cell> {
        let middle = (self.n_ranks() - 1) / 2;
        match self {
            Shape::Square { side } if side % 2 == 0 => None,
            Shape::Square { .. } | Shape::Hex { .. } => self.cell(Coord::new(middle, middle)),
        }
    }

    /// Returns the cell's name, such as `d11`.
    pub fn name(self, cell: Cell) -> String {
        self.coord(cell).to_string()
    }
}

/// Writes `11x11` for a square board and `hex 4` for a hexagonal board.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shape::Square { side } => write!(f, "{side}x{side}"),
            Shape::Hex { side } => write!(f, "hex {side}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_shapes() -> impl Iterator<Item = Shape> {
        (5..=Shape::MAX_SIDE).filter_map(Shape::square).chain((3..=8).filter_map(Shape::hex))
    }

    #[test]
    fn cells_and_coords_are_inverse() {
        for shape in all_shapes() {
            for cell in shape.cells() {
                assert_eq!(shape.cell(shape.coord(cell)), Some(cell), "{shape}");
            }
        }
    }

    #[test]
    fn every_coordinate_has_a_name() {
        assert_eq!(Coord::new(0, i16::MAX).to_string(), "a32768");
        assert_eq!(Coord::new(26, -1).to_string(), "?0");
    }

    #[test]
    fn corners_and_center_are_correct() {
        let names = |shape: Shape| shape.corners().iter().map(|cell| shape.name(*cell)).collect::<Vec<_>>();
        assert_eq!(names(Shape::Square { side: 11 }), ["a1", "k1", "a11", "k11"]);
        assert_eq!(names(Shape::Hex { side: 4 }), ["a1", "d1", "a4", "g4", "d7", "g7"]);
        assert_eq!(
            Shape::Hex { side: 4 }.center().map(|c| Shape::Hex { side: 4 }.name(c)).as_deref(),
            Some("d4")
        );
        assert_eq!(Shape::Square { side: 8 }.center(), None);
    }

    #[test]
    fn a_hexagon_has_the_known_number_of_cells() {
        assert_eq!(Shape::Hex { side: 4 }.n_cells(), 37);
        assert_eq!(Shape::Hex { side: 5 }.n_cells(), 61);
    }
}
