//! The advantage of a side without a model of strengths: pairs of players that met on both sides.
//!
//! Each pair of players is a stratum with a table of two rows, the side of the first player, and two columns, whether
//! he won. The common odds ratio of Mantel and Haenszel compares the same two players with sides exchanged, so the
//! strengths cancel. It is the square of the odds of the attackers between equals.
//!
//! Each game has the same weight, no matter who played it. If a player is better with one side than with the other, all of
//! his pairs deviate together, so the variance is dyadic-robust over pairs that share a player.

use super::interval::{Estimate, Z95};
use super::normal::student_quantile;
use super::strength::League;

/// The advantage of the attackers from pairs that met on both sides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModelFreeAdvantage {
    /// The advantage in log odds. Its interval allows for pairs that share a player, and is at least that of Robins, Breslow, and
    /// Greenland, for which the pairs are independent.
    pub value: Estimate,
    /// The number of decided games of pairs that met on both sides.
    pub games: u64,
    /// The number of these pairs.
    pub pairs: u64,
}

/// Returns the model-free advantage; groups of games are combined. `None` if it is infinite or has no information.
pub fn mantel_haenszel(league: &League) -> Option<ModelFreeAdvantage> {
    let strata = strata(league);
    let sums = sums(&strata);
    let [r, s, ..] = sums;
    if r <= 0.0 || s <= 0.0 {
        return None;
    }
    let error = independent_error(sums).max(shared_error(&strata, [r, s], league.n_players));
    Some(ModelFreeAdvantage {
        // The odds ratio is the square of the odds.
        value: Estimate::normal((r / s).ln() / 2.0, error / 2.0),
        games: strata.iter().map(Stratum::games).sum(),
        pairs: strata.len() as u64,
    })
}

/// The decided games of a pair that met on both sides.
struct Stratum {
    players: [u32; 2],
    /// The wins and losses of the first player, as attackers and as defenders.
    table: [[u64; 2]; 2],
}

impl Stratum {
    fn games(&self) -> u64 {
        self.table.iter().flatten().sum()
    }

    /// Returns the products of the diagonals divided by the number of games; the ratio of their sums is the common odds ratio.
    fn products(&self) -> [f64; 2] {
        let [[a, b], [c, d]] = self.table;
        let n = self.games() as f64;
        [(a * d) as f64 / n, (b * c) as f64 / n]
    }

    /// Returns the products, and the three terms of the variance of Robins, Breslow, and Greenland.
    fn terms(&self) -> [f64; 5] {
        let [[a, b], [c, d]] = self.table;
        let [ad, bc] = self.products();
        let (p, q) = ((a + d) as f64 / self.games() as f64, (b + c) as f64 / self.games() as f64);
        [ad, bc, p * ad, p * bc + q * ad, q * bc]
    }
}

/// Returns the pairs that met on both sides, in the order of their players.
fn strata(league: &League) -> Vec<Stratum> {
    let stratum = |pair: &[([u32; 2], u32)]| {
        let mut table = [[0u64; 2]; 2];
        for pairing in pair.iter().map(|(_, at)| &league.pairings()[*at as usize]) {
            let results = &pairing.results;
            let [attackers, defenders] = [u64::from(results.attackers), u64::from(results.defenders)];
            let is_first = pairing.attackers < pairing.defenders;
            let (row, won, lost) =
                if is_first { (0, attackers, defenders) } else { (1, defenders, attackers) };
            table[row][0] += won;
            table[row][1] += lost;
        }
        let met_on_both_sides = table.iter().all(|[won, lost]| won + lost > 0);
        met_on_both_sides.then_some(Stratum { players: pair[0].0, table })
    };
    league.by_pair().chunk_by(|one, two| one.0 == two.0).filter_map(stratum).collect()
}

/// Returns the sums of [`Stratum::terms`].
fn sums(strata: &[Stratum]) -> [f64; 5] {
    let mut sums = [0.0; 5];
    for stratum in strata {
        sums.iter_mut().zip(stratum.terms()).for_each(|(sum, term)| *sum += term);
    }
    sums
}

/// Returns the standard error of the log odds ratio for independent strata; `sums` are those of [`Stratum::terms`].
fn independent_error([r, s, pr, mixed, qs]: [f64; 5]) -> f64 {
    (pr / (2.0 * r * r) + mixed / (2.0 * r * s) + qs / (2.0 * s * s)).sqrt()
}

/// Returns the standard error of the log odds ratio with the dyadic-robust variance: the sum of the products of influences over all
/// pairs of strata that share a player. `r` and `s` are the sums of the products.
///
/// If `h` is the proportion of the weight that shares a player, the variance is divided by `1 - h`, and the error is widened by a
/// quantile of Student's distribution with `1 / h - 1` degrees of freedom, as in [`residual_mean`](super::residual_mean).
fn shared_error(strata: &[Stratum], [r, s]: [f64; 2], n_players: usize) -> f64 {
    let mut players = vec![[0.0; 2]; n_players];
    let mut sums = [0.0; 2];
    for stratum in strata {
        let [ad, bc] = stratum.products();
        // The influence on the logarithm of the odds ratio, and the weight: the derivative with respect to this logarithm.
        let own = [ad / r - bc / s, (ad / r + bc / s) / 2.0];
        for player in stratum.players {
            players[player as usize].iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
        }
        // A pair shares both players with itself, but must count once.
        sums.iter_mut().zip(own).for_each(|(sum, own)| *sum -= own * own);
    }
    for player in players {
        sums.iter_mut().zip(player).for_each(|(sum, own)| *sum += own * own);
    }
    let [products, h] = sums;
    let freedom = (1.0 / h - 1.0).max(MIN_FREEDOM);
    let unshared = freedom / (1.0 + freedom);
    (products.max(0.0) / unshared).sqrt() * student_quantile(freedom) / Z95
}

/// The minimum degrees of freedom: with fewer, a few players have most of the games, and the variance is hardly known.
const MIN_FREEDOM: f64 = 3.0;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::simulate::{LeagueSpec, Schedule};
    use crate::stats::strength::{Pairing, PairingResults};

    #[test]
    fn strengths_cancel() {
        let spec = LeagueSpec { players: 12, games: 4000, strength_sd: 1.8, ..LeagueSpec::default() };
        let mut held = 0;
        for seed in 0..100 {
            let made = spec.simulate(seed);
            let found = mantel_haenszel(&League::new((12, 1), made.games)).unwrap();
            held += u32::from(found.value.holds(spec.advantage));
        }
        assert!((90..=99).contains(&held), "{held}");
    }

    /// Returns the proportions of leagues in which the interval contains the advantage, for independent pairs and for pairs that
    /// share players.
    fn coverage(spec: LeagueSpec, leagues: u64) -> [f64; 2] {
        let mut held = [0.0; 2];
        for seed in 0..leagues {
            let made = spec.simulate(seed);
            let league = League::new((spec.players, 1), made.games);
            let found = mantel_haenszel(&league).unwrap().value;
            let independent = independent_error(sums(&strata(&league))) / 2.0;
            let both = [Estimate::normal(found.value, independent), found];
            held.iter_mut().zip(both).for_each(|(held, of)| *held += f64::from(of.holds(made.advantage)));
        }
        held.map(|held| held / leagues as f64)
    }

    #[test]
    fn pairs_that_share_a_player_with_a_side_skill_are_not_independent() {
        let spec = LeagueSpec {
            strength_sd: 1.8,
            schedule: Schedule::Unequal,
            one_side_skill_sd: 0.7,
            ..LeagueSpec::default()
        };
        let [independent, shared] = coverage(spec, 60);
        assert!(independent < 0.6 && shared > 0.75, "{independent} {shared}");
    }

    #[test]
    fn it_matches_other_programs() {
        // StratifiedTable of statsmodels, see reports/tests/reference/mantel_haenszel.py.
        let tables =
            [[[5, 3], [2, 6]], [[10, 4], [7, 7]], [[1, 2], [0, 3]], [[4, 0], [3, 2]], [[8, 9], [3, 12]]];
        let pairs = [[0, 1], [2, 3], [4, 5], [6, 7], [8, 9]];
        // A pair that met on one side only does not count.
        let league = league_of(&tables, &pairs, Some(game([0, 9], [50, 0])));
        let found = mantel_haenszel(&league).unwrap();
        assert!((2.0 * found.value.value - LOG_ODDS).abs() < 1e-9, "{found:?}");
        assert!((independent_error(sums(&strata(&league))) - ERROR).abs() < 1e-9, "{found:?}");
        assert_eq!((found.games, found.pairs), (91, 5));
        assert_eq!(mantel_haenszel(&League::default()), None);
        // The sum over all pairs of strata by the same script.
        let twice: Vec<[[u32; 2]; 2]> = (0..20).map(|at| tables[at / 2 % 5]).collect();
        let ring: Vec<[u32; 2]> = (0..20).map(|at| [at, (at + 1) % 20]).collect();
        let strata = strata(&league_of(&twice, &ring, None));
        let [r, s, ..] = sums(&strata);
        let error = shared_error(&strata, [r, s], 20);
        assert!((error / SHARED_ERROR - 1.0).abs() < 5e-3, "{error}");
    }

    fn game([attackers, defenders]: [u32; 2], [won, lost]: [u32; 2]) -> Pairing {
        let results = PairingResults { attackers: won, draws: 1, defenders: lost };
        Pairing { attackers, defenders, group: 0, results }
    }

    /// Returns a league in which each pair has the games of a table, with one more pairing.
    fn league_of(tables: &[[[u32; 2]; 2]], pairs: &[[u32; 2]], more: Option<Pairing>) -> League {
        let games = tables.iter().zip(pairs).flat_map(|([first, [c, d]], [one, two])| {
            [game([*one, *two], *first), game([*two, *one], [*d, *c])]
        });
        League::new((20, 1), games.chain(more))
    }

    const LOG_ODDS: f64 = 1.373_695_769_283_569;
    const ERROR: f64 = 0.487_238_859_421_614_4;
    const SHARED_ERROR: f64 = 0.209_712_722_338_871_37;
}
