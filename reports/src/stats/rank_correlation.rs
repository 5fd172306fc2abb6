//! Spearman's rank correlation.

use super::interval::{Estimate, Z95};
use super::missing::NotEstimable;

/// Returns Spearman's rank correlation of pairs of numbers, with the interval of Bonett and Wright (2000). Equal numbers
/// share their mean rank.
///
/// # Errors
///
/// Returns [`NotEstimable::TooFew`] for fewer than five pairs, and if all numbers of a kind are equal.
pub fn rank_correlation(pairs: &[(f64, f64)]) -> Result<Estimate, NotEstimable> {
    let [one, two] = [ranks(pairs.iter().map(|pair| pair.0)), ranks(pairs.iter().map(|pair| pair.1))];
    let middle = (pairs.len() as f64 + 1.0) / 2.0;
    let product = |one: &[f64], two: &[f64]| -> f64 {
        one.iter().zip(two).map(|(one, two)| (one - middle) * (two - middle)).sum()
    };
    let scale = (product(&one, &one) * product(&two, &two)).sqrt();
    if pairs.len() < 5 || scale <= 0.0 {
        return Err(NotEstimable::TooFew {
            found: pairs.len() as u64,
            needed: 5.max(pairs.len() as u64 + 1),
        });
    }
    let value = (product(&one, &two) / scale).clamp(-1.0, 1.0);
    let error = ((1.0 + value * value / 2.0) / (pairs.len() as f64 - 3.0)).sqrt();
    // The scale of Fisher's transformation is unbounded at 1.
    let middle = value.clamp(-0.999, 0.999).atanh();
    let [low, high] = [-Z95, Z95].map(|z| (middle + z * error).tanh());
    Ok(Estimate { value, low: low.min(value), high: high.max(value) })
}

/// Returns the ranks of numbers, from 1.
fn ranks(numbers: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut order: Vec<(usize, f64)> = numbers.enumerate().collect();
    order.sort_by(|one, two| one.1.total_cmp(&two.1));
    let mut ranks = vec![0.0; order.len()];
    let mut before = 0;
    for alike in order.chunk_by(|one, two| one.1 == two.1) {
        let rank = before as f64 + (alike.len() as f64 + 1.0) / 2.0;
        alike.iter().for_each(|(at, _)| ranks[*at] = rank);
        before += alike.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use tafl_rules::Rng;

    use super::*;
    use crate::stats::normal::standard_normal;

    #[test]
    fn figures_are_those_of_scipy() {
        // By reports/tests/reference/rank_correlation.py.
        let one = [0.36, 0.56, 0.33, 0.34, 0.45, 0.55, 0.41, 0.40, 0.52, 0.58, 0.34, 0.41];
        let two = [0.02, 0.40, 0.07, 0.10, 0.20, 0.30, 0.07, 0.15, 0.33, 0.25, 0.12, 0.07];
        let pairs: Vec<(f64, f64)> = one.into_iter().zip(two).collect();
        let found = rank_correlation(&pairs).unwrap();
        let wanted = [0.738_520_511_698_342, 0.207_136_078_038_393_3, 0.933_411_758_801_055_3];
        for (found, wanted) in [found.value, found.low, found.high].into_iter().zip(wanted) {
            assert!((found - wanted).abs() < 1e-9, "{found} {wanted}");
        }
    }

    #[test]
    fn intervals_contain_the_true_correlation() {
        // The rank correlation of normal numbers with the correlation r is 6 / pi asin(r / 2).
        let (r, n) = (0.6f64, 12);
        let truth = 6.0 / std::f64::consts::PI * (r / 2.0).asin();
        let mut rng = Rng::new(1);
        let mut held = 0;
        for _ in 0..1000 {
            let pairs: Vec<(f64, f64)> = (0..n)
                .map(|_| {
                    let [one, own] = [0; 2].map(|_| standard_normal(&mut rng));
                    (one, r * one + (1.0 - r * r).sqrt() * own)
                })
                .collect();
            held += u32::from(rank_correlation(&pairs).unwrap().holds(truth));
        }
        assert!((930..=980).contains(&held), "{held}");
    }

    #[test]
    fn unusual_pairs_are_answered() {
        assert!(rank_correlation(&[(1.0, 2.0); 9]).is_err() && rank_correlation(&[]).is_err());
        let same: Vec<(f64, f64)> = (0..6).map(|at| (f64::from(at), f64::from(at * 2))).collect();
        let found = rank_correlation(&same).unwrap();
        assert!(found.value == 1.0 && found.high == 1.0 && found.low > 0.5, "{found:?}");
    }
}
