//! Partial pooling: estimates of the same kind with a common mean, or with a mean that depends on covariates.
//!
//! True values are assumed to be normally distributed around their mean, with a part that the values of a family share. Each
//! estimate is shrunk toward its mean, more strongly for small samples (empirical Bayes).

use super::interval::{Estimate, Z95};
use super::missing::NotEstimable;
use super::mixed_fit::MixedFit;
pub use super::mixed_fit::{MeasuredValue, PoolingModel};
use super::normal::student_quantile;

/// Pooled estimates.
#[derive(Debug, Clone, PartialEq)]
pub struct PooledEstimates {
    /// The common mean, for covariates of 0.
    pub mean: Estimate,
    /// The weights of the covariates.
    pub effects: Vec<Estimate>,
    /// The standard deviation of the true values around their means, by restricted maximum likelihood.
    pub sd: f64,
    /// The standard deviation of the part that a family shares; 0 without families.
    pub family_sd: f64,
    /// The proportion of the variance between the estimates that is not due to chance, from 0 to 1 (I squared).
    pub real: f64,
    /// The partially pooled estimates, in the order of the input.
    pub partially_pooled: Vec<Estimate>,
}

/// Pools estimates with a common mean.
///
/// # Errors
///
/// Returns [`NotEstimable::TooFew`] for fewer than three estimates.
pub fn partially_pool(all: &[MeasuredValue]) -> Result<PooledEstimates, NotEstimable> {
    partially_pool_by(all, &PoolingModel::default())
}

/// Pools estimates with means that depend on covariates and families.
///
/// # Errors
///
/// Returns [`NotEstimable::TooFew`] for fewer than three estimates besides the covariates.
pub fn partially_pool_by(
    all: &[MeasuredValue],
    model: &PoolingModel,
) -> Result<PooledEstimates, NotEstimable> {
    let is_sound = |one: &&MeasuredValue| {
        one.value.is_finite() && one.interval_error.is_finite() && one.error.is_finite() && one.error > 0.0
    };
    let found = all.iter().filter(is_sound).count();
    let needed = 3 + model.covariates.len();
    if found < needed || found < all.len() {
        return Err(NotEstimable::TooFew { found: found as u64, needed: needed.max(all.len()) as u64 });
    }
    let fit = MixedFit::converged(all, model);
    let (k, r) = (all.len() as f64, 1.0 + model.covariates.len() as f64);
    let projected = fit.project(&all.iter().map(|one| one.value).collect::<Vec<f64>>());
    let partially_pooled = all.iter().enumerate().map(|(at, one)| {
        let noise = one.error * one.error;
        // After Morris (1983): because the variances are themselves estimated, the shrinkage is reduced slightly.
        // The variances are those of restricted likelihood, and the term for the uncertainty of the shrinkage
        // assumes equal errors.
        let factor = (k - r - 2.0).max(0.0) / (k - r);
        let step = factor * noise * projected[at];
        let kept = 1.0 - factor * noise * fit.projection[at * all.len() + at];
        // The error of the interval is scaled by the weight of the variant's own estimate.
        let variance = noise * kept + kept * kept * (one.interval_error.powi(2) - noise);
        Estimate::normal(one.value - step, (variance + 2.0 / (k - r) * step * step).max(0.0).sqrt())
    });
    let partially_pooled = partially_pooled.collect();
    let coefficient = |at: usize| {
        let n = 1 + model.covariates.len();
        let error = fit.covariances[at * n + at].max(0.0).sqrt();
        // The common mean without covariates keeps the interval of a known variance.
        let widening = if n > 1 { student_quantile(k - r) / Z95 } else { 1.0 };
        Estimate::normal(fit.coefficients[at], error * widening)
    };
    let [sd, family_sd] = fit.variances.map(f64::sqrt);
    Ok(PooledEstimates {
        mean: coefficient(0),
        effects: (1..=model.covariates.len()).map(coefficient).collect(),
        sd: sd.hypot(family_sd),
        family_sd,
        real: proportion_of_real(all),
        partially_pooled,
    })
}

impl PooledEstimates {
    /// Returns the interval of 95 % of the true values with covariates of 0.
    pub fn range(&self) -> Estimate {
        let error = (self.mean.high - self.mean.value) / Z95;
        Estimate::normal(self.mean.value, self.sd.hypot(error))
    }
}

/// Returns the proportion of the variance between estimates that is not due to chance (Higgins and Thompson's I squared).
fn proportion_of_real(all: &[MeasuredValue]) -> f64 {
    let weight = |one: &MeasuredValue| 1.0 / (one.error * one.error);
    let weights: f64 = all.iter().map(weight).sum();
    let mean = all.iter().map(|one| weight(one) * one.value).sum::<f64>() / weights;
    let excess: f64 = all.iter().map(|one| weight(one) * (one.value - mean).powi(2)).sum();
    let freedom = all.len() as f64 - 1.0;
    if excess > 0.0 { ((excess - freedom) / excess).max(0.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use tafl_rules::Rng;

    use super::*;
    use crate::stats::normal::standard_normal;
    use crate::stats::simulate::LeagueSpec;
    use crate::stats::strength::{FitOptions, League, fit};

    #[test]
    fn the_eight_schools_are_reproduced() {
        let effects = [28.0, 8.0, -3.0, 7.0, -1.0, 1.0, 18.0, 12.0];
        let errors = [15.0, 10.0, 16.0, 11.0, 9.0, 11.0, 10.0, 18.0];
        let all: Vec<MeasuredValue> =
            effects.iter().zip(errors).map(|(value, error)| MeasuredValue::new(*value, error)).collect();
        let found = partially_pool(&all).unwrap();
        // metafor: tau^2 = 0, mean 7.69 with a standard error of 4.07.
        assert!(found.sd < 1e-6);
        assert!((found.mean.value - 7.686).abs() < 1e-3, "{:?}", found.mean);
        assert!((found.mean.width() / (2.0 * Z95) - 4.072).abs() < 1e-2);
        assert!(partially_pool(&all[..2]).is_err() && partially_pool(&[]).is_err());
    }

    #[test]
    fn covariates_and_families_are_those_of_the_reference() {
        // By reports/tests/reference/mixed_pool.py: restricted likelihood with dense matrices and a general optimizer.
        let (mut all, mut model) =
            (Vec::new(), PoolingModel { covariates: vec![Vec::new(); 2], ..Default::default() });
        for line in include_str!("../../tests/reference/mixed_pool.txt").lines() {
            let numbers: Vec<f64> = line.split(' ').map(|number| number.parse().unwrap()).collect();
            all.push(MeasuredValue::new(numbers[0], numbers[1]));
            model.covariates[0].push(numbers[2]);
            model.covariates[1].push(numbers[3]);
            model.families.push(numbers[4] as usize);
        }
        let found = partially_pool_by(&all, &model).unwrap();
        let own = (found.sd.powi(2) - found.family_sd.powi(2)).sqrt();
        let first = found.partially_pooled[0];
        let values = [own, found.family_sd, found.mean.value, found.effects[0].value, found.effects[1].value];
        for (found, wanted) in values.iter().zip(MIXED) {
            assert!((found - wanted).abs() < 2e-4, "{values:?}");
        }
        let widening = student_quantile(37.0) / Z95;
        let error = found.effects[0].width() / (2.0 * Z95 * widening);
        assert!((error - MIXED[5]).abs() < 1e-4, "{error}");
        // The reference has no reduction of the shrinkage, so its value is a little nearer to the mean.
        let factor = 35.0 / 37.0;
        let shrunk = all[0].value + (first.value - all[0].value) / factor;
        assert!((shrunk - MIXED[6]).abs() < 2e-4, "{shrunk}");
    }

    /// The standard deviations within and between families, the mean, both weights, the error of the first, and the first true value.
    const MIXED: [f64; 7] = [0.172_914, 0.233_52, -0.174_718, 0.894_894, -0.254_705, 0.155_608, -1.115_021];

    #[test]
    fn covariates_make_the_intervals_of_leagues_narrower_with_the_same_coverage() {
        let mut rng = Rng::new(6);
        let mut sums = [[0.0; 3]; 2];
        let mut n = 0.0;
        for round in 0..12 {
            let (mut all, mut truths) = (Vec::new(), Vec::new());
            let mut model = PoolingModel { covariates: vec![Vec::new(); 2], families: Vec::new() };
            let families: Vec<f64> = (0..12).map(|_| 0.15 * standard_normal(&mut rng)).collect();
            for variant in 0..36 {
                let (edge, size) = (f64::from(variant % 2) - 0.5, standard_normal(&mut rng));
                let family = variant as usize / 3;
                let truth =
                    -0.2 + 0.7 * edge - 0.25 * size + families[family] + 0.15 * standard_normal(&mut rng);
                let spec = LeagueSpec {
                    players: 16,
                    games: 60 + 20 * (variant as usize % 5),
                    advantage: truth,
                    ..LeagueSpec::default()
                };
                let league = spec.simulate(1000 * round + variant as u64);
                let found = fit(&League::new((16, 1), league.games), &FitOptions::default());
                let Some(side) = found.ok().and_then(|found| found.advantages[0]) else { continue };
                all.push(side.into());
                truths.push(truth);
                model.covariates[0].push(edge);
                model.covariates[1].push(size);
                model.families.push(family);
            }
            let both = [partially_pool(&all).unwrap(), partially_pool_by(&all, &model).unwrap()];
            for (found, sums) in both.iter().zip(&mut sums) {
                for (estimate, truth) in found.partially_pooled.iter().zip(&truths) {
                    sums[0] += f64::from(u8::from(estimate.holds(*truth)));
                    sums[1] += estimate.width();
                    sums[2] += (estimate.value - truth).powi(2);
                }
            }
            n += truths.len() as f64;
        }
        let [plain, with] = sums.map(|sums| sums.map(|sum| sum / n));
        assert!(with[0] >= 0.92 && with[0] >= plain[0] - 0.02, "coverage {plain:?} {with:?}");
        assert!(with[1] < 0.95 * plain[1], "width {plain:?} {with:?}");
        assert!(with[2] < 0.9 * plain[2], "squared error {plain:?} {with:?}");
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
                    MeasuredValue::new(truth + error * standard_normal(&mut rng), error)
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
