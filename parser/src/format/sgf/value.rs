//! The values of properties: texts, points, and times.

use std::borrow::Cow;

use tafl_rules::{Coord, Shape};

use crate::format::date::CalendarDay;

/// Returns the text of a value: without escapes, and with a line feed for each line break.
pub(super) fn text(raw: &str) -> Cow<'_, str> {
    if !raw.contains(['\\', '\r']) {
        return Cow::Borrowed(raw);
    }
    let raw = line_feeds(raw);
    let mut text = String::with_capacity(raw.len());
    let mut symbols = raw.chars();
    while let Some(symbol) = symbols.next() {
        match symbol {
            // An escaped line break only wraps the line.
            '\\' => text.extend(symbols.next().filter(|symbol| *symbol != '\n')),
            _ => text.push(symbol),
        }
    }
    Cow::Owned(text)
}

/// Returns the text of a value that is a single line: line breaks and tabs are blanks.
pub(super) fn line(raw: &str) -> String {
    text(raw).replace(['\n', '\t'], " ")
}

/// Splits a value at its first colon that is not escaped.
pub(super) fn pair(raw: &str) -> Option<(&str, &str)> {
    let mut is_escaped = false;
    let colon = raw.bytes().position(|byte| {
        let is_colon = byte == b':' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_colon
    })?;
    Some((&raw[..colon], &raw[colon + 1..]))
}

/// Returns a text with a line feed for each line break: CR LF, LF CR, CR, or LF.
pub(crate) fn line_feeds(text: &str) -> Cow<'_, str> {
    if !text.contains('\r') {
        return Cow::Borrowed(text);
    }
    let mut lines = String::with_capacity(text.len());
    let mut symbols = text.chars().peekable();
    while let Some(symbol) = symbols.next() {
        if matches!(symbol, '\r' | '\n') {
            lines.push('\n');
            symbols.next_if(|next| matches!(next, '\r' | '\n') && *next != symbol);
        } else {
            lines.push(symbol);
        }
    }
    Cow::Owned(lines)
}

/// Returns whether a text is read back unchanged from a property with a single line.
pub(crate) fn is_simple(text: &str) -> bool {
    !text.is_empty() && !text.contains(['\n', '\r', '\t'])
}

/// Returns a text with escapes; colons are escaped in pairs.
pub(crate) fn escape(text: &str, in_pair: bool) -> String {
    let mut escaped = String::with_capacity(text.len() + 8);
    for symbol in text.chars() {
        if matches!(symbol, '\\' | ']') || in_pair && symbol == ':' {
            escaped.push('\\');
        }
        escaped.push(symbol);
    }
    escaped
}

/// Returns the cells of a point such as `dk`, or of a rectangle such as `aa:cc`, on a square board. Rows count from the top.
pub(super) fn points(raw: &str, side: u8) -> Option<Vec<Coord>> {
    let Some((first, last)) = raw.split_once(':') else { return Some(vec![point(raw, side)?]) };
    let (first, last) = (point(first, side)?, point(last, side)?);
    let files = first.file.min(last.file)..=first.file.max(last.file);
    let ranks = first.rank.min(last.rank)..=first.rank.max(last.rank);
    Some(files.flat_map(|file| ranks.clone().map(move |rank| Coord::new(file, rank))).collect())
}

/// Returns the cell of a point.
pub(super) fn point(raw: &str, side: u8) -> Option<Coord> {
    let number = |byte: u8| match byte {
        b'a'..=b'z' => Some(i16::from(byte - b'a')),
        b'A'..=b'Z' => Some(i16::from(byte - b'A') + 26),
        _ => None,
    };
    let [column, row] = raw.trim().as_bytes() else { return None };
    let coord = Coord::new(number(*column)?, i16::from(side) - 1 - number(*row)?);
    Shape::square(side)?.has(coord).then_some(coord)
}

/// Returns a time in seconds, with up to three decimals, as milliseconds.
pub(super) fn milliseconds(raw: &str) -> Option<i64> {
    let raw = raw.trim();
    let (is_negative, digits) = raw.strip_prefix('-').map_or((false, raw), |digits| (true, digits));
    let (whole, rest) = digits.split_once('.').unwrap_or((digits, ""));
    let is_number = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !is_number(whole) || !is_number(rest) {
        return None;
    }
    let thousandths: i64 = format!("{rest:0<3}").get(..3)?.parse().ok()?;
    let time = whole.parse::<i64>().ok()?.checked_mul(1000)?.checked_add(thousandths)?;
    Some(if is_negative { -time } else { time })
}

/// Returns whether a text is a day as in OpenTafl: `2026.11.23`.
pub(crate) fn is_day(text: &str) -> bool {
    is_day_with(text, b'.')
}

/// Returns whether a text is a day as in SGF: `2026-11-23`.
pub(crate) fn is_iso_day(text: &str) -> bool {
    is_day_with(text, b'-')
}

fn is_day_with(text: &str, dot: u8) -> bool {
    let is_right =
        |(nth, byte): (usize, u8)| if matches!(nth, 4 | 7) { byte == dot } else { byte.is_ascii_digit() };
    let number = |from: usize, to: usize| text[from..to].parse().ok();
    let day = || Some(CalendarDay { year: number(0, 4)?, month: number(5, 7)?, day: number(8, 10)? });
    text.len() == 10 && text.bytes().enumerate().all(is_right) && day().is_some_and(|day| day.exists())
}
