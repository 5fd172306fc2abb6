//! The workspace's random number generator: SplitMix64, the same on every machine and in every version.

/// The increment of SplitMix64's state, from the golden ratio.
pub(crate) const INCREMENT: u64 = 0x9e37_79b9_7f4a_7c15;

/// A random number generator. Equal seeds give equal numbers in every version: position keys,
/// recorded self-play seeds, and bootstrap intervals depend on it. Libraries do not promise this,
/// so it is our own.
///
/// Not suitable for cryptography. See <https://prng.di.unimi.it/splitmix64.c>.
///
/// # Examples
///
/// ```
/// use tafl_rules::Rng;
///
/// let mut rng = Rng::new(7);
/// let first = rng.next_u64();
/// assert_eq!(Rng::new(7).next_u64(), first);
/// assert!(rng.below(6) < 6);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rng(u64);

impl Rng {
    /// Creates the generator with a seed.
    pub const fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    /// Creates one of many independent generators with the same seed, such as one for each game of
    /// a match.
    pub const fn stream(seed: u64, number: u64) -> Rng {
        Rng(split_mix(seed ^ number.wrapping_mul(0xd1b5_4a32_d192_ed03)))
    }

    /// Returns 64 random bits.
    pub const fn next_u64(&mut self) -> u64 {
        let bits = split_mix(self.0);
        self.0 = self.0.wrapping_add(INCREMENT);
        bits
    }

    /// Returns a number below `n`, or 0 if `n` is 0. The bias, `n / 2^64`, is negligible for every `n` in use.
    pub const fn below(&mut self, n: usize) -> usize {
        match n {
            0 => 0,
            _ => (self.next_u64() % n as u64) as usize,
        }
    }

    /// Returns a number in `0.0..1.0` with 53 random bits.
    pub const fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns true with probability `percent / 100`.
    pub const fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// Returns a random element, or `None` if the slice is empty.
    pub fn pick<'v, T>(&mut self, values: &'v [T]) -> Option<&'v T> {
        if values.is_empty() { None } else { values.get(self.below(values.len())) }
    }

    /// Shuffles a slice (Fisher-Yates).
    pub fn shuffle<T>(&mut self, values: &mut [T]) {
        for last in (1..values.len()).rev() {
            values.swap(last, self.below(last + 1));
        }
    }
}

/// Returns the output of SplitMix64 for a state: a bijective mix of 64 bits, for keys and hashes.
pub const fn split_mix(state: u64) -> u64 {
    let mut z = state.wrapping_add(INCREMENT);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_equal_the_reference_implementation() {
        let mut rng = Rng::new(0);
        assert_eq!([rng.next_u64(), rng.next_u64()], [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4]);
    }

    #[test]
    fn streams_of_a_seed_differ() {
        assert_ne!(Rng::stream(1, 0).next_u64(), Rng::stream(1, 1).next_u64());
    }

    #[test]
    fn a_shuffle_keeps_every_element() {
        let mut values: Vec<usize> = (0..50).collect();
        Rng::new(3).shuffle(&mut values);
        assert!(!values.is_sorted());
        values.sort_unstable();
        assert!(values.iter().copied().eq(0..50));
    }
}
