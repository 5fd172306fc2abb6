//! Training of a [`Network`] with mini-batches and Adam on one thread; reproducible by its seed.
//!
//! The target of a position is a mixture of the game's result and the search score, both as the
//! attackers' expectation. The loss is the cross entropy. See <https://arxiv.org/abs/1412.6980> for
//! Adam.

use tafl_rules::{AnyRulebook, Rng, with_rulebook};

use super::example::{TrainingExample, examples};
use super::model::{ForwardBackward, Model};
use super::optimizer::{Adam, cross_entropy, sigmoid};
use super::sample::TrainingGame;
use super::split::{TrainError, is_held_out};
use crate::net::{Network, NetworkInputs, NetworkProvenance};

/// The configuration of a training.
#[derive(Debug, Clone, PartialEq)]
pub struct TrainConfig {
    /// The seed of the initial weights and the order of examples.
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
    pub outcome: f32,
    /// The factor from the network's logit to a score in hundredths.
    pub scale: f32,
    /// The inverse of the share of games that are held out.
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

/// Trains a network for rules and calls `on_epoch` after each epoch.
///
/// # Errors
///
/// Returns [`TrainError::TooFew`] if there are not enough positions.
pub fn train(
    book: &AnyRulebook,
    games: &[TrainingGame],
    config: &TrainConfig,
    mut on_epoch: impl FnMut(&EpochReport),
) -> Result<Network, TrainError> {
    let inputs = with_rulebook!(book, book => NetworkInputs::of(book));
    let (mut train_split, held_out): (Vec<TrainingExample>, Vec<TrainingExample>) =
        examples(book, games, config.outcome)
            .into_iter()
            .partition(|example| !is_held_out(example.game, config.held_out));
    if train_split.len() < 2 || held_out.is_empty() {
        return Err(TrainError::TooFew { train_split: train_split.len(), held_out: held_out.len() });
    }
    let mut rng = Rng::new(config.seed);
    let mut model = Model::new(&inputs, &mut rng);
    let mut pass = ForwardBackward::new(&model);
    let mut adam = Adam::new(model.weights.len(), 0.999, 1e-8);
    let batch_size = config.batch.max(1);
    let steps = config.epochs * train_split.len().div_ceil(batch_size);
    let search = measure_search(&held_out);
    let total: f64 = train_split.iter().map(|example| f64::from(example.weight)).sum();
    let mut last = TrainMetrics::default();
    for epoch in 1..=config.epochs {
        rng.shuffle(&mut train_split);
        let mut loss = 0.0;
        for batch in train_split.chunks(batch_size) {
            pass.gradient.fill(0.0);
            loss += batch.iter().map(|example| f64::from(pass.backpropagate(&model, example))).sum::<f64>();
            let progress = adam.n_steps() as f32 / steps as f32;
            let rate = config.rate * (0.5 + 0.5 * (progress * std::f32::consts::PI).cos()).max(0.01);
            // Decoupled weight decay (AdamW)
            let share = 1.0 / batch.len() as f32;
            adam.step(pass.gradient.iter().map(|slope| slope * share), |at, step| {
                let weight = &mut model.weights[at];
                *weight -= rate * (step + config.decay * *weight);
            });
            model.clip();
        }
        last = measure(&held_out, |example| pass.output(&model, example));
        on_epoch(&EpochReport { epoch, train_loss: loss / total, held_out: last, search });
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

fn count_games(examples: &[TrainingExample]) -> usize {
    let mut games: Vec<u32> = examples.iter().map(|example| example.game).collect();
    games.sort_unstable();
    games.dedup();
    games.len()
}

fn measure_search(examples: &[TrainingExample]) -> TrainMetrics {
    let output = |example: &TrainingExample| {
        let expected = example.searched.clamp(1e-6, 1.0 - 1e-6);
        (expected / (1.0 - expected)).ln()
    };
    measure(examples, output)
}

fn measure(examples: &[TrainingExample], mut output: impl FnMut(&TrainingExample) -> f32) -> TrainMetrics {
    let mut metrics = TrainMetrics { count: examples.len(), ..TrainMetrics::default() };
    let mut sum = 1e-9;
    for example in examples {
        let (logit, weight) = (output(example), f64::from(example.weight));
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
