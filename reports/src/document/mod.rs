//! Reports as documents: one model, and writers for HTML, Markdown, CSV, JSON, and Parquet.
//!
//! A [`Report`] has a title, a summary in plain sentences, the provenance of its figures, and sections of
//! [`Block`]s. It contains no statistics code: the caller has computed all figures. All writers show the same
//! figures; only JSON, CSV, and Parquet have all their digits. The same report always yields the same bytes.
//!
//! ```
//! use tafl_reports::{Block, Provenance, Report, Section};
//!
//! let prose = Block::Prose("Attackers won 54 of 100 games.".to_owned());
//! let section = Section::new("wins", "Who wins").with([prose]);
//! let report = Report::new("balance", "Balance of Brandubh", Provenance::of("0.2.0")).with([section]);
//! assert!(report.to_html().unwrap().contains("<h2>Who wins</h2>"));
//! assert!(report.to_markdown(&|name| format!("plots/{name}.png")).contains("## Who wins"));
//! ```

mod cell;
mod content;
mod csv;
mod html;
mod json;
mod json_form;
mod keyed;
mod markdown;
mod model;
mod parquet;
mod prose;
mod provenance;
mod table;
mod unique_keys;
mod verify;
mod wide;

use crate::stats::SMALL_SAMPLE;
use model::section_form;
use unique_keys::UniqueKeys;

pub use cell::{NumberFormat, TableCell};
pub use content::{
    DetailsByVariant, VariantDetails, accuracy_report, balance_report, balance_sheet, compare_report,
    crosstable_report, design_report, health_report, lengths_report, map_report, openings_report,
    plan_report, player_report, players_report, rule_comparison_report,
};
pub use html::HtmlError;
pub use json_form::ReportDocument;
pub use model::{Block, BoardBlock, Report, Section};
pub use parquet::ParquetError;
pub use provenance::{Fact, Provenance};
pub use table::{Column, Row, Table};
pub use verify::{FigureDifference, ReadError, StoredReport};

#[cfg(test)]
mod tests;
