//! Reports about corpora, and about rules that the engine tries.

mod design;
mod format;
mod make;
mod pages;
mod request;
mod words;

pub use design::DesignRequest;
pub use format::ReportFormat;
pub use make::{ReportAnswer, ReportScope};
pub use request::{
    BalanceReportRequest, CompareReportRequest, CrosstableReportRequest, HealthReportRequest,
    PlayersReportRequest, ReportGames, ReportRequest,
};
