//! Variances of means over games that share players.
//!
//! Two games are dependent if a player occurs in both. The variance of a mean is therefore the sum of the products
//! of deviations over all pairs of games that share at least one player (Fafchamps and Gubert 2007; Aronow, Samii,
//! and Assenova 2015), computed from the sums of each player and of each pair of players.

mod design_effect;
mod game_players;
mod growing_hits;

pub use design_effect::DesignEffect;
use design_effect::shared_pairs;
use game_players::{GamePlayers, number_pairs, number_players};
pub use growing_hits::GrowingHits;

/// The players of games, prepared for the design effects of proportions and means over these games or some of them.
///
/// A design effect is the factor by which the variance exceeds that of independent games; that of a proportion includes the widening of
/// a [`DesignEffect`] for few players. Estimates below 1 are raised to 1, so that intervals are never narrower than those of independent
/// games: with few players, such estimates are mostly chance. With the default, which has no players, all games are independent. A game
/// must not be given twice.
#[derive(Debug, Clone, Default)]
pub struct SharedPlayers {
    /// The players and the pair of each game.
    of_game: Vec<GamePlayers>,
    /// The number of games of each player, and of each pair that is not [`GamePlayers::SINGLE`].
    n_of: [GroupSizes; 2],
    /// The number of games without two players.
    n_alone: f64,
}

impl SharedPlayers {
    /// Prepares games, given by the indices of both players; `None` if they are not known. Such a game depends on no other,
    /// nor does one of a player against himself.
    pub fn of(games: impl IntoIterator<Item = Option<[u32; 2]>>) -> SharedPlayers {
        let known = |players: Option<[u32; 2]>| players.filter(|[one, two]| one != two);
        let of_game = games.into_iter().map(|players| match known(players) {
            Some(players) => GamePlayers { players, pair: GamePlayers::SINGLE },
            None => GamePlayers::ALONE,
        });
        let mut of_game: Vec<GamePlayers> = of_game.collect();
        let n_players = number_players(&mut of_game);
        let mut of_players = vec![0.0; n_players];
        for game in of_game.iter().filter(|game| **game != GamePlayers::ALONE) {
            game.players.iter().for_each(|player| of_players[*player as usize] += 1.0);
        }
        let of_pairs = number_pairs(&mut of_game, n_players);
        SharedPlayers::counted(of_game, [of_players, of_pairs])
    }

    /// Returns a subset of the games, given by their indices; they are numbered from 0 in this order.
    #[must_use]
    pub fn subset(&self, games: impl IntoIterator<Item = u32>) -> SharedPlayers {
        let of_game: Vec<GamePlayers> =
            games.into_iter().map(|game| self.pair_of(game).unwrap_or(GamePlayers::ALONE)).collect();
        let [mut of_players, mut of_pairs] = self.n_of.each_ref().map(|sizes| vec![0.0; sizes.n_of.len()]);
        for game in of_game.iter().filter(|game| **game != GamePlayers::ALONE) {
            game.players.iter().for_each(|player| of_players[*player as usize] += 1.0);
            if let Some(pair) = game.pair() {
                of_pairs[pair] += 1.0;
            }
        }
        SharedPlayers::counted(of_game, [of_players, of_pairs])
    }

    /// Returns games with the numbers of games of each player, and of each pair that is not single.
    fn counted(of_game: Vec<GamePlayers>, n_of: [Vec<f64>; 2]) -> SharedPlayers {
        let n_alone = of_game.iter().filter(|game| **game == GamePlayers::ALONE).count();
        let n_single = of_game.iter().filter(|game| game.pair().is_none()).count() - n_alone;
        let mut n_of = n_of.map(GroupSizes::of);
        n_of[1].squares += n_single as f64;
        SharedPlayers { of_game, n_of, n_alone: n_alone as f64 }
    }

    /// Returns the design effect of the proportion of hits among all games, given the indices of the hits. `None` for fewer than
    /// two games, and if none or all are hits. The time grows with the number of hits instead of the number of games.
    pub fn design_effect(&self, hits: &[u32]) -> Option<f64> {
        let (mut players, mut pairs, mut alone, mut single) = (Vec::new(), Vec::new(), 0.0, 0.0);
        for hit in hits {
            let Some(game) = self.pair_of(*hit) else {
                alone += 1.0;
                continue;
            };
            players.extend(game.players);
            match game.pair() {
                Some(_) => pairs.push(game.pair),
                None => single += 1.0,
            }
        }
        let mut sums = [(players, &self.n_of[0]), (pairs, &self.n_of[1])]
            .map(|(hits, sizes)| HitSums::of_groups(hits, sizes));
        sums[1].add_single(single);
        self.effect_of_sums(hits.len() as f64, alone, sums)
    }

    /// Returns the design effect of the proportion of hits among some of the games, given by their indices and whether
    /// they are hits. `None` for fewer than two games, and if none or all are hits.
    pub fn effect_among(&self, games: impl IntoIterator<Item = (u32, bool)>) -> Option<f64> {
        Some(self.design_effect_among(games)?.factor)
    }

    /// The same with all parts of the design effect, for p-values.
    pub fn design_effect_among(&self, games: impl IntoIterator<Item = (u32, bool)>) -> Option<DesignEffect> {
        let [mut players, mut pairs] =
            self.n_of.each_ref().map(|sizes| vec![GroupCounts::default(); sizes.n_of.len()]);
        let [mut all, mut alone, mut single] = [GroupCounts::default(); 3];
        for (at, is_hit) in games {
            all.add(is_hit);
            let Some(game) = self.pair_of(at) else {
                alone.add(is_hit);
                continue;
            };
            game.players.into_iter().for_each(|player| players[player as usize].add(is_hit));
            game.pair().map_or(&mut single, |pair| &mut pairs[pair]).add(is_hit);
        }
        let [hits, n] = [all.hits, all.n].map(f64::from);
        let mean = hits / n;
        let plain = n * mean * (1.0 - mean);
        if all.n < 2 || plain <= 0.0 {
            return None;
        }
        let squares = |groups: &[GroupCounts]| -> f64 {
            groups.iter().map(|group| group.squared_deviation(mean)).sum()
        };
        let [of_alone, of_single] = [alone, single].map(|games| games.squared_deviations(mean));
        let dyadic_sum = of_alone + squares(&players) - squares(&pairs) - of_single;
        let sizes =
            |groups: &[GroupCounts]| -> f64 { groups.iter().map(|group| f64::from(group.n).powi(2)).sum() };
        let of_pairs = sizes(&pairs) + f64::from(single.n);
        let h = shared_pairs([sizes(&players), of_pairs], n - f64::from(alone.n)) / (n * n);
        Some(DesignEffect::of(dyadic_sum / plain, h))
    }

    /// Returns the design effect of a mean over some of the games, given by their indices and their deviations from the
    /// mean. `None` for fewer than two games or no deviations.
    pub fn effect_on_mean(&self, deviations: impl Iterator<Item = (u32, f64)> + Clone) -> Option<f64> {
        let (n, max) =
            deviations.clone().fold((0, 0.0_f64), |(n, max), (_, own)| (n + 1, max.max(own.abs())));
        if n < 2 || max <= 0.0 {
            return None;
        }
        // As integers, whose sums do not depend on the order of the games. The unit cancels out.
        let per_unit = f64::from(i32::MAX) / max;
        let [mut players, mut pairs] = self.n_of.each_ref().map(|sizes| vec![0_i64; sizes.n_of.len()]);
        let mut has_game = vec![false; players.len()];
        let [mut plain, mut alone, mut single] = [0_i128; 3];
        for (at, deviation) in deviations {
            // Rounded by the conversion, because `round` is a slow call on processors without an instruction for it.
            let deviation = (deviation * per_unit + 0.5_f64.copysign(deviation)) as i64;
            let square = i128::from(deviation * deviation);
            plain += square;
            let Some(game) = self.pair_of(at) else {
                alone += square;
                continue;
            };
            for player in game.players.map(|player| player as usize) {
                players[player] += deviation;
                has_game[player] = true;
            }
            match game.pair() {
                Some(pair) => pairs[pair] += deviation,
                None => single += square,
            }
        }
        let squares = |sums: &[i64]| -> f64 { sums.iter().map(|sum| (*sum as f64).powi(2)).sum() };
        let factor = small_sample_factor(has_game.into_iter().filter(|has_game| *has_game).count());
        let dyadic_sum = alone as f64 + (squares(&players) - squares(&pairs) - single as f64) * factor;
        Some((dyadic_sum / plain as f64).max(1.0))
    }

    fn pair_of(&self, game: u32) -> Option<GamePlayers> {
        self.of_game.get(game as usize).copied().filter(|game| *game != GamePlayers::ALONE)
    }

    /// Returns the design effect of a proportion of all games, `alone` of whose hits have no two players, with the sums over
    /// players and pairs.
    fn effect_of_sums(&self, hits: f64, alone: f64, sums: [HitSums; 2]) -> Option<f64> {
        let n = self.of_game.len() as f64;
        let mean = hits / n;
        let plain = n * mean * (1.0 - mean);
        if self.of_game.len() < 2 || plain <= 0.0 {
            return None;
        }
        let deviations = |at: usize| {
            sums[at].squares - 2.0 * mean * sums[at].products + mean * mean * self.n_of[at].squares
        };
        let alone = alone * (1.0 - 2.0 * mean) + self.n_alone * mean * mean;
        let dyadic_sum = alone + deviations(0) - deviations(1);
        let h = shared_pairs(self.n_of.each_ref().map(|sizes| sizes.squares), n - self.n_alone) / (n * n);
        Some(DesignEffect::of(dyadic_sum / plain, h).factor)
    }
}

/// Returns the factor that corrects the variance of a mean for a small number of players.
fn small_sample_factor(n: usize) -> f64 {
    if n > 1 { n as f64 / (n as f64 - 1.0) } else { 1.0 }
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

    /// Returns the sum of the squared deviations of each game.
    fn squared_deviations(self, mean: f64) -> f64 {
        f64::from(self.hits) * (1.0 - mean).powi(2) + f64::from(self.n - self.hits) * mean * mean
    }
}

/// The number of games of each player, or of each pair.
#[derive(Debug, Clone, Default)]
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

/// Sums over players, or pairs, of the numbers of their hits.
#[derive(Debug, Clone, Copy, Default)]
struct HitSums {
    /// The sum of the squared numbers of hits.
    squares: f64,
    /// The sum of the products of the numbers of hits and of games.
    products: f64,
}

impl HitSums {
    /// Returns the sums; `hits` has the player or pair of each hit.
    fn of_groups(mut hits: Vec<u32>, sizes: &GroupSizes) -> HitSums {
        hits.sort_unstable();
        let mut sums = HitSums::default();
        for group in hits.chunk_by(|one, two| one == two) {
            let n = group.len() as f64;
            sums.squares += n * n;
            sums.products += n * sizes.n_of[group[0] as usize];
        }
        sums
    }

    /// Adds hits that are the only games of their pairs.
    fn add_single(&mut self, n: f64) {
        self.squares += n;
        self.products += n;
    }
}

#[cfg(test)]
mod tests {
    use tafl_rules::Rng;

    use super::*;
    use crate::stats::Rate;
    use crate::stats::interval::{Estimate, wilson_of};
    use crate::stats::normal::standard_normal;

    /// The players of a game, and whether it is a hit.
    type Game = (Option<[u32; 2]>, bool);

    fn random(seed: u64, n: usize, skill: f64) -> Vec<Game> {
        let mut rng = Rng::new(seed);
        let sides: Vec<f64> = (0..60).map(|_| skill * standard_normal(&mut rng)).collect();
        (0..n)
            .map(|_| {
                let [one, two] = [rng.below(20), 20 + rng.below(40)];
                let chance = 1.0 / (1.0 + (-sides[one] - sides[two]).exp());
                (Some([one as u32, two as u32]), rng.unit() < chance)
            })
            .collect()
    }

    fn shared(games: &[Game]) -> SharedPlayers {
        SharedPlayers::of(games.iter().map(|game| game.0))
    }

    /// Returns the design effect of the hits among all games.
    fn design_effect(games: &[Game]) -> Option<f64> {
        shared(games).effect_among((0..).zip(games.iter().map(|game| game.1)))
    }

    fn proportion(games: &[Game]) -> Estimate {
        let (hits, n) = (games.iter().filter(|game| game.1).count() as f64, games.len() as f64);
        wilson_of(hits / n, n / design_effect(games).unwrap_or(1.0))
    }

    #[test]
    fn sums_equal_those_over_all_pairs_of_games() {
        let games = random(3, 300, 0.5);
        let mean = games.iter().filter(|game| game.1).count() as f64 / 300.0;
        let deviation = |game: &Game| f64::from(u8::from(game.1)) - mean;
        let mut slow = 0.0;
        for one in &games {
            for two in &games {
                let (a, b) = (one.0.unwrap(), two.0.unwrap());
                if a.iter().any(|player| b.contains(player)) {
                    slow += deviation(one) * deviation(two);
                }
            }
        }
        let ratio = slow / (300.0 * mean * (1.0 - mean));
        let deviations: Vec<(u32, f64)> = (0..).zip(games.iter().map(deviation)).collect();
        let found = shared(&games).effect_on_mean(deviations.into_iter()).unwrap();
        assert!((found - ratio * 60.0 / 59.0).abs() < 1e-9, "{found} {ratio}");
        let shares =
            |one: &Game, two: &Game| one.0.unwrap().iter().any(|player| two.0.unwrap().contains(player));
        let pairs = games.iter().flat_map(|one| games.iter().filter(move |two| shares(one, two))).count();
        let expected = DesignEffect::of(ratio, (pairs - 300) as f64 / 300.0 / 300.0).factor;
        let found = design_effect(&games).unwrap();
        assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    }

    #[test]
    fn large_indices_are_renumbered() {
        let games = random(4, 300, 0.5);
        let far = |players: [u32; 2]| players.map(|player| u32::MAX - 100 + player);
        let moved: Vec<Game> = games.iter().map(|(players, is_hit)| (players.map(far), *is_hit)).collect();
        assert_eq!(design_effect(&moved), design_effect(&games));
    }

    #[test]
    fn sums_are_the_same_in_any_order() {
        let mut games = random(5, 200, 0.5);
        games.iter_mut().step_by(3).for_each(|game| game.0 = None);
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
                let hits = games.iter().filter(|game| game.1).count() as u64;
                dyadic += u32::from(proportion(&games).holds(0.5));
                wilson += u32::from(Rate::of(hits, 1500).unwrap().proportion.holds(0.5));
            }
            let [dyadic, wilson] = [dyadic, wilson].map(|held| f64::from(held) / 300.0);
            assert!((0.91..=0.99).contains(&dyadic), "{skill}: {dyadic}");
            assert_eq!(wilson < 0.6, wilson_fails, "{skill}: {wilson}");
        }
    }

    #[test]
    fn hits_alone_have_the_same_design_effect() {
        let mut games = random(8, 400, 0.8);
        games.iter_mut().step_by(7).for_each(|game| game.0 = None);
        games[3].0 = Some([5, 5]);
        let prepared = shared(&games);
        let hits: Vec<u32> = (0..).zip(&games).filter(|(_, game)| game.1).map(|(at, _)| at).collect();
        let (fast, slow) = (prepared.design_effect(&hits), design_effect(&games));
        assert!(slow.unwrap() > 1.2, "{slow:?}");
        assert!((fast.unwrap() - slow.unwrap()).abs() < 1e-9, "{fast:?} {slow:?}");
        assert_eq!((prepared.design_effect(&[]), SharedPlayers::of([]).design_effect(&[])), (None, None));
    }

    #[test]
    fn some_games_have_the_design_effect_of_these_games_alone() {
        let games = random(9, 500, 0.8);
        let some: Vec<(u32, bool)> = (0..).zip(&games).step_by(3).map(|(at, game)| (at, game.1)).collect();
        let alone: Vec<Game> = games.iter().copied().step_by(3).collect();
        let hits = (0..).zip(&alone).filter(|(_, game)| game.1).map(|(at, _)| at).collect::<Vec<u32>>();
        let prepared = shared(&games).subset(some.iter().map(|(at, _)| *at));
        let expected = design_effect(&alone);
        assert_eq!(shared(&games).effect_among(some), expected);
        let difference = prepared.design_effect(&hits).unwrap() - expected.unwrap();
        assert!(difference.abs() < 1e-9, "{difference}");
    }

    #[test]
    fn games_without_names_are_independent() {
        let games: Vec<Game> = (0..100).map(|at: u32| (None, at.is_multiple_of(4))).collect();
        assert_eq!(proportion(&games), Rate::of(25, 100).unwrap().proportion);
        assert_eq!(design_effect(&games[..1]), None);
        let prepared = shared(&games);
        assert_eq!(prepared.effect_on_mean([(0, 1.0), (1, -1.0)].into_iter()), Some(1.0));
        assert_eq!(prepared.effect_on_mean([(0, 0.0), (1, 0.0)].into_iter()), None);
    }
}
