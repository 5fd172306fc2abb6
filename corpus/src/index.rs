//! The index of a segment: which games may hold what a query asks for.
//!
//! Positions are indexed in blocks of [`move_log::BLOCK_SIZE`](crate::BLOCK_SIZE): a block has what is true in any of its
//! positions. The index never answers alone: it says which games to look at, and the move log says what is true.

mod bits;
mod build;
mod conditions;
#[cfg(test)]
pub(crate) mod fixture;
mod lookup;
pub(crate) mod name;
mod read;
mod schema;
#[cfg(test)]
pub(crate) mod tests;
mod tokens;

use tafl_rules::CanonicalKey;

use crate::move_log::MoveLogError;

pub use bits::NumberSet;
pub use build::build;
pub(crate) use build::is_as_built;
pub(crate) use lookup::IndexLookup;
pub use read::SegmentIndex;

/// Why an index cannot be made or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IndexError {
    /// The move log is damaged.
    #[error(transparent)]
    MoveLog(#[from] MoveLogError),
    /// The folder of the index cannot be made or opened.
    #[error("its folder cannot be used: {0}")]
    Folder(String),
    /// There are fewer keys than positions on the move log.
    #[error("the move log has more positions than there are keys")]
    TooFewKeys,
    /// There are more keys than positions on the move log.
    #[error("there are more keys than positions on the move log")]
    TooManyKeys,
    /// There are fewer games than the move log has.
    #[error("the move log has more games than there are rows")]
    TooFewGames,
    /// There are more games than the move log has.
    #[error("there are more rows than games on the move log")]
    TooManyGames,
    /// It has other fields than this program makes.
    #[error("it has another version; `tafl compact` makes it again")]
    Schema,
    /// It has another number of blocks or games than the move log.
    #[error("it does not belong to this move log")]
    OtherTape,
    /// What reads it gave up.
    #[error("its content is not what was written")]
    Content,
    /// Tantivy cannot read or write it.
    #[error(transparent)]
    Tantivy(#[from] tantivy::TantivyError),
}

/// Reads something of an index: some damage makes tantivy panic, which is no more than damage here.
fn guarded<T>(read: impl FnOnce() -> Result<T, IndexError>) -> Result<T, IndexError> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(read)).unwrap_or(Err(IndexError::Content))
}

/// Returns the term of a canonical key.
fn key_term(key: CanonicalKey) -> u64 {
    // The low bits: the least of several numbers has small high ones.
    key.0 & ((1 << schema::KEY_BITS) - 1)
}
