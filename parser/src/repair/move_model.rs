//! The probability of a person's move: a small model of moves, fitted to recorded games.

use tafl_rules::{Cell, Coord, Game, Move, Role};

/// The number of features of a move.
const N_FEATURES: usize = 10;

/// The weights of the features: a conditional logit model of 7,049 moves of half of the games of aagenielsen.dk and two
/// other archives, each compared with the legal moves after which the rest of the game could be played as well. With
/// them, the played move is the most probable one in 29 % of other games, and in 13 % by chance.
const WEIGHTS: [f64; N_FEATURES] = [3.03, 0.60, 2.71, -0.36, 0.18, -0.35, 1.28, 0.99, 0.32, 0.13];

/// The maximum difference in cost between a move, or the moves of a repair, and moves of mean probability. Two repairs
/// that differ only in their moves thus stay ambiguous: e to the power of twice this number is 16, and a decision takes
/// 19.
pub(super) const MAX_COST: f64 = 1.4;

/// The moves around a move, as far as they are known.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct MoveContext {
    /// The previous move of the same side.
    pub(super) own_before: Option<Move>,
    /// The previous move of the other side.
    pub(super) other_before: Option<Move>,
    /// The next move of the other side.
    pub(super) other_after: Option<Move>,
}

/// Returns the features of a legal move.
fn features(game: &Game, mv: Move, context: MoveContext) -> [f64; N_FEATURES] {
    let shape = game.shape();
    let side = game.to_move();
    let (from, to) = (shape.coord(mv.from), shape.coord(mv.to));
    let setup = game.setup();
    let n_captured = game.clone().play(mv).map_or(0, |ply| ply.captured.len());
    let moved = setup.piece(mv.from);
    let neighbors = |cell: Cell| {
        let mut counts = [0.0; 2];
        for piece in
            shape.neighbors(cell).filter(|near| *near != mv.from).filter_map(|near| setup.piece(near))
        {
            counts[usize::from(piece.side == side)] += 1.0;
        }
        counts
    };
    let [enemies, friends] = neighbors(mv.to);
    let [enemies_of_start, _] = neighbors(mv.from);
    let is_near = |mv: Option<Move>| mv.is_some_and(|mv| distance(shape.coord(mv.to), to) <= 2);
    let king = setup.pieces().find(|(cell, piece)| piece.role == Role::King && *cell != mv.from);
    let approach = king.map_or(0, |(cell, _)| {
        let king = shape.coord(cell);
        distance(from, king) - distance(to, king)
    });
    let flag = |is_so: bool| if is_so { 1.0 } else { 0.0 };
    let is_back = |before: Move| (before.from, before.to) == (mv.to, mv.from);
    [
        flag(n_captured > 0),
        flag(n_captured > 1),
        flag(moved.is_some_and(|piece| piece.role == Role::King)),
        flag(context.own_before.is_some_and(is_back)),
        flag(enemies > 0.0),
        friends,
        flag(is_near(context.other_before)),
        flag(is_near(context.other_after)),
        f64::from(approach.signum()),
        flag(enemies_of_start > 0.0),
    ]
}

/// Returns the number of files or ranks between two cells, whichever is larger.
pub(super) fn distance(one: Coord, other: Coord) -> i16 {
    (one.file - other.file).abs().max((one.rank - other.rank).abs())
}

/// Predicts the move of a person in a position.
#[derive(Debug)]
pub(super) struct MovePredictor {
    /// The legal moves with the logarithms of their probabilities.
    moves: Vec<(Move, f64)>,
}

impl MovePredictor {
    /// Compares the legal moves of a position.
    pub(super) fn new(game: &Game, context: MoveContext) -> MovePredictor {
        let mut game = game.clone();
        game.clear_outcome();
        let score =
            |mv: Move| features(&game, mv, context).iter().zip(WEIGHTS).map(|(one, other)| one * other).sum();
        let mut moves: Vec<(Move, f64)> = game.moves().into_iter().map(|mv| (mv, score(mv))).collect();
        let sum: f64 = moves.iter().map(|(_, score)| score.exp()).sum();
        moves.iter_mut().for_each(|(_, score)| *score -= sum.ln());
        MovePredictor { moves }
    }

    /// Returns the cost of a move compared with a move of mean probability, between -[`MAX_COST`] and [`MAX_COST`].
    pub(super) fn cost(&self, mv: Move) -> f64 {
        let known = self.moves.iter().find(|(other, _)| *other == mv);
        let mean = -(self.moves.len().max(1) as f64).ln();
        known.map_or(0.0, |(_, log)| -MAX_COST * ((log - mean) / MAX_COST).tanh())
    }
}
