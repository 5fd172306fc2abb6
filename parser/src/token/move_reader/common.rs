//! The common forms of a move, eight bytes at a time.

use tafl_rules::{Coord, Span, coord_prefix};

use super::MoveReader;
use crate::record::{Letter, WrittenCapture, WrittenMove};

impl MoveReader<'_> {
    /// Reads the common forms of a move, such as `d1-d3 ` and `Kd10-d3xe3xe4 `: upper or lowercase, a hyphen,
    /// captures without letters, and a blank, quote, or comma after it.
    ///
    /// Returns the move and its length, or `None` for every other word, valid or not. Loops over many moves
    /// try this first and store the result immediately, because a move returned by [`MoveReader::step`] is
    /// copied through memory.
    #[inline(always)]
    pub(crate) fn common(&mut self, input: &[u8]) -> Option<(WrittenMove, usize)> {
        let mut word = u64::from_le_bytes(*input.first_chunk()?);
        let is_letter = ((word >> 8) as u8 | 0x20).wrapping_sub(b'a') < 26;
        let letter = if is_letter { Letter::new(word as u8) } else { Letter::NONE };
        let lead = usize::from(is_letter);
        word >>= 8 * lead;
        let (from, head, is_start) = short_cell(word);
        word >>= 8 * head;
        // A letter, two long cells, and the hyphen fit into eight bytes, so nothing is cut off.
        let (to, tail, is_target) = short_cell(word >> 8);
        let mut length = lead + head + 1 + tail;
        let follow = *input.get(length)?;
        let is_move = is_start & is_target & (word as u8 == b'-');
        if !is_move || (is_letter && letter == Letter::NONE) {
            return None;
        }
        let start = self.whole - input.len();
        let mut mv = WrittenMove { letter, ..WrittenMove::new(from, to, Span::new(start, start + length)) };
        if !is_common_end(follow) {
            if follow != b'x' {
                return None;
            }
            let first = self.captures.len();
            length = self.common_captures(input, length)?;
            mv.first_capture = first as u32;
            mv.n_captures = (self.captures.len() - first) as u16;
            mv.span.end = (start + length) as u32;
        }
        Some((mv, length))
    }

    /// Reads `xe3` and `xe3xe4` up to a blank, quote, or comma, and returns the end position. Keeps no
    /// captures on failure.
    #[inline(always)]
    fn common_captures(&mut self, input: &[u8], at: usize) -> Option<usize> {
        let first = self.captures.len();
        let start = self.whole - input.len();
        let mut at = at;
        loop {
            let cell = input.get(at + 1..).and_then(coord_prefix);
            let Some((cell, length)) = cell else { break };
            let span = Span::new(start + at + 1, start + at + 1 + length);
            self.captures.push(WrittenCapture { cell, letter: Letter::NONE, span });
            at += 1 + length;
            // Very long lists are left to the slow path, which checks the count.
            if self.captures.len() - first > 64 {
                break;
            }
            match input.get(at) {
                Some(b'x' | b'/') => {}
                Some(b' ' | b'\n' | b'\r' | b'"') => return Some(at),
                // A comma may separate captures as well as columns.
                Some(b',') if input.get(at + 1).is_some_and(u8::is_ascii_digit) => return Some(at),
                _ => break,
            }
        }
        self.captures.truncate(first);
        None
    }
}

/// Returns whether a byte ends a move in most texts.
#[inline]
const fn is_common_end(byte: u8) -> bool {
    matches!(byte, b' ' | b',' | b'\n' | b'\r' | b'"')
}

/// Reads a cell name from the low bytes of `word`, and returns it with its length in bytes and whether it is one.
///
/// There are no branches, because no branch predictor knows which ranks have two digits.
#[inline(always)]
fn short_cell(word: u64) -> (Coord, usize, bool) {
    let file = (word as u8 | 0x20).wrapping_sub(b'a');
    let tens = ((word >> 8) as u8).wrapping_sub(b'0');
    let units = ((word >> 16) as u8).wrapping_sub(b'0');
    let has_two = u8::from(units < 10);
    let number = tens.wrapping_add(has_two.wrapping_mul(tens.wrapping_mul(9).wrapping_add(units)));
    let coord = Coord::new(i16::from(file), i16::from(number) - 1);
    (coord, 2 + usize::from(has_two), (file < 26) & (tens < 10))
}
