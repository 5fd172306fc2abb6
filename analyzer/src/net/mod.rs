//! Small neural networks for the evaluation.
//!
//! ```text
//! cells x pieces --> filters, each applied in every symmetry of the board --> mean and maximum of each filter --+
//!                                                                                                               |
//! signals (lines, ways, danger, men, openness) ------------------------------------------------------------------+--> hidden --> score
//! ```
//!
//! The images of a filter under the symmetries of the rules share their weights. A mirrored
//! position therefore has exactly the same score, and a game is worth as much training data as all
//! its images. The sums of the filters are kept in an [`Accumulator`] and updated incrementally, as
//! in NNUE (<https://www.chessprogramming.org/NNUE>).

pub(crate) mod builtin;
mod file;
mod inputs;
pub(crate) mod signals;

#[cfg(test)]
mod tests;

use tafl_rules::{Bitboard, Position, Rulebook, Side};

use crate::facts::NodeFacts;
use crate::score::Score;

pub use builtin::{builtin_network, builtin_networks};
pub use file::{NetError, NetworkProvenance};
pub use inputs::NetworkInputs;
pub use signals::{COUNT as N_SIGNALS, Signals, VERSION as SIGNALS_VERSION};

/// The number of filters.
pub const FILTERS: usize = 16;
/// The number of units in the hidden layer.
pub const HIDDEN: usize = 16;
/// The number of pooled values: the mean and the maximum of each filter.
pub const POOLS: usize = 2 * FILTERS;
/// The integer that represents 1.0 in the first layer, also the maximum output of a filter.
pub const UNIT: i16 = 256;

/// The layers after the filters, for positions with one side to move.
#[derive(Debug, Clone, PartialEq)]
pub struct NetworkHead {
    /// The weights from each pooled value to the hidden layer.
    pub pools: [[f32; HIDDEN]; POOLS],
    /// The weights from each signal to the hidden layer.
    pub signals: Vec<[f32; HIDDEN]>,
    /// The biases of the hidden layer.
    pub bias: [f32; HIDDEN],
    /// The weights from the hidden layer to the output.
    pub hidden: [f32; HIDDEN],
    /// The weights from each signal directly to the output.
    pub direct: Vec<f32>,
    /// The bias of the output.
    pub base: f32,
}

/// A network, as stored in its file.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    /// The provenance.
    pub provenance: NetworkProvenance,
    /// The factor from the output to a score in hundredths.
    pub scale: f32,
    /// The weights of each input; [`UNIT`] represents 1.
    pub filters: Vec<[i16; FILTERS]>,
    /// The biases of the filters; [`UNIT`] represents 1.
    pub bias: [i16; FILTERS],
    /// The heads for the attackers and the defenders to move.
    pub heads: [NetworkHead; 2],
}

/// `Eq` is sound because weights are never NaN: reading rejects them, and only a diverging training
/// would produce them.
impl Eq for Network {}

/// A network prepared for one rule set.
#[derive(Debug, Clone)]
pub struct CompiledNet<const N: usize> {
    inputs: NetworkInputs,
    signals: Signals<N>,
    /// The weights of all filters for each input, in all symmetries.
    rows: Vec<[i16; FILTERS]>,
    bias: [i16; FILTERS],
    heads: [NetworkHead; 2],
    scale: f32,
}

/// The sums of the filters for a position, updated incrementally.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accumulator<const N: usize> {
    planes: Vec<Bitboard<N>>,
    /// The sums of the filters in each symmetry.
    answers: Vec<[i16; FILTERS]>,
}

impl<const N: usize> CompiledNet<N> {
    /// Prepares a network for rules.
    ///
    /// # Errors
    ///
    /// Returns the mismatch: the board, the pieces, or the number of symmetries.
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

    /// Returns the static evaluation of a position with known facts.
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

    /// Updates an accumulator to a position.
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

    /// Returns the output of the network relative to the attackers, before scaling.
    #[inline]
    fn answer(
        &self,
        last: &Accumulator<N>,
        book: &Rulebook<N>,
        pos: &Position<N>,
        facts: &NodeFacts<N>,
    ) -> f32 {
        let head = &self.heads[pos.to_move().index()];
        let (sums, maxima) = pool(&last.answers);
        let mut hidden = head.bias;
        let mut answer = head.base;
        let share = 1.0 / (f32::from(UNIT) * last.answers.len() as f32);
        for filter in 0..FILTERS {
            add(&mut hidden, &head.pools[filter], f32::from(sums[filter]) * share);
            let most = f32::from(maxima[filter]) * (1.0 / f32::from(UNIT));
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

/// Returns the sum and the maximum of the clipped outputs of each filter over the symmetries.
#[inline]
fn pool(answers: &[[i16; FILTERS]]) -> ([i16; FILTERS], [i16; FILTERS]) {
    let (mut sums, mut maxima) = ([0; FILTERS], [0; FILTERS]);
    for image in answers {
        for filter in 0..FILTERS {
            let clipped = image[filter].clamp(0, UNIT);
            sums[filter] += clipped;
            maxima[filter] = clipped.max(maxima[filter]);
        }
    }
    (sums, maxima)
}
