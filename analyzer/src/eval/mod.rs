//! What a position is worth without a search: a sum of terms that every rule set has.
//!
//! Terms are counted for a side, so games with two kings need nothing else. What a term is worth is data, see [`Weights`].

mod king;
mod men;
mod moves;
mod room;
mod term;
mod weights;

#[cfg(test)]
mod tests;

use tafl_rules::bitboard::Bitboard;
use tafl_rules::position::Position;
use tafl_rules::rulebook::Rulebook;
use tafl_rules::{Cell, Piece, Role, Shape, Side};

use std::sync::Arc;

use crate::facts::{FEW_GOALS, NodeFacts};
use crate::net::{Accumulator, CompiledNet};
use crate::score::Score;
use term::{TermSink, WeightedSum};

pub(crate) use term::{EvalTerm, Features, N_TERMS};
pub use weights::Weights;

/// Evaluates positions under one set of rules.
#[derive(Debug, Clone)]
pub(crate) struct Evaluator<const N: usize> {
    weights: Weights,
    /// The cells two steps away from each cell.
    near: Vec<Bitboard<N>>,
    /// How many steps the nearest goal of each side's king is away from each cell on an empty board.
    steps: [Vec<i32>; 2],
    /// The cells by their distance from the edge: on it, then one, two and three cells from it.
    rings: [Bitboard<N>; 4],
    /// The cells by their distance from the goals of each side's king, from one to four steps; empty where goals are many.
    guards: [[Bitboard<N>; 4]; 2],
    all: Bitboard<N>,
    /// A hundredth of the board, as a factor of 65,536.
    part: u32,
    has_specialists: bool,
    /// What counts at the start, the right to move aside: there, nothing speaks for anybody.
    at_start: Features,
    value_at_start: i32,
    /// The network that evaluates instead of the terms.
    net: Option<Arc<CompiledNet<N>>>,
}

/// What an evaluation remembers from one position to the next: each thread has its own.
///
/// The terms remember nothing; an evaluation that is updated by differences keeps the position here that it saw last.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scratch<const N: usize> {
    last: Option<Accumulator<N>>,
}

impl<const N: usize> Evaluator<N> {
    /// Prepares an evaluation by these rules with these weights.
    pub(crate) fn new(book: &Rulebook<N>, weights: Weights) -> Evaluator<N> {
        let shape = book.shape();
        let topology = book.topology();
        let near = |cell: Cell| {
            let beside = topology.neighbors(cell);
            topology.spread(beside).without(beside | Bitboard::of(cell))
        };
        let is_specialist = |piece: &Piece| !matches!(piece.role, Role::Soldier | Role::King);
        let edge = topology.edge();
        let from_edge = steps_to(shape, |cell| edge.contains(cell));
        let steps = Side::ALL.map(|side| steps_to(shape, |cell| book.goals(side).contains(cell)));
        let at = |steps: &[i32], wanted: usize| -> Bitboard<N> {
            shape.cells().filter(|cell| steps[cell.index()] == wanted as i32).collect()
        };
        let guards = |side: Side| {
            let are_few = book.goals(side).count() <= FEW_GOALS;
            std::array::from_fn(|n| if are_few { at(&steps[side.index()], n + 1) } else { Bitboard::EMPTY })
        };
        let mut eval = Evaluator {
            at_start: [0; N_TERMS],
            value_at_start: 0,
            rings: std::array::from_fn(|n| at(&from_edge, n)),
            guards: Side::ALL.map(guards),
            all: shape.cells().collect(),
            part: (100 << 16) / shape.n_cells() as u32,
            net: None,
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
        eval.value_at_start = dot(&at_start, eval.weights.values());
        eval
    }

    /// Returns an evaluation that asks a network instead of the terms.
    #[must_use]
    pub(crate) fn with_net(self, net: Arc<CompiledNet<N>>) -> Evaluator<N> {
        Evaluator { net: Some(net), ..self }
    }

    /// Returns the weights.
    #[cfg(test)]
    pub(crate) fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Returns what one thread needs to evaluate.
    pub(crate) fn scratch(&self) -> Scratch<N> {
        Scratch { last: self.net.as_ref().map(|net| net.accumulator()) }
    }

    /// Returns the static evaluation of a position, relative to the side to move.
    #[cfg(test)]
    pub(crate) fn evaluate(&self, scratch: &mut Scratch<N>, book: &Rulebook<N>, pos: &Position<N>) -> Score {
        self.evaluate_with(scratch, book, pos, &NodeFacts::of(book, pos))
    }

    /// Returns the static evaluation of a position whose facts are known.
    #[inline]
    pub(crate) fn evaluate_with(
        &self,
        scratch: &mut Scratch<N>,
        book: &Rulebook<N>,
        pos: &Position<N>,
        facts: &NodeFacts<N>,
    ) -> Score {
        if let (Some(net), Some(last)) = (&self.net, &mut scratch.last) {
            return net.evaluate_with(last, book, pos, facts);
        }
        let mut sum = WeightedSum { weights: self.weights.values(), value: -self.value_at_start };
        self.count(book, pos, facts, &mut sum);
        Score::evaluation(if pos.to_move() == Side::Attackers { sum.value } else { -sum.value })
    }

    /// Returns how often each term counts in a position, relative to the attackers.
    ///
    /// Without a network, their sum times the weights is what [`Evaluator::evaluate`] returns, relative to the side to
    /// move.
    pub(crate) fn features(&self, book: &Rulebook<N>, pos: &Position<N>) -> Features {
        let mut features = [0; N_TERMS];
        self.count(book, pos, &NodeFacts::of(book, pos), &mut features);
        features.iter_mut().zip(&self.at_start).for_each(|(count, at_start)| *count -= at_start);
        features
    }

    /// Counts all terms.
    #[inline]
    fn count(&self, book: &Rulebook<N>, pos: &Position<N>, facts: &NodeFacts<N>, tally: &mut impl TermSink) {
        self.material(pos, tally);
        tally.add(pos.to_move(), EvalTerm::Tempo, 1);
        for side in Side::ALL {
            if let Some(king) = facts.king(side) {
                self.king(book, pos, king, tally);
                self.men(book, pos, facts, side, tally);
            }
        }
    }

    /// Returns a number of cells in percent of the board.
    #[inline]
    fn percent(&self, cells: u32) -> i32 {
        ((cells * self.part) >> 16) as i32
    }

    /// Counts the men.
    #[inline]
    fn material(&self, pos: &Position<N>, tally: &mut impl TermSink) {
        for (side, term) in
            [(Side::Attackers, EvalTerm::ManAttackers), (Side::Defenders, EvalTerm::ManDefenders)]
        {
            tally.add(side, term, pos.side(side).without(pos.kings()).count() as i32);
            if self.has_specialists {
                for role in [Role::Commander, Role::Knight, Role::Mercenary, Role::Guard] {
                    tally.add(side, EvalTerm::Specialist, pos.pieces(Piece::new(side, role)).count() as i32);
                }
            }
        }
    }
}

fn dot(features: &Features, weights: &Features) -> i32 {
    features.iter().zip(weights).map(|(count, weight)| count * weight).sum()
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
