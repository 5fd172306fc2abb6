//! Reports that were written earlier: read again, and compared with new ones figure by figure.

use serde_json::Value;

use super::Report;
use super::json::{FORMAT, VERSION};

/// Two numbers that differ by less than this part of them are the same: the last digits depend on the processor.
const NEAR: f64 = 1e-9;

/// Where the figures begin in an HTML document, and where they end.
pub(crate) const OPEN: &str = "<script type=\"application/json\" id=\"taflbase-report\">";
pub(crate) const CLOSE: &str = "</script>";

/// A report as it was stored: HTML or JSON.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredReport {
    figures: Value,
    /// The whole document where it is HTML, whose visible figures could differ from those inside.
    page: Option<String>,
}

/// Why a stored report cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file is neither HTML with a report inside nor JSON.
    #[error("the file holds no report of this program; HTML and JSON reports can be verified")]
    NoReport,
    /// The figures are damaged.
    #[error("the figures of the report cannot be read: {reason}")]
    Damaged {
        /// What the reader of JSON says.
        reason: String,
    },
    /// The report was written in another form.
    #[error("the report has version {found}, this program knows version {VERSION}")]
    Version {
        /// Its version.
        found: u64,
    },
    /// The report does not say how it was made.
    #[error("the report does not say by which command it was made")]
    NoCommand,
}

/// A figure that is not the same any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FigureDifference {
    /// Where it stands: names from the outside in, joined by ` / `.
    pub place: String,
    /// What the stored report has; nothing where it has none.
    pub stored: Option<String>,
    /// What it is now; nothing where it is gone.
    pub now: Option<String>,
}

impl StoredReport {
    /// Reads a stored report.
    ///
    /// # Errors
    ///
    /// [`ReadError`] when it is no report, is damaged, or is of another version.
    pub fn read(text: &str) -> Result<StoredReport, ReadError> {
        let (inner, page) = match text.find(OPEN) {
            Some(at) => {
                let inner = &text[at + OPEN.len()..];
                let end = inner.find(CLOSE).ok_or(ReadError::NoReport)?;
                (&inner[..end], Some(text.to_owned()))
            }
            None => (text, None),
        };
        if !inner.trim_start().starts_with('{') {
            return Err(ReadError::NoReport);
        }
        let figures: Value =
            serde_json::from_str(inner).map_err(|error| ReadError::Damaged { reason: error.to_string() })?;
        if figures.get("format").and_then(Value::as_str) != Some(FORMAT) {
            return Err(ReadError::NoReport);
        }
        match figures.get("version").and_then(Value::as_u64) {
            Some(VERSION) => Ok(StoredReport { figures, page }),
            found => Err(ReadError::Version { found: found.unwrap_or(0) }),
        }
    }

    /// Returns the words of the command that made the report.
    ///
    /// # Errors
    ///
    /// [`ReadError::NoCommand`] when there are none.
    pub fn command(&self) -> Result<Vec<String>, ReadError> {
        let words = self.figures.pointer("/provenance/command").and_then(Value::as_array);
        let words: Option<Vec<String>> =
            words.and_then(|words| words.iter().map(|word| word.as_str().map(ToOwned::to_owned)).collect());
        words.filter(|words| !words.is_empty()).ok_or(ReadError::NoCommand)
    }

    /// Returns the version of the program that made the report.
    pub fn program(&self) -> Option<&str> {
        self.figures.pointer("/provenance/program").and_then(Value::as_str)
    }

    /// Returns what differs between the stored report and a new one.
    ///
    /// Where all figures inside a page are the same but the page is not, and the same version of the program made it,
    /// the page was changed by hand: that is one difference, with the place `page`.
    pub fn differences(&self, report: &Report) -> Vec<FigureDifference> {
        let mut found = differences(&self.figures, &report.to_json());
        found.retain(|difference| difference.place != "provenance / program");
        if let Some(page) = self.page.as_ref().filter(|_| found.is_empty())
            && self.program() == Some(report.provenance.version.as_str())
            && let Ok(now) = report.to_html()
            && now != *page
        {
            let (stored, now) = first_difference(page, &now);
            found.push(FigureDifference { place: "page".to_owned(), stored: Some(stored), now: Some(now) });
        }
        found
    }
}

/// Returns the first lines of two texts that differ.
fn first_difference(stored: &str, now: &str) -> (String, String) {
    let cut = |line: &str| line.trim().chars().take(120).collect::<String>();
    let (mut one, mut other) = (stored.lines(), now.lines());
    loop {
        match (one.next(), other.next()) {
            (Some(one), Some(other)) if one == other => {}
            (one, other) => return (cut(one.unwrap_or_default()), cut(other.unwrap_or_default())),
        }
    }
}

/// Returns what differs between two reports as JSON, in the order of their names.
pub fn differences(stored: &Value, now: &Value) -> Vec<FigureDifference> {
    let mut found = Vec::new();
    compare(&mut Vec::new(), Some(stored), Some(now), &mut found);
    found
}

fn compare(
    path: &mut Vec<String>,
    stored: Option<&Value>,
    now: Option<&Value>,
    found: &mut Vec<FigureDifference>,
) {
    match (stored, now) {
        (Some(Value::Object(one)), Some(Value::Object(other))) => {
            let mut keys: Vec<&String> = one.keys().chain(other.keys()).collect();
            keys.sort_unstable();
            keys.dedup();
            for key in keys {
                path.push(key.clone());
                compare(path, one.get(key), other.get(key), found);
                path.pop();
            }
        }
        (Some(Value::Array(one)), Some(Value::Array(other))) => {
            for at in 0..one.len().max(other.len()) {
                path.push((at + 1).to_string());
                compare(path, one.get(at), other.get(at), found);
                path.pop();
            }
        }
        (one, other) if are_same(one, other) => {}
        (one, other) => {
            // What is missing altogether is told by its first word.
            let text = |value: Option<&Value>| value.map(shown);
            found.push(FigureDifference { place: place(path), stored: text(one), now: text(other) });
        }
    }
}

/// Returns where a figure stands, without the names that say nothing to people.
fn place(path: &[String]) -> String {
    let silent = ["sections", "tables", "rows", "cells", "provenance", "facts", "data"];
    let is_first = path.first().map(String::as_str);
    let words = path.iter().enumerate().filter(|(at, word)| {
        let in_provenance = is_first == Some("provenance") && *at == 0;
        in_provenance || !silent.contains(&word.as_str())
    });
    words.map(|(_, word)| word.as_str()).collect::<Vec<&str>>().join(" / ")
}

fn shown(value: &Value) -> String {
    let text = match value {
        Value::String(text) => format!("\u{201c}{text}\u{201d}"),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            value.to_string()
        }
    };
    match text.char_indices().nth(120) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}

fn are_same(one: Option<&Value>, other: Option<&Value>) -> bool {
    if one == other {
        return true;
    }
    match (one.and_then(Value::as_f64), other.and_then(Value::as_f64)) {
        (Some(one), Some(other)) => (one - other).abs() <= NEAR * one.abs().max(other.abs()),
        (Some(_) | None, _) => false,
    }
}
