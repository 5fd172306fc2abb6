//! A message with its source line and carets below the place, as compilers print it.

use std::fmt::Write as _;
use std::ops::Range;

use tafl_parser::Severity;
use taflbase::escape::{escape_into, is_unsafe};
use unicode_width::UnicodeWidthChar;

use crate::io::{ColorMode, TextPaint};

/// The maximum number of columns of a source line.
const MAX_COLUMNS: usize = 90;
/// The maximum number of columns from the marked part on, if there is text before it.
const MAX_COLUMNS_AFTER: usize = 60;
/// The replacement of a tab.
const TAB: &str = "    ";

/// A message with a place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Snippet<'a> {
    /// The severity.
    pub(crate) severity: Severity,
    /// The stable code, if it has one.
    pub(crate) code: Option<&'a str>,
    /// The message: one line, lowercase, without a final period.
    pub(crate) message: &'a str,
    /// The place, if it is known.
    pub(crate) place: Option<SnippetPlace<'a>>,
    /// The advice, in a sentence.
    pub(crate) help: Option<&'a str>,
}

/// The place of a message.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SnippetPlace<'a> {
    /// The name of the file or text.
    pub(crate) name: &'a str,
    /// The line, counted from 1.
    pub(crate) line: u64,
    /// The column, counted from 1, in characters.
    pub(crate) column: u64,
    /// The source line, without its line feed.
    pub(crate) text: &'a str,
    /// The marked part of the source line, in bytes.
    pub(crate) part: (usize, usize),
    /// Further information about the place, such as `game 12, id X`; may be empty.
    pub(crate) within: &'a str,
}

impl Snippet<'_> {
    /// Adds the text to `out`, with a line feed at its end. Text of records is escaped.
    pub(crate) fn write(&self, style: ColorMode, out: &mut String) {
        let paint = paint_of(self.severity);
        let label = match self.code {
            Some(code) => format!("{}[{code}]", self.severity),
            None => self.severity.to_string(),
        };
        style.paint(paint, &label, out);
        let mut message = String::from(": ");
        escape_into(self.message, &mut message);
        style.paint(TextPaint::Bold, &message, out);
        out.push('\n');
        let margin = self.place.map_or(1, |place| place.line.to_string().len());
        if let Some(place) = &self.place {
            place.write(style, paint, margin, out);
        }
        if let Some(help) = self.help {
            let _ = write!(out, "{:margin$} ", "");
            style.paint(TextPaint::Blue, "=", out);
            out.push_str(" help: ");
            escape_into(help, out);
            out.push('\n');
        }
    }
}

/// Returns the color of a severity.
pub(crate) const fn paint_of(severity: Severity) -> TextPaint {
    match severity {
        Severity::Error => TextPaint::Red,
        Severity::Warning => TextPaint::Yellow,
        Severity::Note => TextPaint::Cyan,
    }
}

impl SnippetPlace<'_> {
    fn write(&self, style: ColorMode, paint: TextPaint, margin: usize, out: &mut String) {
        let _ = write!(out, "{:margin$}", "");
        style.paint(TextPaint::Blue, "-->", out);
        out.push(' ');
        escape_into(self.name, out);
        let _ = write!(out, ":{}:{}", self.line, self.column);
        if !self.within.is_empty() {
            out.push_str(" (");
            escape_into(self.within, out);
            out.push(')');
        }
        out.push('\n');
        if self.text.is_empty() {
            return;
        }
        let window = Window::around(self.text, self.part.0..self.part.1);
        style.paint(TextPaint::Blue, &format!("{:margin$} |", ""), out);
        out.push('\n');
        style.paint(TextPaint::Blue, &format!("{:margin$} |", self.line), out);
        let _ = writeln!(out, " {}", window.text);
        style.paint(TextPaint::Blue, &format!("{:margin$} |", ""), out);
        let _ = write!(out, " {:width$}", "", width = window.before);
        style.paint(paint, &"^".repeat(window.marked), out);
        out.push('\n');
    }
}

/// The part of a line that is shown.
struct Window {
    text: String,
    /// The number of columns before the marked part.
    before: usize,
    /// The number of marked columns; at least one.
    marked: usize,
}

impl Window {
    /// Cuts a window out of a line. It reads only the part of the line that it shows.
    fn around(line: &str, part: Range<usize>) -> Window {
        let start = floor(line, part.start);
        let end = floor(line, part.end).max(start);
        let after = fill(line[start..].chars(), MAX_COLUMNS_AFTER);
        let before = fill(line[..start].chars().rev(), MAX_COLUMNS - after.columns);
        let after = fill(line[start..].chars(), MAX_COLUMNS - before.columns);
        let shown = start - before.bytes..start + after.bytes;
        let mut text = String::new();
        if shown.start > 0 {
            text.push_str("...");
        }
        let lead = before.columns + text.len();
        line[shown.clone()].chars().for_each(|symbol| push(symbol, &mut text));
        if shown.end < line.len() {
            text.push_str("...");
        }
        let marked = line[start..end.min(shown.end)].chars().map(columns).sum::<usize>().max(1);
        Window { text, before: lead, marked }
    }
}

/// The part of a text that fits.
struct Fill {
    bytes: usize,
    columns: usize,
}

fn fill(symbols: impl Iterator<Item = char>, max: usize) -> Fill {
    let mut fill = Fill { bytes: 0, columns: 0 };
    for symbol in symbols {
        if fill.columns + columns(symbol) > max {
            break;
        }
        fill.bytes += symbol.len_utf8();
        fill.columns += columns(symbol);
    }
    fill
}

/// Returns the width of a character as [`push`] writes it, in columns.
fn columns(symbol: char) -> usize {
    match symbol {
        '\t' => TAB.len(),
        symbol if is_unsafe(symbol) => format!("\\u{{{:x}}}", u32::from(symbol)).len(),
        symbol => symbol.width().unwrap_or(0),
    }
}

fn push(symbol: char, out: &mut String) {
    match symbol {
        '\t' => out.push_str(TAB),
        symbol => escape_into(symbol.encode_utf8(&mut [0; 4]), out),
    }
}

/// Returns the start of the character that contains a byte offset.
fn floor(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(text: &str, part: &str) -> String {
        let start = text.find(part).unwrap();
        let place = SnippetPlace {
            name: "games/fetlar.otg",
            line: 12,
            column: 10,
            text,
            part: (start, start + part.len()),
            within: "game 3, id 7",
        };
        let snippet = Snippet {
            severity: Severity::Error,
            code: Some("L001"),
            message: "illegal move `f4-k4`",
            place: Some(place),
            help: Some("look again"),
        };
        let mut out = String::new();
        snippet.write(ColorMode::Plain, &mut out);
        out
    }

    #[test]
    fn the_part_that_is_meant_is_marked() {
        let expected = "\
error[L001]: illegal move `f4-k4`
  --> games/fetlar.otg:12:10 (game 3, id 7)
   |
12 | 4. d1-d3 f4-k4xk3
   |          ^^^^^
   = help: look again
";
        assert_eq!(show("4. d1-d3 f4-k4xk3", "f4-k4"), expected);
    }

    #[test]
    fn tabs_wide_and_unsafe_characters_keep_the_mark_in_place() {
        let out = show("\t王 e\u{301}\u{1b}[1m f4-k4", "f4-k4");
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!(lines[3], "12 |     王 e\u{301}\\u{1b}[1m f4-k4");
        // Four columns for the tab, two for the wide letter, none for the accent.
        let before = 4 + 2 + 1 + 1 + "\\u{1b}[1m ".len();
        assert_eq!(lines[4], format!("   | {}^^^^^", " ".repeat(before)));
    }

    #[test]
    fn a_long_line_is_cut_around_the_part() {
        let line = format!("{}f4-k4{}", "a".repeat(5000), "b".repeat(5000));
        let out = show(&line, "f4-k4");
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!(lines[3].len(), "12 | ".len() + MAX_COLUMNS + 6, "{}", lines[3]);
        let at = lines[3].find("f4-k4").unwrap();
        assert_eq!(lines[4].find("^^^^^"), Some(at));
        assert_eq!(lines[4].len(), at + 5);
    }

    #[test]
    fn a_part_wider_than_the_window_is_marked_as_far_as_it_is_shown() {
        let line = "x".repeat(500);
        let out = show(&line, &line);
        assert_eq!(out.matches('^').count(), MAX_COLUMNS);
    }

    #[test]
    fn an_empty_part_gets_one_mark() {
        assert_eq!(show("d1-d3", "").matches('^').count(), 1);
    }
}
