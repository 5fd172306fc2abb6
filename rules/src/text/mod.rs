//! Text formats of the rules crate: cells, moves, position records, FEN, and rules strings, with the
//! positions of errors.

pub(crate) mod cell;
pub(crate) mod fen;
pub(crate) mod moves;
mod row;
pub(crate) mod ruleset;
pub(crate) mod setup;
pub(crate) mod setup_error;

/// A half-open range of bytes of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// Returns the range from `start` to `end`.
    ///
    /// Offsets fit in 32 bits, because readers cut files into records before parsing.
    #[inline]
    pub const fn new(start: usize, end: usize) -> Span {
        Span { start: start as u32, end: end as u32 }
    }

    /// Returns the empty range at `at`.
    pub const fn at(at: usize) -> Span {
        Span::new(at, at)
    }

    /// Returns the range in a text that begins `base` bytes earlier.
    #[must_use]
    pub const fn shift(self, base: usize) -> Span {
        Span { start: self.start + base as u32, end: self.end + base as u32 }
    }

    /// Returns the smallest range that covers both.
    #[must_use]
    pub fn cover(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Returns the number of bytes.
    pub const fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// Returns whether the range is empty.
    pub const fn is_empty(self) -> bool {
        self.end <= self.start
    }

    /// Returns the part of `text` in the range, or an empty text if the range does not fit.
    pub fn of(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize).unwrap_or("")
    }
}
