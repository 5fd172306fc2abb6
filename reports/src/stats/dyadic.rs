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
    // Sorted, so that the last digits do not depend on the order in which games were imported.
    let mut deviations: Vec<(Option<[u32; 2]>, f64)> = deviations.collect();
    deviations.sort_unstable_by(|one, two| one.0.cmp(&two.0).then(one.1.total_cmp(&two.1)));
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

/// The players of games, prepared for the design effects of the proportions of many kinds of these games.
///
/// The result is that of [`design_effect`], in a time that grows with the number of hits instead of the number of games.
#[derive(Debug, Clone)]
pub struct SharedPlayers {
    /// The players and the pair of each game; `None` for a game that depends on no other.
    of_game: Vec<Option<([u32; 2], u32)>>,
    /// The number of games of each player, and of each pair.
    n_of: [Vec<f64>; 2],
    /// The number of players with games.
    n_players: f64,
    /// The number of games without two players.
    n_alone: f64,
}

impl SharedPlayers {
    /// Prepares games, given by the indices of both players.
    pub fn of(games: impl IntoIterator<Item = Option<[u32; 2]>>) -> SharedPlayers {
        let games: Vec<Option<[u32; 2]>> =
            games.into_iter().map(|players| players.filter(|[one, two]| one != two)).collect();
        let key = |[one, two]: [u32; 2]| [one.min(two), one.max(two)];
        let mut pairs: Vec<[u32; 2]> = games.iter().flatten().map(|players| key(*players)).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let n_players = pairs.iter().map(|[_, two]| *two as usize + 1).max().unwrap_or(0);
        let mut n_of = [vec![0.0; n_players], vec![0.0; pairs.len()]];
        let mut n_alone = 0.0;
        let of_game = games.into_iter().map(|players| {
            let Some(players) = players else {
                n_alone += 1.0;
                return None;
            };
            let pair = pairs.partition_point(|pair| *pair < key(players));
            players.iter().for_each(|player| n_of[0][*player as usize] += 1.0);
            n_of[1][pair] += 1.0;
            Some((players, pair as u32))
        });
        let of_game = of_game.collect();
        let n_players = n_of[0].iter().filter(|n| **n > 0.0).count() as f64;
        SharedPlayers { of_game, n_of, n_players, n_alone }
    }

    /// Returns the design effect of the proportion of the games with the given indices, see [`design_effect`].
    pub fn design_effect(&self, hits: &[u32]) -> Option<f64> {
        let n = self.of_game.len() as f64;
        let mean = hits.len() as f64 / n;
        let plain = n * mean * (1.0 - mean);
        if self.of_game.len() < 2 || plain <= 0.0 {
            return None;
        }
        let (mut players, mut pairs, mut alone) = (Vec::new(), Vec::new(), 0.0);
        for hit in hits {
            match self.of_game.get(*hit as usize).copied().flatten() {
                None => alone += 1.0,
                Some((both, pair)) => {
                    players.extend(both);
                    pairs.push(pair);
                }
            }
        }
        let [of_players, of_pairs] = [(players, &self.n_of[0]), (pairs, &self.n_of[1])]
            .map(|(hits, n_of)| squared_deviations(hits, n_of, mean));
        let shared = of_players - of_pairs;
        let alone = alone * (1.0 - 2.0 * mean) + self.n_alone * mean * mean;
        let few = if self.n_players > 1.0 { self.n_players / (self.n_players - 1.0) } else { 1.0 };
        Some(((alone + shared * few) / plain).max(1.0))
    }
}

/// Returns the sum over groups of the squares of `hits - mean * n`; `hits` has the group of each hit.
fn squared_deviations(mut hits: Vec<u32>, n_of: &[f64], mean: f64) -> f64 {
    hits.sort_unstable();
    let all: f64 = n_of.iter().map(|n| n * n).sum();
    let own: f64 = hits
        .chunk_by(|one, two| one == two)
        .map(|group| {
            let n = group.len() as f64;
            n * (n - 2.0 * mean * n_of[group[0] as usize])
        })
        .sum();
    own + mean * mean * all
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
    fn sums_are_the_same_in_any_order() {
        let mut games = random(5, 200, 0.5);
        games.iter_mut().step_by(3).for_each(|game| game.players = None);
        let forward = design_effect(&games);
        games.reverse();
        assert_eq!(design_effect(&games), forward);
        games.rotate_left(77);
        assert_eq!(design_effect(&games), forward);
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
    fn prepared_games_have_the_same_design_effect() {
        let mut games = random(8, 400, 0.8);
        games.iter_mut().step_by(7).for_each(|game| game.players = None);
        games[3].players = Some([5, 5]);
        let prepared = SharedPlayers::of(games.iter().map(|game| game.players));
        let hits = (0..).zip(&games).filter(|(_, game)| game.is_hit).map(|(at, _)| at);
        let (fast, slow) = (prepared.design_effect(&hits.collect::<Vec<u32>>()), design_effect(&games));
        assert!(slow.unwrap() > 1.2, "{slow:?}");
        assert!((fast.unwrap() - slow.unwrap()).abs() < 1e-9, "{fast:?} {slow:?}");
        assert_eq!((prepared.design_effect(&[]), SharedPlayers::of([]).design_effect(&[])), (None, None));
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
