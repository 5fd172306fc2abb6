//! The values of a JSON text in one table.
//!
//! A vector for each array, and a pointer for each string, take up to ten times the size of a text such as
//! `["a","b"],["c","d"]`. Here a value takes 16 bytes, and strings without escapes are ranges of the text.

use std::borrow::Cow;

use tafl_rules::Span;

use crate::source::Source;

/// The maximum number of values in a record. A long game has a few thousand; the limit keeps a text of only
/// brackets and commas from filling the memory.
pub(in crate::format) const MAX_VALUES: u32 = 1 << 20;

/// The size of the table when reading begins. Games of most archives have fewer values, and a longer one enlarges it.
const USUAL_NODES: usize = 512;

/// A JSON value and everything in it.
#[derive(Debug)]
pub(in crate::format) struct JsonTree<'a> {
    text: &'a str,
    /// The values, each followed by its parts: an array by its elements, an object by its keys and values.
    nodes: Vec<JsonNode>,
    /// The strings that have escapes in the text, one after another.
    unescaped: String,
    /// The number of values that may be added.
    room: u32,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::format) enum JsonNode {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    /// A part of the text.
    Text(ByteRange),
    /// A part of the unescaped strings.
    Unescaped(ByteRange),
    List(NodeRange),
    Object(NodeRange),
}

/// A range of bytes. Four bytes are enough for each number, as in a [`Span`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::format) struct ByteRange {
    start: u32,
    end: u32,
}

/// The nodes that follow an array or an object and belong to it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::format) struct NodeRange {
    n_nodes: u32,
    /// The number of elements, or of members.
    n_values: u32,
}

impl<'a> JsonTree<'a> {
    /// Creates a tree without values, for values of a text.
    pub(in crate::format) fn new(text: &'a str) -> JsonTree<'a> {
        // Most values have 8 bytes or more, with their comma.
        let nodes = Vec::with_capacity((text.len() / 8).min(USUAL_NODES));
        JsonTree { text, nodes, unescaped: String::new(), room: MAX_VALUES }
    }

    /// Returns the value of the whole text; null if it has none.
    pub(in crate::format) fn root(&self) -> Json<'_> {
        Json { tree: self, at: 0 }
    }

    /// Returns the index of the next node.
    pub(in crate::format) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Adds null, as the value to be read next, and returns its index; `None` if there are too many values.
    pub(in crate::format) fn begin(&mut self) -> Option<usize> {
        self.room = self.room.checked_sub(1)?;
        Some(self.push(JsonNode::Null))
    }

    pub(in crate::format) fn push(&mut self, node: JsonNode) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Replaces the last node.
    pub(super) fn set_last(&mut self, node: JsonNode) {
        if let Some(last) = self.nodes.last_mut() {
            *last = node;
        }
    }

    pub(in crate::format) fn set(&mut self, at: usize, node: JsonNode) {
        self.nodes[at] = node;
    }

    /// Returns the node of a string: a part of the text, or a string that had escapes.
    pub(in crate::format) fn string(&mut self, string: &str) -> JsonNode {
        let start = (string.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize);
        if start <= self.text.len() && string.len() <= self.text.len() - start {
            return JsonNode::Text(ByteRange { start: start as u32, end: (start + string.len()) as u32 });
        }
        let start = self.unescaped.len() as u32;
        self.unescaped.push_str(string);
        JsonNode::Unescaped(ByteRange { start, end: self.unescaped.len() as u32 })
    }

    /// Drops the node at an index, which is the last one, if it is null: the value was not read.
    ///
    /// Returns whether there is a value at the index.
    pub(in crate::format) fn keeps_part(&mut self, at: usize) -> bool {
        if self.nodes.get(at) == Some(&JsonNode::Null) {
            self.nodes.truncate(at);
        }
        at < self.nodes.len()
    }

    /// Adds null if there is no value at an index, so that a key has one.
    pub(in crate::format) fn complete_member(&mut self, at: usize) {
        if at == self.nodes.len() {
            self.push(JsonNode::Null);
        }
    }

    /// Makes the value at an index an array of the nodes after it.
    pub(in crate::format) fn close_list(&mut self, at: usize, n_values: u32) {
        self.nodes[at] = JsonNode::List(self.range(at, n_values));
    }

    /// Makes the value at an index an object of the nodes after it.
    pub(in crate::format) fn close_object(&mut self, at: usize, n_values: u32) {
        self.nodes[at] = JsonNode::Object(self.range(at, n_values));
    }

    fn range(&self, at: usize, n_values: u32) -> NodeRange {
        NodeRange { n_nodes: (self.nodes.len() - at - 1) as u32, n_values }
    }

    /// Removes the node at an index, so that the only value in it takes its place.
    pub(in crate::format) fn unwrap(&mut self, at: usize) {
        self.nodes.remove(at);
    }

    fn node(&self, at: usize) -> JsonNode {
        self.nodes.get(at).copied().unwrap_or(JsonNode::Null)
    }

    fn string_at(&self, at: usize) -> Option<&str> {
        let (text, range) = match self.node(at) {
            JsonNode::Text(range) => (self.text, range),
            JsonNode::Unescaped(range) => (&*self.unescaped, range),
            _ => return None,
        };
        Some(text.get(range.start as usize..range.end as usize).unwrap_or_default())
    }

    /// Returns the index after a value and its parts.
    fn index_after(&self, at: usize) -> usize {
        match self.node(at) {
            JsonNode::List(range) | JsonNode::Object(range) => at + 1 + range.n_nodes as usize,
            _ => at + 1,
        }
    }
}

/// A value of a [`JsonTree`].
#[derive(Debug, Clone, Copy)]
pub(in crate::format) struct Json<'t> {
    tree: &'t JsonTree<'t>,
    at: usize,
}

/// The content of a value.
#[derive(Debug, Clone, Copy)]
pub(in crate::format) enum JsonValue<'t> {
    /// `null`, or a placeholder for a truncated value.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Any other number.
    Float(f64),
    /// A string.
    Text(&'t str),
    /// An array: see [`Json::list`].
    List,
    /// An object: see [`Json::members`].
    Object,
}

impl<'t> Json<'t> {
    /// Returns the content.
    pub(in crate::format) fn value(self) -> JsonValue<'t> {
        match self.tree.node(self.at) {
            JsonNode::Null => JsonValue::Null,
            JsonNode::Bool(value) => JsonValue::Bool(value),
            JsonNode::Int(value) => JsonValue::Int(value),
            JsonNode::Float(value) => JsonValue::Float(value),
            JsonNode::Text(_) | JsonNode::Unescaped(_) => JsonValue::Text(self.as_str().unwrap_or_default()),
            JsonNode::List(_) => JsonValue::List,
            JsonNode::Object(_) => JsonValue::Object,
        }
    }

    pub(in crate::format) fn is_null(self) -> bool {
        self.tree.node(self.at) == JsonNode::Null
    }

    pub(in crate::format) fn is_object(self) -> bool {
        matches!(self.tree.node(self.at), JsonNode::Object(_))
    }

    /// Returns the value of the first member with this name.
    pub(in crate::format) fn get(self, name: &str) -> Option<Json<'t>> {
        self.member(name).map(|(_, value)| value)
    }

    /// Returns the first member with this name, with its key as written in the text.
    pub(in crate::format) fn member(self, name: &str) -> Option<(&'t str, Json<'t>)> {
        self.members().find(|(key, _)| *key == name)
    }

    /// Returns the members of an object in text order; none for other values.
    pub(in crate::format) fn members(self) -> JsonMembers<'t> {
        let left = match self.tree.node(self.at) {
            JsonNode::Object(range) => range.n_values,
            _ => 0,
        };
        JsonMembers { tree: self.tree, at: self.at + 1, left }
    }

    /// Returns the elements of an array.
    pub(in crate::format) fn list(self) -> Option<JsonElements<'t>> {
        let JsonNode::List(range) = self.tree.node(self.at) else { return None };
        Some(JsonElements { tree: self.tree, at: self.at + 1, left: range.n_values })
    }

    /// Returns the elements of an array of two.
    pub(in crate::format) fn pair(self) -> Option<(Json<'t>, Json<'t>)> {
        let mut elements = self.list().filter(|elements| elements.len() == 2)?;
        elements.next().zip(elements.next())
    }

    /// Returns the string.
    pub(in crate::format) fn as_str(self) -> Option<&'t str> {
        self.tree.string_at(self.at)
    }

    /// Returns an integer, which may be written as a string.
    pub(in crate::format) fn int(self) -> Option<i64> {
        match self.value() {
            JsonValue::Int(value) => Some(value),
            JsonValue::Text(text) => text.trim().parse().ok(),
            _ => None,
        }
    }

    /// Returns a scalar value as text: strings without quotes. `None` for `null`, arrays, and objects.
    pub(in crate::format) fn to_text(self) -> Option<Cow<'t, str>> {
        match self.value() {
            JsonValue::Text(text) => Some(Cow::Borrowed(text)),
            JsonValue::Bool(value) => Some(Cow::Borrowed(if value { "true" } else { "false" })),
            JsonValue::Int(value) => Some(Cow::Owned(value.to_string())),
            JsonValue::Float(value) => Some(Cow::Owned(value.to_string())),
            JsonValue::Null | JsonValue::List | JsonValue::Object => None,
        }
    }
}

/// The elements of an array, in text order.
#[derive(Debug, Clone)]
pub(in crate::format) struct JsonElements<'t> {
    tree: &'t JsonTree<'t>,
    at: usize,
    left: u32,
}

impl<'t> Iterator for JsonElements<'t> {
    type Item = Json<'t>;

    fn next(&mut self) -> Option<Json<'t>> {
        self.left = self.left.checked_sub(1)?;
        let element = Json { tree: self.tree, at: self.at };
        self.at = self.tree.index_after(self.at);
        Some(element)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

impl ExactSizeIterator for JsonElements<'_> {}

/// The members of an object, in text order, with their keys as written in the text.
#[derive(Debug, Clone)]
pub(in crate::format) struct JsonMembers<'t> {
    tree: &'t JsonTree<'t>,
    at: usize,
    left: u32,
}

impl<'t> Iterator for JsonMembers<'t> {
    type Item = (&'t str, Json<'t>);

    fn next(&mut self) -> Option<(&'t str, Json<'t>)> {
        self.left = self.left.checked_sub(1)?;
        let key = self.tree.string_at(self.at).unwrap_or_default();
        let value = Json { tree: self.tree, at: self.at + 1 };
        self.at = self.tree.index_after(self.at + 1);
        Some((key, value))
    }
}

/// Returns the span of a string without its quotes; `otherwise` if the string had escapes.
pub(in crate::format) fn text_span(source: &Source<'_>, text: &str, otherwise: Span) -> Span {
    source.span_of(text).unwrap_or(otherwise)
}

/// Returns the span of a member's value: a string without its quotes, a number, a word, or the first
/// character of an array or an object. Returns the whole record if the key had escapes.
pub(in crate::format) fn value_span(source: &Source<'_>, key: &str, value: Json<'_>) -> Span {
    let all = Span::new(0, source.text.len());
    let node = value.tree.node(value.at);
    if let (JsonNode::Text(_), Some(text)) = (node, value.as_str()) {
        return text_span(source, text, all);
    }
    let Some(key) = source.span_of(key) else { return all };
    let bytes = source.text.as_bytes();
    let skipped = |from: usize, what: fn(u8) -> bool| {
        from + bytes.get(from..).unwrap_or(&[]).iter().take_while(|byte| what(**byte)).count()
    };
    let start = skipped(key.end as usize, |byte| matches!(byte, b'"' | b':' | b' ' | b'\t' | b'\r' | b'\n'));
    let end = match node {
        JsonNode::List(_) | JsonNode::Object(_) => (start + 1).min(bytes.len()),
        JsonNode::Text(_) | JsonNode::Unescaped(_) => start + escaped_len(&bytes[start.min(bytes.len())..]),
        JsonNode::Null | JsonNode::Bool(_) | JsonNode::Int(_) | JsonNode::Float(_) => {
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
