//! The terms of a king's distance from his goals, in moves.

use tafl_rules::{Bitboard, Piece, Position, Rulebook, Side};

use super::Evaluator;
use super::sink::TermSink;
use crate::eval_term::EvalTerm;

impl<const N: usize> Evaluator<N> {
    /// Adds the number of moves that a king needs to reach a goal if all other pieces stay in
    /// place, and the cells he can reach in two moves. Returns these cells.
    ///
    /// ```text
    /// G . . x .     the king K moves down, left, and up: three moves over open lines,
    /// . x . . .     though the goal G is six steps away
    /// . x x . .
    /// . . . K .
    /// ```
    #[inline]
    pub(super) fn moves(
        &self,
        book: &Rulebook<N>,
        pos: &Position<N>,
        king: Piece,
        reach: Bitboard<N>,
        sink: &mut impl TermSink,
    ) -> Bitboard<N> {
        let goals = book.goals(king.side).without(pos.occupied());
        let side: Side = king.side;
        let second = book.reach_of_all(pos, reach, king);
        let in_two = reach | second;
        sink.add(side, EvalTerm::Roam, self.percent(in_two.count()));
        if in_two.meets(&goals) {
            return in_two;
        }
        let mut seen = in_two;
        let mut last = second.without(reach);
        for term in EvalTerm::MOVES {
            if last.is_empty() {
                break;
            }
            let next = book.reach_of_all(pos, last, king).without(seen);
            if next.meets(&goals) {
                sink.add(side, term, 1);
                break;
            }
            seen |= next;
            last = next;
        }
        in_two
    }
}

#[cfg(test)]
mod tests {
    use crate::eval::tests::difference;
    use crate::eval_term::EvalTerm;

    #[test]
    fn moves_are_counted_over_open_lines() {
        // Four attackers stop the king after one cell, so he needs one more move to reach the edge.
        let (far, near) = ("/7/3t3/7/1t1K1t1/7/3t3/7/", "/7/7/7/3K3/7/7/7/");
        assert_eq!(difference(EvalTerm::Moves3, far, near), 1);
        assert!(difference(EvalTerm::Roam, near, far) > 0);
    }
}
