//! Positions in the notation of Forsyth and Edwards (FEN), as written by programs for tafl.
//!
//! ```text
//! fen     = row , { "/" , row } , [ " " , side , { " " , counter } ] ;   top rank first
//! row     = { count | letter } ;
//! letter  = "a" | "d" | "k" ;                           attackers, defenders, king; in either case
//!         | "b" | "w" | "k"                             black and white, in either case
//!         | "r" | "R" | "K"                             attackers in lowercase, defenders in uppercase
//!         | "v" | "V" | "K" ;                           as in HEN
//! side    = "a" | "d" | "b" | "w" | "s" | "m" ;
//! counter = "-" | digit , { digit } ;
//! ```
//!
//! The letters of position records are not accepted: programs that write them without the first slash
//! disagree on the order of the rows.

use super::Span;
use super::row::read_row;
use super::setup_error::{SetupError, SetupErrorKind};
use crate::illegal::describe_piece;
use crate::piece::{Piece, Role};
use crate::setup::Setup;
use crate::shape::{Coord, Shape};
use crate::side::Side;

/// A position in the notation of Forsyth and Edwards: an arrangement on a square board and the side to move.
///
/// # Examples
///
/// ```
/// use tafl_rules::{Fen, Side};
///
/// let fen = Fen::parse("3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 d").unwrap();
/// assert_eq!(fen.setup.to_string(), "/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/");
/// assert_eq!(fen.to_move, Some(Side::Defenders));
/// assert_eq!(fen.setup.to_fen(Side::Defenders).unwrap(), "3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 d");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fen {
    /// The arrangement of the pieces.
    pub setup: Setup,
    /// The side to move, if the text names it.
    pub to_move: Option<Side>,
}

/// The letters that some programs use for the men of the two sides.
struct FenLetters {
    attackers: &'static str,
    defenders: &'static str,
    /// All letters, for messages.
    expected: &'static str,
    /// Further letters for the side to move.
    sides: &'static [(&'static str, Side)],
}

static LETTERS: [FenLetters; 4] = [
    // Muscovites and Swedes.
    FenLetters {
        attackers: "aA",
        defenders: "dD",
        expected: "a d k",
        sides: &[("m", Side::Attackers), ("s", Side::Defenders)],
    },
    // `schwarz`, black in German.
    FenLetters { attackers: "bB", defenders: "wW", expected: "b w k", sides: &[("s", Side::Attackers)] },
    FenLetters { attackers: "r", defenders: "R", expected: "r R K", sides: &[("s", Side::Attackers)] },
    FenLetters { attackers: "v", defenders: "V", expected: "v V K", sides: &[] },
];

impl FenLetters {
    /// Returns the letters to which the first man of a text belongs.
    fn of(rows: &str) -> Option<&'static FenLetters> {
        rows.chars().find_map(|letter| LETTERS.iter().find(|letters| letters.man(letter).is_some()))
    }

    fn man(&self, letter: char) -> Option<Side> {
        if self.attackers.contains(letter) {
            Some(Side::Attackers)
        } else if self.defenders.contains(letter) {
            Some(Side::Defenders)
        } else {
            None
        }
    }

    fn piece(&self, letter: char) -> Option<Piece> {
        match letter {
            'k' | 'K' => Some(Piece::new(Side::Defenders, Role::King)),
            _ => self.man(letter).map(|side| Piece::new(side, Role::Soldier)),
        }
    }
}

impl Fen {
    /// Parses a position. Counters after the side to move are ignored.
    ///
    /// # Errors
    ///
    /// Returns the first error, see [`SetupErrorKind`].
    pub fn parse(text: &str) -> Result<Fen, SetupError> {
        let mut words = words(text);
        let rows = words.next().unwrap_or(Span::at(0));
        let setup = parse_rows(rows.of(text), '/').map_err(|error| error.shift(rows.start as usize))?;
        let to_move = match words.next() {
            None => None,
            Some(word) => Some(side(word.of(text), rows.of(text)).ok_or_else(|| {
                let word_text = word.of(text).to_owned();
                SetupError { span: word, kind: SetupErrorKind::UnknownSide { word: word_text } }
            })?),
        };
        let other = words.find(|word| !is_counter(word.of(text)));
        other.map_or(Ok(Fen { setup, to_move }), |span| {
            Err(SetupError { span, kind: SetupErrorKind::AfterFen { word: span.of(text).to_owned() } })
        })
    }

    /// Parses a position for a board of this shape.
    ///
    /// # Errors
    ///
    /// As [`Fen::parse`]; also if the position is on another board.
    pub fn parse_in(shape: Shape, text: &str) -> Result<Fen, SetupError> {
        let fen = Fen::parse(text)?;
        if fen.setup.shape() == shape {
            return Ok(fen);
        }
        let rows = words(text).next().unwrap_or(Span::at(0));
        let kind = match shape {
            Shape::Hex { .. } => SetupErrorKind::FenOnHex { shape },
            Shape::Square { .. } => SetupErrorKind::WrongRowCount {
                shape,
                expected: shape.n_ranks(),
                found: fen.setup.shape().n_ranks() as usize,
            },
        };
        Err(SetupError { span: rows, kind })
    }

    /// Returns the side to move of a position in this notation, or `None` for a position record and any other
    /// text.
    ///
    /// # Examples
    ///
    /// ```
    /// use tafl_rules::{Fen, Side};
    ///
    /// assert_eq!(Fen::side_to_move("5/2a2/1akd1/2a2/5 d"), Some(Side::Defenders));
    /// assert_eq!(Fen::side_to_move("/5/2t2/1tKT1/2t2/5/"), None);
    /// ```
    pub fn side_to_move(text: &str) -> Option<Side> {
        if is_fen(text) { Fen::parse(text).ok()?.to_move } else { None }
    }
}

/// Returns whether a text is meant as a position in this notation, and not as a position record.
pub(crate) fn is_fen(text: &str) -> bool {
    let rows = text.split_ascii_whitespace().next().unwrap_or("");
    let has_roles =
        rows.chars().any(|letter| letter != 'k' && letter != 'K' && Role::from_letter(letter).is_some());
    !rows.starts_with('/') && rows.contains('/') && !has_roles
}

impl Setup {
    /// Parses rows in the letters of [`Fen`], top rank first, with a separator: `/` in FEN, a blank in HEN. The
    /// board is the square one with as many ranks as there are rows.
    ///
    /// # Errors
    ///
    /// Returns the first error, see [`SetupErrorKind`].
    pub fn parse_fen_rows(rows: &str, separator: char) -> Result<Setup, SetupError> {
        parse_rows(rows, separator)
    }

    /// Returns the position in the notation of TaflZero: `a`, `d`, `k`, and the side to move.
    ///
    /// # Errors
    ///
    /// Returns an error if the board is hexagonal, or a piece has no letter.
    pub fn to_fen(&self, to_move: Side) -> Result<String, FenWriteError> {
        let letter = |piece: Piece| match (piece.side, piece.role) {
            (Side::Attackers, Role::Soldier) => Some('a'),
            (Side::Defenders, Role::Soldier) => Some('d'),
            (Side::Defenders, Role::King) => Some('k'),
            _ => None,
        };
        let side = match to_move {
            Side::Attackers => 'a',
            Side::Defenders => 'd',
        };
        Ok(format!("{} {side}", self.fen_rows('/', letter)?))
    }

    /// Returns the position in the notation HEN, without the side to move: `v`, `V`, `K`, and blanks between
    /// the rows.
    ///
    /// # Errors
    ///
    /// Returns an error if the board is hexagonal, or a piece has no letter.
    pub fn to_hen(&self) -> Result<String, FenWriteError> {
        self.fen_rows(' ', |piece| match (piece.side, piece.role) {
            (Side::Attackers, Role::Soldier) => Some('v'),
            (Side::Defenders, Role::Soldier) => Some('V'),
            (Side::Defenders, Role::King) => Some('K'),
            _ => None,
        })
    }

    fn fen_rows(
        &self,
        separator: char,
        letter: impl Fn(Piece) -> Option<char>,
    ) -> Result<String, FenWriteError> {
        let shape = self.shape();
        let Shape::Square { side } = shape else { return Err(FenWriteError::Board { shape }) };
        let mut out = String::new();
        for rank in (0..i16::from(side)).rev() {
            let mut gap = 0;
            for file in 0..i16::from(side) {
                let cell = shape.cell(Coord::new(file, rank)).expect("the file is on the rank");
                let Some(piece) = self.piece(cell) else {
                    gap += 1;
                    continue;
                };
                let letter =
                    letter(piece).ok_or_else(|| FenWriteError::Piece { piece, cell: shape.name(cell) })?;
                push_gap(&mut out, gap);
                gap = 0;
                out.push(letter);
            }
            push_gap(&mut out, gap);
            out.extend((rank > 0).then_some(separator));
        }
        Ok(out)
    }
}

fn push_gap(out: &mut String, gap: u32) {
    if gap > 0 {
        out.push_str(&gap.to_string());
    }
}

/// The reason why a position cannot be written in FEN or HEN.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FenWriteError {
    /// The board is not square.
    #[error("the notation is for square boards, but the board is {shape}")]
    Board {
        /// The board.
        shape: Shape,
    },
    /// The notation has no letter for a piece.
    #[error("the notation has no letter for the {} on `{cell}`", describe_piece(*piece))]
    Piece {
        /// The piece.
        piece: Piece,
        /// The name of its cell.
        cell: String,
    },
}

/// Returns the spans of the words of a text.
fn words(text: &str) -> impl Iterator<Item = Span> {
    let start = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
    text.split_ascii_whitespace().map(move |word| Span::new(start(word), start(word) + word.len()))
}

fn is_counter(word: &str) -> bool {
    word == "-" || word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the side of a word after the rows.
fn side(word: &str, rows: &str) -> Option<Side> {
    match word.to_ascii_lowercase().as_str() {
        "a" | "b" | "attacker" | "attackers" | "black" => Some(Side::Attackers),
        "d" | "w" | "defender" | "defenders" | "white" => Some(Side::Defenders),
        word => FenLetters::of(rows)?.sides.iter().find(|(known, _)| *known == word).map(|(_, side)| *side),
    }
}

fn parse_rows(text: &str, separator: char) -> Result<Setup, SetupError> {
    let start = |row: &str| row.as_ptr() as usize - text.as_ptr() as usize;
    // Blanks may be doubled, but an empty row between slashes is a mistake.
    let rows = || text.split(separator).filter(|row| separator != ' ' || !row.is_empty());
    let n_rows = rows().count();
    let Some(shape) = u8::try_from(n_rows).ok().and_then(Shape::square) else {
        let kind = SetupErrorKind::UnsupportedRowCount { found: n_rows };
        return Err(SetupError { span: Span::new(0, text.len()), kind });
    };
    let letters = FenLetters::of(text).unwrap_or(&LETTERS[0]);
    let mut setup = Setup::empty(shape);
    for (row, nth) in rows().zip(1..) {
        let rank = shape.n_ranks() - nth;
        let count = |digits: &str| count(digits, shape.n_ranks());
        let piece = |letter| {
            let expected = letters.expected;
            let kind = SetupErrorKind::UnknownFenPiece { letter, rank: rank + 1, expected };
            letters.piece(letter).ok_or(kind)
        };
        read_row(&mut setup, row, rank, count, piece).map_err(|error| error.shift(start(row)))?;
    }
    Ok(setup)
}

/// Returns the number of empty cells of a run of digits: a number, or if no rank is that long, the sum of its
/// digits. Some programs write 11 cells as `92`.
fn count(digits: &str, longest: i16) -> i16 {
    match digits.parse() {
        Ok(number) if number <= longest => number,
        _ => digits.bytes().take(99).map(|digit| i16::from(digit - b'0')).sum(),
    }
}

#[cfg(test)]
mod tests;
