//! Start positions given separately from the rules.

use tafl_rules::{RowOrder, Setup, Shape, Span};

use crate::diagnostic::{Diagnostic, Findings, HeaderFinding};
use crate::record::{Record, Tag, WrittenStart};
use crate::source::Source;

/// Reads the position record at `span`, for the board of the record's rules, or without rules for a square or
/// hexagonal board with its rows. A tag `board` names another one; it is removed from the tags if the position
/// needs it.
pub(super) fn read(source: &Source<'_>, span: Span, record: &mut Record) -> Result<WrittenStart, Diagnostic> {
    read_text(source.at(span), span, record)
}

/// Like [`read`], for the text of a value that has escapes at `span`.
pub(super) fn read_text(text: &str, span: Span, record: &mut Record) -> Result<WrittenStart, Diagnostic> {
    let implied = implied_shape(record.rules.as_ref().map_or("", |rules| &*rules.text), text);
    let is_named = |tag: &Tag<'_>| tag.name.eq_ignore_ascii_case("board");
    let mut named = record.tags.iter().enumerate().filter(|(_, tag)| is_named(tag));
    let needed = named.find_map(|(nth, tag)| {
        let shape = read_shape(tag.value).filter(|shape| Some(*shape) != implied)?;
        Some((nth, Setup::parse_in(shape, text, RowOrder::Rising).ok()?))
    });
    drop(named);
    if let Some((nth, setup)) = needed {
        record.tags.remove(nth);
        return Ok(WrittenStart { setup, span });
    }
    if record.rules.is_none()
        && let Some(setup) = hexagonal(text)
    {
        return Ok(WrittenStart { setup, span });
    }
    let shape = implied.ok_or_else(|| {
        let kind = HeaderFinding::BadTag { tag: "position", expected: "a row for each rank of the board" };
        Diagnostic::new(span, kind)
    })?;
    match Setup::parse_in(shape, text, RowOrder::Rising) {
        Ok(setup) => Ok(WrittenStart { setup, span }),
        Err(error) => {
            // If the value has escapes, its rows have no spans of their own.
            let is_plain = span.len() == text.len();
            let place = if is_plain { error.span.shift(span.start as usize) } else { span };
            Err(Diagnostic::new(place, HeaderFinding::BadSetup(error.kind)))
        }
    }
}

/// Stores the first of the positions as the start, and returns those that remain tags: the others, and the first one if it
/// can't be read.
pub(super) fn store(
    source: &Source<'_>,
    mut positions: Vec<Span>,
    record: &mut Record,
    diagnostics: &mut Findings,
) -> Vec<Span> {
    match positions.first().map(|first| read(source, *first, record)) {
        Some(Ok(start)) => {
            record.start = Some(start);
            positions.remove(0);
        }
        Some(Err(finding)) => diagnostics.push(finding),
        None => {}
    }
    positions
}

/// Reads a position record of a hexagonal board. Its rows differ in length, so it is not a record of a square board.
fn hexagonal(text: &str) -> Option<Setup> {
    let rows = text.trim_matches('/').split('/').count();
    let shape = Shape::hex(u8::try_from(rows.div_ceil(2)).ok()?)?;
    Setup::parse_in(shape, text, RowOrder::Rising).ok()
}

/// Returns the board of a position that no tag names: that of the rules, or a square one with its rows.
pub(crate) fn implied_shape(rules: &str, position: &str) -> Option<Shape> {
    let rows = position.trim_matches('/').split('/').count();
    shape_of(rules).or_else(|| Shape::square(u8::try_from(rows).ok()?))
}

/// Reads `11x11` or `hex 4`.
pub(super) fn read_shape(text: &str) -> Option<Shape> {
    match text.strip_prefix("hex ") {
        Some(side) => Shape::hex(side.parse().ok()?),
        None => {
            let (files, ranks) = text.split_once('x')?;
            Shape::square(files.parse().ok()?).filter(|_| files == ranks)
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
