//! Joint estimation of players' strengths and the advantage of a side: the Bradley-Terry model with
//! Davidson's draws.
//!
//! With `x = strength of the attackers' player - strength of the defenders' player + advantage of the attackers`, a game
//! is won, drawn, or lost by the attackers in the proportion `e^(x/2) : nu : e^(-x/2)`. Strengths are assumed to be normal
//! around 0 with a spread estimated from the games, which keeps the strengths of players with few games finite.
//!
//! Games are aggregated by pairing and group; each group of games (a variant, an era, or a band of strength)
//! has its own advantage. Numbers are log odds; [`elo`] converts them to Elo.

mod correct;
mod fit;
mod league;
mod scale;
mod side_choice;
mod system;
#[cfg(test)]
mod tests;

pub use fit::{FitOptions, fit};
pub use league::{League, LeaguePoints, Meeting, Pairing};
pub use scale::{elo, expectation, expected_score};

use super::interval::Estimate;

/// The estimates for players and sides.
#[derive(Debug, Clone, PartialEq)]
pub struct Strengths {
    /// The strength of each player; `None` for players without games.
    pub players: Vec<Option<Strength>>,
    /// The advantage of the attackers in each group; `None` for groups without games.
    pub sides: Vec<Option<Advantage>>,
    /// The weight of a draw between equals, relative to 1 for a win of either: `nu`. 0 if no game was drawn.
    pub draw: f64,
    /// The standard deviation of strengths.
    pub spread: f64,
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

/// The advantage of the attackers over equal opponents.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Advantage {
    /// The advantage in log odds.
    pub value: f64,
    /// Its standard error, including the uncertainty of strengths and draws.
    pub error: f64,
    /// The number of games on which it is based.
    pub games: u64,
}

impl Advantage {
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
