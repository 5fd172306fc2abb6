//! Variances of means over games that share players.
//!
//! Two games are dependent if a player occurs in both. The variance of a mean is therefore the sum of the products
//! of deviations over all pairs of games that share at least one player (Fafchamps and Gubert 2007; Aronow, Samii,
//! and Assenova 2015), computed from the sums of each player and of each pair of players.

use std::collections::HashMap;

use super::interval::{Estimate, wilson_of};

/// The games of a proportion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DyadicGame {
    /// The indices of both players; `None` if they are not known, or equal. Such a game depends on no other.
    pub players: Option<[u32; 2]>,
    /// Whether it is a hit.
    pub is_hit: bool,
}

/// Returns the factor by which the variance of a proportion exceeds that of independent games: the design effect.
/// `None` for fewer than two games or equal results.
///
/// Estimates below 1 are raised to 1, so that intervals are never narrower than those of independent games: with few
/// players, such estimates are mostly chance.
pub fn design_effect(games: &[DyadicGame]) -> Option<f64> {
    let n = games.len() as f64;
    let mean = games.iter().filter(|game| game.is_hit).count() as f64 / n;
    let plain = n * mean * (1.0 - mean);
    if games.len() < 2 || plain <= 0.0 {
        return None;
    }
    let deviations = games.iter().map(|game| (game.players, f64::from(u8::from(game.is_hit)) - mean));
    Some((dyadic_sum(deviations) / plain).max(1.0))
}

/// Returns the sum of the products of two deviations over all pairs of games that share a player, with the
/// correction for few players `players / (players - 1)`.
pub(crate) fn dyadic_sum(deviations: impl Iterator<Item = (Option<[u32; 2]>, f64)>) -> f64 {
    let (mut players, mut pairs) = (HashMap::<u32, f64>::new(), HashMap::<[u32; 2], f64>::new());
    let mut alone = 0.0;
    for (names, deviation) in deviations {
        match names {
            None => alone += deviation * deviation,
            Some([one, two]) if one == two => alone += deviation * deviation,
            Some([one, two]) => {
                *players.entry(one).or_default() += deviation;
                *players.entry(two).or_default() += deviation;
                *pairs.entry([one.min(two), one.max(two)]).or_default() += deviation;
            }
        }
    }
    // Sums are taken in the order of the keys, so that they do not depend on the order of the table.
    let n = players.len() as f64;
    let shared = squares(players) - squares(pairs);
    alone + if n > 1.0 { shared * n / (n - 1.0) } else { shared }
}

fn squares<K: Ord>(sums: HashMap<K, f64>) -> f64 {
    let mut all: Vec<(K, f64)> = sums.into_iter().collect();
    all.sort_unstable_by(|one, two| one.0.cmp(&two.0));
    all.iter().map(|(_, sum)| sum * sum).sum()
}

/// Returns the proportion of hits with an interval that allows for games that share players: Wilson's for the
/// number of games divided by the design effect. `None` without games.
pub fn dyadic_proportion(games: &[DyadicGame]) -> Option<Estimate> {
    let hits = games.iter().filter(|game| game.is_hit).count() as f64;
    let n = games.len() as f64;
    (n > 0.0).then(|| wilson_of(hits / n, n / design_effect(games).unwrap_or(1.0)))
}

#[cfg(test)]
mod tests {
    use tafl_rules::Rng;

    use super::*;
    use crate::stats::Rate;
    use crate::stats::normal::standard_normal;

    fn random(seed: u64, n: usize, skill: f64) -> Vec<DyadicGame> {
        let mut rng = Rng::new(seed);
        let sides: Vec<f64> = (0..60).map(|_| skill * standard_normal(&mut rng)).collect();
        (0..n)
            .map(|_| {
                let [one, two] = [rng.below(20), 20 + rng.below(40)];
                let chance = 1.0 / (1.0 + (-sides[one] - sides[two]).exp());
                let is_hit = rng.unit() < chance;
                DyadicGame { players: Some([one as u32, two as u32]), is_hit }
            })
            .collect()
    }

    #[test]
    fn sums_equal_those_over_all_pairs_of_games() {
        let games = random(3, 300, 0.5);
        let mean = games.iter().filter(|game| game.is_hit).count() as f64 / 300.0;
        let deviation = |game: &DyadicGame| f64::from(u8::from(game.is_hit)) - mean;
        let mut slow = 0.0;
        for one in &games {
            for two in &games {
                let (a, b) = (one.players.unwrap(), two.players.unwrap());
                if a.iter().any(|player| b.contains(player)) {
                    slow += deviation(one) * deviation(two);
                }
            }
        }
        let n = 60.0;
        let fast = dyadic_sum(games.iter().map(|game| (game.players, deviation(game))));
        assert!((fast - slow * n / (n - 1.0)).abs() < 1e-9, "{fast} {slow}");
    }

    #[test]
    fn intervals_have_their_coverage_with_and_without_side_skill() {
        for (skill, wilson_fails) in [(0.0, false), (1.0, true)] {
            let (mut dyadic, mut wilson) = (0, 0);
            for seed in 0..300 {
                let games = random(seed, 1500, skill);
                let hits = games.iter().filter(|game| game.is_hit).count() as u64;
                dyadic += u32::from(dyadic_proportion(&games).unwrap().holds(0.5));
                wilson += u32::from(Rate::of(hits, 1500).unwrap().proportion.holds(0.5));
            }
            let [dyadic, wilson] = [dyadic, wilson].map(|held| f64::from(held) / 300.0);
            assert!((0.91..=0.99).contains(&dyadic), "{skill}: {dyadic}");
            assert_eq!(wilson < 0.6, wilson_fails, "{skill}: {wilson}");
        }
    }

    #[test]
    fn games_without_names_are_independent() {
        let game = |at: u32| DyadicGame { players: None, is_hit: at.is_multiple_of(4) };
        let games: Vec<DyadicGame> = (0..100).map(game).collect();
        assert_eq!(dyadic_proportion(&games).unwrap(), Rate::of(25, 100).unwrap().proportion);
        assert_eq!(dyadic_proportion(&[]), None);
        assert_eq!(design_effect(&games[..1]), None);
    }
}
