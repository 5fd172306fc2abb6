//! The tags of an OpenTafl record.

use tafl_rules::{Side, Span};

use crate::diagnostic::{Diagnostic, Findings, HeaderFinding, TextFinding};
use crate::format::bracket::{self, Brackets};
use crate::format::tag_names::TagNames;
use crate::format::{start, termination};
use crate::record::{Record, Written, WrittenResult, WrittenVerdict, tag};
use crate::source::Source;
use crate::text_safety::is_control;

/// Reads the tags into the record and returns the offset where the turns begin.
pub(super) fn read(source: &Source<'_>, record: &mut Record, diagnostics: &mut Findings) -> usize {
    let mut reader = OpenTaflHeaderReader {
        source,
        record,
        diagnostics,
        names: TagNames::default(),
        positions: Vec::new(),
        after_rules: false,
    };
    let at = reader.tags();
    reader.put_positions();
    at
}

struct OpenTaflHeaderReader<'r, 's> {
    source: &'r Source<'s>,
    record: &'r mut Record,
    diagnostics: &'r mut Findings,
    /// The names of the tags stored as such.
    names: TagNames,
    /// Positions given separately from the rules. The first one counts, but its shape is known only after all
    /// tags are read.
    positions: Vec<Span>,
    /// Whether the last tag was after the rules tag.
    after_rules: bool,
}

impl OpenTaflHeaderReader<'_, '_> {
    fn tags(&mut self) -> usize {
        let bytes = self.source.text.as_bytes();
        let brackets = Brackets::new(bytes);
        let mut at = if self.source.text.starts_with('\u{feff}') { 3 } else { 0 };
        loop {
            at += bytes[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let rest = &bytes[at..];
            let line = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            if rest.starts_with(b"[") {
                let close = brackets.close(at);
                let inside = Span::new(at + 1, close.unwrap_or(at + line));
                let Some((name, value)) = bracket::split_tag(self.source.at(inside)) else { return at };
                if close.is_none() {
                    self.report(Span::new(at, at + line), TextFinding::Unclosed { bracket: '[' });
                }
                let value = self.source.span_of(bracket::trimmed(value)).unwrap_or(inside);
                self.tag(name, value, inside);
                at = close.map_or(at + line, |close| close + 1);
            } else if rest.starts_with(b"dim:") {
                self.rules(self.trimmed(at, at + line));
                at += line;
            } else if rest.starts_with(b"/") {
                self.position(self.trimmed(at, at + line));
                at += line;
            } else {
                return at;
            }
        }
    }

    fn trimmed(&self, start: usize, end: usize) -> Span {
        let text = self.source.at(Span::new(start, end)).trim();
        self.source.span_of(text).unwrap_or(Span::at(start))
    }

    fn report(&mut self, span: Span, kind: impl Into<crate::DiagnosticKind>) {
        self.diagnostics.push(Diagnostic::new(span, kind));
    }

    fn tag(&mut self, name: &str, value: Span, inside: Span) {
        let lower = name.to_ascii_lowercase();
        if self.record.rules.is_some() && !self.after_rules {
            self.after_rules = true;
            let rules = self.record.rules.as_ref().map_or(inside, |rules| rules.span);
            self.report(rules, HeaderFinding::RulesNotLast);
        }
        match lower.as_str() {
            "rules" => self.rules(value),
            // A rules string in brackets without the word `rules`.
            "dim" => self.rules(inside),
            "position" => self.position(value),
            // PGN's word for an unknown value; a writer begins a record without tags with it.
            "variant" if self.source.at(value) == "?" => {}
            "variant" if self.record.variant.is_none() => self.record.variant = Some(self.written(value)),
            "result" if self.record.result.is_none() => self.result(value),
            tag::TERMINATION => termination::read(self.record, self.source.at(value), value),
            _ => {
                self.record.push_tag(&lower, self.source.at(value), value);
                self.names.insert(&lower, value, self.diagnostics);
            }
        }
    }

    fn written(&self, span: Span) -> Written {
        Written { text: self.source.at(span).into(), span }
    }

    fn rules(&mut self, span: Span) {
        if self.record.rules.is_some() {
            self.report(span, HeaderFinding::Duplicate);
            self.record.push_tag("rules", self.source.at(span), span);
        } else {
            self.record.rules = Some(self.written(span));
        }
    }

    fn result(&mut self, span: Span) {
        let Some(verdict) = verdict(self.source.at(span)) else {
            self.record.push_tag("result", self.source.at(span), span);
            self.names.add("result");
            let expected = "1 (attackers), -1 (defenders), 0 (draw) or ?";
            return self.report(span, HeaderFinding::BadTag { tag: "result", expected });
        };
        let reason = termination::before_result(self.record);
        self.record.result = Some(WrittenResult { verdict, reason, span });
    }

    fn position(&mut self, span: Span) {
        if !self.positions.is_empty() {
            self.report(span, HeaderFinding::Duplicate);
        }
        self.positions.push(span);
    }

    fn put_positions(&mut self) {
        let positions = std::mem::take(&mut self.positions);
        for span in start::store(self.source, positions, self.record, self.diagnostics) {
            self.record.push_tag("position", self.source.at(span), span);
        }
    }
}

/// Returns the result that the value of a tag means.
pub(crate) fn verdict(text: &str) -> Option<WrittenVerdict> {
    // Writers put spaces in place of control characters.
    let is_blank = |symbol: char| symbol.is_whitespace() || is_control(symbol);
    Some(match text.trim_matches(is_blank) {
        "1" => WrittenVerdict::Win(Side::Attackers),
        "-1" => WrittenVerdict::Win(Side::Defenders),
        "0" => WrittenVerdict::Draw,
        "?" => WrittenVerdict::Unknown,
        "*" => WrittenVerdict::Ongoing,
        _ => return None,
    })
}
