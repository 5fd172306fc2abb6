//! The geometry of a board as tables: rays, neighbors, and opposite cells. Built once for each
//! shape.

use crate::bitboard::Bitboard;
use crate::shape::{Cell, Shape, Step};

mod across;
#[cfg(test)]
mod tests;

pub(crate) use across::Across;
use across::{CustodialPairs, across, custodial_pairs};

/// The two rays of one axis from one cell.
///
/// `rising_end` and `falling_end` are the last cells of the rays, or the cell itself if the ray is
/// empty. Counting them as blockers guarantees that a scan always finds a bit.
#[derive(Debug, Clone, Copy)]
struct Rays<const N: usize> {
    rising: Bitboard<N>,
    falling: Bitboard<N>,
    rising_end: Bitboard<N>,
    falling_end: Bitboard<N>,
}

/// The tables of a board shape whose cells fit in `N` words.
///
/// # Examples
///
/// ```
/// use tafl_rules::{Bitboard, Shape, Topology};
///
/// let shape = Shape::square(7).unwrap();
/// let topology: Topology<1> = Topology::new(shape);
/// // On an empty board, a piece in the center slides to 12 cells.
/// assert_eq!(topology.slide(shape.center().unwrap(), Bitboard::EMPTY).count(), 12);
/// ```
#[derive(Debug, Clone)]
pub struct Topology<const N: usize> {
    shape: Shape,
    /// Every cell of the board.
    pub(crate) all: Bitboard<N>,
    /// The cells on the edge.
    pub(crate) edge: Bitboard<N>,
    n_axes: usize,
    /// The rays along the axes, `n_axes` for each cell.
    rays: Vec<Rays<N>>,
    /// The rays along the diagonals, two for each cell of a square board.
    diagonals: Vec<Rays<N>>,
    neighbors: Vec<Bitboard<N>>,
    across: Vec<Vec<Across>>,
    /// For each cell, its neighbors with a cell beyond them, see [`Topology::flanked`].
    custodial_pairs: Vec<CustodialPairs>,
    /// On square boards: all files except the first, and all files except the last.
    not_first: Bitboard<N>,
    not_last: Bitboard<N>,
}

impl<const N: usize> Topology<N> {
    /// Returns the tables of a shape.
    ///
    /// # Panics
    ///
    /// Panics if the shape has more cells than `N` words have bits.
    pub fn new(shape: Shape) -> Topology<N> {
        assert!(shape.n_cells() <= 64 * N, "a {shape} board does not fit in {N} words");
        let rays_along = |axes: &[Step]| -> Vec<Rays<N>> {
            shape.cells().flat_map(|cell| axes.iter().map(move |step| rays(shape, cell, *step))).collect()
        };
        let file_is =
            |file: i16| shape.cells().filter(|cell| shape.coord(*cell).file == file).collect::<Bitboard<N>>();
        let all: Bitboard<N> = shape.cells().collect();
        Topology {
            shape,
            all,
            edge: shape.cells().filter(|cell| shape.is_edge(*cell)).collect(),
            n_axes: shape.axes().len(),
            rays: rays_along(shape.axes()),
            diagonals: rays_along(shape.diagonals()),
            neighbors: shape.cells().map(|cell| shape.neighbors(cell).collect()).collect(),
            across: shape.cells().map(|cell| across(shape, cell)).collect(),
            custodial_pairs: shape.cells().map(|cell| custodial_pairs(shape, cell)).collect(),
            not_first: all.without(file_is(0)),
            not_last: all.without(file_is(shape.n_ranks() - 1)),
        }
    }

    /// Returns the shape of the board.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns the neighbors of a cell along the axes.
    #[inline]
    pub fn neighbors(&self, cell: Cell) -> Bitboard<N> {
        self.neighbors[cell.index()]
    }

    /// Returns the neighbors of a cell with the cells beyond them, axis by axis, rising direction
    /// first.
    #[inline]
    pub(crate) fn across(&self, cell: Cell) -> &[Across] {
        &self.across[cell.index()]
    }

    /// Returns the neighbors of a cell that are in `middle` and have a cell of `far` beyond them.
    #[inline]
    pub(crate) fn flanked(&self, cell: Cell, middle: Bitboard<N>, far: Bitboard<N>) -> Bitboard<N> {
        let CustodialPairs { n, pairs } = &self.custodial_pairs[cell.index()];
        let mut found = Bitboard::EMPTY;
        for (near, beyond) in pairs.iter().take(usize::from(*n)) {
            found.insert_if(*near, middle.contains(*near) & far.contains(*beyond));
        }
        found
    }

    /// Returns the cells on the edge.
    #[inline]
    pub fn edge(&self) -> Bitboard<N> {
        self.edge
    }

    /// Returns the cells that a slide along the axes reaches, including the first blocker of each
    /// ray.
    #[inline]
    pub fn slide(&self, from: Cell, blockers: Bitboard<N>) -> Bitboard<N> {
        slide_along(&self.rays, self.n_axes, from, blockers)
    }

    /// Returns whether a slide along the axes reaches a cell; the first blocker of each ray counts
    /// as reached.
    ///
    /// At most one ray contains the target, so this avoids the other rays of [`Topology::slide`]. Checking a
    /// written move is the most frequent operation of a replay.
    #[inline]
    pub(crate) fn reaches(&self, from: Cell, to: Cell, blockers: Bitboard<N>) -> bool {
        for own in &self.rays[from.index() * self.n_axes..(from.index() + 1) * self.n_axes] {
            if own.rising.contains(to) {
                return to <= (own.rising & blockers | own.rising_end).lowest();
            }
            if own.falling.contains(to) {
                return to >= (own.falling & blockers | own.falling_end).highest();
            }
        }
        false
    }

    /// Returns the cells that a slide along the diagonals reaches, including the first blocker of
    /// each ray.
    pub fn slide_diagonally(&self, from: Cell, blockers: Bitboard<N>) -> Bitboard<N> {
        slide_along(&self.diagonals, self.shape.diagonals().len(), from, blockers)
    }

    /// Returns the cells one step from the cells of a set on a square board, in each direction: right, left, up, and down.
    ///
    /// Shifts move all cells at once. The masks remove cells that would wrap to the next rank or leave the board.
    #[inline]
    fn steps(&self, cells: Bitboard<N>, side: u8) -> [Bitboard<N>; 4] {
        [self.right(cells), self.left(cells), self.up(cells, side), self.down(cells, side)]
    }

    /// Returns the files around a cell of a square board that are on the board: bits for the one to the left, its own, and the one
    /// to the right.
    #[inline]
    pub(crate) fn columns_around(&self, cell: Cell) -> u64 {
        u64::from(self.not_first.contains(cell)) | 2 | u64::from(self.not_last.contains(cell)) << 2
    }

    #[inline]
    fn right(&self, cells: Bitboard<N>) -> Bitboard<N> {
        (cells & self.not_last).up(1)
    }

    /// Returns the cells of slides to the right as in [`Topology::slide_all`]: the carries of one addition run through the free
    /// cells.
    #[inline]
    fn slide_right(&self, cells: Bitboard<N>, free: Bitboard<N>) -> Bitboard<N> {
        let first = self.right(cells);
        let passed = free & self.not_last;
        first | (passed.plus(first & passed) ^ passed)
    }

    #[inline]
    fn left(&self, cells: Bitboard<N>) -> Bitboard<N> {
        (cells & self.not_first).down(1)
    }

    #[inline]
    fn up(&self, cells: Bitboard<N>, side: u8) -> Bitboard<N> {
        cells.up(u32::from(side)) & self.all
    }

    #[inline]
    fn down(&self, cells: Bitboard<N>, side: u8) -> Bitboard<N> {
        cells.down(u32::from(side))
    }

    /// Returns whether a free cell is below a cell of the set; false on a hexagonal board.
    #[inline]
    pub(crate) fn can_step_down(&self, cells: Bitboard<N>, free: Bitboard<N>) -> bool {
        match self.shape {
            Shape::Square { side } => self.down(cells, side).meets(&free),
            Shape::Hex { .. } => false,
        }
    }

    /// Returns the neighbors of all cells of a set; cells of the set are included if they are
    /// adjacent to others.
    #[inline]
    pub fn spread(&self, cells: Bitboard<N>) -> Bitboard<N> {
        match self.shape {
            Shape::Square { side } => {
                let [right, left, up, down] = self.steps(cells, side);
                right | left | up | down
            }
            Shape::Hex { .. } => {
                cells.iter().fold(Bitboard::EMPTY, |spread, cell| spread | self.neighbors[cell.index()])
            }
        }
    }

    /// Returns the cells next to a cell of `middle` that has a cell of `far` on its opposite side.
    #[inline]
    pub fn flanks(&self, middle: Bitboard<N>, far: Bitboard<N>) -> Bitboard<N> {
        match self.shape {
            Shape::Square { side } => {
                // Two steps per direction find the cells beyond all pairs at once: from `far` onto `middle`, and on.
                let [right, left, up, down] = self.steps(far, side).map(|near| near & middle);
                self.right(right) | self.left(left) | self.up(up, side) | self.down(down, side)
            }
            Shape::Hex { .. } => {
                let beyond = |far: Cell| {
                    self.across(far)
                        .iter()
                        .filter(|across| middle.contains(across.near))
                        .filter_map(|a| a.far)
                };
                far.iter().flat_map(beyond).collect()
            }
        }
    }

    /// Returns the cells between a cell of `one` and a cell of `other` on opposite sides.
    #[inline]
    pub fn between(&self, one: Bitboard<N>, other: Bitboard<N>) -> Bitboard<N> {
        match self.shape {
            Shape::Square { side } => {
                let [right, left, up, down] = self.steps(one, side);
                let [to_right, to_left, to_up, to_down] = self.steps(other, side);
                (right & to_left) | (left & to_right) | (up & to_down) | (down & to_up)
            }
            Shape::Hex { .. } => {
                let middle = |one: Cell| {
                    let ends = |across: &&Across| across.far.is_some_and(|far| other.contains(far));
                    self.across(one).iter().filter(ends).map(|across| across.near)
                };
                one.iter().flat_map(middle).collect()
            }
        }
    }

    /// Returns the diagonal neighbors of the cells of a set on a square board; empty on a hexagonal
    /// board.
    #[inline]
    pub fn spread_diagonally(&self, cells: Bitboard<N>) -> Bitboard<N> {
        match self.shape {
            Shape::Square { side } => {
                let beside = self.right(cells) | self.left(cells);
                self.up(beside, side) | self.down(beside, side)
            }
            Shape::Hex { .. } => Bitboard::EMPTY,
        }
    }

    /// Returns the cells reached by slides along the axes from all cells of a set: through `free`
    /// cells up to and including the first cell that is not free.
    pub(crate) fn slide_all(&self, cells: Bitboard<N>, free: Bitboard<N>) -> Bitboard<N> {
        match self.shape {
            Shape::Square { side } => {
                // The other directions advance in one loop: its iterations depend on each other less, and there is one exit to
                // predict.
                let mut reach = self.slide_right(cells, free);
                let [_, mut left, mut up, mut down] = self.steps(cells, side);
                loop {
                    let front = left | up | down;
                    if front.is_empty() {
                        return reach;
                    }
                    reach |= front;
                    (left, up, down) =
                        (self.left(left & free), self.up(up & free, side), self.down(down & free, side));
                }
            }
            Shape::Hex { .. } => {
                let blockers = self.all.without(free);
                cells.iter().fold(Bitboard::EMPTY, |reach, cell| reach | self.slide(cell, blockers))
            }
        }
    }

    /// Returns the cells reached by slides as by [`Topology::slide_all`] in each direction of a square board; `None` on a hexagonal
    /// one.
    #[inline]
    pub(crate) fn slide_each_way(&self, cells: Bitboard<N>, free: Bitboard<N>) -> Option<[Bitboard<N>; 4]> {
        let Shape::Square { side } = self.shape else { return None };
        let [_, left, up, down] = self.steps(cells, side);
        let mut fronts = [left, up, down];
        let [mut to_left, mut to_up, mut to_down] = fronts;
        loop {
            let [left, up, down] = fronts.map(|front| front & free);
            if (left | up | down).is_empty() {
                return Some([self.slide_right(cells, free), to_left, to_up, to_down]);
            }
            fronts = [self.left(left), self.up(up, side), self.down(down, side)];
            to_left |= fronts[0];
            to_up |= fronts[1];
            to_down |= fronts[2];
        }
    }

    /// Returns the cells connected to `seeds` through `open` cells, including the open seeds.
    #[inline]
    pub fn flood(&self, seeds: Bitboard<N>, open: Bitboard<N>) -> Bitboard<N> {
        let mut reached = seeds & open;
        loop {
            let next = match self.shape {
                // Steps along ranks, files, and ranks again: the set grows by three steps between two
                // comparisons.
                Shape::Square { side } => {
                    let rank = u32::from(side);
                    let beside = |cells: Bitboard<N>| ((self.right(cells) | self.left(cells)) & open) | cells;
                    let along = beside(reached);
                    beside(((along.up(rank) | along.down(rank)) & open) | along)
                }
                Shape::Hex { .. } => (self.spread(reached) & open) | reached,
            };
            if next == reached {
                return reached;
            }
            reached = next;
        }
    }
}

fn slide_along<const N: usize>(
    rays: &[Rays<N>],
    n_axes: usize,
    from: Cell,
    blockers: Bitboard<N>,
) -> Bitboard<N> {
    // The difference of the blockers above and the highest blocker below changes all bits between the nearest blockers, both
    // included ("obstruction difference" in chess programs); tables of occupancies would be too large for boards with up to 441
    // cells. Above the highest blocker, the difference changes all bits, so the rising ray needs no end.
    let mut reach = Bitboard::EMPTY;
    for own in &rays[from.index() * n_axes..(from.index() + 1) * n_axes] {
        let below = (own.falling & blockers | own.falling_end).highest_alone();
        let above = own.rising & blockers;
        reach |= (above ^ above.minus(below)) & (own.rising | own.falling);
    }
    reach
}

fn rays<const N: usize>(shape: Shape, cell: Cell, step: Step) -> Rays<N> {
    let walk = |step: Step| {
        std::iter::successors(Some(shape.coord(cell)), move |coord| {
            Some(coord.plus(step)).filter(|c| shape.has(*c))
        })
        .filter_map(|coord| shape.cell(coord))
    };
    let end = |step: Step| Bitboard::of(walk(step).last().expect("a walk begins with its own cell"));
    Rays {
        rising: walk(step).skip(1).collect(),
        falling: walk(step.back()).skip(1).collect(),
        rising_end: end(step),
        falling_end: end(step.back()),
    }
}
