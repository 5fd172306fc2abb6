//! Figures from corpora for reports, as plain structs. Documents format them for people.
//!
//! [`load_games`] reads games into [`Games`]; the functions take games and return plain structs. A value that
//! cannot be estimated is [`NotEstimable`](crate::stats::NotEstimable) with a reason, or `None` if the reason is
//! obvious.

pub(crate) mod adjusted;
pub(crate) mod balance;
mod board_symmetry;
pub(crate) mod boards;
pub(crate) mod branching;
mod common_advantage;
pub(crate) mod compare;
pub(crate) mod control;
pub(crate) mod crosstable;
pub(crate) mod effect;
pub(crate) mod engine_games;
pub(crate) mod evals;
pub(crate) mod even_arrangements;
pub(crate) mod expected;
pub(crate) mod fairness;
pub(crate) mod features;
mod frame;
pub(crate) mod game_start;
pub(crate) mod games;
pub(crate) mod games_hash;
pub(crate) mod groups;
pub(crate) mod health;
pub(crate) mod heat_map;
pub(crate) mod lengths;
pub(crate) mod load;
pub(crate) mod log_odds;
pub(crate) mod names;
mod order;
pub(crate) mod plan;
mod playable_game;
pub(crate) mod player;
pub(crate) mod players;
pub(crate) mod published;
pub(crate) mod rejected;
mod roster;
pub(crate) mod rule_comparison;
pub(crate) mod rule_search;
pub(crate) mod sensitivity;
pub(crate) mod sources;
pub(crate) mod standings;
mod strength_model;
mod stronger_side;
mod tables;
pub(crate) mod tags;
pub(crate) mod tally;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod tie_break;
pub(crate) mod time_order;
pub(crate) mod variant_map;
pub(crate) mod win_length;

pub use adjusted::{AdjustedAdvantage, AdvantageTrend, adjusted_advantage};
pub use balance::{BalanceFindings, BalanceOptions, VariantFindings, balance, balance_until};
pub use boards::{
    BoardFindings, BoardOptions, KingEscape, MaterialPoint, OpeningLine, UnlistedGames, board_findings,
};
pub use branching::{BranchingFindings, branching};
pub use common_advantage::CommonAdvantage;
pub use compare::{CompareOptions, SelectionComparison, SequentialFindings, compare_selections};
pub use control::{
    ControlFindings, ControlVariant, HumanBalance, control_variants, human_balances, human_balances_of,
    run_control,
};
pub use crosstable::{Crosstable, CrosstableCell, CrosstableLine, CrosstableOptions, crosstable};
pub use effect::{RuleChangeEffect, SelfplayGame};
pub use engine_games::{EngineGames, EngineOptions};
pub use evals::{EvalFindings, eval_findings};
pub use even_arrangements::{EvenArrangements, PlyLimit};
pub use expected::{ExpectedScores, LineScore, expected_scores};
pub use fairness::{FAIR_MARGIN, Fairness, FairnessDecision};
pub use features::FeatureEffect;
pub use game_start::{GameStartKind, OtherStarts};
pub use games::{GameDate, GameFacts, Games, PlayedVariant, Rating};
pub use games_hash::games_hash;
pub use groups::GameGroup;
pub use health::{HealthCause, HealthFindings, ImpossibleData, ImpossibleKind, RecordLocation, health};
pub use heat_map::{HeatMap, HeatMapKind, HeatMaps, heat_maps};
pub use lengths::{LengthBin, LengthFindings};
pub use load::{GamesToLoad, load_games, load_games_until};
pub use log_odds::NodesTrend;
pub use names::{NameIndex, NameNumber};
pub use plan::{
    PlanFindings, PlanRow, PlanSpec, PlanTable, RECORDED_CONDITIONS, activity_of, conditions_of, plan,
};
pub use player::{
    Departure, DepartureFindings, ErrorFindings, EvaluatedGames, ExpectedScore, MotifCount, PlayerBreakdown,
    PlayerGame, PlayerOpening, PlayerProfile, PlayerReportFindings, PlayerScore, PlayerTally, Preparation,
    SideAccuracy, StrengthGap, player_findings,
};
pub use players::{PlayerFigures, PlayerTable, player_table};
pub use published::{
    Agreement, PublishedBalance, PublishedCheck, PublishedComparison, PublishedFigure, check_published,
    games_per_player, published_balances,
};
pub use rejected::{RejectedCounts, RejectedFindings};
pub use rule_comparison::{
    ArmFindings, GameSource, LabeledRules, RuleComparisonEnd, RuleComparisonFindings, RuleComparisonProgress,
    RuleComparisonSpec, SelfplayLevel, compare_rules,
};
pub use rule_search::{
    DesignTarget, RuleSearchFinalist, RuleSearchFindings, RuleSearchProgress, RuleSearchRound,
    RuleSearchSpec, TargetDecision, search_rules,
};
pub use sensitivity::{Exclusion, Sensitivity};
pub use sources::{
    BalanceBetweenEquals, BalanceSlice, EXPERIENCED, MAX_SOURCES, SourceDisagreement, disagreement,
};
pub use standings::{GroupTable, TournamentGroups, standings};
pub use tags::record_tags;
pub use tally::{Ending, GameTally};
pub use tie_break::{TieBreak, TieBreakValue};
pub use time_order::{TimeOrder, UntimedGames};
pub use variant_map::{
    BehaviorMetric, BehaviorTable, BehaviorValue, MapOptions, MapView, MetricScale, RulePoints, VariantMap,
    variant_map,
};
pub use win_length::{NoSolver, SolverMeter, WinLength, WinMeter};
