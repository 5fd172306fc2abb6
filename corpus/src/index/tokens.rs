//! The tokens of a block as numbers, each once.
//!
//! A number is the code of the board's shape in the high half, nothing there for what has no cell; then the kind of
//! token in bits 16 to 31 and its value in the low bits. Stored indexes have these numbers: changing them needs another
//! [`INDEX_VERSION`](crate::manifest::INDEX_VERSION).

use tafl_rules::{Cell, Shape, Side};

use crate::ply_state::{CellContent, PlyState};
use crate::query::Token;
use crate::query::change_tokens_of;

/// Returns the number of a token; nothing for keys, which have a field of their own.
pub(super) fn code(token: &Token) -> Option<u64> {
    let of = |kind: u64, value: usize| kind << 16 | value as u64;
    let placed = |shape: Shape, code: u64| shape_code(shape) << 32 | code;
    let king = |side: Side, value: u8| (side as usize) << 8 | usize::from(value);
    Some(match *token {
        Token::Cell(shape, cell, content) => placed(shape, cell_code(cell, content)),
        Token::Event(event) => of(1, event as usize),
        Token::Distance(side, distance) => of(2, king(side, distance)),
        Token::Lines(side, lines) => of(3, king(side, lines)),
        Token::Danger(side) => of(4, king(side, 0)),
        Token::Cordon(side) => of(5, king(side, 0)),
        Token::Pieces(side, n) => of(6, (side as usize) << 12 | usize::from(n)),
        Token::From(shape, cell) => placed(shape, of(7, cell.index())),
        Token::To(shape, cell) => placed(shape, of(8, cell.index())),
        Token::Moved(content) => of(9, usize::from(content.code())),
        Token::Fell(shape, cell) => placed(shape, of(10, cell.index())),
        Token::Key(_) | Token::KeyInChain(_) => return None,
    })
}

const fn cell_code(cell: Cell, content: CellContent) -> u64 {
    (cell.index() as u64) << 4 | content.code() as u64
}

fn shape_code(shape: Shape) -> u64 {
    // The number of ranks tells boards of a kind apart, and no board has none.
    (shape.n_ranks() as u64) << 1 | u64::from(shape.is_hex())
}

/// The tokens of a block while it is read.
#[derive(Debug, Default)]
pub(super) struct BlockTokens {
    /// A bit for each low half of a number: all positions of a block have the same shape.
    seen: Vec<u64>,
    list: Vec<u64>,
    found: Vec<Token>,
}

impl BlockTokens {
    /// Adds the tokens of a position: the first of the block, or the next one.
    pub(super) fn add(&mut self, state: &PlyState) {
        let shape = shape_code(state.shape()) << 32;
        match state.last {
            // Unchanged cells were added with the previous position.
            Some(mv) if !self.list.is_empty() => {
                for cell in [mv.from, mv.to].into_iter().chain(state.captured.iter().copied()) {
                    self.insert(shape | cell_code(cell, state.at(cell)));
                }
            }
            Some(_) | None => {
                for (cell, content) in state.shape().cells().zip(state.board()) {
                    self.insert(shape | cell_code(cell, *content));
                }
            }
        }
        let mut found = std::mem::take(&mut self.found);
        change_tokens_of(state, &mut found);
        found.drain(..).filter_map(|token| code(&token)).for_each(|code| self.insert(code));
        self.found = found;
    }

    /// Returns the number of tokens.
    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// Removes all tokens and passes them to `take`.
    pub(super) fn drain(&mut self, mut take: impl FnMut(u64)) {
        for code in self.list.drain(..) {
            self.seen[(code & 0xffff_ffff) as usize / 64] = 0;
            take(code);
        }
    }

    #[inline]
    fn insert(&mut self, code: u64) {
        let at = (code & 0xffff_ffff) as usize;
        if self.seen.len() <= at / 64 {
            self.seen.resize(at / 64 + 1, 0);
        }
        if self.seen[at / 64] >> (at % 64) & 1 == 0 {
            self.seen[at / 64] |= 1 << (at % 64);
            self.list.push(code);
        }
    }
}
