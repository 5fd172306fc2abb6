//! Requests that play games: matches between players, and games of the engine against itself.

mod match_answer;
mod match_request;
mod player_spec;
mod saved_game;
mod selfplay;
mod selfplay_job;
mod series;

pub use match_answer::{
    EloAnswer, EndingCounts, FaultCounts, MatchResult, MatchTally, PlayerCounts, ResultCounts, SprtAnswer,
};
pub use match_request::{
    MatchAnswer, MatchPlayer, MatchRequest, MatchSettings, NumberPair, OnFault, PlayedPair, PreparedMatch,
    VariantMatchResult,
};
pub use player_spec::{PlayerSpec, PlayerSpecError};
pub use saved_game::{RecordHeading, SavedFault, SavedGame, SavedPair};
pub use selfplay::{PreparedSelfPlay, SelfPlayGame, SelfPlayRequest, SelfPlaySettings};
pub use series::{GameSeries, GameSeriesError};
