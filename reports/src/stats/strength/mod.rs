//! Strengths of players and the advantage of a side, estimated together: Bradley and Terry's model with draws by Davidson.
//!
//! With `x = strength of the attackers' player - strength of the defenders' player + advantage of the attackers`, a game
//! is won, drawn or lost by the attackers in the proportion `e^(x/2) : nu : e^(-x/2)`. Strengths are taken to be normal
//! around 0 with a spread that is estimated from the games as well, so players with few games do not run away.
//!
//! Games are summed up by pairing and group; a group of games (a variant, an era, a band of strength) has an advantage of
//! its own. Numbers are logarithms of odds; [`elo`] turns them into Elo.

mod correct;
mod fit;
mod league;
mod leaning;
mod scale;
mod system;
#[cfg(test)]
mod tests;

pub use fit::{FitOptions, fit};
pub use league::{League, Meeting, Pairing, Points};
pub use scale::{elo, expectation, expected_score};

use super::interval::Estimate;

/// What was found out about players and sides.
#[derive(Debug, Clone, PartialEq)]
pub struct Strengths {
    /// For each player; those without games have none.
    pub players: Vec<Option<Strength>>,
    /// For each group the advantage of the attackers; nothing for groups without games.
    pub sides: Vec<Option<Advantage>>,
    /// The weight of a draw between equals, against 1 for a win of either: `nu`. 0 where no game was drawn.
    pub draw: f64,
    /// The standard deviation of strengths.
    pub spread: f64,
    /// How many games were used.
    pub n: u64,
    /// How many steps the calculation took.
    pub steps: u32,
}

/// The strength of a player.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Strength {
    /// The strength, as logarithm of odds.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
    /// How many games it rests on.
    pub games: u64,
}

/// The advantage of the attackers over equal opponents.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Advantage {
    /// As logarithm of odds.
    pub value: f64,
    /// Its standard error, with strengths and draws unknown as they are.
    pub error: f64,
    /// How many games it rests on.
    pub games: u64,
}

impl Advantage {
    /// Returns the advantage with its interval, as logarithm of odds.
    pub fn estimate(&self) -> Estimate {
        Estimate::normal(self.value, self.error)
    }

    /// Returns the advantage with its interval, in Elo.
    pub fn elo(&self) -> Estimate {
        self.estimate().map(elo)
    }

    /// Returns the score that the attackers can expect between equals, with its interval.
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
