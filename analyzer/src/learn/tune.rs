//! Weights of the evaluation's terms from games: logistic regression.
//!
//! A position's worth is the sum of its features times the weights; the attackers' expectation is a logistic curve of
//! it. Weights are moved so that the curve fits what became of the games, and pulled a little towards where they began,
//! so that terms that hardly occur stay as they are. See <https://www.chessprogramming.org/Texel%27s_Tuning_Method>.

use tafl_rules::{AnyRulebook, with_rulebook};

use super::curve::ScoreCurve;
use super::optimizer::{Adam, cross_entropy, sigmoid};
use super::sample::Sample;
use super::trainer::{TrainError, is_held_out};
use crate::eval::{Evaluator, Features, N_TERMS, Weights};

/// How weights are tuned.
#[derive(Debug, Clone, PartialEq)]
pub struct Tuning {
    /// How many steps are taken, each with all positions.
    pub steps: usize,
    /// How much of the target is the outcome of the game; the rest is the score of the search.
    pub outcome: f32,
    /// How strongly weights are pulled to where they began: so many positions speak for each.
    pub pull: f32,
    /// One game in so many is held out.
    pub held_out: u32,
}

impl Default for Tuning {
    fn default() -> Tuning {
        Tuning { steps: 400, outcome: 0.7, pull: 20.0, held_out: 10 }
    }
}

/// Tuned weights, and how well they and those before fit games that were held out.
#[derive(Debug, Clone, PartialEq)]
pub struct Tuned {
    /// The weights.
    pub weights: Weights,
    /// The cross entropy with the outcomes of games that were held out, with the weights before.
    pub before: f64,
    /// The same with the tuned weights.
    pub after: f64,
    /// How many positions were learned from, and how many were held out.
    pub counts: (usize, usize),
}

struct Row {
    features: [f32; N_TERMS],
    target: f32,
    outcome: f32,
}

/// Tunes weights for rules by samples.
///
/// The worth of a hundredth stays what it was: scores of the weights before set the slope of the curve.
///
/// # Errors
///
/// Returns what is missing.
pub fn tune(
    book: &AnyRulebook,
    samples: &[Sample],
    before: &Weights,
    tuning: &Tuning,
) -> Result<Tuned, TrainError> {
    let features = features_of(book, samples, before);
    let searched = ScoreCurve::fit(samples);
    let (mut train_split, mut held_out, mut current) = (Vec::new(), Vec::new(), Vec::new());
    for (sample, features) in samples.iter().zip(features) {
        let outcome = f32::from(sample.halves) / 2.0;
        let target = tuning.outcome * outcome + (1.0 - tuning.outcome) * searched.expectation(sample.score);
        let row = Row { features: features.map(|count| count as f32), target, outcome };
        if is_held_out(sample.game, tuning.held_out) {
            held_out.push(row);
        } else {
            let value: i32 = features.iter().zip(before.values()).map(|(count, weight)| count * weight).sum();
            current.push(Sample { score: value.clamp(-20_000, 20_000) as i16, ..sample.clone() });
            train_split.push(row);
        }
    }
    if train_split.len() < 2 || held_out.is_empty() {
        return Err(TrainError::TooFew { train_split: train_split.len(), held_out: held_out.len() });
    }
    let curve = ScoreCurve::fit(&current);
    let first = before.values().map(|weight| weight as f32);
    let (shift, last) = descend(&train_split, &first, curve, tuning);
    let weights = Weights::from_values(last.map(|weight| weight.round() as i32));
    let after = weights.values().map(|weight| weight as f32);
    Ok(Tuned {
        before: loss(&held_out, &first, curve),
        after: loss(&held_out, &after, ScoreCurve { shift, ..curve }),
        weights,
        counts: (train_split.len(), held_out.len()),
    })
}

fn features_of(book: &AnyRulebook, samples: &[Sample], weights: &Weights) -> Vec<Features> {
    with_rulebook!(book, book => {
        let eval = Evaluator::new(book, weights.clone());
        let features = |sample: &Sample| eval.features(book, &book.position(&sample.setup, sample.to_move));
        samples.iter().map(features).collect()
    })
}

fn logit(row: &Row, weights: &[f32; N_TERMS], curve: ScoreCurve) -> f32 {
    let value: f32 = row.features.iter().zip(weights).map(|(count, weight)| count * weight).sum();
    curve.shift + curve.slope * value
}

fn loss(rows: &[Row], weights: &[f32; N_TERMS], curve: ScoreCurve) -> f64 {
    let sum: f64 =
        rows.iter().map(|row| f64::from(cross_entropy(logit(row, weights, curve), row.outcome))).sum();
    sum / rows.len() as f64
}

/// Returns the shift of the curve and the weights after all steps; Adam with all positions.
fn descend(
    rows: &[Row],
    first: &[f32; N_TERMS],
    curve: ScoreCurve,
    tuning: &Tuning,
) -> (f32, [f32; N_TERMS]) {
    let mut at = [0.0; N_TERMS + 1];
    let mut adam = Adam::new(N_TERMS + 1, 0.99, 1e-12);
    at[N_TERMS] = curve.shift;
    at[..N_TERMS].copy_from_slice(first);
    for step in 1..=tuning.steps {
        let mut gradient = [0.0_f32; N_TERMS + 1];
        let mut weights = [0.0; N_TERMS];
        weights.copy_from_slice(&at[..N_TERMS]);
        let now = ScoreCurve { shift: at[N_TERMS], ..curve };
        for row in rows {
            let off = sigmoid(logit(row, &weights, now)) - row.target;
            for (slope, count) in gradient.iter_mut().zip(&row.features) {
                *slope += off * count * curve.slope;
            }
            gradient[N_TERMS] += off;
        }
        for term in 0..N_TERMS {
            gradient[term] += tuning.pull * curve.slope * curve.slope * (at[term] - first[term]);
        }
        // Weights are hundredths, the shift is a logit: steps of one size each, shorter and shorter.
        let rate = 4.0 * (1.0 - (step - 1) as f32 / tuning.steps as f32);
        adam.step(gradient, |place, step| {
            let length = if place == N_TERMS { 0.01 * rate } else { rate };
            at[place] -= length * step;
        });
    }
    let mut weights = [0.0; N_TERMS];
    weights.copy_from_slice(&at[..N_TERMS]);
    (at[N_TERMS], weights)
}
