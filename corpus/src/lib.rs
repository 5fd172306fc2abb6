//! A database of games: columns for statistics, an index for positions, and a query language.
//!
//! A corpus is a folder. Its Parquet tables are the source of truth; the move log and the index are derived from them and
//! can be rebuilt. [`Corpus`] reads one, [`Searcher`] runs a [`Query`], [`explorer::Explorer`] counts what was played from a
//! position, [`Corpus::scan_games`] returns a table as a lazy frame of polars, and [`Ingest`](ingest::Ingest) adds games.
//!
//! ```no_run
//! use std::num::NonZeroUsize;
//! use tafl_corpus::{Corpus, Count, Page, Query, Searcher};
//!
//! let corpus = Corpus::open("games.corpus".as_ref())?;
//! let query = Query::parse("king_danger and result:attackers")?;
//! let searcher = Searcher::open(&corpus, NonZeroUsize::MIN);
//! let answer = searcher.search(&query, Page { offset: 0, limit: 10, count: Count::Page })?;
//! for row in searcher.rows(&corpus, &query, &answer.hits)? {
//!     println!("{:?} after ply {}: {}", row.game.event, row.spot.found.hit.ply, row.spot.position);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The feature `store`, which is on by default, is everything that touches the disk: polars for the tables, tantivy for the
//! index. Without it there are queries, patterns, the move log, and record lines.
#![cfg_attr(not(feature = "store"), allow(dead_code, reason = "games are prepared here for the store"))]

mod checked_record;
pub mod id;
pub mod ingest;
#[doc(hidden)]
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
#[doc(hidden)]
pub mod folder;
#[cfg(feature = "store")]
#[doc(hidden)]
pub mod index;
#[cfg(feature = "store")]
pub mod info;
#[cfg(feature = "store")]
mod lock;
#[cfg(feature = "store")]
#[doc(hidden)]
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
#[doc(hidden)]
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
pub use folder::{Corpus, GameAt};
pub use id::GameId;
pub use query::Query;
#[cfg(feature = "store")]
pub use scan::collect;
pub use schema::GameRow;
#[cfg(feature = "store")]
pub use search::{Count, Page, Searcher};
#[cfg(feature = "store")]
pub use summaries::{GameSummary, GameSummaryCache};
