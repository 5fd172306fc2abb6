//! Keys under which a proof-number search keeps positions: one for all mirror images where the rules allow it.

use tafl_rules::position::Position;
use tafl_rules::rng::split_mix;
use tafl_rules::rulebook::Rulebook;
use tafl_rules::{Piece, Side};

/// The golden ratio as a fraction of 2^64: an odd number whose multiples are spread evenly.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The most symmetries that a board has.
const MOST: usize = 12;

/// A key for a position and all its images under the symmetries of the rules.
#[derive(Debug)]
pub(super) struct Keys {
    /// For each piece and cell, what it adds to the key of each image.
    parts: Vec<[u64; MOST]>,
    /// For each cell, the same for a piece that goes on there in a chain.
    chains: Vec<[u64; MOST]>,
    n_cells: usize,
    n_symmetries: usize,
}

impl Keys {
    /// Returns keys for rules; with all of their symmetries, or with none.
    pub(super) fn new<const N: usize>(book: &Rulebook<N>, symmetry: Symmetries) -> Keys {
        let n_cells = book.shape().n_cells();
        let symmetries = match symmetry {
            Symmetries::OfRules => book.symmetries(),
            Symmetries::None => &book.symmetries()[..1],
        };
        let part = |number: usize, cell: usize| {
            std::array::from_fn(|at| {
                let image = symmetries.get(at).map_or(cell, |symmetry| symmetry.map[cell].index());
                mix((number * n_cells + image) as u64)
            })
        };
        let parts = (0..Piece::COUNT).flat_map(|number| (0..n_cells).map(move |cell| (number, cell)));
        Keys {
            parts: parts.map(|(number, cell)| part(number, cell)).collect(),
            chains: (0..n_cells).map(|cell| part(Piece::COUNT, cell)).collect(),
            n_cells,
            n_symmetries: symmetries.len(),
        }
    }

    /// Returns the key of a position.
    #[inline]
    pub(super) fn key<const N: usize>(&self, pos: &Position<N>) -> u64 {
        let mut keys = [0; MOST];
        let mut add = |parts: &[u64; MOST]| keys.iter_mut().zip(parts).for_each(|(key, part)| *key ^= part);
        for side in Side::ALL {
            for cell in pos.side(side) {
                let piece = Piece::new(side, pos.role_at(cell));
                add(&self.parts[piece.index() * self.n_cells + cell.index()]);
            }
        }
        if let Some(cell) = pos.chain() {
            add(&self.chains[cell.index()]);
        }
        let least = keys[..self.n_symmetries].iter().min().copied().unwrap_or(0);
        least ^ (pos.to_move().index() as u64).wrapping_mul(GOLDEN)
    }
}

/// Which images of a position share its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Symmetries {
    /// All that the rules allow.
    OfRules,
    /// None, because the history tells them apart.
    None,
}

/// Returns the number of a step of one generator.
const fn mix(step: u64) -> u64 {
    const SEED: u64 = 0x736f_6c76_6572_2121;
    split_mix(SEED.wrapping_add(step.wrapping_mul(GOLDEN)))
}
