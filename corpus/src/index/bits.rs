//! Sets of games or blocks of a segment, as bits.

/// A set of numbers below a limit that was given when it was made.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NumberSet {
    n: u32,
    words: Vec<u64>,
}

impl NumberSet {
    /// Returns the empty set of numbers below `n`.
    pub fn none(n: u32) -> NumberSet {
        NumberSet { n, words: vec![0; n.div_ceil(64) as usize] }
    }

    /// Returns the set of all numbers below `n`.
    pub fn all(n: u32) -> NumberSet {
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

    /// Intersects the set with another one. Both must have the same limit.
    pub fn keep(&mut self, other: &NumberSet) {
        debug_assert_eq!(self.n, other.n);
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= other);
    }

    /// Adds the elements of another set. Both must have the same limit.
    pub fn add(&mut self, other: &NumberSet) {
        debug_assert_eq!(self.n, other.n);
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word |= other);
    }

    /// Removes the elements of another set. Both must have the same limit.
    pub fn take_out(&mut self, other: &NumberSet) {
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
    use super::NumberSet;

    #[test]
    fn sets_behave_as_sets() {
        let of = |n: u32, step: usize| {
            let mut bits = NumberSet::none(n);
            (0..n).step_by(step).for_each(|number| bits.insert(number));
            bits
        };
        for n in [0, 1, 63, 64, 65, 200] {
            let (twos, threes) = (of(n, 2), of(n, 3));
            let listed = |bits: &NumberSet| bits.iter().collect::<Vec<_>>();
            let wanted = |test: fn(u32) -> bool| (0..n).filter(|number| test(*number)).collect::<Vec<_>>();
            let mut both = twos.clone();
            both.keep(&threes);
            assert_eq!(listed(&both), wanted(|x| x % 6 == 0));
            let mut either = twos.clone();
            either.add(&threes);
            assert_eq!(listed(&either), wanted(|x| x % 2 == 0 || x % 3 == 0));
            let mut odd = NumberSet::all(n);
            odd.take_out(&twos);
            assert_eq!(listed(&odd), wanted(|x| x % 2 == 1));
            assert_eq!(odd.count() as usize, listed(&odd).len());
            odd.invert();
            assert_eq!(odd, twos);
            assert_eq!((NumberSet::all(n).count(), NumberSet::none(n).is_empty()), (n, true));
            odd.insert(n);
            assert!(!odd.contains(n) && odd == twos);
        }
    }
}
