//! The result of a league in numbers.

use schemars::JsonSchema;
use serde::Serialize;
use tafl_reports::stats::Estimate;

use super::match_answer::{MatchPlayer, ResultCounts};

/// The result of a league.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct LeagueAnswer {
    /// The players, the best rating first; without ratings, in the order of the request.
    pub players: Vec<LeaguePlayer>,
    /// The results of each pairing that was played.
    pub pairings: Vec<LeaguePairing>,
    /// The advantage of the attackers by variant.
    pub variants: Vec<VariantAdvantage>,
    /// The reason why there are no ratings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_rated: Option<String>,
    /// The number of pairs without a result, which don't count for ratings.
    pub pairs_unfinished: u64,
    /// The number of opening plies of each pair; null for balanced openings, which have their own lengths.
    pub opening_plies: Option<u64>,
    /// The files with openings.
    pub openings: Vec<String>,
    /// The number of plies after which a game stays unfinished.
    pub plies: u64,
    /// The seed.
    pub seed: u64,
}

/// A player of a league.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct LeaguePlayer {
    /// The player.
    #[serde(flatten)]
    pub player: MatchPlayer,
    /// The rating around the mean of all players; null if it can't be estimated.
    pub rating: Option<EloEstimate>,
    /// The probability that the player is stronger than the next one; null for the last one.
    pub better_than_next: Option<f64>,
    /// All games.
    pub all: ResultCounts,
    /// Games with the attackers.
    pub as_attackers: ResultCounts,
    /// Games with the defenders.
    pub as_defenders: ResultCounts,
    /// The number of games that the player lost because it could not continue.
    pub faults: u64,
}

/// A number in Elo, with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct EloEstimate {
    /// The estimate.
    pub elo: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

/// The games between two players.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct LeaguePairing {
    /// The player whose results these are.
    pub player: String,
    /// Its opponent.
    pub opponent: String,
    /// All games.
    pub all: ResultCounts,
    /// Games in which the player had the attackers.
    pub as_attackers: ResultCounts,
    /// Games in which the player had the defenders.
    pub as_defenders: ResultCounts,
}

/// The advantage of the attackers in the games of one variant.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct VariantAdvantage {
    /// The variant.
    pub variant: String,
    /// The number of games of finished pairs.
    pub games: u64,
    /// The advantage over an equal opponent; null if it can't be estimated.
    pub attackers: Option<EloEstimate>,
}

impl EloEstimate {
    /// Rounds an estimate to tenths.
    pub(super) fn of(estimate: Estimate) -> EloEstimate {
        // Without a negative zero.
        let rounded = |number: f64| (number * 10.0).round() / 10.0 + 0.0;
        EloEstimate { elo: rounded(estimate.value), low: rounded(estimate.low), high: rounded(estimate.high) }
    }
}
