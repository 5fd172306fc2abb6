//! Logistic regression with a ridge, by Newton's method.

use super::Sample;
use crate::annotate::expect::{Curve, N_TERMS, logistic, terms};
use tafl_rules::Side;

/// How strongly weights are drawn to zero, in samples; the constant is not.
const RIDGE: f64 = 1.0;
/// Newton's method has converged long before so many steps.
const STEPS: usize = 50;
/// A step that changes no weight by more than this is the last.
const SMALL: f64 = 1e-9;

/// Fits a curve; nothing where all games ended alike, or no curve that rises with the score fits.
///
/// Where the products with the phase would let a better score be worth less somewhere, the curve does without them.
pub(super) fn fit<'s>(samples: impl Iterator<Item = &'s Sample> + Clone) -> Option<Curve> {
    let wins: f64 = samples.clone().map(|sample| sample.result).sum();
    let all = samples.clone().count() as f64;
    if wins <= 0.0 || wins >= all {
        return None;
    }
    let full = newton(samples.clone(), [true; N_TERMS]).and_then(Curve::new);
    full.or_else(|| newton(samples, [true, true, true, true, false, false]).and_then(Curve::new))
}

fn newton<'s>(
    samples: impl Iterator<Item = &'s Sample> + Clone,
    used: [bool; N_TERMS],
) -> Option<[f64; N_TERMS]> {
    let mut weights = [0.0; N_TERMS];
    for _ in 0..STEPS {
        let mut gradient = [0.0; N_TERMS];
        let mut curvature = [[0.0; N_TERMS]; N_TERMS];
        for term in 0..N_TERMS {
            let ridge = if term == 0 { 0.0 } else { RIDGE };
            gradient[term] = -ridge * weights[term];
            // A term that is not used stays at zero.
            curvature[term][term] = if used[term] { ridge } else { 1.0 };
        }
        for sample in samples.clone() {
            let mut row = terms(sample.score.for_side(Side::Attackers), sample.phase);
            row.iter_mut().zip(used).filter(|(_, used)| !used).for_each(|(term, _)| *term = 0.0);
            let expected = logistic(row.iter().zip(weights).map(|(term, weight)| term * weight).sum());
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
        if step.iter().all(|step| step.abs() < SMALL) {
            break;
        }
    }
    weights.iter().all(|weight| weight.is_finite()).then_some(weights)
}

/// Solves a system of linear equations by elimination with the greatest pivot; nothing where it has no single solution.
fn solve(mut matrix: [[f64; N_TERMS]; N_TERMS], mut right: [f64; N_TERMS]) -> Option<[f64; N_TERMS]> {
    for column in 0..N_TERMS {
        let pivot = (column..N_TERMS)
            .max_by(|one, other| matrix[*one][column].abs().total_cmp(&matrix[*other][column].abs()))?;
        if matrix[pivot][column].abs() < 1e-12 {
            return None;
        }
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        for row in column + 1..N_TERMS {
            let factor = matrix[row][column] / matrix[column][column];
            let above = matrix[column];
            matrix[row].iter_mut().zip(above).skip(column).for_each(|(left, above)| *left -= factor * above);
            right[row] -= factor * right[column];
        }
    }
    let mut solution = [0.0; N_TERMS];
    for row in (0..N_TERMS).rev() {
        let known: f64 = (row + 1..N_TERMS).map(|at| matrix[row][at] * solution[at]).sum();
        solution[row] = (right[row] - known) / matrix[row][row];
    }
    Some(solution)
}
