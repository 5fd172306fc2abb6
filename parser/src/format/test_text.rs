//! Findings and moves as texts, for the tests of readers.

use crate::diagnostic::Parsed;
use crate::record::{MoveLine, MoveLineId, Record};

/// Returns the codes of the findings, such as `L001`.
pub(super) fn codes(parsed: &Parsed<Record>) -> Vec<&'static str> {
    parsed.diagnostics.iter().map(|found| found.code().as_str()).collect()
}

/// Returns the names of the findings, such as `illegal-move`.
pub(super) fn names(parsed: &Parsed<Record>) -> Vec<&'static str> {
    parsed.diagnostics.iter().map(|found| found.code().name()).collect()
}

/// Returns the moves of the main line without captures: `d1-d3 e5-e2`.
pub(super) fn moves(record: &Record) -> String {
    line_moves(record.line(MoveLineId::MAIN))
}

/// Returns the moves of a line without captures.
pub(super) fn line_moves(line: MoveLine<'_>) -> String {
    let moves = line.moves.iter().map(|mv| format!("{}-{}", mv.from, mv.to));
    moves.collect::<Vec<_>>().join(" ")
}

/// Returns the moves of the main line with their captures: `d1-d3 e5-e2xe3`.
pub(super) fn moves_and_captures(record: &Record) -> String {
    line_moves_and_captures(record, MoveLineId::MAIN)
}

/// Returns the moves of a line with their captures.
pub(super) fn line_moves_and_captures(record: &Record, line: MoveLineId) -> String {
    let captures =
        |mv| record.captures_of(mv).iter().map(|capture| format!("x{}", capture.cell)).collect::<String>();
    let moves = record.line(line).moves.iter();
    moves.map(|mv| format!("{}-{}{}", mv.from, mv.to, captures(mv))).collect::<Vec<_>>().join(" ")
}
