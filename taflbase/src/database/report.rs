//! Reports about corpora, and about rules that the engine tries.

mod crosstable;
mod design;
mod format;
mod make;
mod map;
mod one_player;
mod pages;
mod request;
mod words;

pub use crosstable::{CrosstableReportRequest, GroupsName, TieBreakName};
pub use design::DesignRequest;
pub use format::ReportFormat;
pub use make::{ReportAnswer, ReportScope};
pub use map::MapReportRequest;
pub use one_player::PlayerReportRequest;
pub use request::{
    BalanceReportRequest, CompareReportRequest, HealthReportRequest, PlayersReportRequest, ReportGames,
    ReportRequest,
};
