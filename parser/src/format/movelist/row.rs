//! A line of the CSV archives: moves, two counts, and the outcome.

use tafl_rules::{BySide, Span};

use super::{goes_on, read_moves, tags};
use crate::diagnostic::{Diagnostic, EndFinding, Findings, TextFinding};
use crate::format::termination;
use crate::record::{Comment, MovePlace, Record, WrittenCaptureCounts, WrittenResult};
use crate::source::Source;
use crate::words;

/// The accepted values of the last column.
const OUTCOMES: &str = "White, Black, Draw, Ongoing or an empty column";

/// Returns whether a line has columns after its moves.
pub(super) fn is_row(line: &[u8]) -> bool {
    let Ok(line) = std::str::from_utf8(line) else { return false };
    let mut commas = line.match_indices(',').map(|(at, _)| at);
    let Some(comma) = commas.find(|comma| !goes_on(&line.as_bytes()[comma + 1..])) else { return false };
    let columns = &line[comma + 1..];
    let is_number = |column: &str| !column.is_empty() && column.bytes().all(|byte| byte.is_ascii_digit());
    let has_number = columns.split(',').any(|column| is_number(column.trim_matches(['"', ' '])));
    let last = columns.rsplit(',').next().unwrap_or_default();
    let is_verdict = !last.is_empty() && !last.starts_with(' ') && words::verdict(last).is_some();
    let first = line.split([',', ' ']).next().unwrap_or_default();
    has_number && (is_possible_row(first) || words::ending_of_side(line).is_some()) || is_verdict
}

/// Returns the offset of the comment at the end of a line.
pub(super) fn remark(line: &[u8]) -> Option<usize> {
    memchr::memmem::find(line, b" #")
}

/// Returns whether a line is the row of a game without moves: `,0,0,White`, perhaps with a remark.
pub(crate) fn is_unplayed_row(line: &[u8]) -> bool {
    let line = &line[..remark(line).unwrap_or(line.len())];
    let Ok(line) = std::str::from_utf8(line) else { return false };
    let is_number = |column: &str| !column.is_empty() && column.bytes().all(|byte| byte.is_ascii_digit());
    let columns: Vec<&str> = line.trim_end().split(',').collect();
    matches!(columns[..], ["", one, other, last] if is_number(one) && is_number(other)
        && (last.is_empty() || words::verdict(last).is_some()))
}

/// Returns whether a row may begin with a word: prose with a comma and a number is not a row.
fn is_possible_row(word: &str) -> bool {
    word.is_empty()
        || word.contains(|symbol: char| symbol.is_ascii_digit())
        || words::ending(word.trim_matches('"')).is_some()
}

/// Reads a line with columns from an offset among its moves on; those before it are in the record.
pub(super) fn read(source: &Source<'_>, start: usize, record: &mut Record, diagnostics: &mut Findings) {
    let bytes = source.text.as_bytes();
    let mut at = read_moves(source, start, record, diagnostics);
    while bytes[at..].first() == Some(&b',') && goes_on(&bytes[at + 1..]) {
        at = read_moves(source, at + 1, record, diagnostics);
    }
    if at < bytes.len() {
        read_columns(source, at, record, diagnostics);
    }
}

/// Reads the columns after the moves.
pub(super) fn read_columns(
    source: &Source<'_>,
    start: usize,
    record: &mut Record,
    diagnostics: &mut Findings,
) {
    let mut line = source.text[start + 1..].trim_end();
    if let Some(at) = remark(line.as_bytes()) {
        let span = Span::new(start + 1 + at + 2, start + 1 + line.len());
        if !tags::read_remark(source, span, record, diagnostics) {
            let place = MovePlace::in_main(record.main().moves.len());
            record.comments.push(Comment { place, text: source.at(span).trim(), span });
        }
        line = line[..at].trim_end();
    }
    if let Some(columns) = usual_columns(line) {
        let [first, second, outcome] = columns.map(|(from, to)| Span::new(start + 1 + from, start + 1 + to));
        if let (Ok(attackers), Ok(defenders)) = (source.at(first).parse(), source.at(second).parse()) {
            let spans = BySide { attackers: first, defenders: second };
            record.capture_counts = Some(WrittenCaptureCounts { by: BySide { attackers, defenders }, spans });
        } else {
            let kind = TextFinding::BadValue { field: "captures", expected: "a number" };
            diagnostics.push(Diagnostic::new(first.cover(second), kind));
        }
        match words::verdict(source.at(outcome)) {
            Some(verdict) => {
                // The remark has been read before the column.
                let reason = termination::before_result(record);
                record.result = Some(WrittenResult { verdict, reason, span: outcome });
            }
            None => {
                diagnostics.push(Diagnostic::new(outcome, EndFinding::BadResult { expected: OUTCOMES }));
            }
        }
        return;
    }
    let found = line.split(',').count() as u32 + 1;
    let span = Span::new(start + 1, start + 1 + line.len());
    diagnostics.push(Diagnostic::new(span, TextFinding::Columns { found, expected: 4 }));
    let last = line.rsplit(',').next().map(str::trim).unwrap_or_default();
    if let (Some(verdict), Some(span)) =
        (words::verdict(last).filter(|_| !last.is_empty()), source.span_of(last))
    {
        record.result = Some(WrittenResult { verdict, reason: None, span });
    }
}

/// Returns the ranges of the three columns after the moves, without surrounding blanks and quotation marks.
fn usual_columns(line: &str) -> Option<[(usize, usize); 3]> {
    let mut columns = [(0, 0); 3];
    let mut start = 0;
    let mut parts = line.split(',');
    for column in &mut columns {
        let part = parts.next()?;
        let is_edge = |symbol: char| symbol == '"' || symbol.is_whitespace();
        let lead = part.len() - part.trim_start_matches(is_edge).len();
        *column = (start + lead, start + lead + part.trim_matches(is_edge).len());
        start += part.len() + 1;
    }
    parts.next().is_none().then_some(columns)
}
