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

use tafl_rules::Span;

use super::json::{JsonNode, JsonTree};
use crate::diagnostic::{Diagnostic, Findings, TextFinding};
use crate::source::Source;

/// The maximum nesting depth; the site's records have eight levels.
const DEEPEST: u32 = 64;

/// Reads the RON value at a byte offset. If it is truncated, a diagnostic is added, and the part before the
/// error is returned.
pub(super) fn read<'a>(source: &Source<'a>, at: usize, diagnostics: &mut Findings) -> JsonTree<'a> {
    let mut reader = RonReader { text: source.text, at, tree: JsonTree::new(source.text) };
    if reader.value(0).is_err() {
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
    reader.tree
}

/// The error that a value is malformed at the reader's position.
struct Broken;

struct RonReader<'a> {
    text: &'a str,
    /// The byte offset, always on a character boundary.
    at: usize,
    tree: JsonTree<'a>,
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

    /// Adds a value to the tree, or the part of it before an error.
    fn value(&mut self, depth: u32) -> Result<(), Broken> {
        if depth > DEEPEST {
            return Err(Broken);
        }
        let node = self.tree.begin().ok_or(Broken)?;
        self.skip_blanks();
        match self.peek() {
            Some(b'(') => self.group(node, depth),
            Some(b'[') => {
                self.at += 1;
                self.list(node, b']', depth).1
            }
            Some(b'"') => self.string(node),
            Some(b'-' | b'+' | b'0'..=b'9') => self.number(node),
            Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' => self.named(node, depth),
            Some(_) | None => Err(Broken),
        }
    }

    fn named(&mut self, node: usize, depth: u32) -> Result<(), Broken> {
        let word = self.word();
        self.skip_blanks();
        if self.peek() != Some(b'(') {
            let value = match word {
                "None" => JsonNode::Null,
                "true" => JsonNode::Bool(true),
                "false" => JsonNode::Bool(false),
                _ => self.tree.string(word),
            };
            self.tree.set(node, value);
            return Ok(());
        }
        if word == "Some" {
            return self.group(node, depth);
        }
        self.key(word);
        let content = self.tree.push(JsonNode::Null);
        let read = self.group(content, depth);
        self.tree.close_object(node, 1);
        read
    }

    fn key(&mut self, word: &str) {
        let key = self.tree.string(word);
        self.tree.push(key);
    }

    /// Reads the content of parentheses: members, or values; a single value stands for itself.
    fn group(&mut self, node: usize, depth: u32) -> Result<(), Broken> {
        self.at += 1;
        self.skip_blanks();
        let start = self.at;
        let is_struct = !self.word().is_empty() && self.takes(b':');
        self.at = start;
        if is_struct {
            return self.members(node, depth);
        }
        let (n_values, read) = self.list(node, b')', depth);
        match n_values {
            0 => self.tree.close_object(node, 0),
            1 => self.tree.unwrap(node),
            _ => {}
        }
        read
    }

    fn members(&mut self, node: usize, depth: u32) -> Result<(), Broken> {
        let mut n_members = 0;
        let read = loop {
            if self.takes(b')') {
                break Ok(());
            }
            let key = self.word();
            if key.is_empty() || !self.takes(b':') {
                break Err(Broken);
            }
            self.key(key);
            n_members += 1;
            let content = self.tree.len();
            let read = self.value(depth + 1);
            self.tree.complete_member(content);
            if read.is_err() {
                break read;
            }
            if !self.takes(b',') {
                break self.closes(b')');
            }
        };
        self.tree.close_object(node, n_members);
        read
    }

    /// Reads the elements of an array, and returns their number.
    fn list(&mut self, node: usize, close: u8, depth: u32) -> (u32, Result<(), Broken>) {
        let mut n_values = 0;
        let read = loop {
            if self.takes(close) {
                break Ok(());
            }
            let element = self.tree.len();
            let read = self.value(depth + 1);
            if read.is_err() {
                n_values += u32::from(self.tree.keeps_part(element));
                break read;
            }
            n_values += 1;
            if !self.takes(b',') {
                break self.closes(close);
            }
        };
        self.tree.close_list(node, n_values);
        (n_values, read)
    }

    fn closes(&mut self, close: u8) -> Result<(), Broken> {
        if self.takes(close) { Ok(()) } else { Err(Broken) }
    }

    fn string(&mut self, node: usize) -> Result<(), Broken> {
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
        let value =
            if raw.contains('\\') { self.tree.string(&unescaped(raw)) } else { self.tree.string(raw) };
        self.tree.set(node, value);
        Ok(())
    }

    fn number(&mut self, node: usize) -> Result<(), Broken> {
        let rest = &self.text[self.at..];
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.' | b'_');
        let digits = &rest[..rest.bytes().take_while(is_part).count()];
        let value = if let Ok(whole) = digits.parse() {
            JsonNode::Int(whole)
        } else if digits.bytes().all(|byte| byte.is_ascii_digit()) {
            self.tree.string(digits)
        } else {
            JsonNode::Float(digits.parse().map_err(|_| Broken)?)
        };
        self.tree.set(node, value);
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
    use crate::format::json::Json;

    fn check(text: &str) -> (JsonTree<'_>, usize) {
        let mut diagnostics = Findings::default();
        let tree = read(&Source::new(text), 0, &mut diagnostics);
        (tree, diagnostics.len())
    }

    #[test]
    fn structs_variants_and_options_are_read() {
        let (tree, n_findings) =
            check(r#"(id: 12, name: "a\"b", play: Some(Play((x: 3))), none: None, list: [A, B,],)"#);
        let value = tree.root();
        assert_eq!(n_findings, 0);
        assert_eq!(value.get("id").and_then(Json::int), Some(12));
        assert_eq!(value.get("name").and_then(Json::as_str), Some("a\"b"));
        let play = value.get("play").and_then(|play| play.get("Play"));
        assert_eq!(play.and_then(|play| play.get("x")).and_then(Json::int), Some(3));
        assert!(value.get("none").is_some_and(Json::is_null));
        assert_eq!(value.get("list").and_then(Json::list).map(|list| list.len()), Some(2));
        assert_eq!(
            value.members().map(|(key, _)| key).collect::<Vec<_>>(),
            ["id", "name", "play", "none", "list"]
        );
    }

    #[test]
    fn parentheses_with_one_value_stand_for_it() {
        let (tree, _) = check("(a: ((((x: [1, (2)])))), b: (3, 4), c: (), d: 5)");
        let value = tree.root();
        let x = value.get("a").and_then(|a| a.get("x")).and_then(Json::list).unwrap();
        assert_eq!(x.filter_map(Json::int).collect::<Vec<_>>(), [1, 2]);
        assert!(value.get("b").and_then(Json::pair).is_some_and(|(_, four)| four.int() == Some(4)));
        assert!(value.get("c").is_some_and(Json::is_object));
        assert_eq!(value.get("d").and_then(Json::int), Some(5));
    }

    #[test]
    fn numbers_that_are_too_large_stay_text() {
        let (tree, _) = check("(id:340282366920938463463374607431768211455,r:1500.5)");
        let value = tree.root();
        assert_eq!(value.get("id").and_then(Json::as_str), Some("340282366920938463463374607431768211455"));
        assert_eq!(value.get("r").and_then(Json::to_text).as_deref(), Some("1500.5"));
    }

    #[test]
    fn values_before_an_error_are_kept() {
        let (tree, n_findings) = check("(id:1,plays:PlayRecords([None,Some(Play((role:Attacker");
        assert_eq!(n_findings, 1);
        let plays = tree.root().get("plays").and_then(|plays| plays.get("PlayRecords"));
        assert_eq!(plays.and_then(Json::list).unwrap().len(), 2);
        assert_eq!(check(&"(".repeat(100_000)).1, 1);
        assert_eq!(check("(a:\u{e9})").1, 1);
    }
}
