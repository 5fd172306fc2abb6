//! Properties that hold for any input. The property tests use random input, the fuzz targets untrusted input.
//!
//! Each function panics with the case in the message if a property is violated.

mod game;
mod records;
mod rules;
mod writers;

use tafl_rules::Rng;

pub use game::{mirrored, play_with_mirror};
pub use records::{check_reading, check_record, check_replay};
pub use rules::{check_position_record, check_rules_string};
pub use writers::check_writing;

/// A source of choices.
pub trait Choices {
    /// Returns a number below `n`, which is not 0.
    fn below(&mut self, n: usize) -> usize;
}

impl Choices for Rng {
    fn below(&mut self, n: usize) -> usize {
        Rng::below(self, n)
    }
}

/// Choices read from bytes; 0 after their end.
#[derive(Debug, Clone, Copy)]
pub struct Bytes<'b>(pub &'b [u8]);

impl Choices for Bytes<'_> {
    fn below(&mut self, n: usize) -> usize {
        let mut value = 0;
        for _ in 0..if n > 256 { 2 } else { 1 } {
            if let [first, rest @ ..] = self.0 {
                value = value << 8 | usize::from(*first);
                self.0 = rest;
            }
        }
        value % n
    }
}
