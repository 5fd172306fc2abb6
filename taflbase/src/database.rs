//! Requests about a corpus.
//!
//! A [`CorpusRequest`] has everything but the corpus: a server answers it about the corpus that it serves, and
//! [`OnCorpus`] is the same request with the folder of a corpus, as the command line has it.

mod change;
mod corpus_cache;
mod edit;
mod error;
mod explore;
mod export;
mod game;
mod game_id;
mod games;
mod heat_map;
mod hit;
mod hit_order;
mod hit_records;
mod import;
mod info;
mod no_match;
mod opening_names;
mod player;
mod player_error_rates;
mod position_counts;
mod puzzles;
mod report;
mod rows;
mod search;
mod selection;
mod snapshot;
mod sql;
mod tree;
mod verify;
mod views;

pub use change::{CompactRequest, MergeAnswer, MergeRequest, RemoveAnswer, RemoveRequest};
pub use corpus_cache::CorpusCache;
pub use edit::{
    AliasEntry, PlayerAliasesAnswer, PlayerAliasesRequest, PlayerMergeRequest, PlayerSplitRequest, TagAnswer,
    TagRequest,
};
pub use explore::{
    ExploreAnswer, ExploreRequest, ExploredPosition, FilterRequest, PlayedMove, TopGameSummary,
};
pub use export::{ExportRequest, ExportedGame, PreparedExport};
pub use game::{
    ClockReading, GameAnswer, GameEnding, GameHead, GameRecordAnswer, GameRecordRequest, GameRequest,
    LaterVariations, MainMove, PlainVariation, PlyAnswer, PlyReason, SideCaptures, StoredGame, TagValue,
    TreeMove, VariationMove,
};
pub use game_id::GameIdParam;
pub use games::{GamesAnswer, GamesRequest};
pub use heat_map::{CountedHeatMaps, EventHeatMap, HeatMapAnswer, HeatMapCell, HeatMapRequest};
pub use hit::{Hit, HitPosition, PatternPlacement};
pub use hit_order::HitOrder;
pub use import::{
    CopyChoice, DuplicateChoice, ImportAnswer, ImportEvent, ImportRequest, ImportTextAnswer,
    ImportTextRequest, PrepareWorker, WatchEvent, WatchInterval,
};
pub use info::InfoRequest;
pub use no_match::no_match_reasons;
pub use opening_names::{OpeningName, OpeningNames};
pub use player::{
    MonthResults, OpeningResults, OpponentResults, PlayerAnswer, PlayerRequest, PlayerResults, SideResults,
    VariantResults,
};
pub use player_error_rates::{PlayerErrorRates, SideErrorRates, VariantErrorRates};
pub use position_counts::{PositionCounts, ShareEstimate};
pub(crate) use puzzles::PuzzleSets;
pub use puzzles::{ChosenPuzzle, PuzzleRequest, puzzles_file};
pub use report::{
    BalanceReportRequest, CompareReportRequest, CrosstableReportRequest, DesignReportRequest, GroupsName,
    HealthReportRequest, MapReportRequest, PlanReportRequest, PlayerReportRequest, PlayersReportRequest,
    ReportAnswer, ReportFormat, ReportGames, ReportRequest, SelfplayOptions, TieBreakName,
};
pub use rows::{RecordRow, RowsRequest};
pub use search::{
    CorpusState, HitKind, PageOffset, QueryAnswer, QueryRequest, QuerySubject, SearchAnswer, SearchHits,
    SearchRequest, SearchSummary,
};
pub use selection::{GameSelection, parse_query};
pub use snapshot::{CorpusRequest, CorpusSnapshot, OnCorpus};
pub use sql::SqlRequest;
pub use tree::{ExploredTree, MinGames, TreeAnswer, TreeDepth, TreeNode, TreeRequest};
pub use verify::{VerifyAnswer, VerifyRequest};
pub use views::ViewsRequest;
