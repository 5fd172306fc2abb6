//! Threats in a position: kings that can escape, captures, and the cells of evasions.

use tafl_rules::bitboard::Bitboard;
use tafl_rules::position::Position;
use tafl_rules::rulebook::Rulebook;
use tafl_rules::{Cell, Move, Piece, Role};

use crate::eval::FEW_GOALS;

/// The threats in a position, seen from the side to move. Cells are hints for move ordering; the rules decide.
#[derive(Debug, Clone, Copy)]
pub(super) struct Threats<const N: usize> {
    /// Cells on which a capture is likely.
    pub(super) captures: Bitboard<N>,
    /// Cells on which the enemy king is likely to fall.
    pub(super) king_captures: Bitboard<N>,
    /// The cells between the enemy king and the goals that he could move to, goals included; empty if he cannot escape.
    pub(super) threat_evasions: Bitboard<N>,
    /// Cells from which the own king would have an open line to a goal.
    pub(super) king_escape_threats: Bitboard<N>,
}

/// Returns the winning move of a king with an open line to a goal, if the side to move has one.
#[inline]
pub(super) fn winning_escape<const N: usize>(book: &Rulebook<N>, pos: &Position<N>) -> Option<Move> {
    if pos.chain().is_some() {
        return None;
    }
    let side = pos.to_move();
    let king = book.royal_king(pos, side)?;
    let reach = book.reach(pos, king, Piece::new(side, Role::King)) & book.goals(side);
    reach.first().map(|goal| Move::new(king, goal))
}

impl<const N: usize> Threats<N> {
    /// Finds the threats in a position.
    #[inline]
    pub(super) fn of(book: &Rulebook<N>, pos: &Position<N>) -> Threats<N> {
        let side = pos.to_move();
        let enemy = side.other();
        let threat_evasions = match book.royal_king(pos, enemy) {
            Some(king) => threat_evasions(book, pos, king, Piece::new(enemy, Role::King)),
            None => Bitboard::EMPTY,
        };
        let king_escape_threats = match book.royal_king(pos, side) {
            Some(king) => king_escape_threats(book, pos, king, Piece::new(side, Role::King)),
            None => Bitboard::EMPTY,
        };
        Threats {
            captures: book.capture_cells(pos, side),
            king_captures: book.king_capture_cells(pos, enemy),
            threat_evasions,
            king_escape_threats,
        }
    }

    /// Returns whether the enemy king escapes with its next move unless something is done.
    #[inline]
    pub(super) fn must_evade(&self) -> bool {
        self.threat_evasions.any()
    }
}

/// Returns the cells on the open lines of a king to its goals, goals included.
#[inline]
fn threat_evasions<const N: usize>(
    book: &Rulebook<N>,
    pos: &Position<N>,
    king: Cell,
    piece: Piece,
) -> Bitboard<N> {
    let reach = book.reach(pos, king, piece);
    let goals = reach & book.goals(piece.side);
    if goals.is_empty() {
        return Bitboard::EMPTY;
    }
    let mut cells = goals;
    for goal in goals {
        // The cells that slides from both ends share lie between them; other crossings do no harm, they are only tried.
        cells |= book.topology().slide(goal, pos.occupied()) & reach;
    }
    cells
}

/// Returns the cells that a king can move to and from which it would have an open line to a goal.
#[inline]
fn king_escape_threats<const N: usize>(
    book: &Rulebook<N>,
    pos: &Position<N>,
    king: Cell,
    piece: Piece,
) -> Bitboard<N> {
    let reach = book.reach(pos, king, piece);
    let goals = book.goals(piece.side).without(pos.occupied());
    if goals.count() <= FEW_GOALS {
        let mut from_goals = Bitboard::EMPTY;
        for goal in goals {
            from_goals |= book.topology().slide(goal, pos.occupied().without(Bitboard::of(king)));
        }
        return from_goals & reach;
    }
    reach.iter().filter(|cell| book.reach(pos, *cell, piece).meets(&goals)).collect()
}
