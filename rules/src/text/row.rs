//! The rows of position records and FENs.

use super::Span;
use super::setup_error::{SetupError, SetupErrorKind};
use crate::piece::Piece;
use crate::setup::Setup;
use crate::shape::Coord;

/// Reads the row of a rank: counts of empty cells, and letters. `count` reads a count, and `piece` a letter.
///
/// # Errors
///
/// Returns the errors of `piece`, and an error if the row has more or fewer cells than the rank.
pub(super) fn read_row(
    setup: &mut Setup,
    row: &str,
    rank: i16,
    count: impl Fn(&str) -> i16,
    piece: impl Fn(char) -> Result<Piece, SetupErrorKind>,
) -> Result<(), SetupError> {
    let shape = setup.shape();
    let (expected, first) = (shape.rank_len(rank), shape.first_file(rank));
    let mut filled: i16 = 0;
    let mut at = 0;
    while let Some(letter) = row[at..].chars().next() {
        let digits = row[at..].bytes().take_while(u8::is_ascii_digit).count();
        let length = if digits > 0 { digits } else { letter.len_utf8() };
        let fail = |kind| SetupError { span: Span::new(at, at + length), kind };
        let (cells, piece) = match digits {
            0 => (1, Some(piece(letter).map_err(fail)?)),
            _ => (count(&row[at..at + digits]), None),
        };
        if cells > expected - filled {
            let column = expected as usize + 1;
            return Err(fail(SetupErrorKind::RowTooLong { rank: rank + 1, expected, column }));
        }
        if piece.is_some() {
            let cell =
                shape.cell(Coord::new(first + filled, rank)).expect("the row is not longer than the rank");
            setup.put(cell, piece);
        }
        filled += cells;
        at += length;
    }
    if filled < expected {
        let kind = SetupErrorKind::RowTooShort { rank: rank + 1, expected, found: filled };
        return Err(SetupError { span: Span::new(0, row.len()), kind });
    }
    Ok(())
}
