//! Sums of the network's rows, updated from one evaluation to the next.

use tafl_rules::{Bitboard, Cell};

use super::HIDDEN_1;

/// The sums of rows for each cell of a king, with the pieces that they contain.
///
/// Positions that a search evaluates one after another differ in a few pieces, so that a few additions and subtractions replace
/// the sum over a whole board. Sums are kept for each cell of the king, because all rows change if he moves ("Finny tables" of
/// chess programs, <https://www.chessprogramming.org/NNUE>). All sums are exact, so a score does not depend on earlier ones.
#[derive(Debug)]
pub(crate) struct RowSums<const N: usize> {
    /// The sums for each cell of the first king, and at the end those without one; empty before the first evaluation.
    entries: Vec<KingSums<N>>,
}

/// The sums for one cell of the first king.
#[derive(Debug, Clone)]
pub(super) struct KingSums<const N: usize> {
    /// The cell of the second king, on which the sums also depend.
    pub(super) second_king: Option<Cell>,
    /// The cells of each kind of piece that the sums contain.
    pub(super) placed: Box<[Bitboard<N>]>,
    pub(super) sums: [i16; HIDDEN_1],
}

impl<const N: usize> RowSums<N> {
    /// Creates a cache without sums.
    pub(crate) fn new() -> RowSums<N> {
        RowSums { entries: Vec::new() }
    }

    /// Returns the sums for the cells of the kings; they contain no pieces if the second king was elsewhere.
    ///
    /// `first_king` is the index of the first king's cell, or `n_places - 1` without one. `n_kinds` is the number of kinds of
    /// pieces.
    #[inline]
    pub(super) fn entry(
        &mut self,
        first_king: usize,
        second_king: Option<Cell>,
        n_places: usize,
        n_kinds: usize,
    ) -> &mut KingSums<N> {
        if self.entries.is_empty() {
            let placed = vec![Bitboard::EMPTY; n_kinds].into_boxed_slice();
            self.entries = vec![KingSums { second_king, placed, sums: [0; HIDDEN_1] }; n_places];
        }
        let entry = &mut self.entries[first_king];
        if entry.second_king != second_king {
            entry.second_king = second_king;
            entry.placed.fill(Bitboard::EMPTY);
            entry.sums = [0; HIDDEN_1];
        }
        entry
    }
}
