//! Variances of means over games that share players.
//!
//! Two games are dependent if a player occurs in both. The variance of a mean is therefore the sum of the products
//! of deviations over all pairs of games that share at least one player (Fafchamps and Gubert 2007; Aronow, Samii,
//! and Assenova 2015), computed from the sums of each player and of each pair of players.

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
    Some((dyadic_sum(games, mean) / plain).max(1.0))
}

/// The number of hits and of games of a player or a pair: whole numbers, whose sums don't depend on the order of games.
#[derive(Debug, Clone, Copy, Default)]
struct GroupCounts {
    hits: u32,
    n: u32,
}

impl GroupCounts {
    fn add(&mut self, is_hit: bool) {
        self.hits += u32::from(is_hit);
        self.n += 1;
    }

    fn squared_deviation(self, mean: f64) -> f64 {
        (f64::from(self.hits) - mean * f64::from(self.n)).powi(2)
    }
}

/// Returns the sum of the products of the deviations from `mean` over all pairs of games that share a player, with the
/// correction for few players `players / (players - 1)`.
fn dyadic_sum(games: &[DyadicGame], mean: f64) -> f64 {
    let numbers = PlayerNumbers::of(games);
    let mut players = vec![GroupCounts::default(); numbers.len];
    let mut alone = GroupCounts::default();
    // Keys of a pair and a result, which are equal but for the last bit if the pair is.
    let mut pairs: Vec<u64> = Vec::with_capacity(games.len());
    for game in games {
        match game.players.filter(|[one, two]| one != two) {
            None => alone.add(game.is_hit),
            Some(both) => {
                let [one, two] = both.map(|player| numbers.number(player));
                players[one].add(game.is_hit);
                players[two].add(game.is_hit);
                pairs.push((one.min(two) as u64) << 33 | (one.max(two) as u64) << 1 | u64::from(game.is_hit));
            }
        }
    }
    pairs.sort_unstable();
    let of_pair = |keys: &[u64]| {
        let hits = keys.iter().map(|key| (key & 1) as u32).sum();
        GroupCounts { hits, n: keys.len() as u32 }.squared_deviation(mean)
    };
    let of_pairs: f64 = pairs.chunk_by(|one, two| one >> 1 == two >> 1).map(of_pair).sum();
    let of_players: f64 = players.iter().map(|player| player.squared_deviation(mean)).sum();
    let n = players.iter().filter(|player| player.n > 0).count() as f64;
    let few = if n > 1.0 { n / (n - 1.0) } else { 1.0 };
    let misses = alone.n - alone.hits;
    let of_alone = f64::from(alone.hits) * (1.0 - mean).powi(2) + f64::from(misses) * mean * mean;
    of_alone + (of_players - of_pairs) * few
}

/// The numbers of players, from 0, in the order of their indices.
struct PlayerNumbers {
    /// The indices of the players, rising; empty if the indices are the numbers.
    players: Vec<u32>,
    /// A number above all others.
    len: usize,
}

impl PlayerNumbers {
    fn of(games: &[DyadicGame]) -> PlayerNumbers {
        let all = || games.iter().filter_map(|game| game.players).flatten();
        let len = all().max().map_or(0, |player| player as usize + 1);
        // A table by index is as long as the largest one.
        if len <= 8 * games.len() + 1024 {
            return PlayerNumbers { players: Vec::new(), len };
        }
        let mut players: Vec<u32> = all().collect();
        players.sort_unstable();
        players.dedup();
        PlayerNumbers { len: players.len(), players }
    }

    fn number(&self, player: u32) -> usize {
        if self.players.is_empty() {
            player as usize
        } else {
            self.players.partition_point(|own| *own < player)
        }
    }
}

/// The players of games, prepared for the design effects of the proportions of many kinds of these games.
///
/// The result is that of [`design_effect`], in a time that grows with the number of hits instead of the number of games.
#[derive(Debug, Clone)]
pub struct SharedPlayers {
    /// The players and the pair of each game; `None` for a game that depends on no other.
    of_game: Vec<Option<([u32; 2], u32)>>,
    /// The number of games of each player, and of each pair.
    n_of: [GroupSizes; 2],
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
        let key = |[one, two]: [u32; 2]| u64::from(one.min(two)) << 32 | u64::from(one.max(two));
        let keys = games.iter().enumerate().filter_map(|(at, players)| Some((key((*players)?), at as u32)));
        let mut keys: Vec<(u64, u32)> = keys.collect();
        keys.sort_unstable();
        let n_players = games.iter().flatten().flatten().max().map_or(0, |player| *player as usize + 1);
        let (mut of_players, mut of_pairs) = (vec![0.0; n_players], Vec::new());
        let mut of_game = vec![None; games.len()];
        for (number, pair) in (0..).zip(keys.chunk_by(|one, two| one.0 == two.0)) {
            of_pairs.push(pair.len() as f64);
            for (_, at) in pair {
                of_game[*at as usize] = games[*at as usize].map(|players| (players, number));
            }
        }
        games.iter().flatten().flatten().for_each(|player| of_players[*player as usize] += 1.0);
        let n_players = of_players.iter().filter(|n| **n > 0.0).count() as f64;
        let n_alone = games.iter().filter(|players| players.is_none()).count() as f64;
        SharedPlayers { of_game, n_of: [of_players, of_pairs].map(GroupSizes::of), n_players, n_alone }
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
            .map(|(hits, sizes)| squared_deviations(hits, sizes, mean));
        let shared = of_players - of_pairs;
        let alone = alone * (1.0 - 2.0 * mean) + self.n_alone * mean * mean;
        let few = if self.n_players > 1.0 { self.n_players / (self.n_players - 1.0) } else { 1.0 };
        Some(((alone + shared * few) / plain).max(1.0))
    }
}

/// The number of games of each player, or of each pair.
#[derive(Debug, Clone)]
struct GroupSizes {
    n_of: Vec<f64>,
    /// The sum of their squares.
    squares: f64,
}

impl GroupSizes {
    fn of(n_of: Vec<f64>) -> GroupSizes {
        let squares = n_of.iter().map(|n| n * n).sum();
        GroupSizes { n_of, squares }
    }
}

/// Returns the sum over groups of the squares of `hits - mean * n`; `hits` has the group of each hit.
fn squared_deviations(mut hits: Vec<u32>, sizes: &GroupSizes, mean: f64) -> f64 {
    hits.sort_unstable();
    let own: f64 = hits
        .chunk_by(|one, two| one == two)
        .map(|group| {
            let n = group.len() as f64;
            n * (n - 2.0 * mean * sizes.n_of[group[0] as usize])
        })
        .sum();
    own + mean * mean * sizes.squares
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
        let fast = dyadic_sum(&games, mean);
        assert!((fast - slow * n / (n - 1.0)).abs() < 1e-9, "{fast} {slow}");
    }

    #[test]
    fn large_indices_are_renumbered() {
        let games = random(4, 300, 0.5);
        let moved: Vec<DyadicGame> = games
            .iter()
            .map(|game| DyadicGame {
                players: game.players.map(|both| both.map(|player| u32::MAX - 100 + player)),
                ..*game
            })
            .collect();
        assert_eq!(design_effect(&moved), design_effect(&games));
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
