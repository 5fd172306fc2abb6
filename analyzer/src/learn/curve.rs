//! The expectation curve: what a score of a search is worth in points.

use super::optimizer::sigmoid;
use super::sample::Sample;

/// The attackers' expectation as a function of a score: a logistic curve that need not pass through one half.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoreCurve {
    /// The logit of a score of 0.
    pub shift: f32,
    /// By how much the logit grows with a hundredth.
    pub slope: f32,
}

/// How much each sample counts, so that wins of both sides count alike.
///
/// Where one side nearly always wins, an expectation near certainty hardly depends on the position; what matters for play
/// is which of two bad positions is better.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SideWeights([f32; 3]);

impl SideWeights {
    /// A sample of a rare result counts at most so many times.
    const MOST: f32 = 12.0;

    /// Returns the weights that balance samples.
    pub fn of(samples: &[Sample]) -> SideWeights {
        let count = |halves: u8| samples.iter().filter(|sample| sample.halves == halves).count() as f32;
        let (losses, wins) = (count(0).max(1.0), count(2).max(1.0));
        let even = (losses + wins) / 2.0;
        let most = |weight: f32| weight.min(SideWeights::MOST);
        SideWeights([most(even / losses), 1.0, most(even / wins)])
    }

    /// Returns how much a sample counts by its result in halves of a point.
    pub fn of_result(&self, halves: u8) -> f32 {
        self.0[usize::from(halves.min(2))]
    }
}

impl ScoreCurve {
    /// Returns the expectation of a score that is relative to the attackers.
    pub fn expectation(&self, score: i16) -> f32 {
        sigmoid(self.shift + self.slope * f32::from(score))
    }

    /// Returns the curve that fits scores and outcomes of samples best, both sides' wins counting alike, by Newton's
    /// method; a curve that rises a little where there is nothing to fit.
    pub fn fit(samples: &[Sample]) -> ScoreCurve {
        // Scores in thousands, so that the two directions are of one size; a little pull towards a plain curve.
        let (mut shift, mut slope) = (0.0_f64, 3.0_f64);
        let balance = SideWeights::of(samples);
        for _ in 0..25 {
            let pull = 1.0;
            let (mut first, mut second) = (-pull * shift, -pull * (slope - 3.0));
            let (mut ss, mut st, mut tt) = (pull, 0.0, pull);
            for sample in samples {
                let score = f64::from(sample.score) / 1000.0;
                let expected = 1.0 / (1.0 + (-(shift + slope * score)).exp());
                let share = f64::from(balance.of_result(sample.halves));
                let off = share * (f64::from(sample.halves) / 2.0 - expected);
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
