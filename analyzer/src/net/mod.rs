//! A small network that says what a position is worth.
//!
//! ```text
//! cells x pieces --+ filters, each laid on the board in every symmetry --> mean and greatest answer of each filter --+
//!                                                                                                                   |
//! signals (lines, ways, danger, men, openness) ---------------------------------------------------------------------+--> hidden --> score
//! ```
//!
//! The images of a filter under the symmetries of the rules share their weights, so a mirrored position has the same
//! worth to the bit and a game teaches as much as its mirrored ones together. What filters answer is kept in an
//! [`Accumulator`] and changed by the difference to the position before. The idea is that of NNUE
//! (<https://www.chessprogramming.org/NNUE>).

pub mod builtin;
mod file;
mod inputs;
pub mod signals;

#[cfg(test)]
mod tests;

use tafl_rules::Side;
use tafl_rules::bitboard::Bitboard;
use tafl_rules::position::Position;
use tafl_rules::rulebook::Rulebook;

use crate::facts::NodeFacts;
use crate::score::Score;

pub use file::{NetError, NetworkProvenance};
pub use inputs::NetworkInputs;
use signals::Signals;

/// How many filters a network has.
pub const FILTERS: usize = 16;
/// How many cells the hidden layer has.
pub const HIDDEN: usize = 16;
/// What pools tell of each filter: mean and greatest answer.
pub const POOLS: usize = 2 * FILTERS;
/// A weight of 1.0 of the first layer as a whole number, also the greatest answer of a filter.
pub const UNIT: i16 = 256;

/// The weights behind the filters, for positions with one side to move.
#[derive(Debug, Clone, PartialEq)]
pub struct NetworkHead {
    /// From each pool to the hidden layer.
    pub pools: [[f32; HIDDEN]; POOLS],
    /// From each signal to the hidden layer.
    pub signals: Vec<[f32; HIDDEN]>,
    /// What the hidden layer begins with.
    pub bias: [f32; HIDDEN],
    /// From the hidden layer to the answer.
    pub hidden: [f32; HIDDEN],
    /// From each signal to the answer.
    pub direct: Vec<f32>,
    /// What the answer begins with.
    pub base: f32,
}

/// A network: what its file holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    /// Where it comes from and for what it was made.
    pub provenance: NetworkProvenance,
    /// What the answer is multiplied by to be a score in hundredths.
    pub scale: f32,
    /// The weights of each input, [`UNIT`] being 1.
    pub filters: Vec<[i16; FILTERS]>,
    /// What each filter begins with.
    pub bias: [i16; FILTERS],
    /// The rest, for each side to move: attackers, defenders.
    pub heads: [NetworkHead; 2],
}

/// Weights read from a file are numbers, and so are those of a training that did not diverge.
impl Eq for Network {}

/// A network laid out for one set of rules.
#[derive(Debug, Clone)]
pub struct CompiledNet<const N: usize> {
    inputs: NetworkInputs,
    signals: Signals<N>,
    /// For each input the weights of all filters in all symmetries.
    rows: Vec<[i16; FILTERS]>,
    bias: [i16; FILTERS],
    heads: [NetworkHead; 2],
    scale: f32,
}

/// What the filters answer to a position, kept to be changed by differences.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accumulator<const N: usize> {
    planes: Vec<Bitboard<N>>,
    /// For each symmetry the answers of the filters.
    answers: Vec<[i16; FILTERS]>,
}

impl<const N: usize> CompiledNet<N> {
    /// Lays a network out for rules.
    ///
    /// # Errors
    ///
    /// Returns what does not fit: the board, the pieces or the number of symmetries.
    pub fn new(network: &Network, book: &Rulebook<N>) -> Result<CompiledNet<N>, NetError> {
        let inputs = NetworkInputs::of(book);
        network.provenance.check(&inputs)?;
        if network.filters.len() != inputs.count() {
            return Err(NetError::Length { expected: inputs.count(), found: network.filters.len() });
        }
        let mut rows = Vec::with_capacity(inputs.count() * inputs.n_images());
        for input in 0..inputs.count() {
            rows.extend((0..inputs.n_images()).map(|image| network.filters[inputs.image(image, input)]));
        }
        Ok(CompiledNet {
            signals: Signals::new(book),
            rows,
            bias: network.bias,
            heads: network.heads.clone(),
            scale: network.scale,
            inputs,
        })
    }

    /// Returns the accumulator of an empty board.
    pub fn accumulator(&self) -> Accumulator<N> {
        Accumulator {
            planes: vec![Bitboard::EMPTY; self.inputs.n_planes()],
            answers: vec![self.bias; self.inputs.n_images()],
        }
    }

    /// Returns the static evaluation of a position, relative to the side to move.
    pub fn evaluate(&self, last: &mut Accumulator<N>, book: &Rulebook<N>, pos: &Position<N>) -> Score {
        self.evaluate_with(last, book, pos, &NodeFacts::of(book, pos))
    }

    /// Returns the static evaluation of a position whose facts are known.
    #[inline]
    pub(crate) fn evaluate_with(
        &self,
        last: &mut Accumulator<N>,
        book: &Rulebook<N>,
        pos: &Position<N>,
        facts: &NodeFacts<N>,
    ) -> Score {
        self.follow(last, pos);
        let answer = self.answer(last, book, pos, facts) * self.scale;
        let relative = if pos.to_move() == Side::Attackers { answer } else { -answer };
        Score::evaluation(relative.round() as i32)
    }

    /// Changes an accumulator to that of a position.
    #[inline]
    pub fn follow(&self, last: &mut Accumulator<N>, pos: &Position<N>) {
        let n_images = self.inputs.n_images();
        let n_cells = self.inputs.shape().n_cells();
        for (plane, before) in last.planes.iter_mut().enumerate() {
            let now = self.inputs.plane(pos, plane);
            if now == *before {
                continue;
            }
            let row = |cell: tafl_rules::Cell| {
                let first = (plane * n_cells + cell.index()) * n_images;
                &self.rows[first..first + n_images]
            };
            for cell in now.without(*before) {
                for (answers, weights) in last.answers.iter_mut().zip(row(cell)) {
                    for filter in 0..FILTERS {
                        answers[filter] = answers[filter].wrapping_add(weights[filter]);
                    }
                }
            }
            for cell in before.without(now) {
                for (answers, weights) in last.answers.iter_mut().zip(row(cell)) {
                    for filter in 0..FILTERS {
                        answers[filter] = answers[filter].wrapping_sub(weights[filter]);
                    }
                }
            }
            *before = now;
        }
    }

    /// Returns the answer of the network, relative to the attackers, before it is scaled.
    #[inline]
    fn answer(
        &self,
        last: &Accumulator<N>,
        book: &Rulebook<N>,
        pos: &Position<N>,
        facts: &NodeFacts<N>,
    ) -> f32 {
        let head = &self.heads[pos.to_move().index()];
        let (sums, greatest) = pool(&last.answers);
        let mut hidden = head.bias;
        let mut answer = head.base;
        let share = 1.0 / (f32::from(UNIT) * last.answers.len() as f32);
        for filter in 0..FILTERS {
            add(&mut hidden, &head.pools[filter], f32::from(sums[filter]) * share);
            let most = f32::from(greatest[filter]) * (1.0 / f32::from(UNIT));
            add(&mut hidden, &head.pools[FILTERS + filter], most);
        }
        self.signals.each_with(book, pos, facts, |signal| {
            let weights = &head.signals[signal];
            for (sum, weight) in hidden.iter_mut().zip(weights) {
                *sum += weight;
            }
            answer += head.direct[signal];
        });
        for (value, weight) in hidden.iter().zip(&head.hidden) {
            answer += value.clamp(0.0, 1.0) * weight;
        }
        answer
    }
}

#[inline]
fn add(hidden: &mut [f32; HIDDEN], weights: &[f32; HIDDEN], value: f32) {
    for (sum, weight) in hidden.iter_mut().zip(weights) {
        *sum += weight * value;
    }
}

/// Returns the sum and the greatest of the clipped answers of each filter over the symmetries.
#[inline]
fn pool(answers: &[[i16; FILTERS]]) -> ([i16; FILTERS], [i16; FILTERS]) {
    let (mut sums, mut greatest) = ([0; FILTERS], [0; FILTERS]);
    for image in answers {
        for filter in 0..FILTERS {
            let clipped = image[filter].clamp(0, UNIT);
            sums[filter] += clipped;
            greatest[filter] = clipped.max(greatest[filter]);
        }
    }
    (sums, greatest)
}
