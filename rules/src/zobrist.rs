//! Zobrist keys of positions.
//!
//! Other programs store keys, so they are part of the interface: version [`KEY_VERSION`] fixes the
//! seed, the numbering of cells and pieces, and the parts of a key. `tests/fixtures/keys.csv` pins
//! values.

use crate::piece::Piece;
use crate::rng::{INCREMENT, split_mix};
use crate::setup::Setup;
use crate::shape::{Cell, Shape};
use crate::side::Side;
use crate::symmetry::Symmetry;

/// The version of position keys. A new version assigns other keys to the same positions.
pub const KEY_VERSION: u32 = 1;

/// The key of a position: board shape, pieces, side to move, and the piece that must move again in
/// a berserk chain.
///
/// Equal positions have equal keys. Two different positions have the same key with a probability of
/// about 2^-64.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PositionKey(pub u64);

impl PositionKey {
    /// Returns the key of the same board with the other side to move. The position must be outside of chains.
    #[inline]
    pub const fn with_other_side(self) -> PositionKey {
        PositionKey(self.0 ^ DEFENDERS_TO_MOVE)
    }
}

/// The smallest key of a position and its images under the symmetries of its rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CanonicalKey(pub u64);

impl std::fmt::Display for PositionKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl std::fmt::Display for CanonicalKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// Returns the canonical key of an arrangement with a side to move: the smallest key of its images.
/// `chain_cell` is the cell of the piece that must move again in a chain, if any.
///
/// `symmetries` are those of the rules. Returns the same key as [`crate::Game::canonical_key`],
/// without compiled rules.
///
/// # Examples
///
/// ```
/// use tafl_rules::{AnyRulebook, Game, RuleSet, canonical_key, rules_symmetries};
///
/// let rules = RuleSet::named("brandubh7")?;
/// let game = Game::new(&AnyRulebook::compile(&rules)?);
/// let key = canonical_key(&rules.start, rules.first_mover, None, &rules_symmetries(&rules));
/// assert_eq!(key, game.canonical_key().0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn canonical_key(
    setup: &Setup,
    to_move: Side,
    chain_cell: Option<Cell>,
    symmetries: &[Symmetry],
) -> CanonicalKey {
    let empty = shape(setup.shape()) ^ side_to_move(to_move);
    let image = |symmetry: &Symmetry| {
        let chain_key = chain_cell.map_or(0, |cell| chain(symmetry.image(cell)));
        setup
            .pieces()
            .fold(empty ^ chain_key, |key, (cell, piece)| key ^ piece_on(piece, symmetry.image(cell)))
    };
    CanonicalKey(symmetries.iter().map(image).min().unwrap_or(empty))
}

/// "taflbase" in ASCII. Any constant would do, but it can never change without a new [`KEY_VERSION`].
const SEED: u64 = 0x7461_666c_6261_7365;

/// Returns the key with a number: SplitMix64 seeded with [`SEED`].
const fn key(number: u64) -> u64 {
    split_mix(SEED.wrapping_add(number.wrapping_mul(INCREMENT)))
}

/// The number of the first piece key, with sixteen numbers per cell: there are twelve kinds of pieces, and a
/// power of two makes the index a shift. Numbers 0 to 1023 are for sides, shapes, and chains.
const FIRST_PIECE: u64 = 1024;

/// The keys of pieces. WebAssembly computes them instead: random numbers can't be compressed, and these would be a tenth of the
/// file that pages load.
#[cfg(not(target_arch = "wasm32"))]
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

/// The part of a key for the side to move; attackers contribute nothing.
pub(crate) const DEFENDERS_TO_MOVE: u64 = key(0);

/// Returns the part of a key for a piece on a cell.
#[inline]
pub(crate) fn piece_on(piece: Piece, cell: Cell) -> u64 {
    #[cfg(not(target_arch = "wasm32"))]
    return PIECES[cell.index()][piece.index()];
    #[cfg(target_arch = "wasm32")]
    key(FIRST_PIECE + (cell.index() * 16 + piece.index()) as u64)
}

/// Returns the part of a key for the side to move.
#[inline]
pub(crate) const fn side_to_move(side: Side) -> u64 {
    match side {
        Side::Attackers => 0,
        Side::Defenders => DEFENDERS_TO_MOVE,
    }
}

/// Returns the part of a key for the shape of the board. Boards have at most 21 cells per side, so the numbers of
/// square and hexagonal boards and of chains do not overlap.
pub(crate) const fn shape(shape: Shape) -> u64 {
    match shape {
        Shape::Square { side } => key(16 + side as u64),
        Shape::Hex { side } => key(64 + side as u64),
    }
}

/// Returns the part of a key for the piece that must move again.
pub(crate) const fn chain(cell: Cell) -> u64 {
    key(128 + cell.index() as u64)
}
