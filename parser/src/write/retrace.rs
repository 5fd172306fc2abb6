//! Rewrites the moves of a record inside its original text.

use tafl_rules::Span;

use super::moves::{as_written, push_cell, push_opentafl};
use crate::format::hen;
use crate::record::{Format, MoveLineId, Record, WrittenMove};
use crate::source::Source;
use crate::token::MoveReader;

/// Returns the text of a record with its moves rewritten in place, and everything else unchanged.
///
/// A move that still reads the same keeps its letters, so that an unchanged record gives the same bytes; a
/// changed move is written in the form of the notation. Moves without a span are omitted.
pub fn retrace(record: &Record, source: &Source<'_>) -> String {
    let mut moves: Vec<(Span, MoveLineId, usize)> = Vec::new();
    for (line, id) in record.lines().zip((0..).map(MoveLineId)) {
        moves.extend(line.moves.iter().enumerate().map(|(nth, mv)| (mv.span, id, nth)));
    }
    moves.sort_unstable();
    let mut out = String::with_capacity(source.text.len() + 16);
    let mut done = 0;
    for (span, id, nth) in moves.into_iter().filter(|(span, ..)| !span.is_empty()) {
        // A span that was already written belongs to another step of the same word.
        if (span.start as usize) < done {
            continue;
        }
        out.push_str(source.at(Span::new(done, span.start as usize)));
        let mv = &record.line(id).moves[nth];
        if reads_as(record, mv, source.at(span)) {
            out.push_str(source.at(span));
        } else {
            record.format.push_move(record, mv, &mut out);
        }
        done = span.end as usize;
    }
    out.push_str(source.at(Span::new(done, source.text.len())));
    out
}

/// Returns a move of a record in the form of its notation.
pub(crate) fn move_text(record: &Record, mv: &WrittenMove) -> String {
    let mut out = String::new();
    record.format.push_move(record, mv, &mut out);
    out
}

/// Returns a move of a record in the form of its notation, with a hyphen if the moves of a text with loose turns have one.
pub(crate) fn move_text_like(source: &Source<'_>, record: &Record, mv: &WrittenMove) -> String {
    let first = record.main().moves.iter().find(|mv| !mv.span.is_empty());
    let has_hyphens = first.is_some_and(|mv| source.at(mv.span).contains('-'));
    if !(record.format.has_loose_turns() && has_hyphens) {
        return move_text(record, mv);
    }
    let mut out = String::new();
    push_opentafl_move(record, mv, &mut out);
    out
}

/// Appends a move in OpenTafl's notation.
pub(crate) fn push_opentafl_move(record: &Record, mv: &WrittenMove, out: &mut String) {
    push_opentafl(&as_written(record, mv), out);
}

/// Appends a move in OpenTafl's notation, in upper case.
pub(crate) fn push_upper_move(record: &Record, mv: &WrittenMove, out: &mut String) {
    let start = out.len();
    push_opentafl_move(record, mv, out);
    out[start..].make_ascii_uppercase();
}

/// Appends a move as two cells: `d2c2`. A record that lists captures or letters keeps them.
pub(crate) fn push_cells_move(record: &Record, mv: &WrittenMove, out: &mut String) {
    let is_plain = mv.n_captures == 0 && mv.letter.get().is_none() && !mv.jump && !mv.chained;
    if !is_plain {
        return push_opentafl_move(record, mv, out);
    }
    push_cell(mv.from, out);
    push_cell(mv.to, out);
    out.push_str(mv.mark.as_str());
}

/// Returns whether a text reads as the move.
pub(crate) fn reads_as(record: &Record, mv: &WrittenMove, text: &str) -> bool {
    if record.format == Format::Hen && hen::own_move(text.as_bytes(), mv.span).as_ref() == Some(mv) {
        return true;
    }
    let mut captures = Vec::new();
    let mut reader = MoveReader::new(text.len(), &mut captures);
    // A step inside a word begins with its hyphen.
    let read = match text.as_bytes() {
        [b'-', ..] => reader.next_step(text.as_bytes(), mv.from),
        _ => reader.step(text.as_bytes()),
    };
    let Ok(([], found)) = read else { return false };
    let same_captures = captures.len() == usize::from(mv.n_captures)
        && record
            .captures_of(mv)
            .iter()
            .zip(&captures)
            .all(|(one, other)| (one.cell, one.letter) == (other.cell, other.letter));
    let is_chained = found.chained == mv.chained || mv.span.is_empty();
    (found.from, found.to, found.letter, found.mark, found.jump)
        == (mv.from, mv.to, mv.letter, mv.mark, mv.jump)
        && is_chained
        && same_captures
}
