//! Comparison of two samples.

use super::interval::{Estimate, Rate, Z95, difference_of_estimates, difference_of_rates};
use super::normal::{normal_quantile, two_sided};
use super::score::WdlCounts;

/// A difference, the first minus the second, and its p-value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DifferenceEstimate {
    /// The difference with its interval.
    pub value: Estimate,
    /// The probability of a difference at least as large if the true values are equal.
    pub p: f64,
}

/// Compares two proportions, with Newcombe's interval and the p-value of the score test. Both allow for the design effects
/// of the proportions.
pub fn compare_proportions(first: &Rate, second: &Rate) -> DifferenceEstimate {
    let (m, n) = (first.n as f64, second.n as f64);
    let pooled = (first.hits + second.hits) as f64 / (m + n);
    let parts = first.design_effect / m + second.design_effect / n;
    let error = (pooled * (1.0 - pooled) * parts).sqrt();
    let value = difference_of_rates(first, second);
    DifferenceEstimate { value, p: p_value(value.value, error) }
}

/// The results of a sample of games.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoreSample {
    /// The numbers of wins, draws, and losses.
    pub counts: WdlCounts,
    /// The factor by which shared players increase the variance of the score.
    pub design_effect: f64,
}

/// Compares two mean scores, with the p-value of the score test; `None` if a sample has no games.
pub fn compare_scores(first: &ScoreSample, second: &ScoreSample) -> Option<DifferenceEstimate> {
    let score = |sample: &ScoreSample| sample.counts.score_with_design_effect(sample.design_effect).ok();
    let value = difference_of_estimates(score(first)?, score(second)?);
    // The samples are pooled because under equal truths both are informative: a side that won its only game
    // has no variance of its own, but proves nothing.
    let pooled = WdlCounts {
        wins: first.counts.wins + second.counts.wins,
        draws: first.counts.draws + second.counts.draws,
        losses: first.counts.losses + second.counts.losses,
    };
    let mean = pooled.mean()?;
    let square = (pooled.wins as f64 + pooled.draws as f64 / 4.0) / pooled.n() as f64;
    let part = |sample: &ScoreSample| sample.design_effect.max(1.0) / sample.counts.n() as f64;
    let parts = part(first) + part(second);
    let error = ((square - mean * mean).max(0.0) * parts).sqrt();
    Some(DifferenceEstimate { value, p: p_value(value.value, error) })
}

/// Compares two independent estimates with normal errors.
pub fn compare_estimates(first: Estimate, second: Estimate) -> DifferenceEstimate {
    let error = first.width().hypot(second.width()) / (2.0 * super::interval::Z95);
    let value = difference_of_estimates(first, second);
    DifferenceEstimate { value, p: p_value(value.value, error) }
}

fn p_value(difference: f64, error: f64) -> f64 {
    if error > 0.0 {
        two_sided(difference / error)
    } else if difference == 0.0 {
        1.0
    } else {
        0.0
    }
}

/// The comparison of two samples of numbers by ranks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankComparison {
    /// The probability that a number of the first sample exceeds one of the second; a tie counts a half.
    pub superiority: Estimate,
    /// The p-value of the Mann-Whitney test with the correction for ties.
    pub p: f64,
}

/// Compares two samples by their ranks; `None` if one is empty.
///
/// `design_effect` returns the factor by which the variance exceeds that of independent numbers, given the influence of each
/// number on the superiority, in the order of each sample.
pub fn compare_ranks(
    samples: [&[f64]; 2],
    design_effect: impl FnOnce([&[f64]; 2]) -> f64,
) -> Option<RankComparison> {
    let [first, second] = samples;
    if first.is_empty() || second.is_empty() {
        return None;
    }
    let mut all: Vec<(f64, usize)> = first.iter().chain(second).copied().zip(0..).collect();
    all.sort_by(|one, two| one.0.total_cmp(&two.0));
    let (m, n) = (first.len() as f64, second.len() as f64);
    // For each number, the proportion of numbers of the other sample compared with which the first sample has the larger
    // number; a tie counts a half.
    let mut placements = vec![0.0; all.len()];
    let (mut sum, mut ties, [mut of_first, mut of_second]) = (0.0, 0.0, [0.0; 2]);
    for alike in all.chunk_by(|one, two| one.0 == two.0) {
        let size = alike.len() as f64;
        let alike_of_first = alike.iter().filter(|(_, at)| *at < first.len()).count() as f64;
        let alike_of_second = size - alike_of_first;
        let below = of_second + alike_of_second / 2.0;
        let above = m - of_first - alike_of_first / 2.0;
        for (_, at) in alike {
            placements[*at] = if *at < first.len() { below / n } else { above / m };
        }
        sum += alike_of_first * below;
        ties += size * size * size - size;
        of_first += alike_of_first;
        of_second += alike_of_second;
    }
    let proportion = sum / (m * n);
    let influences: Vec<f64> = (0..)
        .zip(&placements)
        .map(|(at, placement)| (placement - proportion) / if at < first.len() { m } else { n })
        .collect();
    let (of_first, of_second) = influences.split_at(first.len());
    let effect = design_effect([of_first, of_second]);
    let total = m + n;
    let variance = effect * (total + 1.0 - ties / (total * (total - 1.0)).max(1.0)) / (12.0 * m * n);
    let p = p_value(proportion - 0.5, variance.max(0.0).sqrt());
    // Newcombe's variance of the proportion, which is also valid away from one half.
    let half = (total / 2.0) - 1.0;
    let variance = proportion
        * (1.0 - proportion)
        * (1.0 + half * ((1.0 - proportion) / (2.0 - proportion) + proportion / (1.0 + proportion)))
        / (m * n).max(1.0)
        * effect;
    let wide = Estimate::normal(proportion, variance.max(0.25 / (m * n)).sqrt());
    let superiority = Estimate { value: proportion, low: wide.low.max(0.0), high: wide.high.min(1.0) };
    Some(RankComparison { superiority, p })
}

/// Returns the number of games of each of two variants needed to distinguish two proportions, with 5 % errors of the first kind
/// and a power of 80 %; `None` if the proportions are equal, or so extreme that games would not vary. The design effects of
/// the proportions are included: they stay the same if the numbers of players grow with those of their games.
pub fn games_needed(first: &Rate, second: &Rate) -> Option<u64> {
    let gap = (first.proportion.value - second.proportion.value).abs();
    let variance = [first, second]
        .map(|rate| rate.design_effect * rate.proportion.value * (1.0 - rate.proportion.value))
        .iter()
        .sum::<f64>();
    let needed = (Z95 + normal_quantile(0.8)).powi(2) * variance / (gap * gap);
    (gap > 0.0 && variance > 0.0 && needed < 1e15).then_some(needed.ceil() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(wins: u64, draws: u64, losses: u64) -> ScoreSample {
        ScoreSample { counts: WdlCounts { wins, draws, losses }, design_effect: 1.0 }
    }

    #[test]
    fn equal_samples_do_not_differ() {
        let rate = Rate::of(30, 100).unwrap();
        let same = compare_proportions(&rate, &rate);
        assert!(same.p == 1.0 && same.value.value == 0.0 && same.value.holds(0.0));
        let other = compare_proportions(&rate, &Rate::of(50, 100).unwrap());
        // prop.test(c(30, 50), c(100, 100), correct = FALSE) of R: p = 0.003892.
        assert!((other.p - 0.003_892).abs() < 1e-6, "{other:?}");
        let all = Rate::of(5, 5).unwrap();
        assert!(compare_proportions(&all, &all).p == 1.0);
    }

    #[test]
    fn ranks_match_other_programs() {
        // Five of twelve pairs; the statistic has mean 6 and variance 4 * 3 * 8 / 12.
        let found = compare_ranks([&[1.1, 2.2, 3.3, 4.4], &[2.0, 3.0, 5.0]], |_| 1.0).unwrap();
        assert!((found.superiority.value - 5.0 / 12.0).abs() < 1e-12);
        assert!((found.p - two_sided(1.0 / 8.0f64.sqrt())).abs() < 1e-12);
        let tied = compare_ranks([&[1.0; 4], &[1.0; 4]], |_| 1.0).unwrap();
        assert!(tied.superiority.value == 0.5 && tied.p == 1.0 && tied.superiority.is_sound());
        assert!(compare_ranks([&[], &[1.0]], |_| 1.0).is_none());
    }

    #[test]
    fn the_needed_number_matches_published_values() {
        let rate = |hits| Rate::of(hits, 100).unwrap();
        let needed = |first, second| games_needed(&rate(first), &rate(second));
        assert_eq!(needed(55, 50), Some(1562));
        assert_eq!(needed(50, 50), None);
        assert_eq!((needed(0, 100), needed(0, 0)), (None, None));
        // Design effects multiply the variances.
        let shared = |hits| rate(hits).with_design_effect(3.0);
        assert_eq!(games_needed(&shared(55), &shared(50)), Some(4686));
        let one = games_needed(&shared(50), &rate(55)).unwrap();
        assert!((1562..4686).contains(&one), "{one}");
    }

    #[test]
    fn one_win_against_one_loss_is_not_significant() {
        let [win, loss, drawn] = [sample(1, 0, 0), sample(0, 0, 1), sample(0, 9, 0)];
        let found = compare_scores(&win, &loss).unwrap();
        assert!((found.p - two_sided(2.0f64.sqrt())).abs() < 1e-12, "{found:?}");
        assert!(compare_scores(&drawn, &win).unwrap().p > 0.001);
        assert_eq!(compare_scores(&drawn, &drawn).unwrap().p, 1.0);
        assert!(compare_scores(&drawn, &sample(0, 0, 0)).is_none());
    }

    #[test]
    fn scores_without_draws_are_proportions() {
        let found = compare_scores(&sample(30, 0, 70), &sample(50, 0, 50)).unwrap();
        let proportions = compare_proportions(&Rate::of(30, 100).unwrap(), &Rate::of(50, 100).unwrap());
        assert!((found.p - proportions.p).abs() < 1e-12, "{found:?}");
    }
}
