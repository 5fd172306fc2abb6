//! The common parts of the readers of the JSON of play sites.

use tafl_rules::Span;

use super::Json;
use crate::diagnostic::{Diagnostic, DiagnosticKind, Findings, Parsed, TextFinding};
use crate::format::Format;
use crate::format::steps::WrittenTurn;
use crate::record::{Record, WrittenEnding};
use crate::source::Source;

/// A record that is read from the JSON of a play site, and its findings.
pub(in crate::format) struct SiteReader<'s> {
    pub(in crate::format) source: &'s Source<'s>,
    pub(in crate::format) record: Record,
    pub(in crate::format) diagnostics: Findings,
}

impl<'s> SiteReader<'s> {
    /// Creates an empty record; `diagnostics` are those of its JSON.
    pub(in crate::format) fn new(
        source: &'s Source<'s>,
        format: Format,
        diagnostics: Findings,
    ) -> SiteReader<'s> {
        SiteReader { source, record: Record::new(format), diagnostics }
    }

    /// Returns the record, with its findings in text order.
    pub(in crate::format) fn finish(mut self) -> Parsed<Record> {
        self.diagnostics.sort();
        Parsed { value: self.record, diagnostics: self.diagnostics.into_vec() }
    }

    #[cold]
    pub(in crate::format) fn report(&mut self, span: Span, kind: impl Into<DiagnosticKind>) {
        self.diagnostics.push(Diagnostic::new(span, kind));
    }

    pub(in crate::format) fn bad(&mut self, span: Span, field: &'static str, expected: &'static str) {
        self.report(span, TextFinding::BadValue { field, expected });
    }

    /// Reports a missing field at the end of the text.
    pub(in crate::format) fn missing(&mut self, field: &'static str) {
        self.report(Span::at(self.source.text.trim_end().len()), TextFinding::MissingField { field });
    }

    /// Returns whether the value is an object. Another one is reported, unless its JSON already was.
    pub(in crate::format) fn is_object(&mut self, game: Json<'_>) -> bool {
        if !game.is_object() && self.diagnostics.is_empty() {
            self.report(Span::new(0, self.source.text.len()), TextFinding::Json);
        }
        game.is_object()
    }

    /// Adds a tag with a string, number, or truth value. Null is ignored.
    pub(in crate::format) fn tag(&mut self, name: &str, value: Json<'_>, span: Span) {
        match value.to_text() {
            Some(words) => self.record.push_tag(name, &words, span),
            None if value.is_null() => {}
            None => self.report(span, TextFinding::Stray),
        }
    }

    /// Stores an ending; an earlier one is reported, because the last one ends the game.
    pub(in crate::format) fn end(&mut self, ending: WrittenEnding) {
        if let Some(earlier) = self.record.ending.replace(ending) {
            self.report(earlier.span, TextFinding::Stray);
        }
    }

    /// Returns the number of moves of the main line.
    pub(in crate::format) fn n_moves(&self) -> usize {
        self.record.main().moves.len()
    }

    /// Reads a turn written at `span`, and returns whether it is one.
    pub(in crate::format) fn turn(&mut self, token: &str, span: Span) -> bool {
        let read = (WrittenTurn { source: self.source, token, span }).push_to(&mut self.record);
        if let Err(part) = read {
            self.report(part, TextFinding::BadMove);
        }
        read.is_ok()
    }
}
