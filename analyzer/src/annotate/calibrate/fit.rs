//! Logistic regression with a ridge, by Newton's method.

use super::CalibrationSample;
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
/// Where that would let a better score be worth less somewhere, the score's own weight is held at a little, and as a last
/// resort the curve does without the products with the phase.
pub(super) fn fit<'s>(samples: impl Iterator<Item = &'s CalibrationSample> + Clone) -> Option<Curve> {
    let wins: f64 = samples.clone().map(|sample| sample.result).sum();
    let all = samples.clone().count() as f64;
    if wins <= 0.0 || wins >= all {
        return None;
    }
    let tries = [
        ([true; N_TERMS], FREE),
        ([true, false, true, true, true, true], FLAT_START),
        ([true, false, true, true, false, true], FLAT_START),
        ([true, true, true, true, false, false], FREE),
    ];
    tries.into_iter().find_map(|(used, fixed)| newton(samples.clone(), used, fixed).and_then(Curve::new))
}

/// Terms that are not used count nothing.
const FREE: [f64; N_TERMS] = [0.0; N_TERMS];
/// Where a score at the start says next to nothing, its own weight is held at a little and grows with the age of the game.
const FLAT_START: [f64; N_TERMS] = [0.0, 0.05, 0.0, 0.0, 0.0, 0.0];

fn newton<'s>(
    samples: impl Iterator<Item = &'s CalibrationSample> + Clone,
    used: [bool; N_TERMS],
    fixed: [f64; N_TERMS],
) -> Option<[f64; N_TERMS]> {
    let mut weights = fixed;
    for _ in 0..STEPS {
        let mut gradient = [0.0; N_TERMS];
        let mut curvature = [[0.0; N_TERMS]; N_TERMS];
        for term in 0..N_TERMS {
            let ridge = if term == 0 { 0.0 } else { RIDGE };
            gradient[term] = if used[term] { -ridge * weights[term] } else { 0.0 };
            // A term that is not used stays as it is.
            curvature[term][term] = if used[term] { ridge } else { 1.0 };
        }
        for sample in samples.clone() {
            let mut row = terms(sample.score.for_side(Side::Attackers), sample.phase);
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
