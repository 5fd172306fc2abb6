//! Requests about a corpus.
//!
//! A [`CorpusRequest`] has everything but the corpus: a server answers it about the corpus that it serves, and
//! [`OnCorpus`] is the same request with the folder of a corpus, as the command line has it.

mod error;
mod explore;
mod games;
mod hit;
mod number;
mod position_counts;
mod search;
mod selection;
mod snapshot;
mod tree;

pub use explore::{
    ExploreAnswer, ExploreRequest, ExploredPosition, FilterRequest, PlayedMove, TopGameSummary,
};
pub use games::{GameEntry, GamesAnswer, GamesRequest};
pub use hit::{Hit, HitPosition, PatternPlacement};
pub use number::GameNumber;
pub use position_counts::{PositionCounts, ShareEstimate};
pub use search::{
    CorpusState, QueryAnswer, QueryRequest, QuerySubject, SearchAnswer, SearchHits, SearchRequest,
    SearchSummary,
};
pub use selection::{GameSelection, parse_query};
pub use snapshot::{CorpusRequest, CorpusSnapshot, OnCorpus};
pub use tree::{ExploredTree, MinGames, TreeAnswer, TreeDepth, TreeNode, TreeRequest};
