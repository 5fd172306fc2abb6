//! The static score of quiet moves: what the board alone says about a move, before any search.
//!
//! With more than a hundred moves in a position, most nodes know nothing about most of their moves: few have been
//! searched often enough for a history. Late move pruning and reductions need a reasonable order all the same.

use tafl_rules::{Bitboard, Cell, Move, Position, Rulebook};

use super::Params;
use crate::facts::NodeFacts;

/// The static scores of all quiet moves of a position: a move has the score of its target minus that of its source. Tables of
/// cells, because a position has fewer cells than moves, and few cells are special. They are computed again for each node.
#[derive(Debug, Default)]
pub(super) struct StaticOrder {
    targets: Vec<i32>,
    sources: Vec<i32>,
}

impl StaticOrder {
    /// Computes the scores. `targets` are the targets of all moves of the side to move, and `man_values` is the value of one of
    /// its men on each cell, in hundredths.
    pub(super) fn compute<const N: usize>(
        &mut self,
        book: &Rulebook<N>,
        pos: &Position<N>,
        facts: &NodeFacts<N>,
        targets: Bitboard<N>,
        params: &Params,
        man_values: &[i32],
    ) {
        let (side, other) = (pos.to_move(), pos.to_move().other());
        let men = pos.side(side).without(pos.kings());
        let enemies = pos.side(other).without(pos.kings());
        let first_men = |king: Cell| book.topology().slide(king, pos.occupied()) & men;
        let (enemy_king, own_king) = (facts.king(other), facts.king(side));
        let king_reach = enemy_king.map_or(Bitboard::EMPTY, |king| king.reach);
        let arrivals = facts.men_reach(book, pos, other) | king_reach;
        self.targets.clear();
        self.targets.extend_from_slice(man_values);
        self.sources.clear();
        self.sources.extend_from_slice(man_values);
        let add = |scores: &mut [i32], cells: Bitboard<N>, score: i32| {
            cells.iter().for_each(|cell| scores[cell.index()] += score);
        };
        // Cells to which the enemy king can move, and those from which he would have an open line to a goal
        if let Some(king) = enemy_king {
            add(&mut self.targets, king_reach & targets, params.order_block);
            add(&mut self.targets, king.goal_line_cells(book, pos) & targets, params.order_way);
            // Men that stop the enemy king: the first pieces on his lines
            add(&mut self.sources, first_men(king.cell), params.order_line);
        }
        // Men in the way of the own king
        if let Some(king) = own_king {
            add(&mut self.sources, first_men(king.cell), -params.order_line / 2);
        }
        // Cells on which an enemy could capture a man with his next move
        let exposed = book.exposed_cells(pos, side, arrivals);
        add(&mut self.targets, exposed & targets, -params.order_exposed);
        add(&mut self.sources, exposed & book.movers(pos), -params.order_exposed);
        // Cells from which a man threatens to capture
        add(&mut self.targets, book.topology().flanks(enemies, targets) & targets, params.order_threat);
    }

    /// Returns the score of a quiet move, in the unit of histories divided by [`Params::static_order`].
    #[inline]
    pub(super) fn score(&self, mv: Move) -> i32 {
        self.targets[mv.to.index()] - self.sources[mv.from.index()]
    }

    /// Returns the part of [`StaticOrder::score`] that applies only to men: the value of the target minus that of the source.
    #[inline]
    pub(super) fn man_value_gain(mv: Move, man_values: &[i32]) -> i32 {
        man_values[mv.to.index()] - man_values[mv.from.index()]
    }
}

#[cfg(test)]
mod tests {
    use tafl_rules::{AnyRulebook, Move, Setup, Side, catalog};

    use super::*;

    /// Returns the static score of a move in Brandubh.
    fn score(position: &str, side: Side, mv: &str) -> i32 {
        let book = AnyRulebook::compile(&catalog::find("brandubh7").unwrap().rules()).unwrap();
        let AnyRulebook::W1(book) = &book else { panic!("a board of 49 cells is small") };
        let shape = book.shape();
        let pos = book.position(&Setup::parse(shape, position).unwrap(), side);
        let targets = book.moves(&pos).map(|mv| mv.to).collect();
        let (params, man_values) = (Params::default(), vec![0; shape.n_cells()]);
        let mut order = StaticOrder::default();
        order.compute(book, &pos, &NodeFacts::of(book, &pos), targets, &params, &man_values);
        order.score(Move::parse(mv, shape).unwrap())
    }

    #[test]
    fn a_man_in_the_way_of_the_enemy_king_scores_more() {
        let position = "/7/7/7/3K3/7/t6/5t1/";
        let score = |mv| score(position, Side::Attackers, mv);
        assert_eq!(score("a6-d6") - score("a6-b6"), Params::default().order_block);
    }

    #[test]
    fn a_man_that_stops_the_king_stays() {
        let stops = score("/7/7/7/t2K3/7/7/5t1/", Side::Attackers, "a4-a5");
        let idle = score("/7/7/7/3K3/t6/7/5t1/", Side::Attackers, "a5-a6");
        assert_eq!(stops - idle, -Params::default().order_line);
    }

    #[test]
    fn a_man_avoids_cells_on_which_he_can_be_captured() {
        // On c2, the man is between the attacker on b2 and the one that can move from d1 to d2.
        let exposed = score("/3t3/1t5/2T4/6K/7/7/7/", Side::Defenders, "c3-c2");
        let safe = score("/3t3/7/2T4/6K/7/7/7/", Side::Defenders, "c3-c2");
        assert_eq!(exposed - safe, -Params::default().order_exposed);
    }
}
