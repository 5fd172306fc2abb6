//! Cell names: `cell = letter, digit, { digit }`, letters from `a` of either case, ranks from 1.

use std::str::FromStr;

use crate::shape::Coord;

/// Reads a cell name at the start of `text` and returns it with its length in bytes.
///
/// Returns `None` unless `text` begins with a letter and a number. Reads at most two digits, so
/// that `d11d9` is read as `d11` and `d9`.
#[inline]
pub fn coord_prefix(text: &[u8]) -> Option<(Coord, usize)> {
    let file = (text.first()? | 0x20).wrapping_sub(b'a');
    let tens = text.get(1)?.wrapping_sub(b'0');
    if file >= 26 || tens >= 10 {
        return None;
    }
    match text.get(2).map(|digit| digit.wrapping_sub(b'0')) {
        Some(units) if units < 10 => {
            Some((Coord::new(i16::from(file), i16::from(tens) * 10 + i16::from(units) - 1), 3))
        }
        _ => Some((Coord::new(i16::from(file), i16::from(tens) - 1), 2)),
    }
}

/// The error for a text that is not a cell name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a cell name such as `d11`")]
pub struct CellError(pub String);

impl FromStr for Coord {
    type Err = CellError;

    fn from_str(text: &str) -> Result<Coord, CellError> {
        match coord_prefix(text.as_bytes()) {
            Some((coord, length)) if length == text.len() && coord.rank >= 0 => Ok(coord),
            _ => Err(CellError(text.to_owned())),
        }
    }
}
