//! The boards of HEN: in one line, and drawn.

use tafl_rules::{Coord, Piece, Role, Setup, SetupError, Shape, Side, Span};

use crate::diagnostic::{Diagnostic, HeaderFinding, TextFinding};
use crate::source::Source;

/// The marks after the board.
const MARKS: [&str; 3] = [",W", "!W", "!B"];

/// Returns whether a line is a board, perhaps with mistakes: rows of at least five ranks, which consist of
/// numbers and letters of pieces.
pub(in crate::format) fn is_board(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let rows = MARKS.iter().find_map(|mark| line.strip_suffix(mark.as_bytes())).unwrap_or(line);
    let mut n_rows = 0;
    for row in rows.split(u8::is_ascii_whitespace).filter(|row| !row.is_empty()) {
        if !row.iter().all(|byte| byte.is_ascii_digit() || b"vVK".contains(byte)) {
            return false;
        }
        n_rows += 1;
    }
    n_rows >= 5 && rows.iter().any(u8::is_ascii_alphabetic)
}

/// Returns whether a line is a board whose rows fit it.
pub(in crate::format) fn is_sound_board(line: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(line) else { return false };
    let source = Source::new(text);
    let line = text.trim();
    is_board(line.as_bytes()) && source.span_of(line).is_some_and(|span| read(&source, span).0.is_ok())
}

/// Reads a board in one line, and returns it with the span of the mark after it.
pub(super) fn read(source: &Source<'_>, line: Span) -> (Result<Setup, Diagnostic>, Option<Span>) {
    let text = source.at(line);
    let rows = MARKS.iter().find_map(|mark| text.strip_suffix(mark)).unwrap_or(text);
    let mark = (rows.len() < text.len()).then(|| Span { start: line.start + rows.len() as u32, ..line });
    // Tabs count as blanks.
    let setup = Setup::parse_fen_rows(&rows.replace(|c: char| c.is_ascii_whitespace(), " "), ' ');
    (setup.map_err(|error| bad_board(error, line.start as usize)), mark)
}

fn bad_board(error: SetupError, base: usize) -> Diagnostic {
    Diagnostic::new(error.span.shift(base), HeaderFinding::BadFen(error.kind))
}

/// Returns the rank and the cells of a row of a drawn board.
fn drawn_row(line: &str) -> Option<(i16, &str)> {
    let (label, cells) = line.split_once(|c: char| c.is_ascii_whitespace())?;
    let rank = match label {
        "X" | "x" => 10,
        "L" | "l" => 11,
        _ => label.parse().ok().filter(|rank| (1..=21).contains(rank))?,
    };
    let cells = cells.trim();
    let is_row = cells.bytes().all(|byte| b".vVK".contains(&byte));
    is_row.then_some((rank, cells))
}

pub(super) fn is_drawn_row(line: &str) -> bool {
    drawn_row(line).is_some()
}

/// Returns whether a line names the files of a drawn board: `abcdefghijk`.
pub(super) fn is_file_line(line: &str) -> bool {
    line.len() >= 5
        && line.bytes().zip(b'a'..=b'z').filter(|(found, file)| found == file).count() == line.len()
}

/// Reads a drawn board from the spans of its rows.
pub(super) fn read_drawing(source: &Source<'_>, rows: &[Span]) -> Result<Setup, Diagnostic> {
    let whole = rows.iter().copied().reduce(Span::cover).unwrap_or_default();
    let side = u8::try_from(rows.len()).ok().and_then(Shape::square);
    let mut setup = Setup::empty(side.ok_or_else(|| Diagnostic::new(whole, TextFinding::BadDrawing))?);
    for (span, nth) in rows.iter().zip(1i16..) {
        let expected = rows.len() as i16 - nth + 1;
        let row = drawn_row(source.at(*span))
            .filter(|(rank, cells)| (*rank, cells.len()) == (expected, rows.len()));
        let (rank, cells) = row.ok_or_else(|| Diagnostic::new(*span, TextFinding::BadDrawing))?;
        for (letter, file) in cells.bytes().zip(0i16..) {
            let piece = match letter {
                b'v' => Piece::new(Side::Attackers, Role::Soldier),
                b'V' => Piece::new(Side::Defenders, Role::Soldier),
                b'K' => Piece::new(Side::Defenders, Role::King),
                _ => continue,
            };
            let cell = setup
                .shape()
                .cell(Coord::new(file, rank - 1))
                .expect("the row has as many cells as the board");
            setup.put(cell, Some(piece));
        }
    }
    Ok(setup)
}
