//! What the results of pairs are worth: differences in Elo, and a sequential test.
//!
//! Games of a pair are not independent of each other, for the opening may favor a side, so pairs are counted, not games:
//! five kinds, by half points of the first player. The test is the generalized sequential probability ratio test of
//! hypotheses about the mean of a distribution (chessprogramming.org, "Sequential Probability Ratio Test"): for each
//! hypothesis the most probable distribution with that mean is found, and the ratio of both likelihoods is watched.

use super::pair::PairScore;

/// How many pairs there were with each number of half points for the first player, from none to four.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pentanomial(pub [u64; 5]);

/// A difference in Elo with its interval of 95 %.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EloInterval {
    /// The estimate; infinite where one side made all points.
    pub elo: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Pentanomial {
    /// Points of a pair, each game counted half: from 0 to 1.
    const POINTS: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

    /// Counts a pair; one without a result changes nothing.
    pub fn add(&mut self, score: PairScore) {
        match score {
            PairScore::HalfPoints(sum) => self.0[usize::from(sum.min(4))] += 1,
            PairScore::Unfinished => {}
        }
    }

    /// Returns how many pairs were counted.
    pub fn n_pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Returns the share of points of the first player, or nothing without a pair.
    pub fn mean(&self) -> Option<f64> {
        let n = self.n_pairs();
        let sum: f64 = self.0.iter().zip(Self::POINTS).map(|(n, points)| *n as f64 * points).sum();
        (n > 0).then(|| sum / n as f64)
    }

    /// Returns the variance of the points of one pair, or nothing without a pair.
    pub fn variance(&self) -> Option<f64> {
        let mean = self.mean()?;
        let square = |(n, points): (&u64, f64)| *n as f64 * (points - mean).powi(2);
        Some(self.0.iter().zip(Self::POINTS).map(square).sum::<f64>() / self.n_pairs() as f64)
    }

    /// Returns the difference in Elo between the players, or nothing without a pair.
    ///
    /// The interval is that of the normal distribution around the mean of pairs. Pairs that all went the same way have
    /// no variance of their own; half a pair of either kind is added for the interval then.
    pub fn elo(&self) -> Option<EloInterval> {
        let mean = self.mean()?;
        let n = self.n_pairs() as f64;
        let mut variance = self.variance()?;
        let mut center = mean;
        if variance == 0.0 {
            center = (mean * n + 0.5) / (n + 1.0);
            variance = (n * (mean - center).powi(2) + 0.5 * center.powi(2) + 0.5 * (1.0 - center).powi(2))
                / (n + 1.0);
        }
        let half = 1.959_964 * (variance / n).sqrt();
        Some(EloInterval {
            elo: elo_of(mean),
            low: elo_of((center - half).min(mean)),
            high: elo_of((center + half).max(mean)),
        })
    }
}

/// Returns the difference in Elo that a share of points stands for; infinite for all and none.
fn elo_of(share: f64) -> f64 {
    if share <= 0.0 {
        f64::NEG_INFINITY
    } else if share >= 1.0 {
        f64::INFINITY
    } else {
        -400.0 * (1.0 / share - 1.0).log10()
    }
}

fn share_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// What a test found so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SprtVerdict {
    /// The first player is not better than `elo0`.
    AcceptZero,
    /// The first player is at least `elo1` better.
    AcceptOne,
    /// More pairs are needed.
    GoOn,
}

impl SprtVerdict {
    /// Returns the words of the JSON interface.
    pub const fn words(self) -> &'static str {
        match self {
            SprtVerdict::AcceptZero => "H0 accepted",
            SprtVerdict::AcceptOne => "H1 accepted",
            SprtVerdict::GoOn => "open",
        }
    }
}

/// Numbers that make no test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SprtError {
    /// The hypotheses are the same or in the wrong order.
    #[error("elo0 must be less than elo1, and both between -1000 and 1000")]
    Hypotheses,
    /// No test has such errors.
    #[error("alpha and beta must lie between 0 and 0.5")]
    Errors,
}

/// A sequential test of two hypotheses about the difference in Elo, declared before the first game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

impl Sprt {
    /// Returns a test of `elo0` against `elo1`, with the probabilities `alpha` to accept the second where the first is
    /// true, and `beta` the other way round.
    ///
    /// # Errors
    ///
    /// Returns why the numbers make no test.
    pub fn new((elo0, elo1): (f64, f64), (alpha, beta): (f64, f64)) -> Result<Sprt, SprtError> {
        let is_elo = |elo: f64| elo.abs() <= 1000.0;
        if !(is_elo(elo0) && is_elo(elo1) && elo0 < elo1) {
            return Err(SprtError::Hypotheses);
        }
        let is_error = |error: f64| error > 0.0 && error < 0.5;
        if !(is_error(alpha) && is_error(beta)) {
            return Err(SprtError::Errors);
        }
        Ok(Sprt { elo0, elo1, alpha, beta })
    }

    /// Returns both hypotheses, in Elo.
    pub const fn hypotheses(&self) -> (f64, f64) {
        (self.elo0, self.elo1)
    }

    /// Returns the logarithms at which the test ends: below the first, above the second.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// Returns the logarithm of the likelihood ratio: how much better `elo1` explains the pairs than `elo0`.
    pub fn llr(&self, pairs: &Pentanomial) -> f64 {
        if pairs.n_pairs() == 0 {
            return 0.0;
        }
        // A kind of pair that has not come up yet is improbable, not impossible.
        let counts = pairs.0.map(|n| (n as f64).max(1e-3));
        let total: f64 = counts.iter().sum();
        let tilts = [self.elo0, self.elo1].map(|elo| {
            let share = share_of(elo);
            (share, tilt(&counts.map(|n| n / total), share))
        });
        let log = |points: f64, (share, tilt): (f64, f64)| (1.0 + tilt * (points - share)).ln();
        let terms = counts.iter().zip(Pentanomial::POINTS);
        terms.map(|(n, points)| n * (log(points, tilts[0]) - log(points, tilts[1]))).sum()
    }

    /// Returns what the pairs decide.
    pub fn verdict(&self, pairs: &Pentanomial) -> SprtVerdict {
        let (low, high) = self.bounds();
        match self.llr(pairs) {
            llr if llr <= low => SprtVerdict::AcceptZero,
            llr if llr >= high => SprtVerdict::AcceptOne,
            _ => SprtVerdict::GoOn,
        }
    }
}

/// Returns the number `t` with which `p / (1 + t (points - share))` is the most probable distribution of that mean.
fn tilt(found: &[f64; 5], share: f64) -> f64 {
    // Between these limits every probability is positive, and the sum falls from plus to minus infinity.
    let (mut low, mut high) = (-1.0 / (1.0 - share), 1.0 / share);
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        let excess: f64 = found
            .iter()
            .zip(Pentanomial::POINTS)
            .map(|(p, points)| p * (points - share) / (1.0 + middle * (points - share)))
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
    use super::*;

    #[test]
    fn elo_of_shares() {
        // 400 log10(3) and its like, from the definition of the scale.
        assert!((elo_of(0.75) - 190.848_5).abs() < 1e-3);
        assert!((share_of(-100.0) - 0.359_935).abs() < 1e-6);
        assert_eq!(elo_of(0.5), 0.0);
        assert_eq!(elo_of(1.0), f64::INFINITY);
    }

    #[test]
    fn bounds_are_those_of_wald() {
        let (low, high) = Sprt::new((0.0, 5.0), (0.05, 0.05)).unwrap().bounds();
        assert!((high - 2.944_439).abs() < 1e-6 && (low + 2.944_439).abs() < 1e-6);
    }

    #[test]
    fn pairs_that_are_won_or_lost_follow_the_binomial_formula() {
        let sprt = Sprt::new((0.0, 50.0), (0.05, 0.05)).unwrap();
        let (won, lost) = (60.0_f64, 40.0_f64);
        let (p0, p1) = (0.5_f64, share_of(50.0));
        let exact = won * (p1 / p0).ln() + lost * ((1.0 - p1) / (1.0 - p0)).ln();
        let found = sprt.llr(&Pentanomial([40, 0, 0, 0, 60]));
        assert!((found - exact).abs() < 0.01, "{found} {exact}");
    }

    #[test]
    fn near_the_middle_it_is_the_normal_approximation() {
        let pairs = Pentanomial([60, 240, 420, 270, 70]);
        let sprt = Sprt::new((0.0, 5.0), (0.05, 0.05)).unwrap();
        let (s0, s1) = (0.5, share_of(5.0));
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
    fn intervals_hold_the_estimate_and_shrink() {
        let few = Pentanomial([2, 3, 10, 4, 3]).elo().unwrap();
        let many = Pentanomial([20, 30, 100, 40, 30]).elo().unwrap();
        assert!((few.elo - many.elo).abs() < 1e-9);
        assert!(few.low < many.low && many.low < many.elo && many.elo < many.high && many.high < few.high);
        let all = Pentanomial([0, 0, 0, 0, 10]).elo().unwrap();
        assert!(all.elo == f64::INFINITY && all.low.is_finite() && all.low > 100.0, "{all:?}");
        assert_eq!(Pentanomial::default().elo(), None);
    }

    #[test]
    fn numbers_that_make_no_test() {
        assert_eq!(Sprt::new((5.0, 5.0), (0.05, 0.05)), Err(SprtError::Hypotheses));
        assert_eq!(Sprt::new((0.0, f64::NAN), (0.05, 0.05)), Err(SprtError::Hypotheses));
        assert_eq!(Sprt::new((0.0, 5.0), (0.0, 0.05)), Err(SprtError::Errors));
    }
}
