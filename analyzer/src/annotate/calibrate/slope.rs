//! The calibration slope: how much of the differences between predictions is in the results.
//!
//! It is the slope of a logistic regression of the results on the log odds of the predictions (Cox 1958): 1 if the
//! differences are right, below 1 if the predictions are too extreme. Positions of a game share its result, so the
//! variance is that of sums over games (the "sandwich" of Liang and Zeger 1986).

use super::forecast::ForecastResult;
use crate::annotate::curves::CurveEstimate;
use crate::annotate::expect::logistic;
use crate::normal::Z95;

/// The maximum number of Newton steps; the method converges in fewer than ten.
const MAX_STEPS: usize = 50;
/// The fit has converged when no coefficient changes by more than this.
const TOLERANCE: f64 = 1e-10;

/// Returns the calibration slope of predictions, in which the positions of a game are consecutive. It is not a number if
/// all predictions or all results are equal.
pub(super) fn slope(predictions: &[ForecastResult]) -> CurveEstimate {
    let [mut intercept, mut slope] = [0.0, 1.0];
    let mut inverse = None;
    for _ in 0..MAX_STEPS {
        let mut gradient = [0.0; 2];
        let mut curvature = [0.0; 3];
        for one in predictions {
            let x = log_odds(one);
            let expected = logistic(intercept + slope * x);
            let (error, spread) = (one.result - expected, expected * (1.0 - expected));
            gradient = [gradient[0] + error, gradient[1] + error * x];
            curvature = [curvature[0] + spread, curvature[1] + spread * x, curvature[2] + spread * x * x];
        }
        inverse = invert(curvature);
        let Some([a, b, c]) = inverse else { break };
        let step = [a * gradient[0] + b * gradient[1], b * gradient[0] + c * gradient[1]];
        (intercept, slope) = (intercept + step[0], slope + step[1]);
        if step.iter().all(|step| step.abs() < TOLERANCE) {
            break;
        }
    }
    let Some([_, b, c]) = inverse.filter(|_| intercept.is_finite() && slope.is_finite()) else {
        return CurveEstimate { value: f64::NAN, low: f64::NAN, high: f64::NAN };
    };
    let variance: f64 = predictions
        .chunk_by(|one, next| one.game == next.game)
        .map(|game| {
            let influence = |one: &ForecastResult| {
                let x = log_odds(one);
                (b + c * x) * (one.result - logistic(intercept + slope * x))
            };
            game.iter().map(influence).sum::<f64>().powi(2)
        })
        .sum();
    let margin = Z95 * variance.sqrt();
    CurveEstimate { value: slope, low: slope - margin, high: slope + margin }
}

fn log_odds(one: &ForecastResult) -> f64 {
    (one.inner() / (1.0 - one.inner())).ln()
}

/// Inverts a symmetric matrix of two rows, given by its entries 11, 12, and 22.
fn invert([a, b, c]: [f64; 3]) -> Option<[f64; 3]> {
    let determinant = a * c - b * b;
    (determinant > 1e-12 * a * c).then(|| [c / determinant, -b / determinant, a / determinant])
}

#[cfg(test)]
mod tests {
    use tafl_rules::Rng;

    use super::*;

    /// Simulates games of positions whose predictions have `factor` times the true log odds.
    fn simulated(factor: f64, n_games: u64, n_positions: usize, seed: u64) -> Vec<ForecastResult> {
        let mut rng = Rng::new(seed);
        let mut predictions = Vec::new();
        for game in 0..n_games {
            let x = 4.0 * rng.unit() - 2.0;
            let result = f64::from(u8::from(rng.unit() < logistic(x)));
            let one = ForecastResult { game, ply: 0, expected: logistic(factor * x), result };
            predictions.extend(std::iter::repeat_n(one, n_positions));
        }
        predictions
    }

    #[test]
    fn extreme_predictions_have_a_low_slope() {
        for factor in [0.5, 1.0, 2.0] {
            let CurveEstimate { value, low, high } = slope(&simulated(factor, 20_000, 1, 1));
            assert!((value * factor - 1.0).abs() < 0.05, "{factor}: {value}");
            assert!(low * factor < 1.0 && 1.0 < high * factor, "{factor}: {low} to {high}");
        }
    }

    #[test]
    fn repeated_positions_of_a_game_add_no_evidence() {
        let once = slope(&simulated(1.0, 500, 1, 2));
        let often = slope(&simulated(1.0, 500, 20, 2));
        assert!((once.value - often.value).abs() < 1e-6);
        assert!((once.high - often.high).abs() < 1e-6, "{once:?}, {often:?}");
    }

    #[test]
    fn intervals_contain_the_truth_about_as_often_as_they_say() {
        let covers = |seed| {
            let CurveEstimate { low, high, .. } = slope(&simulated(1.0, 300, 5, seed));
            low < 1.0 && 1.0 < high
        };
        let n_covered = (0..400).filter(|seed| covers(*seed)).count();
        assert!((364..=396).contains(&n_covered), "{n_covered} of 400");
    }

    #[test]
    fn equal_predictions_have_no_slope() {
        let one = ForecastResult { game: 0, ply: 0, expected: 0.3, result: 1.0 };
        assert!(slope(&[one, ForecastResult { game: 1, result: 0.0, ..one }]).value.is_nan());
        assert!(slope(&[]).value.is_nan());
    }
}
