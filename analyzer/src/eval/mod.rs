//! The static evaluation: a weighted sum of terms that apply to every rule set.
//!
//! Terms are counted for each side, so games with two kings need no special code. The weights are
//! data, see [`Weights`].

mod king;
mod men;
mod moves;
mod room;
mod sink;
mod weights;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use tafl_rules::{Bitboard, Cell, Piece, Position, Role, Rulebook, Side};

use crate::distance::distances_to;
use crate::eval_term::{EvalTerm, Features, N_TERMS};
use crate::facts::{FEW_GOALS, NodeFacts};
use crate::net::{CompiledNet, Network, RowSums};
use crate::score::Score;
use sink::{TermSink, WeightedSum};

pub use weights::Weights;

/// The evaluator for one rule set.
#[derive(Debug, Clone)]
pub(crate) struct Evaluator<const N: usize> {
    weights: Weights,
    /// The cells two steps away from each cell.
    near: Vec<Bitboard<N>>,
    /// The distance in steps from each cell to the nearest goal of each side's king on an empty
    /// board.
    steps: [Vec<i32>; 2],
    /// The cells at a distance of 0, 1, 2, and 3 from the edge.
    edge_bands: [Bitboard<N>; 4],
    /// The cells at a distance of 1 to 4 from the goals of each side's king; empty if there are
    /// many goals.
    goal_bands: [[Bitboard<N>; 4]; 2],
    all: Bitboard<N>,
    /// One percent of the board, as a fixed-point factor with 16 fractional bits.
    percent_factor: u32,
    has_specialists: bool,
    /// The features of the start position without tempo. They are subtracted so that the start
    /// scores zero.
    at_start: Features,
    value_at_start: i32,
    /// The value of a man of each side on each cell, relative to its side, in hundredths.
    man_values: [Vec<i32>; 2],
    /// The network that corrects the sum of the terms.
    net: Option<Arc<CompiledNet<N>>>,
}

impl<const N: usize> Evaluator<N> {
    /// Creates an evaluator for rules with weights.
    pub(crate) fn new(book: &Rulebook<N>, weights: Weights) -> Evaluator<N> {
        let shape = book.shape();
        let topology = book.topology();
        let near = |cell: Cell| {
            let beside = topology.neighbors(cell);
            topology.spread(beside).without(beside | Bitboard::of(cell))
        };
        let is_specialist = |piece: &Piece| !matches!(piece.role, Role::Soldier | Role::King);
        let edge = topology.edge();
        let from_edge = distances_to(shape, |cell| edge.contains(cell));
        let steps = Side::ALL.map(|side| distances_to(shape, |cell| book.goals(side).contains(cell)));
        let at = |steps: &[i32], wanted: usize| -> Bitboard<N> {
            shape.cells().filter(|cell| steps[cell.index()] == wanted as i32).collect()
        };
        let goal_bands = |side: Side| {
            let are_few = book.goals(side).count() <= FEW_GOALS;
            std::array::from_fn(|n| if are_few { at(&steps[side.index()], n + 1) } else { Bitboard::EMPTY })
        };
        let mut eval = Evaluator {
            at_start: [0; N_TERMS],
            value_at_start: 0,
            edge_bands: std::array::from_fn(|n| at(&from_edge, n)),
            goal_bands: Side::ALL.map(goal_bands),
            all: shape.cells().collect(),
            percent_factor: (100 << 16) / shape.n_cells() as u32,
            net: None,
            man_values: [Vec::new(), Vec::new()],
            weights,
            near: shape.cells().map(near).collect(),
            steps,
            has_specialists: book.pieces().iter().any(|piece| is_specialist(&piece)),
        };
        let start = book.start();
        let mut at_start = [0; N_TERMS];
        eval.count(book, &start, &NodeFacts::of(book, &start), &mut at_start);
        at_start[EvalTerm::Tempo.index()] = 0;
        eval.at_start = at_start;
        eval.man_values = Side::ALL.map(|side| eval.compute_man_values(book, side));
        eval.value_at_start = dot(&at_start, eval.weights.values());
        eval
    }

    /// Returns an evaluator whose score is corrected by a network.
    #[must_use]
    pub(crate) fn with_net(self, book: &Rulebook<N>, net: &Network) -> Evaluator<N> {
        let start = book.start();
        let mut features = [0; N_TERMS];
        self.count(book, &start, &NodeFacts::of(book, &start), &mut features);
        let net = CompiledNet::new(net, book, &features);
        Evaluator { net: Some(Arc::new(net)), ..self }
    }

    /// Returns the value of a man on each cell, in hundredths, relative to its side: the terms that depend on nothing else.
    /// Move ordering uses it.
    #[inline]
    pub(crate) fn man_values(&self, side: Side) -> &[i32] {
        &self.man_values[side.index()]
    }

    fn compute_man_values(&self, book: &Rulebook<N>, side: Side) -> Vec<i32> {
        let weight = |term: EvalTerm| self.weights.values()[term.index()];
        let mut values = vec![0; book.shape().n_cells()];
        let mut add =
            |cells: Bitboard<N>, value: i32| cells.iter().for_each(|cell| values[cell.index()] += value);
        for king in Side::ALL.into_iter().filter(|king| book.royal_king(&book.start(), *king).is_some()) {
            for at in 0..self.edge_bands.len() {
                if king == side {
                    add(self.edge_bands[at], weight(EvalTerm::FRIENDS[at]));
                } else {
                    add(self.edge_bands[at], -weight(EvalTerm::ENEMIES[at]));
                    add(self.goal_bands[king.index()][at], -weight(EvalTerm::GUARDS[at]));
                }
            }
        }
        values
    }

    /// Returns the weights.
    pub(crate) fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Returns the static evaluation of a position, relative to the side to move.
    #[cfg(test)]
    pub(crate) fn evaluate(&self, book: &Rulebook<N>, pos: &Position<N>) -> Score {
        self.evaluate_with(book, pos, &NodeFacts::of(book, pos), &mut RowSums::new())
    }

    /// Returns the static evaluation of a position whose facts are known. `row_sums` has the network's sums of earlier positions.
    #[inline]
    pub(crate) fn evaluate_with(
        &self,
        book: &Rulebook<N>,
        pos: &Position<N>,
        facts: &NodeFacts<N>,
        row_sums: &mut RowSums<N>,
    ) -> Score {
        let value = match &self.net {
            None => {
                let mut sum = WeightedSum { weights: self.weights.values(), value: -self.value_at_start };
                self.count(book, pos, facts, &mut sum);
                sum.value
            }
            Some(net) => {
                let mut features = [0; N_TERMS];
                self.count(book, pos, facts, &mut features);
                let value = dot(&features, self.weights.values()) - self.value_at_start;
                value + net.correction(pos, &features, facts, row_sums)
            }
        };
        Score::evaluation(if pos.to_move() == Side::Attackers { value } else { -value })
    }

    /// Returns the features of a position, relative to the attackers.
    ///
    /// Without a network, their dot product with the weights is the result of
    /// [`Evaluator::evaluate`], except that the latter is relative to the side to move.
    pub(crate) fn features(&self, book: &Rulebook<N>, pos: &Position<N>) -> Features {
        let mut features = [0; N_TERMS];
        self.count(book, pos, &NodeFacts::of(book, pos), &mut features);
        features.iter_mut().zip(&self.at_start).for_each(|(count, at_start)| *count -= at_start);
        features
    }

    /// Adds all terms of a position to `sink`.
    #[inline]
    fn count(&self, book: &Rulebook<N>, pos: &Position<N>, facts: &NodeFacts<N>, sink: &mut impl TermSink) {
        self.material(pos, sink);
        sink.add(pos.to_move(), EvalTerm::Tempo, 1);
        for side in Side::ALL {
            if let Some(king) = facts.king(side) {
                self.king(book, pos, king, sink);
                self.men(book, pos, facts, side, sink);
            }
        }
    }

    /// Returns a number of cells as a percentage of the board.
    #[inline]
    fn percent(&self, cells: u32) -> i32 {
        ((cells * self.percent_factor) >> 16) as i32
    }

    /// Adds the terms of material.
    #[inline]
    fn material(&self, pos: &Position<N>, sink: &mut impl TermSink) {
        for (side, term) in
            [(Side::Attackers, EvalTerm::ManAttackers), (Side::Defenders, EvalTerm::ManDefenders)]
        {
            sink.add(side, term, pos.side(side).without(pos.kings()).count() as i32);
            if self.has_specialists {
                for role in [Role::Commander, Role::Knight, Role::Mercenary, Role::Guard] {
                    sink.add(side, EvalTerm::Specialist, pos.pieces(Piece::new(side, role)).count() as i32);
                }
            }
        }
    }
}

/// Returns the weighted sum of the features.
pub(crate) fn dot(features: &Features, weights: &Features) -> i32 {
    features.iter().zip(weights).map(|(count, weight)| count * weight).sum()
}
