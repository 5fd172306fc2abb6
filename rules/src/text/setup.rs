//! Position records.
//!
//! ```text
//! position = "/" , row , { "/" , row } , "/" ;          rank 1 first, lowest file first within a row
//! row      = { count | letter } ;  count = digit , { digit } ;
//! letter   = "t" | "c" | "n" | "k" | "m" | "g"          attackers; uppercase: defenders
//! ```
//!
//! A hexagonal board also has one row for each rank, with only the cells that the board has. On square boards,
//! [`Setup::parse`] also accepts [`Fen`](super::fen::Fen).

use std::fmt;

use super::Span;
use super::fen::{Fen, is_fen};
use crate::piece::Piece;
use crate::setup::Setup;
use crate::shape::{Coord, Shape};

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
    NoSuchBoard {
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

/// The order of the rows of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowOrder {
    /// Rank 1 first, as in position records.
    Rising,
    /// The highest rank first, as in OpenTafl's `starti:` and on hnefatafl.org.
    Falling,
}

impl Setup {
    /// Parses a position for a board of this shape: a position record, or the pieces of a [`Fen`].
    ///
    /// # Errors
    ///
    /// Returns the first error, see [`SetupErrorKind`].
    ///
    /// # Examples
    ///
    /// ```
    /// use tafl_rules::{Setup, Shape};
    ///
    /// let board = Shape::square(7).unwrap();
    /// let setup = Setup::parse(board, "/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/").unwrap();
    /// assert_eq!(setup.to_string(), "/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/");
    /// assert_eq!(Setup::parse(board, "3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 a"), Ok(setup));
    /// assert!(Setup::parse(board, "/3t3/").is_err());
    /// ```
    pub fn parse(shape: Shape, text: &str) -> Result<Setup, SetupError> {
        if is_fen(text) {
            return Fen::parse_on(shape, text).map(|fen| fen.setup);
        }
        Setup::parse_in(shape, text, RowOrder::Rising)
    }

    /// Parses a position record with its rows in the given order.
    ///
    /// # Errors
    ///
    /// Returns the first error, see [`SetupErrorKind`].
    pub fn parse_in(shape: Shape, text: &str, order: RowOrder) -> Result<Setup, SetupError> {
        let fail = |start, end, kind| Err(SetupError { span: Span::new(start, end), kind });
        if !text.starts_with('/') {
            let first = text.chars().next().map_or(0, char::len_utf8);
            return fail(0, first, SetupErrorKind::NoSlash);
        }
        let body = text[1..].strip_suffix('/').unwrap_or(&text[1..]);
        let n_rows = body.split('/').count();
        if n_rows != shape.n_ranks() as usize {
            let kind = SetupErrorKind::WrongRowCount { shape, expected: shape.n_ranks(), found: n_rows };
            return fail(0, text.len(), kind);
        }
        let mut setup = Setup::empty(shape);
        let mut start = 1;
        for (row, n) in body.split('/').zip(0..) {
            let rank = match order {
                RowOrder::Rising => n,
                RowOrder::Falling => shape.n_ranks() - 1 - n,
            };
            read_row(&mut setup, row, rank).map_err(|error| error.shift(start))?;
            start += row.len() + 1;
        }
        Ok(setup)
    }
}

fn read_row(setup: &mut Setup, row: &str, rank: i16) -> Result<(), SetupError> {
    let shape = setup.shape();
    let (expected, first) = (shape.rank_len(rank), shape.first_file(rank));
    let mut filled: i16 = 0;
    let mut at = 0;
    while let Some(letter) = row[at..].chars().next() {
        let digits = row[at..].bytes().take_while(u8::is_ascii_digit).count();
        let length = if digits > 0 { digits } else { letter.len_utf8() };
        let span = Span::new(at, at + length);
        let cells = if digits > 0 { row[at..at + digits].parse().unwrap_or(i16::MAX) } else { 1 };
        if cells > expected - filled {
            let kind = SetupErrorKind::RowTooLong { rank: rank + 1, expected, column: expected as usize + 1 };
            return Err(SetupError { span, kind });
        }
        if digits == 0 {
            let Some(piece) = Piece::from_letter(letter) else {
                return Err(SetupError {
                    span,
                    kind: SetupErrorKind::UnknownPiece { letter, rank: rank + 1 },
                });
            };
            let cell =
                shape.cell(Coord::new(first + filled, rank)).expect("the row is not longer than the rank");
            setup.put(cell, Some(piece));
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

/// Writes the position record, rank 1 first.
impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shape = self.shape();
        write!(f, "/")?;
        for rank in 0..shape.n_ranks() {
            let mut gap = 0;
            for file in shape.first_file(rank)..shape.first_file(rank) + shape.rank_len(rank) {
                let cell = shape.cell(Coord::new(file, rank)).expect("the file is on the rank");
                match self.piece(cell) {
                    None => gap += 1,
                    Some(piece) => {
                        if gap > 0 {
                            write!(f, "{gap}")?;
                        }
                        gap = 0;
                        write!(f, "{piece}")?;
                    }
                }
            }
            if gap > 0 {
                write!(f, "{gap}")?;
            }
            write!(f, "/")?;
        }
        Ok(())
    }
}
