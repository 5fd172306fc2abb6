//! Why a figure cannot be given.

use thiserror::Error;

/// Why a figure cannot be given. It is shown in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum NotEstimable {
    /// There is no game.
    #[error("there are no games")]
    NoGames,
    /// No game has a winner.
    #[error("no game was won by either side")]
    NoneDecided,
    /// No game names both players.
    #[error("no game names both players")]
    NoPlayers,
    /// Fewer than three players have games: strength and side can hardly be told apart.
    #[error("there are too few players to tell strength and side apart")]
    FewPlayers,
    /// No game has a date, or all have the same.
    #[error("the games have no dates that differ")]
    NoDates,
    /// Fewer than are needed.
    #[error("{found} are there, {needed} are needed")]
    TooFew {
        /// How many there are.
        found: u64,
        /// How many are needed.
        needed: u64,
    },
    /// The corpus has no evaluations of positions.
    #[error("the games were not evaluated")]
    NoEvaluations,
    /// The calculation did not settle.
    #[error("the calculation did not settle")]
    Unsettled,
}
