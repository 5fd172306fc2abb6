//! The static score of quiet moves: what the board alone says about a move, before any search.
//!
//! With more than a hundred moves in a position, most nodes know nothing about most of their moves: few have been
//! searched often enough for a history. Late move pruning and reductions need a reasonable order all the same.

use tafl_rules::{Bitboard, Cell, Move, Position, Rulebook};

use super::Params;
use crate::facts::NodeFacts;

/// The sets of cells that give the static score of each quiet move of a position.
pub(super) struct StaticOrder<'p, const N: usize> {
    params: &'p Params,
    /// The value of a man of the side to move on each cell, in hundredths.
    man_values: &'p [i32],
    own_kings: Bitboard<N>,
    /// The cells to which the enemy king can move.
    enemy_reach: Bitboard<N>,
    /// The cells from which the enemy king would have an open line to a goal.
    enemy_line_cells: Bitboard<N>,
    /// The own men that stop the enemy king: the first pieces on his lines.
    blockers_of_enemy_king: Bitboard<N>,
    /// The own men in the way of the own king.
    blockers_of_own_king: Bitboard<N>,
    /// The cells on which an enemy could capture a man with his next move.
    exposed: Bitboard<N>,
    /// The cells from which a man threatens to capture.
    threats: Bitboard<N>,
}

impl<'p, const N: usize> StaticOrder<'p, N> {
    /// Computes the sets. `targets` are the targets of all moves of the side to move.
    pub(super) fn new(
        book: &Rulebook<N>,
        pos: &Position<N>,
        facts: &NodeFacts<N>,
        targets: Bitboard<N>,
        params: &'p Params,
        man_values: &'p [i32],
    ) -> StaticOrder<'p, N> {
        let (side, other) = (pos.to_move(), pos.to_move().other());
        let men = pos.side(side).without(pos.kings());
        let enemies = pos.side(other).without(pos.kings());
        let first_men = |king: Cell| book.topology().slide(king, pos.occupied()) & men;
        let (enemy_king, own_king) = (facts.king(other), facts.king(side));
        let king_reach = enemy_king.map_or(Bitboard::EMPTY, |king| king.reach);
        let arrivals = facts.men_reach(book, pos, other) | king_reach;
        StaticOrder {
            params,
            man_values,
            own_kings: pos.kings() & pos.side(side),
            enemy_reach: king_reach,
            enemy_line_cells: enemy_king.map_or(Bitboard::EMPTY, |king| king.goal_line_cells(book, pos)),
            blockers_of_enemy_king: enemy_king.map_or(Bitboard::EMPTY, |king| first_men(king.cell)),
            blockers_of_own_king: own_king.map_or(Bitboard::EMPTY, |king| first_men(king.cell)),
            exposed: book.exposed_cells(pos, side, arrivals),
            threats: book.topology().flanks(enemies, targets),
        }
    }

    /// Returns the score of a quiet move, in the unit of histories.
    #[inline]
    pub(super) fn score(&self, mv: Move) -> i32 {
        let params = self.params;
        let Move { from, to } = mv;
        let has = |cells: &Bitboard<N>, cell| i32::from(cells.contains(cell));
        let mut score = params.order_block * has(&self.enemy_reach, to)
            + params.order_way * has(&self.enemy_line_cells, to)
            + params.order_threat * has(&self.threats, to)
            + params.order_exposed * (has(&self.exposed, from) - has(&self.exposed, to))
            - params.order_line * has(&self.blockers_of_enemy_king, from)
            + params.order_line * has(&self.blockers_of_own_king, from) / 2;
        if !self.own_kings.contains(from) {
            score += self.man_values[to.index()] - self.man_values[from.index()];
        }
        score * params.static_order
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
        let order = StaticOrder::new(book, &pos, &NodeFacts::of(book, &pos), targets, &params, &man_values);
        order.score(Move::parse(mv, shape).unwrap()) / params.static_order
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
