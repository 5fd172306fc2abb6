//! The keys of positions in a proof-number search. If the rules allow it, all mirror images share a
//! key.

use tafl_rules::{Piece, Position, Rulebook, Side, split_mix};

/// The golden ratio as a fraction of 2^64: an odd number whose multiples are distributed evenly.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The maximum number of symmetries of a board.
const MAX_SYMMETRIES: usize = 12;

/// Keys that are equal for a position and its images under the symmetries of the rules.
#[derive(Debug)]
pub(super) struct CanonicalKeys {
    /// The contribution of each piece on each cell to the key of each image.
    parts: Vec<[u64; MAX_SYMMETRIES]>,
    /// The contribution of a piece that must move again in a chain, for each cell.
    chains: Vec<[u64; MAX_SYMMETRIES]>,
    n_cells: usize,
    n_symmetries: usize,
}

impl CanonicalKeys {
    /// Creates the keys for rules, with all their symmetries or with none.
    pub(super) fn new<const N: usize>(book: &Rulebook<N>, symmetry: Symmetries) -> CanonicalKeys {
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
        CanonicalKeys {
            parts: parts.map(|(number, cell)| part(number, cell)).collect(),
            chains: (0..n_cells).map(|cell| part(Piece::COUNT, cell)).collect(),
            n_cells,
            n_symmetries: symmetries.len(),
        }
    }

    /// Returns the key of a position.
    #[inline]
    pub(super) fn key<const N: usize>(&self, pos: &Position<N>) -> u64 {
        let mut keys = [0; MAX_SYMMETRIES];
        let mut add =
            |parts: &[u64; MAX_SYMMETRIES]| keys.iter_mut().zip(parts).for_each(|(key, part)| *key ^= part);
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

/// The images of a position that share its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Symmetries {
    /// All images under the symmetries of the rules.
    OfRules,
    /// None, because the history distinguishes them.
    None,
}

/// Returns a pseudorandom number for an index.
const fn mix(step: u64) -> u64 {
    const SEED: u64 = 0x736f_6c76_6572_2121;
    split_mix(SEED.wrapping_add(step.wrapping_mul(GOLDEN)))
}
