//! Training of a [`Network`] with mini-batches and Adam; reproducible by its seed.
//!
//! The target of a position is a mixture of the game's result and the search score, both as the
//! attackers' expectation. The loss is the cross entropy. See <https://arxiv.org/abs/1412.6980> for
//! Adam.

use std::collections::BTreeSet;

use tafl_rules::Rng;

use super::curve::ScoreCurve;
use super::example::Examples;
use super::model::{ForwardBackward, Model, logit};
use super::optimizer::{Adam, cross_entropy};
use super::sample::TrainingGame;
use super::split::{TrainError, is_held_out};
use crate::net::Network;

/// The configuration of a training.
#[derive(Debug, Clone, PartialEq)]
pub struct TrainConfig {
    /// The seed of the initial weights and the order of positions.
    pub seed: u64,
    /// The number of passes over the training split.
    pub epochs: usize,
    /// The number of positions per step, at least one.
    pub batch: usize,
    /// The initial learning rate; it decays to a hundredth (cosine schedule).
    pub rate: f32,
    /// The weight decay of a step with learning rate 1.
    pub decay: f32,
    /// The weight of the game's result in the target; the rest is the search score.
    pub result_weight: f32,
    /// The growth of the logit of the expectation per hundredth of a score. A curve fitted to the results of short searches,
    /// whose games are full of errors, would be so flat that differences of a man hardly matter.
    pub slope: f32,
    /// The inverse of the proportion of games that are held out.
    pub held_out: u32,
}

impl Default for TrainConfig {
    fn default() -> TrainConfig {
        TrainConfig {
            seed: 1,
            epochs: 6,
            batch: 2048,
            rate: 0.003,
            decay: 0.01,
            result_weight: 0.3,
            slope: 0.002,
            held_out: 20,
        }
    }
}

/// The errors of a network on a set of positions, as cross entropies.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TrainMetrics {
    /// Compared to the targets.
    pub loss: f64,
    /// Compared to the results of the games.
    pub result_loss: f64,
    /// The number of positions.
    pub count: usize,
}

/// The progress of a training after an epoch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EpochReport {
    /// The number of the epoch, from 1.
    pub epoch: usize,
    /// The loss on the training split, measured during the epoch.
    pub train_loss: f64,
    /// The metrics on the held-out positions.
    pub held_out: TrainMetrics,
    /// The metrics of the terms alone on the held-out positions.
    pub terms: TrainMetrics,
    /// The metrics of the search's scores on the held-out positions.
    pub search: TrainMetrics,
}

/// The number of parts of a batch, whose gradients are computed side by side and added in their order, so that the
/// result does not depend on the number of cores.
const PARTS: usize = 4;

/// Trains a network on positions of games of any rules, and calls `on_epoch` after each epoch.
///
/// # Errors
///
/// Returns [`TrainError::TooFew`] if there are not enough positions.
pub fn train(
    games: &[TrainingGame],
    config: &TrainConfig,
    mut on_epoch: impl FnMut(&EpochReport),
) -> Result<Network, TrainError> {
    let examples = Examples::of(games);
    let is_in_training = |at: &usize| !is_held_out(examples.positions[*at].game, config.held_out);
    let (mut train_split, held_out): (Vec<usize>, Vec<usize>) =
        (0..examples.positions.len()).partition(is_in_training);
    if train_split.len() < 2 || held_out.is_empty() {
        return Err(TrainError::TooFew { train_split: train_split.len(), held_out: held_out.len() });
    }
    let curve = ScoreCurve { shift: 0.0, slope: config.slope };
    let data = TrainingSet { examples: &examples, curve, result_weight: config.result_weight };
    let mut rng = Rng::new(config.seed);
    let mut model = Model::new(&examples, curve.slope, &mut rng);
    let mut passes: Vec<ForwardBackward> = (0..PARTS).map(|_| ForwardBackward::new()).collect();
    let mut adam = Adam::new(model.weights.len(), 0.999, 1e-8);
    let batch_size = config.batch.max(1);
    let steps = config.epochs * train_split.len().div_ceil(batch_size);
    let of_scores = |score: i16| curve.slope * f32::from(score);
    let search = data.measure(&held_out, |at| of_scores(examples.positions[at].score));
    let terms = data.measure(&held_out, |at| of_scores(examples.positions[at].value));
    let mut last = TrainMetrics::default();
    for epoch in 1..=config.epochs {
        rng.shuffle(&mut train_split);
        let mut loss = 0.0;
        for batch in train_split.chunks(batch_size) {
            loss += data.add_gradients(&model, &mut passes, batch);
            let progress = adam.n_steps() as f32 / steps as f32;
            let rate = config.rate * (0.5 + 0.5 * (progress * std::f32::consts::PI).cos()).max(0.01);
            let share = 1.0 / batch.len() as f32;
            let gradient = (0..model.weights.len())
                .map(|at| share * passes.iter().map(|pass| pass.gradient[at]).sum::<f32>());
            // Decoupled weight decay (AdamW)
            adam.step(gradient, |at, step| {
                let weight = &mut model.weights[at];
                *weight -= rate * (step + config.decay * *weight);
            });
        }
        last = data.measure(&held_out, |at| logit(&model, &examples, at));
        let train_loss = loss / train_split.len() as f64;
        on_epoch(&EpochReport { epoch, train_loss, held_out: last, terms, search });
    }
    let games: BTreeSet<u32> = train_split.iter().map(|at| examples.positions[*at].game).collect();
    let training = format!(
        "{} positions of {} games, seed {}, {} epochs, result weight {}, held out {} positions: error {:.4} (terms {:.4})",
        train_split.len(),
        games.len(),
        config.seed,
        config.epochs,
        config.result_weight,
        held_out.len(),
        last.loss,
        terms.loss,
    );
    Ok(model.network(training))
}

/// Positions with what their targets depend on.
struct TrainingSet<'e> {
    examples: &'e Examples,
    curve: ScoreCurve,
    result_weight: f32,
}

impl TrainingSet<'_> {
    /// Computes the gradients of a batch in parts, and returns the sum of the losses.
    fn add_gradients(&self, model: &Model, passes: &mut [ForwardBackward], batch: &[usize]) -> f64 {
        let parts = batch.chunks(batch.len().div_ceil(passes.len()));
        std::thread::scope(|scope| {
            let mut running = Vec::new();
            for pass in passes.iter_mut() {
                pass.gradient.fill(0.0);
            }
            for (pass, part) in passes.iter_mut().zip(parts) {
                running.push(scope.spawn(move || {
                    let loss = |at: &usize| {
                        let target = self.examples.positions[*at].target(self.curve, self.result_weight);
                        let logit = pass.backpropagate(model, self.examples, *at, target);
                        f64::from(cross_entropy(logit, target))
                    };
                    part.iter().map(loss).sum::<f64>()
                }));
            }
            running.into_iter().map(|part| part.join().expect("a pass does not panic")).sum()
        })
    }

    fn measure(&self, positions: &[usize], output: impl Fn(usize) -> f32) -> TrainMetrics {
        let mut metrics = TrainMetrics { count: positions.len(), ..TrainMetrics::default() };
        for at in positions {
            let (logit, example) = (output(*at), &self.examples.positions[*at]);
            metrics.loss += f64::from(cross_entropy(logit, example.target(self.curve, self.result_weight)));
            metrics.result_loss += f64::from(cross_entropy(logit, example.result()));
        }
        let share = 1.0 / positions.len() as f64;
        TrainMetrics { loss: metrics.loss * share, result_loss: metrics.result_loss * share, ..metrics }
    }
}
