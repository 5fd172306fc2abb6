//! The structure of a game tree: parentheses, nodes, and properties.

use std::borrow::Cow;

use tafl_rules::Span;

use crate::diagnostic::{Diagnostic, Findings, TextFinding};
use crate::format::bracket;
use crate::source::Source;

/// A game tree. Its parts are read from the text whenever they are needed: a list of them would take many times the
/// size of the text.
#[derive(Debug, Clone, Copy)]
pub(super) struct GameTree<'s> {
    source: Source<'s>,
    start: usize,
}

/// A part of a game tree.
#[derive(Debug)]
pub(super) enum TreePart<'s> {
    /// `(`.
    Open,
    /// `)`.
    Close,
    /// `;` with the properties after it.
    Node(SgfNode<'s>),
}

/// A node.
#[derive(Debug)]
pub(super) struct SgfNode<'s> {
    /// Whether it follows a subtree of the node before it, where only another subtree is valid.
    pub(super) is_misplaced: bool,
    pub(super) properties: Vec<SgfProperty<'s>>,
}

/// A property and its values.
#[derive(Debug)]
pub(super) struct SgfProperty<'s> {
    /// The name without lowercase letters, which older versions of the format allow.
    pub(super) name: Cow<'s, str>,
    /// The name and all values.
    pub(super) span: Span,
    /// The values without their brackets, as written.
    pub(super) values: Vec<Span>,
}

impl SgfProperty<'_> {
    /// Returns the first value, as written.
    pub(super) fn first<'s>(&self, source: &Source<'s>) -> &'s str {
        source.at(self.first_span())
    }

    /// Returns the span of the first value.
    pub(super) fn first_span(&self) -> Span {
        self.values.first().copied().unwrap_or(self.span)
    }
}

impl<'s> GameTree<'s> {
    /// Returns the parts in text order.
    pub(super) fn parts(self) -> impl Iterator<Item = TreePart<'s>> {
        let mut reader = TreeReader::new(self);
        std::iter::from_fn(move || reader.next_part(&mut |_, _, _| {}))
    }

    /// Returns the properties of all nodes.
    pub(super) fn properties(self) -> impl Iterator<Item = SgfProperty<'s>> {
        let nodes = self.parts().filter_map(|part| match part {
            TreePart::Node(node) => Some(node),
            TreePart::Open | TreePart::Close => None,
        });
        nodes.flat_map(|node| node.properties)
    }
}

/// Returns the offset of the first `(` that begins a tree: the next byte that is not blank is `;`.
fn tree_start(bytes: &[u8]) -> Option<usize> {
    memchr::memchr_iter(b'(', bytes).find(|at| bytes[at + 1..].trim_ascii_start().first() == Some(&b';'))
}

/// Finds the first tree of a text, and reports its faults and other text.
pub(super) fn read<'s>(source: &Source<'s>, diagnostics: &mut Findings) -> GameTree<'s> {
    let start = tree_start(source.text.as_bytes()).unwrap_or(source.text.len());
    let tree = GameTree { source: *source, start };
    let mut report = |start: usize, end: usize, kind: TextFinding| {
        diagnostics.push(Diagnostic::new(Span::new(start, end), kind));
    };
    let mut reader = TreeReader::new(tree);
    reader.stray_text(0, start, &mut report);
    while reader.next_part(&mut report).is_some() {}
    tree
}

/// Receives the start and the end of a faulty text, and the fault.
type ReportFault<'f> = &'f mut dyn FnMut(usize, usize, TextFinding);

struct TreeReader<'s> {
    source: Source<'s>,
    at: usize,
    /// The offset of the outermost parenthesis.
    outermost: usize,
    depth: u32,
    /// Whether a subtree ended before this offset.
    is_after_subtree: bool,
    /// A value was never closed, so no later one is either.
    has_no_more_ends: bool,
    is_end: bool,
}

impl<'s> TreeReader<'s> {
    fn new(tree: GameTree<'s>) -> TreeReader<'s> {
        TreeReader {
            source: tree.source,
            at: tree.start,
            outermost: tree.start,
            depth: 0,
            is_after_subtree: false,
            has_no_more_ends: false,
            is_end: false,
        }
    }

    fn bytes(&self) -> &'s [u8] {
        self.source.text.as_bytes()
    }

    /// Reports text outside of the tree.
    fn stray_text(&self, start: usize, end: usize, report: ReportFault<'_>) {
        let text = self.source.at(Span::new(start, end)).trim_start_matches('\u{feff}').trim();
        if let Some(span) = self.source.span_of(text).filter(|span| !span.is_empty()) {
            report(span.start as usize, span.end as usize, TextFinding::Stray);
        }
    }

    /// Reads the next part; returns `None` after the end of the tree.
    fn next_part(&mut self, report: ReportFault<'_>) -> Option<TreePart<'s>> {
        while let Some(byte) = self.bytes().get(self.at).filter(|_| !self.is_end) {
            match byte {
                b'(' => {
                    self.depth += 1;
                    self.at += 1;
                    self.is_after_subtree = false;
                    return Some(TreePart::Open);
                }
                b')' => {
                    self.depth -= 1;
                    self.at += 1;
                    self.is_after_subtree = true;
                    if self.depth == 0 {
                        self.is_end = true;
                        self.stray_text(self.at, self.source.text.len(), report);
                    }
                    return Some(TreePart::Close);
                }
                b';' => {
                    let is_misplaced = std::mem::take(&mut self.is_after_subtree);
                    if is_misplaced {
                        report(self.at, self.at + 1, TextFinding::Stray);
                    }
                    self.at += 1;
                    let mut node = SgfNode { is_misplaced, properties: Vec::new() };
                    self.content(Some(&mut node), report);
                    return Some(TreePart::Node(node));
                }
                _ => self.content(None, report),
            }
        }
        if self.depth > 0 && !self.is_end {
            let marked = bracket::marked(self.source.text, self.outermost);
            report(self.outermost, self.outermost + marked, TextFinding::Unclosed { bracket: '(' });
        }
        self.is_end = true;
        None
    }

    /// Reads up to the next parenthesis or node: the properties of a node, and other text.
    fn content(&mut self, mut node: Option<&mut SgfNode<'s>>, report: ReportFault<'_>) {
        while let Some(byte) = self.bytes().get(self.at).filter(|byte| !b"();".contains(byte)) {
            match byte {
                byte if byte.is_ascii_whitespace() => self.at += 1,
                byte if byte.is_ascii_alphabetic() => {
                    let start = self.at;
                    let property = self.property(report);
                    let is_whole = !property.values.is_empty() && !property.name.is_empty();
                    match node.as_deref_mut() {
                        Some(node) if is_whole => node.properties.push(property),
                        Some(_) | None => report(start, property.span.end as usize, TextFinding::Stray),
                    }
                }
                b'[' => {
                    let start = self.at;
                    self.value(report);
                    report(start, self.at, TextFinding::Stray);
                }
                _ => {
                    let start = self.at;
                    let is_end = |byte: &u8| {
                        b"()[;".contains(byte) || byte.is_ascii_whitespace() || byte.is_ascii_alphabetic()
                    };
                    let length = self.bytes()[start..].iter().skip(1).position(is_end);
                    self.at = length.map_or(self.bytes().len(), |length| start + 1 + length);
                    report(start, self.at, TextFinding::Stray);
                }
            }
        }
    }

    fn property(&mut self, report: ReportFault<'_>) -> SgfProperty<'s> {
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
            values.push(self.value(report));
            end = self.at;
        }
        let written = self.source.at(Span::new(start, name_end));
        let name = if written.bytes().any(|letter| letter.is_ascii_lowercase()) {
            written.chars().filter(|letter| !letter.is_ascii_lowercase()).collect::<String>().into()
        } else {
            Cow::Borrowed(written)
        };
        SgfProperty { name, span: Span::new(start, end), values }
    }

    /// Reads a value from its bracket on, and returns its text as written.
    fn value(&mut self, report: ReportFault<'_>) -> Span {
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
        report(start - 1, start - 1 + marked, TextFinding::Unclosed { bracket: '[' });
        self.at = line;
        Span::new(start, start + self.source.at(Span::new(start, line)).trim_end().len())
    }
}
