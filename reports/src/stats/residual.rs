//! Means of residuals over games that share players.

use std::collections::HashMap;

use super::interval::{Estimate, SMALL_SAMPLE, Z95};
use super::missing::NotEstimable;
use super::normal::{student_quantile, two_sided};

/// A score minus the expected one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Residual {
    /// The indices of both players; `None` if they are not known. Such a game depends on no other.
    pub players: Option<[u32; 2]>,
    /// The score minus the expected one.
    pub value: f64,
}

/// The mean of residuals.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ResidualMean {
    /// The mean, with an interval that allows for games that share players.
    pub value: Estimate,
    /// The two-sided p-value of the mean 0.
    pub p: f64,
    /// The number of games.
    pub n: u64,
}

/// Returns the mean of residuals with the dyadic-robust variance: the sum of the products of deviations over all pairs of games
/// that share a player.
///
/// The proportion of the pairs of games that share a player is the `h` of the corrections for few players: deviations from
/// the observed mean are too small by the factor `1 - h`, and the degrees of freedom are `1 / h - 1`.
///
/// # Errors
///
/// Returns [`NotEstimable::TooFew`] for fewer than 30 games, and [`NotEstimable::SamePlayers`] for fewer than three degrees of
/// freedom, if a few players have most of the games.
pub fn residual_mean(residuals: &[Residual]) -> Result<ResidualMean, NotEstimable> {
    let n = residuals.len() as f64;
    if (residuals.len() as u64) < SMALL_SAMPLE {
        return Err(NotEstimable::TooFew { found: residuals.len() as u64, needed: SMALL_SAMPLE });
    }
    // Sorted, so that the last digits do not depend on the order in which games were imported.
    let mut residuals = residuals.to_vec();
    residuals
        .sort_unstable_by(|one, two| one.players.cmp(&two.players).then(one.value.total_cmp(&two.value)));
    let mean = residuals.iter().map(|residual| residual.value).sum::<f64>() / n;
    let shared = SharedSums::of(&residuals, mean);
    let h = shared.pairs / (n * n);
    let freedom = 1.0 / h - 1.0;
    if freedom < MIN_FREEDOM {
        return Err(NotEstimable::SamePlayers);
    }
    let independent: f64 = residuals.iter().map(|residual| (residual.value - mean).powi(2)).sum();
    let variance = (shared.products / (1.0 - h)).max(independent * n / (n - 1.0));
    // The quantile of Student's distribution, relative to that of the normal one.
    let widening = student_quantile(freedom) / Z95;
    let error = widening * variance.sqrt() / n;
    let p = if error > 0.0 { two_sided(mean / error) } else { 1.0 };
    Ok(ResidualMean { value: Estimate::normal(mean, error), p, n: residuals.len() as u64 })
}

/// The minimum degrees of freedom, below which a quantile is more than three standard errors.
const MIN_FREEDOM: f64 = 3.0;

/// Sums over all pairs of games that share a player, a game with itself included.
#[derive(Debug, Clone, Copy, Default)]
struct SharedSums {
    /// The products of the deviations.
    products: f64,
    /// The number of pairs.
    pairs: f64,
}

impl SharedSums {
    fn of(residuals: &[Residual], mean: f64) -> SharedSums {
        let (mut players, mut pairs) = (HashMap::new(), HashMap::new());
        let mut sums = SharedSums::default();
        for residual in residuals {
            let deviation = residual.value - mean;
            match residual.players {
                Some([one, two]) if one != two => {
                    for player in [one, two] {
                        add(players.entry(player).or_default(), deviation);
                    }
                    add(pairs.entry([one.min(two), one.max(two)]).or_default(), deviation);
                }
                Some(_) | None => sums.add([deviation, 1.0], 1.0),
            }
        }
        in_order(players).into_iter().for_each(|group| sums.add(group, 1.0));
        // Games of the same pair share two players, and must count once.
        in_order(pairs).into_iter().for_each(|group| sums.add(group, -1.0));
        sums
    }

    /// Adds all pairs of games of a group, given by the sum of their deviations and their number.
    fn add(&mut self, [sum, n]: [f64; 2], factor: f64) {
        self.products += factor * sum * sum;
        self.pairs += factor * n * n;
    }
}

fn add(group: &mut [f64; 2], deviation: f64) {
    group[0] += deviation;
    group[1] += 1.0;
}

/// Returns the groups in the order of their keys, so that results do not depend on the order of the table.
fn in_order<K: Ord>(groups: HashMap<K, [f64; 2]>) -> Vec<[f64; 2]> {
    let mut all: Vec<(K, [f64; 2])> = groups.into_iter().collect();
    all.sort_unstable_by(|one, two| one.0.cmp(&two.0));
    all.into_iter().map(|(_, group)| group).collect()
}

#[cfg(test)]
mod tests {
    use tafl_rules::Rng;

    use super::*;
    use crate::stats::normal::standard_normal;

    fn random(seed: u64, n: usize, players: usize, sd: f64) -> Vec<Residual> {
        let mut rng = Rng::new(seed);
        let effects: Vec<f64> = (0..players).map(|_| sd * standard_normal(&mut rng)).collect();
        (0..n)
            .map(|_| {
                let one = rng.below(players);
                let two = (one + 1 + rng.below(players - 1)) % players;
                let value = effects[one] + effects[two] + 0.5 * standard_normal(&mut rng);
                Residual { players: Some([one as u32, two as u32]), value }
            })
            .collect()
    }

    #[test]
    fn the_variance_is_that_of_all_pairs_of_games() {
        let residuals = random(3, 150, 60, 0.2);
        let found = residual_mean(&residuals).unwrap();
        let mean = residuals.iter().map(|residual| residual.value).sum::<f64>() / 150.0;
        let (mut products, mut pairs) = (0.0, 0.0);
        for one in &residuals {
            for two in &residuals {
                let (a, b) = (one.players.unwrap(), two.players.unwrap());
                if a.iter().any(|player| b.contains(player)) {
                    products += (one.value - mean) * (two.value - mean);
                    pairs += 1.0;
                }
            }
        }
        let h: f64 = pairs / 150.0 / 150.0;
        let error = (products / (1.0 - h)).sqrt() / 150.0;
        let reach = student_quantile(1.0 / h - 1.0) * error;
        assert!((found.value.high - found.value.value - reach).abs() < 1e-9, "{found:?} {reach}");
    }

    #[test]
    fn means_are_the_same_in_any_order() {
        let mut residuals = random(5, 200, 60, 0.3);
        residuals.iter_mut().step_by(3).for_each(|residual| residual.players = None);
        let forward = residual_mean(&residuals).unwrap();
        residuals.reverse();
        assert_eq!(residual_mean(&residuals).unwrap(), forward);
    }

    #[test]
    fn intervals_have_their_coverage_if_players_differ() {
        let (mut held, mut independent) = (0, 0);
        for seed in 0..400 {
            let residuals = random(seed, 300, 60, 0.3);
            let found = residual_mean(&residuals).unwrap();
            held += u32::from(found.value.holds(0.0));
            let error = 0.5f64.hypot(0.3 * 2f64.sqrt()) / 300f64.sqrt();
            independent += u32::from(found.value.value.abs() <= Z95 * error);
        }
        assert!((368..=396).contains(&held), "{held}");
        assert!(independent < 330, "{independent}");
    }

    #[test]
    fn one_player_in_all_games_is_not_evidence() {
        let game = |other| Residual { players: Some([0, other]), value: 0.4 };
        let residuals: Vec<Residual> = (1..60).map(game).collect();
        assert_eq!(residual_mean(&residuals), Err(NotEstimable::SamePlayers));
        assert!(matches!(residual_mean(&residuals[..9]), Err(NotEstimable::TooFew { found: 9, .. })));
        let nameless: Vec<Residual> =
            (0..60).map(|at| Residual { players: None, value: f64::from(at % 2) - 0.5 }).collect();
        let found = residual_mean(&nameless).unwrap();
        assert!(found.p > 0.99 && found.value.holds(0.1) && !found.value.holds(0.14), "{found:?}");
    }
}
