//! Many games: columns for statistics, an index for positions, a language for questions.
//!
//! A corpus is a folder. Its truth are tables in Parquet; the tape and the index beside them are made from the tables
//! and can be made again. [`moment`] is what a question is asked of: a position, the ply that led to it, and its facts.
//!
//! The feature `store`, which is on, is the folder: polars for the tables, tantivy for the index. Without it there is
//! everything that games and questions are before they reach a disk.
#![cfg_attr(not(feature = "store"), allow(dead_code, reason = "games are prepared here for the store"))]

pub mod id;
pub mod ingest;
pub mod moment;
pub mod pattern;
pub mod query;
pub mod rejected;
pub mod row;
pub mod row_line;
pub mod schema;
mod starts;
pub mod tape;

#[cfg(feature = "store")]
pub mod compact;
#[cfg(feature = "store")]
pub mod error;
#[cfg(feature = "store")]
pub mod evals;
#[cfg(feature = "store")]
pub mod explorer;
#[cfg(feature = "store")]
mod export;
#[cfg(feature = "store")]
mod file;
#[cfg(feature = "store")]
pub mod folder;
#[cfg(feature = "store")]
pub mod index;
#[cfg(feature = "store")]
pub mod info;
#[cfg(feature = "store")]
mod lock;
#[cfg(feature = "store")]
pub mod manifest;
#[cfg(feature = "store")]
pub mod merge;
#[cfg(feature = "store")]
mod rebuild;
#[cfg(feature = "store")]
pub mod remove;
#[cfg(feature = "store")]
mod scan;
#[cfg(feature = "store")]
pub mod search;
#[cfg(feature = "store")]
pub mod segment;
#[cfg(feature = "store")]
mod select;
#[cfg(feature = "store")]
pub mod sql;
#[cfg(feature = "store")]
pub mod stop;
#[cfg(feature = "store")]
pub mod summaries;
#[cfg(feature = "store")]
mod table;
#[cfg(feature = "store")]
mod text;
#[cfg(feature = "store")]
pub mod verify;
#[cfg(feature = "store")]
mod writer;

#[cfg(all(test, feature = "store"))]
mod safety;

#[cfg(feature = "store")]
pub use error::CorpusError;
#[cfg(feature = "store")]
pub use folder::Corpus;
#[cfg(feature = "store")]
pub use scan::collect;
