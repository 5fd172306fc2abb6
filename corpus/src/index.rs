//! The index of a segment: which blocks and games may hold what a question asks for.
//!
//! The index never answers alone. It says which games to look at, and the tape says what is true.

mod bits;
mod build;
mod schema;
mod tokens;

use tafl_rules::zobrist::CanonicalKey;

use crate::tape::TapeError;

pub use bits::Bits;
pub use build::{Source, Value, build};
pub use schema::{GameField, Mode};

/// Why an index cannot be made or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IndexError {
    /// The tape is damaged.
    #[error(transparent)]
    Tape(#[from] TapeError),
    /// The folder of the index cannot be made or opened.
    #[error("the folder of the index cannot be used: {0}")]
    Folder(String),
    /// There are fewer keys than positions on the tape.
    #[error("the tape has more positions than there are keys")]
    TooFewKeys,
    /// There are fewer games than the tape has.
    #[error("the tape has more games than there are rows")]
    TooFewGames,
    /// A field was given a text for a number, or a number for a text.
    #[error("a value of `{field}` has the wrong type")]
    WrongValue {
        /// The field.
        field: &'static str,
    },
    /// The index itself fails.
    #[error("the index cannot be used: {0}")]
    Tantivy(#[from] tantivy::TantivyError),
}

/// Returns the term of a canonical key.
fn key_term(key: CanonicalKey) -> u64 {
    // The low bits: the least of several numbers has small high ones.
    key.0 & ((1 << schema::KEY_BITS) - 1)
}
