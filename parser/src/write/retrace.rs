//! A record written over the text it was read from.

use tafl_rules::Span;

use super::moves::{as_written, push_opentafl};
use crate::record::{LineId, Record, WrittenMove};
use crate::source::Source;
use crate::token::MoveReader;

/// Returns the text of a record with its moves written again where they stand, and everything else as it was.
///
/// A move that still reads as the text has it keeps its letters, so that a record that was not changed gives the same
/// bytes; one that was changed is written as OpenTafl does. Moves without a place are left out.
pub fn retrace(record: &Record, source: &Source<'_>) -> String {
    let mut moves: Vec<(Span, LineId, usize)> = Vec::new();
    for (line, id) in record.lines.iter().zip((0..).map(LineId)) {
        moves.extend(line.moves.iter().enumerate().map(|(nth, mv)| (mv.span, id, nth)));
    }
    moves.sort_unstable();
    let mut out = String::with_capacity(source.text.len() + 16);
    let mut done = 0;
    for (span, id, nth) in moves.into_iter().filter(|(span, ..)| !span.is_empty()) {
        // A place that was written already belongs to another step of the same word.
        if (span.start as usize) < done {
            continue;
        }
        out.push_str(source.at(Span::new(done, span.start as usize)));
        let mv = &record.line(id).moves[nth];
        if reads_as(record, mv, source.at(span)) {
            out.push_str(source.at(span));
        } else {
            push_opentafl(&as_written(record, mv), &mut out);
        }
        done = span.end as usize;
    }
    out.push_str(source.at(Span::new(done, source.text.len())));
    out
}

/// Returns a move of a record as OpenTafl writes it.
pub(crate) fn move_text(record: &Record, mv: &WrittenMove) -> String {
    let mut out = String::new();
    push_opentafl(&as_written(record, mv), &mut out);
    out
}

/// Returns whether a text reads as the move.
pub(crate) fn reads_as(record: &Record, mv: &WrittenMove, text: &str) -> bool {
    let mut captures = Vec::new();
    let mut reader = MoveReader::new(text.len(), &mut captures);
    // A step inside of a word begins with its hyphen.
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
