//! The tags of an OpenTafl record.

use tafl_rules::text::setup::RowOrder;
use tafl_rules::{Reason, Setup, Shape, Side, Span};

use crate::diagnostic::{Diagnostic, Header, Text};
use crate::format::bracket;
use crate::record::{Record, Verdict, Written, WrittenResult, WrittenStart, tag};
use crate::source::Source;

/// Reads the tags into the record and returns the place where turns begin.
pub(super) fn read(source: &Source<'_>, record: &mut Record, diagnostics: &mut Vec<Diagnostic>) -> usize {
    let mut reader = Reader { source, record, diagnostics, position: None, after_rules: false };
    let at = reader.tags();
    if let Some(position) = reader.position {
        reader.start(position);
    }
    at
}

struct Reader<'r, 's> {
    source: &'r Source<'s>,
    record: &'r mut Record,
    diagnostics: &'r mut Vec<Diagnostic>,
    /// A position apart from the rules: its shape is known when all tags are.
    position: Option<Span>,
    /// Whether the last tag is behind the rules tag.
    after_rules: bool,
}

impl Reader<'_, '_> {
    fn tags(&mut self) -> usize {
        let bytes = self.source.text.as_bytes();
        let mut at = if self.source.text.starts_with('\u{feff}') { 3 } else { 0 };
        loop {
            at += bytes[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let rest = &bytes[at..];
            let line = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            if rest.starts_with(b"[") {
                let close = bracket::close(rest).map(|close| at + close);
                let inside = Span::new(at + 1, close.unwrap_or(at + line));
                let Some((name, value)) = bracket::split_tag(self.source.at(inside)) else { return at };
                if close.is_none() {
                    self.report(Span::new(at, at + line), Text::Unclosed { bracket: '[' });
                }
                let value = self.source.span_of(value.trim()).unwrap_or(inside);
                self.tag(name, value, inside);
                at = close.map_or(at + line, |close| close + 1);
            } else if rest.starts_with(b"dim:") {
                self.rules(self.trimmed(at, at + line));
                at += line;
            } else if rest.starts_with(b"/") {
                self.position = Some(self.trimmed(at, at + line));
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
            self.report(rules, Header::RulesNotLast);
        }
        match lower.as_str() {
            "rules" => self.rules(value),
            // A rules string in brackets without the word.
            "dim" => self.rules(inside),
            "position" => self.position = Some(value),
            "variant" if self.record.variant.is_none() => self.record.variant = Some(self.written(value)),
            "result" if self.record.result.is_none() => self.result(value),
            tag::TERMINATION => self.termination(value),
            _ => {
                if self.record.tag(&lower).is_some() {
                    self.report(value, Header::Duplicate);
                }
                self.record.push_tag(&lower, self.source.at(value), value);
            }
        }
    }

    fn written(&self, span: Span) -> Written {
        Written { text: self.source.at(span).into(), span }
    }

    fn rules(&mut self, span: Span) {
        if self.record.rules.is_some() {
            self.report(span, Header::Duplicate);
            self.record.push_tag("rules", self.source.at(span), span);
        } else {
            self.record.rules = Some(self.written(span));
        }
    }

    fn result(&mut self, span: Span) {
        let verdict = match self.source.at(span) {
            "1" => Verdict::Win(Side::Attackers),
            "-1" => Verdict::Win(Side::Defenders),
            "0" => Verdict::Draw,
            "?" => Verdict::Unknown,
            "*" => Verdict::Ongoing,
            other => {
                self.record.push_tag("result", other, span);
                let expected = "1 (attackers), -1 (defenders), 0 (draw) or ?";
                self.report(span, Header::BadTag { tag: "result", expected });
                return;
            }
        };
        let reason = self.record.tag(tag::TERMINATION).and_then(reason_of);
        self.record.result = Some(WrittenResult { verdict, reason, span });
    }

    /// Reads how the game ended. The very words of our vocabulary are the reason and nothing else; other words are kept,
    /// and tell the reason where they are clear.
    fn termination(&mut self, span: Span) {
        let words = self.source.at(span);
        if let Some(result) = &mut self.record.result {
            if let Some(reason) = Reason::from_words(words) {
                result.reason = Some(reason);
                return;
            }
            result.reason = result.reason.or(reason_of(words));
        }
        self.record.push_tag(tag::TERMINATION, words, span);
    }

    fn start(&mut self, span: Span) {
        let text = self.source.at(span);
        let rules = self.record.rules.as_ref().map_or("", |rules| &*rules.text);
        let rows = text.trim_matches('/').split('/').count();
        let Some(shape) = shape_of(rules).or_else(|| Shape::square(u8::try_from(rows).ok()?)) else {
            let tag = Header::BadTag { tag: "position", expected: "a row for each rank of the board" };
            return self.report(span, tag);
        };
        match Setup::parse_in(shape, text, RowOrder::Rising) {
            Ok(setup) => self.record.start = Some(WrittenStart { setup, span }),
            Err(error) => {
                self.report(error.span.shift(span.start as usize), Header::BadSetup(error.kind));
                self.record.push_tag("position", text, span);
            }
        }
    }
}

/// Returns the shape of the board that a rules string is for.
fn shape_of(rules: &str) -> Option<Shape> {
    let mut words = rules.split_ascii_whitespace();
    let side = words.find_map(|word| word.strip_prefix("dim:"))?.parse().ok()?;
    if words.any(|word| word == "xtopo:hex") { Shape::hex(side) } else { Shape::square(side) }
}

/// Returns the reason that free words about the end of a game tell clearly.
fn reason_of(words: &str) -> Option<Reason> {
    let words = words.to_ascii_lowercase();
    if words.contains("resign") {
        Some(Reason::Resignation)
    } else if words.contains("timeout") || words.contains("on time") || words.contains("out of time") {
        Some(Reason::Timeout)
    } else {
        None
    }
}
