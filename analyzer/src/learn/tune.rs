//! Fits the weights of the evaluation to games by logistic regression (Texel tuning).
//!
//! The score of a position is the dot product of its features and the weights; the attackers'
//! expectation is a logistic curve of the score. The weights are fitted so that the curve predicts
//! the results of the games. A penalty for changes keeps the weights of rare terms near their
//! initial values. See <https://www.chessprogramming.org/Texel%27s_Tuning_Method>.

use tafl_rules::{AnyRulebook, with_rulebook};

use super::curve::ScoreCurve;
use super::optimizer::{Adam, cross_entropy, sigmoid};
use super::sample::{TrainingGame, TrainingSample};
use super::split::{TrainError, is_held_out};
use crate::eval::{Evaluator, Weights, dot};
use crate::eval_term::{Features, N_TERMS};

/// The configuration of a fit of weights.
#[derive(Debug, Clone, PartialEq)]
pub struct TuneConfig {
    /// The number of steps, each with all positions.
    pub steps: usize,
    /// The weight of the game's result in the target; the rest is the search score.
    pub result_weight: f32,
    /// The penalty for changes of a weight, as a number of positions.
    pub penalty: f32,
    /// The inverse of the proportion of games that are held out.
    pub held_out: u32,
}

impl Default for TuneConfig {
    fn default() -> TuneConfig {
        TuneConfig { steps: 400, result_weight: 0.7, penalty: 20.0, held_out: 10 }
    }
}

/// Tuned weights, with the loss on held-out games before and after.
#[derive(Debug, Clone, PartialEq)]
pub struct TuneResult {
    /// The weights.
    pub weights: Weights,
    /// The cross entropy with the results of held-out games, with the initial weights.
    pub before: f64,
    /// The cross entropy with the tuned weights.
    pub after: f64,
    /// The number of positions for training.
    pub n_trained: usize,
    /// The number of held-out positions.
    pub n_held_out: usize,
}

struct TuneSample {
    features: [f32; N_TERMS],
    target: f32,
    result: f32,
}

/// Tunes weights for rules.
///
/// The unit of scores does not change: the slope of the curve is fitted to scores with the initial
/// weights.
///
/// # Errors
///
/// Returns [`TrainError::TooFew`] if there are not enough positions.
pub fn tune(
    book: &AnyRulebook,
    games: &[TrainingGame],
    before: &Weights,
    config: &TuneConfig,
) -> Result<TuneResult, TrainError> {
    let searched = ScoreCurve::fit(games);
    let (mut train_split, mut held_out, mut current) = (Vec::new(), Vec::new(), Vec::new());
    for (game, sample, features) in features_of(book, games, before) {
        let result = f32::from(game.half_points) / 2.0;
        let target =
            config.result_weight * result + (1.0 - config.result_weight) * searched.expectation(sample.score);
        let row = TuneSample { features: features.map(|count| count as f32), target, result };
        if is_held_out(game.number, config.held_out) {
            held_out.push(row);
        } else {
            let value = dot(&features, before.values());
            current.push((value.clamp(-20_000, 20_000) as i16, game.half_points));
            train_split.push(row);
        }
    }
    if train_split.len() < 2 || held_out.is_empty() {
        return Err(TrainError::TooFew { train_split: train_split.len(), held_out: held_out.len() });
    }
    let curve = ScoreCurve::fit_scores(current.iter().copied());
    let first = before.values().map(|weight| weight as f32);
    let (shift, last) = descend(&train_split, &first, curve, config);
    let weights = Weights::from_values(last.map(|weight| weight.round() as i32));
    let after = weights.values().map(|weight| weight as f32);
    Ok(TuneResult {
        before: loss(&held_out, &first, curve),
        after: loss(&held_out, &after, ScoreCurve { shift, ..curve }),
        weights,
        n_trained: train_split.len(),
        n_held_out: held_out.len(),
    })
}

fn features_of<'g>(
    book: &AnyRulebook,
    games: &'g [TrainingGame],
    weights: &Weights,
) -> Vec<(&'g TrainingGame, &'g TrainingSample, Features)> {
    with_rulebook!(book, book => {
        let eval = Evaluator::new(book, weights.clone());
        let features = |sample: &TrainingSample| eval.features(book, &book.position(&sample.setup, sample.to_move));
        let samples = games.iter().flat_map(|game| game.samples.iter().map(move |sample| (game, sample)));
        samples.map(|(game, sample)| (game, sample, features(sample))).collect()
    })
}

fn logit(row: &TuneSample, weights: &[f32; N_TERMS], curve: ScoreCurve) -> f32 {
    let value: f32 = row.features.iter().zip(weights).map(|(count, weight)| count * weight).sum();
    curve.shift + curve.slope * value
}

fn loss(rows: &[TuneSample], weights: &[f32; N_TERMS], curve: ScoreCurve) -> f64 {
    let sum: f64 =
        rows.iter().map(|row| f64::from(cross_entropy(logit(row, weights, curve), row.result))).sum();
    sum / rows.len() as f64
}

/// Returns the shift of the curve and the weights after all steps of Adam with full batches.
fn descend(
    rows: &[TuneSample],
    first: &[f32; N_TERMS],
    curve: ScoreCurve,
    config: &TuneConfig,
) -> (f32, [f32; N_TERMS]) {
    let mut at = [0.0; N_TERMS + 1];
    let mut adam = Adam::new(N_TERMS + 1, 0.99, 1e-12);
    at[N_TERMS] = curve.shift;
    at[..N_TERMS].copy_from_slice(first);
    for step in 1..=config.steps {
        let mut gradient = [0.0_f32; N_TERMS + 1];
        let mut weights = [0.0; N_TERMS];
        weights.copy_from_slice(&at[..N_TERMS]);
        let now = ScoreCurve { shift: at[N_TERMS], ..curve };
        for row in rows {
            let off = sigmoid(logit(row, &weights, now)) - row.target;
            for (partial, count) in gradient.iter_mut().zip(&row.features) {
                *partial += off * count * curve.slope;
            }
            gradient[N_TERMS] += off;
        }
        for term in 0..N_TERMS {
            gradient[term] += config.penalty * curve.slope * curve.slope * (at[term] - first[term]);
        }
        // Weights are in hundredths, the shift is a logit, hence two step sizes. Both decrease
        // linearly.
        let rate = 4.0 * (1.0 - (step - 1) as f32 / config.steps as f32);
        adam.step(gradient, |place, step| {
            let length = if place == N_TERMS { 0.01 * rate } else { rate };
            at[place] -= length * step;
        });
    }
    let mut weights = [0.0; N_TERMS];
    weights.copy_from_slice(&at[..N_TERMS]);
    (at[N_TERMS], weights)
}
