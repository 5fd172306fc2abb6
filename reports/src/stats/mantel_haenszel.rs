//! The advantage of a side without a model of strengths: pairs of players that met on both sides.
//!
//! Each pair of players is a stratum with a table of two rows, the side of the first player, and two columns, whether
//! he won. The common odds ratio of Mantel and Haenszel compares the same two players with sides exchanged, so the
//! strengths cancel. It is the square of the odds of the attackers between equals.

use super::interval::Estimate;
use super::strength::League;

/// The advantage of the attackers from pairs that met on both sides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModelFreeAdvantage {
    /// The advantage in log odds, with the interval of Robins, Breslow, and Greenland.
    pub value: Estimate,
    /// The number of decided games of pairs that met on both sides.
    pub games: u64,
    /// The number of these pairs.
    pub pairs: u64,
}

/// Returns the model-free advantage; groups of games are combined. `None` if it is infinite or has no information.
pub fn mantel_haenszel(league: &League) -> Option<ModelFreeAdvantage> {
    let key = |at: usize| {
        let pairing = &league.pairings()[at];
        [pairing.attackers.min(pairing.defenders), pairing.attackers.max(pairing.defenders)]
    };
    let mut order: Vec<([u32; 2], usize)> = (0..league.pairings().len()).map(|at| (key(at), at)).collect();
    order.sort_unstable();
    let (mut r, mut s, mut pr, mut mixed, mut qs) = (0.0, 0.0, 0.0, 0.0, 0.0);
    let (mut games, mut pairs) = (0, 0);
    for pair in order.chunk_by(|one, two| one.0 == two.0) {
        // Wins and losses of the first player, as attackers and as defenders.
        let mut table = [[0u64; 2]; 2];
        for pairing in pair.iter().map(|(_, at)| &league.pairings()[*at]) {
            let results = &pairing.results;
            let [attackers, defenders] = [u64::from(results.attackers), u64::from(results.defenders)];
            let is_first = pairing.attackers < pairing.defenders;
            let (row, won, lost) =
                if is_first { (0, attackers, defenders) } else { (1, defenders, attackers) };
            table[row][0] += won;
            table[row][1] += lost;
        }
        let [[a, b], [c, d]] = table;
        if a + b == 0 || c + d == 0 {
            continue;
        }
        let n = (a + b + c + d) as f64;
        let (ad, bc) = ((a * d) as f64 / n, (b * c) as f64 / n);
        let (p, q) = ((a + d) as f64 / n, (b + c) as f64 / n);
        r += ad;
        s += bc;
        pr += p * ad;
        mixed += p * bc + q * ad;
        qs += q * bc;
        games += a + b + c + d;
        pairs += 1;
    }
    if r <= 0.0 || s <= 0.0 {
        return None;
    }
    let variance = pr / (2.0 * r * r) + mixed / (2.0 * r * s) + qs / (2.0 * s * s);
    Some(ModelFreeAdvantage {
        value: Estimate::normal((r / s).ln() / 2.0, variance.sqrt() / 2.0),
        games,
        pairs,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::interval::Z95;
    use crate::stats::simulate::LeagueSpec;
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

    #[test]
    fn it_matches_other_programs() {
        // StratifiedTable of statsmodels, see reports/tests/reference/mantel_haenszel.py.
        let tables =
            [[[5, 3], [2, 6]], [[10, 4], [7, 7]], [[1, 2], [0, 3]], [[4, 0], [3, 2]], [[8, 9], [3, 12]]];
        let results = |attackers, defenders| PairingResults { attackers, draws: 1, defenders };
        let mut games = Vec::new();
        for ([[a, b], [c, d]], at) in tables.into_iter().zip(0..) {
            let (one, two) = (2 * at, 2 * at + 1);
            games.push(Pairing { attackers: one, defenders: two, group: 0, results: results(a, b) });
            games.push(Pairing { attackers: two, defenders: one, group: 0, results: results(d, c) });
        }
        // A pair that met on one side only does not count.
        games.push(Pairing { attackers: 0, defenders: 9, group: 0, results: results(50, 0) });
        let found = mantel_haenszel(&League::new((10, 1), games)).unwrap();
        let error = found.value.width() / (2.0 * Z95);
        assert!((2.0 * found.value.value - LOG_ODDS).abs() < 1e-9, "{found:?}");
        assert!((2.0 * error - ERROR).abs() < 1e-9, "{found:?}");
        assert_eq!((found.games, found.pairs), (91, 5));
        assert_eq!(mantel_haenszel(&League::default()), None);
    }

    const LOG_ODDS: f64 = 1.373_695_769_283_569;
    const ERROR: f64 = 0.487_238_859_421_614_4;
}
