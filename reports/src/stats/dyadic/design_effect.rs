//! The design effect of a proportion.

use crate::stats::interval::Z95;
use crate::stats::normal::{student_quantile, two_sided};

/// The factor by which games that share players widen the interval of a proportion, as a factor of the variance.
///
/// If few players have most of the games, the dyadic-robust variance is hardly known: deviations from the observed proportion are too
/// small, and the estimate varies by chance. Let `h` be the number of ordered pairs of different games that share a player, divided by
/// the square of the number of games. The variance is divided by `1 - h`, and Student's distribution with `1 / h - 1` degrees of freedom
/// takes the place of the normal one; with fewer than 3, both corrections are those for 3. The variance of
/// independent games is known, so it is the minimum without this widening.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DesignEffect {
    /// The factor; at least 1.
    pub factor: f64,
    /// The ratio of the dyadic-robust variance, divided by `1 - h`, to that of independent games.
    pub ratio: f64,
    /// The degrees of freedom, at least 3.
    pub freedom: f64,
}

impl DesignEffect {
    /// The design effect of independent games.
    pub const NONE: DesignEffect = DesignEffect { factor: 1.0, ratio: 1.0, freedom: f64::INFINITY };

    /// Returns the design effect for the ratio of the dyadic-robust variance to that of independent games, and `h`.
    pub(super) fn of(ratio: f64, h: f64) -> DesignEffect {
        // An empty sum is -0, whose reciprocal is negative.
        let freedom = if h > 0.0 { (1.0 / h - 1.0).max(MIN_FREEDOM) } else { f64::INFINITY };
        // 1 - h, for the same degrees of freedom.
        let unshared = 1.0 / (1.0 + 1.0 / freedom);
        let ratio = ratio.max(0.0) / unshared;
        let factor = (ratio * (student_quantile(freedom) / Z95).powi(2)).max(1.0);
        DesignEffect { factor, ratio, freedom }
    }

    /// Returns the two-sided p-value of a deviation, in standard deviations of independent games. It is below 0.05 if the interval
    /// with the factor of the variance does not contain the tested value.
    ///
    /// The error is widened like that of the interval. The tail of Student's distribution would be too cautious, because most of the
    /// variance is that of independent games: with it, 0.003 % of simulated even variants have a p-value below 0.001, and 0.009 % with
    /// this one.
    pub fn two_sided(&self, deviation: f64) -> f64 {
        two_sided(deviation / self.factor.sqrt())
    }
}

/// Returns the number of ordered pairs of different games that share a player, given the sums of the squared numbers of games of players
/// and of pairs of players, and the number of games with two players.
pub(super) fn shared_pairs([players, pairs]: [f64; 2], n: f64) -> f64 {
    players - pairs - n
}

/// The minimum degrees of freedom. In simulated games with the players of the archive of aagenielsen.dk, the intervals of variants with
/// fewer cover 98 %: most of these variants have few games, so that the variance of independent games is the larger part.
const MIN_FREEDOM: f64 = 3.0;

#[cfg(test)]
mod tests {
    use tafl_rules::Rng;

    use super::super::SharedPlayers;
    use super::*;
    use crate::stats::interval::wilson_of;
    use crate::stats::normal::standard_normal;

    /// The players of a game, and whether it is a hit.
    type Game = (Option<[u32; 2]>, bool);

    /// Returns games of an even variant. Player 0 has 43 % of them, as one player has in Brandubh.
    fn dominated(seed: u64) -> Vec<Game> {
        let mut rng = Rng::new(seed);
        let strengths: Vec<f64> = (0..60).map(|_| 1.3 * standard_normal(&mut rng)).collect();
        // Which side the first player prefers against each of the others is not even, as in real games.
        let prefers: Vec<f64> = (0..60).map(|_| rng.unit()).collect();
        (0..600)
            .map(|_| {
                let one = if rng.unit() < 0.43 { 0 } else { 1 + rng.below(29) };
                let two = 30 + rng.below(30);
                let [defender, attacker] = if rng.unit() < prefers[two] { [one, two] } else { [two, one] };
                let chance = 1.0 / (1.0 + (strengths[attacker] - strengths[defender]).exp());
                (Some([one as u32, two as u32]), rng.unit() < chance)
            })
            .collect()
    }

    #[test]
    fn intervals_have_their_coverage_if_one_player_has_many_games() {
        let (mut held, mut small, mut normal) = (0, 0, 0);
        for seed in 0..300 {
            let games = dominated(seed);
            let n = games.len() as f64;
            let shared = SharedPlayers::of(games.iter().map(|game| game.0));
            let mean = games.iter().filter(|game| game.1).count() as f64 / n;
            let hits = (0..).zip(games.iter().map(|game| game.1));
            let found = shared.design_effect_among(hits).unwrap();
            held += u32::from(wilson_of(mean, n / found.factor).holds(0.5));
            small += u32::from(found.two_sided((mean - 0.5) * 2.0 * n.sqrt()) < 0.001);
            let unshared = 1.0 / (1.0 + 1.0 / found.freedom);
            let without = (found.ratio * unshared).max(1.0);
            normal += u32::from(wilson_of(mean, n / without).holds(0.5));
        }
        assert!((279..=297).contains(&held) && normal < 270 && small <= 2, "{held} {normal} {small}");
    }

    #[test]
    fn the_p_value_agrees_with_the_interval() {
        for (ratio, h) in [(0.2, 0.5), (0.9, 0.2), (3.0, 0.1), (7.0, 0.25), (2.0, 0.0)] {
            let found = DesignEffect::of(ratio, h);
            let limit = Z95 * found.factor.sqrt();
            assert!(
                found.two_sided(limit * 1.001) < 0.05 && found.two_sided(limit * 0.999) > 0.05,
                "{found:?}"
            );
        }
        assert_eq!([0.0, -0.0].map(|h| DesignEffect::of(2.0, h).factor), [2.0; 2]);
        assert_eq!(DesignEffect::NONE.two_sided(2.5), two_sided(2.5));
    }
}
