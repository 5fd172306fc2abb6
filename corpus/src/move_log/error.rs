//! The errors of move logs.

use super::MOVE_LOG_VERSION;

/// The reason why a move log cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MoveLogError {
    /// It lacks the marks at the beginning and the end of a move log.
    #[error("not a move log, or an incomplete one")]
    NotAMoveLog,
    /// It has another version.
    #[error("the move log has version {found}, but this program reads versions up to {MOVE_LOG_VERSION}")]
    Version {
        /// Its version.
        found: u32,
    },
    /// A part of its file cannot be read, or is not as it was written.
    #[error("the move log cannot be read: {0}")]
    File(String),
    /// The list of game setups cannot be read.
    #[error("the game setups of the move log cannot be read: {0}")]
    Setups(String),
    /// A game ends in the middle of a ply, or names a cell, a start or a game setup that does not exist.
    #[error("game {game} of the move log is damaged")]
    Game {
        /// The row of the game in the segment, from 0.
        game: u32,
    },
}
