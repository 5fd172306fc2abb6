//! The keys of all symmetric images of a position, updated from ply to ply.

use crate::position::Position;
use crate::rulebook::Rulebook;
use crate::zobrist;

/// The keys of the images of a position under each symmetry of the rules.
#[derive(Debug, Clone)]
pub(crate) struct SymmetryKeys<const N: usize> {
    at: Position<N>,
    /// One key for each symmetry, in the same order.
    keys: Vec<u64>,
}

impl<const N: usize> SymmetryKeys<N> {
    pub(crate) fn new(book: &Rulebook<N>, pos: &Position<N>) -> SymmetryKeys<N> {
        let shape = book.shape();
        let keys = book.symmetries().iter().map(|symmetry| pos.mapped_key(shape, &symmetry.map)).collect();
        SymmetryKeys { at: *pos, keys }
    }

    /// Updates the keys to another position. The cost grows with the number of cells that differ.
    #[inline]
    pub(crate) fn follow(&mut self, book: &Rulebook<N>, pos: &Position<N>) {
        let side = zobrist::side_to_move(self.at.to_move()) ^ zobrist::side_to_move(pos.to_move());
        self.keys.iter_mut().for_each(|key| *key ^= side);
        for cell in self.at.differences(pos) {
            for piece in [self.at.piece(cell), pos.piece(cell)].into_iter().flatten() {
                for (key, symmetry) in self.keys.iter_mut().zip(book.symmetries()) {
                    *key ^= zobrist::piece_on(piece, symmetry.map[cell.index()]);
                }
            }
        }
        if self.at.chain() != pos.chain() {
            for cell in [self.at.chain(), pos.chain()].into_iter().flatten() {
                for (key, symmetry) in self.keys.iter_mut().zip(book.symmetries()) {
                    *key ^= zobrist::chain(symmetry.map[cell.index()]);
                }
            }
        }
        self.at = *pos;
    }

    /// Returns the smallest key, which is the canonical one.
    pub(crate) fn min(&self) -> u64 {
        *self.keys.iter().min().expect("every board has the identity")
    }

    /// Returns the keys if they belong to `pos`.
    #[inline]
    pub(crate) fn keys(&self, pos: &Position<N>) -> Option<&[u64]> {
        (self.at == *pos).then_some(&self.keys)
    }
}
