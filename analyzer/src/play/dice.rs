//! Random numbers that are the same in every run with the same seed.

use crate::hash::{STEP, split_mix};

/// Dice that always fall the same way for a seed: SplitMix64.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dice(u64);

impl Dice {
    /// Returns the dice of a seed.
    pub const fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    /// Returns the dice of one of many things that share a seed, such as the games of a match.
    pub fn of(seed: u64, number: u64) -> Dice {
        let mut dice = Dice(seed ^ number.wrapping_mul(0xd1b5_4a32_d192_ed03));
        Dice(dice.roll())
    }

    /// Returns 64 random bits.
    pub fn roll(&mut self) -> u64 {
        let bits = split_mix(self.0);
        self.0 = self.0.wrapping_add(STEP);
        bits
    }

    /// Returns a number from 0 on below 1.
    pub fn unit(&mut self) -> f64 {
        (self.roll() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns one of the values, or nothing where there is none.
    pub fn pick<'v, T>(&mut self, values: &'v [T]) -> Option<&'v T> {
        if values.is_empty() {
            return None;
        }
        values.get((self.roll() % values.len() as u64) as usize)
    }
}
