//! Log odds of scores, in which effects near 0 % and 100 % are comparable with those near 50 %.

use super::tally::GameTally;
use crate::stats::Estimate;
use crate::stats::compare::DifferenceEstimate;
use crate::stats::normal::two_sided;

/// The trend of the attackers' score with the number of nodes per move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NodesTrend {
    /// The change of the log odds of the score per tenfold number of nodes.
    pub slope: Estimate,
    /// The two-sided p-value of the slope.
    pub p: f64,
}

/// Returns the change of the log odds of a score over pairs of scores, before and after; `None` without pairs.
///
/// Four pairs of all combinations of a win and a loss, with a weight of one fourth each, are added, so that the value is
/// finite. For unpaired games, it equals the log odds ratio with one half added to each count, and its error that of Woolf.
pub(super) fn paired_log_odds(pairs: &[(f64, f64)]) -> Option<DifferenceEstimate> {
    if pairs.is_empty() {
        return None;
    }
    let added = [(0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0)].map(|pair| (pair, 0.25));
    let all = pairs.iter().map(|pair| (*pair, 1.0)).chain(added);
    let (mut n, mut before, mut after) = (0.0, 0.0, 0.0);
    for ((one, two), weight) in all.clone() {
        n += weight;
        before += weight * one;
        after += weight * two;
    }
    let (before, after) = (before / n, after / n);
    let [slope_before, slope_after] = [before, after].map(|mean| 1.0 / (mean * (1.0 - mean)));
    let squares: f64 = all
        .map(|((one, two), weight)| {
            weight * ((two - after) * slope_after - (one - before) * slope_before).powi(2)
        })
        .sum();
    let logit = |mean: f64| (mean / (1.0 - mean)).ln();
    let (value, error) = (logit(after) - logit(before), squares.sqrt() / n);
    Some(DifferenceEstimate { value: Estimate::normal(value, error), p: two_sided(value / error) })
}

/// Returns the trend of the score over levels of nodes by weighted least squares, with one half win and one half loss
/// added to each level; `None` for fewer than two levels with at least 30 finished games.
pub(super) fn nodes_trend<'t>(levels: impl Iterator<Item = (u64, &'t GameTally)>) -> Option<NodesTrend> {
    let points: Vec<(f64, f64, f64)> = levels
        .filter(|(_, tally)| tally.ended() >= crate::stats::interval::SMALL_SAMPLE)
        .map(|(nodes, tally)| {
            let wins = tally.attackers as f64 + tally.draws as f64 / 2.0 + 0.5;
            let losses = tally.ended() as f64 + 1.0 - wins;
            // The variance of games without draws, which is at least that of games with draws.
            ((nodes as f64).log10(), (wins / losses).ln(), 1.0 / (1.0 / wins + 1.0 / losses))
        })
        .collect();
    let total: f64 = points.iter().map(|(_, _, weight)| weight).sum();
    let mean = points.iter().map(|(x, _, weight)| x * weight).sum::<f64>() / total;
    let sum_of_squares: f64 = points.iter().map(|(x, _, weight)| weight * (x - mean).powi(2)).sum();
    if points.len() < 2 || sum_of_squares <= 0.0 {
        return None;
    }
    let slope = points.iter().map(|(x, y, weight)| weight * (x - mean) * y).sum::<f64>() / sum_of_squares;
    let error = 1.0 / sum_of_squares.sqrt();
    Some(NodesTrend { slope: Estimate::normal(slope, error), p: two_sided(slope / error) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::interval::Z95;

    fn error(estimate: Estimate) -> f64 {
        estimate.width() / (2.0 * Z95)
    }

    #[test]
    fn unpaired_games_give_woolfs_error() {
        // 20 of 40 before, 10 of 40 after, independent.
        let pairs: Vec<(f64, f64)> =
            (0..40).map(|at| (f64::from(at % 2), f64::from(u8::from(at / 2 % 4 == 0)))).collect();
        let found = paired_log_odds(&pairs).unwrap().value;
        let value = (10.5f64 / 30.5).ln();
        let woolf = (1.0f64 / 10.5 + 1.0 / 30.5 + 2.0 / 20.5).sqrt();
        assert!((found.value - value).abs() < 1e-9, "{found:?} {value}");
        assert!((error(found) - woolf).abs() < 1e-9, "{found:?} {woolf}");
    }

    #[test]
    fn pairs_that_agree_have_a_smaller_error_and_a_floor_a_large_one() {
        let alike: Vec<(f64, f64)> = (0..40).map(|at| [f64::from(at % 2); 2].into()).collect();
        let found = paired_log_odds(&alike).unwrap().value;
        assert!(found.value.abs() < 1e-12 && error(found) > 0.0 && error(found) < 0.25, "{found:?}");
        let floor = paired_log_odds(&[(0.0, 0.0); 40]).unwrap().value;
        assert!(floor.value == 0.0 && floor.high > 2.0, "{floor:?}");
        assert!(paired_log_odds(&[]).is_none());
    }

    #[test]
    fn the_trend_is_that_of_weighted_least_squares() {
        let level = |attackers, defenders| GameTally {
            games: attackers + defenders,
            attackers,
            defenders,
            ..GameTally::default()
        };
        let levels = [(100, level(30, 10)), (1000, level(20, 20)), (10_000, level(12, 28))];
        let found = nodes_trend(levels.iter().map(|(nodes, tally)| (*nodes, tally))).unwrap();
        // WLS of statsmodels, see reports/tests/reference/nodes_trend.py.
        assert!((found.slope.value - SLOPE).abs() < 1e-6, "{found:?}");
        assert!((error(found.slope) - ERROR).abs() < 1e-6, "{found:?}");
        assert!(nodes_trend(levels[..1].iter().map(|(nodes, tally)| (*nodes, tally))).is_none());
        assert!(nodes_trend([(10, &level(5, 5)), (20, &level(30, 30))].into_iter()).is_none());
    }

    const SLOPE: f64 = -0.942_790_030_357_194;
    const ERROR: f64 = 0.246_398_273_514_920_66;
}
