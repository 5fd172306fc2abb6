//! The tags of a PGN record.

use nom::Parser;
use nom::bytes::complete::{tag, take_while, take_while1};
use nom::sequence::delimited;
use tafl_rules::Span;

use crate::diagnostic::{Diagnostic, DiagnosticKind, EndFinding, Findings, HeaderFinding, TextFinding};
use crate::format::tag_names::TagNames;
use crate::format::{fen, start, termination};
use crate::record::{self, Record, Written, WrittenResult};
use crate::source::Source;
use crate::token::Read;
use crate::words;

/// The PGN tag names and the corresponding names of our tags.
pub(crate) const NAMES: [(&str, &str); 16] = [
    ("GameId", record::tag::ID),
    ("CorpusId", record::tag::CORPUS_ID),
    ("Event", record::tag::EVENT),
    ("Site", record::tag::SITE),
    ("Date", record::tag::DATE),
    ("Round", record::tag::ROUND),
    ("Attackers", record::tag::ATTACKERS),
    ("Defenders", record::tag::DEFENDERS),
    ("AttackersRating", record::tag::ATTACKERS_RATING),
    ("DefendersRating", record::tag::DEFENDERS_RATING),
    ("Annotator", record::tag::ANNOTATOR),
    ("Compiler", record::tag::COMPILER),
    ("TimeControl", record::tag::TIME_CONTROL),
    ("TimeRemaining", record::tag::TIME_REMAINING),
    ("StartComment", record::tag::START_COMMENT),
    ("Rated", record::tag::RATED),
];

/// Other names for the players and their ratings.
const OTHER_NAMES: [(&str, &str); 8] = [
    ("Black", record::tag::ATTACKERS),
    ("White", record::tag::DEFENDERS),
    ("BlackElo", record::tag::ATTACKERS_RATING),
    ("WhiteElo", record::tag::DEFENDERS_RATING),
    ("AttackersElo", record::tag::ATTACKERS_RATING),
    ("DefendersElo", record::tag::DEFENDERS_RATING),
    ("BlackRating", record::tag::ATTACKERS_RATING),
    ("WhiteRating", record::tag::DEFENDERS_RATING),
];

/// Reads the tags into the record and returns the offset where the moves begin.
pub(super) fn read(source: &Source<'_>, record: &mut Record, diagnostics: &mut Findings) -> usize {
    let mut reader =
        PgnTagReader { source, record, diagnostics, names: TagNames::default(), positions: Vec::new() };
    let end = reader.tags();
    reader.put_positions();
    end
}

struct PgnTagReader<'r, 's> {
    source: &'r Source<'s>,
    record: &'r mut Record,
    diagnostics: &'r mut Findings,
    /// The names of the tags that are stored as such.
    names: TagNames,
    /// The values of the tags `Position`.
    positions: Vec<Span>,
}

impl PgnTagReader<'_, '_> {
    /// Reads the tags, and returns the offset after them.
    fn tags(&mut self) -> usize {
        let source = *self.source;
        let bytes = source.text.as_bytes();
        let mut at = if source.text.starts_with('\u{feff}') { 3 } else { 0 };
        loop {
            at += bytes[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            if bytes.get(at) != Some(&b'[') {
                return at;
            }
            let line = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |length| at + length);
            if let Ok((rest, (name, raw))) = tag_line(&bytes[at..line]) {
                let name = std::str::from_utf8(name).unwrap_or("");
                let raw = std::str::from_utf8(raw).ok().and_then(|raw| source.span_of(raw));
                self.tag(name, raw.unwrap_or_default());
                at = line - rest.len();
            } else {
                let end = at + bytes[at..line].trim_ascii_end().len();
                self.report(Span::new(at, end), not_a_tag(&bytes[at..end]));
                at = line;
            }
        }
    }

    fn report(&mut self, span: Span, kind: impl Into<DiagnosticKind>) {
        self.diagnostics.push(Diagnostic::new(span, kind));
    }

    /// Stores the value of a tag in its field.
    fn tag(&mut self, name: &str, span: Span) {
        let value = unescape(self.source.at(span));
        let is = |known: &str| name.eq_ignore_ascii_case(known);
        if is("Position") {
            if !self.positions.is_empty() {
                self.report(span, HeaderFinding::Duplicate);
            }
            self.positions.push(span);
        } else if is("FEN") && self.record.start.is_none() {
            fen::read_position(self.source, span, self.record, self.diagnostics);
        } else if is("Variant") && value == "?" {
            // The word for an unknown value; the writer begins a record without tags with it.
        } else if is("Variant") && self.record.variant.is_none() {
            self.record.variant = Some(Written { text: value.into(), span });
        } else if is("Rules") && self.record.rules.is_none() {
            self.record.rules = Some(Written { text: value.into(), span });
        } else if is("FirstMover") && words::side(&value).is_some() {
            self.record.first_mover = words::side(&value);
        } else if is("Result") && self.record.result.is_none() {
            match words::verdict(&value) {
                Some(verdict) => {
                    let reason = termination::before_result(self.record);
                    self.record.result = Some(WrittenResult { verdict, reason, span });
                }
                None => {
                    let expected = "attackers, defenders, 1/2-1/2 or *";
                    self.report(span, EndFinding::BadResult { expected });
                    self.record.push_tag("result", &value, span);
                    self.names.add("result");
                }
            }
        } else if is("Termination") {
            termination::read(self.record, &value, span);
        } else {
            let known = NAMES.iter().chain(&OTHER_NAMES).find(|(known, _)| is(known));
            let name = known.map_or(name, |(_, ours)| ours);
            self.names.insert(name, span, self.diagnostics);
            self.record.push_tag(name, &value, span);
        }
    }

    /// Stores the first position as the start, and the others as tags.
    fn put_positions(&mut self) {
        let positions = std::mem::take(&mut self.positions);
        for span in start::store(self.source, positions, self.record, self.diagnostics) {
            self.record.push_tag("Position", &unescape(self.source.at(span)), span);
        }
    }
}

/// Returns the finding about a line that begins with a bracket and is not a tag.
pub(in crate::format) fn not_a_tag(line: &[u8]) -> TextFinding {
    if line.trim_ascii_end().ends_with(b"]") {
        TextFinding::NotATag
    } else {
        TextFinding::Unclosed { bracket: '[' }
    }
}

/// Reads `[Name "value"]` and returns the name and the raw value.
pub(in crate::format) fn tag_line(line: &[u8]) -> Read<'_, (&[u8], &[u8])> {
    let name = take_while1(|byte: u8| byte.is_ascii_alphanumeric() || byte == b'_');
    let blanks = || take_while(|byte: u8| byte == b' ' || byte == b'\t');
    let value = delimited(tag("\""), quoted, tag("\""));
    let inside = (blanks(), name, blanks(), value, blanks()).map(|(_, name, _, value, _)| (name, value));
    delimited(tag("["), inside, tag("]")).parse(line)
}

/// Reads up to a quote that is not escaped by a backslash.
fn quoted(input: &[u8]) -> Read<'_, &[u8]> {
    let mut is_escaped = false;
    let end = input.iter().position(|byte| {
        let ends = *byte == b'"' && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        ends
    });
    end.map(|end| (&input[end..], &input[..end])).ok_or(nom::Err::Error(()))
}

/// Removes the backslashes that escape characters of a value.
pub(in crate::format) fn unescape(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut symbols = value.chars();
    while let Some(symbol) = symbols.next() {
        text.push(if symbol == '\\' { symbols.next().unwrap_or('\\') } else { symbol });
    }
    text
}
