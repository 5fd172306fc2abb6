//! The reasons why a figure cannot be estimated.

use thiserror::Error;

/// The reason why a figure cannot be estimated; it is shown in place of the figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum NotEstimable {
    /// No game has finished.
    #[error("no game has finished")]
    NoGames,
    /// No game has a winner.
    #[error("no game has a winner")]
    NoneDecided,
    /// No game names both players.
    #[error("no game names both players")]
    NoPlayers,
    /// No finished game is between two experienced players.
    #[error("no finished game is between two experienced players")]
    NoneExperienced,
    /// Fewer than three players have games, so strength and side cannot be separated.
    #[error("strength and side cannot be separated with fewer than three players")]
    FewPlayers,
    /// A few players have most of the games.
    #[error("a few players have most of the games")]
    SamePlayers,
    /// The order of the games in time is not known, because some have neither a date nor a number.
    #[error("the order of the games is not known: some have neither a date nor a number")]
    NoOrder,
    /// No player has enough games.
    #[error("no player has enough games")]
    FewGamesEach,
    /// The player has no finished game against another named player.
    #[error("no finished game names an opponent")]
    NoOpponents,
    /// No game has a year, or all years are equal.
    #[error("fewer than two different years are known")]
    NoDates,
    /// The sample is too small.
    #[error("the sample is too small: {found} found, at least {needed} needed")]
    TooFew {
        /// The number found.
        found: u64,
        /// The number needed.
        needed: u64,
    },
    /// The corpus has no evaluations of positions.
    #[error("no game is evaluated (run `tafl annotate`)")]
    NoEvaluations,
    /// The iteration did not converge.
    #[error("the iteration did not converge")]
    Unsettled,
}
