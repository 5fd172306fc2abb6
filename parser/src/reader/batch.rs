//! Batches of consecutive records of a stream, with findings about the text between them.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use tafl_rules::Span;

use super::encoding::{StreamEncoding, decode_text};
use super::envelope::RecordLine;
use crate::diagnostic::{Diagnostic, DiagnosticKind, Parsed, TextFinding};
use crate::record::Format;
use crate::record::Record;
use crate::replay::RuleChoice;
use crate::source::{LineCol, Source};

/// A finding about a stream that does not belong to a single record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileFinding {
    /// The offset in the decompressed stream, in bytes.
    pub base: u64,
    /// The line, counted from 1.
    pub line: u64,
    /// The finding.
    pub kind: DiagnosticKind,
    /// The record that it is about, if a record line or an error line names it: source and line.
    pub record: Option<(Arc<str>, u64)>,
}

/// Consecutive records of a stream.
#[derive(Debug)]
pub struct Batch {
    pub(super) name: Arc<str>,
    pub(super) format: Option<Format>,
    pub(super) encoding: StreamEncoding,
    pub(super) text: String,
    pub(super) records: Vec<RawRecord>,
    pub(super) findings: Vec<FileFinding>,
    /// Data from the record lines around these records; `None` if the stream is not made of record lines.
    pub(super) wrapped: Option<Wrapped>,
}

/// The data of record lines apart from records and positions.
#[derive(Debug, Clone)]
pub(super) struct Wrapped {
    /// The number of the input.
    pub(super) input: Option<u64>,
    /// The name or rules string of the rules.
    pub(super) variant: Option<Arc<str>>,
    /// The resolved rules.
    pub(super) rules: Option<RuleChoice>,
}

impl Wrapped {
    pub(super) fn is_like(&self, other: &Wrapped) -> bool {
        self.input == other.input && self.variant == other.variant
    }
}

/// The position of a record.
#[derive(Debug, Clone)]
pub(super) struct RawRecord {
    /// The range in the text of the batch.
    pub(super) range: Range<usize>,
    pub(super) base: u64,
    pub(super) place: LineCol,
    pub(super) ordinal: u64,
    /// Whether invalid UTF-8 was replaced.
    pub(super) replaced: bool,
    /// The length of the header of a table at the beginning of the record's text.
    pub(super) n_header: usize,
    /// The header of the record's table, with a line feed after it, if it is not in the text of the batch.
    pub(super) header: Option<Arc<str>>,
    /// The header and the text of the range, if there is a header.
    pub(super) table: Option<Box<str>>,
}

impl RawRecord {
    /// Puts the header of its table before the record, which is a part of `text`.
    fn attach_header(&mut self, text: &str) {
        if let Some(header) = &self.header {
            self.table = Some([header, &text[self.range.clone()]].concat().into());
        }
    }

    fn header(&self) -> &str {
        self.header.as_deref().unwrap_or("")
    }
}

impl Batch {
    /// Returns the name of the file that contains the records; for record lines, the original file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns whether the records, or the findings in their place, come from record lines.
    pub fn is_wrapped(&self) -> bool {
        self.wrapped.is_some()
    }

    /// Returns the number of the input given by record lines, from 1.
    pub fn input(&self) -> Option<u64> {
        self.wrapped.as_ref().and_then(|wrapped| wrapped.input)
    }

    /// Returns the rules given by record lines.
    pub fn rules(&self) -> Option<&RuleChoice> {
        self.wrapped.as_ref().and_then(|wrapped| wrapped.rules.as_ref())
    }

    /// Returns the notation of the records, or `None` if it was not recognized; then there are no records.
    pub fn format(&self) -> Option<Format> {
        self.format
    }

    /// Returns the encoding of the stream, of which [`Batch::rewritten`] returns the UTF-8 text.
    pub fn encoding(&self) -> StreamEncoding {
        match self.encoding {
            StreamEncoding::Utf8 if self.records.iter().any(|raw| raw.replaced) => StreamEncoding::NotUtf8,
            encoding => encoding,
        }
    }

    /// Returns the findings about the stream between these records.
    pub fn findings(&self) -> &[FileFinding] {
        &self.findings
    }

    /// Returns the number of records.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Returns whether the batch has no records.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Returns the texts of the records, in order.
    pub fn sources(&self) -> impl Iterator<Item = Source<'_>> {
        self.records.iter().map(|raw| self.source(raw))
    }

    /// Returns the records with their texts, in order.
    pub fn parse(&self) -> impl Iterator<Item = (Source<'_>, Parsed<Record>)> {
        (0..self.records.len()).map(|nth| self.parse_one(nth))
    }

    /// Parses the record with an index in the batch, and returns it with its text.
    ///
    /// # Panics
    ///
    /// Panics if the index is out of range.
    pub fn parse_one(&self, nth: usize) -> (Source<'_>, Parsed<Record>) {
        // Without a format the batch has no records, so the default is never used.
        let format = self.format.unwrap_or(Format::MoveList);
        let (source, replaced) = self.placed(nth);
        let mut parsed = format.parse(&source);
        if replaced {
            let header = source.header;
            let text = &source.text[header..];
            let (kind, first) = match text.find('\u{fffd}') {
                Some(first) => (TextFinding::NotUtf8, first),
                None => (TextFinding::Windows1252, text.find(|symbol: char| !symbol.is_ascii()).unwrap_or(0)),
            };
            let length = text[first..].chars().next().map_or(0, char::len_utf8);
            let mark = Span::new(header + first, header + first + length);
            parsed.diagnostics.insert(0, Diagnostic::new(mark, kind));
        }
        (source, parsed)
    }

    /// Returns the text of a record, and whether invalid UTF-8 was replaced in it.
    pub(super) fn placed(&self, nth: usize) -> (Source<'_>, bool) {
        let raw = &self.records[nth];
        (self.source(raw), raw.replaced)
    }

    /// Returns the text of the batch with some records replaced. `other` is called with the index of each
    /// record and returns `None` for records that don't change.
    ///
    /// The text between records is kept. A record of a table stays as it is if the other text has another header.
    pub fn rewritten(&self, mut other: impl FnMut(usize) -> Option<String>) -> String {
        if self.wrapped.is_some() {
            return self.rewrapped(other);
        }
        let mut text = String::with_capacity(self.text.len() + 64);
        let mut done = 0;
        for (nth, raw) in self.records.iter().enumerate() {
            text.push_str(&self.text[done..raw.range.start]);
            match other(nth) {
                Some(new) => match new.strip_prefix(raw.header()) {
                    Some(rows) => text.push_str(rows),
                    // Other columns would need their own header among the rows.
                    None => text.push_str(&self.text[raw.range.clone()]),
                },
                None => text.push_str(&self.text[raw.range.clone()]),
            }
            done = raw.range.end;
        }
        text.push_str(&self.text[done..]);
        text
    }

    /// Returns the batch with one of its records only, without the text and the findings around it.
    ///
    /// # Panics
    ///
    /// Panics if the index is out of range.
    #[must_use]
    pub fn only(self, nth: usize) -> Batch {
        let raw = self.records[nth].clone();
        let mut text = self.text[raw.range.clone()].to_owned();
        let range = 0..text.len();
        if !text.ends_with('\n') {
            text.push('\n');
        }
        Batch { text, records: vec![RawRecord { range, ..raw }], findings: Vec::new(), ..self }
    }

    /// Returns the lines of the batch with some records replaced; lines that are not records don't change.
    fn rewrapped(&self, mut other: impl FnMut(usize) -> Option<String>) -> String {
        if self.records.is_empty() {
            return self.text.clone();
        }
        let mut out = Vec::with_capacity(2 * self.text.len());
        for nth in 0..self.records.len() {
            let new = other(nth);
            let mut line = RecordLine::of(self, nth, 0, None);
            if let Some(new) = &new {
                line.text = new.as_str().into();
            }
            line.write(&mut out);
        }
        String::from_utf8(out).expect("JSON is text")
    }

    fn source<'b>(&'b self, raw: &'b RawRecord) -> Source<'b> {
        let text = raw.table.as_deref().unwrap_or_else(|| &self.text[raw.range.clone()]);
        let RawRecord { n_header: header, base, place: LineCol { line, column }, ordinal, .. } = *raw;
        Source { name: &self.name, text, header, base, line, column, ordinal }
    }
}

/// The decoded text of a batch, with the places of its records.
pub(super) struct BatchText {
    pub(super) text: String,
    pub(super) records: Vec<RawRecord>,
    /// Whether the text, also that between the records, was valid UTF-8.
    pub(super) is_utf8: bool,
}

/// Decodes bytes as UTF-8. If they are invalid, each record and each part between records is decoded on its own, see
/// [`decode_text`].
pub(super) fn decode(bytes: Vec<u8>, records: Vec<RawRecord>) -> BatchText {
    let mut records = records;
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => {
            records.iter_mut().for_each(|raw| raw.attach_header(&text));
            return BatchText { text, records, is_utf8: true };
        }
        Err(error) => error.into_bytes(),
    };
    let mut text = String::with_capacity(bytes.len() + 64);
    let mut done = 0;
    let records = records.into_iter().map(|raw| {
        text.push_str(&decode_text(&bytes[done..raw.range.start]));
        done = raw.range.end;
        let part = decode_text(&bytes[raw.range.clone()]);
        let start = text.len();
        text.push_str(&part);
        let replaced = matches!(part, Cow::Owned(_));
        let mut raw = RawRecord { range: start..text.len(), replaced, ..raw };
        raw.attach_header(&text);
        raw
    });
    let records = records.collect();
    text.push_str(&decode_text(&bytes[done..]));
    BatchText { text, records, is_utf8: false }
}
