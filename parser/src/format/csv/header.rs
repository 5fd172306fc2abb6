//! The rows before the data of a table, and the delimiter that they imply.

use tafl_rules::Span;

use super::columns::CsvColumn;
use super::languages::column;
use super::rows::{CsvField, DELIMITERS, split};
use super::value::{begins_with_move, turn_number};
use crate::words;

/// The maximum length of a header in bytes: it is repeated before every record.
const LONGEST: usize = 4 << 10;

/// The names of the columns.
#[derive(Debug, Clone)]
pub(super) struct HeaderRow {
    /// The row as it is written.
    pub(super) text: String,
    pub(super) delimiter: Delimiter,
    pub(super) names: Vec<String>,
    pub(super) columns: Vec<CsvColumn>,
}

/// The delimiter of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Delimiter {
    pub(super) byte: u8,
    /// Another delimiter that would fit as well.
    pub(super) other: Option<u8>,
}

/// Returns the delimiter of a line `sep=;`, which tells Excel how a file is delimited.
pub(super) fn separator(row: &str) -> Option<u8> {
    let row = row.trim_end_matches(['\r', '"']).trim_start_matches('"');
    let rest = row.get(..4).filter(|word| word.eq_ignore_ascii_case("sep=")).map(|_| &row.as_bytes()[4..])?;
    let is_blank = |rest: &[u8]| rest.iter().all(|byte| DELIMITERS.contains(byte) || *byte == b' ');
    let first = *rest.first()?;
    (DELIMITERS.contains(&first) && is_blank(rest)).then_some(first)
}

/// Returns the delimiter with the highest score above 0, and another one with the same score.
pub(super) fn best(scores: &[(usize, u8)]) -> Option<Delimiter> {
    let most = scores.iter().map(|(score, _)| *score).max().filter(|most| *most > 0)?;
    let mut found = scores.iter().filter(|(score, _)| *score == most).map(|(_, byte)| *byte);
    let byte = found.next()?;
    Some(Delimiter { byte, other: found.next() })
}

impl HeaderRow {
    /// Returns the row as a header, if it is one.
    pub(super) fn find(row: &str, separator: Option<u8>) -> Option<HeaderRow> {
        if row.len() > LONGEST || row.starts_with(['{', '[', '(']) {
            return None;
        }
        let span = Span::new(0, row.len());
        let delimiters = DELIMITERS.into_iter().filter(|byte| separator.is_none_or(|own| own == *byte));
        let mut found: Vec<(usize, HeaderRow)> = Vec::new();
        for byte in delimiters {
            let fields = split(row, span, byte);
            let columns: Vec<CsvColumn> = fields.iter().map(|field| column(&field.text)).collect();
            if is_header(&fields, &columns) {
                let is_known = |column: &&CsvColumn| column.is_known() || column.is_path();
                let n_known = columns.iter().filter(is_known).count();
                let names = fields.iter().map(|field| field.text.to_string()).collect();
                let delimiter = Delimiter { byte, other: None };
                found.push((n_known, HeaderRow { text: row.trim().to_owned(), delimiter, names, columns }));
            }
        }
        // A row without any delimiter is the same for all of them.
        let single = found.iter().all(|(_, header)| header.columns.len() == 1);
        let scores: Vec<(usize, u8)> =
            found.iter().map(|(n_known, header)| (*n_known, header.delimiter.byte)).collect();
        let mut delimiter = best(&scores)?;
        if single {
            delimiter.other = None;
        }
        let (_, header) = found.into_iter().find(|(_, header)| header.delimiter.byte == delimiter.byte)?;
        Some(HeaderRow { delimiter, ..header })
    }

    /// Returns a row of unknown names as a header if the first row of data has the same number of fields, and one of
    /// them is a list of moves.
    pub(super) fn of_content(row: &str, data: &str, separator: Option<u8>) -> Option<HeaderRow> {
        if row.len() > LONGEST || row.starts_with(['{', '[', '(']) {
            return None;
        }
        let delimiters = DELIMITERS.into_iter().filter(|byte| separator.is_none_or(|own| own == *byte));
        let mut found = delimiters.filter_map(|byte| {
            let fields = split(row, Span::new(0, row.len()), byte);
            let values = split(data, Span::new(0, data.len()), byte);
            // A sentence may have a comma, and a line of moves two parts.
            let is_table = fields.len() == values.len() && fields.len() > usize::from(byte == b',') + 1;
            let n_lists = values.iter().filter(|value| is_list(&value.text)).count();
            let is_header = is_table && n_lists == 1 && fields.iter().all(|field| is_name(&field.text));
            let columns = fields.iter().map(|field| column(&field.text)).collect();
            let names = fields.iter().map(|field| field.text.to_string()).collect();
            let delimiter = Delimiter { byte, other: None };
            is_header.then(|| HeaderRow { text: row.trim().to_owned(), delimiter, names, columns })
        });
        found.next()
    }
}

/// Returns whether a field has at least two moves.
pub(super) fn is_list(text: &str) -> bool {
    begins_with_move(text) && text.split_ascii_whitespace().filter(|word| begins_with_move(word)).count() > 1
}

/// Returns whether a field can be the name of a column in any language.
fn is_name(text: &str) -> bool {
    let is_part = |symbol: char| symbol.is_alphanumeric() || " _-/()'".contains(symbol);
    text.chars().any(char::is_alphabetic)
        && text.chars().count() <= 30
        && text.chars().all(is_part)
        && !is_data(text)
}

/// Returns whether the fields of a row are the names of columns.
fn is_header(fields: &[CsvField<'_>], columns: &[CsvColumn]) -> bool {
    if fields.iter().any(|field| is_data(&field.text)) {
        return false;
    }
    let count = |is: fn(&CsvColumn) -> bool| columns.iter().filter(|column| is(column)).count();
    let n_known = count(CsvColumn::is_known);
    let has_moves = count(|column| matches!(column, CsvColumn::Moves | CsvColumn::Move)) > 0;
    if columns.len() == 1 {
        return columns[0] == CsvColumn::Moves;
    }
    let n_sides = count(CsvColumn::is_side);
    let has_paths = columns.contains(&CsvColumn::From) && columns.contains(&CsvColumn::To);
    has_moves
        || has_paths
        || n_known > 2
        || n_known == 2
            && (n_sides == 2
                || n_sides == 1 && count(CsvColumn::is_number) == 1
                || count(|column| *column == CsvColumn::Game) == 1)
}

/// Returns whether a field is a number, a move, or an ending, so that it is not the name of a column.
pub(super) fn is_data(text: &str) -> bool {
    turn_number(text).is_some() || begins_with_move(text) || words::ending(text).is_some()
}
