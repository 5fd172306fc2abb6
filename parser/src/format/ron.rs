//! A parser for the subset of RON (Rust Object Notation) used by hnefatafl.org, with the same tree as JSON.
//!
//! ```text
//! value  = struct | variant | list | string | number | word ;
//! struct = "(" [ word ":" value { "," word ":" value } [ "," ] ] ")" ;
//! variant= word "(" value ")" | word struct ;          list = "[" [ value { "," value } [ "," ] ] "]" ;
//! ```
//!
//! `Some(x)` is read as `x`, `None` as null, another variant `Name(x)` as an object with the single member
//! `Name`, and a word as a string. A number that is out of range stays text.

use std::borrow::Cow;

use tafl_rules::Span;

use super::json::{Json, MOST_VALUES};
use crate::diagnostic::{Diagnostic, TextFinding};
use crate::source::Source;

/// The maximum nesting depth; the site's records have eight levels.
const DEEPEST: u32 = 64;

/// Reads the RON value at a byte offset. If it is truncated, a diagnostic is added, and the part before the
/// error is returned.
pub(super) fn read<'a>(source: &Source<'a>, at: usize, diagnostics: &mut Vec<Diagnostic>) -> Json<'a> {
    let mut reader = RonReader { text: source.text, at, room: MOST_VALUES };
    let mut value = Json::Null;
    if reader.value(&mut value, 0).is_err() {
        let rest = &source.text[reader.at.min(source.text.len())..];
        let length = rest.chars().next().map_or(0, char::len_utf8);
        diagnostics.push(Diagnostic::new(Span::new(reader.at, reader.at + length), TextFinding::Json));
    } else {
        reader.skip_blanks();
        let end = source.text.trim_end().len();
        if reader.at < end {
            diagnostics.push(Diagnostic::new(Span::new(reader.at, end), TextFinding::Stray));
        }
    }
    value
}

/// The error that a value is malformed at the reader's position.
struct Broken;

struct RonReader<'a> {
    text: &'a str,
    /// The byte offset, always on a character boundary.
    at: usize,
    /// The remaining number of values that may be read.
    room: u32,
}

impl<'a> RonReader<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    /// Consumes a character and the blanks before it, if it comes next.
    fn takes(&mut self, sign: u8) -> bool {
        self.skip_blanks();
        let found = self.peek() == Some(sign);
        self.at += usize::from(found);
        found
    }

    fn word(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        let end = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        self.at += end;
        &rest[..end]
    }

    /// Reads a value into a slot that keeps the part before an error.
    fn value(&mut self, slot: &mut Json<'a>, depth: u32) -> Result<(), Broken> {
        if depth > DEEPEST {
            return Err(Broken);
        }
        self.room = self.room.checked_sub(1).ok_or(Broken)?;
        self.skip_blanks();
        match self.peek() {
            Some(b'(') => self.group(slot, depth),
            Some(b'[') => {
                self.at += 1;
                self.list(slot, b']', depth)
            }
            Some(b'"') => self.string(slot),
            Some(b'-' | b'+' | b'0'..=b'9') => self.number(slot),
            Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' => self.named(slot, depth),
            Some(_) | None => Err(Broken),
        }
    }

    fn named(&mut self, slot: &mut Json<'a>, depth: u32) -> Result<(), Broken> {
        let word = self.word();
        self.skip_blanks();
        if self.peek() != Some(b'(') {
            *slot = match word {
                "None" => Json::Null,
                "true" => Json::Bool(true),
                "false" => Json::Bool(false),
                _ => Json::Text(Cow::Borrowed(word)),
            };
            return Ok(());
        }
        if word == "Some" {
            return self.group(slot, depth);
        }
        *slot = Json::Object(vec![(Cow::Borrowed(word), Json::Null)]);
        match slot {
            Json::Object(members) => self.group(&mut members[0].1, depth),
            Json::Null | Json::Bool(_) | Json::Int(_) | Json::Float(_) | Json::Text(_) | Json::List(_) => {
                Ok(())
            }
        }
    }

    /// Reads the content of parentheses: members, or values; a single value stands for itself.
    fn group(&mut self, slot: &mut Json<'a>, depth: u32) -> Result<(), Broken> {
        self.at += 1;
        self.skip_blanks();
        let start = self.at;
        let is_struct = !self.word().is_empty() && self.takes(b':');
        self.at = start;
        if is_struct {
            return self.members(slot, depth);
        }
        let read = self.list(slot, b')', depth);
        if let Json::List(values) = slot
            && values.len() < 2
        {
            *slot = values.pop().unwrap_or(Json::Object(Vec::new()));
        }
        read
    }

    fn members(&mut self, slot: &mut Json<'a>, depth: u32) -> Result<(), Broken> {
        *slot = Json::Object(Vec::new());
        let Json::Object(members) = slot else { return Ok(()) };
        loop {
            if self.takes(b')') {
                return Ok(());
            }
            let key = self.word();
            if key.is_empty() || !self.takes(b':') {
                return Err(Broken);
            }
            let mut value = Json::Null;
            let read = self.value(&mut value, depth + 1);
            members.push((Cow::Borrowed(key), value));
            read?;
            if !self.takes(b',') {
                return if self.takes(b')') { Ok(()) } else { Err(Broken) };
            }
        }
    }

    fn list(&mut self, slot: &mut Json<'a>, close: u8, depth: u32) -> Result<(), Broken> {
        *slot = Json::List(Vec::new());
        let Json::List(values) = slot else { return Ok(()) };
        loop {
            if self.takes(close) {
                return Ok(());
            }
            let mut value = Json::Null;
            let read = self.value(&mut value, depth + 1);
            if read.is_ok() || value != Json::Null {
                values.push(value);
            }
            read?;
            if !self.takes(b',') {
                return if self.takes(close) { Ok(()) } else { Err(Broken) };
            }
        }
    }

    fn string(&mut self, slot: &mut Json<'a>) -> Result<(), Broken> {
        let rest = &self.text[self.at + 1..];
        let mut end = 0;
        loop {
            match rest.as_bytes().get(end) {
                None => return Err(Broken),
                Some(b'"') => break,
                Some(b'\\') => end += 2,
                Some(_) => end += 1,
            }
        }
        let raw = &rest[..end];
        self.at += end + 2;
        *slot = Json::Text(if raw.contains('\\') { Cow::Owned(unescaped(raw)) } else { Cow::Borrowed(raw) });
        Ok(())
    }

    fn number(&mut self, slot: &mut Json<'a>) -> Result<(), Broken> {
        let rest = &self.text[self.at..];
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.' | b'_');
        let digits = &rest[..rest.bytes().take_while(is_part).count()];
        *slot = if let Ok(whole) = digits.parse() {
            Json::Int(whole)
        } else if digits.bytes().all(|byte| byte.is_ascii_digit()) {
            Json::Text(Cow::Borrowed(digits))
        } else {
            Json::Float(digits.parse().map_err(|_| Broken)?)
        };
        self.at += digits.len();
        Ok(())
    }
}

/// Returns the unescaped string; unknown escapes don't change.
fn unescaped(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut symbols = raw.chars();
    while let Some(symbol) = symbols.next() {
        if symbol != '\\' {
            text.push(symbol);
            continue;
        }
        match symbols.next() {
            Some('n') => text.push('\n'),
            Some('t') => text.push('\t'),
            Some('r') => text.push('\r'),
            Some(other @ ('"' | '\\' | '\'')) => text.push(other),
            Some(other) => text.extend(['\\', other]),
            None => text.push('\\'),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> (Json<'_>, usize) {
        let mut diagnostics = Vec::new();
        let value = read(&Source::new(text), 0, &mut diagnostics);
        (value, diagnostics.len())
    }

    #[test]
    fn structs_variants_and_options_are_read() {
        let (value, n_findings) =
            check(r#"(id: 12, name: "a\"b", play: Some(Play((x: 3))), none: None, list: [A, B,],)"#);
        assert_eq!(n_findings, 0);
        assert_eq!(value.get("id").and_then(Json::int), Some(12));
        assert_eq!(value.get("name").and_then(Json::as_str), Some("a\"b"));
        let play = value.get("play").and_then(|play| play.get("Play"));
        assert_eq!(play.and_then(|play| play.get("x")).and_then(Json::int), Some(3));
        assert_eq!(value.get("none"), Some(&Json::Null));
        assert_eq!(value.get("list").and_then(Json::list).map(<[_]>::len), Some(2));
    }

    #[test]
    fn numbers_that_are_too_large_stay_text() {
        let (value, _) = check("(id:340282366920938463463374607431768211455,r:1500.5)");
        assert_eq!(value.get("id").and_then(Json::as_str), Some("340282366920938463463374607431768211455"));
        assert_eq!(value.get("r"), Some(&Json::Float(1500.5)));
    }

    #[test]
    fn values_before_an_error_are_kept() {
        let (value, n_findings) = check("(id:1,plays:PlayRecords([None,Some(Play((role:Attacker");
        assert_eq!(n_findings, 1);
        let plays =
            value.get("plays").and_then(|plays| plays.get("PlayRecords")).and_then(Json::list).unwrap();
        assert_eq!(plays.len(), 2);
        assert_eq!(check(&"(".repeat(100_000)).1, 1);
        assert_eq!(check("(a:\u{e9})").1, 1);
    }
}
