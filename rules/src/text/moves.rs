//! Moves as text: `move = [ letter ] , cell , { "-" | " " | "x" | ">" } , cell , rest`.

use super::cell::coord_prefix;
use crate::moves::Move;
use crate::shape::{Cell, Coord, Shape};

/// The reason why a text is not a move on a board.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseMoveError {
    /// The text does not consist of two cell names.
    #[error("`{0}` is not a move such as `d1-d3`")]
    Form(String),
    /// A cell is not on the board.
    #[error("`{cell}` is not a cell of a {shape} board")]
    OffBoard {
        /// The cell.
        cell: Coord,
        /// The board.
        shape: Shape,
    },
}

impl Move {
    /// Parses a move on a board: `d1-d3`, `d1d3`, `d1 d3`, `Kd1-d3`. Ignores the text after the
    /// second cell, such as captures.
    ///
    /// # Errors
    ///
    /// Returns a description of the syntax error. The move is not checked for legality, see
    /// [`crate::Game::check`].
    ///
    /// # Examples
    ///
    /// ```
    /// use tafl_rules::{Move, Shape};
    ///
    /// let shape = Shape::square(11).unwrap();
    /// let mv = Move::parse("Kf6-f2xg2", shape).unwrap();
    /// assert_eq!(mv.display(shape).to_string(), "f6-f2");
    /// let error = Move::parse("f6-f12", shape).unwrap_err();
    /// assert_eq!(error.to_string(), "`f12` is not a cell of a 11x11 board");
    /// ```
    pub fn parse(text: &str, shape: Shape) -> Result<Move, ParseMoveError> {
        let Some((from, to)) = coords(text) else { return Err(ParseMoveError::Form(text.to_owned())) };
        let cell = |cell: Coord| shape.cell(cell).ok_or(ParseMoveError::OffBoard { cell, shape });
        let (from, to): (Cell, Cell) = (cell(from)?, cell(to)?);
        Ok(Move::new(from, to))
    }
}

fn coords(text: &str) -> Option<(Coord, Coord)> {
    let text = text.trim_start().as_bytes();
    // An uppercase letter before the first cell names the piece.
    let has_piece = text.first()?.is_ascii_uppercase() && text.get(1).is_some_and(u8::is_ascii_alphabetic);
    let text = &text[usize::from(has_piece)..];
    let (from, length) = coord_prefix(text)?;
    let gap = text[length..].iter().take_while(|byte| b"- x>".contains(byte)).count();
    let text = &text[length + gap..];
    let (to, length) = coord_prefix(text)?;
    let is_whole = text.get(length).is_none_or(|byte| !byte.is_ascii_digit());
    is_whole.then_some((from, to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_spellings_of_a_move_are_accepted() {
        let shape = Shape::Square { side: 11 };
        let read = |text: &str| Move::parse(text, shape).map(|mv| mv.display(shape).to_string());
        for text in ["a8-a9", "a8a9", " a8 a9", "Ka8-a9xb9", "a8xa9", "a8->a9", "A8-A9"] {
            assert_eq!(read(text).as_deref(), Ok("a8-a9"), "{text}");
        }
        for text in ["", "K", "a8", "a8-", "resign", "\u{e9}8-a9", "8a-9a", "a8-a123"] {
            assert_eq!(read(text), Err(ParseMoveError::Form(text.to_owned())), "{text}");
        }
        for text in ["a0-a1", "a1-l1", "a1-a12"] {
            assert!(matches!(read(text), Err(ParseMoveError::OffBoard { .. })), "{text}");
        }
    }
}
