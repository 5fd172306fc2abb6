//! The codes of tokens.
//!
//! A code has that of the board's shape in the high half (0 for tokens without a cell), the kind of
//! token in bits 16 to 31 and its value in the low bits. Token tables have the low halves: changing them needs another
//! [`INDEX_VERSION`](crate::manifest::INDEX_VERSION).

use tafl_rules::{Cell, Shape, Side};

use crate::ply_state::{CellContent, PlyState};
use crate::query::Token;
use crate::query::change_tokens_of;

/// Returns the code of a token; `None` for keys, which have a table of their own.
pub(super) fn code(token: &Token) -> Option<u64> {
    let of = |kind: u64, value: usize| kind << 16 | value as u64;
    let placed = |shape: Shape, code: u64| u64::from(shape_code(shape)) << 32 | code;
    let king = |side: Side, value: u8| (side as usize) << 8 | usize::from(value);
    Some(match *token {
        Token::Cell(shape, cell, content) => placed(shape, cell_code(cell, content).into()),
        Token::Event(event) => of(1, event as usize),
        Token::Distance(side, distance) => of(2, king(side, distance)),
        Token::Lines(side, lines) => of(3, king(side, lines)),
        Token::Danger(side) => of(4, king(side, 0)),
        Token::Cordon(side) => of(5, king(side, 0)),
        Token::Pieces(side, n) => of(6, (side as usize) << 12 | usize::from(n)),
        Token::From(shape, cell) => placed(shape, of(7, cell.index())),
        Token::To(shape, cell) => placed(shape, of(8, cell.index())),
        Token::Moved(content) => of(9, usize::from(content.code())),
        Token::Captured(shape, cell) => placed(shape, of(10, cell.index())),
        Token::Key(_) | Token::KeyInChain(_) => return None,
    })
}

const fn cell_code(cell: Cell, content: CellContent) -> u32 {
    (cell.index() as u32) << 4 | content.code() as u32
}

/// Returns the code of a shape, which is not 0.
pub(super) fn shape_code(shape: Shape) -> u32 {
    // The number of ranks tells boards of a kind apart, and no board has none.
    (shape.n_ranks() as u32) << 1 | u32::from(shape.is_hex())
}

/// A reader of the tokens of positions.
#[derive(Debug, Default)]
pub(super) struct TokenReader {
    found: Vec<Token>,
}

impl TokenReader {
    /// Passes the low halves of the codes of the tokens of a position to `take`; they may come more than once. A
    /// position after another one of its block lacks those of cells that are as before.
    pub(super) fn each(&mut self, state: &PlyState, is_first: bool, mut take: impl FnMut(u32)) {
        match state.last {
            Some(mv) if !is_first => {
                for cell in [mv.from, mv.to].into_iter().chain(state.captured.iter().copied()) {
                    take(cell_code(cell, state.at(cell)));
                }
            }
            Some(_) | None => {
                for (cell, content) in state.shape().cells().zip(state.board()) {
                    take(cell_code(cell, *content));
                }
            }
        }
        change_tokens_of(state, &mut self.found);
        self.found.drain(..).filter_map(|token| code(&token)).for_each(|code| take(code as u32));
    }
}
