//! The plain form: positions as set-up stones for viewers, and moves in private properties.
//!
//! | property | meaning |
//! |---|---|
//! | `MV` `MB` `MW` | a move, of an unknown side, of the attackers, of the defenders; also read: `B`, `W` |
//! | `AB` `AW` `AE` `LB` | the pieces of the start, and in a node with a move what it changed; labels are roles |
//! | `RU` `RS` `VN` | a rules string or the name of a variant; a rules string; the name of a variant |
//! | `PO` `PL` | the start, if it is not that of the rules; the side that moves first |
//! | `TG` | another tag: `name:value` |
//! | `EN` `CS` `OS` `VI` | the ending, the style of captures, whether the second player begins a line, its index |

use std::collections::{HashMap, HashSet};

use tafl_rules::{Piece, Reason, Role, Setup, Shape, Side, Span, catalog};

use super::lines::{LineBuilder, reading_order, reorder, written_order};
use super::names::{annotation, tag_name};
use super::tree::{GameTree, SgfNode, SgfProperty, TreePart};
use super::{skip, value};
use crate::diagnostic::{Diagnostic, DiagnosticKind, EndFinding, Findings, HeaderFinding, TextFinding};
use crate::format::{shape_of, start, termination};
use crate::record::{
    CaptureStyle, Comment, MoveLineId, Record, Written, WrittenClock, WrittenEnding, WrittenMove,
    WrittenResult, WrittenStart, WrittenVerdict, tag,
};
use crate::source::Source;
use crate::token::MoveReader;
use crate::words;

/// Reads a tree into the record.
pub(super) fn read(source: &Source<'_>, tree: GameTree<'_>, record: &mut Record, diagnostics: &mut Findings) {
    let mut root = None;
    let mut reader = PlainReader {
        source,
        diagnostics,
        builder: LineBuilder::new(record),
        style: None,
        indices: HashMap::new(),
        names: HashSet::new(),
    };
    for part in tree.parts() {
        match part {
            TreePart::Open => reader.builder.open(),
            TreePart::Close => reader.builder.close(),
            TreePart::Node(node) => {
                reader.node(&node, root.is_none());
                root.get_or_insert(node);
            }
        }
    }
    if let Some(root) = root {
        reader.start(&root);
    }
    reader.finish();
}

struct PlainReader<'r, 's> {
    source: &'r Source<'s>,
    diagnostics: &'r mut Findings,
    builder: LineBuilder<'r>,
    style: Option<CaptureStyle>,
    /// The written indices of variations.
    indices: HashMap<MoveLineId, usize>,
    /// The properties that are tags and that were already read.
    names: HashSet<&'static str>,
}

impl PlainReader<'_, '_> {
    fn report(&mut self, span: Span, kind: impl Into<DiagnosticKind>) {
        self.diagnostics.push(Diagnostic::new(span, kind));
    }

    fn node(&mut self, node: &SgfNode<'_>, is_root: bool) {
        if node.is_misplaced {
            self.builder.go_to_end();
        }
        for property in node.properties.iter().filter(|property| &*property.name == "OS") {
            let opens_with_second = property.first(self.source).trim() == "1";
            self.builder.record.set_opens_with_second(self.builder.line(), opens_with_second);
        }
        let mut has_move_property = false;
        let mut written = Vec::new();
        for property in &node.properties {
            let side = match &*property.name {
                "MV" => None,
                "MB" | "B" => Some(Side::Attackers),
                "MW" | "W" => Some(Side::Defenders),
                _ => continue,
            };
            has_move_property |= property.name.starts_with('M');
            for span in &property.values {
                let text = self.source.at(*span).trim();
                written.push(text);
                if text.is_empty() {
                    self.report(property.span, TextFinding::NoMoveInTurn);
                } else {
                    self.moves(*span, side);
                }
            }
        }
        let move_text = written.join(" ");
        for property in &node.properties {
            match &*property.name {
                "MV" | "MB" | "MW" | "B" | "W" | "OS" => {}
                "N" if !is_root && value::line(property.first(self.source)) == move_text => {}
                "AB" | "AW" | "AE" | "PL" | "LB" if has_move_property || is_root => {
                    if &*property.name == "PL" && is_root {
                        self.first_mover(property);
                    }
                }
                "AB" | "AW" | "AE" | "PL" => self.report(property.span, TextFinding::PositionEdited),
                _ => self.other(property, is_root),
            }
        }
    }

    /// Reads the move of a property; a turn of several steps can be one word.
    fn moves(&mut self, span: Span, side: Option<Side>) {
        let text = self.source.at(span);
        let Some(span) = self.source.span_of(text.trim()) else { return };
        let bytes = self.source.text.as_bytes();
        let first_capture = self.builder.record.captures.len();
        let mut steps = Vec::new();
        let mut reader = MoveReader::new(bytes.len(), &mut self.builder.record.captures);
        let mut rest = bytes.get(span.start as usize..).unwrap_or(&[]);
        while let Ok((after, mv)) = match steps.last() {
            None => reader.step(rest),
            Some(WrittenMove { to, .. }) => reader.next_step(rest, *to),
        } {
            steps.push(WrittenMove { side, ..mv });
            rest = after;
        }
        if !steps.is_empty() && bytes.len() - rest.len() == span.end as usize {
            steps.into_iter().for_each(|step| self.builder.push(step));
        } else {
            self.builder.record.captures.truncate(first_capture);
            let is_main = self.builder.is_main();
            self.report(span, if is_main { TextFinding::BadMove } else { TextFinding::BadMoveAside });
        }
    }

    fn comment(&mut self, text: &str, span: Span) {
        if !text.is_empty() {
            let comment = Comment { place: self.builder.place(), text, span };
            self.builder.record.comments.push(comment);
        }
    }

    /// Reads a property that is neither a move nor part of the position.
    fn other(&mut self, property: &SgfProperty<'_>, is_root: bool) {
        let span = property.first_span();
        let raw = property.first(self.source);
        match &*property.name {
            "C" => self.comment(&value::text(raw), span),
            "N" => self.comment(&value::line(raw), span),
            "BL" => self.clock(property, Side::Attackers),
            "WL" => self.clock(property, Side::Defenders),
            "EN" if self.builder.is_main() => self.ending(raw, span),
            "VI" if !is_root => {
                if let Ok(index) = raw.trim().parse() {
                    self.indices.insert(self.builder.line(), index);
                }
            }
            "FF" | "GM" | "CA" | "ST" | "SZ" | "PO" if is_root => {}
            "AP" if is_root && is_own(raw) => {}
            "CS" if is_root => self.style = CaptureStyle::from_name(raw.trim()).or(self.style),
            "RU" | "RS" | "VN" if is_root => self.rules(property),
            "RE" if self.builder.is_main() => self.result(raw, span),
            "TG" if is_root => self.tags(property),
            name => match (annotation(name, raw), tag_name(name)) {
                (Some(words), _) => self.comment(words, span),
                (None, Some(ours)) if is_root => self.named_tag(ours, property),
                (None, None) if is_root => {
                    let name = property.name.clone();
                    for span in &property.values {
                        self.builder.record.push_tag(&name, &value::text(self.source.at(*span)), *span);
                    }
                }
                (None, _) => skip(self.diagnostics, property),
            },
        }
    }

    fn named_tag(&mut self, ours: &'static str, property: &SgfProperty<'_>) {
        let span = property.first_span();
        let raw = property.first(self.source);
        let text = match ours {
            tag::START_COMMENT => value::text(raw).into_owned(),
            tag::DATE if value::is_iso_day(raw) => raw.replace('-', "."),
            _ => value::line(raw),
        };
        if !self.names.insert(ours) {
            self.report(span, HeaderFinding::Duplicate);
        }
        self.builder.record.push_tag(ours, &text, span);
    }

    fn tags(&mut self, property: &SgfProperty<'_>) {
        for span in &property.values {
            let raw = self.source.at(*span);
            let Some((name, text)) = value::pair(raw) else {
                self.report(
                    *span,
                    HeaderFinding::BadTag {
                        tag: "TG",
                        expected: "a name and a value with a colon between them",
                    },
                );
                continue;
            };
            let span = self.source.span_of(text).unwrap_or(*span);
            let (name, text) = (value::text(name), value::text(text));
            if name == tag::TERMINATION {
                termination::read(self.builder.record, &text, span);
            } else {
                self.builder.record.push_tag(&name, &text, span);
            }
        }
    }

    fn rules(&mut self, property: &SgfProperty<'_>) {
        let span = property.first_span();
        let raw = property.first(self.source);
        let is_rules = match &*property.name {
            "RU" => shape_of(&value::line(raw)).is_some(),
            name => name == "RS",
        };
        let text = if &*property.name == "RU" { value::line(raw) } else { value::text(raw).into_owned() };
        let written = Written { text: text.into(), span };
        let field = if is_rules { &mut self.builder.record.rules } else { &mut self.builder.record.variant };
        if field.is_some() {
            self.builder.record.push_tag(if is_rules { "rules" } else { "variant" }, &written.text, span);
            self.report(span, HeaderFinding::Duplicate);
        } else {
            *field = Some(written);
        }
    }

    fn first_mover(&mut self, property: &SgfProperty<'_>) {
        match property.first(self.source).trim().to_ascii_lowercase().as_str() {
            "b" | "black" => self.builder.record.first_mover = Some(Side::Attackers),
            "w" | "white" => self.builder.record.first_mover = Some(Side::Defenders),
            _ => self.report(property.first_span(), HeaderFinding::BadTag { tag: "PL", expected: "B or W" }),
        }
    }

    fn clock(&mut self, property: &SgfProperty<'_>, side: Side) {
        let span = property.first_span();
        match value::milliseconds(property.first(self.source)) {
            Some(milliseconds) => {
                let place = self.builder.place();
                self.builder.record.clocks.push(WrittenClock { place, side, milliseconds, span });
            }
            None => self.report(span, TextFinding::BadValue { field: "BL, WL", expected: "seconds" }),
        }
    }

    fn ending(&mut self, raw: &str, span: Span) {
        let (word, side) =
            raw.split_once(':').map_or((raw, None), |(word, side)| (word, words::side(side.trim())));
        match words::ending(word.trim()) {
            Some(kind) => {
                let after = self.builder.place().after;
                self.builder.record.ending = Some(WrittenEnding { kind, side, after, span });
            }
            None => {
                let expected = "resigned, timeout, agreed, or adjudicated, and a side";
                self.report(span, TextFinding::BadValue { field: "EN", expected });
            }
        }
    }

    fn result(&mut self, raw: &str, span: Span) {
        let text = value::line(raw);
        let read = verdict(text.trim());
        let (known, stated) = (self.builder.record.result, read.map(|(verdict, _)| verdict));
        if known.is_some() || stated.is_none() {
            match known.filter(|_| stated.is_some()) {
                None => self.report(span, EndFinding::BadResult { expected: "B+, W+, 0, Void, or ?" }),
                Some(known) if stated != Some(known.verdict) => self.report(span, EndFinding::SecondResult),
                Some(_) => self.report(span, HeaderFinding::Duplicate),
            }
            return self.builder.record.push_tag("result", &text, span);
        }
        if let Some((verdict, reason)) = read {
            let reason = reason.or_else(|| termination::before_result(self.builder.record));
            self.builder.record.result = Some(WrittenResult { verdict, reason, span });
        }
    }

    /// Reads the start: a position, or the stones of the root, if they are of another program or of unknown rules.
    fn start(&mut self, root: &SgfNode<'_>) {
        let find = |name: &str| root.properties.iter().find(|property| &*property.name == name);
        if let Some(position) = find("PO") {
            match start::read(self.source, position.first_span(), self.builder.record) {
                Ok(start) => self.builder.record.start = Some(start),
                Err(finding) => self.diagnostics.push(finding),
            }
            return;
        }
        if self.knows_start() && find("AP").is_some_and(|program| is_own(program.first(self.source))) {
            return;
        }
        let Some(stones) = find("AB").or(find("AW")) else { return };
        let side = find("SZ").and_then(|size| size.first(self.source).split(':').next()?.trim().parse().ok());
        let rules = self.builder.record.rules.as_ref().map_or("", |rules| &*rules.text);
        let shape = side.and_then(Shape::square).or_else(|| shape_of(rules));
        let Some(shape) = shape.filter(|shape| !shape.is_hex()) else {
            return self.report(
                stones.span,
                HeaderFinding::BadTag { tag: "AB, AW", expected: "stones on a board with a size (SZ)" },
            );
        };
        match self.stones(root, shape) {
            Ok(setup) if setup.pieces().any(|(_, piece)| piece.role == Role::King) => {
                self.builder.record.start = Some(WrittenStart { setup, span: stones.span });
            }
            Ok(_) => {
                let expected = "a label `K` (LB) on the king";
                self.report(stones.span, HeaderFinding::BadTag { tag: "AB, AW", expected });
            }
            Err(span) => {
                self.report(span, HeaderFinding::BadTag { tag: "AB, AW, LB", expected: "cells such as `dk`" })
            }
        }
    }

    /// Returns whether the rules of the record give the start. If they do, the stones of our own files repeat it. If they
    /// don't, as for a variant of a newer version, only the stones give it.
    fn knows_start(&self) -> bool {
        let Record { rules, variant, .. } = &*self.builder.record;
        rules.is_some() || variant.as_ref().is_some_and(|variant| catalog::find(&variant.text).is_some())
    }

    /// Returns the stones of a node, with their labels as roles, or the span of a value that is not a cell.
    fn stones(&self, root: &SgfNode<'_>, shape: Shape) -> Result<Setup, Span> {
        let mut setup = Setup::empty(shape);
        let values = |name: &'static str| {
            let properties = root.properties.iter().filter(move |property| &*property.name == name);
            properties.flat_map(|property| &property.values).copied()
        };
        for (name, side) in [("AB", Side::Attackers), ("AW", Side::Defenders)] {
            for span in values(name) {
                let cells = value::points(self.source.at(span), shape.side()).ok_or(span)?;
                for cell in cells.into_iter().filter_map(|coord| shape.cell(coord)) {
                    setup.put(cell, Some(Piece::new(side, Role::Soldier)));
                }
            }
        }
        for span in values("LB") {
            let Some((point, label)) = value::pair(self.source.at(span)) else { continue };
            let cell = value::point(point, shape.side()).and_then(|coord| shape.cell(coord)).ok_or(span)?;
            let mut letters = label.chars();
            let role = letters.next().filter(|_| letters.next().is_none()).and_then(Role::from_letter);
            if let (Some(role), Some(piece)) = (role, setup.piece(cell)) {
                setup.put(cell, Some(Piece::new(piece.side, role)));
            }
        }
        Ok(setup)
    }

    fn finish(self) {
        let record = self.builder.record;
        let unlisted =
            if record.captures.is_empty() { CaptureStyle::NotWritten } else { CaptureStyle::Listed };
        record.capture_style = self.style.unwrap_or(unlisted);
        let order = written_order(record, &self.indices).unwrap_or_else(|| reading_order(record));
        reorder(record, &order);
    }
}

/// Returns whether a program in `AP` is Taflbase, whose stones follow from the rules or the start of the record.
fn is_own(program: &str) -> bool {
    program.starts_with("Taflbase")
}

/// Returns the result of `RE`, with its reason.
fn verdict(text: &str) -> Option<(WrittenVerdict, Option<Reason>)> {
    let winner = match text.as_bytes() {
        [b'B' | b'b', b'+', ..] => Side::Attackers,
        [b'W' | b'w', b'+', ..] => Side::Defenders,
        _ if text == "0" || text.eq_ignore_ascii_case("jigo") => return Some((WrittenVerdict::Draw, None)),
        _ if text.eq_ignore_ascii_case("void") => return Some((WrittenVerdict::Ongoing, None)),
        _ => return Some((words::verdict(text)?, None)),
    };
    let reason = match text[2..].to_ascii_lowercase().as_str() {
        "r" | "resign" => Some(Reason::Resignation),
        "t" | "time" => Some(Reason::Timeout),
        "f" | "forfeit" => Some(Reason::Adjudication),
        _ => None,
    };
    Some((WrittenVerdict::Win(winner), reason))
}
