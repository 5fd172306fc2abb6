//! Tolerant JSON parser: reads up to the last valid value and keeps the position of every value.
//!
//! serde_json reports where a text breaks, but drops everything before it, and has no positions of numbers.
//! Values are therefore collected in a tree that survives an error, and positions are found from the borrowed
//! keys.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use tafl_rules::Span;

use crate::diagnostic::{Diagnostic, TextFinding};
use crate::source::Source;

/// The maximum number of values in a record. A long game has a few thousand; the limit keeps a text of only
/// brackets and commas from filling the memory.
pub(super) const MOST_VALUES: u32 = 1 << 20;

/// A JSON value that borrows its strings where they have no escapes.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) enum Json<'a> {
    /// `null`, or a placeholder for a truncated value.
    #[default]
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Any other number.
    Float(f64),
    /// A string.
    Text(Cow<'a, str>),
    /// An array.
    List(Vec<Json<'a>>),
    /// An object, with its members in text order.
    Object(Vec<(Cow<'a, str>, Json<'a>)>),
}

impl<'a> Json<'a> {
    /// Returns the value of the first member with this name.
    pub(super) fn get(&self, name: &str) -> Option<&Json<'a>> {
        self.member(name).map(|(_, value)| value)
    }

    /// Returns the first member with this name, with its key as written in the text.
    pub(super) fn member(&self, name: &str) -> Option<(&str, &Json<'a>)> {
        self.members().iter().find(|(key, _)| key == name).map(|(key, value)| (&**key, value))
    }

    /// Returns the members of an object; empty for other values.
    pub(super) fn members(&self) -> &[(Cow<'a, str>, Json<'a>)] {
        match self {
            Json::Object(members) => members,
            Json::Null | Json::Bool(_) | Json::Int(_) | Json::Float(_) | Json::Text(_) | Json::List(_) => &[],
        }
    }

    /// Returns the elements of an array.
    pub(super) fn list(&self) -> Option<&[Json<'a>]> {
        if let Json::List(elements) = self { Some(elements) } else { None }
    }

    /// Returns the string.
    pub(super) fn as_str(&self) -> Option<&str> {
        if let Json::Text(text) = self { Some(text) } else { None }
    }

    /// Returns an integer, which may be written as a string.
    pub(super) fn int(&self) -> Option<i64> {
        match self {
            Json::Int(value) => Some(*value),
            Json::Text(text) => text.trim().parse().ok(),
            Json::Null | Json::Bool(_) | Json::Float(_) | Json::List(_) | Json::Object(_) => None,
        }
    }

    /// Returns a scalar value as text: strings without quotes. `None` for `null`, arrays, and objects.
    pub(super) fn to_text(&self) -> Option<Cow<'_, str>> {
        match self {
            Json::Text(text) => Some(Cow::Borrowed(text)),
            Json::Bool(value) => Some(Cow::Borrowed(if *value { "true" } else { "false" })),
            Json::Int(value) => Some(Cow::Owned(value.to_string())),
            Json::Float(value) => Some(Cow::Owned(value.to_string())),
            Json::Null | Json::List(_) | Json::Object(_) => None,
        }
    }
}

/// Reads the JSON value of a record.
///
/// If the text is truncated or is not JSON, a diagnostic is added, and everything before the error is
/// returned. Text after the value is reported as well.
pub(super) fn read<'a>(source: &Source<'a>, diagnostics: &mut Vec<Diagnostic>) -> Json<'a> {
    read_behind(source, &[], diagnostics)
}

/// Reads the JSON value of a record that may begin with one of these `leads`; otherwise like [`read`].
pub(super) fn read_behind<'a>(
    source: &Source<'a>,
    leads: &[&str],
    diagnostics: &mut Vec<Diagnostic>,
) -> Json<'a> {
    let text = source.text.trim_start_matches('\u{feff}');
    let text = leads.iter().find_map(|lead| text.trim_start().strip_prefix(lead)).unwrap_or(text);
    let base = source.text.len() - text.len();
    let mut value = Json::Null;
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let room = Cell::new(MOST_VALUES);
    if let Err(error) = (JsonSlot { value: &mut value, room: &room }).deserialize(&mut deserializer) {
        let span = if error.is_eof() {
            last_part(source.text)
        } else {
            symbol_at(source.text, base + offset_of(text, &error))
        };
        diagnostics.push(Diagnostic::new(span, TextFinding::Json));
    } else if let Err(error) = deserializer.end() {
        let at = base + offset_of(text, &error);
        let rest = Span::new(at, source.text.trim_end().len().max(at));
        diagnostics.push(Diagnostic::new(rest, TextFinding::Stray));
    }
    value
}

/// Returns the byte offset at which serde_json stopped.
fn offset_of(text: &str, error: &serde_json::Error) -> usize {
    let line = error.line().saturating_sub(1);
    let start = match line {
        0 => 0,
        _ => memchr::memchr_iter(b'\n', text.as_bytes()).nth(line - 1).map_or(0, |end| end + 1),
    };
    (start + error.column().saturating_sub(1)).min(text.len())
}

/// Returns the span of the character at a byte offset; the empty span at the end of the text.
fn symbol_at(text: &str, at: usize) -> Span {
    let start = (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let length = text[start..].chars().next().map_or(0, char::len_utf8);
    Span::new(start, start + length)
}

/// Returns the text after the last structural character: the part that is truncated.
fn last_part(text: &str) -> Span {
    let text = text.trim_end();
    let start = text.rfind([',', ':', '[', '{', '}', ']']).map_or(0, |at| at + 1);
    Span::new(start, text.len())
}

/// The destination of a value during parsing, so that its beginning survives an error in the middle.
struct JsonSlot<'s, 'a> {
    value: &'s mut Json<'a>,
    /// The remaining number of values that may be read.
    room: &'s Cell<u32>,
}

impl<'de> DeserializeSeed<'de> for JsonSlot<'_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        match self.room.get().checked_sub(1) {
            Some(less) => self.room.set(less),
            None => return Err(D::Error::custom("more values than a game has")),
        }
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for JsonSlot<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        *self.value = Json::Bool(value);
        Ok(())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        *self.value = Json::Int(value);
        Ok(())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        *self.value = i64::try_from(value).map_or(Json::Float(value as f64), Json::Int);
        Ok(())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        *self.value = Json::Float(value);
        Ok(())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        *self.value = Json::Text(Cow::Owned(text.to_owned()));
        Ok(())
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<(), E> {
        *self.value = Json::Text(Cow::Borrowed(text));
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<(), A::Error> {
        *self.value = Json::List(Vec::new());
        let Json::List(list) = self.value else { return Ok(()) };
        loop {
            let mut value = Json::Null;
            let next = elements.next_element_seed(JsonSlot { value: &mut value, room: self.room });
            // A missing element leaves no trace; a truncated one keeps the part that was read.
            if matches!(next, Ok(Some(()))) || next.is_err() && value != Json::Null {
                list.push(value);
            }
            if next?.is_none() {
                // A vector begins with room for four values; a text of many short lists would take most of it.
                if list.len() < 4 {
                    list.shrink_to_fit();
                }
                return Ok(());
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        *self.value = Json::Object(Vec::new());
        let Json::Object(object) = self.value else { return Ok(()) };
        while let Some(key) = members.next_key_seed(Key)? {
            let mut value = Json::Null;
            let read = members.next_value_seed(JsonSlot { value: &mut value, room: self.room });
            object.push((key, value));
            read?;
        }
        if object.len() < 4 {
            object.shrink_to_fit();
        }
        Ok(())
    }
}

/// A deserialized key, borrowed if it has no escapes.
struct Key;

impl<'de> DeserializeSeed<'de> for Key {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Cow<'de, str>, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Key {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Cow<'de, str>, E> {
        Ok(Cow::Owned(text.to_owned()))
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Cow<'de, str>, E> {
        Ok(Cow::Borrowed(text))
    }
}

/// Returns the span of a string without its quotes; `otherwise` if the string had escapes.
pub(super) fn text_span(source: &Source<'_>, text: &str, otherwise: Span) -> Span {
    source.span_of(text).unwrap_or(otherwise)
}

/// Returns the span of a member's value: a string without its quotes, a number, a word, or the first
/// character of an array or an object. Returns the whole record if the key had escapes.
pub(super) fn value_span(source: &Source<'_>, key: &str, value: &Json<'_>) -> Span {
    let all = Span::new(0, source.text.len());
    if let Json::Text(Cow::Borrowed(text)) = value {
        return text_span(source, text, all);
    }
    let Some(key) = source.span_of(key) else { return all };
    let bytes = source.text.as_bytes();
    let skipped = |from: usize, what: fn(u8) -> bool| {
        from + bytes.get(from..).unwrap_or(&[]).iter().take_while(|byte| what(**byte)).count()
    };
    let start = skipped(key.end as usize, |byte| matches!(byte, b'"' | b':' | b' ' | b'\t' | b'\r' | b'\n'));
    let end = match value {
        Json::List(_) | Json::Object(_) => (start + 1).min(bytes.len()),
        Json::Text(_) => start + escaped_len(&bytes[start.min(bytes.len())..]),
        Json::Null | Json::Bool(_) | Json::Int(_) | Json::Float(_) => {
            skipped(start, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.'))
        }
    };
    Span::new(start, end)
}

/// Returns the number of bytes before the quote that ends a string.
fn escaped_len(bytes: &[u8]) -> usize {
    let mut at = 0;
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at.min(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> (Json<'_>, Vec<Diagnostic>) {
        let mut diagnostics = Vec::new();
        let value = read(&Source::new(text), &mut diagnostics);
        (value, diagnostics)
    }

    #[test]
    fn values_before_an_error_are_kept() {
        let (value, diagnostics) = check(r#"{"a":1,"moves":["d1-d3","e5-e2","h1"#);
        assert_eq!(value.get("a").and_then(Json::int), Some(1));
        assert_eq!(value.get("moves").and_then(Json::list).map(<[_]>::len), Some(2));
        assert_eq!(diagnostics.len(), 1);
    }

    #[test]
    fn every_member_has_a_place() {
        let text = r#"{"n" : -12, "s":"a\"b","b":true,"l":[1]}"#;
        let (value, _) = check(text);
        let source = Source::new(text);
        let place = |name| {
            let (key, value) = value.member(name).unwrap();
            source.at(value_span(&source, key, value))
        };
        assert_eq!([place("n"), place("s"), place("b"), place("l")], ["-12", r#"a\"b"#, "true", "["]);
    }

    #[test]
    fn text_behind_the_value_is_reported() {
        let (value, diagnostics) = check("{\"a\":1} tail\n");
        assert_eq!(value.get("a").and_then(Json::int), Some(1));
        assert_eq!(diagnostics, [Diagnostic::new(Span::new(8, 12), TextFinding::Stray)]);
    }

    #[test]
    fn more_values_than_a_game_has_are_an_error() {
        let text = format!("[{}1]", "0,".repeat(MOST_VALUES as usize));
        let (value, diagnostics) = check(&text);
        assert_eq!(diagnostics.len(), 1);
        assert!(value.list().is_some_and(|list| list.len() < MOST_VALUES as usize));
    }

    #[test]
    fn deep_nesting_is_an_error_and_no_overflow() {
        let (_, diagnostics) = check(&"[".repeat(100_000));
        assert_eq!(diagnostics.len(), 1);
    }
}
