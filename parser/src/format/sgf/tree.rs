//! The structure of a game tree: parentheses, nodes, and properties.

use tafl_rules::Span;

use crate::diagnostic::{Diagnostic, TextFinding};
use crate::format::bracket;
use crate::source::Source;

/// A game tree, as a sequence of its parts.
#[derive(Debug, Default)]
pub(super) struct GameTree {
    pub(super) parts: Vec<TreePart>,
}

/// A part of a game tree.
#[derive(Debug)]
pub(super) enum TreePart {
    /// `(`.
    Open,
    /// `)`.
    Close,
    /// `;` with the properties after it.
    Node(SgfNode),
}

/// A node.
#[derive(Debug)]
pub(super) struct SgfNode {
    /// Whether it follows a subtree of the node before it, where only another subtree is valid.
    pub(super) is_misplaced: bool,
    pub(super) properties: Vec<SgfProperty>,
}

/// A property and its values.
#[derive(Debug)]
pub(super) struct SgfProperty {
    /// The name without lowercase letters, which older versions of the format allow.
    pub(super) name: Box<str>,
    /// The name and all values.
    pub(super) span: Span,
    /// The values without their brackets, as written.
    pub(super) values: Vec<Span>,
}

impl SgfProperty {
    /// Returns the first value, as written.
    pub(super) fn first<'s>(&self, source: &Source<'s>) -> &'s str {
        source.at(self.first_span())
    }

    /// Returns the span of the first value.
    pub(super) fn first_span(&self) -> Span {
        self.values.first().copied().unwrap_or(self.span)
    }
}

impl GameTree {
    /// Returns the properties of all nodes.
    pub(super) fn properties(&self) -> impl Iterator<Item = &SgfProperty> {
        let nodes = self.parts.iter().filter_map(|part| match part {
            TreePart::Node(node) => Some(node),
            TreePart::Open | TreePart::Close => None,
        });
        nodes.flat_map(|node| &node.properties)
    }
}

/// Returns the offset of the first `(` that begins a tree: the next byte that is not blank is `;`.
fn tree_start(bytes: &[u8]) -> Option<usize> {
    memchr::memchr_iter(b'(', bytes).find(|at| bytes[at + 1..].trim_ascii_start().first() == Some(&b';'))
}

/// Reads the first tree of a text; other text is reported.
pub(super) fn read(source: &Source<'_>, diagnostics: &mut Vec<Diagnostic>) -> GameTree {
    let start = tree_start(source.text.as_bytes()).unwrap_or(source.text.len());
    let mut reader =
        TreeReader { source, diagnostics, tree: GameTree::default(), at: start, has_no_more_ends: false };
    reader.stray_text(0, start);
    reader.parts();
    reader.tree
}

struct TreeReader<'r, 's> {
    source: &'r Source<'s>,
    diagnostics: &'r mut Vec<Diagnostic>,
    tree: GameTree,
    at: usize,
    /// A value was never closed, so no later one is either.
    has_no_more_ends: bool,
}

impl TreeReader<'_, '_> {
    fn bytes(&self) -> &[u8] {
        self.source.text.as_bytes()
    }

    fn report(&mut self, start: usize, end: usize, kind: TextFinding) {
        self.diagnostics.push(Diagnostic::new(Span::new(start, end), kind));
    }

    /// Reports text outside of the tree.
    fn stray_text(&mut self, start: usize, end: usize) {
        let text = self.source.at(Span::new(start, end)).trim_start_matches('\u{feff}').trim();
        if let Some(span) = self.source.span_of(text).filter(|span| !span.is_empty()) {
            self.diagnostics.push(Diagnostic::new(span, TextFinding::Stray));
        }
    }

    fn parts(&mut self) {
        let outermost = self.at;
        let mut depth = 0u32;
        while let Some(byte) = self.bytes().get(self.at) {
            match byte {
                b'(' => {
                    depth += 1;
                    self.tree.parts.push(TreePart::Open);
                    self.at += 1;
                }
                b')' => {
                    depth -= 1;
                    self.tree.parts.push(TreePart::Close);
                    self.at += 1;
                    if depth == 0 {
                        return self.stray_text(self.at, self.source.text.len());
                    }
                }
                b';' => {
                    let is_misplaced = matches!(self.tree.parts.last(), Some(TreePart::Close));
                    if is_misplaced {
                        self.report(self.at, self.at + 1, TextFinding::Stray);
                    }
                    self.tree.parts.push(TreePart::Node(SgfNode { is_misplaced, properties: Vec::new() }));
                    self.at += 1;
                }
                byte if byte.is_ascii_whitespace() => self.at += 1,
                byte if byte.is_ascii_alphabetic() => self.property(),
                b'[' => {
                    let start = self.at;
                    self.value();
                    self.report(start, self.at, TextFinding::Stray);
                }
                _ => {
                    let start = self.at;
                    let is_end = |byte: &u8| {
                        b"()[;".contains(byte) || byte.is_ascii_whitespace() || byte.is_ascii_alphabetic()
                    };
                    let length = self.bytes()[start..].iter().skip(1).position(is_end);
                    self.at = length.map_or(self.bytes().len(), |length| start + 1 + length);
                    self.report(start, self.at, TextFinding::Stray);
                }
            }
        }
        if depth > 0 {
            let marked = bracket::marked(self.source.text, outermost);
            self.report(outermost, outermost + marked, TextFinding::Unclosed { bracket: '(' });
        }
    }

    fn property(&mut self) {
        let start = self.at;
        let is_name = |byte: &&u8| byte.is_ascii_alphanumeric();
        let length = self.bytes()[start..].iter().take_while(is_name).count();
        let name_end = start + length;
        self.at = name_end;
        let mut values = Vec::new();
        let mut end = name_end;
        loop {
            let blanks = self.bytes()[self.at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            if self.bytes().get(self.at + blanks) != Some(&b'[') {
                break;
            }
            self.at += blanks;
            values.push(self.value());
            end = self.at;
        }
        let name: String = self
            .source
            .at(Span::new(start, name_end))
            .chars()
            .filter(|letter| !letter.is_ascii_lowercase())
            .collect();
        match self.tree.parts.last_mut() {
            Some(TreePart::Node(node)) if !values.is_empty() && !name.is_empty() => {
                let span = Span::new(start, end);
                node.properties.push(SgfProperty { name: name.into(), span, values });
            }
            _ => self.report(start, end, TextFinding::Stray),
        }
    }

    /// Reads a value from its bracket on, and returns its text as written.
    fn value(&mut self) -> Span {
        let start = self.at + 1;
        let mut at = start;
        while !self.has_no_more_ends {
            match memchr::memchr2(b']', b'\\', &self.bytes()[at..]) {
                Some(next) if self.bytes()[at + next] == b']' => {
                    self.at = at + next + 1;
                    return Span::new(start, at + next);
                }
                // The escaped character may have several bytes; none of the others is a bracket.
                Some(next) if at + next + 1 < self.bytes().len() => at += next + 2,
                Some(_) | None => self.has_no_more_ends = true,
            }
        }
        let line =
            memchr::memchr(b'\n', &self.bytes()[start..]).map_or(self.bytes().len(), |line| start + line);
        let marked = bracket::marked(self.source.text, start - 1);
        self.report(start - 1, start - 1 + marked, TextFinding::Unclosed { bracket: '[' });
        self.at = line;
        Span::new(start, start + self.source.at(Span::new(start, line)).trim_end().len())
    }
}
