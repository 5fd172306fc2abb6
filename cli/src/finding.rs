//! A finding with everything that is said about it: for people a snippet, for programs a JSON object.

use std::borrow::Cow;

use serde::Serialize;
use tafl_parser::reader::FileFinding;
use tafl_parser::{Code, Diagnostic, LineIndex, Record, Severity, Source};
use tafl_rules::Span;

use crate::io::Style;
use crate::snippet::{Place, Snippet};

/// The most characters of the marked part that are repeated in JSON.
const MOST_TEXT: usize = 200;

/// A finding, ready to be written. The fields in this order are the JSON object; their names are an interface.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Finding<'a> {
    /// Always `finding`, to tell it from a summary.
    r#type: &'static str,
    /// The file's name as it was given; `-` for standard input.
    pub(crate) file: &'a str,
    /// The number of the record in its file, from 1; nothing where the file as a whole is meant.
    pub(crate) game: Option<u64>,
    /// What the record calls itself.
    pub(crate) id: Option<&'a str>,
    /// The variant that the record was replayed by, or what the record calls it.
    pub(crate) variant: Option<&'a str>,
    /// The number of the written move, from 1, where a move of the game itself is meant.
    pub(crate) ply: Option<u32>,
    /// The line, from 1.
    pub(crate) line: u64,
    /// The column, from 1, in characters.
    pub(crate) column: u64,
    /// The place in the unpacked file, in bytes from 0.
    pub(crate) offset: u64,
    /// How many bytes are meant.
    pub(crate) length: usize,
    /// The stable code.
    pub(crate) code: &'static str,
    /// The stable name.
    pub(crate) name: &'static str,
    /// `error`, `warning` or `note`.
    pub(crate) severity: &'static str,
    /// One line.
    pub(crate) message: String,
    /// One sentence of advice.
    pub(crate) help: &'static str,
    /// The part that is meant, cut after 200 characters.
    pub(crate) text: Cow<'a, str>,
    #[serde(skip)]
    level: Severity,
    #[serde(skip)]
    pub(crate) source_line: &'a str,
    #[serde(skip)]
    pub(crate) part: (usize, usize),
}

/// What findings about one record have in common.
pub(crate) struct Finder<'a> {
    source: Source<'a>,
    index: LineIndex<'a>,
    record: &'a Record,
    variant: Option<&'a str>,
}

impl<'a> Finder<'a> {
    /// Returns the finder of a record; takes one pass over its text.
    pub(crate) fn new(source: Source<'a>, record: &'a Record) -> Finder<'a> {
        Finder { source, index: LineIndex::new(source), record, variant: None }
    }

    /// Adds the name of the variant.
    pub(crate) fn with_variant(self, variant: &'a str) -> Finder<'a> {
        Finder { variant: Some(variant), ..self }
    }

    /// Returns a finding with everything that is said about it.
    pub(crate) fn find(&self, diagnostic: &Diagnostic) -> Finding<'a> {
        let Diagnostic { span, .. } = *diagnostic;
        let at = self.index.line_col(span.start);
        let line = self.index.line_span(span.start);
        let within = |offset: u32| offset.clamp(line.start, line.end) - line.start;
        let code = diagnostic.code();
        Finding {
            file: self.source.name,
            game: Some(self.source.ordinal),
            id: self.record.tag(tafl_parser::record::tag::ID),
            variant: self.variant,
            ply: self.ply(span),
            line: at.line,
            column: at.column,
            offset: self.source.base + u64::from(span.start),
            length: span.len(),
            message: diagnostic.message(self.source.text),
            text: cut(self.source.at(span)),
            source_line: self.source.at(line),
            part: (within(span.start) as usize, within(span.end) as usize),
            ..Finding::about(code)
        }
    }

    /// Returns the number of the ply in whose text a span lies.
    fn ply(&self, span: Span) -> Option<u32> {
        let moves = &self.record.main().moves;
        let after = moves.partition_point(|mv| mv.span.start <= span.start);
        let mv = moves.get(after.checked_sub(1)?)?;
        (span.end <= mv.span.end && !mv.span.is_empty()).then_some(after as u32)
    }
}

impl<'a> Finding<'a> {
    /// Returns a finding about a file as a whole.
    pub(crate) fn of_file(name: &'a str, finding: &FileFinding) -> Finding<'a> {
        let diagnostic = Diagnostic::new(Span::default(), finding.kind.clone());
        Finding {
            file: name,
            line: finding.line,
            offset: finding.base,
            message: diagnostic.message(""),
            ..Finding::about(diagnostic.code())
        }
    }

    fn about(code: Code) -> Finding<'a> {
        Finding {
            r#type: "finding",
            file: "",
            game: None,
            id: None,
            variant: None,
            ply: None,
            line: 1,
            column: 1,
            offset: 0,
            length: 0,
            code: code.text(),
            name: code.name(),
            severity: code.severity().word(),
            message: String::new(),
            help: code.help(),
            text: Cow::Borrowed(""),
            level: code.severity(),
            source_line: "",
            part: (0, 0),
        }
    }

    /// Returns how bad it is.
    pub(crate) fn level(&self) -> Severity {
        self.level
    }

    /// Adds the finding as people read it to `out`.
    pub(crate) fn write_text(&self, style: Style, out: &mut String) {
        let place = Place {
            name: self.file,
            line: self.line,
            column: self.column,
            text: self.source_line,
            part: self.part,
            within: &self.within(),
        };
        let snippet = Snippet {
            severity: self.level,
            code: Some(self.code),
            message: &self.message,
            place: Some(place),
            help: Some(self.help),
        };
        snippet.write(style, out);
    }

    /// Adds the finding as a JSON object to `out`, without a line feed.
    pub(crate) fn write_json(&self, out: &mut String) {
        out.push_str(&serde_json::to_string(self).expect("a finding has only strings and numbers"));
    }

    /// Returns `game 12, id X, ply 5`, as far as it is known.
    fn within(&self) -> String {
        let game = self.game.map(|game| format!("game {game}"));
        let id = self.id.map(|id| format!("id {id}"));
        let ply = self.ply.map(|ply| format!("ply {ply}"));
        [game, id, ply].into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

fn cut(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(MOST_TEXT) {
        Some((end, _)) => Cow::Owned(format!("{}...", &text[..end])),
        None => Cow::Borrowed(text),
    }
}
