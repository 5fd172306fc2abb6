//! Games between players: our engine, random players, and other programs.
//!
//! [`play_game`] plays one game and decides its result by the rules alone. [`Openings`] generates
//! the openings of a match, [`BalanceSearch`] finds openings from which both sides win,
//! [`play_pairs`] plays each of them with both sides, [`Pentanomial`] and [`Sprt`] evaluate the
//! results, and [`SelfPlay`] generates games for reports and learning. The same seed gives the same
//! games on any number of threads.

mod balance;
mod game;
mod jobs;
mod opening;
mod opening_set;
mod pair;
mod player;
mod proof;
mod remote;
mod selfplay;
mod sprt;

#[cfg(test)]
mod tests;

pub use balance::{BalanceCounts, BalanceProgress, BalanceSearch, BalanceSettings, BalancedOpening};
pub use game::{MatchEnding, MatchGame, MatchPly, MatchTerms, Proofs, play_game};
pub use jobs::run_jobs;
pub use opening::{Opening, Openings, openings_from_games};
pub use opening_set::{OpeningSet, OpeningSetError, OpeningSets};
pub use pair::{GamePair, PairScore, PairSetup, Players, play_pair, play_pairs};
pub use player::{Decision, EnginePlayer, Player, PlayerChoice, PlayerError, PlayerView, RandomPlayer};
pub use proof::{immediate_win, wins_within_three_plies};
pub use remote::{Connect, Protocol, RemotePlayer, RemoteProcess, Wire};
pub use selfplay::{SelfPlay, Temperature};
pub use sprt::{EloInterval, Pentanomial, Sprt, SprtError, SprtVerdict};
