//! Logistic regression with ridge regularization, by Newton's method.

use super::CalibrationSample;
use crate::annotate::expect::{Curve, N_CURVE_TERMS, curve_terms, logistic};
use tafl_rules::Side;

/// The ridge penalty, as a number of samples. The constant term is not penalized. One sample decides nothing next to
/// hundreds, but keeps the fit finite if all games of a phase have the same result.
const RIDGE: f64 = 1.0;
/// The maximum number of Newton steps. The method converges long before.
const MAX_STEPS: usize = 50;
/// The fit has converged when no weight changes by more than this.
const TOLERANCE: f64 = 1e-9;

/// Fits a curve. Returns `None` if all games have the same result, or if no curve that increases
/// with the score fits.
///
/// An unrestricted fit may decrease with the score in some phase. The fallbacks are to fix the
/// score's own weight at a small value, and finally to drop the products with the phase.
pub(super) fn fit<'s>(samples: impl Iterator<Item = &'s CalibrationSample> + Clone) -> Option<Curve> {
    let wins: f64 = samples.clone().map(|sample| sample.result).sum();
    let all = samples.clone().count() as f64;
    if wins <= 0.0 || wins >= all {
        return None;
    }
    let attempts = [
        ([true; N_CURVE_TERMS], FREE),
        ([true, false, true, true, true, true], FLAT_START),
        ([true, false, true, true, false, true], FLAT_START),
        ([true, true, true, true, false, false], FREE),
    ];
    attempts.into_iter().find_map(|(used, fixed)| newton(samples.clone(), used, fixed).and_then(Curve::new))
}

/// The fixed weights if all weights are free; unused terms have weight 0.
const FREE: [f64; N_CURVE_TERMS] = [0.0; N_CURVE_TERMS];
/// The fixed weights if a score at the start predicts almost nothing: the score's own weight is
/// small, and the effect of a score grows with the age of the game.
const FLAT_START: [f64; N_CURVE_TERMS] = [0.0, 0.05, 0.0, 0.0, 0.0, 0.0];

fn newton<'s>(
    samples: impl Iterator<Item = &'s CalibrationSample> + Clone,
    used: [bool; N_CURVE_TERMS],
    fixed: [f64; N_CURVE_TERMS],
) -> Option<[f64; N_CURVE_TERMS]> {
    let mut weights = fixed;
    for _ in 0..MAX_STEPS {
        let mut gradient = [0.0; N_CURVE_TERMS];
        let mut curvature = [[0.0; N_CURVE_TERMS]; N_CURVE_TERMS];
        for term in 0..N_CURVE_TERMS {
            let ridge = if term == 0 { 0.0 } else { RIDGE };
            gradient[term] = if used[term] { -ridge * weights[term] } else { 0.0 };
            // The weight of an unused term does not change.
            curvature[term][term] = if used[term] { ridge } else { 1.0 };
        }
        for sample in samples.clone() {
            let mut row = curve_terms(sample.score.for_side(Side::Attackers), sample.phase);
            let expected = logistic(row.iter().zip(weights).map(|(term, weight)| term * weight).sum());
            row.iter_mut().zip(used).filter(|(_, used)| !used).for_each(|(term, _)| *term = 0.0);
            let spread = (expected * (1.0 - expected)).max(1e-9);
            for (one, first) in row.iter().enumerate() {
                gradient[one] += first * (sample.result - expected);
                for (other, second) in row.iter().enumerate() {
                    curvature[one][other] += first * second * spread;
                }
            }
        }
        let step = solve(curvature, gradient)?;
        weights.iter_mut().zip(step).for_each(|(weight, step)| *weight += step);
        if step.iter().all(|step| step.abs() < TOLERANCE) {
            break;
        }
    }
    weights.iter().all(|weight| weight.is_finite()).then_some(weights)
}

/// Solves a system of linear equations by Gaussian elimination with partial pivoting; `None` if the
/// solution is not unique.
fn solve(
    mut matrix: [[f64; N_CURVE_TERMS]; N_CURVE_TERMS],
    mut right: [f64; N_CURVE_TERMS],
) -> Option<[f64; N_CURVE_TERMS]> {
    for column in 0..N_CURVE_TERMS {
        let pivot = (column..N_CURVE_TERMS)
            .max_by(|one, other| matrix[*one][column].abs().total_cmp(&matrix[*other][column].abs()))?;
        if matrix[pivot][column].abs() < 1e-12 {
            return None;
        }
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        for row in column + 1..N_CURVE_TERMS {
            let factor = matrix[row][column] / matrix[column][column];
            let above = matrix[column];
            matrix[row].iter_mut().zip(above).skip(column).for_each(|(left, above)| *left -= factor * above);
            right[row] -= factor * right[column];
        }
    }
    let mut solution = [0.0; N_CURVE_TERMS];
    for row in (0..N_CURVE_TERMS).rev() {
        let known: f64 = (row + 1..N_CURVE_TERMS).map(|at| matrix[row][at] * solution[at]).sum();
        solution[row] = (right[row] - known) / matrix[row][row];
    }
    Some(solution)
}
