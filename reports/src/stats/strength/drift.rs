//! Strengths that change during a league.
//!
//! If strengths change, those of the whole league are only means. Games are then less even than they appear, and the
//! advantage is biased toward even. The residuals of games that a player played soon after each other then agree more than those
//! of any two of his games; this difference estimates the variance of strengths over time, and the size of the bias.

use super::league::Pairing;
use super::scale::wdl_probabilities;
use super::{Advantage, AdvantageLine, Strengths};

/// The variance of strengths over time, around the mean of each player.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StrengthDrift {
    /// The variance in log odds, as a mean over players weighted by the information of their games. It is negative by chance
    /// in about half of all leagues without drift.
    pub variance: f64,
    /// Its standard error if strengths do not change.
    pub error: f64,
}

/// The constant `c^2` in the attenuation `1 / sqrt(1 + c^2 v)` of a logistic curve by a variance `v`: (16 sqrt(3) / (15 pi))^2
/// (Zeger, Liang, and Albert 1988).
pub(super) const ATTENUATION: f64 = 0.346;

/// The greatest variance that the correction allows for. Beyond it, its formula is not valid.
const MAX_VARIANCE: f64 = 1.0;

impl StrengthDrift {
    /// Returns the standard deviation of strengths over time, in log odds; 0 if the estimate of the variance is within its
    /// standard error.
    pub fn deviation(&self) -> f64 {
        self.shrunk().sqrt()
    }

    /// Returns the variance after shrinkage to 0 (James and Stein, positive part), so that leagues without drift are corrected by
    /// half as much as with the positive part of the estimate.
    fn shrunk(&self) -> f64 {
        if self.variance <= self.error { 0.0 } else { self.variance - self.error.powi(2) / self.variance }
    }

    /// Returns the factor that undoes the attenuation by drift. The variance counts twice, because both players drift.
    fn factor(variance: f64) -> f64 {
        (1.0 + ATTENUATION * 2.0 * variance.clamp(0.0, MAX_VARIANCE)).sqrt()
    }

    /// Returns an advantage of the same league without the bias by drift, and with the error of this correction.
    #[must_use]
    pub fn corrected(&self, plain: Advantage) -> Advantage {
        let factor = Self::factor(self.shrunk());
        let more = Self::factor(self.shrunk() + self.error) - factor;
        let corrected = |error: f64| (factor * error).hypot(more * plain.value);
        Advantage {
            value: factor * plain.value,
            error: corrected(plain.error),
            model_error: corrected(plain.model_error),
            known_players_error: corrected(plain.known_players_error),
            games: plain.games,
        }
    }

    /// Returns a line of the same league without the bias by drift. Its errors are scaled, but do not contain the error of this
    /// correction.
    #[must_use]
    pub fn corrected_line(&self, line: AdvantageLine) -> AdvantageLine {
        let factor = Self::factor(self.shrunk());
        AdvantageLine {
            center: line.center,
            value: factor * line.value,
            slope: factor * line.slope,
            value_error: factor * line.value_error,
            slope_error: factor * line.slope_error,
            covariance: factor * factor * line.covariance,
        }
    }
}

/// A player's games that are compared with each other are at most one `NEAR`th of all his games apart; players with fewer games
/// are skipped. In a random walk over all games, the covariance is then 9 % below the variance.
const NEAR: usize = 16;

/// Returns the drift of the strengths of a league; `games` are in the order in which they were played, and of one group, and
/// `found` has their strengths. `None` if no player has enough games.
pub fn strength_drift(games: impl IntoIterator<Item = Pairing>, found: &Strengths) -> Option<StrengthDrift> {
    let advantage = found.advantages.first().copied().flatten()?.value;
    let mut of_players = vec![Vec::new(); found.players.len()];
    let mut information = 0.0;
    for game in games.into_iter().filter(|game| game.attackers != game.defenders) {
        let [attackers, defenders] = [game.attackers, game.defenders].map(|player| player as usize);
        let strength = |player: usize| found.players[player].map_or(0.0, |strength| strength.value);
        let side_skills = found.side_skills[attackers] + found.side_skills[defenders];
        let x = strength(attackers) - strength(defenders) + side_skills + advantage;
        let [win, draw, loss] = wdl_probabilities(x, found.draw_weight);
        let n = f64::from(game.results.n());
        let score = f64::from(game.results.attackers) + f64::from(game.results.draws) / 2.0;
        let residual = score - n * (win + draw / 2.0);
        let weight = n * (win + loss - (win - loss).powi(2)) / 4.0;
        information += 2.0 * weight;
        of_players[attackers].push([residual, weight]);
        of_players[defenders].push([-residual, weight]);
    }
    let (mut sum, mut variance, mut all) = (0.0, 0.0, 0.0);
    for games in of_players.iter().filter(|games| games.len() >= NEAR) {
        let own: f64 = games.iter().map(|[_, weight]| weight).sum();
        let [covariance, of_covariance] = excess_of_near_games(games);
        sum += own * covariance;
        variance += own * own * of_covariance;
        all += own;
    }
    if all == 0.0 {
        return None;
    }
    // On the scale of results, which drift itself attenuates. Players with few games count as constant.
    let (found, error) = (sum / information, variance.sqrt() / information);
    let stretch = 1.0 / (1.0 - 2.0 * ATTENUATION * found.clamp(0.0, 0.5));
    Some(StrengthDrift { variance: found * stretch, error: error * stretch * stretch })
}

/// Returns the covariance of the strength in games that are near in time minus that in all pairs of games, and the variance of
/// this estimate without drift; `games` has residuals and their variances. What all games of a player share cancels out: a
/// strength that is not exact, and side skills.
fn excess_of_near_games(games: &[[f64; 2]]) -> [f64; 2] {
    // The sums over the games before each one, because the time of a sum over all near pairs would grow with the square of the games.
    let mut before = vec![[0.0; 2]];
    for game in games {
        let last = before[before.len() - 1];
        before.push([0, 1].map(|at| last[at] + game[at]));
    }
    let [mut near, mut near_information] = [0.0; 2];
    for (at, game) in games.iter().enumerate() {
        let (first, last) = (before[at + 1], before[(at + 1 + games.len() / NEAR).min(games.len())]);
        near += game[0] * (last[0] - first[0]);
        near_information += game[1] * (last[1] - first[1]);
    }
    // Twice the products of all pairs are the square of the sum minus the squares.
    let [all, all_information] = [0, 1].map(|at| {
        let sum: f64 = games.iter().map(|game| game[at]).sum();
        let squares: f64 = games.iter().map(|game| game[at] * game[at]).sum();
        (sum * sum - squares) / 2.0
    });
    [near / near_information - all / all_information, 1.0 / near_information - 1.0 / all_information]
}

#[cfg(test)]
mod tests {
    use super::super::{FitOptions, League, fit};
    use super::*;
    use crate::stats::simulate::LeagueSpec;

    const SPEC: LeagueSpec = LeagueSpec {
        players: 24,
        games: 3000,
        advantage: -1.2,
        strength_sd: 1.2,
        draw_weight: 0.1,
        schedule: crate::stats::Schedule::Even,
        one_side_skill_sd: 0.0,
        slope: 0.0,
        has_heavy_tails: false,
        advantage_sd: 0.0,
        drift: 0.0,
        accounts: 1,
        missing_names: 0.0,
    };

    /// Returns the proportions of leagues whose interval contains the advantage, without and with the correction, the ratio of
    /// both errors, and the mean variance over time.
    fn held(spec: LeagueSpec, leagues: u64) -> [f64; 4] {
        let mut sums = [0.0; 4];
        for seed in 0..leagues {
            let made = spec.simulate(seed);
            let league = League::new((made.strengths.len(), 1), made.games.iter().copied());
            let found = fit(&league, &FitOptions::default()).unwrap();
            let plain = found.advantages[0].unwrap();
            let drift = strength_drift(made.games.iter().copied(), &found).unwrap();
            let with = drift.corrected(plain);
            let holds = |own: Advantage| f64::from(u8::from(own.estimate().holds(made.advantage)));
            let own = [holds(plain), holds(with), with.error / plain.error, drift.variance];
            sums.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
        }
        sums.map(|sum| sum / leagues as f64)
    }

    #[test]
    fn the_bias_by_drift_is_corrected() {
        let [plain, with, ratio, variance] = held(LeagueSpec { drift: 2.0, ..SPEC }, 30);
        assert!(plain < 0.8 && with > 0.86 && ratio < 1.6, "{plain} {with} {ratio}");
        // A random walk with a variance of 4 deviates from its mean with a variance of 4 / 6.
        assert!((0.4..0.8).contains(&variance), "{variance}");
    }

    #[test]
    fn without_drift_the_interval_is_as_wide() {
        for spec in [SPEC, LeagueSpec { one_side_skill_sd: 0.7, ..SPEC }] {
            let [_, with, ratio, variance] = held(spec, 20);
            assert!(with >= 0.85 && ratio < 1.1 && variance.abs() < 0.02, "{with} {ratio} {variance}");
        }
    }

    #[test]
    fn players_with_few_games_have_no_drift() {
        let spec = LeagueSpec { players: 40, games: 100, ..SPEC };
        let games = spec.simulate(1).games;
        let found = fit(&League::new((40, 1), games.iter().copied()), &FitOptions::default()).unwrap();
        assert_eq!(strength_drift(games, &found), None);
    }
}
