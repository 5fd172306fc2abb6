//! Whether expectations come true: Brier score, calibration error and the reliability diagram, on games held out.

use std::collections::BTreeMap;

use tafl_rules::rng::split_mix;
use tafl_rules::{Rng, Side};

use super::{CalibrationSample, fit};
use crate::annotate::curves::{CurveEstimate, CurveFit};

/// Games are held out in so many parts.
const FOLDS: u64 = 5;
/// The diagram has so many groups of expectations, each as wide.
pub const N_BINS: usize = 10;
/// Intervals come from so many draws of the games.
const DRAWS: usize = 300;

/// What was expected of positions of a game, and how it ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ForecastResult {
    game: u64,
    expected: f64,
    result: f64,
}

/// A group of positions of which about as much was expected.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CalibrationBin {
    /// How many positions.
    pub positions: u64,
    /// What was expected for the attackers, on average.
    pub expected: f64,
    /// What they got, on average, with an interval.
    pub result: CurveEstimate,
}

/// What was expected and what came, in groups.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ReliabilityDiagram {
    /// The groups, from hopeless for the attackers to won; those without positions are empty.
    pub bins: [CalibrationBin; N_BINS],
}

/// Judges each position by a curve that was fitted without its game. Where a part cannot be fitted it is left out.
pub(super) fn held_out(samples: &[CalibrationSample]) -> Vec<ForecastResult> {
    let fold = |sample: &CalibrationSample| split_mix(sample.game) % FOLDS;
    let mut judged = Vec::with_capacity(samples.len());
    for out in 0..FOLDS {
        let Some(curve) = fit::fit(samples.iter().filter(|sample| fold(sample) != out)) else { continue };
        judged.extend(samples.iter().filter(|sample| fold(sample) == out).map(|sample| ForecastResult {
            game: sample.game,
            expected: curve.expect(sample.score, sample.phase).for_side(Side::Attackers),
            result: sample.result,
        }));
    }
    judged
}

/// Measures how expectations came true.
pub(super) fn measure(judged: &[ForecastResult], seed: u64) -> (CurveFit, ReliabilityDiagram) {
    let mut games: BTreeMap<u64, Sums> = BTreeMap::new();
    judged.iter().for_each(|one| games.entry(one.game).or_default().add(one));
    let games: Vec<Sums> = games.into_values().collect();
    let whole = games.iter().fold(Sums::default(), |sums, game| sums.plus(game));
    let mut rng = Rng::new(seed);
    let draws: Vec<Sums> = (0..DRAWS)
        .map(|_| {
            let draw = |sums: Sums, _| sums.plus(&games[rng.below(games.len())]);
            (0..games.len()).fold(Sums::default(), draw)
        })
        .collect();
    let estimate = |of: &dyn Fn(&Sums) -> f64| {
        let mut values: Vec<f64> = draws.iter().map(of).filter(|value| value.is_finite()).collect();
        values.sort_by(f64::total_cmp);
        let at = |share: f64| values.get((share * values.len() as f64) as usize).copied().unwrap_or_default();
        CurveEstimate { value: of(&whole), low: at(0.025), high: at(0.975) }
    };
    let mean = whole.results() / whole.count().max(1.0);
    let base = judged.iter().map(|one| (mean - one.result).powi(2)).sum::<f64>() / whole.count().max(1.0);
    let mut diagram = ReliabilityDiagram::default();
    for (nth, bin) in diagram.bins.iter_mut().enumerate().filter(|(nth, _)| whole.bins[*nth][0] > 0.0) {
        let [count, expected, _] = whole.bins[nth];
        let result = estimate(&|sums| sums.bins[nth][2] / sums.bins[nth][0]);
        *bin = CalibrationBin { positions: count as u64, expected: expected / count, result };
    }
    let reliability = CurveFit {
        games: games.len() as u64,
        positions: judged.len() as u64,
        brier: estimate(&|sums| sums.brier / sums.count().max(1.0)),
        brier_of_base: base,
        ece: estimate(&Sums::ece),
    };
    (reliability, diagram)
}

/// Sums over positions, by groups: how many, what was expected, what came.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Sums {
    brier: f64,
    bins: [[f64; 3]; N_BINS],
}

impl Sums {
    fn add(&mut self, one: &ForecastResult) {
        self.brier += (one.expected - one.result).powi(2);
        let bin = ((one.expected * N_BINS as f64) as usize).min(N_BINS - 1);
        let new = [1.0, one.expected, one.result];
        self.bins[bin].iter_mut().zip(new).for_each(|(sum, new)| *sum += new);
    }

    fn plus(mut self, other: &Sums) -> Sums {
        self.brier += other.brier;
        let sums = self.bins.iter_mut().flatten().zip(other.bins.iter().flatten());
        sums.for_each(|(sum, new)| *sum += new);
        self
    }

    fn count(&self) -> f64 {
        self.bins.iter().map(|bin| bin[0]).sum()
    }

    fn results(&self) -> f64 {
        self.bins.iter().map(|bin| bin[2]).sum()
    }

    fn ece(&self) -> f64 {
        self.bins.iter().map(|[_, expected, result]| (expected - result).abs()).sum::<f64>()
            / self.count().max(1.0)
    }
}
