//! The terms of a king: open lines, mobility, neighbors, and danger.

use tafl_rules::{Bitboard, Position, Rulebook};

use super::Evaluator;
use super::sink::TermSink;
use crate::eval_term::EvalTerm;
use crate::facts::RoyalKing;

impl<const N: usize> Evaluator<N> {
    /// Adds the terms of a king for its side.
    ///
    /// ```text
    /// . . . . G     the king K has an open line to the goal G, one enemy x next to it, one two steps away,
    /// . . x . K     and one cell with an open line to another goal
    /// . . . . x
    /// ```
    #[inline]
    pub(super) fn king(
        &self,
        book: &Rulebook<N>,
        pos: &Position<N>,
        facts: &RoyalKing<N>,
        sink: &mut impl TermSink,
    ) {
        let RoyalKing { piece, cell: king, reach, .. } = *facts;
        let side = piece.side;
        let enemies = pos.side(side.other());
        let beside = book.topology().neighbors(king);
        let lines = facts.open_goals(book).count() as usize;
        sink.add_step(side, &EvalTerm::LINES, lines);
        sink.add_step(side, &EvalTerm::WAYS, facts.goal_line_cells(book, pos).count() as usize);
        let count = |cells: Bitboard<N>| cells.count() as i32;
        sink.add(side, EvalTerm::KingMobility, count(reach).min(EvalTerm::MAX_MOVES as i32));
        sink.add(side, EvalTerm::KingStep, self.steps[side.index()][king.index()]);
        sink.add(side, EvalTerm::EnemyBeside, count(beside & enemies));
        sink.add(side, EvalTerm::EnemyNear, count(self.near[king.index()] & enemies));
        sink.add(side, EvalTerm::FriendBeside, count(beside & pos.side(side)));
        sink.add(side, EvalTerm::KingDanger, count(facts.danger(book, pos)));
        let edge = book.topology().edge();
        sink.add(side, EvalTerm::EdgeSeen, count(reach & edge).min(3));
        sink.add(side, EvalTerm::OnEdge, i32::from(edge.contains(king)));
        let in_two = self.moves(book, pos, piece, reach, sink);
        self.room(book, pos, facts, in_two, sink);
    }
}

#[cfg(test)]
mod tests {
    use crate::eval::tests::difference;
    use crate::eval_term::EvalTerm;

    #[test]
    fn open_lines_are_counted() {
        // The king on the edge sees two corners, or one if an attacker is in between.
        let (two, one) = ("/7/7/7/K6/7/7/7/", "/7/t6/7/K6/7/7/7/");
        assert_eq!(difference(EvalTerm::Line2, two, one), 1);
        assert_eq!(difference(EvalTerm::Line1, one, two), 1);
    }

    #[test]
    fn enemies_beside_the_king_are_counted() {
        let (beside, away) = ("/7/7/3t3/3K3/7/7/7/", "/7/3t3/7/3K3/7/7/7/");
        assert_eq!(difference(EvalTerm::EnemyBeside, beside, away), 1);
        assert_eq!(difference(EvalTerm::EnemyNear, away, beside), 1);
    }
}
