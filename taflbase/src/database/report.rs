//! Reports about corpora, and about rules that the engine tries.

mod command_line;
mod comparison;
mod crosstable;
mod design;
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
mod selfplay;
mod variant_games;

pub use crosstable::{CrosstableReportRequest, GroupsName, TieBreakName};
pub use design::DesignReportRequest;
pub use format::ReportFormat;
pub use make::ReportAnswer;
use make::chosen_games;
pub use map::MapReportRequest;
pub use one_player::PlayerReportRequest;
pub use plan::PlanReportRequest;
pub use request::{
    BalanceReportRequest, CompareReportRequest, HealthReportRequest, PlayersReportRequest, ReportGames,
    ReportRequest,
};
pub use selfplay::SelfplayOptions;
