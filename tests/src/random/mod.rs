//! Random rule sets, starts, queries, and choices, the same for the same seed.

mod queries;
mod rules;
mod starts;

use tafl_rules::Rng;

pub use queries::{random_condition, random_query};
pub use rules::random_rules;

/// Random choices of the tests.
pub trait Draw {
    /// Returns one of the values.
    ///
    /// # Panics
    ///
    /// Panics if the slice is empty.
    fn one_of<T: Clone>(&mut self, values: &[T]) -> T;

    /// Returns one of the values, each with a probability proportional to its weight.
    ///
    /// # Panics
    ///
    /// Panics if all weights are 0.
    fn weighted<T: Clone>(&mut self, values: &[(usize, T)]) -> T;
}

impl Draw for Rng {
    fn one_of<T: Clone>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())].clone()
    }

    fn weighted<T: Clone>(&mut self, values: &[(usize, T)]) -> T {
        let total = values.iter().map(|(weight, _)| weight).sum();
        let mut at = self.below(total);
        for (weight, value) in values {
            if at < *weight {
                return value.clone();
            }
            at -= weight;
        }
        panic!("all weights are 0")
    }
}
