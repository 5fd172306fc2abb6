//! (to be written)

use super::Format;
use crate::diagnostic::Parsed;
use crate::record::Record;
use crate::source::Source;

/// Reads one record.
pub(crate) fn parse(_source: &Source<'_>) -> Parsed<Record> {
    Parsed { value: Record::new(Format::Fen), diagnostics: Vec::new() }
}
