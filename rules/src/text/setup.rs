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
use super::row::read_row;
use super::setup_error::{SetupError, SetupErrorKind};
use crate::piece::Piece;
use crate::setup::Setup;
use crate::shape::{Coord, Shape};

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
            return Fen::parse_in(shape, text).map(|fen| fen.setup);
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
            let count = |digits: &str| digits.parse().unwrap_or(i16::MAX);
            let piece = |letter| {
                let kind = SetupErrorKind::UnknownPiece { letter, rank: rank + 1 };
                Piece::from_letter(letter).ok_or(kind)
            };
            read_row(&mut setup, row, rank, count, piece).map_err(|error| error.shift(start))?;
            start += row.len() + 1;
        }
        Ok(setup)
    }
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
