//! Verification of stored reports: reads a report and compares it with a new one figure by figure.

use serde_json::Value;

use super::Report;
use super::json::{FORMAT, VERSION};

/// The relative tolerance of numbers: the last digits depend on the processor.
const TOLERANCE: f64 = 1e-9;
/// The absolute tolerance: sums that cancel out are not exactly 0 on each processor.
const NEARLY_ZERO: f64 = 1e-12;

/// The tag before the figures in an HTML document.
pub(crate) const OPEN: &str = "<script type=\"application/json\" id=\"taflbase-report\">";
/// The tag after them.
pub(crate) const CLOSE: &str = "</script>";

/// A stored report in HTML or JSON.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredReport {
    figures: Value,
    /// The whole document if it is HTML, because its visible figures could differ from the embedded ones.
    page: Option<String>,
}

/// The reason why a stored report cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file is neither HTML with an embedded report nor JSON.
    #[error("not a report of this program; only HTML and JSON reports can be verified")]
    NoReport,
    /// The figures are damaged.
    #[error("damaged figures in the report: {reason}")]
    Damaged {
        /// The message of the JSON parser.
        reason: String,
    },
    /// The report has a different format version.
    #[error("unsupported report version {found}; expected {VERSION}")]
    Version {
        /// Its version.
        found: u64,
    },
    /// The report lacks the command that created it.
    #[error("the report does not contain the command that created it")]
    NoCommand,
}

/// A figure that changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FigureDifference {
    /// Its path: names from the outside in, joined by ` / `.
    pub place: String,
    /// The stored value, if any.
    pub stored: Option<String>,
    /// The new value, if any.
    pub now: Option<String>,
}

impl StoredReport {
    /// Reads a stored report.
    ///
    /// # Errors
    ///
    /// Returns [`ReadError`] if the text is not a report, is damaged, or has a different version.
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

    /// Returns the arguments of the command that created the report.
    ///
    /// # Errors
    ///
    /// Returns [`ReadError::NoCommand`] if the report has no command.
    pub fn command(&self) -> Result<Vec<String>, ReadError> {
        let words = self.figures.pointer("/provenance/command").and_then(Value::as_array);
        let words: Option<Vec<String>> =
            words.and_then(|words| words.iter().map(|word| word.as_str().map(ToOwned::to_owned)).collect());
        words.filter(|words| !words.is_empty()).ok_or(ReadError::NoCommand)
    }

    /// Returns the version of the program that created the report.
    pub fn program(&self) -> Option<&str> {
        self.figures.pointer("/provenance/program").and_then(Value::as_str)
    }

    /// Returns the differences between the stored report and a new one.
    ///
    /// If all embedded figures are equal but the page is not, and the same version of the program created it,
    /// the page was edited by hand: this is reported as one difference at the path `page`.
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

/// Returns the first lines in which two texts differ.
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

/// Returns the differences between two reports in JSON, in the order of their names.
pub(super) fn differences(stored: &Value, now: &Value) -> Vec<FigureDifference> {
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
        (Some(Value::Array(one)), Some(Value::Array(other)))
            if path.last().is_some_and(|key| TEXTS.contains(&key.as_str())) =>
        {
            compare_texts(path, one, other, found);
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
            // A subtree that is missing altogether is shown by its beginning.
            let text = |value: Option<&Value>| value.map(shown);
            found.push(FigureDifference { place: place(path), stored: text(one), now: text(other) });
        }
    }
}

/// The keys of arrays of sentences.
const TEXTS: [&str; 2] = ["summary", "text"];

/// Compares sentences with those in the same place between equal ones: a new sentence is one difference, and does not change the places
/// of the others.
fn compare_texts(path: &mut Vec<String>, stored: &[Value], now: &[Value], found: &mut Vec<FigureDifference>) {
    let (mut from, mut to) = (0, 0);
    let ends = (stored.len(), now.len());
    for (next, next_now) in common_subsequence(stored, now).into_iter().chain([ends]) {
        for at in 0..(next - from).max(next_now - to) {
            let pair = (from + at < next).then(|| &stored[from + at]);
            let pair_now = (to + at < next_now).then(|| &now[to + at]);
            let place = if pair.is_some() { from + at } else { to + at };
            path.push((place + 1).to_string());
            compare(path, pair, pair_now, found);
            path.pop();
        }
        (from, to) = (next + 1, next_now + 1);
    }
}

/// Returns the indices of the longest common subsequence in both lists.
fn common_subsequence(one: &[Value], other: &[Value]) -> Vec<(usize, usize)> {
    // The lengths of the longest ones of the rests.
    let mut lengths = vec![vec![0_u32; other.len() + 1]; one.len() + 1];
    for i in (0..one.len()).rev() {
        for j in (0..other.len()).rev() {
            lengths[i][j] = if one[i] == other[j] {
                lengths[i + 1][j + 1] + 1
            } else {
                lengths[i + 1][j].max(lengths[i][j + 1])
            };
        }
    }
    let mut common = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < one.len() && j < other.len() {
        if one[i] == other[j] {
            common.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if lengths[i + 1][j] >= lengths[i][j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    common
}

/// Returns the path of a figure, without names that mean nothing to people.
fn place(path: &[String]) -> String {
    let hidden = ["sections", "tables", "rows", "cells", "provenance", "facts", "data"];
    let is_in_provenance = path.first().is_some_and(|word| word == "provenance");
    let words = path
        .iter()
        .enumerate()
        .filter(|(at, word)| (is_in_provenance && *at == 0) || !hidden.contains(&word.as_str()));
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
        (Some(one), Some(other)) => {
            (one - other).abs() <= (TOLERANCE * one.abs().max(other.abs())).max(NEARLY_ZERO)
        }
        (Some(_) | None, _) => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn last_digits_are_ignored_also_near_zero() {
        let same = |one: f64, other: f64| are_same(Some(&Value::from(one)), Some(&Value::from(other)));
        assert!(same(2500.0, 2_500.000_001) && same(0.0, -2e-17));
        assert!(!same(0.1, 0.100_001) && !same(0.0, 1e-6));
    }

    #[test]
    fn a_new_sentence_is_one_difference() {
        let report = |texts: &[&str]| {
            let prose: Vec<Value> = texts.iter().map(|text| json!({ "prose": text })).collect();
            json!({ "summary": texts, "sections": { "a": { "text": prose } } })
        };
        let stored = report(&["one", "two", "three", "four"]);
        let found = |texts: &[&str]| {
            let differences = differences(&stored, &report(texts)).into_iter();
            differences
                .filter(|difference| difference.place.starts_with("summary"))
                .map(|difference| (difference.place, difference.stored, difference.now))
                .collect::<Vec<_>>()
        };
        let quoted = |text: &str| Some(format!("\u{201c}{text}\u{201d}"));
        let place = |at: usize| format!("summary / {at}");
        assert_eq!(found(&["one", "new", "two", "three", "four"]), [(place(2), None, quoted("new"))]);
        assert_eq!(
            found(&["two", "3", "four", "five"]),
            [
                (place(1), quoted("one"), None),
                (place(3), quoted("three"), quoted("3")),
                (place(4), None, quoted("five")),
            ]
        );
        // The paragraphs of sections are compared in the same way.
        let changed = report(&["one", "new", "two", "three", "four"]);
        let places = differences(&stored, &changed).into_iter().map(|difference| difference.place);
        assert_eq!(places.collect::<Vec<_>>(), ["a / text / 2", "summary / 2"]);
    }
}
