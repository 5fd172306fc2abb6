//! Reads, checks, repairs, converts, searches, and annotates games of the tafl family.
//!
//! Every task is a [`Request`] or, if it delivers many answers, a [`StreamRequest`]: a plain struct with one default and
//! one range per parameter. It runs in an [`App`], which keeps open corpora, compiled rules, and tablebases between requests,
//! and under a [`Job`], which has progress, a deadline, and cancellation. The command line and the web server run the same
//! requests and print the same answers.
//!
//! ```no_run
//! use taflbase::records::{RecordEvent, RecordInputs, ValidateRequest};
//! use taflbase::{App, Job, StreamRequest};
//!
//! let request = ValidateRequest { input: RecordInputs::of(["games/"]), ..ValidateRequest::default() };
//! let summary = request.run(&App::new(), &Job::default(), &mut |item| {
//!     if let RecordEvent::Record(record) = item.event {
//!         for found in &record.findings {
//!             println!("{}:{}: {}", item.input, found.line, found.message);
//!         }
//!     }
//!     Ok(())
//! })?;
//! println!("{} of {} games are sound", summary.games.sound, summary.games.games);
//! # Ok::<(), taflbase::Error>(())
//! ```
//!
//! | begin with | subject |
//! |---|---|
//! | [`records`] | validate, convert, replay, repair, infer |
//! | [`MoveRequest`], [`BoardRequest`], [`PositionRequest`], [`ShowRequest`], [`RulesShowRequest`] | moves, boards, pictures, rules |
//! | [`engine`], [`play`] | evaluations, proofs, annotations, puzzles; matches and self-play |
//! | `database` | corpora: import, search, explorer, SQL, reports |
//!
//! The crates that do the work are re-exported: [`rules`], [`parser`], [`analyzer`], `corpus`, and [`reports`].

// What the viewer of web pages leaves out is then unused.
#![cfg_attr(tafl_viewer, allow(dead_code, unused_imports))]

mod app;
mod board;
mod clock;
#[cfg(feature = "database")]
pub mod database;
pub mod engine;
mod error;
pub mod escape;
mod job;
mod json;
mod named_request;
mod notation;
mod parameter;
pub mod play;
mod proportion;
pub mod records;
mod request;
mod schemas;
mod seconds;
mod show;
#[cfg(feature = "database")]
pub mod stored;
#[cfg(not(feature = "database"))]
#[path = "stored/without.rs"]
pub mod stored;
mod studies;
mod threads;

pub use app::App;
pub use board::{
    BoardAnswer, BoardCell, BoardRequest, BoardShape, BoardSize, ChangeError, CompiledVariant, DECLINE,
    DescribedRules, GameEnd, GamePosition, HistoryPly, KingFacts, KingsFacts, MoveAnswer, MoveBatch,
    MoveReply, MoveRequest, MoveResult, PerftAnswer, PerftRequest, PlacedPiece, PlayedPosition,
    PositionAnswer, PositionFacts, PositionOutcome, PositionRequest, RuleDifference, RulesCache,
    RulesDiffAnswer, RulesDiffRequest, RulesExplainRequest, RulesListRequest, RulesRequest, RulesSheet,
    RulesSheetSection, RulesShowRequest, SideCounts, SideName, SideTitles, SimilarVariantAnswer, Variant,
    change_rules, compile_for, play_moves, read_position, read_turn, shapes_of,
};
pub use clock::now;
pub use error::{Error, ErrorKind, Result, TextPlace};
pub use job::{CancelOnDrop, CancelToken, Job, Progress};
pub use json::{ErrorAnswer, json_line, json_pretty, json_text, read_parameters};
pub use named_request::{RequestTable, answer, picture};
pub use notation::{InputNotation, WritableNotation};
pub use parameter::{Bounded, Named, NamedValue, OutOfRange, positive};
pub use proportion::Proportion;
pub use request::{Request, StreamRequest, SummaryTag};
pub use schemas::{NamedSchema, schemas};
pub use seconds::Seconds;
pub use show::{
    GameFile, PictureFormat, PictureTheme, PositionPictureRequest, ShowAnswer, ShowRequest, UnplayedPlies,
};
pub use studies::{Study, StudyEntry, StudyFolder};
pub use threads::Threads;

pub use tafl_analyzer as analyzer;
#[cfg(feature = "database")]
pub use tafl_corpus as corpus;
pub use tafl_parser as parser;
pub use tafl_reports as reports;
pub use tafl_rules as rules;

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct ReadmeExamples;
