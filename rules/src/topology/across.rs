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
pub(super) struct Sandwiches {
    pub(super) n: u16,
    pub(super) pairs: [(Cell, Cell); 6],
}

pub(super) fn sandwiches(shape: Shape, cell: Cell) -> Sandwiches {
    let mut sandwiches = Sandwiches { n: 0, pairs: [(cell, cell); 6] };
    for Across { near, far } in across(shape, cell) {
        if let Some(far) = far {
            sandwiches.pairs[usize::from(sandwiches.n)] = (near, far);
            sandwiches.n += 1;
        }
    }
    sandwiches
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
