//! How sure a share of counted games is.

/// Standard deviations that a 95 % interval reaches to either side.
pub const Z95: f64 = 1.959_963_984_540_054;

/// A share with its interval; all three lie between 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// The share that was counted.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

/// Returns the share of `hits` among `n` with Wilson's 95 % interval; nothing where nothing was counted.
///
/// Unlike the interval that is taught first it stays between 0 and 1 and makes sense for small numbers.
///
/// # Panics
///
/// Panics if there are more hits than `n`.
///
/// # Examples
///
/// ```
/// let share = tafl_corpus::stats::wilson(8, 10).unwrap();
/// assert_eq!((share.value, (share.low * 1000.0).round(), (share.high * 1000.0).round()), (0.8, 490.0, 943.0));
/// ```
pub fn wilson(hits: u64, n: u64) -> Option<Share> {
    assert!(hits <= n, "{hits} hits among {n}");
    if n == 0 {
        return None;
    }
    let (count, value) = (n as f64, hits as f64 / n as f64);
    let square = Z95 * Z95 / count;
    let middle = (value + square / 2.0) / (1.0 + square);
    let reach = Z95 / (1.0 + square) * (value * (1.0 - value) / count + square / (4.0 * count)).sqrt();
    let low = if hits == 0 { 0.0 } else { (middle - reach).max(0.0) };
    let high = if hits == n { 1.0 } else { (middle + reach).min(1.0) };
    Some(Share { value, low, high })
}

#[cfg(test)]
mod tests {
    use super::wilson;

    #[test]
    fn intervals_are_those_of_the_books() {
        // Newcombe (1998), table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
        let known = [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0000, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ];
        for (hits, n, low, high) in known {
            let share = wilson(hits, n).unwrap();
            assert!((share.low - low).abs() < 5e-5 && (share.high - high).abs() < 5e-5, "{share:?}");
        }
        assert_eq!(wilson(0, 0), None);
    }

    #[test]
    fn intervals_hold_the_share_and_shrink() {
        for n in 1..60 {
            for hits in 0..=n {
                let share = wilson(hits, n).unwrap();
                assert!(0.0 <= share.low && share.low <= share.value, "{share:?}");
                assert!(share.value <= share.high && share.high <= 1.0, "{share:?}");
                let more = wilson(hits * 4, n * 4).unwrap();
                assert!(more.high - more.low < share.high - share.low);
            }
        }
    }
}
