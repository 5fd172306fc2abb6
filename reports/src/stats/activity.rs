//! Planning with players who are as unequally active as those of recorded games.
//!
//! On a play site, the most active tenth of the players can account for most of the games. Their side skills then have a large
//! weight in the estimated advantage, so that more games or more players are needed.

use super::sample_size::PlanConditions;

/// The activity of the players of recorded games, for plans with such players.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayerActivity {
    /// Pairs of a number of games and the number of players with that many games, fewest games first.
    counts: Vec<(u32, u32)>,
    /// The variance of the advantage in the recorded games, relative to that of this model. It is more than 1 if players
    /// choose their sides or their opponents, and because strengths and side skills are only estimated.
    variance_ratio: f64,
}

impl PlayerActivity {
    /// Returns the activity of players in recorded games. `games` has the number of games of each player, and `variance` is
    /// that of the advantage that was estimated from the games, in log odds; `None` without games.
    pub fn of(games: &[u32], conditions: &PlanConditions, variance: f64) -> Option<PlayerActivity> {
        let mut sorted: Vec<u32> = games.iter().copied().filter(|games| *games > 0).collect();
        sorted.sort_unstable();
        let counts = sorted.chunk_by(|one, other| one == other).map(|alike| (alike[0], alike.len() as u32));
        let activity = PlayerActivity { counts: counts.collect(), variance_ratio: 1.0 };
        if sorted.is_empty() {
            return None;
        }
        let modeled = activity.variance(conditions, activity.players(), activity.appearances() / 2.0);
        Some(PlayerActivity { variance_ratio: variance / modeled, ..activity })
    }

    /// Returns the number of players of the recorded games.
    fn players(&self) -> f64 {
        self.counts.iter().map(|(_, players)| f64::from(*players)).sum()
    }

    /// Returns the number of appearances of players in the recorded games, two per game.
    fn appearances(&self) -> f64 {
        self.counts.iter().map(|(games, players)| f64::from(*games) * f64::from(*players)).sum()
    }

    /// Returns the variance of the estimate from the recorded games, divided by that of the model.
    pub fn variance_ratio(&self) -> f64 {
        self.variance_ratio
    }

    /// Returns the proportion of the appearances of the most active tenth of the players.
    pub fn top_tenth(&self) -> f64 {
        let mut left = self.players() / 10.0;
        let mut appearances = 0.0;
        for (games, players) in self.counts.iter().rev() {
            let taken = f64::from(*players).min(left);
            appearances += taken * f64::from(*games);
            left -= taken;
        }
        appearances / self.appearances()
    }

    /// Returns the variance of the advantage in log odds, by generalized least squares with known strengths, if players meet in
    /// proportion to their numbers of games.
    fn variance(&self, conditions: &PlanConditions, players: f64, games: f64) -> f64 {
        let information = conditions.information();
        let skill_variance = conditions.side_skill_sd * conditions.side_skill_sd;
        // The factors from the recorded numbers of games and of players to the planned ones.
        let player_factor = players / self.players();
        let games_factor = 2.0 * games / self.appearances() / player_factor;
        let total: f64 = self
            .counts
            .iter()
            .map(|(games, players)| {
                let player_information = f64::from(*games) * games_factor * information;
                f64::from(*players) * player_factor * player_information
                    / (1.0 + player_information * skill_variance)
            })
            .sum();
        self.variance_ratio * (4.0 / total - 1.0 / (games * information))
    }

    /// Returns the number of games for a standard error of the expected score, if the players are as unequally active as in the
    /// recorded games; `None` if no number of games of so few players suffices.
    pub fn games_needed(&self, conditions: &PlanConditions, players: u64, error: f64) -> Option<u64> {
        let wanted = conditions.advantage_variance(error);
        let is_enough = |games: u64| self.variance(conditions, players as f64, games as f64) <= wanted;
        let (mut low, mut high) = (0, MAX_GAMES);
        if !is_enough(high) {
            return None;
        }
        while low + 1 < high {
            let middle = u64::midpoint(low, high);
            if is_enough(middle) { high = middle } else { low = middle }
        }
        Some(high)
    }

    /// Returns the number of players below which no number of games gives a standard error.
    pub fn min_players(&self, conditions: &PlanConditions, error: f64) -> u64 {
        // With many games, all players weigh the same.
        let of_skills = 4.0 * conditions.side_skill_sd * conditions.side_skill_sd * self.variance_ratio;
        (of_skills / conditions.advantage_variance(error)).floor() as u64 + 1
    }
}

/// The largest number of games that is tried; a plan that needs more has too few players.
const MAX_GAMES: u64 = 1 << 40;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::SampleSizeQuestion;
    use crate::stats::simulate::{LeagueSpec, Schedule};
    use crate::stats::strength::{FitOptions, League, fit};

    #[test]
    fn equal_activity_gives_the_plan_for_equal_activity() {
        let conditions = PlanConditions { draw_weight: 0.06, strength_sd: 1.8, side_skill_sd: 0.14 };
        let error = SampleSizeQuestion::Detect(0.05).error(0.8);
        let games = 900.0;
        let variance = conditions.advantage_variance(conditions.error(60, games));
        let activity = PlayerActivity::of(&[30; 60], &conditions, variance).unwrap();
        assert!((activity.variance_ratio() - 1.0).abs() < 1e-9 && (activity.top_tenth() - 0.1).abs() < 1e-9);
        for players in [12, 40, 200] {
            let found = activity.games_needed(&conditions, players, error);
            assert_eq!(found, conditions.games_needed(players, error), "{players}");
        }
        assert_eq!(activity.min_players(&conditions, error), conditions.min_players(error));
        assert_eq!(PlayerActivity::of(&[0, 0], &conditions, variance), None);
    }

    #[test]
    fn figures_for_unequal_activity_are_those_of_the_reference() {
        // By reports/tests/reference/sample_size.py, with the matrices of generalized least squares.
        let conditions = PlanConditions { draw_weight: 0.06, strength_sd: 1.8, side_skill_sd: 0.14 };
        let mut activity =
            PlayerActivity::of(&[100, 60, 40, 20, 10, 5, 5, 3, 2, 1, 1, 1], &conditions, 1.0).unwrap();
        activity.variance_ratio = 1.0;
        let error = SampleSizeQuestion::Detect(0.05).error(0.8);
        for (players, games) in [(24, 25_114), (60, 3833), (240, 1768)] {
            assert_eq!(activity.games_needed(&conditions, players, error), Some(games), "{players}");
        }
    }

    #[test]
    fn plans_with_the_recorded_players_continue_the_recorded_error() {
        let conditions = PlanConditions { draw_weight: 0.06, strength_sd: 1.8, side_skill_sd: 0.3 };
        // 124 games of 12 players, with an error that the model does not explain.
        let games = [100, 60, 40, 20, 10, 5, 5, 3, 2, 1, 1, 1];
        let activity = PlayerActivity::of(&games, &conditions, 0.2).unwrap();
        let error = 0.2f64.sqrt() * conditions.variance(0.0);
        assert_eq!(activity.games_needed(&conditions, 12, error), Some(124));
        // Half of the error of four times the games and players.
        assert_eq!(activity.games_needed(&conditions, 48, error / 2.0), Some(496));
        assert_eq!(activity.games_needed(&conditions, 12, error / 10.0), None);
        let fewest = activity.min_players(&conditions, error / 10.0);
        assert_eq!(activity.games_needed(&conditions, fewest - 1, error / 10.0), None);
        assert!(activity.games_needed(&conditions, fewest + 1, error / 10.0).is_some());
    }

    #[test]
    fn unequally_active_leagues_have_the_error_of_the_model() {
        let conditions = PlanConditions { draw_weight: 0.06, strength_sd: 0.6, side_skill_sd: 0.5 };
        let (players, games) = (200, 1000);
        let spec = LeagueSpec {
            players,
            games,
            strength_sd: 0.6,
            advantage: 0.0,
            draw_weight: 0.06,
            schedule: Schedule::Unequal,
            one_side_skill_sd: 0.5 * 2f64.sqrt(),
            ..LeagueSpec::default()
        };
        let leagues = 150;
        let (mut squares, mut planned) = (0.0, 0.0);
        for seed in 0..leagues {
            let made = spec.simulate(seed);
            let league = League::new((made.strengths.len(), 1), made.games);
            let mut activity = PlayerActivity::of(&league.games_per_player(), &conditions, 1.0).unwrap();
            activity.variance_ratio = 1.0;
            // Players without games don't count.
            planned += activity.variance(&conditions, activity.players(), activity.appearances() / 2.0);
            let strengths = fit(&league, &FitOptions::default()).unwrap();
            squares += strengths.advantages[0].unwrap().value.powi(2);
        }
        // The formula takes strengths as known; `variance_ratio` corrects for that in recorded games.
        let ratio = (squares / planned).sqrt();
        assert!((1.0..1.25).contains(&ratio), "{ratio}");
        // A plan for equal activity promises a smaller error.
        let equal = conditions.error(players as u64, games as f64) / conditions.variance(0.0);
        let ratio = (squares / leagues as f64).sqrt() / equal;
        assert!(ratio > 1.1, "{ratio}");
    }
}
