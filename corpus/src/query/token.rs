//! The tokens of a block of positions in an index.

use tafl_rules::{CanonicalKey, Cell, Event, Piece, Shape, Side};

use crate::ply_state::{CellContent, PlyState};

/// A fact about a position that the index stores. A block has the tokens of all its positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Token {
    /// The content of a cell; empty cells have tokens, too.
    Cell(Shape, Cell, CellContent),
    /// An event of the last ply.
    Event(Event),
    /// The distance of a side's king to a goal.
    Distance(Side, u8),
    /// The number of open lines of a side's king.
    Lines(Side, u8),
    /// A side's king could be captured by one move if it were the opponent's turn.
    Danger(Side),
    /// A cordon is closed around a side's king.
    Cordon(Side),
    /// The number of pieces of a side.
    Pieces(Side, u16),
    /// The cell where the last ply began.
    From(Shape, Cell),
    /// The cell where it ended.
    To(Shape, Cell),
    /// The piece that moved, as it is after the ply: it may have changed sides.
    Moved(CellContent),
    /// The cell of a captured piece.
    Captured(Shape, Cell),
    /// The canonical key of the position. [`tokens_of`] does not give it: positions know no rules.
    Key(CanonicalKey),
    /// For a position inside a chain of captures, the canonical key that it would have with the attackers to move and
    /// outside the chain. [`tokens_of`] does not give it, either.
    KeyInChain(CanonicalKey),
}

/// The difference between the key of a position in a chain in the key table, and its [`Token::KeyInChain`].
#[cfg(feature = "store")]
const IN_CHAIN: u64 = 0x9e37_79b9_7f4a_7c15;

#[cfg(feature = "store")]
impl Token {
    /// Returns the key under which the key table has the token; `None` for other tokens.
    pub(crate) fn table_key(&self) -> Option<CanonicalKey> {
        match self {
            Token::Key(key) => Some(*key),
            Token::KeyInChain(key) => Some(CanonicalKey(key.0 ^ IN_CHAIN)),
            Token::Cell(..)
            | Token::Event(_)
            | Token::Distance(..)
            | Token::Lines(..)
            | Token::Danger(_)
            | Token::Cordon(_)
            | Token::Pieces(..)
            | Token::From(..)
            | Token::To(..)
            | Token::Moved(_)
            | Token::Captured(..) => None,
        }
    }
}

/// Adds the tokens of a position, each once; those of [`Token::Key`] and [`Token::KeyInChain`] are the caller's.
pub fn tokens_of(state: &PlyState, tokens: &mut Vec<Token>) {
    let shape = state.shape();
    tokens.extend(
        state.board().iter().zip(shape.cells()).map(|(content, cell)| Token::Cell(shape, cell, *content)),
    );
    change_tokens_of(state, tokens);
}

/// Adds the tokens of a position but for those of cells: an index adds those of the cells that changed.
pub(crate) fn change_tokens_of(state: &PlyState, tokens: &mut Vec<Token>) {
    let shape = state.shape();
    for side in Side::ALL {
        tokens.push(Token::Pieces(side, n_pieces(state, side)));
        let Some(status) = state.facts.kings[side] else { continue };
        tokens.extend([Token::Distance(side, status.distance), Token::Lines(side, status.lines)]);
        tokens.extend(status.in_danger.then_some(Token::Danger(side)));
        tokens.extend(status.cordoned.then_some(Token::Cordon(side)));
    }
    tokens.extend(state.facts.events.iter().map(Token::Event));
    if let Some(mv) = state.last {
        tokens.extend([Token::From(shape, mv.from), Token::To(shape, mv.to)]);
        tokens.push(Token::Moved(state.at(mv.to)));
    }
    tokens.extend(state.captured.iter().map(|cell| Token::Captured(shape, *cell)));
}

/// Returns the number of pieces of a side.
#[inline]
pub(crate) fn n_pieces(state: &PlyState, side: Side) -> u16 {
    // The contents of a side follow one another: nothing, the attackers' pieces, the defenders' pieces.
    let half = Piece::COUNT / 2;
    let first = 1 + side.index() * half;
    state.counts()[first..first + half].iter().sum()
}
