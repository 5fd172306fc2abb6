//! What a position is worth without a search: a sum of terms that every rule set has.
//!
//! Terms are written from the point of view of a king's owner, so games with two kings need nothing else.

mod weights;

use tafl_rules::bitboard::Bitboard;
use tafl_rules::position::Position;
use tafl_rules::rulebook::Rulebook;
use tafl_rules::{Cell, Piece, Role, Shape, Side};

use crate::score::Score;

pub use weights::{KingWeights, Weights};

/// Evaluates positions under one set of rules.
#[derive(Debug, Clone)]
pub struct Evaluator<const N: usize> {
    weights: Weights,
    /// The cells two steps away from each cell.
    near: Vec<Bitboard<N>>,
    /// How many steps the nearest goal of each side's king is away from each cell on an empty board.
    steps: [Vec<i32>; 2],
    has_specialists: bool,
    /// The worth of the men at the start, relative to the attackers: there, men speak for nobody.
    at_start: i32,
}

impl<const N: usize> Evaluator<N> {
    /// Prepares an evaluation by these rules with these weights.
    pub fn new(book: &Rulebook<N>, weights: Weights) -> Evaluator<N> {
        let shape = book.shape();
        let topology = book.topology();
        let near = |cell: Cell| {
            let beside = topology.neighbors(cell);
            topology.spread(beside).without(beside | Bitboard::of(cell))
        };
        let is_specialist = |piece: &Piece| !matches!(piece.role, Role::Soldier | Role::King);
        let mut eval = Evaluator {
            at_start: 0,
            weights,
            near: shape.cells().map(near).collect(),
            steps: Side::ALL.map(|side| steps_to(shape, |cell| book.goals(side).contains(cell))),
            has_specialists: book.pieces().iter().any(|piece| is_specialist(&piece)),
        };
        eval.at_start = eval.material(&book.start());
        eval
    }

    /// Returns the weights.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Returns what a position is worth, relative to the side to move.
    #[inline]
    pub fn evaluate(&self, book: &Rulebook<N>, pos: &Position<N>) -> Score {
        let mut value = self.material(pos) - self.at_start;
        for side in Side::ALL {
            if let Some(king) = book.royal_king(pos, side) {
                let of_king = self.king(book, pos, side, king);
                value += if side == Side::Attackers { of_king } else { -of_king };
            }
        }
        let relative = if pos.to_move() == Side::Attackers { value } else { -value };
        Score::opinion(relative + self.weights.tempo)
    }

    /// Returns the worth of the men, relative to the attackers.
    #[inline]
    fn material(&self, pos: &Position<N>) -> i32 {
        let men = |side: Side| pos.side(side).without(pos.kings()).count() as i32 * self.weights.man[side];
        let mut value = men(Side::Attackers) - men(Side::Defenders);
        if self.has_specialists {
            for role in [Role::Commander, Role::Knight, Role::Mercenary, Role::Guard] {
                let count = |side: Side| pos.pieces(Piece::new(side, role)).count() as i32;
                value += (count(Side::Attackers) - count(Side::Defenders)) * self.weights.specialist;
            }
        }
        value
    }

    /// Returns the worth of a king's standing to his side.
    ///
    /// ```text
    /// . . . . G     the king K has an open line to the goal G, one enemy x beside him and one two steps away,
    /// . . x . K     and one cell from which he would reach another goal
    /// . . . . x
    /// ```
    #[inline]
    fn king(&self, book: &Rulebook<N>, pos: &Position<N>, side: Side, king: Cell) -> i32 {
        let weights = &self.weights.king;
        let piece = Piece::new(side, Role::King);
        let enemies = pos.side(side.other());
        let goals = book.goals(side);
        let reach = book.reach(pos, king, piece);
        let beside = book.topology().neighbors(king);
        let lines = (reach & goals).count() as usize;
        let mut value = weights.lines[lines.min(3)];
        value += weights.ways[self.ways(book, pos, piece, reach.without(goals)).min(7)];
        value += weights.mobility * reach.count().min(KingWeights::MOST_MOVES) as i32;
        value += weights.step * self.steps[side.index()][king.index()];
        value += weights.enemy_beside * (beside & enemies).count() as i32;
        value += weights.enemy_near * (self.near[king.index()] & enemies).count() as i32;
        value += weights.friend_beside * (beside & pos.side(side)).count() as i32;
        value += weights.danger * book.king_capture_cells(pos, side).count() as i32;
        if lines == 0 && book.is_king_cordoned(pos, side) {
            value += weights.cordoned;
        }
        value
    }

    /// Returns on how many of the cells that a king can move to he would have an open line to a goal.
    #[inline]
    fn ways(&self, book: &Rulebook<N>, pos: &Position<N>, king: Piece, reach: Bitboard<N>) -> usize {
        let goals = book.goals(king.side).without(pos.occupied());
        let mut n_ways = 0;
        if goals.count() <= 8 {
            let mut from_goals = Bitboard::EMPTY;
            for goal in goals {
                from_goals |= book.topology().slide(goal, pos.occupied());
            }
            return (from_goals & reach).count() as usize;
        }
        for cell in reach {
            n_ways += usize::from(book.reach(pos, cell, king).meets(&goals));
        }
        n_ways
    }
}

/// Returns for each cell how many steps the nearest goal is away on an empty board; as many as cells where there is none.
fn steps_to(shape: Shape, is_goal: impl Fn(Cell) -> bool) -> Vec<i32> {
    let far = shape.n_cells() as i32;
    let mut steps: Vec<i32> = shape.cells().map(|cell| if is_goal(cell) { 0 } else { far }).collect();
    let mut queue: std::collections::VecDeque<Cell> = shape.cells().filter(|cell| is_goal(*cell)).collect();
    while let Some(cell) = queue.pop_front() {
        for near in shape.neighbors(cell) {
            if steps[near.index()] == far {
                steps[near.index()] = steps[cell.index()] + 1;
                queue.push_back(near);
            }
        }
    }
    steps
}
