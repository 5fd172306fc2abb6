//! Sets of cells, one bit per cell.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not};

use crate::shape::Cell;

/// A set of cells of a board that fits in `N` 64-bit words.
///
/// [`Bitboard::not`] may set bits beyond the board; intersect the complement with the cells of the board.
///
/// # Examples
///
/// ```
/// use tafl_rules::{Bitboard, Shape};
///
/// let shape = Shape::square(7).unwrap();
/// let corners: Bitboard<1> = shape.corners().into_iter().collect();
/// let center = Bitboard::of(shape.center().unwrap());
/// assert_eq!((corners | center).count(), 5);
/// assert!(!corners.meets(&center));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bitboard<const N: usize>([u64; N]);

impl<const N: usize> Bitboard<N> {
    /// The empty set.
    pub const EMPTY: Bitboard<N> = Bitboard([0; N]);

    /// Returns the set of one cell.
    #[inline]
    pub const fn of(cell: Cell) -> Bitboard<N> {
        let (word, bit) = (cell.index() >> 6, cell.index() & 63);
        if N == 2 {
            return Self::SINGLES[word][bit];
        }
        let mut words = [0; N];
        words[word] = 1 << bit;
        Bitboard(words)
    }

    /// The set of each cell, by word and bit. A set of two words that is read from memory stays in one register: after a change
    /// of one word in memory, a processor would wait before it reads both.
    const SINGLES: &'static [[Bitboard<N>; 64]; N] = &Self::singles();

    const fn singles() -> [[Bitboard<N>; 64]; N] {
        let mut singles = [[Bitboard::EMPTY; 64]; N];
        let mut at = 0;
        while at < 64 * N {
            singles[at >> 6][at & 63].0[at >> 6] = 1 << (at & 63);
            at += 1;
        }
        singles
    }

    /// Returns whether the set contains a cell.
    #[inline]
    pub const fn contains(&self, cell: Cell) -> bool {
        let (word, bit) = (cell.index() >> 6, cell.index() & 63);
        // Selecting one of two words keeps the set in registers; an index would need it in memory.
        let bits = if N == 2 && word == 0 { self.0[0] } else { self.0[word] };
        bits >> bit & 1 == 1
    }

    /// Adds a cell.
    #[inline]
    pub const fn insert(&mut self, cell: Cell) {
        self.0[cell.index() >> 6] |= 1 << (cell.index() & 63);
    }

    /// Adds a cell if a condition holds, without a branch.
    #[inline]
    pub(crate) const fn insert_if(&mut self, cell: Cell, is_included: bool) {
        self.0[cell.index() >> 6] |= (is_included as u64) << (cell.index() & 63);
    }

    /// Removes a cell.
    #[inline]
    pub const fn remove(&mut self, cell: Cell) {
        self.0[cell.index() >> 6] &= !(1 << (cell.index() & 63));
    }

    /// Returns whether the set is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// Returns whether the set contains any cell.
    #[inline]
    pub fn any(&self) -> bool {
        !self.is_empty()
    }

    /// Returns the number of cells.
    #[inline]
    pub fn count(&self) -> u32 {
        if N > 1 && cfg!(all(target_arch = "x86_64", not(target_feature = "popcnt"))) {
            return self.0.chunks(3).map(count_three).sum();
        }
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Returns whether the sets have a cell in common.
    #[inline]
    pub fn meets(&self, other: &Bitboard<N>) -> bool {
        let mut shared = 0;
        for i in 0..N {
            shared |= self.0[i] & other.0[i];
        }
        shared != 0
    }

    /// Returns whether every cell of this set is in the other.
    #[inline]
    pub fn is_subset(&self, other: &Bitboard<N>) -> bool {
        let mut left = 0;
        for i in 0..N {
            left |= self.0[i] & !other.0[i];
        }
        left == 0
    }

    /// Returns the cells of this set that are not in the other.
    #[inline]
    #[must_use]
    pub fn without(self, other: Bitboard<N>) -> Bitboard<N> {
        Bitboard(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    /// Returns the lowest cell, or `None` if the set is empty.
    #[inline]
    pub fn first(&self) -> Option<Cell> {
        self.any().then(|| self.lowest())
    }

    /// Returns the lowest cell of a set that is not empty.
    #[inline]
    pub(crate) fn lowest(&self) -> Cell {
        for i in 0..N - 1 {
            if self.0[i] != 0 {
                return Cell::new(i * 64 + self.0[i].trailing_zeros() as usize);
            }
        }
        Cell::new((N - 1) * 64 + self.0[N - 1].trailing_zeros() as usize)
    }

    /// Returns the highest cell of a set that is not empty.
    #[inline]
    pub(crate) fn highest(&self) -> Cell {
        for i in (1..N).rev() {
            if self.0[i] != 0 {
                return Cell::new(i * 64 + 63 - self.0[i].leading_zeros() as usize);
            }
        }
        Cell::new(63usize.saturating_sub(self.0[0].leading_zeros() as usize))
    }

    /// Returns the set of the highest cell; empty if the set is empty.
    #[inline]
    pub(crate) fn highest_alone(&self) -> Bitboard<N> {
        let mut highest = Bitboard::EMPTY;
        for i in (0..N).rev() {
            if self.0[i] != 0 {
                highest.0[i] = 1 << (63 - self.0[i].leading_zeros());
                break;
            }
        }
        highest
    }

    /// Returns the sum of the sets as numbers, modulo the number after the largest one.
    #[inline]
    pub(crate) fn plus(self, other: Bitboard<N>) -> Bitboard<N> {
        let mut carry = false;
        Bitboard(std::array::from_fn(|i| {
            let (word, first) = self.0[i].overflowing_add(other.0[i]);
            let (word, second) = word.overflowing_add(u64::from(carry));
            carry = first || second;
            word
        }))
    }

    /// Returns the difference of the sets as numbers, modulo the number after the largest one.
    #[inline]
    pub(crate) fn minus(self, other: Bitboard<N>) -> Bitboard<N> {
        let mut borrow = false;
        Bitboard(std::array::from_fn(|i| {
            let (word, first) = self.0[i].overflowing_sub(other.0[i]);
            let (word, second) = word.overflowing_sub(u64::from(borrow));
            borrow = first || second;
            word
        }))
    }

    /// Returns the set with every cell number increased by `n`, 0 < n < 64.
    #[inline]
    pub(crate) fn up(self, n: u32) -> Bitboard<N> {
        let carry = |i: usize| if i == 0 { 0 } else { self.0[i - 1] >> (64 - n) };
        Bitboard(std::array::from_fn(|i| self.0[i] << n | carry(i)))
    }

    /// Returns the set with every cell number decreased by `n`, 0 < n < 64.
    #[inline]
    pub(crate) fn down(self, n: u32) -> Bitboard<N> {
        let carry = |i: usize| if i + 1 == N { 0 } else { self.0[i + 1] << (64 - n) };
        Bitboard(std::array::from_fn(|i| self.0[i] >> n | carry(i)))
    }

    /// Returns the 64 cells from `low` on as bits; cells below 0 or beyond the last word are 0. `low` is more than -64.
    #[inline]
    pub(crate) fn window(&self, low: i32) -> u64 {
        if low < 0 {
            return self.0[0] << -low;
        }
        let (word, bit) = (low as usize >> 6, low as u32 & 63);
        let at = |word: usize| self.0.get(word).copied().unwrap_or(0);
        // Two shifts, because a shift by 64 is not allowed.
        at(word) >> bit | (at(word + 1) << 1) << (63 - bit)
    }

    /// Returns the same set with `M` words.
    ///
    /// # Panics
    ///
    /// Panics if `M` is less than `N`.
    #[inline]
    pub(crate) fn widened<const M: usize>(self) -> Bitboard<M> {
        let mut words = [0; M];
        words[..N].copy_from_slice(&self.0);
        Bitboard(words)
    }

    /// Returns the cells in ascending order.
    #[inline]
    pub fn iter(&self) -> BitboardCells<N> {
        BitboardCells { words: self.0, word: 0 }
    }
}

impl<const N: usize> Default for Bitboard<N> {
    fn default() -> Self {
        Bitboard::EMPTY
    }
}

impl<const N: usize> FromIterator<Cell> for Bitboard<N> {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Self {
        let mut set = Bitboard::EMPTY;
        cells.into_iter().for_each(|cell| set.insert(cell));
        set
    }
}

impl<const N: usize> IntoIterator for Bitboard<N> {
    type Item = Cell;
    type IntoIter = BitboardCells<N>;

    #[inline]
    fn into_iter(self) -> BitboardCells<N> {
        self.iter()
    }
}

impl<const N: usize> BitAnd for Bitboard<N> {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        Bitboard(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }
}

impl<const N: usize> BitOr for Bitboard<N> {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        Bitboard(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }
}

impl<const N: usize> BitXor for Bitboard<N> {
    type Output = Self;
    #[inline]
    fn bitxor(self, other: Self) -> Self {
        Bitboard(std::array::from_fn(|i| self.0[i] ^ other.0[i]))
    }
}

impl<const N: usize> Not for Bitboard<N> {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Bitboard(self.0.map(|word| !word))
    }
}

impl<const N: usize> BitAndAssign for Bitboard<N> {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        *self = *self & other;
    }
}

impl<const N: usize> BitOrAssign for Bitboard<N> {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

/// Returns the number of bits of at most three words. Without an instruction for it, a processor counts them faster together:
/// the counts of each four bits are added before they are summed.
#[inline]
fn count_three(words: &[u64]) -> u32 {
    const PAIRS: u64 = u64::MAX / 0b11;
    const FOURS: u64 = u64::MAX / 0b1111 * 0b11;
    const BYTES: u64 = u64::MAX / 0xff;
    let fours = words.iter().fold(0, |sum, word| {
        let pairs = word - (word >> 1 & PAIRS);
        sum + (pairs & FOURS) + (pairs >> 2 & FOURS)
    });
    let low_halves = BYTES * 0xf;
    let bytes = (fours & low_halves) + ((fours >> 4) & low_halves);
    (bytes.wrapping_mul(BYTES) >> 56) as u32
}

/// Writes the cell numbers, because the names of cells depend on the board.
impl<const N: usize> fmt::Debug for Bitboard<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Cell::index)).finish()
    }
}

/// The cells of a set in ascending order.
#[derive(Debug, Clone)]
pub struct BitboardCells<const N: usize> {
    words: [u64; N],
    word: usize,
}

impl<const N: usize> Iterator for BitboardCells<N> {
    type Item = Cell;

    #[inline]
    fn next(&mut self) -> Option<Cell> {
        while self.word < N {
            let bits = self.words[self.word];
            if bits != 0 {
                self.words[self.word] = bits & (bits - 1);
                return Some(Cell::new(self.word * 64 + bits.trailing_zeros() as usize));
            }
            self.word += 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn words_are_counted_together() {
        let mut rng = Rng::new(5);
        for n in 0..200 {
            let random: [u64; 7] = std::array::from_fn(|_| {
                let word = rng.next_u64();
                [word, word & rng.next_u64(), u64::MAX, 0][n % 4]
            });
            let expected: u32 = random.iter().map(|word| word.count_ones()).sum();
            assert_eq!(Bitboard(random).count(), expected);
            for words in [&random[..1], &random[..2], &random[..3]] {
                assert_eq!(count_three(words), words.iter().map(|word| word.count_ones()).sum::<u32>());
            }
        }
    }

    #[test]
    fn sums_and_differences_reach_the_next_word() {
        let sum = Bitboard([u64::MAX, u64::MAX, 2]).plus(Bitboard([1, 0, 2]));
        assert_eq!(sum, Bitboard([0, 0, 5]));
        let difference = Bitboard([0, 0, 5]).minus(Bitboard([1, 0, 2]));
        assert_eq!(difference, Bitboard([u64::MAX, u64::MAX, 2]));
        assert_eq!(Bitboard([7, 0b1010]).highest_alone(), Bitboard([0, 0b1000]));
        assert_eq!(Bitboard::<2>::EMPTY.highest_alone(), Bitboard::EMPTY);
    }

    #[test]
    fn a_window_has_the_cells_from_its_start_on() {
        let mut rng = Rng::new(6);
        let set = Bitboard::<2>(std::array::from_fn(|_| rng.next_u64()));
        for low in -63..192 {
            let is_in = |at: i32| (0..128).contains(&at) && set.contains(Cell::new(at as usize));
            let expected = (0..64).fold(0, |bits, at| bits | u64::from(is_in(low + at)) << at);
            assert_eq!(set.window(low), expected, "{low}");
        }
    }
}
