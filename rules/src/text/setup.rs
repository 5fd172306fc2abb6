//! Position records.
//!
//! ```text
//! position = "/" , row , { "/" , row } , "/" ;          rank 1 first, in a row the lowest file first
//! row      = { count | letter } ;  count = digit , { digit } ;
//! letter   = "t" | "c" | "n" | "k" | "m" | "g"          attackers; upper case: defenders
//! ```
//!
//! A hexagonal board has one row a rank as well, with only the cells that the board has.

use std::fmt;

use super::Span;
use crate::piece::Piece;
use crate::setup::Setup;
use crate::shape::{Coord, Shape};

/// Why a text is not a position record, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
pub struct SetupError {
    /// The place in the text of the record.
    pub span: Span,
    /// What is wrong there.
    pub kind: SetupErrorKind,
}

/// What is wrong with a position record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SetupErrorKind {
    /// The record does not begin with a slash.
    #[error("a position record begins with `/`")]
    NoSlash,
    /// A letter that stands for no piece.
    #[error("`{letter}` in rank {rank} stands for no piece; pieces are t c n k m g and T C N K M G")]
    UnknownPiece {
        /// The letter.
        letter: char,
        /// The rank, counted from 1.
        rank: i16,
    },
    /// A row that is longer than the rank.
    #[error("rank {rank} has {expected} cells, but its row goes on at column {column}")]
    RowTooLong {
        /// The rank, counted from 1.
        rank: i16,
        /// How many cells the rank has.
        expected: i16,
        /// The first column too many, counted from 1.
        column: usize,
    },
    /// A row that is shorter than the rank.
    #[error("rank {rank} has {expected} cells, but its row ends after column {found}")]
    RowTooShort {
        /// The rank, counted from 1.
        rank: i16,
        /// How many cells the rank has.
        expected: i16,
        /// How many cells the row has.
        found: i16,
    },
    /// Too few or too many rows.
    #[error("a {shape} board has {expected} ranks, but the record has {found} rows")]
    WrongRowCount {
        /// The board.
        shape: Shape,
        /// How many ranks the board has.
        expected: i16,
        /// How many rows were written.
        found: usize,
    },
}

/// The order of the rows of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowOrder {
    /// Rank 1 first, as position records have it.
    Rising,
    /// The highest rank first, as OpenTafl's `starti:` and hnefatafl.org have it.
    Falling,
}

impl Setup {
    /// Reads a position record for a board of this shape.
    ///
    /// # Errors
    ///
    /// Returns the first place that does not fit the board, see [`SetupErrorKind`].
    ///
    /// # Examples
    ///
    /// ```
    /// use tafl_rules::{Setup, Shape};
    ///
    /// let board = Shape::square(7).unwrap();
    /// let setup = Setup::parse(board, "/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/").unwrap();
    /// assert_eq!(setup.to_string(), "/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/");
    /// assert!(Setup::parse(board, "/3t3/").is_err());
    /// ```
    pub fn parse(shape: Shape, text: &str) -> Result<Setup, SetupError> {
        Setup::parse_in(shape, text, RowOrder::Rising)
    }

    /// Reads a position record whose rows stand in the given order.
    ///
    /// # Errors
    ///
    /// As [`Setup::parse`].
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
            read_row(&mut setup, row, rank)
                .map_err(|error| SetupError { span: error.span.shift(start), ..error })?;
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
