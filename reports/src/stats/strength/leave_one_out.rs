//! Differences of strength that do not depend on the game for which they are used.
//!
//! The estimated strength of a player rises with each game that he won. Groups of games by such strengths are therefore also
//! groups by results: in the games of the "stronger" player, he wins too often. The strengths without a game are one Newton step
//! away from those with it, which needs its residual, its information, and the variances of the fit.

use super::Strengths;
use super::league::{League, Pairing};
use super::side_choice::SideChoices;
use super::system::{EffectSds, System};
use super::unknowns::Unknowns;
use super::variances::{Pairs, Variances};

/// The differences of strength in each pairing, from which those without one of its games follow.
#[derive(Debug, Clone)]
pub(crate) struct LeaveOneOut<'l> {
    league: &'l League,
    /// For each pairing of the league.
    gaps: Vec<PairingGap>,
    /// The number of games of each player.
    games: Vec<u32>,
}

/// The difference of strength in a pairing.
#[derive(Debug, Clone, Copy)]
struct PairingGap {
    /// The strength of the attackers' player minus that of the defenders' player, in log odds.
    value: f64,
    /// The expected score of a game.
    expected: f64,
    /// The part of the difference that is due to one game, for each point of its score above the expected one.
    part_of_game: f64,
}

/// Side skills are taken as known: where a player has both sides, their errors do not depend on those of strengths.
const KNOWN: f64 = 1e-3;

impl<'l> LeaveOneOut<'l> {
    /// Computes the differences for the strengths of a league.
    pub(crate) fn of(league: &'l League, strengths: &Strengths) -> LeaveOneOut<'l> {
        // The strengths contain the side choices.
        let side_choices = SideChoices::default();
        let mut point = Unknowns::zero(league, &side_choices);
        let effects =
            strengths.players.iter().map(|strength| strength.map_or(0.0, |strength| strength.value));
        let effects = effects.chain(strengths.side_skills.iter().copied());
        point.players.iter_mut().zip(effects).for_each(|(at, effect)| *at = effect);
        let advantages = point.fixed_effects.iter_mut().zip(&strengths.advantages);
        advantages.for_each(|(at, found)| *at = found.map_or(0.0, |found| found.value));
        point.log_draw_weight = strengths.draw_weight.ln();
        let sds = EffectSds { strength: strengths.strength_sd, side_skill: KNOWN };
        let system = System::at((league, &side_choices), &point, sds);
        let pairs = Pairs::of(league);
        let variances = Variances::of(league, &pairs, &system);
        let gap = |(at, pairing): (usize, &Pairing)| {
            let information = system.weights()[at] / f64::from(pairing.results.n());
            let variance = variances.gap(at);
            // The variance without the game is positive, but approximate.
            let without = variance / (1.0 - information * variance).max(0.1);
            let [attackers, defenders] =
                [pairing.attackers, pairing.defenders].map(|player| point.players[player as usize]);
            PairingGap {
                value: attackers - defenders,
                expected: system.odds()[at].mean(),
                part_of_game: without,
            }
        };
        let gaps = league.pairings().iter().enumerate().map(gap).collect();
        LeaveOneOut { league, gaps, games: league.games_per_player() }
    }

    /// Returns the strength of the attackers' player minus that of the defenders' player without a game, in log odds; `None` if one
    /// of them has no other game, or if the league does not have the game.
    pub(crate) fn gap(&self, game: &Pairing) -> Option<f64> {
        let key = |pairing: &Pairing| (pairing.group, pairing.attackers, pairing.defenders);
        let at = self.league.pairings().binary_search_by_key(&key(game), key).ok()?;
        let has_other_games = |player: u32| self.games[player as usize] > game.results.n();
        if ![game.attackers, game.defenders].into_iter().all(has_other_games) {
            return None;
        }
        let PairingGap { value, expected, part_of_game } = self.gaps[at];
        let score = f64::from(game.results.attackers) + f64::from(game.results.draws) / 2.0;
        Some(value - part_of_game * (score - expected))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{FitOptions, fit};
    use super::*;
    use crate::stats::LeagueSpec;

    #[test]
    fn a_step_leads_to_the_strengths_without_the_game() {
        let spec = LeagueSpec { players: 30, games: 150, strength_sd: 1.5, ..LeagueSpec::default() };
        let made = spec.simulate(3);
        let league = League::new((30, 1), made.games.iter().copied());
        let found = fit(&league, &FitOptions::default()).unwrap();
        let without = LeaveOneOut::of(&league, &found);
        let gap = |of: &Strengths, game: &Pairing| {
            let [one, two] = [game.attackers, game.defenders].map(|player| of.players[player as usize]);
            Some(one?.value - two?.value)
        };
        let (mut error, mut change, mut n) = (0.0, 0.0, 0.0);
        for (at, game) in made.games.iter().enumerate() {
            let others = made.games.iter().enumerate().filter(|(other, _)| *other != at);
            let rest = League::new((30, 1), others.map(|(_, game)| *game));
            let refit = fit(&rest, &FitOptions::with_sds_of(&found)).unwrap();
            let (Some(step), Some(exact), Some(with)) =
                (without.gap(game), gap(&refit, game), gap(&found, game))
            else {
                continue;
            };
            error += (step - exact).powi(2);
            change += (with - exact).powi(2);
            n += 1.0;
        }
        let [error, change] = [error, change].map(|sum: f64| (sum / n).sqrt());
        assert!(n > 130.0 && change > 0.3 && error < 0.2 * change, "{n} {error} {change}");
    }

    #[test]
    fn players_without_another_game_have_no_difference() {
        let game = |attackers, defenders| Pairing {
            attackers,
            defenders,
            group: 0,
            results: super::super::PairingResults { attackers: 1, draws: 0, defenders: 0 },
        };
        let games = [game(0, 1), game(1, 2), game(2, 0), game(0, 3)];
        let league = League::new((4, 1), games);
        let found = fit(&league, &FitOptions::default()).unwrap();
        let without = LeaveOneOut::of(&league, &found);
        assert!(without.gap(&games[0]).is_some());
        assert_eq!([game(0, 3), game(3, 0)].map(|game| without.gap(&game)), [None, None]);
    }
}
