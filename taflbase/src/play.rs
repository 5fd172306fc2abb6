//! Requests that play games: matches between players, and games of the engine against itself.

mod find_openings;
mod match_answer;
mod match_openings;
mod match_request;
mod number_pair;
mod player_spec;
mod prepared_match;
mod saved_game;
mod selfplay;
mod selfplay_job;
mod series;

pub use find_openings::{FindOpeningsRequest, PreparedOpenings};
pub use match_answer::{
    EloAnswer, EndingCounts, FaultCounts, MatchAnswer, MatchPlayer, MatchResult, MatchTally, PlayerCounts,
    ResultCounts, SprtAnswer, VariantMatchResult,
};
pub use match_request::{MatchRequest, OnFault};
pub use number_pair::NumberPair;
pub use player_spec::{PlayerSpec, PlayerSpecError};
pub use prepared_match::{MatchSettings, PlayedPair, PreparedMatch};
pub use saved_game::{RecordHeading, SavedFault, SavedGame, SavedPair};
pub use selfplay::{PreparedSelfPlay, SelfPlayGame, SelfPlayRequest, SelfPlaySettings};
pub use series::{GameSeries, GameSeriesError};
