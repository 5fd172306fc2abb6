//! Ratios of sums over games, such as errors per ply. The plies of a game are not independent, so standard errors are
//! computed from the totals of games, and allow for games that share players.

use super::dyadic::SharedPlayers;
use super::interval::{Estimate, Rate, SMALL_SAMPLE, Z95};
use super::normal::student_quantile;
use super::quantile::MIN_FOR_MEAN;

/// A ratio of two sums over games.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatioOfSums {
    /// The ratio.
    pub value: f64,
    /// Its standard error over games; `None` for fewer than two games.
    pub error: Option<f64>,
    /// The number of games with a denominator above 0.
    pub games: u64,
    /// The factor by which the variance exceeds that of independent games; at least 1.
    pub design_effect: f64,
}

impl RatioOfSums {
    /// Returns the ratio of the sums of pairs (numerator, denominator), one for each game; `None` if the sum of the
    /// denominators is 0.
    ///
    /// The error is that of the ratio estimator of survey sampling: the deviations of the numerators from the ratio
    /// times their denominators.
    pub fn of(pairs: &[(f64, f64)]) -> Option<RatioOfSums> {
        let mut pairs: Vec<(f64, f64)> = pairs.iter().copied().filter(|(_, below)| *below > 0.0).collect();
        // Sorted, so that the last digits do not depend on the order of the games.
        pairs.sort_unstable_by(|one, two| one.1.total_cmp(&two.1).then(one.0.total_cmp(&two.0)));
        let n = pairs.len() as f64;
        let below: f64 = pairs.iter().map(|(_, below)| below).sum();
        if pairs.is_empty() || !below.is_finite() {
            return None;
        }
        let value = pairs.iter().map(|(above, _)| above).sum::<f64>() / below;
        let squares: f64 = pairs.iter().map(|(above, below)| (above - value * below).powi(2)).sum();
        let error = (pairs.len() > 1).then(|| (squares / (n - 1.0) * n).sqrt() / below);
        Some(RatioOfSums { value, error, games: pairs.len() as u64, design_effect: 1.0 })
    }

    /// Returns the ratio of the sums of pairs of games; from 30 games on, its error allows for games that share players.
    pub fn of_games(pairs: &[(f64, f64)], shared: &SharedPlayers) -> Option<RatioOfSums> {
        let plain = RatioOfSums::of(pairs)?;
        if plain.games < SMALL_SAMPLE {
            return Some(plain);
        }
        let deviations = (0..)
            .zip(pairs)
            .filter(|(_, (_, below))| *below > 0.0)
            .map(|(at, (above, below))| (at, above - plain.value * below));
        let effect = shared.effect_on_mean(deviations).unwrap_or(1.0);
        let error = plain.error.map(|error| error * effect.sqrt());
        Some(RatioOfSums { error, design_effect: effect, ..plain })
    }

    /// Returns the ratio with its interval by Student's distribution, for the number of games divided by the design effect; `None`
    /// if this quotient is below [`MIN_FOR_MEAN`].
    pub fn estimate(&self) -> Option<Estimate> {
        let games = self.games as f64 / self.design_effect;
        let error = self.error.filter(|_| games >= MIN_FOR_MEAN)?;
        Some(Estimate::normal(self.value, student_quantile(games - 1.0) / Z95 * error))
    }
}

/// Returns the proportion of hits among trials that are clustered by game: pairs (hits, trials), one for each game.
///
/// Wilson's interval for the number of trials divided by the design effect: the variance over games, which share players,
/// relative to that of independent trials, at least 1. `None` without trials.
pub fn clustered_rate(pairs: &[(u64, u64)], shared: &SharedPlayers) -> Option<Rate> {
    let (hits, n) = pairs.iter().fold((0, 0), |(hits, n), pair| (hits + pair.0, n + pair.1));
    let rate = Rate::of(hits, n)?;
    let numbers: Vec<(f64, f64)> = pairs.iter().map(|(hits, n)| (*hits as f64, *n as f64)).collect();
    let ratio = RatioOfSums::of_games(&numbers, shared)?;
    let independent = ratio.value * (1.0 - ratio.value) / n as f64;
    let effect = match ratio.error {
        Some(error) if independent > 0.0 => error * error / independent,
        _ => 1.0,
    };
    Some(rate.with_design_effect(effect))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_match_an_independent_formula() {
        // By numpy, from the covariance matrix and by leaving out one game at a time: reports/tests/reference/ratio.py.
        let pairs = [(1.0, 10.0), (0.0, 14.0), (3.0, 22.0), (2.0, 9.0), (1.0, 31.0), (4.0, 18.0)];
        let ratio = RatioOfSums::of(&pairs).unwrap();
        assert!((ratio.value - 0.105_769_230_769_230_77).abs() < 1e-12, "{ratio:?}");
        assert!((ratio.error.unwrap() - 0.038_463_227_517_532_12).abs() < 1e-12, "{ratio:?}");
        let hits: Vec<(u64, u64)> =
            pairs.iter().map(|(above, below)| (*above as u64, *below as u64)).collect();
        let rate = clustered_rate(&hits, &SharedPlayers::default()).unwrap();
        assert_eq!((rate.hits, rate.n), (11, 104));
        assert!((rate.design_effect - 1.626_731_333_182_946_7).abs() < 1e-9, "{rate:?}");
    }

    #[test]
    fn games_of_careless_players_are_not_independent() {
        // Two of ten players err in half of their plies, and the others never do.
        let pairs: Vec<(u64, u64)> = (0..100).map(|at| (if at % 5 == 0 { 10 } else { 0 }, 20)).collect();
        let shared = SharedPlayers::of((0..100).map(|at| Some([at % 10, 10 + at])));
        let [independent, found] =
            [&SharedPlayers::default(), &shared].map(|shared| clustered_rate(&pairs, shared).unwrap());
        assert_eq!(found.proportion.value, independent.proportion.value);
        // All ten games of a player are alike, so there are ten instead of a hundred; the correction for few players is small.
        let ratio = found.design_effect / independent.design_effect;
        assert!((9.5..10.7).contains(&ratio), "{ratio}");
        // Student's quantile for nine degrees of freedom is 2.26, and for 99 it is 1.98.
        let numbers: Vec<(f64, f64)> = pairs.iter().map(|(hits, n)| (*hits as f64, *n as f64)).collect();
        let found = RatioOfSums::of_games(&numbers, &shared).unwrap();
        let reach = found.estimate().unwrap().width() / 2.0 / found.error.unwrap();
        assert!((2.2..2.32).contains(&reach), "{reach}");
    }

    #[test]
    fn few_games_have_no_error() {
        assert_eq!(RatioOfSums::of(&[]), None);
        assert_eq!(RatioOfSums::of(&[(1.0, 0.0)]), None);
        assert_eq!(RatioOfSums::of(&[(1.0, 4.0)]).unwrap().estimate(), None);
        assert_eq!(RatioOfSums::of(&[(1.0, 4.0), (2.0, 5.0)]).unwrap().estimate(), None);
        let three = RatioOfSums::of(&[(1.0, 4.0), (2.0, 5.0), (2.0, 4.0)]).unwrap();
        assert!(three.estimate().unwrap().width() > 8.0 * three.error.unwrap(), "{three:?}");
        // No error at all in ten games: the interval is not empty.
        let none = clustered_rate(&[(0, 30); 10], &SharedPlayers::default()).unwrap();
        assert!(none.proportion.high > 0.01 && none.design_effect == 1.0, "{none:?}");
        assert_eq!(clustered_rate(&[(0, 0)], &SharedPlayers::default()), None);
    }
}
