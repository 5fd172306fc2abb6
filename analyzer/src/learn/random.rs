//! Random numbers that are the same on every machine: SplitMix64.

use crate::hash::{STEP, split_mix};

/// A generator of random numbers; equal seeds give equal numbers.
///
/// See <https://prng.di.unimi.it/splitmix64.c>.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Random(u64);

impl Random {
    /// Returns the generator of a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// Returns the next number.
    pub fn draw(&mut self) -> u64 {
        let bits = split_mix(self.0);
        self.0 = self.0.wrapping_add(STEP);
        bits
    }

    /// Returns a number below `n`; 0 if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.draw()) * n as u128) >> 64) as usize
    }

    /// Returns a number from 0 up to but not including 1.
    pub fn unit(&mut self) -> f32 {
        (self.draw() >> 40) as f32 / (1u64 << 24) as f32
    }

    /// Puts things in random order.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last + 1));
        }
    }
}
