//! Errors of position records and FENs.

use super::Span;
use crate::shape::Shape;

/// The error for a text that is not a position record, with its position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
pub struct SetupError {
    /// The position in the text of the record.
    pub span: Span,
    /// The kind of error.
    pub kind: SetupErrorKind,
}

impl SetupError {
    /// Returns the error for a text that begins `base` bytes earlier.
    #[must_use]
    pub fn shift(self, base: usize) -> SetupError {
        SetupError { span: self.span.shift(base), ..self }
    }
}

/// The kinds of errors in position records and FENs.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SetupErrorKind {
    /// The record does not begin with a slash, and is not a FEN either.
    #[error("a position record must begin with `/`")]
    NoSlash,
    /// A letter of a FEN does not name a piece.
    #[error("unknown piece `{letter}` in rank {rank} of the FEN; expected one of {expected}")]
    UnknownFenPiece {
        /// The letter.
        letter: char,
        /// The rank, counted from 1.
        rank: i16,
        /// The letters that go with the first one of the FEN.
        expected: &'static str,
    },
    /// The number of rows of a FEN fits no board.
    #[error("a FEN has a row for each rank of a board of 5 to 21 ranks, but this one has {found} rows")]
    UnsupportedRowCount {
        /// The number of rows.
        found: usize,
    },
    /// A FEN was given for a hexagonal board.
    #[error("a FEN describes a square board, but the board is {shape}")]
    FenOnHex {
        /// The board.
        shape: Shape,
    },
    /// The word after the rows of a FEN is not a side.
    #[error("unknown side to move `{word}`; expected `a` for the attackers or `d` for the defenders")]
    UnknownSide {
        /// The word.
        word: String,
    },
    /// A FEN is followed by other text.
    #[error("`{word}` does not belong to the FEN; expected the end of the position")]
    AfterFen {
        /// The first word of that text.
        word: String,
    },
    /// A letter does not name a piece.
    #[error("unknown piece `{letter}` in rank {rank}; expected one of t c n k m g T C N K M G")]
    UnknownPiece {
        /// The letter.
        letter: char,
        /// The rank, counted from 1.
        rank: i16,
    },
    /// A row is longer than its rank.
    #[error("rank {rank} has {expected} cells, but its row continues at column {column}")]
    RowTooLong {
        /// The rank, counted from 1.
        rank: i16,
        /// The number of cells of the rank.
        expected: i16,
        /// The first excess column, counted from 1.
        column: usize,
    },
    /// A row is shorter than its rank.
    #[error("rank {rank} has {expected} cells, but its row ends after column {found}")]
    RowTooShort {
        /// The rank, counted from 1.
        rank: i16,
        /// The number of cells of the rank.
        expected: i16,
        /// The number of cells in the row.
        found: i16,
    },
    /// The number of rows is wrong.
    #[error("a {shape} board has {expected} ranks, but the record has {found} rows")]
    WrongRowCount {
        /// The board.
        shape: Shape,
        /// The number of ranks of the board.
        expected: i16,
        /// The number of rows in the record.
        found: usize,
    },
}
