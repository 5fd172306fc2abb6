//! Sets of the plies of a game.

/// A set of plies of a game, as bits: bit `n` is the position after `n` plies.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct PlySet {
    words: Vec<u64>,
    len: usize,
}

impl PlySet {
    /// Returns the set of no positions of a game of `len` positions.
    pub(crate) fn empty(len: usize) -> PlySet {
        PlySet { words: vec![0; len.div_ceil(64)], len }
    }

    /// Returns the set of all positions of a game of `len` positions.
    pub(crate) fn full(len: usize) -> PlySet {
        let mut plies = PlySet { words: vec![u64::MAX; len.div_ceil(64)], len };
        plies.trim();
        plies
    }

    /// Adds the next position.
    #[inline]
    pub(crate) fn push(&mut self, holds: bool) {
        if self.len.is_multiple_of(64) {
            self.words.push(0);
        }
        self.words[self.len / 64] |= u64::from(holds) << (self.len % 64);
        self.len += 1;
    }

    /// Removes all positions.
    pub(crate) fn clear(&mut self) {
        self.words.clear();
        self.len = 0;
    }

    /// Adds the next positions, of which bits tell whether they are in the set. There are at most 64, and only the last
    /// call may add fewer.
    pub(crate) fn extend(&mut self, bits: u64, n: u32) {
        debug_assert!(self.len.is_multiple_of(64) && n <= u64::BITS, "earlier words are full");
        self.words.push(bits);
        self.len += n as usize;
        self.trim();
    }

    /// Returns whether a position is in the set.
    #[inline]
    pub(crate) fn contains(&self, at: usize) -> bool {
        self.words.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
    }

    fn trim(&mut self) {
        let used = self.len % 64;
        if let Some(last) = self.words.last_mut().filter(|_| used > 0) {
            *last &= (1 << used) - 1;
        }
    }

    pub(crate) fn and(&mut self, other: &PlySet) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= other);
    }

    pub(crate) fn or(&mut self, other: &PlySet) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word |= other);
    }

    pub(crate) fn invert(&mut self) {
        self.words.iter_mut().for_each(|word| *word = !*word);
        self.trim();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    pub(crate) fn count(&self) -> u32 {
        self.words.iter().map(|word| word.count_ones()).sum()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> {
        self.words.iter().enumerate().flat_map(|(number, word)| {
            let mut left = *word;
            std::iter::from_fn(move || {
                let at = (left != 0).then(|| number * 64 + left.trailing_zeros() as usize);
                left &= left.wrapping_sub(1);
                at
            })
        })
    }

    pub(crate) fn first(&self) -> Option<usize> {
        let at = self.words.iter().position(|word| *word != 0)?;
        Some(at * 64 + self.words[at].trailing_zeros() as usize)
    }

    pub(crate) fn last(&self) -> Option<usize> {
        let at = self.words.iter().rposition(|word| *word != 0)?;
        Some(at * 64 + 63 - self.words[at].leading_zeros() as usize)
    }

    /// Returns the set of one position, or of none.
    pub(crate) fn only(&self, at: Option<usize>) -> PlySet {
        let mut plies = PlySet::empty(self.len);
        if let Some(at) = at {
            plies.words[at / 64] |= 1 << (at % 64);
        }
        plies
    }

    /// Returns the positions that come 1 to `within` plies after one of the set.
    pub(crate) fn after(&self, within: Option<u32>) -> PlySet {
        self.smeared(within, PlySet::later)
    }

    /// Returns the positions that come 1 to `within` plies before one of the set.
    pub(crate) fn before(&self, within: Option<u32>) -> PlySet {
        self.smeared(within, PlySet::earlier)
    }

    fn smeared(&self, within: Option<u32>, shift: fn(&PlySet, usize) -> PlySet) -> PlySet {
        let reach = within.map_or(self.len, |within| (within as usize).min(self.len));
        if reach == 0 {
            return PlySet::empty(self.len);
        }
        // Each round doubles how far the set was smeared; the last one goes only as far as is left.
        let mut smeared = shift(self, 1);
        let mut done = 1;
        while done < reach {
            let step = done.min(reach - done);
            let further = shift(&smeared, step);
            smeared.or(&further);
            done += step;
        }
        smeared
    }

    fn later(&self, by: usize) -> PlySet {
        let (words, bits) = (by / 64, by % 64);
        let mut plies = PlySet::empty(self.len);
        for at in words..self.words.len() {
            let low = if bits > 0 && at > words { self.words[at - words - 1] >> (64 - bits) } else { 0 };
            plies.words[at] = self.words[at - words] << bits | low;
        }
        plies.trim();
        plies
    }

    fn earlier(&self, by: usize) -> PlySet {
        let (words, bits) = (by / 64, by % 64);
        let mut plies = PlySet::empty(self.len);
        for at in 0..self.words.len().saturating_sub(words) {
            let high =
                self.words.get(at + words + 1).filter(|_| bits > 0).map_or(0, |word| word << (64 - bits));
            plies.words[at] = self.words[at + words] >> bits | high;
        }
        plies
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smearing_equals_a_loop_over_plies() {
        let mut seed = 1_u64;
        for len in [1, 5, 63, 64, 65, 130, 200] {
            for within in [None, Some(1), Some(2), Some(3), Some(7), Some(64), Some(65), Some(100)] {
                let mut plies = PlySet::default();
                for _ in 0..len {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    plies.push(seed >> 60 == 0);
                }
                let reach = within.map_or(len, |within| within as usize);
                let set: Vec<usize> = plies.iter().collect();
                let near = |at: usize, from: usize| from < at && at - from <= reach;
                let after: Vec<usize> = (0..len).filter(|at| set.iter().any(|it| near(*at, *it))).collect();
                let before: Vec<usize> = (0..len).filter(|at| set.iter().any(|it| near(*it, *at))).collect();
                assert_eq!(plies.after(within).iter().collect::<Vec<_>>(), after, "{len} {within:?}");
                assert_eq!(plies.before(within).iter().collect::<Vec<_>>(), before, "{len} {within:?}");
                assert_eq!((plies.first(), plies.last()), (set.first().copied(), set.last().copied()));
            }
        }
    }
}
