//! A database of games: columns for statistics, an index for positions, and a query language.
//!
//! A corpus is a folder. Its Parquet tables are the source of truth; the move log and the index are derived from them
//! and can be rebuilt. [`Corpus`] reads one, [`Searcher`] runs a [`Query`], [`Explorer`] counts what was played from a
//! position, [`Corpus::scan_games`] returns a table as a polars lazy frame, and [`Ingest`] adds games.
//!
//! ```no_run
//! use std::num::NonZeroUsize;
//! use tafl_corpus::{CancelCheck, Corpus, CountEffort, HitUnit, PageRequest, Query, Searcher};
//!
//! let corpus = Corpus::open("games.corpus".as_ref())?;
//! let query = Query::parse("king_danger and result:attackers")?;
//! let searcher = Searcher::open(&corpus, NonZeroUsize::MIN);
//! let ten = PageRequest { unit: HitUnit::Position, offset: 0, limit: 10, effort: CountEffort::Estimate };
//! let page = searcher.page(&query, ten, CancelCheck::NEVER)?;
//! for row in searcher.rows(&corpus, &query, &page)? {
//!     println!("{:?} after ply {}: {}", row.game.event, row.detail.found.hit.ply, row.detail.position);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The feature `store`, which is on by default, adds everything that reads and writes files: polars for the tables and
//! tantivy for the index. Without it, there are queries, patterns, the move log, and row lines.
#![cfg_attr(
    not(feature = "store"),
    allow(dead_code, reason = "the store uses the games that are prepared here")
)]

mod binary;
mod block_cache;
mod checked_file;
mod id;
mod ingest;
mod move_log;
mod pattern;
mod player_alias;
mod ply_state;
pub mod query;
mod rejected_record;
mod replay_setups;
mod row;
mod row_line;
pub mod schema;
mod words;

#[cfg(feature = "store")]
mod arrow;
#[cfg(feature = "store")]
mod cancel;
#[cfg(feature = "store")]
mod checked_folder;
#[cfg(feature = "store")]
mod checked_tables;
#[cfg(feature = "store")]
mod compact;
#[cfg(feature = "store")]
mod edit;
#[cfg(feature = "store")]
mod error;
#[cfg(feature = "store")]
mod eval_file;
#[cfg(feature = "store")]
mod evals;
#[cfg(feature = "store")]
mod explorer;
#[cfg(feature = "store")]
mod export;
#[cfg(feature = "store")]
mod file;
#[cfg(feature = "store")]
mod folder;
#[cfg(feature = "store")]
mod id_column;
#[cfg(feature = "store")]
mod index;
#[cfg(feature = "store")]
mod info;
#[cfg(feature = "store")]
mod library_panic;
#[cfg(feature = "store")]
mod lock;
#[cfg(feature = "store")]
mod manifest;
#[cfg(feature = "store")]
mod merge;
#[cfg(feature = "store")]
mod openings;
#[cfg(feature = "store")]
mod parquet;
#[cfg(feature = "store")]
mod rebuild;
#[cfg(feature = "store")]
mod remove;
#[cfg(feature = "store")]
mod scan;
#[cfg(feature = "store")]
mod search;
#[cfg(feature = "store")]
mod segment;
#[cfg(feature = "store")]
mod segment_files;
#[cfg(feature = "store")]
mod select;
#[cfg(feature = "store")]
mod sql;
#[cfg(feature = "store")]
mod summaries;
#[cfg(feature = "store")]
mod text;
#[cfg(feature = "store")]
mod verify;
#[cfg(feature = "store")]
mod write_error;
#[cfg(feature = "store")]
mod writer;

#[cfg(all(test, feature = "store"))]
mod safety;

pub use id::{GameId, LineOfPlayId, ParseGameIdError, RulesId};
pub use ingest::{CheckedRecord, GeneratedGame, PreparedGame, PreparedRecord, Preparer};
pub use move_log::{
    BLOCK_SIZE, GameResult, GameSetup, MoveLog, MoveLogEntry, MoveLogError, MoveLogWriter, ReplayCursor,
};
pub use player_alias::{PlayerAlias, is_same_name};
pub use ply_state::{CellContent, PlyState};
pub use query::Query;
pub use rejected_record::{NO_MOVES, RejectedRecord, RejectionReason};
pub use row::{CopyNote, PlyRow, RecordVerdict};
pub use row_line::{ROW_LINE_VERSION, RowError, RowReader, row_schema, write_error_row, write_row};
pub use schema::{EvalRow, EvalRun, GameRow, GameSummary};
pub use tafl_parser::{
    Code, ReasonSource, file_name, is_impossible_day, push_csv_field, record_place, visible_text,
};

#[cfg(feature = "store")]
pub use arrow::{ArrowColumn, write_arrow};
#[cfg(feature = "store")]
pub use cancel::CancelCheck;
#[cfg(feature = "store")]
pub use compact::{CompactSummary, Compaction, compact};
#[cfg(feature = "store")]
pub use edit::{TagChange, USER_TAG, change_aliases, tag_games};
#[cfg(feature = "store")]
pub use error::{CorpusError, FileFault, Result};
#[cfg(feature = "store")]
pub use evals::{EVALS_FOLDER, add_evals};
#[cfg(feature = "store")]
pub use explorer::{Explorer, GameSubset, MoveStats, OpeningNode, PositionStats, TreeLimits};
#[cfg(feature = "store")]
pub use file::FileEntry;
#[cfg(feature = "store")]
pub use folder::{Corpus, GameAt};
#[cfg(feature = "store")]
pub use index::NumberSet;
#[cfg(feature = "store")]
pub use info::{CorpusInfo, VariantGames, VariantNameCount};
#[cfg(feature = "store")]
pub use ingest::{
    AddOutcome, CopyPolicy, DuplicatePolicy, Ingest, IngestOptions, IngestSummary, RejectedPlace,
};
#[cfg(feature = "store")]
pub use library_panic::hide_library_panics;
#[cfg(feature = "store")]
pub use manifest::{MANIFEST_FILE, Manifest, ObsoletePath, SegmentEntry, SideFile};
#[cfg(feature = "store")]
pub use merge::{MergeSummary, merge};
#[cfg(feature = "store")]
pub use openings::{GameCounts, N_TOP_GAMES, Orientation, QueryPosition, TopGame};
#[cfg(feature = "store")]
pub use parquet::TableFile;
#[cfg(feature = "store")]
pub use remove::remove;
#[cfg(feature = "store")]
pub use scan::collect;
#[cfg(feature = "store")]
pub use search::{
    CountEffort, CountEstimate, GameMatch, HitDetail, HitFormat, HitPage, HitRow, HitUnit, PageRequest,
    SearchHit, Searcher, SimilarWord, Total, write_hits,
};
#[cfg(feature = "store")]
pub use segment::Segment;
#[cfg(feature = "store")]
pub use segment_files::{GAMES_FILE, MOVE_LOG_FILE, PLIES_FILE};
#[cfg(feature = "store")]
pub use sql::{SqlTable, duckdb_views, sql};
#[cfg(feature = "store")]
pub use summaries::GameSummaryCache;
#[cfg(feature = "store")]
pub use verify::{VerifyDepth, VerifyReport, verify};

/// Parts of a segment for tests and measurements, without any promise of stability.
#[cfg(feature = "store")]
#[doc(hidden)]
pub mod internals {
    pub use crate::index::{IndexError, SegmentIndex, build as build_index};
    pub use crate::search::SearchSegment;
}
