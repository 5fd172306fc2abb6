//! Training of a [`Network`]: mini-batches, Adam, one thread, the same result for the same seed.
//!
//! The target of a position is a mixture of what became of its game and what a search thinks of it, both as the
//! attackers' expectation; the loss is the cross entropy. See <https://arxiv.org/abs/1412.6980> for Adam.

use tafl_rules::AnyRulebook;
use tafl_rules::with_rulebook;

use super::lesson::{Lesson, lessons};
use super::model::{Model, Pass};
use super::random::Random;
use super::sample::Sample;
use crate::net::{Inputs, Network, Provenance};

/// How a network is trained.
#[derive(Debug, Clone, PartialEq)]
pub struct Schooling {
    /// Where weights and order begin.
    pub seed: u64,
    /// How often all positions are shown.
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

impl Default for Schooling {
    fn default() -> Schooling {
        Schooling {
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

/// How well a network does on positions.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Error {
    /// The cross entropy with the targets.
    pub loss: f64,
    /// The cross entropy with the outcomes alone.
    pub outcome: f64,
    /// The mean squared difference to the outcomes, as expectations.
    pub brier: f64,
    /// How many positions.
    pub count: usize,
}

/// What is told after every epoch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Report {
    /// The number of the epoch, from 1.
    pub epoch: usize,
    /// The loss on the positions that were shown, while they were shown.
    pub shown: f64,
    /// The errors on the positions that were held out.
    pub held_out: Error,
    /// What the scores of the search come to on those.
    pub search: Error,
}

/// Why nothing can be learned.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TrainError {
    /// There are too few positions.
    #[error("{shown} positions to learn from and {held_out} held out are too few")]
    TooFew {
        /// Positions to learn from.
        shown: usize,
        /// Positions held out.
        held_out: usize,
    },
}

/// Trains a network for rules, and tells after every epoch how it goes.
///
/// # Errors
///
/// Returns what is missing.
pub fn train(
    book: &AnyRulebook,
    samples: &[Sample],
    schooling: &Schooling,
    mut tell: impl FnMut(&Report),
) -> Result<Network, TrainError> {
    let inputs = with_rulebook!(book, book => Inputs::of(book));
    let (mut shown, held_out): (Vec<Lesson>, Vec<Lesson>) = lessons(book, samples, schooling)
        .into_iter()
        .partition(|lesson| !is_held_out(lesson.game, schooling.held_out));
    if shown.len() < 2 || held_out.is_empty() {
        return Err(TrainError::TooFew { shown: shown.len(), held_out: held_out.len() });
    }
    let mut random = Random::new(schooling.seed);
    let mut model = Model::new(&inputs, &mut random);
    let mut pass = Pass::new(&model);
    let mut adam = Adam::new(model.weights.len());
    let batch_size = schooling.batch.max(1);
    let steps = schooling.epochs * shown.len().div_ceil(batch_size);
    let search = of_search(&held_out);
    let total: f64 = shown.iter().map(|lesson| f64::from(lesson.weight)).sum();
    let mut last = Error::default();
    for epoch in 1..=schooling.epochs {
        random.shuffle(&mut shown);
        let mut loss = 0.0;
        for batch in shown.chunks(batch_size) {
            pass.gradient.iter_mut().for_each(|slope| *slope = 0.0);
            loss += batch.iter().map(|lesson| f64::from(pass.learn(&model, lesson))).sum::<f64>();
            let progress = adam.n_steps as f32 / steps as f32;
            let rate = schooling.rate * (0.5 + 0.5 * (progress * std::f32::consts::PI).cos()).max(0.01);
            adam.step(&mut model.weights, &mut pass.gradient, (batch.len(), rate, schooling.decay));
            model.confine();
        }
        last = measure(&held_out, |lesson| pass.answer(&model, lesson));
        tell(&Report { epoch, shown: loss / total, held_out: last, search });
    }
    let training = format!(
        "{} positions of {} games, seed {}, {} epochs, outcome {}, held out {} positions: loss {:.4}, against outcomes {:.4} (search {:.4})",
        shown.len(),
        count_games(&shown),
        schooling.seed,
        schooling.epochs,
        schooling.outcome,
        held_out.len(),
        last.loss,
        last.outcome,
        search.outcome,
    );
    let provenance = Provenance::new(&inputs, vec![book.rules().to_string()], training);
    Ok(model.network(provenance, schooling.scale))
}

/// Returns whether a game is held out, by its number alone.
pub(super) fn is_held_out(game: u32, one_in: u32) -> bool {
    // Mixed, so that numbers of games that follow a pattern do not matter.
    let mixed = Random::new(u64::from(game)).draw();
    mixed.is_multiple_of(u64::from(one_in.max(2)))
}

fn count_games(lessons: &[Lesson]) -> usize {
    let mut games: Vec<u32> = lessons.iter().map(|lesson| lesson.game).collect();
    games.sort_unstable();
    games.dedup();
    games.len()
}

fn of_search(lessons: &[Lesson]) -> Error {
    let answer = |lesson: &Lesson| {
        let expected = lesson.searched.clamp(1e-6, 1.0 - 1e-6);
        (expected / (1.0 - expected)).ln()
    };
    measure(lessons, answer)
}

fn measure(lessons: &[Lesson], mut answer: impl FnMut(&Lesson) -> f32) -> Error {
    let mut error = Error { count: lessons.len(), ..Error::default() };
    let mut sum = 1e-9;
    for lesson in lessons {
        let (logit, weight) = (answer(lesson), f64::from(lesson.weight));
        sum += weight;
        error.loss += weight * f64::from(cross_entropy(logit, lesson.target));
        error.outcome += weight * f64::from(cross_entropy(logit, lesson.outcome));
        error.brier += weight * f64::from((sigmoid(logit) - lesson.outcome).powi(2));
    }
    Error { loss: error.loss / sum, outcome: error.outcome / sum, brier: error.brier / sum, ..error }
}

/// Returns the expectation of a logit.
pub(super) fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

/// Returns the cross entropy of a logit with a target.
pub(super) fn cross_entropy(logit: f32, target: f32) -> f32 {
    // log(1 + e^x) without overflow.
    let softplus = logit.max(0.0) + (-logit.abs()).exp().ln_1p();
    softplus - target * logit
}

/// Adam with weights that decay on their own.
#[derive(Debug)]
struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
    n_steps: usize,
}

impl Adam {
    fn new(count: usize) -> Adam {
        Adam { mean: vec![0.0; count], square: vec![0.0; count], n_steps: 0 }
    }

    fn step(&mut self, weights: &mut [f32], gradient: &mut [f32], (count, rate, decay): (usize, f32, f32)) {
        const KEEP_MEAN: f32 = 0.9;
        const KEEP_SQUARE: f32 = 0.999;
        self.n_steps += 1;
        let n_steps = self.n_steps.min(100_000) as i32;
        let (first, second) = (1.0 - KEEP_MEAN.powi(n_steps), 1.0 - KEEP_SQUARE.powi(n_steps));
        let share = 1.0 / count as f32;
        let moments = self.mean.iter_mut().zip(&mut self.square);
        for ((weight, slope), (mean, square)) in weights.iter_mut().zip(gradient).zip(moments) {
            let slope = *slope * share;
            *mean = KEEP_MEAN * *mean + (1.0 - KEEP_MEAN) * slope;
            *square = KEEP_SQUARE * *square + (1.0 - KEEP_SQUARE) * slope * slope;
            let step = (*mean / first) / ((*square / second).sqrt() + 1e-8);
            *weight -= rate * (step + decay * *weight);
        }
    }
}
