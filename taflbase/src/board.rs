//! Rules, positions, and single turns: what the requests without records are about.

mod board_request;
mod json_array;
mod move_batch;
mod move_request;
mod perft;
mod position_answer;
mod position_request;
mod rule_change;
mod rules_cache;
mod rules_request;
mod rules_source;
mod side;
mod turn;
mod variant;

pub use board_request::{BoardAnswer, BoardCell, BoardRequest, BoardShape};
pub(crate) use move_batch::{MAX_LINE, read_line};
pub use move_batch::{MoveBatch, MoveReply, MoveResult};
pub use move_request::{GameEnd, MoveAnswer, MoveRequest};
pub use perft::{PerftAnswer, PerftRequest};
pub use position_answer::{
    HistoryPly, KingFacts, KingsFacts, PlacedPiece, PositionAnswer, PositionFacts, PositionOutcome,
    SideCounts,
};
pub use position_request::{GamePosition, PlayedPosition, PositionRequest, RulesRequest};
pub use rule_change::{ChangeError, change_rules};
pub use rules_cache::{CompiledVariant, RulesCache};
pub use rules_request::{
    BoardSize, DescribedRules, RuleDifference, RulesDiffAnswer, RulesDiffRequest, RulesExplainRequest,
    RulesListRequest, RulesSheet, RulesSheetSection, RulesShowRequest, SideTitles, SimilarVariantAnswer,
};
pub(crate) use rules_source::is_rules_string;
#[cfg(feature = "database")]
pub(crate) use rules_source::{advice_on_names, did_you_mean};
pub use side::SideName;
pub use turn::{DECLINE, play_moves, read_turn};
pub(crate) use turn::{move_on, words};
pub use variant::{Variant, compile_for, read_position, shapes_of};
