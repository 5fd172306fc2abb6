//! Sequential tests that may stop early, and confidence intervals valid at all times.

use super::interval::Estimate;
use super::score::WdlCounts;

/// The error rates of a test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ErrorRates {
    /// The probability of accepting the alternative although the null hypothesis is true.
    pub alpha: f64,
    /// The probability of accepting the null hypothesis although the alternative is true.
    pub beta: f64,
}

impl Default for ErrorRates {
    fn default() -> ErrorRates {
        ErrorRates { alpha: 0.05, beta: 0.05 }
    }
}

/// The state of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestDecision {
    /// More games are needed.
    GoOn,
    /// The null hypothesis is accepted.
    Null,
    /// The alternative is accepted.
    Alternative,
}

/// The running mean and variance of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Moments {
    n: u64,
    mean: f64,
    squares: f64,
}

impl Moments {
    /// Adds a number.
    pub fn push(&mut self, number: f64) {
        self.n += 1;
        let step = number - self.mean;
        self.mean += step / self.n as f64;
        self.squares += step * (number - self.mean);
    }

    /// Returns the number of numbers.
    pub fn n(&self) -> u64 {
        self.n
    }

    /// Returns the mean; 0 without numbers.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// Returns the variance; 0 for fewer than two numbers.
    pub fn variance(&self) -> f64 {
        if self.n < 2 { 0.0 } else { self.squares / (self.n - 1) as f64 }
    }
}

/// Returns the mean score of a side with an interval that is valid simultaneously at all times with a probability of
/// 95 %, for samples of any size: the means that a beta mixture of bets does not reject. `None` without games.
///
/// For scores between 0 and 1, the mixture of likelihood ratios is a supermartingale, because the ratio of a score is
/// a convex function of it (Waudby-Smith and Ramdas 2024). It stays within 0 and 1, and has no width of zero.
pub fn always_score(counts: &WdlCounts) -> Option<Estimate> {
    let value = counts.mean()?;
    let is_held = |mean: f64| always_p(counts, mean).is_some_and(|p| p > 0.05);
    let end = |outer: f64| {
        if is_held(outer) {
            return outer;
        }
        let (mut out, mut held) = (outer, value);
        for _ in 0..60 {
            let middle = (out + held) / 2.0;
            if is_held(middle) { held = middle } else { out = middle }
        }
        held
    };
    Some(Estimate { value, low: end(0.0), high: end(1.0) })
}

/// Returns a p-value of a mean score, which is valid for samples of any size and consistent with [`always_score`]: the reciprocal of
/// the mixture of likelihood ratios.
pub fn always_p(counts: &WdlCounts, mean: f64) -> Option<f64> {
    let n = counts.n() as f64;
    let value = counts.mean()?;
    let (hits, misses) = (value * n, n - value * n);
    let of = |count: f64, chance: f64| if count > 0.0 { count * chance.ln() } else { 0.0 };
    // The prior weights one half are those of Jeffreys.
    let mixture = ln_beta(hits + 0.5, misses + 0.5) - ln_beta(0.5, 0.5);
    Some((of(hits, mean) + of(misses, 1.0 - mean) - mixture).exp().min(1.0))
}

fn ln_beta(a: f64, b: f64) -> f64 {
    ln_gamma(a) + ln_gamma(b) - ln_gamma(a + b)
}

/// Returns the logarithm of the gamma function of a positive number (Stirling's series after a shift).
fn ln_gamma(mut x: f64) -> f64 {
    let mut shift = 0.0;
    while x < 10.0 {
        shift += x.ln();
        x += 1.0;
    }
    let series = (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / (1260.0 * x * x)) / (x * x)) / x;
    (x - 0.5) * x.ln() - x + std::f64::consts::TAU.ln() / 2.0 + series - shift
}

/// Wald's sequential test of a mean: `null` against `alternative`, with the observed variance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeanTest {
    /// The mean under the null hypothesis.
    pub null: f64,
    /// The mean under the alternative.
    pub alternative: f64,
    /// The error rates.
    pub errors: ErrorRates,
    /// No decision is made on a smaller sample.
    pub min_n: u64,
    /// The factor by which the variance of the mean exceeds that of independent numbers.
    pub design_effect: f64,
    seen: Moments,
    decided: Option<TestDecision>,
}

impl MeanTest {
    /// Creates a test without data.
    pub fn new(null: f64, alternative: f64, errors: ErrorRates) -> MeanTest {
        let seen = Moments::default();
        MeanTest { null, alternative, errors, min_n: 20, design_effect: 1.0, seen, decided: None }
    }

    /// Returns the test for numbers that are not independent; a factor below 1 counts as 1.
    #[must_use]
    pub fn with_design_effect(self, design_effect: f64) -> MeanTest {
        MeanTest { design_effect: design_effect.max(1.0), ..self }
    }

    /// Adds a number and returns the decision. A decision is final.
    pub fn push(&mut self, number: f64) -> TestDecision {
        self.seen.push(number);
        let decision = self.now();
        if decision != TestDecision::GoOn {
            self.decided = Some(decision);
        }
        decision
    }

    /// Returns the log-likelihood ratio of the alternative and the null hypothesis.
    pub fn log_ratio(&self) -> f64 {
        // One number more on either side: equal numbers must not give a variance of zero.
        let gap = self.alternative - self.null;
        let n = self.seen.n() as f64;
        let variance = (self.seen.variance() * n + gap * gap) / (n + 1.0);
        if gap == 0.0 || n == 0.0 {
            return 0.0;
        }
        n * gap / (variance * self.design_effect) * (self.seen.mean() - (self.alternative + self.null) / 2.0)
    }

    /// Returns the bounds of the log-likelihood ratio between which the test continues.
    pub fn bounds(&self) -> (f64, f64) {
        let ErrorRates { alpha, beta } = self.errors;
        ((beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln())
    }

    /// Returns the decision so far.
    pub fn now(&self) -> TestDecision {
        if let Some(decided) = self.decided {
            return decided;
        }
        let ((low, high), ratio) = (self.bounds(), self.log_ratio());
        if self.seen.n() < self.min_n || (low < ratio && ratio < high) {
            TestDecision::GoOn
        } else if ratio >= high {
            TestDecision::Alternative
        } else {
            TestDecision::Null
        }
    }
}

#[cfg(test)]
mod tests {
    use tafl_rules::Rng;

    use super::*;

    fn game(rng: &mut Rng, mean: f64) -> f64 {
        // A tenth of the games is drawn.
        let roll = rng.unit();
        if roll < 0.1 { 0.5 } else { f64::from(roll < 0.1 + 0.9 * ((mean - 0.05) / 0.9)) }
    }

    #[test]
    fn a_design_effect_divides_the_log_likelihood_ratio() {
        let mut plain = MeanTest::new(0.5, 0.6, ErrorRates::default());
        let mut shared = plain.with_design_effect(4.0);
        for at in 0..40 {
            let score = f64::from(u8::from(at % 3 > 0));
            plain.push(score);
            shared.push(score);
        }
        assert!((plain.log_ratio() / shared.log_ratio() - 4.0).abs() < 1e-9);
    }

    #[test]
    fn errors_are_within_the_nominal_rates() {
        let mut rng = Rng::new(11);
        for (mean, wrong) in [(0.50, TestDecision::Alternative), (0.55, TestDecision::Null)] {
            let rounds = 600;
            let mut mistakes = 0;
            for _ in 0..rounds {
                let mut test = MeanTest::new(0.50, 0.55, ErrorRates::default());
                while test.now() == TestDecision::GoOn {
                    test.push(game(&mut rng, mean));
                }
                mistakes += usize::from(test.now() == wrong);
            }
            assert!(mistakes as f64 / f64::from(rounds) < 0.07, "{mistakes} of {rounds}");
        }
    }

    #[test]
    fn always_valid_scores_have_a_width_and_stay_between_0_and_1() {
        assert!((ln_gamma(0.5) - std::f64::consts::PI.sqrt().ln()).abs() < 1e-9);
        assert!((ln_gamma(11.0) - 3_628_800f64.ln()).abs() < 1e-9);
        let lost = always_score(&WdlCounts { wins: 0, draws: 0, losses: 60 }).unwrap();
        assert_eq!((lost.value, lost.low), (0.0, 0.0));
        // B(0.5, 60.5) / B(0.5, 0.5) is the product of (k - 1/2) / k for k from 1 to 60.
        let ratio: f64 = (1..=60).map(|k| (f64::from(k) - 0.5) / f64::from(k)).product();
        assert!((lost.high - (1.0 - (ratio / 20.0).powf(1.0 / 60.0))).abs() < 1e-9, "{lost:?}");
        let won = always_score(&WdlCounts { wins: 60, draws: 0, losses: 0 }).unwrap();
        assert!((won.low - (1.0 - lost.high)).abs() < 1e-9 && won.high == 1.0);
        let drawn = always_score(&WdlCounts { wins: 0, draws: 60, losses: 0 }).unwrap();
        assert!(drawn.holds(0.5) && drawn.low > 0.2 && drawn.high < 0.8);
        assert_eq!(always_score(&WdlCounts::default()), None);
    }

    #[test]
    fn always_valid_scores_contain_the_mean_at_all_times() {
        let mut rng = Rng::new(13);
        for mean in [0.06, 0.5] {
            let mut left = 0;
            for _ in 0..300 {
                let (mut counts, mut is_out) = (WdlCounts::default(), false);
                for _ in 0..300 {
                    let score = game(&mut rng, mean);
                    counts.wins += u64::from(score == 1.0);
                    counts.draws += u64::from(score == 0.5);
                    counts.losses += u64::from(score == 0.0);
                    is_out |= !always_score(&counts).unwrap().holds(mean);
                }
                left += u32::from(is_out);
            }
            assert!(left <= 20, "{mean}: {left} of 300");
        }
    }

    #[test]
    fn equal_numbers_are_accepted() {
        let mut test = MeanTest::new(0.5, 0.6, ErrorRates::default());
        assert_eq!((test.now(), test.log_ratio()), (TestDecision::GoOn, 0.0));
        for _ in 0..50 {
            test.push(0.5);
        }
        assert!(test.log_ratio().is_finite());
        assert_eq!(test.now(), TestDecision::Null);
    }
}
