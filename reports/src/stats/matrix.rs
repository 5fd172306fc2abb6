//! Square matrices of a few dozen rows.

/// A square matrix, by rows.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Matrix(pub(super) Vec<Vec<f64>>);

impl Matrix {
    /// Returns a matrix of zeros.
    pub(super) fn zero(n: usize) -> Matrix {
        Matrix(vec![vec![0.0; n]; n])
    }

    /// Adds the product of a column with itself as a row.
    pub(super) fn add_square(&mut self, vector: &[f64]) {
        for (row, one) in self.0.iter_mut().zip(vector) {
            row.iter_mut().zip(vector).for_each(|(entry, other)| *entry += one * other);
        }
    }

    /// Multiplies every entry.
    pub(super) fn scale(&mut self, factor: f64) {
        self.0.iter_mut().flatten().for_each(|entry| *entry *= factor);
    }

    /// Returns the product with a column.
    pub(super) fn times(&self, vector: &[f64]) -> Vec<f64> {
        let dot = |row: &Vec<f64>| row.iter().zip(vector).map(|(one, other)| one * other).sum();
        self.0.iter().map(dot).collect()
    }

    /// Returns the product with another matrix of the same size.
    pub(super) fn product(&self, other: &Matrix) -> Matrix {
        let n = self.0.len();
        let entry = |row: usize, column: usize| (0..n).map(|at| self.0[row][at] * other.0[at][column]).sum();
        Matrix((0..n).map(|row| (0..n).map(|column| entry(row, column)).collect()).collect())
    }

    /// Returns the standard error of a weighted sum whose covariances are in this matrix.
    pub(super) fn error_of(&self, weights: &[f64]) -> f64 {
        let sum: f64 = self.times(weights).iter().zip(weights).map(|(one, other)| one * other).sum();
        sum.max(0.0).sqrt()
    }

    /// Inverts the matrix by Gauss-Jordan elimination with partial pivoting; `None` if it is singular.
    pub(super) fn inverse(mut self) -> Option<Matrix> {
        let n = self.0.len();
        let mut inverse = Matrix::zero(n);
        (0..n).for_each(|at| inverse.0[at][at] = 1.0);
        for column in 0..n {
            let pivot = (column..n)
                .max_by(|one, other| self.0[*one][column].abs().total_cmp(&self.0[*other][column].abs()))?;
            let scale = self.0[pivot][column];
            if scale.abs() < 1e-12 {
                return None;
            }
            for matrix in [&mut self, &mut inverse] {
                matrix.0.swap(column, pivot);
                matrix.0[column].iter_mut().for_each(|entry| *entry /= scale);
            }
            for row in (0..n).filter(|row| *row != column) {
                let factor = self.0[row][column];
                for matrix in [&mut self, &mut inverse] {
                    let source = matrix.0[column].clone();
                    matrix.0[row]
                        .iter_mut()
                        .zip(source)
                        .for_each(|(entry, source)| *entry -= factor * source);
                }
            }
        }
        Some(inverse)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_times_the_matrix_is_the_identity() {
        let matrix = Matrix(vec![vec![0.0, 2.0, 1.0], vec![1.0, -1.0, 0.5], vec![3.0, 0.0, 4.0]]);
        let product = matrix.clone().inverse().unwrap().product(&matrix);
        for (row, entries) in product.0.iter().enumerate() {
            for (column, entry) in entries.iter().enumerate() {
                assert!((entry - f64::from(u8::from(row == column))).abs() < 1e-12, "{product:?}");
            }
        }
        assert_eq!(Matrix(vec![vec![1.0, 2.0], vec![2.0, 4.0]]).inverse(), None);
    }
}
