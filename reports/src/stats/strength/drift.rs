//! Strengths that change during a league.
//!
//! If strengths change, those of the whole league are only means. Games are then less even than they appear, and the
//! advantage is biased toward even. A second estimate has a separate strength for every period of a player; the difference of
//! both estimates is a part of the error.

use super::Advantage;
use super::fit::{FitOptions, fit};
use super::league::{League, Meeting};

/// The advantage with a separate strength for each period of a player.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PeriodAdvantage {
    /// The advantage.
    pub advantage: Advantage,
    /// The number of periods of all players.
    pub periods: u64,
}

impl PeriodAdvantage {
    /// Returns the advantage without periods, with the difference of both as a part of its standard error.
    #[must_use]
    pub fn widened(&self, plain: Advantage) -> Advantage {
        Advantage { error: plain.error.hypot(self.advantage.value - plain.value), ..plain }
    }
}

/// The minimum number of games of a period. With fewer, the difference of both estimates would mostly be chance.
const GAMES_PER_PERIOD: u32 = 40;

/// The maximum number of periods of a player.
const MOST_PERIODS: u32 = 8;

/// Returns the advantage with a separate strength for each period of a player; `games` are in the order in which they were
/// played, and of one group. `None` if no player has enough games for two periods, or without an estimate.
pub fn by_periods(n_players: usize, games: &[Meeting]) -> Option<PeriodAdvantage> {
    let mut n_of = vec![0u32; n_players];
    let seats = games
        .iter()
        .flat_map(|game| [game.attackers, game.defenders].map(|player| (player, game.points.n())));
    seats.for_each(|(player, n)| n_of[player as usize] += n);
    let periods: Vec<u32> = n_of.iter().map(|n| (n / GAMES_PER_PERIOD).clamp(1, MOST_PERIODS)).collect();
    if periods.iter().all(|periods| *periods == 1) {
        return None;
    }
    let firsts: Vec<u32> = periods
        .iter()
        .scan(0, |next, own| {
            *next += own;
            Some(*next - own)
        })
        .collect();
    let all = firsts.last()? + periods.last()?;
    let mut played = vec![0u32; n_players];
    let mut own = |player: u32, n: u32| {
        let at = player as usize;
        let period = u64::from(played[at]) * u64::from(periods[at]) / u64::from(n_of[at].max(1));
        played[at] += n;
        firsts[at] + (period as u32).min(periods[at] - 1)
    };
    let split = games.iter().map(|game| {
        let n = game.points.n();
        Meeting { attackers: own(game.attackers, n), defenders: own(game.defenders, n), ..*game }
    });
    let league = League::new((all as usize, 1), split.collect::<Vec<_>>());
    let found = fit(&league, &FitOptions::default()).ok()?;
    let periods = found.players.iter().flatten().count() as u64;
    Some(PeriodAdvantage { advantage: found.sides[0]?, periods })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::simulate::LeagueSpec;

    /// Returns the proportions of leagues whose interval contains the advantage, without and with periods, and the ratio of
    /// both errors.
    fn held(spec: LeagueSpec, leagues: u64) -> [f64; 3] {
        let (mut plain_held, mut with_held, mut ratio) = (0.0, 0.0, 0.0);
        for seed in 0..leagues {
            let made = spec.simulate(seed);
            let n = made.strengths.len();
            let found =
                fit(&League::new((n, 1), made.games.iter().copied()), &FitOptions::default()).unwrap();
            let plain = found.sides[0].unwrap();
            let with = by_periods(n, &made.games).unwrap().widened(plain);
            plain_held += f64::from(u8::from(plain.estimate().holds(made.advantage)));
            with_held += f64::from(u8::from(with.estimate().holds(made.advantage)));
            ratio += with.error / plain.error;
        }
        [plain_held, with_held, ratio].map(|sum| sum / leagues as f64)
    }

    #[test]
    fn drifting_strengths_are_a_part_of_the_error() {
        let spec =
            LeagueSpec { players: 24, games: 3000, advantage: -1.2, spread: 1.2, ..LeagueSpec::default() };
        let [plain, with, ratio] = held(LeagueSpec { drift: 2.0, ..spec }, 30);
        assert!(plain < 0.8 && with > 0.9, "{plain} {with} {ratio}");
        // Without drift, little is lost.
        let [plain, with, ratio] = held(spec, 20);
        assert!(with >= plain && ratio < 1.15, "{plain} {with} {ratio}");
    }

    #[test]
    fn few_games_have_no_periods() {
        let spec = LeagueSpec { players: 40, games: 600, ..LeagueSpec::default() };
        assert_eq!(by_periods(40, &spec.simulate(1).games), None);
        assert_eq!(by_periods(0, &[]), None);
    }
}
