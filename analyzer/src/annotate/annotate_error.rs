//! The reason why a game cannot be annotated.

use super::log::LogError;
use crate::engine::EngineError;

/// The reason why a game cannot be annotated at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AnnotateError {
    /// The log cannot be read or written.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The limits allow no search.
    #[error(transparent)]
    Limits(EngineError),
    /// The start position is for another board than the rules.
    #[error("the start position does not fit the board of the rules")]
    Board,
}
