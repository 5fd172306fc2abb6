//! What hangs in a position: kings that can run, captures, and the cells that answer.

use tafl_rules::bitboard::Bitboard;
use tafl_rules::position::Position;
use tafl_rules::rulebook::Rulebook;
use tafl_rules::{Cell, Move, Piece, Role};

use crate::eval::FEW_GOALS;

/// What hangs in a position, seen from the side to move. Cells are hints for ordering; the rules decide.
#[derive(Debug, Clone, Copy)]
pub(super) struct Threats<const N: usize> {
    /// Cells on which a capture is likely.
    pub(super) captures: Bitboard<N>,
    /// Cells on which the enemy king is likely to fall.
    pub(super) king_captures: Bitboard<N>,
    /// Where the enemy king can run to a goal now: the cells that stand in his way, goals included. Empty if he cannot.
    pub(super) answers: Bitboard<N>,
    /// Cells from which the own king would have an open line to a goal.
    pub(super) runs: Bitboard<N>,
}

/// Returns the winning run of the side to move, if its king has an open line to a goal.
#[inline]
pub(super) fn winning_run<const N: usize>(book: &Rulebook<N>, pos: &Position<N>) -> Option<Move> {
    if pos.chain().is_some() {
        return None;
    }
    let side = pos.to_move();
    let king = book.royal_king(pos, side)?;
    let reach = book.reach(pos, king, Piece::new(side, Role::King)) & book.goals(side);
    reach.first().map(|goal| Move::new(king, goal))
}

impl<const N: usize> Threats<N> {
    /// Looks at a position.
    #[inline]
    pub(super) fn of(book: &Rulebook<N>, pos: &Position<N>) -> Threats<N> {
        let side = pos.to_move();
        let enemy = side.other();
        let answers = match book.royal_king(pos, enemy) {
            Some(king) => answers(book, pos, king, Piece::new(enemy, Role::King)),
            None => Bitboard::EMPTY,
        };
        let runs = match book.royal_king(pos, side) {
            Some(king) => runs(book, pos, king, Piece::new(side, Role::King)),
            None => Bitboard::EMPTY,
        };
        Threats {
            captures: book.capture_cells(pos, side),
            king_captures: book.king_capture_cells(pos, enemy),
            answers,
            runs,
        }
    }

    /// Returns whether the enemy king runs to a goal unless something is done.
    #[inline]
    pub(super) fn must_answer(&self) -> bool {
        self.answers.any()
    }
}

/// Returns the cells on the open lines of a king to his goals, the goals among them.
#[inline]
fn answers<const N: usize>(book: &Rulebook<N>, pos: &Position<N>, king: Cell, piece: Piece) -> Bitboard<N> {
    let reach = book.reach(pos, king, piece);
    let goals = reach & book.goals(piece.side);
    if goals.is_empty() {
        return Bitboard::EMPTY;
    }
    let mut cells = goals;
    for goal in goals {
        // What slides from both ends share lies between them; other crossings do no harm, they are only tried.
        cells |= book.topology().slide(goal, pos.occupied()) & reach;
    }
    cells
}

/// Returns the cells that a king can move to from where he would have an open line to a goal.
#[inline]
fn runs<const N: usize>(book: &Rulebook<N>, pos: &Position<N>, king: Cell, piece: Piece) -> Bitboard<N> {
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
