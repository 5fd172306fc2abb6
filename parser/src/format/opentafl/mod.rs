//! OpenTafl's game records.
//!
//! ```text
//! game    = { "[" , name , ":" , text , "]" } , { turn } ;                    the rules tag last
//! turn    = address , { item } , [ "[" , text , { "|" , text } , "]" ] ;     one text per item
//! item    = move | "....." | "---" ;                  no move; resignation
//! address = number , "." | variation , [ "." ] ;
//! variation = item id , "." , number , "." , item id , { "." , number , "." , item id } ;     12b.1.1a
//! item id = number , letter ;                         12b: the second item of turn 12
//! ```
//!
//! Brackets are read first: a comment may span lines and contain text that looks like moves. `|` and `]`
//! cannot be escaped: a bracket closes if it is balanced and followed by a line end, a bracket, or a turn.
//! Tags may be in any order; a rules string or a position on a line of its own needs no brackets. Text that
//! is out of place is skipped with a diagnostic.

mod body;
mod header;
mod tree;

pub(crate) use header::verdict;

use super::Format;
use crate::diagnostic::{Findings, Parsed};
use crate::record::Record;
use crate::source::Source;

/// Reads one record.
pub(crate) fn parse(source: &Source<'_>) -> Parsed<Record> {
    parse_as(source, Format::OpenTafl)
}

/// Reads one record of a format that uses this frame.
pub(super) fn parse_as(source: &Source<'_>, format: Format) -> Parsed<Record> {
    let mut record = Record::new(format);
    let mut diagnostics = Findings::default();
    let start = header::read(source, &mut record, &mut diagnostics);
    body::read(source, start, &mut record, &mut diagnostics);
    diagnostics.sort();
    Parsed { value: record, diagnostics: diagnostics.into_vec() }
}

#[cfg(test)]
mod tests;
