//! Requests that play games: matches and leagues between players, and games of the engine against itself.

mod find_openings;
mod league_answer;
mod league_request;
mod match_answer;
mod match_request;
mod number_pair;
mod opening_games;
mod opening_sources;
mod pair_openings;
mod pair_series;
mod pair_terms;
mod player_spec;
mod prepared_league;
mod prepared_match;
mod rules_text;
mod saved_game;
mod selfplay;
mod selfplay_job;
mod series;
mod series_difference;

pub use find_openings::{FindOpeningsRequest, PreparedOpenings};
pub use league_answer::{EloEstimate, LeagueAnswer, LeaguePairing, LeaguePlayer, VariantAdvantage};
pub use league_request::LeagueRequest;
pub use match_answer::{
    EloAnswer, EndingCounts, FaultCounts, MatchAnswer, MatchPlayer, MatchResult, MatchTally, PlayerCounts,
    ResultCounts, SprtAnswer, VariantMatchResult,
};
pub use match_request::MatchRequest;
pub use number_pair::NumberPair;
pub use pair_terms::{OnFault, PairTerms};
pub use player_spec::{PlayerSpec, PlayerSpecError};
pub use prepared_league::{LeagueSettings, PlayedLeaguePair, PreparedLeague};
pub use prepared_match::{MatchSettings, PlayedPair, PreparedMatch};
pub use saved_game::{RecordHeading, SavedFault, SavedGame, SavedPair};
pub use selfplay::{PreparedSelfPlay, SelfPlayGame, SelfPlayRequest, SelfPlaySettings};
pub use series::GameSeries;
