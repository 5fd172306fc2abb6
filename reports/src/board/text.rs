//! Boards as plain text for terminals and email.

use std::fmt::Write;

use tafl_rules::{Cell, Coord, Shape, Side, ZoneKind};

use super::marks::HighlightKind;
use super::zones::CellMark;
use super::{BoardPicture, Coordinates, RankOne, View};
use crate::markup::is_unsafe;

/// Whether text is colored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ink {
    /// Letters only.
    Plain,
    /// ANSI escape sequences for colors, in addition to the letters. The colors carry no further information.
    Ansi,
}

impl BoardPicture {
    /// Renders the board as text, with lines that describe the marks.
    ///
    /// ```text
    /// . empty cell   # corner or goal   + throne   : camp   ; fort
    /// t c n k m g    pieces of the attackers; upper case: those of the defenders
    /// [t] moved here   o moved from here   x was captured here   * a highlighted empty cell
    /// ```
    ///
    /// Hexagonal boards also have their files as columns, each half a cell lower than its neighbor.
    pub fn to_text(&self, ink: Ink) -> String {
        let mut grid = TextGrid::of(self);
        for cell in self.setup.shape().cells() {
            grid.put_cell(self, cell, ink);
        }
        if self.view.coordinates == Coordinates::Shown {
            grid.put_coordinates(self.setup.shape(), self.view.rank_one);
        }
        let mut text = grid.finish();
        for line in notes(self) {
            writeln!(text, "{}", line.trim_end()).expect("a String takes any text");
        }
        text
    }
}

/// The lines and columns of the text, with a style for each character.
struct TextGrid {
    letters: Vec<Vec<(char, &'static str)>>,
    shape: Shape,
    view: View,
    /// The column of the leftmost file.
    left: usize,
    /// The line of the topmost cell.
    top: usize,
}

const PLAIN: &str = "";

impl TextGrid {
    fn of(picture: &BoardPicture) -> TextGrid {
        let shape = picture.setup.shape();
        let ranks = shape.n_ranks() as usize;
        let shown = picture.view.coordinates == Coordinates::Shown;
        let (rows, columns) = match shape {
            Shape::Square { .. } => (ranks, 2 * ranks),
            Shape::Hex { .. } => (2 * ranks - 1, HEX_COLUMN * ranks),
        };
        // Lines for the file letters and, on the other side, for the number of the outermost rank.
        let (left, letters, numbers) = match (shape, shown) {
            (Shape::Square { .. }, true) => (3, 1, 0),
            (Shape::Hex { .. }, true) => (5, 2, 1),
            (_, false) => (1, 0, 0),
        };
        let top = match picture.view.rank_one {
            RankOne::Top => letters,
            RankOne::Bottom => numbers,
        };
        let letters = vec![vec![(' ', PLAIN); left + columns + 1]; rows + letters + numbers];
        TextGrid { letters, shape, view: picture.view, left, top }
    }

    /// Returns the line and the column of a position, which may be off the board.
    fn position(&self, coord: Coord) -> (usize, usize) {
        let last = self.shape.n_ranks() - 1;
        let top = self.top as i16;
        let rank = match self.view.rank_one {
            RankOne::Top => coord.rank,
            RankOne::Bottom => last - coord.rank,
        };
        let (line, column) = match (self.shape, self.view.rank_one) {
            (Shape::Square { .. }, _) => (rank, coord.file * 2),
            // A column is shifted by half its file number relative to file `a`; the middle rank begins in
            // line `last`.
            (Shape::Hex { .. }, RankOne::Top) => {
                (2 * rank - coord.file + last / 2, coord.file * HEX_COLUMN as i16)
            }
            (Shape::Hex { .. }, RankOne::Bottom) => {
                (2 * rank + coord.file - last / 2, coord.file * HEX_COLUMN as i16)
            }
        };
        ((line + top).max(0) as usize, (column + self.left as i16).max(0) as usize)
    }

    fn set(&mut self, line: usize, column: usize, letter: char, style: &'static str) {
        if let Some(letter_at) = self.letters.get_mut(line).and_then(|line| line.get_mut(column)) {
            *letter_at = (letter, style);
        }
    }

    fn put_cell(&mut self, picture: &BoardPicture, cell: Cell, ink: Ink) {
        let Coord { file, rank } = self.shape.coord(cell);
        let (line, column) = self.position(Coord::new(
            self.view.shown_line(self.shape, file),
            self.view.shown_line(self.shape, rank),
        ));
        let style = match ink {
            Ink::Plain => PLAIN,
            Ink::Ansi => style(picture, cell),
        };
        self.set(line, column, letter(picture, cell), style);
        let is_destination = picture.marks.moves.last().is_some_and(|mv| mv.to == cell);
        if is_destination && picture.setup.piece(cell).is_some() {
            self.set(line, column - 1, '[', style);
            self.set(line, column + 1, ']', style);
        }
    }

    fn put_coordinates(&mut self, shape: Shape, rank_one: RankOne) {
        for (file, letter) in (0..shape.n_ranks()).zip('a'..) {
            let file = self.view.shown_line(self.shape, file);
            let (line, column) = self.position(Coord::new(file, shape.first_file(file)));
            let away = if shape.is_hex() { 2 } else { 1 };
            let line = match rank_one {
                RankOne::Bottom => line + away,
                RankOne::Top => line - away,
            };
            self.set(line, column, letter, PLAIN);
        }
        for rank in 0..shape.n_ranks() {
            let shown = self.view.shown_line(self.shape, rank);
            let (line, column) = self.position(Coord::new(shape.first_file(shown), shown));
            let (line, column) = match (shape, rank_one) {
                (Shape::Square { .. }, _) => (line, column - 2),
                (Shape::Hex { .. }, RankOne::Top) => (line + 1, column - HEX_COLUMN + 1),
                (Shape::Hex { .. }, RankOne::Bottom) => (line - 1, column - HEX_COLUMN + 1),
            };
            let number = (rank + 1).to_string();
            for (back, digit) in number.chars().rev().enumerate() {
                self.set(line, column - back, digit, PLAIN);
            }
        }
    }

    /// Returns the lines without trailing blanks.
    fn finish(self) -> String {
        let mut text = String::new();
        for line in self.letters {
            let end = line.iter().rposition(|(letter, _)| *letter != ' ').map_or(0, |last| last + 1);
            let mut style = PLAIN;
            for (letter, wanted) in &line[..end] {
                if *wanted != style {
                    text += if style.is_empty() { "" } else { RESET };
                    text += wanted;
                    style = wanted;
                }
                text.push(*letter);
            }
            text += if style.is_empty() { "" } else { RESET };
            text.push('\n');
        }
        text
    }
}

/// The number of columns between two files of a hexagonal board.
const HEX_COLUMN: usize = 4;

const RESET: &str = "\x1b[0m";

fn letter(picture: &BoardPicture, cell: Cell) -> char {
    if let Some(piece) = picture.setup.piece(cell) {
        return piece.letter();
    }
    if picture.marks.captured.iter().any(|captured| captured.cell == cell) {
        return 'x';
    }
    if picture.marks.moves.iter().any(|mv| mv.from == cell) {
        return 'o';
    }
    if picture.marks.highlight(cell).is_some() {
        return '*';
    }
    match picture.zones.mark(cell) {
        Some(CellMark::Zone(ZoneKind::Throne)) => '+',
        Some(CellMark::Goal | CellMark::Zone(ZoneKind::Corner)) => '#',
        Some(CellMark::Zone(ZoneKind::Camp)) => ':',
        Some(CellMark::Zone(ZoneKind::Fort)) => ';',
        None => '.',
    }
}

/// Returns the escape sequence of a cell.
fn style(picture: &BoardPicture, cell: Cell) -> &'static str {
    if let Some(highlight) = picture.marks.highlight(cell) {
        return match highlight.kind {
            HighlightKind::Room => "\x1b[30;46m",
            HighlightKind::Wall => "\x1b[30;42m",
            HighlightKind::Breach => "\x1b[97;41m",
            HighlightKind::Note => "\x1b[30;45m",
        };
    }
    if picture.marks.moves.iter().any(|mv| mv.from == cell || mv.to == cell) {
        return "\x1b[30;43m";
    }
    match picture.setup.piece(cell).map(|piece| piece.side) {
        Some(Side::Attackers) => "\x1b[31m",
        Some(Side::Defenders) => "\x1b[1;36m",
        None if picture.marks.captured.iter().any(|captured| captured.cell == cell) => "\x1b[91m",
        None if picture.zones.mark(cell).is_some() => "\x1b[33m",
        None => PLAIN,
    }
}

/// Returns the notes under the board.
fn notes(picture: &BoardPicture) -> Vec<String> {
    let shape = picture.setup.shape();
    let on_board = |cell: Cell| cell.index() < shape.n_cells();
    let mut lines: Vec<String> = Vec::new();
    let steps: Vec<String> = picture
        .marks
        .moves
        .iter()
        .filter(|mv| on_board(mv.from) && on_board(mv.to))
        .map(|mv| mv.display(shape).to_string())
        .collect();
    let captured: Vec<String> = picture
        .marks
        .captured
        .iter()
        .filter(|captured| on_board(captured.cell))
        .map(|captured| match captured.piece {
            Some(piece) => format!("{piece} {}", shape.name(captured.cell)),
            None => shape.name(captured.cell),
        })
        .collect();
    match (steps.is_empty(), captured.is_empty()) {
        (true, true) => {}
        (false, true) => lines.push(format!("last move: {}", steps.join(", "))),
        (true, false) => lines.push(format!("captured: {}", captured.join(", "))),
        (false, false) => {
            lines.push(format!("last move: {}; captured: {}", steps.join(", "), captured.join(", ")));
        }
    }
    lines.extend(HighlightKind::ALL.into_iter().filter_map(|kind| highlight_note(picture, kind)));
    lines.extend(picture.caption.iter().flat_map(|caption| caption.lines()).map(terminal_safe));
    lines
}

/// Returns the line that lists the cells of a kind of highlight.
fn highlight_note(picture: &BoardPicture, kind: HighlightKind) -> Option<String> {
    let shape = picture.setup.shape();
    let cells: Vec<String> = picture
        .marks
        .highlights
        .iter()
        .filter(|highlight| highlight.kind == kind && highlight.cell.index() < shape.n_cells())
        .map(|highlight| match &highlight.label {
            Some(label) => format!("{} ({})", shape.name(highlight.cell), terminal_safe(label)),
            None => shape.name(highlight.cell),
        })
        .collect();
    let meaning = picture.marks.legend.iter().find(|entry| entry.kind == kind);
    let name = meaning.map_or_else(|| kind.as_str().to_owned(), |entry| terminal_safe(&entry.text));
    (!cells.is_empty()).then(|| format!("{name}: {}", cells.join(" ")))
}

/// Replaces control characters, which could harm a terminal, and invisible ones, which could reorder its text.
pub(crate) fn terminal_safe(text: &str) -> String {
    text.chars().map(|letter| if is_unsafe(letter) { '\u{fffd}' } else { letter }).collect()
}
