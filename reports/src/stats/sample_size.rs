//! Planning: the number of games that a question about the balance needs.
//!
//! The variance of the attackers' estimated advantage has two parts. One falls with the number of games, and is larger for
//! players of unequal strength, whose games say less about the sides. The other falls only with the number of players,
//! because each of them plays one side better than the other, however many games he plays.

use super::interval::Z95;
use super::normal::normal_quantile;
use super::strength::expected_score;

/// The conditions of the games of a trial, in log odds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrialConditions {
    /// The weight of a draw between equals, relative to 1 for a win of either.
    pub draw: f64,
    /// The standard deviation of the strengths; 0 if only equals meet.
    pub spread: f64,
    /// The standard deviation of the side skills: half the difference between a player's strengths with both sides.
    pub side_skill: f64,
}

/// A question about the balance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TrialQuestion {
    /// To show that the expected score between equals is not one half, if it differs by this much.
    Detect(f64),
    /// To show that the expected score between equals is within a margin of one half.
    Equivalent {
        /// The margin.
        margin: f64,
        /// The true distance from one half, below the margin.
        distance: f64,
    },
    /// To show that two variants with separate games have different expected scores, if they differ by this much. The number of
    /// games is that of each variant.
    Compare(f64),
}

impl TrialQuestion {
    /// Returns the largest standard error of an expected score that answers the question with a probability of `power`, with
    /// an error of the first kind of 5 %.
    pub fn error(self, power: f64) -> f64 {
        let to_detect = |difference: f64| difference / (Z95 + normal_quantile(power));
        match self {
            TrialQuestion::Detect(difference) => to_detect(difference),
            TrialQuestion::Compare(difference) => to_detect(difference) / 2f64.sqrt(),
            TrialQuestion::Equivalent { margin, distance } => {
                // The whole interval must be inside both margins, of which the nearer one decides.
                let is_inside = |error: f64| {
                    let reach = |margin: f64| super::normal::normal_cdf(margin / error - Z95);
                    reach(margin - distance) + reach(margin + distance) - 1.0
                };
                let (mut low, mut high) = (0.0, margin);
                for _ in 0..60 {
                    let middle = (low + high) / 2.0;
                    if is_inside(middle) >= power { low = middle } else { high = middle }
                }
                low
            }
        }
    }
}

/// The number of points of an integral on each side of 0.
const STEPS: i32 = 200;

impl TrialConditions {
    /// Returns the variance of the score of a game with log odds `x`.
    fn variance(&self, x: f64) -> f64 {
        let mean = expected_score(x, self.draw);
        let [win, loss] = [x / 2.0, -x / 2.0].map(f64::exp);
        let even = self.draw / (win + loss + self.draw);
        (mean - even / 2.0) * (1.0 - mean).powi(2)
            + even * (0.5 - mean).powi(2)
            + (1.0 - mean - even / 2.0) * mean * mean
    }

    /// Returns the mean information of a game about the advantage: the variance of its score, averaged over pairs of
    /// players drawn at random.
    fn information(&self) -> f64 {
        // The difference of two strengths has a standard deviation of sqrt(2) spreads.
        let deviation = self.spread.hypot(self.side_skill) * 2f64.sqrt();
        let (mut sum, mut weights) = (0.0, 0.0);
        for step in -STEPS..=STEPS {
            let z = f64::from(step) * 6.0 / f64::from(STEPS);
            let weight = (-z * z / 2.0).exp();
            sum += weight * self.variance(z * deviation);
            weights += weight;
        }
        sum / weights
    }

    /// Returns the standard error of the attackers' expected score between equals, after games of players who play equally
    /// often, and each side equally often.
    pub fn error(&self, players: u64, games: f64) -> f64 {
        let of_games = 1.0 / (games * self.information());
        let of_players = 4.0 * self.side_skill * self.side_skill / players as f64;
        (of_games + of_players).sqrt() * self.variance(0.0)
    }

    /// Returns the number of games for a standard error; `None` if no number of games of so few players suffices.
    pub fn games_needed(&self, players: u64, error: f64) -> Option<u64> {
        let variance = (error / self.variance(0.0)).powi(2);
        let rest = variance - 4.0 * self.side_skill * self.side_skill / players as f64;
        (rest > 0.0).then(|| (1.0 / (rest * self.information())).ceil() as u64)
    }

    /// Returns the number of players below which no number of games gives a standard error.
    pub fn fewest_players(&self, error: f64) -> u64 {
        let variance = (error / self.variance(0.0)).powi(2);
        (4.0 * self.side_skill * self.side_skill / variance).floor() as u64 + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::simulate::{LeagueSpec, Schedule};
    use crate::stats::strength::{FitOptions, League, fit};

    #[test]
    fn simple_questions_have_their_textbook_answers() {
        let plain = TrialConditions { draw: 0.0, spread: 0.0, side_skill: 0.0 };
        // 1/4 (1.96 + 0.8416)^2 / 0.05^2 games of independent equals.
        assert_eq!(plain.games_needed(10, TrialQuestion::Detect(0.05).error(0.8)), Some(785));
        assert_eq!(plain.games_needed(10, TrialQuestion::Compare(0.05).error(0.8)), Some(1570));
        // Both margins: 1/4 (1.96 + 1.2816)^2 / 0.05^2.
        let fair = TrialQuestion::Equivalent { margin: 0.05, distance: 0.0 };
        assert_eq!(plain.games_needed(10, fair.error(0.8)), Some(1051));
        assert!((plain.error(10, 100.0) - 0.05).abs() < 1e-12);
        // Davidson's model: a draw halves the variance of a score if its weight is 2.
        let drawn = TrialConditions { draw: 2.0, ..plain };
        assert!((drawn.variance(0.0) - 0.125).abs() < 1e-12);
    }

    #[test]
    fn figures_are_those_of_the_reference() {
        // By reports/tests/reference/trial_plan.py, with scipy.integrate.quad and the noncentral power of both tests.
        let conditions = TrialConditions { draw: 0.06, spread: 1.8, side_skill: 0.14 };
        for (players, detect, fair) in REFERENCE {
            let found = conditions.games_needed(players, TrialQuestion::Detect(0.05).error(0.8));
            assert_eq!(found, detect, "{players}");
            let question = TrialQuestion::Equivalent { margin: 0.05, distance: 0.02 };
            assert_eq!(conditions.games_needed(players, question.error(0.8)), fair, "{players}");
        }
        assert_eq!(conditions.fewest_players(TrialQuestion::Detect(0.05).error(0.8)), FEWEST);
    }

    const REFERENCE: [(u64, Option<u64>, Option<u64>); 3] =
        [(12, None, None), (40, Some(2274), None), (200, Some(1563), Some(5041))];
    const FEWEST: u64 = 15;

    #[test]
    fn simulated_leagues_have_the_planned_power() {
        let conditions = TrialConditions { draw: 0.06, spread: 1.2, side_skill: 0.2 };
        let players = 60;
        let games = conditions.games_needed(players, TrialQuestion::Detect(0.08).error(0.8)).unwrap();
        // The advantage at which the expected score is 58 %.
        let (mut low, mut high) = (0.0, 2.0);
        for _ in 0..60 {
            let middle = (low + high) / 2.0;
            if expected_score(middle, 0.06) < 0.58 { low = middle } else { high = middle }
        }
        let spec = LeagueSpec {
            players: players as usize,
            games: games as usize,
            spread: 1.2,
            advantage: low,
            draw: 0.06,
            schedule: Schedule::Even,
            // A side skill is half the difference of two independent skills.
            side_skill: 0.2 * 2f64.sqrt(),
            ..LeagueSpec::default()
        };
        let leagues = 80;
        let (mut found, mut squares) = (0, 0.0);
        for seed in 0..leagues {
            let made = spec.simulate(seed);
            let strengths =
                fit(&League::new((made.strengths.len(), 1), made.games), &FitOptions::default()).unwrap();
            let side = strengths.sides[0].unwrap();
            found += u64::from(side.estimate().low > 0.0);
            squares += (expected_score(side.value, strengths.draw) - 0.58).powi(2);
        }
        let power = found as f64 / leagues as f64;
        assert!((0.68..=0.92).contains(&power), "{power}");
        let deviation = (squares / leagues as f64).sqrt();
        let ratio = deviation / conditions.error(players, games as f64);
        assert!((0.8..1.25).contains(&ratio), "{ratio}");
    }
}
