//! Boundaries between the games of a table.
//!
//! A header is not a record, but belongs to every record after it: the stream keeps it, and puts it before
//! the rows of each game, so that the text of a record is a small table. See [`crate::format::csv`].

use std::borrow::Cow;

use super::CutResult;
use crate::format::csv::{TableHeader, is_blank, is_comment, row_end};
use crate::reader::encoding::decode_text;
use crate::source::TextEnd;

/// Returns the next game or header at the start of `bytes`. `header` is that of the previous rows.
pub(super) fn next(header: &TableHeader, bytes: &[u8], text_end: TextEnd) -> CutResult {
    let rows = TableRows { bytes, text_end };
    let (start, end) = match rows.next_row(0) {
        NextRow::None => return CutResult::Nothing,
        NextRow::Part { start } => return CutResult::More { start },
        NextRow::Whole { start, end, .. } => (start, end),
    };
    let row = rows.text(start, end);
    let mut own = TableHeader::default();
    if own.push(&row) && (!header.is_complete() || header.is_renewed_by(&row)) {
        return rows.header(own, start, end);
    }
    if !header.is_complete() && !header.is_data(&row) {
        let data = match rows.next_row(end) {
            NextRow::Part { .. } => return CutResult::More { start },
            NextRow::Whole { start, end, .. } => rows.text(start, end),
            NextRow::None => Cow::Borrowed(""),
        };
        if header.clone().push_unknown(&row, &data) {
            return CutResult::Header { start, end };
        }
    }
    match header.turn_key(&row) {
        None => CutResult::Record { start, end },
        Some(first) => {
            let (mut last, mut end) = (first.clone(), end);
            loop {
                let (row_start, row_end, after_blank) = match rows.next_row(end) {
                    NextRow::None => return CutResult::Record { start, end },
                    NextRow::Part { .. } => return CutResult::More { start },
                    NextRow::Whole { start, end, after_blank } => (start, end, after_blank),
                };
                let row = rows.text(row_start, row_end);
                let is_next = header.is_renewed_by(&row)
                    || after_blank && !first.is_known()
                    || match header.turn_key(&row) {
                        Some(key) => {
                            let begins = last.begins_game(&first, &key);
                            last = key;
                            begins
                        }
                        None => false,
                    };
                if is_next {
                    return CutResult::Record { start, end };
                }
                end = row_end;
            }
        }
    }
}

/// The rows of a part of a stream.
struct TableRows<'b> {
    bytes: &'b [u8],
    text_end: TextEnd,
}

/// A row that is neither blank nor a comment.
enum NextRow {
    /// Only blank rows up to the end of the stream or of the buffer.
    None,
    /// A row that may continue after the buffer.
    Part { start: usize },
    /// A whole row, without its line end.
    Whole { start: usize, end: usize, after_blank: bool },
}

impl TableRows<'_> {
    fn next_row(&self, at: usize) -> NextRow {
        let (mut at, mut after_blank) = (at, false);
        // The line end of the previous row.
        at += self.bytes[at..].iter().take_while(|byte| **byte == b'\r').count();
        if at > 0 && self.bytes.get(at) == Some(&b'\n') {
            at += 1;
        }
        loop {
            let rest = &self.bytes[at..];
            if rest.is_empty() {
                return if self.text_end.is_known() || at == 0 {
                    NextRow::None
                } else {
                    NextRow::Part { start: at }
                };
            }
            let Some(length) = row_end(rest, self.text_end) else { return NextRow::Part { start: at } };
            let row = &rest[..length];
            if is_blank(row) {
                after_blank = true;
            } else if !is_comment(row) {
                let end = at + row.len() - row.iter().rev().take_while(|byte| **byte == b'\r').count();
                return NextRow::Whole { start: at, end, after_blank };
            }
            at += (length + 1).min(rest.len());
        }
    }

    fn text(&self, start: usize, end: usize) -> Cow<'_, str> {
        decode_text(&self.bytes[start..end])
    }

    /// Returns a header that begins with a row: the row, and the names after a line `sep=;`.
    fn header(&self, mut own: TableHeader, start: usize, end: usize) -> CutResult {
        if own.is_complete() {
            return CutResult::Header { start, end };
        }
        match self.next_row(end) {
            NextRow::Part { .. } => CutResult::More { start },
            NextRow::Whole { start: names, end: names_end, .. } if own.push(&self.text(names, names_end)) => {
                CutResult::Header { start, end: names_end }
            }
            NextRow::None | NextRow::Whole { .. } => CutResult::Header { start, end },
        }
    }
}
