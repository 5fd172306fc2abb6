//! Quantiles of the normal distribution and of Student's, and intervals of proportions.

/// The 97.5 % quantile of the standard normal distribution, for intervals of 95 %.
pub(crate) const Z95: f64 = 1.959_964;

/// Returns the 97.5 % quantile of Student's distribution, by its expansion around that of the normal distribution (Abramowitz
/// and Stegun 26.7.5); too small by 24 % at 1 degree of freedom, by 3 % at 2, and by less than 1 % from 3 on.
pub(crate) fn student_quantile(freedom: f64) -> f64 {
    let [z, z3, z5, z7] = [1, 3, 5, 7].map(|power| Z95.powi(power));
    let terms = [
        (z3 + z) / 4.0,
        (5.0 * z5 + 16.0 * z3 + 3.0 * z) / 96.0,
        (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / 384.0,
    ];
    terms.iter().rev().fold(0.0, |sum, term| (sum + term) / freedom) + z
}

/// Returns Wilson's interval of 95 % for a proportion of `count` trials, which need not be a whole number.
pub(crate) fn wilson(proportion: f64, count: f64) -> (f64, f64) {
    let square = Z95 * Z95 / count;
    let middle = (proportion + square / 2.0) / (1.0 + square);
    let reach = (square * (proportion * (1.0 - proportion) + square / 4.0)).max(0.0).sqrt() / (1.0 + square);
    ((middle - reach).max(0.0), (middle + reach).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_of_proportions_match_known_values() {
        let (low, high) = wilson(0.3, 50.0);
        assert!((low - 0.191_03).abs() < 1e-4 && (high - 0.437_5).abs() < 1e-4, "{low} {high}");
        let (low, high) = wilson(1.0, 3.0);
        assert!((low - 0.438_5).abs() < 1e-4 && high > 1.0 - 1e-12, "{low} {high}");
    }

    #[test]
    fn quantiles_match_published_tables() {
        for (freedom, known) in [(3.0, 3.182_4), (4.0, 2.776_4), (10.0, 2.228_1), (49.0, 2.009_6), (1e9, Z95)]
        {
            assert!((student_quantile(freedom) / known - 1.0).abs() < 0.01, "{freedom}");
        }
    }
}
