//! The number and results of games with a position.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_corpus::{GameCounts, GameResult};
use tafl_reports::stats::Rate;

/// The games that have a position, and their results. Shares are of games with a known end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PositionCounts {
    /// The number of games that have the position.
    pub games: u64,
    /// The number of games that the attackers won.
    pub attackers: u64,
    /// The number of games that the defenders won.
    pub defenders: u64,
    /// The number of drawn games.
    pub draw: u64,
    /// The number of games without a result.
    pub unfinished: u64,
    /// The share of games that the attackers won.
    pub attackers_share: Option<ShareEstimate>,
    /// The share of games that the defenders won.
    pub defenders_share: Option<ShareEstimate>,
    /// The mean length of the games, in plies.
    pub mean_plies: Option<f64>,
    /// The last known day on which it was played.
    pub last_played: Option<String>,
}

/// A share from 0 to 1 with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ShareEstimate {
    /// The share.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl From<&GameCounts> for PositionCounts {
    fn from(counts: &GameCounts) -> PositionCounts {
        let share = |result| {
            let rate = Rate::of(counts.with_result(result), counts.n_ended())?.proportion;
            Some(ShareEstimate { value: rate.value, low: rate.low, high: rate.high })
        };
        PositionCounts {
            games: counts.n_games(),
            attackers: counts.with_result(GameResult::Attackers),
            defenders: counts.with_result(GameResult::Defenders),
            draw: counts.with_result(GameResult::Draw),
            unfinished: counts.with_result(GameResult::Unfinished),
            attackers_share: share(GameResult::Attackers),
            defenders_share: share(GameResult::Defenders),
            mean_plies: counts.mean_plies(),
            last_played: counts.last_played(),
        }
    }
}
