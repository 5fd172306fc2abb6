//! What a block of positions carries in an index.

use tafl_rules::facts::Event;
use tafl_rules::zobrist::CanonicalKey;
use tafl_rules::{Cell, Piece, Shape, Side};

use crate::moment::{Content, Moment};

/// A fact about a moment that an index knows. A block has the tokens of all its moments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Token {
    /// The content of a cell; empty cells have tokens, too.
    Cell(Shape, Cell, Content),
    /// What the ply that led here did.
    Event(Event),
    /// The distance of a side's king to a goal.
    Distance(Side, u8),
    /// The number of open lines of a side's king.
    Lines(Side, u8),
    /// A side's king could be captured.
    Danger(Side),
    /// A cordon is closed around a side's king.
    Cordon(Side),
    /// How many pieces a side has.
    Pieces(Side, u16),
    /// Where the ply that led here began.
    From(Shape, Cell),
    /// Where it ended.
    To(Shape, Cell),
    /// What moved; it may have changed since, so this is what stands there now.
    Moved(Content),
    /// Where a piece fell.
    Fell(Shape, Cell),
    /// The canonical key of the position. [`tokens_of`] does not give it: moments know no rules.
    Key(CanonicalKey),
}

/// Adds the tokens of a moment, each once; those of [`Token::Key`] are the caller's.
pub fn tokens_of(moment: &Moment, tokens: &mut Vec<Token>) {
    let shape = moment.shape();
    tokens.extend(
        moment.board().iter().zip(shape.cells()).map(|(content, cell)| Token::Cell(shape, cell, *content)),
    );
    change_tokens_of(moment, tokens);
}

/// Adds the tokens of a moment but for those of cells: an index adds those of the cells that changed.
pub fn change_tokens_of(moment: &Moment, tokens: &mut Vec<Token>) {
    let shape = moment.shape();
    for side in Side::ALL {
        tokens.push(Token::Pieces(side, n_pieces(moment, side)));
        let Some(sight) = moment.facts.kings[side] else { continue };
        tokens.extend([Token::Distance(side, sight.distance), Token::Lines(side, sight.lines)]);
        tokens.extend(sight.in_danger.then_some(Token::Danger(side)));
        tokens.extend(sight.cordoned.then_some(Token::Cordon(side)));
    }
    tokens.extend(moment.facts.events.iter().map(Token::Event));
    if let Some(mv) = moment.last {
        tokens.extend([Token::From(shape, mv.from), Token::To(shape, mv.to)]);
        tokens.push(Token::Moved(moment.at(mv.to)));
    }
    tokens.extend(moment.captured.iter().map(|cell| Token::Fell(shape, *cell)));
}

/// Returns how many pieces a side has.
#[inline]
pub(crate) fn n_pieces(moment: &Moment, side: Side) -> u16 {
    // The contents of a side follow one another: nothing, the attackers' pieces, the defenders' pieces.
    let half = Piece::COUNT / 2;
    let first = 1 + side.index() * half;
    moment.counts()[first..first + half].iter().sum()
}
