//! Training of a [`Network`]: mini-batches, Adam, one thread, the same result for the same seed.
//!
//! The target of a position is a mixture of what became of its game and what a search thinks of it, both as the
//! attackers' expectation; the loss is the cross entropy. See <https://arxiv.org/abs/1412.6980> for Adam.

use tafl_rules::rng::split_mix;
use tafl_rules::{AnyRulebook, Rng, with_rulebook};

use super::example::{TrainingExample, examples};
use super::model::{Model, Pass};
use super::optimizer::{Adam, cross_entropy, sigmoid};
use super::sample::Sample;
use crate::net::{Network, NetworkInputs, NetworkProvenance};

/// The configuration of a training.
#[derive(Debug, Clone, PartialEq)]
pub struct TrainConfig {
    /// Where weights and order begin.
    pub seed: u64,
    /// The number of passes over the training split.
    pub epochs: usize,
    /// How many positions a step looks at, one at least.
    pub batch: usize,
    /// The length of the first steps; later ones are shorter, down to a hundredth.
    pub rate: f32,
    /// By how much weights shrink in a step of length 1.
    pub decay: f32,
    /// How much of the target is the outcome of the game; the rest is the score of the search.
    pub outcome: f32,
    /// What the network's logit is multiplied by to be a score in hundredths.
    pub scale: f32,
    /// One game in so many is held out.
    pub held_out: u32,
}

impl Default for TrainConfig {
    fn default() -> TrainConfig {
        TrainConfig {
            seed: 1,
            epochs: 12,
            batch: 512,
            rate: 0.004,
            decay: 0.01,
            outcome: 0.5,
            scale: 300.0,
            held_out: 20,
        }
    }
}

/// The errors of a network on a set of positions.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TrainMetrics {
    /// The cross entropy with the targets.
    pub loss: f64,
    /// The cross entropy with the outcomes alone.
    pub outcome: f64,
    /// The mean squared difference to the outcomes, as expectations.
    pub brier: f64,
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
    /// The metrics of the search's scores on the held-out positions.
    pub search: TrainMetrics,
}

/// Why nothing can be learned.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TrainError {
    /// There are too few positions.
    #[error("{train_split} positions to learn from and {held_out} held out are too few")]
    TooFew {
        /// Positions to learn from.
        train_split: usize,
        /// Positions held out.
        held_out: usize,
    },
}

/// Trains a network for rules and calls `tell` after each epoch.
///
/// # Errors
///
/// Returns what is missing.
pub fn train(
    book: &AnyRulebook,
    samples: &[Sample],
    config: &TrainConfig,
    mut tell: impl FnMut(&EpochReport),
) -> Result<Network, TrainError> {
    let inputs = with_rulebook!(book, book => NetworkInputs::of(book));
    let (mut train_split, held_out): (Vec<TrainingExample>, Vec<TrainingExample>) =
        examples(book, samples, config.outcome)
            .into_iter()
            .partition(|example| !is_held_out(example.game, config.held_out));
    if train_split.len() < 2 || held_out.is_empty() {
        return Err(TrainError::TooFew { train_split: train_split.len(), held_out: held_out.len() });
    }
    let mut rng = Rng::new(config.seed);
    let mut model = Model::new(&inputs, &mut rng);
    let mut pass = Pass::new(&model);
    let mut adam = Adam::new(model.weights.len(), 0.999, 1e-8);
    let batch_size = config.batch.max(1);
    let steps = config.epochs * train_split.len().div_ceil(batch_size);
    let search = of_search(&held_out);
    let total: f64 = train_split.iter().map(|example| f64::from(example.weight)).sum();
    let mut last = TrainMetrics::default();
    for epoch in 1..=config.epochs {
        rng.shuffle(&mut train_split);
        let mut loss = 0.0;
        for batch in train_split.chunks(batch_size) {
            pass.gradient.fill(0.0);
            loss += batch.iter().map(|example| f64::from(pass.learn(&model, example))).sum::<f64>();
            let progress = adam.n_steps() as f32 / steps as f32;
            let rate = config.rate * (0.5 + 0.5 * (progress * std::f32::consts::PI).cos()).max(0.01);
            // Weights decay on their own, apart from the gradient (AdamW).
            let share = 1.0 / batch.len() as f32;
            adam.step(pass.gradient.iter().map(|slope| slope * share), |at, step| {
                let weight = &mut model.weights[at];
                *weight -= rate * (step + config.decay * *weight);
            });
            model.clip();
        }
        last = measure(&held_out, |example| pass.answer(&model, example));
        tell(&EpochReport { epoch, train_loss: loss / total, held_out: last, search });
    }
    let training = format!(
        "{} positions of {} games, seed {}, {} epochs, outcome {}, held out {} positions: loss {:.4}, against outcomes {:.4} (search {:.4})",
        train_split.len(),
        count_games(&train_split),
        config.seed,
        config.epochs,
        config.outcome,
        held_out.len(),
        last.loss,
        last.outcome,
        search.outcome,
    );
    let provenance = NetworkProvenance::new(&inputs, vec![book.rules().to_string()], training);
    Ok(model.network(provenance, config.scale))
}

/// Returns whether a game is held out, by its number alone.
pub(super) fn is_held_out(game: u32, one_in: u32) -> bool {
    // Mixed, so that numbers of games that follow a pattern do not matter.
    split_mix(u64::from(game)).is_multiple_of(u64::from(one_in.max(2)))
}

fn count_games(examples: &[TrainingExample]) -> usize {
    let mut games: Vec<u32> = examples.iter().map(|example| example.game).collect();
    games.sort_unstable();
    games.dedup();
    games.len()
}

fn of_search(examples: &[TrainingExample]) -> TrainMetrics {
    let answer = |example: &TrainingExample| {
        let expected = example.searched.clamp(1e-6, 1.0 - 1e-6);
        (expected / (1.0 - expected)).ln()
    };
    measure(examples, answer)
}

fn measure(examples: &[TrainingExample], mut answer: impl FnMut(&TrainingExample) -> f32) -> TrainMetrics {
    let mut metrics = TrainMetrics { count: examples.len(), ..TrainMetrics::default() };
    let mut sum = 1e-9;
    for example in examples {
        let (logit, weight) = (answer(example), f64::from(example.weight));
        sum += weight;
        metrics.loss += weight * f64::from(cross_entropy(logit, example.target));
        metrics.outcome += weight * f64::from(cross_entropy(logit, example.outcome));
        metrics.brier += weight * f64::from((sigmoid(logit) - example.outcome).powi(2));
    }
    TrainMetrics {
        loss: metrics.loss / sum,
        outcome: metrics.outcome / sum,
        brier: metrics.brier / sum,
        ..metrics
    }
}
