//! The mixed model of partial pooling: covariates, and variances within and between families.

use super::strength::{Advantage, invert};

/// An estimate with its standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeasuredValue {
    /// The estimate.
    pub value: f64,
    /// Its standard error, which is greater than 0. Estimates are weighted by it.
    pub error: f64,
    /// The standard error of its interval, which may differ if the error is itself estimated.
    pub interval_error: f64,
}

impl MeasuredValue {
    /// Creates an estimate with a known error.
    pub fn new(value: f64, error: f64) -> MeasuredValue {
        MeasuredValue { value, error, interval_error: error }
    }
}

impl From<Advantage> for MeasuredValue {
    fn from(advantage: Advantage) -> MeasuredValue {
        let Advantage { value, error, model_error, .. } = advantage;
        MeasuredValue { value, error: model_error, interval_error: error }
    }
}

/// What is known about the sources of estimates.
#[derive(Debug, Clone, Default)]
pub struct PoolingModel {
    /// The covariates: for each, a number of every estimate. They should be centered, so that the common mean is that of
    /// mean covariates, and must not be linearly dependent.
    pub covariates: Vec<Vec<f64>>,
    /// The family of each estimate; empty if every estimate is a family of its own.
    pub families: Vec<usize>,
}

/// The mixed model of estimates at given variances.
pub(super) struct MixedFit {
    /// The variances of the true values around those of their families, and of the families.
    pub(super) variances: [f64; 2],
    /// The common mean, and the weights of the covariates.
    pub(super) coefficients: Vec<f64>,
    /// Their covariances, by rows.
    pub(super) covariances: Vec<f64>,
    /// The matrix that turns values into weighted residuals, by rows.
    pub(super) projection: Vec<f64>,
}

/// The maximum number of steps of the iteration.
const STEPS: usize = 100;

impl MixedFit {
    /// Estimates the variances by restricted maximum likelihood.
    pub(super) fn converged(all: &[MeasuredValue], model: &PoolingModel) -> MixedFit {
        let values: Vec<f64> = all.iter().map(|one| one.value).collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let scale = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len() as f64;
        let has_families = has_families(model);
        let start = scale.max(1e-12) / if has_families { 2.0 } else { 1.0 };
        let mut variances = [start, if has_families { start } else { 0.0 }];
        for _ in 0..STEPS {
            let fit = MixedFit::at(all, model, variances);
            let next = fit.improved(&values, model);
            let is_settled =
                next.iter().zip(&variances).all(|(next, now)| (next - now).abs() <= 1e-9 * scale);
            variances = next;
            if is_settled {
                break;
            }
        }
        MixedFit::at(all, model, variances)
    }

    fn at(all: &[MeasuredValue], model: &PoolingModel, variances: [f64; 2]) -> MixedFit {
        let (k, n) = (all.len(), 1 + model.covariates.len());
        let inverse = inverse_variances(all, model, variances);
        let column = |at: usize, row: usize| if at == 0 { 1.0 } else { model.covariates[at - 1][row] };
        // The inverse of the variances times the columns of covariates.
        let weighted: Vec<Vec<f64>> = (0..n)
            .map(|at| times(&inverse, &(0..k).map(|row| column(at, row)).collect::<Vec<f64>>()))
            .collect();
        let mut covariances = vec![0.0; n * n];
        for one in 0..n {
            for two in 0..n {
                covariances[one * n + two] = (0..k).map(|row| column(one, row) * weighted[two][row]).sum();
            }
        }
        invert(&mut covariances, n);
        let mut projection = inverse;
        let mut coefficients = vec![0.0; n];
        for one in 0..n {
            // A row of the covariances times the weighted columns.
            let combined: Vec<f64> = (0..k)
                .map(|row| (0..n).map(|two| covariances[one * n + two] * weighted[two][row]).sum())
                .collect();
            coefficients[one] = combined.iter().zip(all).map(|(factor, value)| factor * value.value).sum();
            for (row, left) in projection.chunks_exact_mut(k).zip(&weighted[one]) {
                row.iter_mut().zip(&combined).for_each(|(number, right)| *number -= left * right);
            }
        }
        MixedFit { variances, coefficients, covariances, projection }
    }

    /// Returns the weighted residuals of values.
    pub(super) fn project(&self, values: &[f64]) -> Vec<f64> {
        times(&self.projection, values)
    }

    /// Returns better variances by Fisher scoring. A variance that would be negative is 0.
    fn improved(&self, values: &[f64], model: &PoolingModel) -> [f64; 2] {
        let k = values.len();
        let residuals = self.project(values);
        let sum_of_squares = |numbers: &[f64]| numbers.iter().map(|number| number * number).sum::<f64>();
        let trace: f64 = (0..k).map(|at| self.projection[at * k + at]).sum();
        let mut score = [sum_of_squares(&residuals) - trace, 0.0];
        let mut information = [[sum_of_squares(&self.projection), 0.0], [0.0, 1.0]];
        let is_alone = !has_families(model);
        if !is_alone {
            let n = model.families.iter().max().map_or(0, |max| max + 1);
            let mut sums = vec![0.0; n];
            model.families.iter().zip(&residuals).for_each(|(family, residual)| sums[*family] += residual);
            // The projection summed over the members of each family: by columns, and by both.
            let (mut by_column, mut by_both) = (vec![0.0; k * n], vec![0.0; n * n]);
            for (row, own) in model.families.iter().enumerate() {
                for (column, other) in model.families.iter().enumerate() {
                    let number = self.projection[row * k + column];
                    by_column[row * n + other] += number;
                    by_both[own * n + other] += number;
                }
            }
            score[1] = sum_of_squares(&sums) - (0..n).map(|at| by_both[at * n + at]).sum::<f64>();
            information[0][1] = sum_of_squares(&by_column);
            information[1][1] = sum_of_squares(&by_both);
        }
        let [now, now_family] = self.variances;
        let [[a, b], [_, d]] = information;
        let only = [(now + score[0] / a).max(0.0), 0.0];
        if is_alone {
            return only;
        }
        let determinant = (a * d - b * b).max(1e-300);
        let next = [
            now + (d * score[0] - b * score[1]) / determinant,
            now_family + (a * score[1] - b * score[0]) / determinant,
        ];
        match next.map(|variance| variance < 0.0) {
            [false, false] => next,
            // The best other variance if one is 0.
            [_, true] => [(now + (score[0] + b * now_family) / a).max(0.0), 0.0],
            [true, false] => [0.0, (now_family + (score[1] + b * now) / d).max(0.0)],
        }
    }
}

/// Returns whether some family has several members and there are several families: otherwise, the variance of families
/// cannot be told from others.
fn has_families(model: &PoolingModel) -> bool {
    let mut sorted = model.families.clone();
    sorted.sort_unstable();
    let n = sorted.chunk_by(|one, two| one == two).count();
    n > 1 && n < sorted.len()
}

/// Returns the inverse of the matrix of variances, by rows. It has a block for each family.
fn inverse_variances(all: &[MeasuredValue], model: &PoolingModel, [variance, family]: [f64; 2]) -> Vec<f64> {
    let k = all.len();
    let own: Vec<f64> = all.iter().map(|one| 1.0 / (one.error * one.error + variance)).collect();
    let mut inverse = vec![0.0; k * k];
    for at in 0..k {
        inverse[at * k + at] = own[at];
    }
    if family > 0.0 {
        let n = model.families.iter().max().map_or(0, |max| max + 1);
        let mut sums = vec![0.0; n];
        model.families.iter().zip(&own).for_each(|(family, own)| sums[*family] += own);
        for (row, one) in model.families.iter().enumerate() {
            let others = model.families.iter().enumerate().filter(|(_, other)| *other == one);
            for (column, _) in others {
                // Sherman and Morrison.
                inverse[row * k + column] -= family * own[row] * own[column] / (1.0 + family * sums[*one]);
            }
        }
    }
    inverse
}

fn times(matrix: &[f64], vector: &[f64]) -> Vec<f64> {
    matrix
        .chunks_exact(vector.len())
        .map(|row| row.iter().zip(vector).map(|(one, two)| one * two).sum())
        .collect()
}
