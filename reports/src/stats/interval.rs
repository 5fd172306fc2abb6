//! Numbers with intervals, and proportions of counts.

/// The half width of a 95 % interval, in standard deviations.
pub const Z95: f64 = 1.959_963_984_540_054;

/// The minimum number of games for a percentage; with fewer, counts are shown.
pub const SMALL_SAMPLE: u64 = 30;

/// A number with its 95 % interval. All three are finite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The point estimate.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Estimate {
    /// Creates an estimate with a normal error.
    pub fn normal(value: f64, error: f64) -> Estimate {
        Estimate { value, low: value - Z95 * error, high: value + Z95 * error }
    }

    /// Creates an estimate of a nonnegative quantity whose logarithm has a nearly normal error, such as the
    /// mean of lengths. Its interval stays above 0 and is longer at the upper side.
    ///
    /// `error` is the standard error of the value itself; for the value 0 the interval is that of
    /// [`Estimate::normal`].
    pub fn positive(value: f64, error: f64) -> Estimate {
        if value <= 0.0 {
            return Estimate::normal(value, error);
        }
        let factor = (Z95 * error / value).exp();
        Estimate { value, low: value / factor, high: value * factor }
    }

    /// Converts the estimate to another scale; `scale` must be increasing.
    pub fn map(self, scale: impl Fn(f64) -> f64) -> Estimate {
        Estimate { value: scale(self.value), low: scale(self.low), high: scale(self.high) }
    }

    /// Returns whether the interval contains a number.
    pub fn holds(&self, number: f64) -> bool {
        self.low <= number && number <= self.high
    }

    /// Returns the width of the interval.
    pub fn width(&self) -> f64 {
        self.high - self.low
    }

    /// Returns whether all three numbers are finite and in order.
    pub fn is_sound(&self) -> bool {
        self.low.is_finite() && self.high.is_finite() && self.low <= self.value && self.value <= self.high
    }
}

/// A proportion of a count, with Wilson's interval.
///
/// Unlike the textbook (Wald) interval it stays between 0 and 1 and is accurate for small numbers.
///
/// # Examples
///
/// ```
/// use tafl_reports::stats::Rate;
///
/// let wins = Rate::of(8, 10).unwrap().proportion;
/// assert_eq!((wins.value, (wins.low * 1000.0).round(), (wins.high * 1000.0).round()), (0.8, 490.0, 943.0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    /// The number of hits.
    pub hits: u64,
    /// The total.
    pub n: u64,
    /// Their proportion, from 0 to 1.
    pub proportion: Estimate,
    /// The factor by which the variance exceeds that of independent games; at least 1.
    pub design_effect: f64,
}

impl Rate {
    /// Returns the proportion of `hits` among `n`; `None` if `n` is 0. `hits` is limited to `n`.
    pub fn of(hits: u64, n: u64) -> Option<Rate> {
        let hits = hits.min(n);
        (n > 0).then(|| Rate { hits, n, proportion: wilson(hits, n), design_effect: 1.0 })
    }

    /// Returns the proportion with an interval for games that share players: Wilson's for the number of games divided
    /// by a [design effect](super::SharedPlayers).
    #[must_use]
    pub fn with_design_effect(self, effect: f64) -> Rate {
        let design_effect = effect.max(1.0);
        let proportion = wilson_of(self.proportion.value, self.n as f64 / design_effect);
        Rate { proportion, design_effect, ..self }
    }

    /// Returns whether the sample is so small that the proportion needs a warning.
    pub fn is_small_sample(&self) -> bool {
        self.n < SMALL_SAMPLE
    }
}

/// Returns the proportion of `hits` among `n`, which must not be 0, with Wilson's interval.
fn wilson(hits: u64, n: u64) -> Estimate {
    wilson_of(hits as f64 / n as f64, n as f64)
}

/// Returns a proportion with Wilson's interval; the sample size need not be an integer.
pub(crate) fn wilson_of(value: f64, count: f64) -> Estimate {
    let square = Z95 * Z95 / count;
    let middle = (value + square / 2.0) / (1.0 + square);
    let reach = Z95 / (1.0 + square) * (value * (1.0 - value) / count + square / (4.0 * count)).sqrt();
    let low = if value <= 0.0 { 0.0 } else { (middle - reach).max(0.0) };
    let high = if value >= 1.0 { 1.0 } else { (middle + reach).min(1.0) };
    Estimate { value, low, high }
}

/// Returns Newcombe's interval for the difference of two proportions, the first minus the second (his method 10:
/// the squares of the distances to the ends of Wilson's intervals are added).
pub fn difference_of_rates(first: &Rate, second: &Rate) -> Estimate {
    difference_of_estimates(first.proportion, second.proportion)
}

/// Returns the difference of two independent estimates, the first minus the second. The distances from the
/// values to the ends of their intervals are added in squares.
pub fn difference_of_estimates(one: Estimate, two: Estimate) -> Estimate {
    let value = one.value - two.value;
    Estimate {
        value,
        low: value - (one.value - one.low).hypot(two.high - two.value),
        high: value + (one.high - one.value).hypot(two.value - two.low),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_match_published_values() {
        // Newcombe (1998), table II, method 10: examples (a), (b), (c), (e).
        let known = [
            ((56, 70), (48, 80), 0.0524, 0.3339),
            ((9, 10), (3, 10), 0.1705, 0.8090),
            ((6, 7), (2, 7), 0.0582, 0.8062),
            ((0, 10), (0, 20), -0.1611, 0.2775),
        ];
        for ((a, m), (b, n), low, high) in known {
            let found = difference_of_rates(&Rate::of(a, m).unwrap(), &Rate::of(b, n).unwrap());
            assert!((found.low - low).abs() < 6e-5 && (found.high - high).abs() < 6e-5, "{found:?}");
        }
    }

    #[test]
    fn intervals_match_published_values() {
        // Newcombe (1998), table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
        let known = [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0000, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ];
        for (hits, n, low, high) in known {
            let proportion = wilson(hits, n);
            assert!(
                (proportion.low - low).abs() < 5e-5 && (proportion.high - high).abs() < 5e-5,
                "{proportion:?}"
            );
        }
    }

    #[test]
    fn intervals_contain_the_proportion_and_narrow() {
        for n in 1..60 {
            for hits in 0..=n {
                let proportion = wilson(hits, n);
                assert!(0.0 <= proportion.low && proportion.low <= proportion.value, "{proportion:?}");
                assert!(proportion.value <= proportion.high && proportion.high <= 1.0, "{proportion:?}");
                assert!(wilson(hits * 4, n * 4).width() < proportion.width());
            }
        }
    }

    #[test]
    fn an_empty_sample_has_no_proportion() {
        assert_eq!(Rate::of(0, 0), None);
        assert!(Rate::of(29, 29).unwrap().is_small_sample() && !Rate::of(29, 30).unwrap().is_small_sample());
        assert_eq!(Rate::of(7, 5).unwrap().hits, 5);
    }
}
