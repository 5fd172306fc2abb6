//! The reliability of curves on held-out games: Brier score and skill, log loss, slope, calibration error, and
//! reliability diagram.

use std::collections::BTreeMap;

use tafl_rules::{Rng, Side, split_mix};

use super::forecast::ForecastResult;
use super::slope::slope;
use super::{CalibrationSample, fit};
use crate::annotate::curves::{CurveEstimate, CurveFit};
use crate::normal::wilson;

/// The number of folds of the cross-validation.
const FOLDS: u64 = 5;
/// The number of equally wide bins of the diagram.
pub const N_CALIBRATION_BINS: usize = 10;
/// The first plies of the ranges whose calibration is reported. The last range has no end.
pub const CALIBRATION_PLIES: [u32; N_PLY_RANGES] = [0, 10, 20, 40, 80];
const N_PLY_RANGES: usize = 5;
/// The number of bootstrap samples for intervals. A choice: each end of a 95 % interval rests on the seven most extreme
/// samples, and the time grows in proportion.
const DRAWS: usize = 300;

/// A bin of the diagram: positions with similar predictions.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CalibrationBin {
    /// The number of positions.
    pub positions: u64,
    /// The mean prediction for the attackers.
    pub expected: f64,
    /// The mean result for the attackers, with Wilson's interval for the effective number of games.
    pub result: CurveEstimate,
}

impl CalibrationBin {
    /// Returns the bin whose sums `bin` selects; empty without positions.
    fn of(games: &[BinSums], whole: &BinSums, bin: impl Fn(&BinSums) -> [f64; 3]) -> CalibrationBin {
        let [count, expected, result] = bin(whole);
        if count == 0.0 {
            return CalibrationBin::default();
        }
        // Positions of a game share its result, so that their number is that of games with equally many positions (Kish). A
        // bootstrap would have an interval without width if all results are equal.
        let squares: f64 = games.iter().map(|game| bin(game)[0].powi(2)).sum();
        let (low, high) = wilson(result / count, count * count / squares);
        let result = CurveEstimate { value: result / count, low, high };
        CalibrationBin { positions: count as u64, expected: expected / count, result }
    }
}

/// The agreement of predictions with the results of held-out games.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct HeldOutReliability {
    /// The Brier skill: the part of the Brier score of always predicting the mean result that the predictions avoid. 1
    /// is perfect; 0 is no better than the mean.
    pub skill: CurveEstimate,
    /// The log loss: the mean of minus the natural logarithm of the probability given to the result. Always predicting
    /// one half has 0.693.
    pub log_loss: CurveEstimate,
    /// The calibration slope: 1 if differences between predictions are right, below 1 if predictions are too extreme.
    /// It is not a number if it can't be estimated.
    pub slope: CurveEstimate,
    /// The reliability diagram: predictions and results by bin, from lost for the attackers to won. Bins without positions
    /// are empty.
    pub bins: [CalibrationBin; N_CALIBRATION_BINS],
    /// The same for the positions of each range of [`CALIBRATION_PLIES`].
    pub plies: [CalibrationBin; N_PLY_RANGES],
}

/// Predicts each position by a curve fitted without its game. Skips folds that cannot be fitted.
pub(super) fn held_out(samples: &[CalibrationSample]) -> Vec<ForecastResult> {
    let fold = |sample: &CalibrationSample| split_mix(sample.game) % FOLDS;
    let mut predictions = Vec::with_capacity(samples.len());
    for out in 0..FOLDS {
        let Some(curve) = fit::fit(samples.iter().filter(|sample| fold(sample) != out)) else { continue };
        predictions.extend(samples.iter().filter(|sample| fold(sample) == out).map(|sample| {
            ForecastResult {
                game: sample.game,
                ply: sample.phase.ply,
                expected: curve.expect(sample.score, sample.phase).for_side(Side::Attackers),
                result: sample.result,
            }
        }));
    }
    predictions
}

/// Measures the quality of predictions.
///
/// The positions of a game are consecutive.
pub(super) fn measure(predictions: &[ForecastResult], seed: u64) -> (CurveFit, HeldOutReliability) {
    let mut games: BTreeMap<u64, BinSums> = BTreeMap::new();
    predictions.iter().for_each(|one| games.entry(one.game).or_default().add(one));
    let games: Vec<BinSums> = games.into_values().collect();
    let whole = games.iter().fold(BinSums::default(), |sums, game| sums.plus(game));
    let mut rng = Rng::new(seed);
    let draws: Vec<BinSums> = (0..DRAWS)
        .map(|_| {
            let draw = |sums: BinSums, _| sums.plus(&games[rng.below(games.len())]);
            (0..games.len()).fold(BinSums::default(), draw)
        })
        .collect();
    let estimate = |of: &dyn Fn(&BinSums) -> f64| {
        let mut values: Vec<f64> = draws.iter().map(of).filter(|value| value.is_finite()).collect();
        values.sort_by(f64::total_cmp);
        let at = |share: f64| values.get((share * values.len() as f64) as usize).copied().unwrap_or_default();
        CurveEstimate { value: of(&whole), low: at(0.025), high: at(0.975) }
    };
    let mut quality = HeldOutReliability {
        skill: estimate(&|sums| 1.0 - sums.brier / sums.brier_of_mean()),
        log_loss: estimate(&|sums| sums.log_loss / sums.count().max(1.0)),
        slope: slope(predictions),
        ..HeldOutReliability::default()
    };
    for (nth, bin) in quality.bins.iter_mut().enumerate() {
        *bin = CalibrationBin::of(&games, &whole, |sums| sums.bins[nth]);
    }
    for (nth, range) in quality.plies.iter_mut().enumerate() {
        *range = CalibrationBin::of(&games, &whole, |sums| sums.plies[nth]);
    }
    let reliability = CurveFit {
        games: games.len() as u64,
        positions: predictions.len() as u64,
        brier: estimate(&|sums| sums.brier / sums.count().max(1.0)),
        brier_of_base: whole.brier_of_mean() / whole.count().max(1.0),
        ece: unbiased(estimate(&BinSums::ece), mean(draws.iter().map(BinSums::ece))),
        ece_by_chance: Some(mean((0..DRAWS).map(|_| ece_by_chance(&games, &whole, &mut rng)))),
    };
    (reliability, quality)
}

/// Returns the mean of numbers, of which there is one for each draw.
fn mean(values: impl Iterator<Item = f64>) -> f64 {
    values.sum::<f64>() / DRAWS as f64
}

/// Returns a calibration error that a perfectly calibrated forecast of the same games might have.
///
/// Its errors in a game have the mean 0, so that their distribution is about the same after a change of sign. All errors of a
/// game get the same sign, because its positions share its result. Unlike results drawn by the predictions, this also
/// preserves the proportion of draws.
fn ece_by_chance(games: &[BinSums], whole: &BinSums, rng: &mut Rng) -> f64 {
    let mut errors = [0.0; N_CALIBRATION_BINS];
    for game in games {
        let sign = if rng.unit() < 0.5 { 1.0 } else { -1.0 };
        for (error, [_, expected, result]) in errors.iter_mut().zip(game.bins) {
            *error += sign * (result - expected);
        }
    }
    errors.iter().map(|error| error.abs()).sum::<f64>() / whole.count().max(1.0)
}

/// Returns a calibration error with the interval shifted by the bias of the bootstrap: a sample of a
/// sample has more noise, and thus a larger error, so that its quantiles may all exceed the estimate.
///
/// The estimate itself has the noise of the games, which is what [`ece_by_chance`] measures.
fn unbiased(estimate: CurveEstimate, mean_of_draws: f64) -> CurveEstimate {
    let CurveEstimate { value, low, high } = estimate;
    let shift = mean_of_draws - value;
    CurveEstimate { value, low: (low - shift).max(0.0), high: high - shift }
}

/// Sums over positions, by bin: the number of positions, their predictions, and their results.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct BinSums {
    brier: f64,
    log_loss: f64,
    squares: f64,
    bins: [[f64; 3]; N_CALIBRATION_BINS],
    plies: [[f64; 3]; N_PLY_RANGES],
}

impl BinSums {
    fn add(&mut self, one: &ForecastResult) {
        self.brier += (one.expected - one.result).powi(2);
        self.log_loss -= one.result * one.inner().ln() + (1.0 - one.result) * (1.0 - one.inner()).ln();
        self.squares += one.result.powi(2);
        let bin = ((one.expected * N_CALIBRATION_BINS as f64) as usize).min(N_CALIBRATION_BINS - 1);
        let new = [1.0, one.expected, one.result];
        self.bins[bin].iter_mut().zip(new).for_each(|(sum, new)| *sum += new);
        let range = CALIBRATION_PLIES.partition_point(|first| *first <= one.ply) - 1;
        self.plies[range].iter_mut().zip(new).for_each(|(sum, new)| *sum += new);
    }

    fn plus(mut self, other: &BinSums) -> BinSums {
        self.brier += other.brier;
        self.log_loss += other.log_loss;
        self.squares += other.squares;
        let own = self.bins.iter_mut().chain(&mut self.plies).flatten();
        let sums = own.zip(other.bins.iter().chain(&other.plies).flatten());
        sums.for_each(|(sum, new)| *sum += new);
        self
    }

    fn count(&self) -> f64 {
        self.bins.iter().map(|bin| bin[0]).sum()
    }

    /// Returns the sum of the squared errors of always predicting the mean result.
    fn brier_of_mean(&self) -> f64 {
        let results: f64 = self.bins.iter().map(|bin| bin[2]).sum();
        self.squares - results.powi(2) / self.count().max(1.0)
    }

    fn ece(&self) -> f64 {
        self.bins.iter().map(|[_, expected, result]| (expected - result).abs()).sum::<f64>()
            / self.count().max(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Measures predictions of simulated games with `n_positions` each, whose results follow `truth` of the prediction.
    fn simulated(n_games: u64, n_positions: u32, seed: u64, truth: impl Fn(f64) -> f64) -> CurveFit {
        let mut rng = Rng::new(seed);
        let mut predictions = Vec::new();
        for game in 0..n_games {
            let (middle, chance) = (0.05 + 0.9 * rng.unit(), rng.unit());
            for ply in 0..n_positions {
                let expected = middle + 0.1 * (rng.unit() - 0.5);
                let result = f64::from(u8::from(chance < truth(expected)));
                predictions.push(ForecastResult { game, ply, expected, result });
            }
        }
        measure(&predictions, seed).0
    }

    #[test]
    fn perfect_calibration_has_no_more_error_than_by_chance() {
        const REPETITIONS: u64 = 50;
        for (n_games, n_positions) in [(139, 1), (139, 3), (400, 2)] {
            let fits: Vec<CurveFit> = (0..REPETITIONS)
                .map(|seed| simulated(n_games, n_positions, seed, |expected| expected))
                .collect();
            let of_all = |of: fn(&CurveFit) -> f64| fits.iter().map(of).sum::<f64>() / fits.len() as f64;
            let (found, by_chance) = (of_all(|fit| fit.ece.value), of_all(|fit| fit.ece_by_chance.unwrap()));
            assert!((found / by_chance - 1.0).abs() < 0.1, "{n_games}: {found} {by_chance}");
            let contains_zero = |fit: &&CurveFit| {
                fit.ece_beyond_chance().is_some_and(|excess| excess.low <= 0.0 && 0.0 <= excess.high)
            };
            let n_covered = fits.iter().filter(contains_zero).count();
            assert!(n_covered >= 45, "{n_games} games: {n_covered} of {REPETITIONS}");
        }
    }

    #[test]
    fn a_wrong_forecast_has_more_error_than_by_chance() {
        let fit = simulated(1000, 2, 1, |expected| 0.5 + 0.6 * (expected - 0.5));
        let excess = fit.ece_beyond_chance().unwrap();
        assert!(excess.low > 0.0 && excess.value > 0.04 && excess.high < 0.12, "{excess:?}");
    }

    #[test]
    fn few_positions_have_a_wide_interval() {
        let won = |game| ForecastResult { game, ply: 90, expected: 0.85, result: 1.0 };
        let (_, quality) = measure(&[won(0), won(0), won(1), won(2)], 1);
        let [.., last] = quality.plies;
        // Three games count as 16/6 games, because one has two positions.
        assert_eq!((last.positions, last.result.value, last.result.high), (4, 1.0, 1.0));
        assert!(last.result.low > 0.3 && last.result.low < 0.5, "{last:?}");
        assert_eq!(quality.bins[8], last);
        assert_eq!(quality.plies[0], CalibrationBin::default());
    }
}
