//! Partial pooling: estimates of the same kind with a common mean.
//!
//! True values are assumed to be normally distributed around a common mean. Each estimate is shrunk toward
//! the mean, more strongly for small samples (empirical Bayes).

use super::interval::{Estimate, Z95};
use super::missing::NotEstimable;

/// An estimate with its standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeasuredValue {
    /// The estimate.
    pub value: f64,
    /// Its standard error, which is greater than 0.
    pub error: f64,
}

/// Pooled estimates.
#[derive(Debug, Clone, PartialEq)]
pub struct PooledEstimates {
    /// The common mean.
    pub mean: Estimate,
    /// The standard deviation of the true values, by restricted maximum likelihood.
    pub spread: f64,
    /// The proportion of the variance between the estimates that is not due to chance, from 0 to 1 (I squared).
    pub real: f64,
    /// The partially pooled estimates, in the order of the input.
    pub partially_pooled: Vec<Estimate>,
}

/// Pools estimates.
///
/// # Errors
///
/// Returns [`NotEstimable::TooFew`] for fewer than three estimates.
pub fn partially_pool(all: &[MeasuredValue]) -> Result<PooledEstimates, NotEstimable> {
    let is_sound = |one: &&MeasuredValue| one.value.is_finite() && one.error.is_finite() && one.error > 0.0;
    let found = all.iter().filter(is_sound).count();
    if found < 3 || found < all.len() {
        return Err(NotEstimable::TooFew { found: found as u64, needed: 3.max(all.len() as u64) });
    }
    let (by_moments, real) = moments(all);
    let variance = restricted_likelihood(all, by_moments);
    let (mean, weight) = weighted_mean(all, variance);
    let k = all.len() as f64;
    let partially_pooled = all.iter().map(|one| {
        let noise = one.error * one.error;
        // After Morris (1983): because the variance is itself estimated, the shrinkage is reduced slightly.
        // The variance is that of restricted likelihood, and the term for the uncertainty of the shrinkage
        // assumes equal errors.
        let pull = (k - 3.0).max(0.0) / (k - 1.0) * noise / (noise + variance);
        let value = mean + (1.0 - pull) * (one.value - mean);
        let own_weight = 1.0 / (noise + variance);
        let of_pull = 2.0 / (k - 1.0) * pull * pull * (one.value - mean).powi(2);
        let error = noise * (1.0 - pull * (1.0 - own_weight / weight)) + of_pull;
        Estimate::normal(value, error.max(0.0).sqrt())
    });
    Ok(PooledEstimates {
        mean: Estimate::normal(mean, 1.0 / weight.sqrt()),
        spread: variance.sqrt(),
        real,
        partially_pooled: partially_pooled.collect(),
    })
}

impl PooledEstimates {
    /// Returns the interval of 95 % of the true values.
    pub fn range(&self) -> Estimate {
        let error = (self.mean.high - self.mean.value) / Z95;
        Estimate::normal(self.mean.value, self.spread.hypot(error))
    }
}

/// Returns the mean weighted by precision, and the sum of the weights.
fn weighted_mean(all: &[MeasuredValue], variance: f64) -> (f64, f64) {
    let (mut sum, mut weights) = (0.0, 0.0);
    for one in all {
        let weight = 1.0 / (one.error * one.error + variance);
        sum += weight * one.value;
        weights += weight;
    }
    (sum / weights, weights)
}

/// Returns DerSimonian and Laird's variance of the true values, and the proportion of the variance that is real.
fn moments(all: &[MeasuredValue]) -> (f64, f64) {
    let (mean, weights) = weighted_mean(all, 0.0);
    let (mut excess, mut squares) = (0.0, 0.0);
    for one in all {
        let weight = 1.0 / (one.error * one.error);
        excess += weight * (one.value - mean).powi(2);
        squares += weight * weight;
    }
    let freedom = all.len() as f64 - 1.0;
    let variance = ((excess - freedom) / (weights - squares / weights)).max(0.0);
    let real = if excess > 0.0 { ((excess - freedom) / excess).max(0.0) } else { 0.0 };
    (variance, real)
}

/// Returns the variance of the true values by restricted maximum likelihood (Fisher scoring).
fn restricted_likelihood(all: &[MeasuredValue], start: f64) -> f64 {
    let mut variance = start;
    for _ in 0..200 {
        let (mean, weights) = weighted_mean(all, variance);
        let (mut score, mut squares) = (0.0, 0.0);
        for one in all {
            let weight = 1.0 / (one.error * one.error + variance);
            score += weight * weight * ((one.value - mean).powi(2) - one.error * one.error);
            squares += weight * weight;
        }
        let next = (score / squares + 1.0 / weights).max(0.0);
        let is_settled = (next - variance).abs() <= 1e-10 * (1.0 + variance);
        variance = next;
        if is_settled {
            break;
        }
    }
    variance
}

#[cfg(test)]
mod tests {
    use tafl_rules::Rng;

    use super::*;
    use crate::stats::normal::standard_normal;

    #[test]
    fn the_eight_schools_are_reproduced() {
        let effects = [28.0, 8.0, -3.0, 7.0, -1.0, 1.0, 18.0, 12.0];
        let errors = [15.0, 10.0, 16.0, 11.0, 9.0, 11.0, 10.0, 18.0];
        let all: Vec<MeasuredValue> =
            effects.iter().zip(errors).map(|(value, error)| MeasuredValue { value: *value, error }).collect();
        let found = partially_pool(&all).unwrap();
        // metafor: tau^2 = 0, mean 7.69 with a standard error of 4.07.
        assert!(found.spread < 1e-6);
        assert!((found.mean.value - 7.686).abs() < 1e-3, "{:?}", found.mean);
        assert!((found.mean.width() / (2.0 * Z95) - 4.072).abs() < 1e-2);
        assert!(partially_pool(&all[..2]).is_err() && partially_pool(&[]).is_err());
    }

    #[test]
    fn pooled_intervals_contain_the_true_values() {
        let mut rng = Rng::new(5);
        let (mut held, mut closer, mut n) = (0, 0.0, 0);
        for _ in 0..400 {
            let truth: Vec<f64> = (0..20).map(|_| 0.2 + 0.3 * standard_normal(&mut rng)).collect();
            let all: Vec<MeasuredValue> = truth
                .iter()
                .enumerate()
                .map(|(at, truth)| {
                    let error = 0.05 + 0.05 * at as f64;
                    MeasuredValue { value: truth + error * standard_normal(&mut rng), error }
                })
                .collect();
            let found = partially_pool(&all).unwrap();
            for ((truth, partially_pooled), raw) in truth.iter().zip(&found.partially_pooled).zip(&all) {
                held += usize::from(partially_pooled.holds(*truth));
                closer += (raw.value - truth).powi(2) - (partially_pooled.value - truth).powi(2);
                n += 1;
            }
        }
        let proportion = f64::from(held as u32) / f64::from(n);
        assert!((0.93..0.965).contains(&proportion), "{proportion}");
        assert!(closer > 0.0, "shrunk estimates are closer to the truth");
    }
}
