//! hnefatafl.org's JSON.

use super::Format;
use crate::diagnostic::{Diagnostic, Parsed, Text};
use crate::record::Record;
use crate::source::Source;
use tafl_rules::Span;

/// Reads one record.
pub(super) fn parse(source: &Source<'_>) -> Parsed<Record> {
    let all = Span::new(0, source.text.len());
    Parsed {
        value: Record::new(Format::HnefataflOrg),
        diagnostics: vec![Diagnostic::new(all, Text::UnknownFormat)],
    }
}
