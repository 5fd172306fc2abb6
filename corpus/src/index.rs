//! The index of a segment: which games may hold what a question asks for.
//!
//! Positions are indexed in blocks of [`tape::BLOCK`](crate::tape::BLOCK): a block has what is true in any of its
//! positions. The index never answers alone: it says which games to look at, and the tape says what is true.

mod bits;
mod build;
mod candidates;
mod conditions;
#[cfg(test)]
pub(crate) mod fixture;
pub(crate) mod name;
mod read;
mod schema;
#[cfg(test)]
pub(crate) mod tests;
mod tokens;

use tafl_rules::zobrist::CanonicalKey;

use crate::tape::TapeError;

pub use bits::Bits;
pub use build::{build, is_as_built};
pub use candidates::Prefilter;
pub use read::SegmentIndex;

/// Why an index cannot be made or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IndexError {
    /// The tape is damaged.
    #[error(transparent)]
    Tape(#[from] TapeError),
    /// The folder of the index cannot be made or opened.
    #[error("its folder cannot be used: {0}")]
    Folder(String),
    /// There are fewer keys than positions on the tape.
    #[error("the tape has more positions than there are keys")]
    TooFewKeys,
    /// There are more keys than positions on the tape.
    #[error("there are more keys than positions on the tape")]
    TooManyKeys,
    /// There are fewer games than the tape has.
    #[error("the tape has more games than there are rows")]
    TooFewGames,
    /// There are more games than the tape has.
    #[error("there are more rows than games on the tape")]
    TooManyGames,
    /// It has other fields than this program makes.
    #[error("it has another version; `tafl compact` makes it again")]
    Schema,
    /// It has another number of blocks or games than the tape.
    #[error("it does not belong to this tape")]
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
