//! The neighbors of a cell with the cells beyond them.

use crate::shape::{Cell, Shape};

/// A neighbor of a cell and the cell beyond it, if the board has one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Across {
    /// The neighbor.
    pub(crate) near: Cell,
    /// The cell beyond the neighbor, as seen from the first cell.
    pub(crate) far: Option<Cell>,
}

/// The neighbors of a cell that have a cell beyond them, each with that cell; the first `n` are set.
#[derive(Debug, Clone, Copy)]
pub(super) struct CustodialPairs {
    pub(super) n: u16,
    pub(super) pairs: [(Cell, Cell); 6],
}

pub(super) fn custodial_pairs(shape: Shape, cell: Cell) -> CustodialPairs {
    let mut custodial_pairs = CustodialPairs { n: 0, pairs: [(cell, cell); 6] };
    for Across { near, far } in across(shape, cell) {
        if let Some(far) = far {
            custodial_pairs.pairs[usize::from(custodial_pairs.n)] = (near, far);
            custodial_pairs.n += 1;
        }
    }
    custodial_pairs
}

pub(super) fn across(shape: Shape, cell: Cell) -> Vec<Across> {
    let coord = shape.coord(cell);
    shape
        .axes()
        .iter()
        .flat_map(|step| [*step, step.back()])
        .filter_map(|step| {
            let near = coord.plus(step);
            shape.cell(near).map(|cell| Across { near: cell, far: shape.cell(near.plus(step)) })
        })
        .collect()
}
