//! Tolerant JSON parser: reads up to the last valid value and keeps the position of every value.
//!
//! serde_json reports where a text breaks, but drops everything before it, and has no positions of numbers.
//! Values are therefore collected in a [`JsonTree`] that survives an error, and positions are found from the
//! borrowed keys.

mod elements;
mod site;
mod tree;

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use tafl_rules::Span;

use crate::diagnostic::{Diagnostic, Findings, TextFinding};
use crate::lone_surrogate::lone_surrogate;
use crate::source::Source;

pub(super) use elements::element_spans;
pub(super) use site::SiteReader;
pub(super) use tree::{Json, JsonNode, JsonTree, JsonValue, text_span, value_span};

/// Reads the JSON value of a record.
///
/// If the text is truncated or is not JSON, a diagnostic is added, and everything before the error is
/// returned. Text after the value is reported as well.
pub(super) fn read<'a>(source: &Source<'a>, diagnostics: &mut Findings) -> JsonTree<'a> {
    read_after(source, &[], diagnostics)
}

/// Reads the JSON value of a record that may begin with one of these `leads`; otherwise like [`read`].
pub(super) fn read_after<'a>(
    source: &Source<'a>,
    leads: &[&str],
    diagnostics: &mut Findings,
) -> JsonTree<'a> {
    let text = source.text.trim_start_matches('\u{feff}');
    let text = leads.iter().find_map(|lead| text.trim_start().strip_prefix(lead)).unwrap_or(text);
    let base = source.text.len() - text.len();
    let mut tree = JsonTree::new(source.text);
    let mut deserializer = serde_json::Deserializer::from_str(text);
    if let Err(error) = JsonSlot(&mut tree).deserialize(&mut deserializer) {
        let at = offset_of(text, &error);
        if let Some(lone) = lone_surrogate(text.as_bytes(), at + 1) {
            let span = Span::new(base + lone.start, base + lone.end);
            diagnostics.push(Diagnostic::new(span, TextFinding::LoneSurrogate));
            return tree;
        }
        let span = if error.is_eof() { last_part(source.text) } else { symbol_at(source.text, base + at) };
        diagnostics.push(Diagnostic::new(span, TextFinding::Json));
    } else if let Err(error) = deserializer.end() {
        let at = base + offset_of(text, &error);
        let rest = Span::new(at, source.text.trim_end().len().max(at));
        diagnostics.push(Diagnostic::new(rest, TextFinding::Stray));
    }
    tree
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

/// The end of a tree, to which the next value is added.
struct JsonSlot<'s, 'a>(&'s mut JsonTree<'a>);

impl<'de> DeserializeSeed<'de> for JsonSlot<'_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        if self.0.begin().is_none() {
            return Err(D::Error::custom("more values than a game has"));
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
        self.0.set_last(JsonNode::Bool(value));
        Ok(())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        self.0.set_last(JsonNode::Int(value));
        Ok(())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        self.0.set_last(i64::try_from(value).map_or(JsonNode::Float(value as f64), JsonNode::Int));
        Ok(())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        self.0.set_last(JsonNode::Float(value));
        Ok(())
    }

    // Strings without escapes come here too: the tree finds them in the text by their address.
    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        let node = self.0.string(text);
        self.0.set_last(node);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<(), A::Error> {
        let tree = self.0;
        let list = tree.len() - 1;
        let mut n_elements = 0;
        let read = loop {
            let at = tree.len();
            match elements.next_element_seed(JsonSlot(tree)) {
                Ok(Some(())) => n_elements += 1,
                Ok(None) => break Ok(()),
                Err(error) => {
                    // A missing element leaves no trace; a truncated one keeps the part that was read.
                    n_elements += u32::from(tree.keeps_part(at));
                    break Err(error);
                }
            }
        };
        tree.close_list(list, n_elements);
        read
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let tree = self.0;
        let object = tree.len() - 1;
        let mut n_members = 0;
        let read = loop {
            match members.next_key_seed(JsonKey(tree)) {
                Ok(Some(())) => n_members += 1,
                Ok(None) => break Ok(()),
                Err(error) => break Err(error),
            }
            let at = tree.len();
            let read = members.next_value_seed(JsonSlot(tree));
            tree.complete_member(at);
            if read.is_err() {
                break read;
            }
        };
        tree.close_object(object, n_members);
        read
    }
}

/// The end of a tree, to which a key is added.
struct JsonKey<'s, 'a>(&'s mut JsonTree<'a>);

impl<'de> DeserializeSeed<'de> for JsonKey<'_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for JsonKey<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        let node = self.0.string(text);
        self.0.push(node);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::tree::MAX_VALUES;
    use super::*;

    fn check(text: &str) -> (JsonTree<'_>, Findings) {
        let mut diagnostics = Findings::default();
        let tree = read(&Source::new(text), &mut diagnostics);
        (tree, diagnostics)
    }

    #[test]
    fn values_before_an_error_are_kept() {
        let (tree, diagnostics) = check(r#"{"a":1,"moves":["d1-d3","e5-e2","h1"#);
        assert_eq!(tree.root().get("a").and_then(Json::int), Some(1));
        assert_eq!(tree.root().get("moves").and_then(Json::list).map(|list| list.len()), Some(2));
        assert_eq!(diagnostics.len(), 1);
    }

    #[test]
    fn a_lone_surrogate_is_named() {
        let text = r#"{"a":"x","b":"\ud800","c":1}"#;
        let (tree, diagnostics) = check(text);
        assert_eq!(tree.root().get("a").and_then(Json::as_str), Some("x"));
        assert_eq!(*diagnostics, [Diagnostic::new(Span::new(14, 20), TextFinding::LoneSurrogate)]);
        assert_eq!(
            diagnostics[0].message(text),
            "`\\ud800` is half of a character, which no text can contain: add the escape of the other half, or remove this one"
        );
    }

    #[test]
    fn every_member_has_a_place() {
        let text = r#"{"n" : -12, "s":"a\"b","b":true,"l":[1]}"#;
        let (tree, _) = check(text);
        let source = Source::new(text);
        let place = |name| {
            let (key, value) = tree.root().member(name).unwrap();
            source.at(value_span(&source, key, value))
        };
        assert_eq!([place("n"), place("s"), place("b"), place("l")], ["-12", r#"a\"b"#, "true", "["]);
    }

    #[test]
    fn text_behind_the_value_is_reported() {
        let (tree, diagnostics) = check("{\"a\":1} tail\n");
        assert_eq!(tree.root().get("a").and_then(Json::int), Some(1));
        assert_eq!(*diagnostics, [Diagnostic::new(Span::new(8, 12), TextFinding::Stray)]);
    }

    #[test]
    fn more_values_than_a_game_has_are_an_error() {
        let text = format!("[{}1]", "0,".repeat(MAX_VALUES as usize));
        let (tree, diagnostics) = check(&text);
        assert_eq!(diagnostics.len(), 1);
        assert!(tree.root().list().is_some_and(|list| list.len() < MAX_VALUES as usize));
    }

    #[test]
    fn deep_nesting_is_an_error_and_no_overflow() {
        let (_, diagnostics) = check(&"[".repeat(100_000));
        assert_eq!(diagnostics.len(), 1);
    }
}
