//! The formats of reports.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_reports::Report;

use crate::{Error, ErrorKind, Result, json_pretty};

/// The format of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum ReportFormat {
    /// One self-contained HTML file
    Html,
    /// Markdown
    Md,
    /// CSV: every figure of the tables
    Csv,
    /// JSON: every figure with all its digits
    Json,
    /// Parquet: every figure of the tables
    Parquet,
}

impl ReportFormat {
    /// Returns the format that the ending of a file name means.
    pub fn of_extension(extension: &str) -> Option<ReportFormat> {
        Some(match extension.to_ascii_lowercase().as_str() {
            "html" | "htm" => ReportFormat::Html,
            "md" | "markdown" => ReportFormat::Md,
            "csv" => ReportFormat::Csv,
            "json" => ReportFormat::Json,
            "parquet" => ReportFormat::Parquet,
            _ => return None,
        })
    }

    /// Returns the media type.
    pub const fn media_type(self) -> &'static str {
        match self {
            ReportFormat::Html => "text/html; charset=utf-8",
            ReportFormat::Md => "text/markdown; charset=utf-8",
            ReportFormat::Csv => "text/csv; charset=utf-8",
            ReportFormat::Json => "application/json",
            ReportFormat::Parquet => "application/octet-stream",
        }
    }

    /// Writes a report. `picture` returns the address of the picture with a name, for Markdown.
    ///
    /// # Errors
    ///
    /// Fails if a picture or a table can't be written.
    pub fn write(self, report: &Report, picture: &dyn Fn(&str) -> String) -> Result<Vec<u8>> {
        let internal = |error: &dyn std::error::Error| Error::new(ErrorKind::Internal, error.to_string());
        Ok(match self {
            ReportFormat::Html => report.to_html().map_err(|error| internal(&error))?.into_bytes(),
            ReportFormat::Md => report.to_markdown(picture).into_bytes(),
            ReportFormat::Csv => report.to_csv().into_bytes(),
            ReportFormat::Json => json_pretty(&report.to_json()).into_bytes(),
            ReportFormat::Parquet => report.to_parquet().map_err(|error| internal(&error))?,
        })
    }
}
