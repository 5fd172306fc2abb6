//! A game as a line of JSON.
//!
//! Written by hand: plies are nearly all of the text, and their names and keys need no escapes.

use serde::Serialize;
use tafl_parser::record::{Verdict, tag};
use tafl_parser::replay::ReplayPly;
use tafl_parser::{Record, Source};
use tafl_rules::{Cell, Outcome, Reason, Shape};
use taflbase::records::{FindingLocator, ReplayedRecord};

/// Writes games; keeps the names of the cells of the last board.
#[derive(Debug, Default)]
pub(in crate::command) struct Writer {
    shape: Option<Shape>,
    names: Vec<Box<str>>,
}

impl Writer {
    /// Adds a game as a line to `out`.
    pub(in crate::command) fn write(
        &mut self,
        source: Source<'_>,
        replayed: &ReplayedRecord,
        out: &mut Vec<u8>,
    ) {
        if let Some(shape) = replayed.shape().filter(|shape| self.shape != Some(*shape)) {
            self.shape = Some(shape);
            self.names = shape.cells().map(|cell| shape.name(cell).into()).collect();
        }
        let ReplayedRecord { record, replay, .. } = replayed;
        out.extend_from_slice(b"{\"taflbase_replay\":1,\"id\":");
        json(&record.tag(tag::ID), out);
        out.extend_from_slice(b",\"variant\":");
        json(&replayed.variant(), out);
        out.extend_from_slice(b",\"file\":");
        json(&source.name, out);
        out.extend_from_slice(b",\"game\":");
        json(&source.ordinal, out);
        out.extend_from_slice(b",\"place\":");
        json(&source.line, out);
        out.extend_from_slice(b",\"moves\":");
        json(&record.main().moves.len(), out);
        out.extend_from_slice(b",\"plies\":[");
        for (nth, ply) in replay.plies.iter().enumerate() {
            if nth > 0 {
                out.push(b',');
            }
            self.write_ply(ply, out);
        }
        out.extend_from_slice(b"],\"outcome\":");
        json(&replay.outcome.map(End::of), out);
        out.extend_from_slice(b",\"recorded\":");
        json(&recorded(record, replay.recorded), out);
        out.extend_from_slice(b",\"final\":");
        json(&replay.last.as_ref().map(ToString::to_string), out);
        out.extend_from_slice(b",\"to_move\":");
        json(&replay.to_move.map(|side| side.word()), out);
        out.extend_from_slice(b",\"findings\":");
        let findings = FindingLocator::all(source, record, &replayed.diagnostics);
        json(&findings, out);
        out.extend_from_slice(b"}\n");
    }

    fn write_ply(&self, ply: &ReplayPly, out: &mut Vec<u8>) {
        out.extend_from_slice(b"{\"move\":\"");
        out.extend_from_slice(self.name(ply.mv.from));
        out.push(b'-');
        out.extend_from_slice(self.name(ply.mv.to));
        out.extend_from_slice(b"\",\"captured\":[");
        for (nth, cell) in ply.captured.iter().enumerate() {
            out.extend_from_slice(if nth > 0 { b",\"" } else { b"\"" });
            out.extend_from_slice(self.name(cell));
            out.push(b'"');
        }
        out.push(b']');
        if let Some(count) = ply.legal_moves {
            out.extend_from_slice(b",\"legal_moves\":");
            json(&count, out);
        }
        out.extend_from_slice(b",\"key\":\"");
        out.extend_from_slice(&hex(ply.key.0));
        out.push(b'"');
        if ply.is_unwritten() {
            out.extend_from_slice(b",\"unwritten\":true");
        }
        out.push(b'}');
    }

    fn name(&self, cell: Cell) -> &[u8] {
        self.names.get(cell.index()).map_or(b"?", |name| name.as_bytes())
    }
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
struct End {
    winner: Option<&'static str>,
    reason: &'static str,
}

impl End {
    fn of(outcome: Outcome) -> End {
        End { winner: Some(outcome.winner_word()), reason: outcome.reason.words() }
    }
}

/// Returns what the record says about the end; nothing where it says nothing.
fn recorded(record: &Record, outcome: Option<Outcome>) -> Option<End> {
    let open = |reason: Reason| End { winner: None, reason: reason.words() };
    match (outcome, record.result.map(|result| result.verdict)) {
        (Some(outcome), _) => Some(End::of(outcome)),
        (None, Some(Verdict::Ongoing)) => Some(open(Reason::Unfinished)),
        (None, Some(Verdict::Unknown)) => Some(open(Reason::Unknown)),
        (None, Some(Verdict::Win(_) | Verdict::Draw) | None) => None,
    }
}

fn json(value: &impl Serialize, out: &mut Vec<u8>) {
    serde_json::to_writer(out, value).expect("strings and numbers can be written to memory");
}

fn hex(key: u64) -> [u8; 16] {
    let mut text = [0; 16];
    for (nth, digit) in text.iter_mut().enumerate() {
        *digit = b"0123456789abcdef"[(key >> (60 - 4 * nth)) as usize & 15];
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_written_as_it_is_displayed() {
        let key = tafl_rules::zobrist::Key(0x0123_4567_89ab_cdef);
        assert_eq!(hex(key.0), *key.to_string().as_bytes());
    }
}
