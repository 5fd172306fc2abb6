//! Statistics of matches: Elo differences and the sequential probability ratio test.
//!
//! The games of a pair are not independent, because the opening may favor a side. Therefore pairs
//! are counted by their results, from 0 to 4 half points. The test is the generalized sequential
//! probability ratio test for the mean of a distribution (chessprogramming.org, "Sequential
//! Probability Ratio Test"): it compares the maximum likelihoods of the results under both
//! hypotheses about the mean.

use super::pair::PairScore;
use crate::normal::student_quantile;

/// The number of pairs with 0 to 4 half points for the first player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pentanomial(pub [u64; 5]);

/// An Elo difference with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EloInterval {
    /// The estimate; infinite if one side scored all points.
    pub elo: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Pentanomial {
    /// The score of a pair by its half points, from 0 to 1.
    const POINTS: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

    /// Counts a pair; ignores unfinished pairs.
    pub fn add(&mut self, score: PairScore) {
        match score {
            PairScore::HalfPoints(sum) => self.0[usize::from(sum.min(4))] += 1,
            PairScore::Unfinished => {}
        }
    }

    /// Returns the number of pairs.
    pub fn n_pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Returns the score of the first player from 0 to 1, or `None` without pairs.
    pub fn mean(&self) -> Option<f64> {
        let n = self.n_pairs();
        let sum: f64 = self.0.iter().zip(Self::POINTS).map(|(n, points)| *n as f64 * points).sum();
        (n > 0).then(|| sum / n as f64)
    }

    /// Returns the variance of the score of a pair, or `None` without pairs.
    pub fn variance(&self) -> Option<f64> {
        let mean = self.mean()?;
        let square = |(n, points): (&u64, f64)| *n as f64 * (points - mean).powi(2);
        Some(self.0.iter().zip(Self::POINTS).map(square).sum::<f64>() / self.n_pairs() as f64)
    }

    /// Returns the Elo difference between the players, or `None` without pairs.
    ///
    /// The estimate is that of the score. The interval is that of the mean of pairs by Student's distribution, after half a
    /// pair of each extreme result is added, because the variance of few or lopsided pairs would often be too small, or
    /// zero. Both assume that the number of pairs does not depend on the results. If a sequential test stopped the match, the
    /// estimate is biased away from 0, and the interval is too narrow.
    pub fn elo(&self) -> Option<EloInterval> {
        let mean = self.mean()?;
        let n = self.n_pairs() as f64;
        let mut counts = self.0.map(|n| n as f64);
        counts[0] += 0.5;
        counts[4] += 0.5;
        let sum = |of: &dyn Fn(f64) -> f64| -> f64 {
            counts.iter().zip(Self::POINTS).map(|(count, points)| count * of(points)).sum()
        };
        let center = sum(&|points| points) / (n + 1.0);
        // The divisor of the variance is one less than the number of pairs, which is now `n + 1`.
        let variance = sum(&|points| (points - center).powi(2)) / n;
        let half = student_quantile(n) * (variance / (n + 1.0)).sqrt();
        Some(EloInterval {
            elo: elo_of(mean),
            low: elo_of((center - half).min(mean)),
            high: elo_of((center + half).max(mean)),
        })
    }
}

/// Returns the Elo difference of a score; infinite for 0 and 1.
fn elo_of(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        -400.0 * (1.0 / score - 1.0).log10()
    }
}

/// Returns the score that corresponds to an Elo difference.
fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The state of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SprtVerdict {
    /// The first player is not better than `elo0` (H0).
    AcceptZero,
    /// The first player is at least `elo1` better (H1).
    AcceptOne,
    /// More pairs are needed.
    GoOn,
}

impl SprtVerdict {
    /// Returns the phrase of the JSON interface.
    pub const fn as_str(self) -> &'static str {
        match self {
            SprtVerdict::AcceptZero => "H0 accepted",
            SprtVerdict::AcceptOne => "H1 accepted",
            SprtVerdict::GoOn => "open",
        }
    }
}

/// The reason why numbers do not define a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SprtError {
    /// The hypotheses are equal or in the wrong order.
    #[error("elo0 must be less than elo1, and both between -1000 and 1000")]
    Hypotheses,
    /// The error rates are out of range.
    #[error("alpha and beta must be between 0 and 0.5")]
    ErrorRates,
}

/// A sequential test of two hypotheses about the Elo difference, defined before the first game.
///
/// # Examples
///
/// ```
/// use tafl_analyzer::{Pentanomial, Sprt, SprtVerdict};
///
/// let sprt = Sprt::new((0.0, 10.0), (0.05, 0.05))?;
/// // The numbers of pairs with 0 to 4 half points for the new engine.
/// assert_eq!(sprt.verdict(&Pentanomial([5, 20, 50, 20, 5])), SprtVerdict::GoOn);
/// assert_eq!(sprt.verdict(&Pentanomial([50, 200, 500, 300, 200])), SprtVerdict::AcceptOne);
/// # Ok::<(), tafl_analyzer::SprtError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

impl Sprt {
    /// Creates a test of `elo0` against `elo1`, where `alpha` is the probability of accepting the
    /// second hypothesis when the first is true, and `beta` the reverse.
    ///
    /// # Errors
    ///
    /// Returns an error if the numbers do not define a test.
    pub fn new((elo0, elo1): (f64, f64), (alpha, beta): (f64, f64)) -> Result<Sprt, SprtError> {
        let is_elo = |elo: f64| elo.abs() <= 1000.0;
        if !(is_elo(elo0) && is_elo(elo1) && elo0 < elo1) {
            return Err(SprtError::Hypotheses);
        }
        let is_error = |error: f64| error > 0.0 && error < 0.5;
        if !(is_error(alpha) && is_error(beta)) {
            return Err(SprtError::ErrorRates);
        }
        Ok(Sprt { elo0, elo1, alpha, beta })
    }

    /// Returns both hypotheses, in Elo.
    pub const fn hypotheses(&self) -> (f64, f64) {
        (self.elo0, self.elo1)
    }

    /// Returns the log-likelihood ratios at which the test ends: at or below the first, at or above
    /// the second.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// Returns the logarithm of the likelihood ratio of `elo1` to `elo0`.
    pub fn llr(&self, pairs: &Pentanomial) -> f64 {
        if pairs.n_pairs() == 0 {
            return 0.0;
        }
        // Results that have not occurred yet are improbable, not impossible.
        let counts = pairs.0.map(|n| (n as f64).max(1e-3));
        let total: f64 = counts.iter().sum();
        let tilts = [self.elo0, self.elo1].map(|elo| {
            let score = expected_score(elo);
            (score, tilt(&counts.map(|n| n / total), score))
        });
        let log = |points: f64, (score, tilt): (f64, f64)| (1.0 + tilt * (points - score)).ln();
        let terms = counts.iter().zip(Pentanomial::POINTS);
        terms.map(|(n, points)| n * (log(points, tilts[0]) - log(points, tilts[1]))).sum()
    }

    /// Returns the state of the test.
    pub fn verdict(&self, pairs: &Pentanomial) -> SprtVerdict {
        let (low, high) = self.bounds();
        match self.llr(pairs) {
            llr if llr <= low => SprtVerdict::AcceptZero,
            llr if llr >= high => SprtVerdict::AcceptOne,
            _ => SprtVerdict::GoOn,
        }
    }
}

/// Returns the number `t` for which `p / (1 + t (points - score))` is the most probable
/// distribution with mean `score`.
fn tilt(found: &[f64; 5], score: f64) -> f64 {
    // Between these limits, all probabilities are positive, and the sum decreases from plus to
    // minus infinity, so bisection finds its root.
    let (mut low, mut high) = (-1.0 / (1.0 - score), 1.0 / score);
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        let excess: f64 = found
            .iter()
            .zip(Pentanomial::POINTS)
            .map(|(p, points)| p * (points - score) / (1.0 + middle * (points - score)))
            .sum();
        if excess > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use tafl_rules::Rng;

    use super::*;

    #[test]
    fn elo_of_scores() {
        // 400 log10(3) and similar values follow from the definition of the scale.
        assert!((elo_of(0.75) - 190.848_5).abs() < 1e-3);
        assert!((expected_score(-100.0) - 0.359_935).abs() < 1e-6);
        assert_eq!(elo_of(0.5), 0.0);
        assert_eq!(elo_of(1.0), f64::INFINITY);
    }

    #[test]
    fn bounds_equal_walds() {
        let (low, high) = Sprt::new((0.0, 5.0), (0.05, 0.05)).unwrap().bounds();
        assert!((high - 2.944_439).abs() < 1e-6 && (low + 2.944_439).abs() < 1e-6);
    }

    #[test]
    fn decisive_pairs_follow_the_binomial_formula() {
        let sprt = Sprt::new((0.0, 50.0), (0.05, 0.05)).unwrap();
        let (won, lost) = (60.0_f64, 40.0_f64);
        let (p0, p1) = (0.5_f64, expected_score(50.0));
        let exact = won * (p1 / p0).ln() + lost * ((1.0 - p1) / (1.0 - p0)).ln();
        let found = sprt.llr(&Pentanomial([40, 0, 0, 0, 60]));
        assert!((found - exact).abs() < 0.01, "{found} {exact}");
    }

    #[test]
    fn near_even_scores_it_equals_the_normal_approximation() {
        let pairs = Pentanomial([60, 240, 420, 270, 70]);
        let sprt = Sprt::new((0.0, 5.0), (0.05, 0.05)).unwrap();
        let (s0, s1) = (0.5, expected_score(5.0));
        let (mean, variance) = (pairs.mean().unwrap(), pairs.variance().unwrap());
        let n = pairs.n_pairs() as f64;
        let normal = n * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
        assert!((sprt.llr(&pairs) - normal).abs() < 0.02 * normal.abs().max(1.0), "{normal}");
    }

    #[test]
    fn the_test_is_symmetric() {
        let sprt = Sprt::new((-10.0, 10.0), (0.05, 0.05)).unwrap();
        let found = sprt.llr(&Pentanomial([1, 7, 20, 9, 3]));
        let mirrored = sprt.llr(&Pentanomial([3, 9, 20, 7, 1]));
        assert!(found > 0.0 && (found + mirrored).abs() < 1e-9);
        assert_eq!(sprt.verdict(&Pentanomial([0, 0, 5, 20, 80])), SprtVerdict::AcceptOne);
        assert_eq!(sprt.verdict(&Pentanomial([80, 20, 5, 0, 0])), SprtVerdict::AcceptZero);
        assert_eq!(sprt.verdict(&Pentanomial::default()), SprtVerdict::GoOn);
    }

    #[test]
    fn intervals_contain_the_estimate_and_shrink() {
        let few = Pentanomial([2, 3, 10, 4, 3]).elo().unwrap();
        let many = Pentanomial([20, 30, 100, 40, 30]).elo().unwrap();
        assert!((few.elo - many.elo).abs() < 1e-9);
        assert!(few.low < many.low && many.low < many.elo && many.elo < many.high && many.high < few.high);
        let all = Pentanomial([0, 0, 0, 0, 10]).elo().unwrap();
        assert!(all.elo == f64::INFINITY && all.low.is_finite() && all.low > 100.0, "{all:?}");
        assert_eq!(Pentanomial::default().elo(), None);
    }

    /// Returns the proportion of simulated matches whose interval contains the true score.
    fn coverage(probabilities: [f64; 5], n_pairs: u64, rng: &mut Rng) -> f64 {
        const MATCHES: u32 = 2000;
        let score: f64 = probabilities.iter().zip(Pentanomial::POINTS).map(|(p, points)| p * points).sum();
        let covers = |_: &u32| {
            let mut pairs = Pentanomial::default();
            for _ in 0..n_pairs {
                let mut left = rng.unit();
                let at = probabilities.iter().position(|p| {
                    left -= p;
                    left < 0.0
                });
                pairs.0[at.unwrap_or(4)] += 1;
            }
            pairs.elo().is_some_and(|found| found.low <= elo_of(score) && elo_of(score) <= found.high)
        };
        (0..MATCHES).filter(covers).count() as f64 / f64::from(MATCHES)
    }

    #[test]
    fn intervals_contain_the_truth_as_often_as_they_say() {
        let mut rng = Rng::new(1);
        let equal = [[0.1, 0.2, 0.4, 0.2, 0.1], [0.25, 0.0, 0.5, 0.0, 0.25], [0.02, 0.03, 0.9, 0.03, 0.02]];
        let unequal =
            [[0.02, 0.08, 0.2, 0.28, 0.42], [0.0, 0.02, 0.05, 0.24, 0.69], [0.02, 0.0, 0.06, 0.0, 0.92]];
        for probabilities in equal.into_iter().chain(unequal) {
            for n_pairs in [4, 10, 50] {
                let found = coverage(probabilities, n_pairs, &mut rng);
                assert!(found >= 0.92, "{probabilities:?}, {n_pairs} pairs: {found}");
            }
        }
    }

    #[test]
    fn invalid_tests_are_rejected() {
        assert_eq!(Sprt::new((5.0, 5.0), (0.05, 0.05)), Err(SprtError::Hypotheses));
        assert_eq!(Sprt::new((0.0, f64::NAN), (0.05, 0.05)), Err(SprtError::Hypotheses));
        assert_eq!(Sprt::new((0.0, 5.0), (0.0, 0.05)), Err(SprtError::ErrorRates));
    }
}
