//! The `position` commands of UCI engines: one command per game, or the transcript of a session.
//!
//! ```text
//! session  = { line , nl } ;
//! line     = [ prefix ] , ( position | "setoption name " , name , " value " , value | other ) ;
//! position = "position " , ( "startpos" | "fen " , fen | "rec " , record , " " , side ) , [ " moves" , { " " , move } ] ;
//! prefix   = ... , ( ">" | "<" | ":" | "]" | ")" | "|" ) ;        the sender in the log of a user interface
//! ```
//!
//! A game is played by commands that each repeat the previous one and extend it. The last one is the game.
//! Another game begins with a command that does not extend the previous one, or after `ucinewgame`.

use memchr::{memchr, memmem};
use tafl_rules::Span;

use super::{Format, fen, start};
use crate::diagnostic::{Diagnostic, Findings, Parsed, TextFinding};
use crate::record::{CaptureStyle, Comment, MovePlace, Record, Written};
use crate::source::{Source, TextEnd};
use crate::words;

/// The accepted arguments of `position`.
const POSITIONS: &str = "startpos, fen and a position, or rec, a position record, and a side";

/// Reads one record.
pub(crate) fn parse(source: &Source<'_>) -> Parsed<Record> {
    let mut record = Record::new(Format::Uci);
    record.capture_style = CaptureStyle::NotWritten;
    let mut diagnostics = Findings::default();
    let mut position = None;
    let mut skipped: Option<(Span, u32)> = None;
    for line in source.text.split('\n').map(str::trim_ascii).filter(|line| !line.is_empty()) {
        let span = source.span_of(line).unwrap_or_default();
        let tail = |from: usize| Span { start: span.start + from as u32, ..span };
        match SessionLine::of(line.as_bytes()) {
            SessionLine::Position(from) => position = Some(tail(from)),
            SessionLine::SetOption(from) if set_option(source, tail(from), &mut record) => {}
            SessionLine::Comment => {
                let (place, text) = (MovePlace::in_main(0), line[1..].trim());
                record.comments.push(Comment { place, text, span: tail(1) });
            }
            SessionLine::NewGame => {}
            SessionLine::SetOption(_) | SessionLine::Other => {
                skipped = Some(skipped.map_or((span, 1), |(first, count)| (first, count + 1)));
            }
        }
    }
    match position {
        Some(position) => read_position(source, position, &mut record, &mut diagnostics),
        None => diagnostics.push(Diagnostic::new(Span::new(0, source.text.len()), TextFinding::NoMoves)),
    }
    if let Some((first, count)) = skipped {
        diagnostics.push(Diagnostic::new(first, TextFinding::SessionLines { count }));
    }
    diagnostics.sort();
    Parsed { value: record, diagnostics: diagnostics.into_vec() }
}

/// A line of a session. Numbers are offsets of the arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SessionLine {
    Position(usize),
    SetOption(usize),
    NewGame,
    Comment,
    Other,
}

impl SessionLine {
    fn of(line: &[u8]) -> SessionLine {
        let indent = line.len() - line.trim_ascii_start().len();
        let text = &line[indent..];
        if text.first() == Some(&b'#') {
            return SessionLine::Comment;
        }
        if text == b"position" || text.starts_with(b"position ") || text.starts_with(b"position\t") {
            return SessionLine::Position(indent + "position".len());
        }
        // The value of an option may contain another command.
        if text.starts_with(b"setoption ") {
            return SessionLine::SetOption(indent + "setoption ".len());
        }
        // The log of a user interface names the sender first.
        let command = |name: &[u8]| {
            let at = memmem::find(line, name)?;
            let before = line[..at].trim_ascii_end().last();
            before.is_none_or(|byte| b"><:])|".contains(byte)).then_some(at + name.len())
        };
        if let Some(from) = command(b"position ").filter(|from| {
            let arguments = line[*from..].trim_ascii_start();
            [&b"startpos"[..], b"fen ", b"rec "].iter().any(|known| arguments.starts_with(known))
        }) {
            SessionLine::Position(from)
        } else if let Some(from) = command(b"setoption ") {
            SessionLine::SetOption(from)
        } else if command(b"ucinewgame").is_some_and(|end| line[end..].trim_ascii().is_empty()) {
            SessionLine::NewGame
        } else {
            SessionLine::Other
        }
    }
}

/// Reads an option that names the variant or its rules; returns whether it is one.
fn set_option(source: &Source<'_>, arguments: Span, record: &mut Record) -> bool {
    let text = source.at(arguments).trim_ascii_start();
    let Some((name, value)) = text.strip_prefix("name ").and_then(|text| text.split_once(" value ")) else {
        return false;
    };
    let value = value.trim();
    let written = || source.span_of(value).map(|span| Written { text: value.into(), span });
    match name.trim().to_ascii_lowercase().as_str() {
        "uci_variant" | "variant" => record.variant = written(),
        "rules" => record.rules = written(),
        _ => return false,
    }
    true
}

/// Reads the arguments of `position`.
fn read_position(source: &Source<'_>, arguments: Span, record: &mut Record, diagnostics: &mut Findings) {
    let mut words = fen::words(source, arguments);
    let first = words.next();
    let after = |word: Span| Span { start: word.end, ..arguments };
    match first.map(|word| (source.at(word), word)) {
        Some(("startpos", word)) => read_rest(source, after(word), record, diagnostics),
        Some(("fen", word)) if words.next().is_some() => {
            fen::read_position(source, after(word), record, diagnostics);
        }
        Some(("rec", word)) => {
            let (text, side) = (words.next(), words.next());
            let (Some(text), Some(side)) = (text, side) else {
                diagnostics.push(Diagnostic::new(word, bad_position()));
                return;
            };
            match start::read(source, text, record) {
                Ok(start) => record.start = Some(start),
                Err(finding) => diagnostics.push(finding),
            }
            let first_mover = words::short_side(source.at(side));
            if first_mover.is_none() {
                diagnostics.push(Diagnostic::new(side, bad_position()));
            }
            // The side to move has no meaning without its position.
            record.first_mover = first_mover.filter(|_| record.start.is_some());
            read_rest(source, after(side), record, diagnostics);
        }
        Some((_, word)) => diagnostics.push(Diagnostic::new(word, bad_position())),
        None => {
            let command = Span { start: arguments.start - "position".len() as u32, end: arguments.start };
            let missing = TextFinding::Incomplete { missing: "startpos, fen, or rec" };
            diagnostics.push(Diagnostic::new(command, missing));
        }
    }
}

fn bad_position() -> TextFinding {
    TextFinding::BadValue { field: "position", expected: POSITIONS }
}

fn read_rest(source: &Source<'_>, rest: Span, record: &mut Record, diagnostics: &mut Findings) {
    if let Some(first) = fen::words(source, rest).next() {
        fen::read_rest(source, Span { end: rest.end, ..first }, record, diagnostics);
    }
}

/// Returns the offset where the next game of a session begins, if it begins in these bytes.
///
/// A line is examined when it is complete, or at the end of the stream.
pub(crate) fn next_game(session: &[u8], text_end: TextEnd) -> Option<usize> {
    let mut at = 0;
    let mut game: Option<&[u8]> = None;
    // The first line after the game that belongs to the next one if another game follows.
    let mut opening: Option<usize> = None;
    let mut is_new = false;
    loop {
        let rest = &session[at..];
        let end = match memchr(b'\n', rest) {
            Some(end) => end,
            None if text_end.is_known() && !rest.is_empty() => rest.len(),
            None => return None,
        };
        let line = &rest[..end];
        match (SessionLine::of(line), game) {
            (SessionLine::Position(from), last) => {
                let position = line[from..].trim_ascii();
                if last.is_some_and(|last| is_new || !extends(position, last)) {
                    return Some(opening.unwrap_or(at));
                }
                (game, opening) = (Some(position), None);
            }
            (SessionLine::NewGame, Some(_)) => {
                is_new = true;
                opening = opening.or(Some(at));
            }
            (SessionLine::SetOption(_) | SessionLine::Comment, Some(_)) => opening = opening.or(Some(at)),
            _ => {}
        }
        at += (end + 1).min(rest.len());
    }
}

/// Returns whether a position has the moves of another one and perhaps more.
fn extends(position: &[u8], last: &[u8]) -> bool {
    let tail = position.strip_prefix(last);
    tail.is_some_and(|tail| tail.first().is_none_or(u8::is_ascii_whitespace))
}

/// Returns whether a line is a `position` command that can be read.
pub(super) fn is_position_line(line: &[u8]) -> bool {
    let SessionLine::Position(from) = SessionLine::of(line) else { return false };
    let arguments = line[from..].trim_ascii();
    if let Some(rest) = arguments.strip_prefix(b"startpos") {
        let rest = rest.trim_ascii_start();
        return rest.is_empty() || rest.starts_with(b"moves");
    }
    if let Some(rest) = arguments.strip_prefix(b"fen ") {
        return fen::is_fen_line(rest);
    }
    arguments.strip_prefix(b"rec ").is_some_and(|rest| rest.trim_ascii_start().starts_with(b"/"))
}

#[cfg(test)]
mod tests;
