//! Tables as spreadsheets and data frames write them: a row per game, or a row per turn or ply.
//!
//! ```text
//! table  = [ "sep=" , delimiter , nl ] , [ names , nl ] , row , { nl , row } ;
//! row    = field , { delimiter , field } ;              delimiter: "," | ";" | tab | "|"
//! field  = text | '"' , quoted text , '"' ;             quoted text has line feeds, and `""` for a quote
//! ```
//!
//! The header names the columns: see [`columns`]. Without a header, a row is a list of moves with the columns
//! of the archives (captures by each side and the outcome), or a turn: `1;d2-f2;d3-d2`.
//!
//! # A record is a table of its own
//!
//! A reader sees only the text of its record, also when the text was stored elsewhere. A row of data is
//! meaningless without the header of its table, so the text of every record of a table is the header followed
//! by the rows of the game. The stream keeps the header ([`TableHeader`]) and puts it before the rows that it
//! cuts, see `reader::cut::table_rows`. The layout is therefore a function of the record's text alone. Line
//! and offset of the record are those of its first row ([`Source::header`]); findings are never about the
//! header.
//!
//! The layout depends only on the header and the first row of the record, so later bytes never change a
//! boundary that was decided.

mod columns;
mod comments;
mod game;
mod header;
mod languages;
mod layout;
mod path;
mod rows;
mod turn_key;
mod turns;
mod value;

#[cfg(test)]
mod tests;

use tafl_rules::Span;

use crate::diagnostic::{Diagnostic, Findings, Parsed, TextFinding};
use crate::format::date;
use crate::reader::encoding::decode_text;
use crate::record::{CaptureStyle, Format, Record, tag};
use crate::source::Source;

use game::TableReader;
use layout::{RowKind, TableLayout};
use rows::Rows;

pub(crate) use comments::{FieldComment, join_comments};
pub(crate) use languages::{CsvStatement, statement_column};
pub(crate) use layout::TableHeader;
pub(super) use path::move_word;
pub(super) use rows::CsvField;
pub(crate) use rows::{is_blank, is_comment, row_end};
pub(super) use value::begins_with_move;
pub(crate) use value::is_missing;

/// Reads one record: the header of its table and the rows of a game.
pub(crate) fn parse(source: &Source<'_>) -> Parsed<Record> {
    let mut reader = TableReader::new(source);
    let (header, mut rows) = header_of(source.text);
    let Some(first) = rows.next() else {
        return reader.finish();
    };
    let Some(layout) = header.layout(first.of(source.text)) else {
        reader.report(first, TextFinding::Stray);
        return reader.finish();
    };
    if let Some(other) = layout.delimiter.other {
        let used = char::from(layout.delimiter.byte);
        reader.report(first, TextFinding::AmbiguousDelimiter { used, other: char::from(other) });
    }
    match layout.row_kind {
        RowKind::Game => {
            reader.game(&layout, first);
            // A stream has one game per row; a text that was put together by hand may have more.
            rows.for_each(|row| reader.report(row, TextFinding::Stray));
        }
        RowKind::Turn => reader.turns(&layout, std::iter::once(first).chain(rows)),
    }
    reader.finish()
}

/// Reads a game whose fields have the names of columns in another notation than rows; `diagnostics` are those of the
/// notation, and `lists` has the moves of each field that is a list of them.
pub(super) fn parse_fields(
    source: &Source<'_>,
    diagnostics: Findings,
    names: Vec<String>,
    fields: &[CsvField<'_>],
    lists: &[Option<Vec<CsvField<'_>>>],
) -> Parsed<Record> {
    let mut reader = TableReader::new(source);
    reader.record.format = Format::JsonRows;
    reader.diagnostics = diagnostics;
    let row = Span::new(0, source.text.len());
    reader.fields(&TableLayout::of_names(names, fields), fields, lists, row);
    reader.finish()
}

/// Returns whether a column with this name may have moves.
pub(super) fn may_have_moves(name: &str) -> bool {
    use columns::CsvColumn;
    matches!(languages::column(name), CsvColumn::Moves | CsvColumn::Move | CsvColumn::Game)
}

/// Returns the header of a text, and its other rows.
fn header_of(text: &str) -> (TableHeader, Rows<'_>) {
    let mut header = TableHeader::default();
    let mut at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut rows = Rows::new(text, at);
    while !header.is_complete() {
        match rows.next() {
            Some(row) if header.push(row.of(text)) => at = row.end as usize,
            Some(row) => {
                let data = rows.next().map_or("", |data| data.of(text));
                if header.push_unknown(row.of(text), data) {
                    at = row.end as usize;
                }
                break;
            }
            None => break,
        }
    }
    (header, Rows::new(text, at))
}

/// Returns the length of the header at the beginning of a record: everything before its first row.
pub(crate) fn header_length(text: &str) -> usize {
    let start = header_of(text).1.next().map_or(0, |row| row.start as usize);
    // A byte order mark is not a header.
    if text[..start].contains('\n') { start } else { 0 }
}

/// Returns a score for the likeness of the beginning of a text to a table; see [`TableHeader::likeness`].
pub(super) fn likeness(head: &[u8]) -> u32 {
    let text = decode_text(head);
    let (header, mut rows) = header_of(&text);
    let row = rows.next().map_or("", |row| row.of(&text));
    // The `;` of `&nbsp;` is not a delimiter.
    if !header.is_complete() && has_entity(row) { 0 } else { header.likeness(row) }
}

/// Returns whether a row has an entity of HTML.
fn has_entity(row: &str) -> bool {
    row.match_indices('&').any(|(at, _)| {
        let name = &row[at + 1..];
        let length = name.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'#').count();
        length > 1 && name[length..].starts_with(';')
    })
}

/// Returns whether a field in the column of a tag is kept as this tag with the same value.
pub(crate) fn reads_as_tag(name: &str, value: &str) -> bool {
    match name {
        tag::DATE => date::read(value).is_none_or(|(day, time)| day == value && time.is_empty()),
        tag::RATED => matches!(value, "true" | "false"),
        _ => true,
    }
}

impl TableReader<'_> {
    /// Reports a row with more fields than columns, or fewer.
    fn check_columns(&mut self, layout: &TableLayout, row: Span, fields: &[rows::CsvField<'_>]) {
        let is_open = layout.row_kind == RowKind::Turn;
        let (found, expected) = (fields.len(), layout.columns.len());
        // Lists without a header may have no columns but the moves.
        let is_bare = layout.names.is_empty() && found == 1;
        let surplus = fields.get(expected..).unwrap_or_default();
        let first = surplus.iter().find(|field| !field.text.is_empty());
        let span = match first {
            Some(first) if !(is_open && layout.names.is_empty()) => {
                Span::new(first.span.start as usize, row.end as usize)
            }
            None if found < expected && !is_open && !is_bare => Span::at(row.end as usize),
            Some(_) | None => return,
        };
        let (found, expected) = (found as u32, expected as u32);
        self.report(span, TextFinding::Columns { found, expected });
    }

    fn finish(mut self) -> Parsed<Record> {
        // People who write no captures at all do not mean that there were none.
        let has_captures = !self.record.captures.is_empty() || self.record.capture_counts.is_some();
        self.record.capture_style =
            if has_captures { CaptureStyle::ListedButKings } else { CaptureStyle::NotWritten };
        self.diagnostics.sort();
        Parsed { value: self.record, diagnostics: self.diagnostics.into_vec() }
    }

    #[cold]
    fn report(&mut self, span: Span, kind: impl Into<crate::diagnostic::DiagnosticKind>) {
        self.diagnostics.push(Diagnostic::new(span, kind));
    }
}
