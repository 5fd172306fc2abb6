//! Sets of games or blocks of a segment, as bits.

use std::ops::Range;
use std::sync::Arc;

/// A set of numbers below a limit that was given when it was made.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NumberSet {
    n: u32,
    words: Vec<u64>,
}

impl NumberSet {
    /// Returns the empty set of numbers below `n`.
    pub fn empty(n: u32) -> NumberSet {
        NumberSet { n, words: vec![0; n.div_ceil(64) as usize] }
    }

    /// Returns the set of all numbers below `n`.
    pub fn full(n: u32) -> NumberSet {
        let mut bits = NumberSet { n, words: vec![u64::MAX; n.div_ceil(64) as usize] };
        bits.clear_tail();
        bits
    }

    /// Adds a number; one that is not below the limit is left out.
    #[inline]
    pub fn insert(&mut self, number: u32) {
        if number < self.n {
            self.words[number as usize / 64] |= 1 << (number % 64);
        }
    }

    /// Removes a number.
    #[inline]
    pub fn remove(&mut self, number: u32) {
        if number < self.n {
            self.words[number as usize / 64] &= !(1 << (number % 64));
        }
    }

    /// Adds the numbers of a word: `word` times 64 plus the places of its bits. All are below the limit.
    #[inline]
    pub(super) fn add_bits(&mut self, word: u32, bits: u64) {
        self.words[word as usize] |= bits;
    }

    /// Removes the numbers of a word, as [`NumberSet::add_bits`] adds them.
    #[inline]
    pub(super) fn remove_bits(&mut self, word: u32, bits: u64) {
        self.words[word as usize] &= !bits;
    }

    /// Returns whether the set has a number.
    #[inline]
    pub fn contains(&self, number: u32) -> bool {
        number < self.n && self.words[number as usize / 64] >> (number % 64) & 1 == 1
    }

    /// Returns whether the set has no number.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// Returns the number of elements.
    pub fn count(&self) -> u32 {
        self.words.iter().map(|word| word.count_ones()).sum()
    }

    /// Returns the number of elements if it is below `most`, otherwise any number from `most` on.
    pub(super) fn count_up_to(&self, most: u32) -> u32 {
        let mut count = 0;
        for words in self.words.chunks(16) {
            count += words.iter().map(|word| word.count_ones()).sum::<u32>();
            if count >= most {
                break;
            }
        }
        count
    }

    /// Adds numbers as the bits of words. The first one is a multiple of 64; words after the limit are ignored.
    pub(super) fn add_words(&mut self, first: u32, words: impl Iterator<Item = u64>) {
        debug_assert!(first.is_multiple_of(64));
        let own = self.words.get_mut(first as usize / 64..).unwrap_or_default();
        own.iter_mut().zip(words).for_each(|(word, other)| *word |= other);
        self.clear_tail();
    }

    /// Adds `n` numbers from `first` on, a multiple of 64; numbers from the limit on are ignored.
    pub(super) fn add_range(&mut self, first: u32, n: u32) {
        let whole = std::iter::repeat_n(u64::MAX, n as usize / 64);
        self.add_words(first, whole.chain(std::iter::once((1 << (n % 64)) - 1)));
    }

    /// Returns the numbers of a range that are in all sets of at least one list. No list is empty, all sets have the same
    /// limit, and the range begins at a multiple of 64.
    pub(super) fn union_of_intersections(range: Range<u32>, lists: &[Vec<Arc<NumberSet>>]) -> NumberSet {
        /// The number of words that are processed at a time.
        const PART: usize = 64;
        let n = lists.first().and_then(|list| list.first()).map_or(0, |set| set.n);
        let mut union = NumberSet::empty(n);
        let words = range.start as usize / 64..range.end.min(n).div_ceil(64) as usize;
        let parts = words.clone().step_by(PART);
        let own = union.words.get_mut(words).unwrap_or_default();
        for (start, union) in parts.zip(own.chunks_mut(PART)) {
            let part = start..start + union.len();
            let mut buffer = [0; PART];
            let both = &mut buffer[..union.len()];
            for list in lists {
                let Some((first, others)) = list.split_first() else { continue };
                both.copy_from_slice(&first.words[part.clone()]);
                for other in others {
                    both.iter_mut().zip(&other.words[part.clone()]).for_each(|(word, other)| *word &= other);
                }
                union.iter_mut().zip(&*both).for_each(|(word, both)| *word |= both);
            }
        }
        union
    }

    /// Intersects the set with another one. Both must have the same limit.
    pub fn intersect_with(&mut self, other: &NumberSet) {
        debug_assert_eq!(self.n, other.n);
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= other);
    }

    /// Adds the elements of another set. Both must have the same limit.
    pub fn union_with(&mut self, other: &NumberSet) {
        debug_assert_eq!(self.n, other.n);
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word |= other);
    }

    /// Removes the elements of another set. Both must have the same limit.
    pub fn difference_with(&mut self, other: &NumberSet) {
        debug_assert_eq!(self.n, other.n);
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= !other);
    }

    /// Replaces the set by its complement.
    pub fn invert(&mut self) {
        self.words.iter_mut().for_each(|word| *word = !*word);
        self.clear_tail();
    }

    /// Returns the numbers in rising order.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        (0u32..).step_by(64).zip(&self.words).flat_map(|(first, word)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                let bit = rest.trailing_zeros();
                (rest != 0).then(|| {
                    rest &= rest - 1;
                    first + bit
                })
            })
        })
    }

    fn clear_tail(&mut self) {
        if let (Some(last), tail @ 1..) = (self.words.last_mut(), self.n % 64) {
            *last &= (1 << tail) - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::NumberSet;

    #[test]
    fn sets_behave_as_sets() {
        let of = |n: u32, step: usize| {
            let mut bits = NumberSet::empty(n);
            (0..n).step_by(step).for_each(|number| bits.insert(number));
            bits
        };
        for n in [0, 1, 63, 64, 65, 200, 9000] {
            let (twos, threes) = (of(n, 2), of(n, 3));
            let listed = |bits: &NumberSet| bits.iter().collect::<Vec<_>>();
            let wanted = |test: fn(u32) -> bool| (0..n).filter(|number| test(*number)).collect::<Vec<_>>();
            let mut both = twos.clone();
            both.intersect_with(&threes);
            assert_eq!(listed(&both), wanted(|x| x % 6 == 0));
            let mut either = twos.clone();
            either.union_with(&threes);
            assert_eq!(listed(&either), wanted(|x| x % 2 == 0 || x % 3 == 0));
            let lists: [Vec<Arc<NumberSet>>; 2] =
                [vec![twos.clone().into(), threes.clone().into()], vec![of(n, 50).into()]];
            let union = NumberSet::union_of_intersections(0..n, &lists);
            assert_eq!(listed(&union), wanted(|x| x % 6 == 0 || x % 50 == 0));
            let part = NumberSet::union_of_intersections(64..n.max(64), &lists);
            assert_eq!(listed(&part), wanted(|x| x >= 64 && (x % 6 == 0 || x % 50 == 0)));
            let mut odd = NumberSet::full(n);
            odd.difference_with(&twos);
            assert_eq!(listed(&odd), wanted(|x| x % 2 == 1));
            assert_eq!(odd.count() as usize, listed(&odd).len());
            assert_eq!(odd.count_up_to(u32::MAX), odd.count());
            assert!(odd.count_up_to(3) >= odd.count().min(3));
            odd.invert();
            assert_eq!(odd, twos);
            assert_eq!((NumberSet::full(n).count(), NumberSet::empty(n).is_empty()), (n, true));
            for first in (0..=n).step_by(64) {
                let mut range = NumberSet::empty(n);
                range.add_range(first, 70);
                assert_eq!(listed(&range), (first..n.min(first + 70)).collect::<Vec<_>>());
                range.add_words(first, [5, u64::MAX].into_iter());
                assert_eq!(listed(&range), (first..n.min(first + 128)).collect::<Vec<_>>());
            }
            odd.insert(n);
            assert!(!odd.contains(n) && odd == twos);
        }
    }
}
