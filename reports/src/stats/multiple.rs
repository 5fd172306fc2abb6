//! Multiple comparisons: adjusted p-values.

/// Returns Holm's adjusted p-values: rejecting at 0.05 keeps the probability of any error below 5 %.
pub fn holm(values: &[f64]) -> Vec<f64> {
    let order = rising(values);
    let (mut adjusted, mut max) = (vec![1.0; values.len()], 0.0f64);
    for (rank, at) in order.iter().enumerate() {
        max = max.max(values[*at] * (values.len() - rank) as f64).min(1.0);
        adjusted[*at] = max;
    }
    adjusted
}

/// Returns the Benjamini-Hochberg adjusted p-values: of the rejections at 0.05, 5 % are expected to be wrong.
pub fn benjamini_hochberg(values: &[f64]) -> Vec<f64> {
    let order = rising(values);
    let (mut adjusted, mut min) = (vec![1.0; values.len()], 1.0f64);
    for (rank, at) in order.iter().enumerate().rev() {
        min = min.min(values[*at] * values.len() as f64 / (rank + 1) as f64);
        adjusted[*at] = min;
    }
    adjusted
}

fn rising(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|one, two| values[*one].total_cmp(&values[*two]));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: &[f64], wanted: &[f64]) {
        assert!(found.len() == wanted.len());
        assert!(found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}");
    }

    #[test]
    fn values_match_other_programs() {
        // p.adjust of R.
        let p = [0.01, 0.02, 0.03, 0.04, 0.05];
        close(&holm(&p), &[0.05, 0.08, 0.09, 0.09, 0.09]);
        close(&benjamini_hochberg(&p), &[0.05; 5]);
        let p = [0.5, 0.001, 0.04];
        close(&holm(&p), &[0.5, 0.003, 0.08]);
        close(&benjamini_hochberg(&p), &[0.5, 0.003, 0.06]);
        assert!(holm(&[]).is_empty() && benjamini_hochberg(&[]).is_empty());
    }
}
