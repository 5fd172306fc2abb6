//! Items in a plane from their distances: classical multidimensional scaling (Torgerson).

use super::cluster::Distances;

/// Items in a plane.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanePositions {
    /// The coordinates of each item.
    pub places: Vec<[f64; 2]>,
    /// The proportion of the squared distances that the plane shows: the sum of the two largest eigenvalues over that of
    /// all positive ones. 1 if all items coincide.
    pub shown: f64,
}

/// The maximum number of sweeps of the eigenvalue iteration; twelve suffice for a thousand items.
const MAX_SWEEPS: usize = 60;

/// Returns items in the plane whose distances are closest to the given ones.
///
/// The orientation is arbitrary; the coordinate with the largest absolute value is positive on each axis, so that equal
/// distances give equal pictures.
pub fn classical_scaling(distances: &Distances) -> PlanePositions {
    let n = distances.len();
    let square = |one: usize, other: usize| distances.between(one, other).powi(2);
    let row = |one: usize| (0..n).map(|other| square(one, other)).sum::<f64>() / n as f64;
    let means: Vec<f64> = (0..n).map(row).collect();
    let all = means.iter().sum::<f64>() / n.max(1) as f64;
    // The products of positions around their mean.
    let products: Vec<Vec<f64>> = (0..n)
        .map(|one| {
            (0..n).map(|other| -0.5 * (square(one, other) - means[one] - means[other] + all)).collect()
        })
        .collect();
    let (values, vectors) = eigen(products);
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|one, two| values[*two].total_cmp(&values[*one]));
    let positive: f64 = values.iter().filter(|value| **value > 0.0).sum();
    let mut places = vec![[0.0; 2]; n];
    let mut shown = 0.0;
    for (axis, at) in order.iter().take(2).enumerate() {
        let value = values[*at].max(0.0);
        shown += value;
        let greatest = vectors
            .iter()
            .map(|row| row[*at])
            .fold(0.0_f64, |most, own| if own.abs() > most.abs() + 1e-12 { own } else { most });
        let scale = value.sqrt() * if greatest < 0.0 { -1.0 } else { 1.0 };
        for (place, row) in places.iter_mut().zip(&vectors) {
            place[axis] = row[*at] * scale;
        }
    }
    PlanePositions { places, shown: if positive > 0.0 { shown / positive } else { 1.0 } }
}

/// Returns the eigenvalues and the eigenvectors, in columns, of a symmetric matrix, by Jacobi's rotations.
fn eigen(mut matrix: Vec<Vec<f64>>) -> (Vec<f64>, Vec<Vec<f64>>) {
    let n = matrix.len();
    let mut vectors: Vec<Vec<f64>> =
        (0..n).map(|row| (0..n).map(|column| f64::from(u8::from(row == column))).collect()).collect();
    let scale = matrix.iter().flatten().map(|value| value * value).sum::<f64>();
    for _ in 0..MAX_SWEEPS {
        let off: f64 =
            (0..n).flat_map(|p| (0..p).map(move |q| (p, q))).map(|(p, q)| matrix[p][q].powi(2)).sum();
        if off <= 1e-24 * scale {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                if matrix[p][q] != 0.0 {
                    rotate(&mut matrix, &mut vectors, (p, q));
                }
            }
        }
    }
    ((0..n).map(|at| matrix[at][at]).collect(), vectors)
}

/// Rotates the axes `p` and `q` so that their common element becomes 0.
fn rotate(matrix: &mut [Vec<f64>], vectors: &mut [Vec<f64>], (p, q): (usize, usize)) {
    let theta = (matrix[q][q] - matrix[p][p]) / (2.0 * matrix[p][q]);
    let tangent = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
    let sine = tangent * cosine;
    for row in matrix.iter_mut().chain(vectors.iter_mut()) {
        let (first, second) = (row[p], row[q]);
        row[p] = cosine * first - sine * second;
        row[q] = sine * first + cosine * second;
    }
    let (above, below) = matrix.split_at_mut(q);
    for (upper, lower) in above[p].iter_mut().zip(&mut below[0]) {
        let (first, second) = (*upper, *lower);
        *upper = cosine * first - sine * second;
        *lower = sine * first + cosine * second;
    }
}

#[cfg(test)]
mod tests {
    use tafl_rules::Rng;

    use super::*;

    #[test]
    fn positions_match_other_programs() {
        // By numpy.linalg.eigh, see reports/tests/reference/cluster.py.
        let values = [2.0, 6.0, 10.0, 9.5, 7.0, 5.0, 9.0, 8.0, 6.5, 4.0, 5.0, 3.5, 3.0, 8.5, 9.25];
        let mut values = values.into_iter();
        let found = classical_scaling(&Distances::new(6, |_, _| values.next().unwrap()));
        let known = [
            [-4.686_844_749_632_577, -1.993_966_070_726_148_6],
            [-3.438_491_356_621_198_3, -2.025_447_434_813_051_6],
            [0.615_895_670_843_138_6, 1.318_879_643_020_723],
            [5.087_662_698_131_126, 0.251_628_513_232_498_5],
            [4.590_830_172_505_35, -1.936_510_264_838_697_6],
            [-2.169_052_435_225_844_5, 4.385_415_614_124_675],
        ];
        for (place, known) in found.places.iter().zip(known) {
            assert!(
                (place[0] - known[0]).abs() < 1e-9 && (place[1] - known[1]).abs() < 1e-9,
                "{place:?} {known:?}"
            );
        }
        assert!((found.shown - 0.965_683_059_302_563_7).abs() < 1e-9, "{}", found.shown);
    }

    #[test]
    fn points_of_a_plane_are_recovered() {
        let mut rng = Rng::new(11);
        let points: Vec<[f64; 2]> = (0..40).map(|_| [rng.unit() * 8.0, rng.unit() * 3.0]).collect();
        let apart = |a: &[f64; 2], b: &[f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
        let distances = Distances::new(40, |one, other| apart(&points[one], &points[other]));
        let found = classical_scaling(&distances);
        assert!((found.shown - 1.0).abs() < 1e-9);
        for one in 0..40 {
            for other in 0..one {
                let distance = apart(&found.places[one], &found.places[other]);
                assert!((distance - distances.between(one, other)).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn few_or_equal_items_have_finite_positions() {
        for n in 0..5 {
            let found = classical_scaling(&Distances::new(n, |_, _| 0.0));
            assert_eq!((found.places, found.shown), (vec![[0.0; 2]; n], 1.0));
        }
    }
}
