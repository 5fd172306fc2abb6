//! Planning: the number of games that a question about the balance needs.
//!
//! The variance of the attackers' estimated advantage has two parts. One falls with the number of games, and is larger for
//! players of unequal strength, whose games say less about the sides. The other falls only with the number of players,
//! because each of them plays one side better than the other, however many games he plays. If some players play much more
//! than others, their side skills weigh more, and the second part is larger: see [`PlayerActivity`](super::activity::PlayerActivity).

use super::interval::Z95;
use super::normal::normal_quantile;
use super::strength::expected_score;

/// The assumed conditions of the games, in log odds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlanConditions {
    /// The weight of a draw between equals, relative to 1 for a win of either.
    pub draw_weight: f64,
    /// The standard deviation of the strengths; 0 if only equals meet.
    pub strength_sd: f64,
    /// The standard deviation of the side skills: half the difference between a player's strengths with both sides.
    pub side_skill_sd: f64,
}

/// A question about the balance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SampleSizeQuestion {
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

impl SampleSizeQuestion {
    /// Returns the largest standard error of an expected score that answers the question with a probability of `power`, with
    /// an error of the first kind of 5 %.
    pub fn error(self, power: f64) -> f64 {
        let to_detect = |difference: f64| difference / (Z95 + normal_quantile(power));
        match self {
            SampleSizeQuestion::Detect(difference) => to_detect(difference),
            SampleSizeQuestion::Compare(difference) => to_detect(difference) / 2f64.sqrt(),
            SampleSizeQuestion::Equivalent { margin, distance } => {
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

impl PlanConditions {
    /// Returns the variance of the score of a game with log odds `x`.
    pub(super) fn variance(&self, x: f64) -> f64 {
        let mean = expected_score(x, self.draw_weight);
        let [win, loss] = [x / 2.0, -x / 2.0].map(f64::exp);
        let draw = self.draw_weight / (win + loss + self.draw_weight);
        (mean - draw / 2.0) * (1.0 - mean).powi(2)
            + draw * (0.5 - mean).powi(2)
            + (1.0 - mean - draw / 2.0) * mean * mean
    }

    /// Returns the mean information of a game about the advantage: the variance of its score, averaged over pairs of
    /// players drawn at random.
    pub(super) fn information(&self) -> f64 {
        // The difference of two strengths has sqrt(2) times the standard deviation of one.
        let deviation = self.strength_sd.hypot(self.side_skill_sd) * 2f64.sqrt();
        let (mut sum, mut weights) = (0.0, 0.0);
        for step in -STEPS..=STEPS {
            let z = f64::from(step) * 6.0 / f64::from(STEPS);
            let weight = (-z * z / 2.0).exp();
            sum += weight * self.variance(z * deviation);
            weights += weight;
        }
        sum / weights
    }

    /// Returns the variance of the advantage, in log odds, at a standard error of the expected score between equals.
    pub(crate) fn advantage_variance(&self, error: f64) -> f64 {
        (error / self.variance(0.0)).powi(2)
    }

    /// Returns the standard error of the attackers' expected score between equals, after games of players who play equally
    /// often, and each side equally often.
    pub fn error(&self, players: u64, games: f64) -> f64 {
        let of_games = 1.0 / (games * self.information());
        let of_players = 4.0 * self.side_skill_sd * self.side_skill_sd / players as f64;
        (of_games + of_players).sqrt() * self.variance(0.0)
    }

    /// Returns the number of games for a standard error; `None` if no number of games of so few players suffices.
    pub fn games_needed(&self, players: u64, error: f64) -> Option<u64> {
        let remaining =
            self.advantage_variance(error) - 4.0 * self.side_skill_sd * self.side_skill_sd / players as f64;
        (remaining > 0.0).then(|| (1.0 / (remaining * self.information())).ceil() as u64)
    }

    /// Returns the number of players below which no number of games gives a standard error.
    pub fn min_players(&self, error: f64) -> u64 {
        (4.0 * self.side_skill_sd * self.side_skill_sd / self.advantage_variance(error)).floor() as u64 + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::simulate::{LeagueSpec, Schedule};
    use crate::stats::strength::{FitOptions, League, fit};

    #[test]
    fn simple_questions_have_their_textbook_answers() {
        let plain = PlanConditions { draw_weight: 0.0, strength_sd: 0.0, side_skill_sd: 0.0 };
        // 1/4 (1.96 + 0.8416)^2 / 0.05^2 games of independent equals.
        assert_eq!(plain.games_needed(10, SampleSizeQuestion::Detect(0.05).error(0.8)), Some(785));
        assert_eq!(plain.games_needed(10, SampleSizeQuestion::Compare(0.05).error(0.8)), Some(1570));
        // Both margins: 1/4 (1.96 + 1.2816)^2 / 0.05^2.
        let fair = SampleSizeQuestion::Equivalent { margin: 0.05, distance: 0.0 };
        assert_eq!(plain.games_needed(10, fair.error(0.8)), Some(1051));
        assert!((plain.error(10, 100.0) - 0.05).abs() < 1e-12);
        // Davidson's model: a draw halves the variance of a score if its weight is 2.
        let drawn = PlanConditions { draw_weight: 2.0, ..plain };
        assert!((drawn.variance(0.0) - 0.125).abs() < 1e-12);
    }

    #[test]
    fn figures_are_those_of_the_reference() {
        // By reports/tests/reference/sample_size.py, with scipy.integrate.quad and the noncentral power of both tests.
        let conditions = PlanConditions { draw_weight: 0.06, strength_sd: 1.8, side_skill_sd: 0.14 };
        for (players, detect, fair) in REFERENCE {
            let found = conditions.games_needed(players, SampleSizeQuestion::Detect(0.05).error(0.8));
            assert_eq!(found, detect, "{players}");
            let question = SampleSizeQuestion::Equivalent { margin: 0.05, distance: 0.02 };
            assert_eq!(conditions.games_needed(players, question.error(0.8)), fair, "{players}");
        }
        assert_eq!(conditions.min_players(SampleSizeQuestion::Detect(0.05).error(0.8)), MIN_PLAYERS);
    }

    const REFERENCE: [(u64, Option<u64>, Option<u64>); 3] =
        [(12, None, None), (40, Some(2274), None), (200, Some(1563), Some(5041))];
    const MIN_PLAYERS: u64 = 15;

    #[test]
    fn simulated_leagues_have_the_planned_power() {
        let conditions = PlanConditions { draw_weight: 0.06, strength_sd: 1.2, side_skill_sd: 0.2 };
        let players = 60;
        let games = conditions.games_needed(players, SampleSizeQuestion::Detect(0.08).error(0.8)).unwrap();
        // The advantage at which the expected score is 58 %.
        let (mut low, mut high) = (0.0, 2.0);
        for _ in 0..60 {
            let middle = (low + high) / 2.0;
            if expected_score(middle, 0.06) < 0.58 { low = middle } else { high = middle }
        }
        let spec = LeagueSpec {
            players: players as usize,
            games: games as usize,
            strength_sd: 1.2,
            advantage: low,
            draw_weight: 0.06,
            schedule: Schedule::Even,
            // A side skill is half the difference of two independent skills.
            one_side_skill_sd: 0.2 * 2f64.sqrt(),
            ..LeagueSpec::default()
        };
        let leagues = 80;
        let (mut found, mut squares) = (0, 0.0);
        for seed in 0..leagues {
            let made = spec.simulate(seed);
            let strengths =
                fit(&League::new((made.strengths.len(), 1), made.games), &FitOptions::default()).unwrap();
            let side = strengths.advantages[0].unwrap();
            found += u64::from(side.estimate().low > 0.0);
            squares += (expected_score(side.value, strengths.draw_weight) - 0.58).powi(2);
        }
        let power = found as f64 / leagues as f64;
        assert!((0.68..=0.92).contains(&power), "{power}");
        let deviation = (squares / leagues as f64).sqrt();
        let ratio = deviation / conditions.error(players, games as f64);
        assert!((0.8..1.25).contains(&ratio), "{ratio}");
    }
}
