//! Keys of positions.
//!
//! Keys are stored by others, so they are part of the interface: version [`KEY_VERSION`] pins the seed, the numbering
//! of cells and pieces, and what enters a key. `tests/fixtures/keys.csv` pins values.

use crate::piece::Piece;
use crate::rng::{INCREMENT, split_mix};
use crate::setup::Setup;
use crate::shape::{Cell, Shape};
use crate::side::Side;
use crate::symmetry::Symmetry;

/// The version of position keys. Another version means other numbers for the same positions.
pub const KEY_VERSION: u32 = 1;

/// The key of a position: board shape, pieces, side to move, and the piece that goes on in a berserk chain.
///
/// Equal positions have equal keys; different positions have different keys but for a chance of about 1 in 2^64.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(pub u64);

/// The least key of a position and its images under the symmetries of its rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CanonicalKey(pub u64);

impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl std::fmt::Display for CanonicalKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// Returns the canonical key of an arrangement with a side to move: the least key of its images. `going_on` is the cell of
/// the piece that must go on in a chain, if there is one.
///
/// `symmetries` are those of the rules; the same as [`crate::Game::canonical_key`], without compiled rules.
pub fn canonical_key(
    setup: &Setup,
    to_move: Side,
    going_on: Option<Cell>,
    symmetries: &[Symmetry],
) -> CanonicalKey {
    let empty = shape(setup.shape()) ^ side_to_move(to_move);
    let image = |symmetry: &Symmetry| {
        let going_on = going_on.map_or(0, |cell| chain(symmetry.image(cell)));
        setup
            .pieces()
            .fold(empty ^ going_on, |key, (cell, piece)| key ^ piece_on(piece, symmetry.image(cell)))
    };
    CanonicalKey(symmetries.iter().map(image).min().unwrap_or(empty))
}

const SEED: u64 = 0x7461_666c_6261_7365;

/// Returns the key with this number: SplitMix64 seeded with [`SEED`].
const fn key(number: u64) -> u64 {
    split_mix(SEED.wrapping_add(number.wrapping_mul(INCREMENT)))
}

/// Numbers 0 to 1023 are for sides, shapes and chains; pieces follow, sixteen numbers a cell.
const FIRST_PIECE: u64 = 1024;

static PIECES: [[u64; 16]; Shape::MAX_CELLS] = {
    let mut keys = [[0; 16]; Shape::MAX_CELLS];
    let mut cell = 0;
    while cell < Shape::MAX_CELLS {
        let mut piece = 0;
        while piece < 16 {
            keys[cell][piece] = key(FIRST_PIECE + (cell * 16 + piece) as u64);
            piece += 1;
        }
        cell += 1;
    }
    keys
};

/// The part of a key that says which side moves: nothing for attackers.
pub(crate) const DEFENDERS_TO_MOVE: u64 = key(0);

/// Returns the part of a key that a piece on a cell adds.
#[inline]
pub(crate) fn piece_on(piece: Piece, cell: Cell) -> u64 {
    PIECES[cell.index()][piece.index()]
}

/// Returns the part of a key that says who moves.
#[inline]
pub(crate) const fn side_to_move(side: Side) -> u64 {
    match side {
        Side::Attackers => 0,
        Side::Defenders => DEFENDERS_TO_MOVE,
    }
}

/// Returns the part of a key that names the shape of the board.
pub(crate) const fn shape(shape: Shape) -> u64 {
    match shape {
        Shape::Square { side } => key(16 + side as u64),
        Shape::Hex { side } => key(64 + side as u64),
    }
}

/// Returns the part of a key that says that the piece on a cell goes on.
pub(crate) const fn chain(cell: Cell) -> u64 {
    key(128 + cell.index() as u64)
}
