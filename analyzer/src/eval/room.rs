//! The terms of a king's room: the part of the board that enemies have not cut off.

use tafl_rules::{Bitboard, Position, Rulebook};

use super::Evaluator;
use super::sink::TermSink;
use crate::eval_term::EvalTerm;
use crate::facts::RoyalKing;

impl<const N: usize> Evaluator<N> {
    /// Adds the goals, the cells, and the edge cells that a king can reach by steps through cells
    /// without enemies. `in_two` are the cells that he reaches in two moves.
    ///
    /// ```text
    /// G . x . G     the enemies x cut off the right half: one goal G of two and ten cells are left
    /// . . x . .
    /// . K . x .
    /// . . . x .
    /// ```
    #[inline]
    pub(super) fn room(
        &self,
        book: &Rulebook<N>,
        pos: &Position<N>,
        facts: &RoyalKing<N>,
        in_two: Bitboard<N>,
        sink: &mut impl TermSink,
    ) {
        let RoyalKing { piece: king, cell, .. } = *facts;
        let room = book.room_beyond(pos, cell, king, in_two);
        let goals = book.goals(king.side);
        let (open, all) = ((room & goals).count(), goals.count().max(1));
        sink.add_step(king.side, &EvalTerm::GOALS, (4 * open).div_ceil(all) as usize);
        // The room ignores jumps, so a king without goals in his room may still escape by a jump.
        let is_cut_off = open == 0 && book.is_king_cordoned(pos, king.side);
        sink.add(king.side, EvalTerm::Cordoned, i32::from(is_cut_off));
        sink.add(king.side, EvalTerm::Room, self.percent(room.count()));
        let edge = book.topology().edge();
        let of_edge = 100 * (room & edge).count() / edge.count().max(1);
        sink.add(king.side, EvalTerm::EdgeRoom, of_edge as i32);
        // Men outside of a ring are connected to an edge cell without an enemy; all others are
        // enclosed.
        let outside = if room.meets(&edge) {
            room
        } else {
            book.room(pos, edge.without(pos.side(king.side.other())), king)
        };
        let friends = pos.side(king.side).without(pos.kings());
        sink.add(king.side, EvalTerm::FriendOutside, (friends & outside).count() as i32);
    }
}

#[cfg(test)]
mod tests {
    use crate::eval::tests::difference;
    use crate::eval_term::EvalTerm;

    #[test]
    fn a_corner_that_is_cut_off_does_not_count_as_a_goal() {
        let (cut, leaky) = ("/2t4/1t5/t6/3K3/7/7/7/", "/2t4/7/t6/3K3/7/7/1t5/");
        assert_eq!(difference(EvalTerm::Goals3, cut, leaky), 1);
        assert_eq!(difference(EvalTerm::Goals4, leaky, cut), 1);
        assert!(difference(EvalTerm::Room, leaky, cut) > 0);
    }

    #[test]
    fn men_outside_of_a_ring_are_counted() {
        let ring = "/1T5/2ttt2/1t3t1/1t1K1t1/1t3t1/2ttt2/7/";
        let inside = "/7/2ttt2/1t1T1t1/1t1K1t1/1t3t1/2ttt2/7/";
        assert_eq!(difference(EvalTerm::FriendOutside, ring, inside), 1);
    }
}
