//! Random rule sets, starts and choices, the same for the same seed.

mod queries;
mod rules;
mod starts;

pub use queries::{random_condition, random_query};
pub use rules::random_rules;

/// A small random number generator, SplitMix64: equal seeds always give equal numbers.
#[derive(Debug, Clone)]
pub struct Rng(u64);

impl Rng {
    /// Creates a generator from a seed.
    pub fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    /// Returns the next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// Returns a number below `n`, which is not 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.number() % n as u64) as usize
    }

    /// Returns true in `percent` of 100 cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// Returns one of the values.
    ///
    /// # Panics
    ///
    /// Panics if the slice is empty.
    pub fn pick<T: Clone>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())].clone()
    }

    /// Returns one of the values, each with a probability proportional to its weight.
    ///
    /// # Panics
    ///
    /// Panics if all weights are 0.
    pub fn weighted<T: Clone>(&mut self, values: &[(usize, T)]) -> T {
        let total = values.iter().map(|(weight, _)| weight).sum();
        let mut at = self.below(total);
        for (weight, value) in values {
            if at < *weight {
                return value.clone();
            }
            at -= weight;
        }
        unreachable!("`at` is below the sum of the weights")
    }
}
