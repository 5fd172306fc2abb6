//! The expectation curve: converts a search score to an expected result.

use super::optimizer::sigmoid;
use super::sample::TrainingGame;

/// A logistic curve from a score to the attackers' expectation. It need not pass through one half.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoreCurve {
    /// The logit of a score of 0.
    pub shift: f32,
    /// The growth of the logit per hundredth.
    pub slope: f32,
}

/// Sample weights that give the wins of both sides the same total weight.
///
/// If one side nearly always wins, the expectation hardly depends on the position. Strength of
/// play, however, depends on ranking two bad positions correctly.
#[derive(Debug, Clone, Copy, PartialEq)]
struct SideWeights([f32; 3]);

impl SideWeights {
    /// The maximum weight of a sample with a rare result.
    const MAX_WEIGHT: f32 = 12.0;

    fn of_results(results: impl Iterator<Item = (i16, u8)> + Clone) -> SideWeights {
        let count =
            |wanted: u8| results.clone().filter(|(_, half_points)| *half_points == wanted).count() as f32;
        let (losses, wins) = (count(0).max(1.0), count(2).max(1.0));
        let even = (losses + wins) / 2.0;
        let most = |weight: f32| weight.min(SideWeights::MAX_WEIGHT);
        SideWeights([most(even / losses), 1.0, most(even / wins)])
    }

    /// Returns the weight of a sample by its result in half points.
    fn of_result(&self, half_points: u8) -> f32 {
        self.0[usize::from(half_points.min(2))]
    }
}

impl ScoreCurve {
    /// Returns the expectation for a score relative to the attackers.
    pub fn expectation(&self, score: i16) -> f32 {
        sigmoid(self.shift + self.slope * f32::from(score))
    }

    /// Fits a curve to scores and results by Newton's method, with balanced sample weights. Without
    /// samples, returns the default curve: no shift, and a slope of 3 per 1,000.
    pub fn fit(games: &[TrainingGame]) -> ScoreCurve {
        ScoreCurve::fit_scores(scores(games))
    }

    /// Fits a curve to scores and results in half points.
    pub(super) fn fit_scores(scores: impl Iterator<Item = (i16, u8)> + Clone) -> ScoreCurve {
        // Scores are in thousands, so that both parameters have similar magnitudes. A weak prior
        // pulls them toward a default curve.
        let (mut shift, mut slope) = (0.0_f64, 3.0_f64);
        let balance = SideWeights::of_results(scores.clone());
        for _ in 0..25 {
            let pull = 1.0;
            let (mut first, mut second) = (-pull * shift, -pull * (slope - 3.0));
            let (mut ss, mut st, mut tt) = (pull, 0.0, pull);
            for (score, half_points) in scores.clone() {
                let score = f64::from(score) / 1000.0;
                let expected = 1.0 / (1.0 + (-(shift + slope * score)).exp());
                let share = f64::from(balance.of_result(half_points));
                let off = share * (f64::from(half_points) / 2.0 - expected);
                let weight = share * expected * (1.0 - expected);
                first += off;
                second += off * score;
                ss += weight;
                st += weight * score;
                tt += weight * score * score;
            }
            let determinant = ss * tt - st * st;
            if determinant.abs() < 1e-9 {
                break;
            }
            shift += ((tt * first - st * second) / determinant).clamp(-1.0, 1.0);
            slope += ((ss * second - st * first) / determinant).clamp(-2.0, 2.0);
        }
        ScoreCurve { shift: shift as f32, slope: (slope.max(0.05) / 1000.0) as f32 }
    }
}

/// Returns the score of each sample with the result of its game in half points.
fn scores(games: &[TrainingGame]) -> impl Iterator<Item = (i16, u8)> + Clone {
    games.iter().flat_map(|game| game.samples.iter().map(|sample| (sample.score, game.half_points)))
}
