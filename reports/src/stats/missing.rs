//! The reasons why a figure cannot be estimated.

use thiserror::Error;

/// The reason why a figure cannot be estimated; it is shown in place of the figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum NotEstimable {
    /// There are no games.
    #[error("there are no games")]
    NoGames,
    /// No game has a winner.
    #[error("no game was won by either side")]
    NoneDecided,
    /// No game names both players.
    #[error("no game names both players")]
    NoPlayers,
    /// Fewer than three players have games, so strength and side cannot be separated.
    #[error("there are too few players to separate strength and side")]
    FewPlayers,
    /// No game has a date, or all dates are equal.
    #[error("the games do not have different dates")]
    NoDates,
    /// The sample is too small.
    #[error("{found} found, {needed} needed")]
    TooFew {
        /// The number found.
        found: u64,
        /// The number needed.
        needed: u64,
    },
    /// The corpus has no evaluations of positions.
    #[error("the games are not evaluated")]
    NoEvaluations,
    /// The iteration did not converge.
    #[error("the calculation did not converge")]
    Unsettled,
}
