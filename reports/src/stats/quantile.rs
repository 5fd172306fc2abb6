//! Quantiles of what was measured, and how sure they are.

use super::interval::{Estimate, Z95};

/// Returns a quantile of numbers in rising order, with the interval that order statistics give; nothing without numbers.
///
/// `share` is 0.5 for the median. The interval asks nothing of the distribution; with few numbers it reaches from the least
/// to the greatest.
pub fn quantile(rising: &[f64], share: f64) -> Option<Estimate> {
    let last = rising.len().checked_sub(1)?;
    let n = rising.len() as f64;
    let at = share * last as f64;
    let (below, above) = (rising[at.floor() as usize], rising[at.ceil() as usize]);
    let value = below + (above - below) * at.fract();
    let reach = Z95 * (n * share * (1.0 - share)).sqrt();
    // The ranks of Campbell and Gardner (1988), which are as far from the one end as from the other; counted from 0.
    let low = (n * share - reach).round().max(1.0) as usize - 1;
    let high = (n * share + reach).round() as usize;
    Some(Estimate { value, low: rising[low.min(last)].min(value), high: rising[high.min(last)].max(value) })
}

/// What numbers look like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    /// How many there are.
    pub n: u64,
    /// The mean with its interval; of one number the ends are the number, and say nothing. Of numbers that are never negative
    /// it is never below 0, either.
    pub mean: Estimate,
    /// The standard deviation.
    pub deviation: f64,
    /// The least.
    pub least: f64,
    /// A quarter is below this.
    pub lower_quartile: f64,
    /// The median with its interval, with which it is as with that of the mean.
    pub median: Estimate,
    /// A quarter is above this.
    pub upper_quartile: f64,
    /// The greatest.
    pub greatest: f64,
}

impl Summary {
    /// Returns what numbers look like; nothing without numbers.
    pub fn of(mut numbers: Vec<f64>) -> Option<Summary> {
        numbers.retain(|number| number.is_finite());
        numbers.sort_by(f64::total_cmp);
        let n = numbers.len() as f64;
        let (least, greatest) = (*numbers.first()?, *numbers.last()?);
        let mean = numbers.iter().sum::<f64>() / n;
        let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
        let deviation = if n > 1.0 { (squares / (n - 1.0)).sqrt() } else { 0.0 };
        Some(Summary {
            n: numbers.len() as u64,
            mean: mean_of(mean, deviation / n.sqrt(), least),
            deviation,
            least,
            lower_quartile: quantile(&numbers, 0.25)?.value,
            median: quantile(&numbers, 0.5)?,
            upper_quartile: quantile(&numbers, 0.75)?.value,
            greatest,
        })
    }
}

/// Returns the mean with its interval.
///
/// Lengths, counts and losses have a long tail above: the interval on the scale of logarithms holds their mean more often than the
/// one that reaches as far down as up, and of two games of 5 and 90 plies it does not begin below 0.
fn mean_of(mean: f64, error: f64, least: f64) -> Estimate {
    if least < 0.0 { Estimate::normal(mean, error) } else { Estimate::positive(mean, error) }
}

#[cfg(test)]
mod tests {
    use tafl_rules::Rng;

    use super::*;
    use crate::stats::normal::standard_normal;

    #[test]
    fn intervals_of_the_median_hold_it() {
        let mut rng = Rng::new(2);
        let held = (0..2000).filter(|_| {
            let mut numbers: Vec<f64> = (0..61).map(|_| standard_normal(&mut rng).exp()).collect();
            numbers.sort_by(f64::total_cmp);
            quantile(&numbers, 0.5).unwrap().holds(1.0)
        });
        let share = held.count() as f64 / 2000.0;
        assert!((0.94..0.985).contains(&share), "{share}");
    }

    #[test]
    fn ends_of_the_median_are_those_of_the_tables() {
        // Campbell and Gardner (1988): the ranks of the ends among so many numbers.
        for (n, low, high) in [(6, 1, 6), (8, 1, 8), (10, 2, 9), (20, 6, 15), (30, 10, 21), (100, 40, 61)] {
            let ranks: Vec<f64> = (1..=n).map(f64::from).collect();
            let found = quantile(&ranks, 0.5).unwrap();
            assert_eq!((found.low, found.high), (f64::from(low), f64::from(high)), "{n}");
        }
    }

    /// Returns in which share of samples the interval of the mean holds it, and that of the interval that is symmetric.
    fn coverage(n: usize) -> (f64, f64) {
        let mut rng = Rng::new(3);
        let (mut held, mut held_if_symmetric) = (0, 0);
        for _ in 0..4000 {
            // Like lengths of games: none is negative, some are very long; the mean is 1.
            let summary = Summary::of((0..n).map(|_| -(1.0 - rng.unit()).ln()).collect()).unwrap();
            let error = summary.deviation / (n as f64).sqrt();
            held += u32::from(summary.mean.holds(1.0));
            held_if_symmetric += u32::from(Estimate::normal(summary.mean.value, error).holds(1.0));
        }
        (f64::from(held) / 4000.0, f64::from(held_if_symmetric) / 4000.0)
    }

    #[test]
    fn intervals_of_means_hold_them_more_often_than_symmetric_ones() {
        for (n, least) in [(5, 0.83), (30, 0.915), (200, 0.935)] {
            let (held, if_symmetric) = coverage(n);
            assert!(held >= if_symmetric && held > least, "{n}: {held} against {if_symmetric}");
        }
    }

    #[test]
    fn the_mean_of_lengths_is_never_thought_to_be_below_0() {
        let two = Summary::of(vec![5.0, 90.0]).unwrap().mean;
        assert!(two.low > 0.0 && two.low < 47.5 && two.high > 90.0, "{two:?}");
        let none = Summary::of(vec![0.0, 0.0]).unwrap().mean;
        assert_eq!((none.low, none.high), (0.0, 0.0));
        assert!(Summary::of(vec![-5.0, 9.0]).unwrap().mean.low < 0.0);
    }

    #[test]
    fn few_numbers_are_no_trouble() {
        assert_eq!(quantile(&[], 0.5), None);
        let one = Summary::of(vec![4.0]).unwrap();
        assert!(one.median.is_sound() && one.deviation == 0.0 && one.mean.value == 4.0);
        assert_eq!(Summary::of(vec![1.0, 2.0, 3.0, 4.0]).unwrap().median.value, 2.5);
    }
}
