//! The table of notations: one row per [`Format`] with all differences between them.
//!
//! A new notation is a variant of `Format`, a row in `rows`, a reader in `format/`, a row in
//! `writers`, and, if it can be written, a writer in `write/`.

use std::fmt;

use tafl_rules::Span;

use crate::diagnostic::{Diagnostic, DiagnosticKind, Parsed, Severity, TextFinding};
use crate::format::{self, TextHead};
use crate::record::{Cut, Format, Record, WrittenMove};
use crate::source::Source;
use crate::write::WriteGame;

use self::rows::NOTATIONS;
use self::writers::{FormatWriter, WRITERS, WriteRecord};

mod rows;
mod writers;

/// The place where a notation allows a note about a repair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RepairNote {
    /// A line before the record that begins with `#`.
    Comment,
    /// A tag such as `[repair:...]`.
    Tag,
    /// A tag such as `[Repair "..."]`.
    PgnTag,
    /// The first member of the JSON object.
    JsonMember,
    /// A tag of a notation that is rewritten as a whole.
    OwnTag,
    /// No place.
    None,
}

/// The properties of a notation.
struct FormatProperties {
    format: Format,
    /// The stable name.
    name: &'static str,
    /// What it is and where it comes from, in a few words.
    description: &'static str,
    /// The usual file extension, without a dot.
    extension: &'static str,
    cut: Cut,
    /// Whether records omit parts of the game; see [`Format::is_lossy`].
    is_lossy: bool,
    /// Whether the moves are a plain list, without numbers.
    is_plain_list: bool,
    /// Whether turns may have numbers in any layout, which belong to no text but the moves.
    has_loose_turns: bool,
    /// Whether a record repeats its moves in another form, such as diagrams, so that a repair rewrites all of it.
    repeats_moves: bool,
    /// Whether each written record begins with a header line.
    has_header: bool,
    /// Whether each written record has its rules string.
    has_rules_tag: bool,
    repair_note: RepairNote,
    /// The name of the game, if the text of a record is not about a tafl game and is therefore skipped.
    other_game: fn(&[u8]) -> Option<Box<str>>,
    /// The variant of a record without a variant name, for notations with a single variant.
    implied_variant: fn(&Record) -> Option<&'static str>,
    /// The score of a text for this notation: 0 for no match, 3 for words that occur in no other notation, 4
    /// for more.
    likeness: fn(&TextHead<'_>) -> u32,
    read: fn(&Source<'_>) -> Parsed<Record>,
    /// Whether records can be written; the functions are in `writers`.
    is_writable: bool,
}

// `Format as usize` is used as the index of the row.
const _: () = {
    let mut at = 0;
    while at < NOTATIONS.len() {
        assert!(NOTATIONS[at].format as usize == at && Format::ALL[at] as usize == at);
        assert!(
            WRITERS[at].format as usize == at && WRITERS[at].write.is_some() == NOTATIONS[at].is_writable
        );
        at += 1;
    }
};

impl Format {
    const fn notation(self) -> &'static FormatProperties {
        &NOTATIONS[self as usize]
    }

    const fn functions(self) -> &'static FormatWriter {
        &WRITERS[self as usize]
    }

    /// Returns the name of the format. Names are stable.
    pub const fn name(self) -> &'static str {
        self.notation().name
    }

    /// Returns the format with a name.
    pub fn from_name(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.name() == name)
    }

    /// Returns what the format is and where it comes from, in a few words.
    pub const fn description(self) -> &'static str {
        self.notation().description
    }

    /// Returns the usual file extension of the format, without a dot.
    pub const fn extension(self) -> &'static str {
        self.notation().extension
    }

    /// Returns the format in which a record with this format is written in `text`: our JSON lines keep the format
    /// of the record that they were converted from.
    pub fn of_text(self, text: &str) -> Format {
        if TextHead::new(text.as_bytes()).is_own() { Format::Jsonl } else { self }
    }

    /// Returns the length of the header of a table at the beginning of a record's text: the first byte after it is that of
    /// the record, see [`Source::header`].
    pub fn header_length(self, text: &str) -> usize {
        if self == Format::Csv { format::csv::header_length(text) } else { 0 }
    }

    /// Returns the source of a record that was stored with its file's name and its line.
    pub fn stored_source<'a>(self, name: &'a str, line: u64, text: &'a str) -> Source<'a> {
        Source { header: self.header_length(text), line, ..Source::named(name, text) }
    }

    /// Returns the way in which a stream of this format is split into records.
    pub const fn cut(self) -> Cut {
        self.notation().cut
    }

    /// Returns the way in which a stream that begins with `head` is split into records.
    ///
    /// Like [`Format::cut`], except that a game of a move list may also span several lines, and that our JSON lines may
    /// be a list or span several lines.
    pub fn cut_of(self, head: &[u8]) -> Cut {
        if self == Format::MoveList {
            format::movelist::cut_of(head)
        } else if self == Format::Cyngesheall {
            format::cyngesheall::cut_of(head)
        } else if self == Format::Jsonl {
            format::jsonl::cut_of(head)
        } else {
            self.cut()
        }
    }

    /// Returns whether records can be written in this format.
    pub const fn is_writable(self) -> bool {
        self.notation().is_writable
    }

    /// Returns whether records of this format omit parts of the game: they have only the first step of a turn
    /// of several steps, keep moves that were taken back next to those that replaced them, and contain marks
    /// of captures that did not happen. Replay searches for the missing parts.
    pub const fn is_lossy(self) -> bool {
        self.notation().is_lossy
    }

    /// Returns whether the moves are a plain list, without numbers.
    pub(crate) const fn is_plain_list(self) -> bool {
        self.notation().is_plain_list
    }

    /// Returns whether turns may have numbers in any layout, so that a repair can number them again in place.
    pub(crate) const fn has_loose_turns(self) -> bool {
        self.notation().has_loose_turns
    }

    /// Returns whether a record repeats its moves in another form, so that a repair rewrites all of it.
    pub(crate) const fn repeats_moves(self) -> bool {
        self.notation().repeats_moves
    }

    /// Returns whether each written record begins with a header line, which a file with several records needs only
    /// once.
    pub const fn has_header(self) -> bool {
        self.notation().has_header
    }

    /// Returns whether a written record has its rules string. For a record without one, the string comes from the replay.
    pub const fn has_rules_tag(self) -> bool {
        self.notation().has_rules_tag
    }

    /// Returns the place for a note about a repair.
    pub(crate) const fn repair_note(self) -> RepairNote {
        self.notation().repair_note
    }

    /// Returns the name of the game if the text of a record is not about a tafl game.
    pub(crate) fn other_game(self, text: &[u8]) -> Option<Box<str>> {
        (self.notation().other_game)(text)
    }

    /// Returns the variant of a record that names none, if the format has only one variant.
    pub(crate) fn implied_variant(self, record: &Record) -> Option<&'static str> {
        (self.notation().implied_variant)(record)
    }

    /// Reads one record. Never fails: unreadable parts become diagnostics.
    pub fn parse(self, source: &Source<'_>) -> Parsed<Record> {
        let mut parsed = (self.notation().read)(source);
        let mut findings = format::finish_end(&mut parsed.value);
        findings.extend(format::check_tag_values(&parsed.value));
        if let Some(span) = unread_text(source, &parsed) {
            findings.push(Diagnostic::new(span, TextFinding::OtherFormat { format: self }));
        }
        if !findings.is_empty() {
            parsed.diagnostics.append(&mut findings);
            parsed.diagnostics.sort_by_key(|found| found.span.start);
        }
        parsed
    }

    /// Returns the reason why the format cannot express a game at all, if it cannot.
    pub(crate) fn refusal(self, game: WriteGame<'_>) -> Option<String> {
        (self.functions().refusal)(game)
    }

    /// Appends a move of a record in the form of the format.
    pub(crate) fn push_move(self, record: &Record, mv: &WrittenMove, out: &mut String) {
        (self.functions().push_move)(record, mv, out);
    }

    /// Returns the function that appends a record to a text, or `None` if the format is read-only.
    pub(crate) const fn writer(self) -> Option<WriteRecord> {
        self.functions().write
    }
}

/// Returns the span of the first skipped text if the source is evidently in another notation: nothing was read, and a table or
/// SGF begins with skipped text, or a UCI session has no command with a game. The other readers need no such check, because
/// they report words that are not moves.
fn unread_text(source: &Source<'_>, parsed: &Parsed<Record>) -> Option<Span> {
    let Parsed { value: record, diagnostics } = parsed;
    if !record.main().moves.is_empty() || diagnostics.iter().any(|found| found.severity() == Severity::Error)
    {
        return None;
    }
    let is = |found: &Diagnostic, kind: TextFinding| found.kind == DiagnosticKind::Text(kind);
    let is_session = diagnostics.iter().any(|found| is(found, TextFinding::NoMoves));
    let is_skipped = |found: &&Diagnostic| match record.format {
        Format::Csv | Format::Sgf => {
            let before = source.text.get(..found.span.start as usize);
            is(found, TextFinding::Stray) && before.is_some_and(|before| before.trim().is_empty())
        }
        Format::Uci => {
            is_session && matches!(found.kind, DiagnosticKind::Text(TextFinding::SessionLines { .. }))
        }
        _ => false,
    };
    let first = diagnostics.iter().find(is_skipped)?.span;
    let empty = Record { capture_style: record.capture_style, ..Record::new(record.format) };
    (*record == empty).then_some(first)
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Returns the possible formats of a text, most likely first; empty if no format matches.
///
/// `head` is the beginning of the decompressed text (a few KiB are enough), and `name` is the file name, if
/// known. The text takes precedence over the name.
pub fn detect(head: &[u8], name: Option<&str>) -> Vec<Format> {
    let head = TextHead::new(head);
    if head.is_own() {
        return vec![Format::Jsonl];
    }
    let mut scores: Vec<(u32, Format)> = NOTATIONS
        .iter()
        .map(|row| ((row.likeness)(&head), has_extension(name, row.extension), row))
        .filter(|(likeness, is_named, row)| *likeness > 0 || (*is_named && !is_generic(row.extension)))
        .map(|(likeness, is_named, row)| {
            // A name alone outranks moves in prose (a likeness of 1), but not a list of moves.
            let name = if likeness == 0 { 5 } else { 1 };
            (likeness * 4 + if is_named { name } else { 0 }, row.format)
        })
        .collect();
    scores.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    scores.into_iter().map(|(_, format)| format).collect()
}

/// Returns whether a file extension is generic, so that it is not evidence for a format.
fn is_generic(extension: &str) -> bool {
    matches!(extension, "txt" | "json" | "jsonl" | "csv")
}

fn has_extension(name: Option<&str>, extension: &str) -> bool {
    let Some(name) = name else { return false };
    let name = name.trim_end_matches(".gz").trim_end_matches(".zst");
    name.rsplit_once('.').is_some_and(|(_, ending)| ending.eq_ignore_ascii_case(extension))
}
