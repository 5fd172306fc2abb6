//! Findings about records and files, with their places.

use std::borrow::Cow;
use std::ops::Range;

use schemars::JsonSchema;
use serde::Serialize;
use tafl_parser::{Code, Diagnostic, FileFinding, LineIndex, Record, Severity, Source, tag};
use tafl_rules::Span;

use crate::json_text;

/// The maximum number of characters of the marked part that are repeated.
const MAX_TEXT: usize = 200;

/// The number of bytes of a source line that are kept before the marked part, and from its start on. A front end shows less.
const EXCERPT: usize = 1000;

/// The maximum number of characters of a source line that pages show.
const MAX_LINE: usize = 240;

/// The maximum number of characters of it before the marked part.
const MAX_BEFORE: usize = 80;

/// A finding about a record or a file. The names and the order of the fields are an interface.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Finding {
    /// The stable code: `L001`.
    pub code: &'static str,
    /// The stable name: `illegal-move`.
    pub name: &'static str,
    /// `error`, `warning` or `note`.
    pub severity: &'static str,
    /// The number of the written move, from 1, if it is about a move of the game itself.
    pub ply: Option<u32>,
    /// The line, from 1.
    pub line: u64,
    /// The column, from 1, in characters.
    pub column: u64,
    /// The place in the unpacked file, in bytes from 0; null if it is unknown.
    pub offset: Option<u64>,
    /// The length of the part that is meant, in bytes.
    pub length: usize,
    /// The message, on one line.
    pub message: String,
    /// The part that is meant, cut after 200 characters.
    pub text: String,
    /// One sentence of advice.
    #[serde(skip)]
    pub help: &'static str,
    /// The severity, for comparisons.
    #[serde(skip)]
    pub level: Severity,
    /// The source line.
    #[serde(skip)]
    pub excerpt: Excerpt,
}

/// A source line, or the relevant part of a long one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// The text, without a line feed.
    pub text: String,
    /// The number of characters of the line before the text.
    pub skipped: usize,
    /// The part that is meant, in bytes of the text.
    pub part: (usize, usize),
}

/// A finding with the record that it is about, as an object of its own. The names and the order of the fields are an
/// interface.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FindingLine<'a> {
    /// Always `finding`, which distinguishes it from a summary.
    r#type: &'static str,
    /// The file's name as it was given; `-` for standard input.
    pub file: Cow<'a, str>,
    /// The number of the record in its file, from 1; null if the file as a whole is meant.
    pub game: Option<u64>,
    /// The record's own name.
    pub id: Option<Cow<'a, str>>,
    /// The variant by which the record was replayed, or what the record calls it.
    pub variant: Option<Cow<'a, str>>,
    /// The number of the written move, from 1, if it is about a move of the game itself.
    ply: Option<u32>,
    /// The line, from 1.
    line: u64,
    /// The column, from 1, in characters.
    column: u64,
    /// The place in the unpacked file, in bytes from 0; null if it is unknown.
    offset: Option<u64>,
    /// The length of the part that is meant, in bytes.
    length: usize,
    /// The stable code.
    code: &'static str,
    /// The stable name.
    name: &'static str,
    /// `error`, `warning` or `note`.
    severity: &'static str,
    /// The message, on one line.
    message: Cow<'a, str>,
    /// One sentence of advice.
    help: &'static str,
    /// The part that is meant, cut after 200 characters.
    text: Cow<'a, str>,
    /// The finding.
    #[serde(skip)]
    pub finding: Cow<'a, Finding>,
}

/// A finding with the line that it is about, as pages draw it. A long line is cut around the part that is meant.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct MarkedFinding {
    /// Always `finding`.
    r#type: &'static str,
    /// The file's name as it was given.
    pub file: String,
    /// The number of the record in its file, from 1; null if it is unknown, or if the file as a whole is meant.
    pub game: Option<u64>,
    /// The record's own name.
    pub id: Option<String>,
    /// The variant by which the record was replayed, or what the record calls it.
    pub variant: Option<String>,
    /// The finding.
    #[serde(flatten)]
    pub finding: Finding,
    /// One sentence of advice.
    pub help: &'static str,
    /// The line, or the part of it that is shown.
    pub source_line: String,
    /// The number of the first character of the line that is shown, from 1.
    pub source_line_from: usize,
    /// The part that is meant, in characters of the part that is shown.
    pub caret: CaretRange,
}

/// A range of characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CaretRange {
    /// The number of characters before the range.
    pub start: usize,
    /// The number of characters before its end.
    pub end: usize,
}

/// The record that a finding is about.
#[derive(Debug, Clone, Copy, Default)]
pub struct FindingRecord<'a> {
    /// The file's name as it was given; `-` for standard input.
    pub file: &'a str,
    /// The number of the record in its file, from 1; none if the file as a whole is meant.
    pub game: Option<u64>,
    /// The record's own name.
    pub id: Option<&'a str>,
    /// The variant by which the record was replayed, or what the record calls it.
    pub variant: Option<&'a str>,
}

impl<'a> FindingRecord<'a> {
    /// Returns a record, without its variant.
    pub fn of(source: Source<'a>, record: &'a Record) -> FindingRecord<'a> {
        FindingRecord {
            file: source.name,
            game: Some(source.ordinal),
            id: record.tag(tag::ID),
            variant: None,
        }
    }
}

/// Finds the places of diagnostics in the text of a record.
pub struct FindingLocator<'a> {
    source: Source<'a>,
    index: LineIndex<'a>,
    record: &'a Record,
}

impl<'a> FindingLocator<'a> {
    /// Creates the locator of a record; takes one pass over its text.
    pub fn new(source: Source<'a>, record: &'a Record) -> FindingLocator<'a> {
        FindingLocator { source, index: LineIndex::new(source), record }
    }

    /// Returns the findings of a record. A record without diagnostics costs nothing.
    pub fn all(source: Source<'_>, record: &Record, diagnostics: &[Diagnostic]) -> Vec<Finding> {
        if diagnostics.is_empty() {
            return Vec::new();
        }
        let locator = FindingLocator::new(source, record);
        diagnostics.iter().map(|diagnostic| locator.find(diagnostic)).collect()
    }

    /// Returns the finding of a diagnostic.
    pub fn find(&self, diagnostic: &Diagnostic) -> Finding {
        let Diagnostic { span, .. } = *diagnostic;
        let at = self.index.line_col(span.start);
        let line = self.index.line_span(span.start);
        let within = |offset: u32| (offset.clamp(line.start, line.end) - line.start) as usize;
        Finding {
            ply: self.ply(span),
            line: at.line,
            column: at.column,
            offset: Some(self.source.offset(span.start)),
            length: span.len(),
            message: diagnostic.message(self.source.text),
            text: cut(self.source.at(span)),
            excerpt: Excerpt::around(self.source.at(line), within(span.start)..within(span.end)),
            ..Finding::about(diagnostic.code())
        }
    }

    /// Returns the number of the ply in whose text a span lies; `None` if several moves share the text, as in a string of JSON with
    /// escapes.
    fn ply(&self, span: Span) -> Option<u32> {
        let moves = &self.record.main().moves;
        let after = moves.partition_point(|mv| mv.span.start <= span.start);
        let nth = after.checked_sub(1)?;
        let mv = moves.get(nth)?;
        if nth > 0 && moves[nth - 1].span == mv.span {
            return None;
        }
        (span.end <= mv.span.end && !mv.span.is_empty()).then_some(after as u32)
    }
}

impl Finding {
    /// Creates a finding about a file as a whole.
    pub fn of_file(finding: &FileFinding) -> Finding {
        let diagnostic = Diagnostic::new(Span::default(), finding.kind.clone());
        Finding {
            line: finding.line,
            offset: Some(finding.base),
            message: diagnostic.message(""),
            ..Finding::about(diagnostic.code())
        }
    }

    /// Returns the finding as an object of its own.
    pub fn line<'a>(&'a self, at: FindingRecord<'a>) -> FindingLine<'a> {
        FindingLine {
            r#type: "finding",
            file: at.file.into(),
            game: at.game,
            id: at.id.map(Cow::Borrowed),
            variant: at.variant.map(Cow::Borrowed),
            ply: self.ply,
            line: self.line,
            column: self.column,
            offset: self.offset,
            length: self.length,
            code: self.code,
            name: self.name,
            severity: self.severity,
            message: self.message.as_str().into(),
            help: self.help,
            text: self.text.as_str().into(),
            finding: Cow::Borrowed(self),
        }
    }

    /// Returns the finding as an object of its own, about a file as a whole.
    pub fn line_of_file<'a>(&'a self, file: &'a str) -> FindingLine<'a> {
        self.line(FindingRecord { file, ..FindingRecord::default() })
    }

    fn about(code: Code) -> Finding {
        Finding {
            code: code.as_str(),
            name: code.name(),
            severity: code.severity().as_str(),
            ply: None,
            line: 1,
            column: 1,
            offset: Some(0),
            length: 0,
            message: String::new(),
            text: String::new(),
            help: code.help(),
            level: code.severity(),
            excerpt: Excerpt::default(),
        }
    }
}

impl FindingLine<'_> {
    /// Returns the same finding with texts of its own.
    pub fn into_owned(self) -> FindingLine<'static> {
        let own = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        FindingLine {
            file: own(self.file),
            id: self.id.map(own),
            variant: self.variant.map(own),
            message: own(self.message),
            text: own(self.text),
            finding: Cow::Owned(self.finding.into_owned()),
            r#type: self.r#type,
            game: self.game,
            ply: self.ply,
            line: self.line,
            column: self.column,
            offset: self.offset,
            length: self.length,
            code: self.code,
            name: self.name,
            severity: self.severity,
            help: self.help,
        }
    }

    /// Adds the finding as a JSON object to `out`, without a line feed.
    pub fn write_json(&self, out: &mut String) {
        out.push_str(&json_text(self));
    }

    /// Returns `game 12, id X, ply 5`, as far as it is known.
    pub fn within(&self) -> String {
        let game = self.game.map(|game| format!("game {game}"));
        let id = self.id.as_ref().map(|id| format!("id {id}"));
        let ply = self.ply.map(|ply| format!("ply {ply}"));
        [game, id, ply].into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

impl MarkedFinding {
    /// Adds to a finding the record that it is about, and the line.
    pub fn new(finding: Finding, at: FindingRecord<'_>) -> MarkedFinding {
        let excerpt = &finding.excerpt;
        let characters = |bytes: usize| excerpt.text.get(..bytes).map_or(0, |text| text.chars().count());
        let (start, end) = (characters(excerpt.part.0), characters(excerpt.part.1));
        let first = start.saturating_sub(MAX_BEFORE);
        let source_line: String = excerpt.text.chars().skip(first).take(MAX_LINE).collect();
        let length = source_line.chars().count();
        let caret = |at: usize| at.saturating_sub(first).min(length);
        MarkedFinding {
            r#type: "finding",
            file: at.file.to_owned(),
            game: at.game,
            id: at.id.map(str::to_owned),
            variant: at.variant.map(str::to_owned),
            help: finding.help,
            source_line,
            source_line_from: excerpt.skipped + first + 1,
            caret: CaretRange { start: caret(start), end: caret(end.max(start)) },
            finding,
        }
    }
}

impl Excerpt {
    /// Creates the excerpt of a line around a part of it, in bytes.
    pub fn around(line: &str, Range { start, end }: Range<usize>) -> Excerpt {
        let floor =
            |at: usize| (0..=at.min(line.len())).rev().find(|at| line.is_char_boundary(*at)).unwrap_or(0);
        let (first, last) = (floor(start.saturating_sub(EXCERPT)), floor(start + EXCERPT));
        let part = (start - first, end.clamp(start, last.max(start)) - first);
        let skipped = if first == 0 { 0 } else { line[..first].chars().count() };
        Excerpt { text: line[first..last].to_owned(), skipped, part }
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_TEXT) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_cut_around_the_part() {
        let line = format!("{}d1-d3{}", "þ".repeat(5000), "b".repeat(5000));
        let start = 10_000;
        let excerpt = Excerpt::around(&line, start..start + 5);
        assert_eq!(&excerpt.text[excerpt.part.0..excerpt.part.1], "d1-d3");
        assert_eq!((excerpt.text.len(), excerpt.skipped), (2 * EXCERPT, 4500));
        let whole = Excerpt::around("d1-d3", 0..5);
        assert_eq!(whole, Excerpt { text: "d1-d3".to_owned(), skipped: 0, part: (0, 5) });
    }
}
