//! Many games: columns for statistics, an index for positions, a language for questions.
//!
//! A corpus is a folder. Its truth are tables in Parquet; the tape and the index beside them are made from the tables
//! and can be made again. [`moment`] is what a question is asked of: a position, the ply that led to it, and its facts.

pub mod cards;
pub mod compact;
pub mod error;
pub mod evals;
pub mod explorer;
mod export;
pub mod field;
mod file;
pub mod folder;
pub mod id;
pub mod index;
pub mod info;
pub mod ingest;
mod lock;
pub mod manifest;
pub mod merge;
pub mod moment;
pub mod pattern;
pub mod query;
mod rebuild;
pub mod rejected;
pub mod remove;
pub mod row;
pub mod row_line;
#[cfg(test)]
mod safety;
pub mod search;
pub mod segment;

mod select;
pub mod sql;
pub mod stop;
mod table;
pub mod tape;
pub mod verify;
mod writer;

pub use error::CorpusError;
pub use folder::Corpus;
