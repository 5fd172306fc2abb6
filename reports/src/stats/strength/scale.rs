//! Scales of strength.

/// Converts log odds to a difference in Elo.
pub fn elo(x: f64) -> f64 {
    x * 400.0 / std::f64::consts::LN_10
}

/// Returns the expected score for log odds without draws.
pub fn expectation(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Returns the expected score for log odds and a draw weight.
pub fn expected_score(x: f64, draw_weight: f64) -> f64 {
    let [win, draw, _] = wdl_probabilities(x, draw_weight);
    win + draw / 2.0
}

/// Returns the probabilities of a win, a draw, and a loss.
pub(in crate::stats) fn wdl_probabilities(x: f64, draw_weight: f64) -> [f64; 3] {
    wdl_probabilities_and_sum(x, draw_weight).0
}

/// Returns the probabilities of a win, a draw, and a loss, and the sum of their weights.
pub(super) fn wdl_probabilities_and_sum(x: f64, draw_weight: f64) -> ([f64; 3], f64) {
    let win = (x / 2.0).exp();
    let loss = 1.0 / win;
    let all = win + loss + draw_weight;
    // A product is faster than a quotient.
    let scale = 1.0 / all;
    ([win * scale, draw_weight * scale, loss * scale], all)
}

/// A sum of logarithms, most of which are computed at once as the logarithm of a product.
pub(super) struct LogSum {
    sum: f64,
    product: f64,
}

impl LogSum {
    /// The empty sum.
    pub(super) const ZERO: LogSum = LogSum { sum: 0.0, product: 1.0 };

    /// The largest factor of a product, so that it stays finite.
    const MAX_FACTOR: f64 = 1e100;

    /// Adds the logarithm of a number of at least 1, several times.
    #[inline]
    pub(super) fn add(&mut self, times: f64, number: f64) {
        if times != 1.0 || number > LogSum::MAX_FACTOR {
            self.sum += times * number.ln();
            return;
        }
        self.product *= number;
        if self.product > LogSum::MAX_FACTOR {
            self.sum += std::mem::replace(&mut self.product, 1.0).ln();
        }
    }

    /// Returns the sum.
    pub(super) fn value(&self) -> f64 {
        self.sum + self.product.ln()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_of_logarithms_is_that_of_each() {
        let numbers = (0..2000).map(|at| (1.0 + f64::from(at % 3), (f64::from(at) / 3.0).exp() + 1.0));
        let mut sum = LogSum::ZERO;
        numbers.clone().for_each(|(times, number)| sum.add(times, number));
        let each: f64 = numbers.map(|(times, number)| times * number.ln()).sum();
        assert!((sum.value() / each - 1.0).abs() < 1e-12, "{} {each}", sum.value());
    }
}
