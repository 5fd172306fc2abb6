//! Positions as planes of numbers, for neural networks.

use numpy::PyArray4;
use numpy::ndarray::Array4;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use taflbase::rules::{Role, Shape, Side};

use crate::position::PyPosition;

/// The roles with a plane for each side, in this order.
const ROLES: [Role; 6] =
    [Role::Soldier, Role::King, Role::Commander, Role::Knight, Role::Mercenary, Role::Guard];

/// The number of planes: pieces of the side to move, those of the other side, the cells of the board, and whether the
/// attackers are to move.
const PLANES: usize = 2 * ROLES.len() + 2;

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
    for (number, position) in positions.iter().enumerate() {
        let game = &position.game;
        if game.shape() != shape {
            return Err(PyValueError::new_err("the boards have different shapes"));
        }
        let setup = game.setup();
        for (cell, piece) in setup.pieces() {
            let role = ROLES.iter().position(|role| *role == piece.role).unwrap_or_default();
            let plane = role + if piece.side == game.to_move() { 0 } else { ROLES.len() };
            let coord = shape.coord(cell);
            all[[number, plane, coord.rank as usize, coord.file as usize]] = 1;
        }
        let attackers_move = u8::from(game.to_move() == Side::Attackers);
        for cell in shape.cells() {
            let coord = shape.coord(cell);
            let (rank, file) = (coord.rank as usize, coord.file as usize);
            all[[number, PLANES - 2, rank, file]] = 1;
            all[[number, PLANES - 1, rank, file]] = attackers_move;
        }
    }
    Ok(PyArray4::from_owned_array(py, all))
}
