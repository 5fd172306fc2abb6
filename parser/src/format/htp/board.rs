//! Boards in a transcript: drawn row by row, or as a position record.

use tafl_rules::{Coord, Piece, RowOrder, Setup, Shape, Span};

use crate::format::hnefatafl_org::our_letters;

/// The rows of a board while they are read, top rank first.
#[derive(Debug, Default)]
pub(super) struct BoardRows {
    setup: Option<Setup>,
    /// The rank of the last row.
    rank: u8,
    span: Span,
}

/// The result of adding a row.
#[derive(Debug)]
pub(super) enum BoardPart {
    /// More rows follow.
    Incomplete,
    /// The board is complete.
    Complete(Setup, Span),
    /// The row does not continue the board, or is not a row.
    Bad,
}

impl BoardRows {
    /// Adds a row such as `11│ . . A . │11`; `span` is that of the text.
    pub(super) fn push(&mut self, text: &str, span: Span) -> BoardPart {
        let text = without_colors(text);
        let mut parts = text.split('│');
        let rank = parts.next().and_then(|label| label.trim().parse::<u8>().ok());
        let (Some(rank), Some(cells)) = (rank, parts.next()) else {
            self.setup = None;
            return BoardPart::Bad;
        };
        if self.setup.is_none() {
            self.setup = Shape::square(rank).map(Setup::empty);
            (self.rank, self.span) = (rank.saturating_add(1), span);
        }
        let is_next = rank > 0 && self.rank.checked_sub(1) == Some(rank);
        let Some(setup) = self.setup.as_mut().filter(|_| is_next) else {
            self.setup = None;
            return BoardPart::Bad;
        };
        (self.rank, self.span) = (rank, self.span.cover(span));
        if !put_row(setup, rank, cells) {
            self.setup = None;
            return BoardPart::Bad;
        }
        match self.setup.take() {
            Some(setup) if rank == 1 => BoardPart::Complete(setup, self.span),
            setup => {
                self.setup = setup;
                BoardPart::Incomplete
            }
        }
    }

    /// Returns the span of a board whose last rows are missing, and forgets it.
    pub(super) fn interrupted(&mut self) -> Option<Span> {
        self.setup.take().map(|_| self.span)
    }
}

/// Puts the pieces of a row on the board. Returns whether all its symbols are known.
fn put_row(setup: &mut Setup, rank: u8, cells: &str) -> bool {
    let mut n_cells = 0;
    for symbol in cells.chars().filter(|symbol| !symbol.is_whitespace()) {
        let piece = match symbol {
            '.' | '#' | '⌘' => None,
            'A' | 'X' => Piece::from_letter('t'),
            'D' | 'O' => Piece::from_letter('T'),
            'K' => Piece::from_letter('K'),
            _ => return false,
        };
        let cell = setup.shape().cell(Coord::new(n_cells, i16::from(rank) - 1));
        let Some(cell) = cell else { return false };
        setup.put(cell, piece);
        n_cells += 1;
    }
    n_cells == i16::from(setup.shape().side())
}

/// Returns the text without the color codes of terminals.
fn without_colors(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut parts = text.split("\u{1b}[");
    plain.push_str(parts.next().unwrap_or(""));
    for part in parts {
        plain.push_str(part.split_once('m').map_or("", |(_, rest)| rest));
    }
    plain
}

/// Reads a position with the top rank first and the site's letters.
pub(super) fn position(text: &str) -> Option<Setup> {
    let rows = text.trim_matches('/').split('/').count();
    let shape = Shape::square(u8::try_from(rows).ok()?)?;
    Setup::parse_in(shape, &our_letters(text), RowOrder::Falling).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_make_a_board() {
        let mut rows = BoardRows::default();
        let lines = ["5│ # . A . # │5", "4│ . . . . . │4", "3│ A \u{1b}[34mD\u{1b}[0m K . . │3"];
        for line in lines {
            assert!(matches!(rows.push(line, Span::new(0, 3)), BoardPart::Incomplete));
        }
        assert!(matches!(rows.push("2│ . . . . . │2", Span::new(3, 4)), BoardPart::Incomplete));
        let BoardPart::Complete(setup, span) = rows.push("1│ # . . . # │1", Span::new(5, 9)) else {
            panic!()
        };
        assert_eq!((setup.to_string(), span), ("/5/5/tTK2/5/2t2/".to_owned(), Span::new(0, 9)));
    }

    #[test]
    fn rows_out_of_order_or_of_another_width_are_no_board() {
        let mut rows = BoardRows::default();
        assert!(matches!(rows.push("5│ . . . . . │5", Span::default()), BoardPart::Incomplete));
        assert!(matches!(rows.push("3│ . . . . . │3", Span::default()), BoardPart::Bad));
        assert!(matches!(rows.push("5│ . . . . │5", Span::default()), BoardPart::Bad));
        assert!(matches!(rows.push("x│ . │", Span::default()), BoardPart::Bad));
        assert!(matches!(rows.push("255│ . │", Span::default()), BoardPart::Bad));
        assert!(matches!(rows.push("5│ . . . . . │5", Span::default()), BoardPart::Incomplete));
        assert!(matches!(rows.push("255│ . . . . . │255", Span::default()), BoardPart::Bad));
        assert_eq!(rows.interrupted(), None);
    }
}
