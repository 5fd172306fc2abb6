//! Quantiles with intervals.

use super::dyadic::SharedPlayers;
use super::interval::{Estimate, SMALL_SAMPLE, Z95};
use super::normal::student_quantile;

/// The minimum number of independent numbers for an interval of the median. The range of five numbers contains the median in
/// 93.75 % of cases, and that of six in 96.9 %.
pub const MIN_FOR_MEDIAN: f64 = 6.0;

/// The minimum number of independent numbers for an interval of the mean. With two, it depends more on the distribution than
/// on the numbers.
pub const MIN_FOR_MEAN: f64 = 3.0;

/// Returns a quantile of sorted numbers, with the interval given by order statistics; `None` without numbers.
///
/// `proportion` is 0.5 for the median. The interval assumes nothing about the distribution; with few numbers it
/// extends from the minimum to the maximum, and contains the quantile in fewer than 95 % of cases (the median, with fewer than
/// [`MIN_FOR_MEDIAN`]). `design_effect` is that of the proportion of numbers up to the quantile, 1 for
/// independent numbers.
pub fn sample_quantile(rising: &[f64], proportion: f64, design_effect: f64) -> Option<Estimate> {
    let last = rising.len().checked_sub(1)?;
    let n = rising.len() as f64;
    let at = proportion * last as f64;
    let (below, above) = (rising[at.floor() as usize], rising[at.ceil() as usize]);
    let value = below + (above - below) * at.fract();
    let reach = Z95 * (n * proportion * (1.0 - proportion) * design_effect).sqrt();
    // The ranks of Campbell and Gardner (1988), symmetric around the quantile and counted from 0.
    let low = (n * proportion - reach).round().max(1.0) as usize - 1;
    let high = (n * proportion + reach).round() as usize;
    Some(Estimate { value, low: rising[low.min(last)].min(value), high: rising[high.min(last)].max(value) })
}

/// A mean or a median of a sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SampleCenter {
    /// The mean or the median.
    pub value: f64,
    /// The same with its 95 % interval; `None` if the sample is too small for one.
    pub interval: Option<Estimate>,
}

/// Summary statistics of a sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    /// The sample size.
    pub n: u64,
    /// The mean. It has an interval from [`MIN_FOR_MEAN`] numbers on, divided by their design effect. For nonnegative numbers
    /// the lower end is not negative.
    pub mean: SampleCenter,
    /// The standard deviation.
    pub deviation: f64,
    /// The minimum.
    pub min: f64,
    /// The lower quartile.
    pub lower_quartile: f64,
    /// The median. It has an interval from [`MIN_FOR_MEDIAN`] numbers on, divided by their design effect.
    pub median: SampleCenter,
    /// The upper quartile.
    pub upper_quartile: f64,
    /// The maximum.
    pub max: f64,
}

impl Summary {
    /// Returns the summary of independent numbers; `None` without any.
    pub fn of(mut numbers: Vec<f64>) -> Option<Summary> {
        numbers.retain(|number| number.is_finite());
        numbers.sort_by(f64::total_cmp);
        Summary::of_rising(&numbers, |_| 1.0, |_| 1.0)
    }

    /// Returns the summary of numbers of games, given by their indices; `None` without any. From 30 games on, the intervals
    /// allow for games that share players.
    pub fn of_games(mut numbers: Vec<(u32, f64)>, shared: &SharedPlayers) -> Option<Summary> {
        numbers.retain(|(_, number)| number.is_finite());
        numbers.sort_by(|one, two| one.1.total_cmp(&two.1));
        let rising: Vec<f64> = numbers.iter().map(|(_, number)| *number).collect();
        if (rising.len() as u64) < SMALL_SAMPLE {
            return Summary::of_rising(&rising, |_| 1.0, |_| 1.0);
        }
        let deviations = |mean| numbers.iter().map(move |(game, number)| (*game, number - mean));
        let up_to = |median| numbers.iter().map(move |(game, number)| (*game, *number <= median));
        Summary::of_rising(
            &rising,
            |mean| shared.effect_on_mean(deviations(mean)).unwrap_or(1.0),
            |median| shared.effect_among(up_to(median)).unwrap_or(1.0),
        )
    }

    /// Returns the summary of sorted numbers with the design effects of a mean, and of the proportion of numbers up to a
    /// median.
    fn of_rising(
        numbers: &[f64],
        mean_effect: impl Fn(f64) -> f64,
        median_effect: impl Fn(f64) -> f64,
    ) -> Option<Summary> {
        let n = numbers.len() as f64;
        let (min, max) = (*numbers.first()?, *numbers.last()?);
        let mean = numbers.iter().sum::<f64>() / n;
        let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
        let deviation = if n > 1.0 { (squares / (n - 1.0)).sqrt() } else { 0.0 };
        let quartile = |proportion| Some(sample_quantile(numbers, proportion, 1.0)?.value);
        let median = quartile(0.5)?;
        let effect = median_effect(median);
        let median_interval = sample_quantile(numbers, 0.5, effect).filter(|_| n / effect >= MIN_FOR_MEDIAN);
        Some(Summary {
            n: numbers.len() as u64,
            mean: mean_of(mean, deviation, n / mean_effect(mean), min),
            deviation,
            min,
            lower_quartile: quartile(0.25)?,
            median: SampleCenter { value: median, interval: median_interval },
            upper_quartile: quartile(0.75)?,
            max,
        })
    }
}

/// Returns the mean of numbers of games, given by their indices, with its interval; `None` if they are fewer than
/// [`MIN_FOR_MEAN`], also after division by their design effect. From 30 games on, the interval allows for games that share
/// players.
pub fn mean_of_games(numbers: &[(u32, f64)], shared: &SharedPlayers) -> Option<Estimate> {
    let n = numbers.len().max(1) as f64;
    let mean = numbers.iter().map(|(_, number)| number).sum::<f64>() / n;
    let deviations = numbers.iter().map(|(game, number)| (*game, number - mean));
    let squares = numbers.iter().map(|(_, number)| number * number).sum::<f64>() - n * mean * mean;
    let effect = shared.effect_on_mean(deviations).filter(|_| numbers.len() as u64 >= SMALL_SAMPLE);
    let deviation = (squares.max(0.0) / (n - 1.0).max(1.0)).sqrt();
    Some(Estimate::normal(mean, widened_error(deviation, n / effect.unwrap_or(1.0))?))
}

/// Returns the mean with its interval; `n` is the number of independent numbers with the same variance of the mean.
///
/// Lengths and counts have a long upper tail. An interval on the logarithmic scale contains their
/// mean more often than a symmetric one, and for three games of 5, 6, and 90 plies it does not begin below 0.
fn mean_of(value: f64, deviation: f64, n: f64, min: f64) -> SampleCenter {
    let interval = widened_error(deviation, n).map(|error| {
        if min < 0.0 { Estimate::normal(value, error) } else { Estimate::positive(value, error) }
    });
    SampleCenter { value, interval }
}

/// Returns the standard error of a mean with an estimated standard deviation, enlarged so that 1.96 of it are the quantile of
/// Student's distribution; `None` for fewer than [`MIN_FOR_MEAN`] numbers.
fn widened_error(deviation: f64, n: f64) -> Option<f64> {
    (n >= MIN_FOR_MEAN).then(|| student_quantile(n - 1.0) / Z95 * deviation / n.sqrt())
}

#[cfg(test)]
mod tests {
    use tafl_rules::Rng;

    use super::*;
    use crate::stats::normal::standard_normal;

    #[test]
    fn intervals_of_the_median_contain_it() {
        let mut rng = Rng::new(2);
        let held = (0..2000).filter(|_| {
            let mut numbers: Vec<f64> = (0..61).map(|_| standard_normal(&mut rng).exp()).collect();
            numbers.sort_by(f64::total_cmp);
            sample_quantile(&numbers, 0.5, 1.0).unwrap().holds(1.0)
        });
        let proportion = held.count() as f64 / 2000.0;
        assert!((0.94..0.985).contains(&proportion), "{proportion}");
    }

    #[test]
    fn ends_of_the_median_match_published_tables() {
        // Campbell and Gardner (1988): the ranks of the ends by sample size.
        for (n, low, high) in [(6, 1, 6), (8, 1, 8), (10, 2, 9), (20, 6, 15), (30, 10, 21), (100, 40, 61)] {
            let ranks: Vec<f64> = (1..=n).map(f64::from).collect();
            let found = sample_quantile(&ranks, 0.5, 1.0).unwrap();
            assert_eq!((found.low, found.high), (f64::from(low), f64::from(high)), "{n}");
        }
    }

    /// Returns the proportion of samples in which the interval of the mean contains it, and the same for a
    /// symmetric interval.
    fn coverage(n: usize) -> (f64, f64) {
        let mut rng = Rng::new(3);
        let (mut held, mut held_if_symmetric) = (0, 0);
        for _ in 0..4000 {
            // Similar to lengths of games: nonnegative with a long tail; the mean is 1.
            let summary = Summary::of((0..n).map(|_| -(1.0 - rng.unit()).ln()).collect()).unwrap();
            let error = summary.deviation / (n as f64).sqrt();
            held += u32::from(summary.mean.interval.unwrap().holds(1.0));
            held_if_symmetric += u32::from(Estimate::normal(summary.mean.value, error).holds(1.0));
        }
        (f64::from(held) / 4000.0, f64::from(held_if_symmetric) / 4000.0)
    }

    #[test]
    fn intervals_of_means_have_better_coverage_than_symmetric_ones() {
        for (n, min) in [(3, 0.93), (5, 0.92), (10, 0.915), (30, 0.925), (200, 0.935)] {
            let (held, if_symmetric) = coverage(n);
            assert!(held >= if_symmetric && held > min, "{n}: {held} against {if_symmetric}");
        }
    }

    #[test]
    fn the_interval_of_a_mean_length_is_positive() {
        let mean = |numbers: &[f64]| Summary::of(numbers.to_vec()).unwrap().mean.interval.unwrap();
        let three = mean(&[5.0, 6.0, 90.0]);
        assert!(three.low > 0.0 && three.low < 33.0 && three.high > 90.0, "{three:?}");
        let none = mean(&[0.0; 3]);
        assert_eq!((none.low, none.high), (0.0, 0.0));
        assert!(mean(&[-5.0, 3.0, 9.0]).low < 0.0);
    }

    #[test]
    fn intervals_of_games_allow_for_players_with_long_games() {
        // The logarithm of a length is the sum of the habits of both players and chance; its median is 0.
        let (mut held, mut held_if_independent) = ([0; 2], [0; 2]);
        for seed in 0..400 {
            let mut rng = Rng::new(seed);
            let habits: Vec<f64> = (0..80).map(|_| 0.4 * standard_normal(&mut rng)).collect();
            let games: Vec<[u32; 2]> =
                (0..1200).map(|_| [rng.below(40) as u32, 40 + rng.below(40) as u32]).collect();
            let length = |game: &[u32; 2]| {
                let habits: f64 = game.iter().map(|player| habits[*player as usize]).sum();
                (habits + 0.4 * standard_normal(&mut rng)).exp()
            };
            let lengths: Vec<f64> = games.iter().map(length).collect();
            let shared = SharedPlayers::of(games.iter().map(|game| Some(*game)));
            let found = Summary::of_games((0..).zip(lengths.iter().copied()).collect(), &shared).unwrap();
            let independent = Summary::of(lengths).unwrap();
            let mean = (3.0 * 0.4_f64.powi(2) / 2.0).exp();
            for (counts, summary) in [(&mut held, found), (&mut held_if_independent, independent)] {
                counts[0] += u32::from(summary.mean.interval.unwrap().holds(mean));
                counts[1] += u32::from(summary.median.interval.unwrap().holds(1.0));
            }
        }
        let percent = |counts: [u32; 2]| counts.map(|n| n / 4);
        assert!(percent(held).iter().all(|held| (90..=98).contains(held)), "{held:?}");
        assert!(percent(held_if_independent).iter().all(|held| *held < 65), "{held_if_independent:?}");
    }

    #[test]
    fn few_numbers_are_accepted() {
        assert_eq!(sample_quantile(&[], 0.5, 1.0), None);
        let one = Summary::of(vec![4.0]).unwrap();
        assert!(one.median.value == 4.0 && one.deviation == 0.0 && one.mean.value == 4.0);
        assert_eq!(Summary::of(vec![1.0, 2.0, 3.0, 4.0]).unwrap().median.value, 2.5);
    }

    #[test]
    fn small_samples_have_no_interval() {
        let has_interval = |n: u32| {
            let found = Summary::of((0..n).map(f64::from).collect()).unwrap();
            [found.mean.interval, found.median.interval].map(|interval| interval.is_some())
        };
        assert_eq!([1, 2].map(has_interval), [[false; 2]; 2]);
        assert_eq!([3, 5].map(has_interval), [[true, false]; 2]);
        assert_eq!(has_interval(6), [true; 2]);
        // Sixty games of four players, each of whom has games of one length, are too few for an interval of the median.
        let shared = SharedPlayers::of((0..60).map(|at| Some([at % 4, 4 + at])));
        let games = (0..60).map(|at| (at, f64::from(10 * (at % 4)))).collect();
        let found = Summary::of_games(games, &shared).unwrap();
        assert!(found.median.interval.is_none() && found.mean.interval.is_some(), "{found:?}");
        assert_eq!(mean_of_games(&[(0, 1.0), (1, 3.0)], &shared), None);
    }

    #[test]
    fn intervals_of_the_median_of_few_numbers_contain_it() {
        for n in [6, 7, 10] {
            let mut rng = Rng::new(5);
            let held = (0..4000).filter(|_| {
                let numbers = (0..n).map(|_| standard_normal(&mut rng).exp()).collect();
                Summary::of(numbers).unwrap().median.interval.unwrap().holds(1.0)
            });
            let proportion = held.count() as f64 / 4000.0;
            assert!(proportion > 0.945, "{n}: {proportion}");
        }
    }
}
