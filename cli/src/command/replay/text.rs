//! A replayed game as text for people.

use std::fmt::Write as _;

use tafl_rules::Outcome;
use taflbase::escape::escape;
use taflbase::records::{GameSheet, ReplayEnd, SheetPart};

use crate::io::ColorMode;
use crate::records::write_finding;

/// The minimum and the maximum width of the first column of turns.
const COLUMN: (usize, usize) = (12, 34);

/// Returns a game: header, turns in two columns, end, and findings, with a blank line at its end.
pub(super) fn write(sheet: &GameSheet, style: ColorMode) -> String {
    let mut out = header(sheet);
    if !sheet.parts.is_empty() {
        out.push('\n');
        turns(sheet, &mut out);
    }
    let end = out.trim_end().len();
    out.truncate(end);
    out.push('\n');
    if sheet.n_plies < sheet.n_moves {
        let _ = writeln!(out, "\nOnly {} of {} moves can be played.", sheet.n_plies, sheet.n_moves);
    }
    for (nth, line) in sheet.lines().enumerate() {
        out.push_str(if nth == 0 { "\n" } else { "" });
        write_finding(&line, style, &mut out);
    }
    let end = out.trim_end().len();
    out.truncate(end);
    out + "\n\n"
}

fn header(sheet: &GameSheet) -> String {
    let mut out = format!("{}:{}  {}\n", escape(&sheet.file), sheet.game, escape(&sheet.variant));
    let id = sheet.id.as_ref().map(|id| ("id", id));
    for (name, value) in id.into_iter().chain(sheet.tags.iter().map(|(name, value)| (*name, value))) {
        let _ = writeln!(out, "{name:<9}  {}", escape(value));
    }
    let _ = writeln!(out, "{:<9}  {}", "result", result(sheet));
    out
}

/// Returns the result with its source.
fn result(sheet: &GameSheet) -> String {
    match (sheet.outcome, sheet.recorded) {
        (None, None) => "none".to_owned(),
        (None, Some(recorded)) => format!("{}, according to the record", end(recorded)),
        (Some(board), None) => format!("{board} on the board; the record has no result"),
        (Some(board), Some(recorded)) if agrees(board, recorded) => {
            format!("{board} on the board and in the record")
        }
        (Some(board), Some(recorded)) => format!("{board} on the board, but {} in the record", end(recorded)),
    }
}

/// Returns whether a record names the winner that the board shows, and no other reason.
fn agrees(board: Outcome, recorded: ReplayEnd) -> bool {
    let reason = recorded.reason;
    recorded.winner == Some(board.winner_name()) && (reason == board.reason.as_str() || reason == "unknown")
}

fn end(end: ReplayEnd) -> String {
    let inferred = if end.is_inferred() { ", inferred" } else { "" };
    match (end.winner, end.reason) {
        (Some("draw"), "unknown") => "draw".to_owned(),
        (Some("draw"), reason) => format!("draw ({reason}{inferred})"),
        (Some(side), "unknown") => format!("{side} win"),
        (Some(side), reason) => format!("{side} win ({reason}{inferred})"),
        (None, reason) => reason.to_owned(),
    }
}

/// Adds numbered turns in two columns, with diagrams between them.
fn turns(sheet: &GameSheet, out: &mut String) {
    let first_turns = sheet.parts.iter().filter_map(|part| match part {
        SheetPart::Turn(side, text) if *side == sheet.first => Some(text.chars().count()),
        SheetPart::Turn(..) | SheetPart::Diagram(_) => None,
    });
    let width = first_turns.max().unwrap_or_default().clamp(COLUMN.0, COLUMN.1);
    let (first, second) = (sheet.first.as_str(), sheet.first.other().as_str());
    let _ = writeln!(out, "      {first:<width$}  {second}");
    let mut number = 0;
    // The turn of the first side whose row is not complete.
    let mut pending: Option<&str> = None;
    let row = |number: usize, left: &str, right: &str, out: &mut String| {
        let line = format!("{number:>4}. {left:<width$}  {right}");
        let _ = writeln!(out, "{}", line.trim_end());
    };
    for part in &sheet.parts {
        match part {
            SheetPart::Turn(side, text) if *side == sheet.first => {
                if let Some(left) = pending.replace(text) {
                    row(number, left, "", out);
                }
                number += 1;
            }
            SheetPart::Turn(_, text) => match pending.take() {
                Some(left) => row(number, left, text, out),
                None => row(number.max(1), "...", text, out),
            },
            SheetPart::Diagram(board) => {
                if let Some(left) = pending.take() {
                    row(number, left, "", out);
                }
                let _ = writeln!(out, "\n{}\n", board.trim_end());
            }
        }
    }
    if let Some(left) = pending {
        row(number, left, "", out);
    }
}
