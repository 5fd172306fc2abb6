//! Where the men around a king stand.

use tafl_rules::Side;
use tafl_rules::bitboard::Bitboard;
use tafl_rules::position::Position;
use tafl_rules::rulebook::Rulebook;

use super::Evaluator;
use super::term::{EvalTerm, TermSink};
use crate::facts::NodeFacts;

impl<const N: usize> Evaluator<N> {
    /// Counts men by their distance from the edge and from goals, and how they stand together.
    ///
    /// ```text
    /// G . x . .     the enemies x guard the goal G, two steps and three steps away from it; they are linked
    /// . . . . .     diagonally and let nobody through. The man o stands two cells from the edge.
    /// . x . . .
    /// . . . o .
    /// ```
    #[inline]
    pub(super) fn men(
        &self,
        book: &Rulebook<N>,
        pos: &Position<N>,
        facts: &NodeFacts<N>,
        side: Side,
        tally: &mut impl TermSink,
    ) {
        let topology = book.topology();
        let friends = pos.side(side).without(pos.kings());
        let enemies = pos.side(side.other()).without(pos.kings());
        let count = |cells: Bitboard<N>| cells.count() as i32;
        for (at, ring) in self.rings.iter().enumerate() {
            tally.add(side, EvalTerm::FRIENDS[at], count(friends & *ring));
            tally.add(side, EvalTerm::ENEMIES[at], count(enemies & *ring));
        }
        for (at, ring) in self.guards[side.index()].iter().enumerate() {
            tally.add(side, EvalTerm::GUARDS[at], count(enemies & *ring));
        }
        let own = pos.side(side);
        tally.add(side, EvalTerm::EnemyLinks, count(enemies & topology.spread_diagonally(enemies)));
        tally.add(side, EvalTerm::EnemyPairs, count(enemies & topology.spread(enemies)));
        tally.add(side, EvalTerm::FriendLinks, count(friends & topology.spread_diagonally(friends)));
        tally.add(side, EvalTerm::FriendPairs, count(friends & topology.spread(own)));
        let beside_free = topology.spread(self.all.without(pos.occupied()));
        tally.add(side, EvalTerm::EnemyStuck, count(enemies.without(beside_free)));
        tally.add(side, EvalTerm::FriendStuck, count(friends.without(beside_free)));
        tally.add(side, EvalTerm::FriendHanging, count(facts.captures_by(book, pos, side.other())));
        tally.add(side, EvalTerm::EnemyHanging, count(facts.captures_by(book, pos, side)));
    }
}

#[cfg(test)]
mod tests {
    use crate::eval::EvalTerm;
    use crate::eval::tests::difference;

    #[test]
    fn guards_of_corners_are_counted() {
        let (guard, idle) = ("/7/1t5/7/3K3/7/7/7/", "/7/3t3/7/3K3/7/7/7/");
        assert_eq!(difference(EvalTerm::Guard2, guard, idle), 1);
        assert_eq!(difference(EvalTerm::EnemyEdge1, guard, idle), 0);
    }

    #[test]
    fn links_and_rings_are_counted() {
        let (linked, apart) = ("/7/1t5/2t4/3K3/7/7/7/", "/7/1t5/4t2/3K3/7/7/7/");
        assert_eq!(difference(EvalTerm::EnemyLinks, linked, apart), 2);
        let (edge, inner) = ("/3T3/7/7/3K3/7/7/7/", "/7/7/3T3/3K3/7/7/7/");
        assert_eq!(difference(EvalTerm::FriendEdge0, edge, inner), 1);
    }
}
