//! Positions as planes of numbers, for neural networks.

use numpy::PyArray4;
use numpy::ndarray::{Array4, ArrayViewMut3, Axis};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use taflbase::rules::{Game, Role, Shape, Side};

use crate::position::PyPosition;

/// The roles with a plane for each side, in this order.
const ROLES: [Role; 6] =
    [Role::Soldier, Role::King, Role::Commander, Role::Knight, Role::Mercenary, Role::Guard];

/// The number of planes: pieces of the side to move, those of the other side, the cells of the board, and whether the
/// attackers are to move.
pub(crate) const PLANES: usize = 2 * ROLES.len() + 2;

/// Returns the number of ranks and of files of planes. A hexagonal board fills a part of its square.
pub(crate) fn plane_shape(shape: Shape) -> (usize, usize) {
    let n_ranks = shape.n_ranks() as usize;
    (n_ranks, n_ranks)
}

/// Returns positions of boards of one shape as planes of bytes, with the dimensions position, plane, rank, and file.
///
/// The planes are the pieces of the side to move (men, king, commanders, knights, mercenaries, guards), those of the other
/// side, the cells of the board, and one that is filled with 1 if the attackers are to move.
#[pyfunction]
pub(crate) fn planes<'py>(
    py: Python<'py>,
    positions: Vec<PyRef<'py, PyPosition>>,
) -> PyResult<Bound<'py, PyArray4<u8>>> {
    let Some(first) = positions.first() else {
        return Ok(PyArray4::zeros(py, [0, PLANES, 0, 0], false));
    };
    let shape = first.game.shape();
    let (n_ranks, n_files) = plane_shape(shape);
    let mut all = Array4::<u8>::zeros([positions.len(), PLANES, n_ranks, n_files]);
    for (position, planes) in positions.iter().zip(all.axis_iter_mut(Axis(0))) {
        if position.game.shape() != shape {
            return Err(PyValueError::new_err("the boards have different shapes"));
        }
        fill(&position.game, planes);
    }
    Ok(PyArray4::from_owned_array(py, all))
}

/// Fills the planes of a position, which are zero.
pub(crate) fn fill(game: &Game, mut planes: ArrayViewMut3<'_, u8>) {
    let (shape, to_move) = (game.shape(), game.to_move());
    let attackers_move = u8::from(to_move == Side::Attackers);
    for cell in shape.cells() {
        let coord = shape.coord(cell);
        let (rank, file) = (coord.rank as usize, coord.file as usize);
        planes[[PLANES - 2, rank, file]] = 1;
        planes[[PLANES - 1, rank, file]] = attackers_move;
        if let Some(piece) = game.piece(cell) {
            let role = ROLES.iter().position(|role| *role == piece.role).unwrap_or_default();
            let plane = role + if piece.side == to_move { 0 } else { ROLES.len() };
            planes[[plane, rank, file]] = 1;
        }
    }
}
