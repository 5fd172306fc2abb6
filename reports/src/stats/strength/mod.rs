//! Joint estimation of players' strengths and the advantage of a side: the Bradley-Terry model with
//! Davidson's draws.
//!
//! With `x = strength of the attackers' player - strength of the defenders' player + advantage of the attackers`, a game
//! is won, drawn, or lost by the attackers in the proportion `e^(x/2) : nu : e^(-x/2)`. Strengths are assumed to be normal
//! around 0 with a standard deviation estimated from the games, which keeps the strengths of players with few games finite.
//!
//! Players may play one side better than the other, and the advantage may depend on strength. Both are a side skill of each
//! player: a number that is added to `x` in all games of the player, with either side. Side skills are normal around 0,
//! with an estimated standard deviation, and independent of strengths.
//!
//! Games are aggregated by pairing and group; each group of games (a variant, an era, or a band of strength)
//! has its own advantage. Numbers are log odds; [`elo`] converts them to Elo.

mod correct;
mod drift;
mod fit;
mod league;
#[cfg(feature = "database")]
mod leave_one_out;
mod player_systems;
mod result_odds;
mod scale;
mod sds;
mod side_choice;
mod side_terms;
mod sums;
mod system;
#[cfg(test)]
mod tests;
mod unknowns;
mod variances;
mod widening;

pub use drift::{StrengthDrift, strength_drift};
pub use fit::{FitOptions, fit, fit_from, fit_line};
pub use league::{League, Pairing, PairingResults};
#[cfg(feature = "database")]
pub(crate) use leave_one_out::LeaveOneOut;
pub(super) use scale::wdl_probabilities;
pub use scale::{elo, expectation, expected_score};
pub(super) use variances::invert;

use super::interval::Estimate;
use super::normal::two_sided;

/// The estimates for players and advantages.
#[derive(Debug, Clone, PartialEq)]
pub struct Strengths {
    /// The strength of each player; `None` for players without games.
    pub players: Vec<Option<Strength>>,
    /// The side skill of each player, in log odds: half the difference between his strengths with both sides.
    pub side_skills: Vec<f64>,
    /// The advantage of the attackers in each group; `None` for groups without games.
    pub advantages: Vec<Option<Advantage>>,
    /// The effect of side choice; `None` with several groups.
    pub side_choice: Option<SideChoiceEffect>,
    /// The weight of a draw between equals, relative to 1 for a win of either: `nu`. 0 if no game was drawn.
    pub draw_weight: f64,
    /// The standard deviation of strengths.
    pub strength_sd: f64,
    /// The standard deviation of side skills.
    pub side_skill_sd: f64,
    /// The number of games.
    pub n: u64,
    /// The number of steps of the iteration.
    pub steps: u32,
}

/// The strength of a player.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Strength {
    /// The strength in log odds.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
    /// The number of games on which it is based.
    pub games: u64,
}

/// The effect of side choice: how much stronger the attackers' players are because strong players prefer a side.
///
/// The results of games show only its sum with the advantage. If most players have few games, both can hardly be told apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SideChoiceEffect {
    /// The strength of the attackers' player minus that of the defenders' player that both players' side choices predict, as the mean
    /// over all games in log odds.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
    /// Its correlation with the advantage.
    pub correlation: f64,
}

impl SideChoiceEffect {
    /// Returns the effect with its interval, in Elo.
    pub fn elo(&self) -> Estimate {
        Estimate::normal(self.value, self.error).map(elo)
    }
}

/// The advantage of the attackers over equal opponents.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Advantage {
    /// The advantage in log odds.
    pub value: f64,
    /// Its standard error, including the uncertainty of strengths, side skills, and draws.
    pub error: f64,
    /// The standard error if the estimated standard deviation of side skills were exact. It varies less between leagues, so pooling
    /// weights them by it.
    pub model_error: f64,
    /// The standard error if strengths and side skills were known exactly. `error` can be less if the estimated variance of side skills
    /// is negative.
    pub known_players_error: f64,
    /// The number of games on which it is based.
    pub games: u64,
}

/// The advantage of the attackers as a line over the mean strength of both players, in log odds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AdvantageLine {
    /// The mean strength of the players over all games.
    pub center: f64,
    /// The advantage at this strength.
    pub value: f64,
    /// The change of the advantage per unit of strength.
    pub slope: f64,
    /// The standard error of the advantage at this strength.
    pub value_error: f64,
    /// The standard error of the slope.
    pub slope_error: f64,
    /// The covariance of the advantage at this strength and the slope.
    pub covariance: f64,
}

impl AdvantageLine {
    /// Returns the advantage between two players of a strength, with its interval.
    pub fn at(&self, strength: f64) -> Estimate {
        let away = strength - self.center;
        let variance =
            self.value_error.powi(2) + 2.0 * away * self.covariance + (away * self.slope_error).powi(2);
        Estimate::normal(self.value + away * self.slope, variance.max(0.0).sqrt())
    }
}

impl Advantage {
    /// Returns whether the error is less than if strengths and side skills were known exactly: the results agree more than by chance.
    pub fn is_below_known_players(&self) -> bool {
        self.error < self.known_players_error
    }

    /// Returns the advantage with an error that is at least that for known strengths and side skills. Intervals have their coverage on
    /// average over all leagues, but those that are narrower contain the true value in only about 85 % of cases, which is too few for
    /// decisions.
    pub fn cautious(&self) -> Advantage {
        Advantage { error: self.error.max(self.known_players_error), ..*self }
    }

    /// Returns the two-sided p-value of an advantage of 0, with the [cautious](Advantage::cautious) error.
    pub fn p(&self) -> f64 {
        two_sided(self.value / self.cautious().error)
    }

    /// Returns the advantage with its interval, in log odds.
    pub fn estimate(&self) -> Estimate {
        Estimate::normal(self.value, self.error)
    }

    /// Returns the advantage with its interval, in Elo.
    pub fn elo(&self) -> Estimate {
        self.estimate().map(elo)
    }

    /// Returns the expected score of the attackers between equals, with its interval.
    pub fn expectation(&self, draw: f64) -> Estimate {
        self.estimate().map(|x| expected_score(x, draw))
    }
}

impl Strength {
    /// Returns the strength with its interval, in Elo around 0.
    pub fn elo(&self) -> Estimate {
        Estimate::normal(self.value, self.error).map(elo)
    }
}
