//! The terms of the men: distances from edge and goals, and structure.

use tafl_rules::{Bitboard, Position, Rulebook, Side};

use super::Evaluator;
use super::sink::TermSink;
use crate::eval_term::EvalTerm;
use crate::facts::NodeFacts;

impl<const N: usize> Evaluator<N> {
    /// Adds the terms of men: their distances from the edge and from goals, and their connections.
    ///
    /// ```text
    /// G . x . .     the enemies x guard the goal G at a distance of two and three steps; they are linked
    /// . . . . .     diagonally and block the way. The man o is two cells from the edge.
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
        sink: &mut impl TermSink,
    ) {
        let topology = book.topology();
        let friends = pos.side(side).without(pos.kings());
        let enemies = pos.side(side.other()).without(pos.kings());
        let count = |cells: Bitboard<N>| cells.count() as i32;
        for (at, ring) in self.edge_bands.iter().enumerate() {
            sink.add(side, EvalTerm::FRIENDS[at], count(friends & *ring));
            sink.add(side, EvalTerm::ENEMIES[at], count(enemies & *ring));
        }
        for (at, ring) in self.goal_bands[side.index()].iter().enumerate() {
            sink.add(side, EvalTerm::GUARDS[at], count(enemies & *ring));
        }
        let own = pos.side(side);
        sink.add(side, EvalTerm::EnemyLinks, count(enemies & topology.spread_diagonally(enemies)));
        sink.add(side, EvalTerm::EnemyPairs, count(enemies & topology.spread(enemies)));
        sink.add(side, EvalTerm::FriendLinks, count(friends & topology.spread_diagonally(friends)));
        sink.add(side, EvalTerm::FriendPairs, count(friends & topology.spread(own)));
        let beside_free = topology.spread(self.all.without(pos.occupied()));
        sink.add(side, EvalTerm::EnemyStuck, count(enemies.without(beside_free)));
        sink.add(side, EvalTerm::FriendStuck, count(friends.without(beside_free)));
        sink.add(side, EvalTerm::FriendHanging, count(facts.captures_by(book, pos, side.other())));
        sink.add(side, EvalTerm::EnemyHanging, count(facts.captures_by(book, pos, side)));
        if sink.needs(&EvalTerm::MOBILITY) {
            let mobility = |of: Side| self.percent(facts.men_reach(book, pos, of).count());
            sink.add(side, EvalTerm::FriendMobility, mobility(side));
            sink.add(side, EvalTerm::EnemyMobility, mobility(side.other()));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::eval::tests::difference;
    use crate::eval_term::EvalTerm;

    #[test]
    fn guards_of_corners_are_counted() {
        let (guard, idle) = ("/7/1t5/7/3K3/7/7/7/", "/7/3t3/7/3K3/7/7/7/");
        assert_eq!(difference(EvalTerm::Guard2, guard, idle), 1);
        assert_eq!(difference(EvalTerm::EnemyEdge1, guard, idle), 0);
    }

    #[test]
    fn mobility_is_counted_in_percent_of_the_board() {
        // Enclosed by four men, a man has no move; alone, it has moves to 12 of 49 cells.
        let (enclosed, free) = ("/1t5/tTt4/1t5/3K3/7/7/7/", "/7/1T5/7/3K3/7/7/7/");
        assert_eq!(difference(EvalTerm::FriendMobility, free, enclosed), 24);
        assert!(difference(EvalTerm::EnemyMobility, enclosed, free) > 0);
    }

    #[test]
    fn links_and_rings_are_counted() {
        let (linked, apart) = ("/7/1t5/2t4/3K3/7/7/7/", "/7/1t5/4t2/3K3/7/7/7/");
        assert_eq!(difference(EvalTerm::EnemyLinks, linked, apart), 2);
        let (edge, inner) = ("/3T3/7/7/3K3/7/7/7/", "/7/7/3T3/3K3/7/7/7/");
        assert_eq!(difference(EvalTerm::FriendEdge0, edge, inner), 1);
    }
}
