//! Reports about corpora, and about rules that the engine tries.

mod crosstable;
mod design;
mod design_search;
mod format;
mod load;
mod make;
mod map;
mod one_player;
mod pages;
mod plan;
mod request;
mod rule_candidates;
mod saved_search;
mod words;

pub use crosstable::{CrosstableReportRequest, GroupsName, TieBreakName};
pub use design::DesignRequest;
pub use design_search::DesignSearchRequest;
pub use format::ReportFormat;
use make::chosen_games;
pub use make::{ReportAnswer, ReportScope};
pub use map::MapReportRequest;
pub use one_player::PlayerReportRequest;
pub use plan::PlanReportRequest;
pub use request::{
    BalanceReportRequest, CompareReportRequest, HealthReportRequest, PlayersReportRequest, ReportGames,
    ReportRequest,
};
