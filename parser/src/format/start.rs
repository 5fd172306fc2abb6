//! Start positions given separately from the rules.

use tafl_rules::{RowOrder, Setup, Shape, Span};

use crate::diagnostic::{Diagnostic, HeaderFinding};
use crate::record::WrittenStart;
use crate::source::Source;

/// Reads the position record at `span`, for the board of a rules string, or for a square board without rules.
pub(super) fn read(source: &Source<'_>, span: Span, rules: &str) -> Result<WrittenStart, Diagnostic> {
    let text = source.at(span);
    let rows = text.trim_matches('/').split('/').count();
    let shape = shape_of(rules).or_else(|| Shape::square(u8::try_from(rows).ok()?)).ok_or_else(|| {
        let kind = HeaderFinding::BadTag { tag: "position", expected: "a row for each rank of the board" };
        Diagnostic::new(span, kind)
    })?;
    match Setup::parse_in(shape, text, RowOrder::Rising) {
        Ok(setup) => Ok(WrittenStart { setup, span }),
        Err(error) => {
            Err(Diagnostic::new(error.span.shift(span.start as usize), HeaderFinding::BadSetup(error.kind)))
        }
    }
}

/// Returns the board shape of a rules string.
pub(crate) fn shape_of(rules: &str) -> Option<Shape> {
    // Keys may be in any order.
    let mut words = rules.split_ascii_whitespace();
    let side = words.clone().find_map(|word| word.strip_prefix("dim:"))?.parse().ok()?;
    if words.any(|word| word == "xtopo:hex") { Shape::hex(side) } else { Shape::square(side) }
}
