//! Reports about corpora, and about rules that the engine tries.

mod design;
mod design_search;
mod format;
mod make;
mod pages;
mod plan;
mod request;
mod rule_candidates;
mod saved_search;
mod words;

pub use design::DesignRequest;
pub use design_search::DesignSearchRequest;
pub use format::ReportFormat;
use make::chosen_games;
pub use make::{ReportAnswer, ReportScope};
pub use plan::PlanReportRequest;
pub use request::{
    BalanceReportRequest, CompareReportRequest, CrosstableReportRequest, HealthReportRequest,
    PlayersReportRequest, ReportGames, ReportRequest,
};
