//! Writer for PGN records.

use std::fmt::Write;

use super::WriteGame;
use super::game_start::rules_beyond_name;
use super::losses::{Keeps, RecordLosses};
use super::moves::push_cell;
use super::stated::StatedResult;
use crate::diagnostic::Lost;
use crate::format::{PGN_NAMES, implied_shape};
use crate::record::{Comment, MoveLineId, MoveMark, MovePlace, Record, Tag, WrittenVerdict, tag};
use crate::words;

const KEEPS: Keeps = Keeps {
    letters: false,
    marks: &[
        MoveMark::Bang,
        MoveMark::Question,
        MoveMark::BangBang,
        MoveMark::QuestionQuestion,
        MoveMark::BangQuestion,
        MoveMark::QuestionBang,
    ],
    jumps: false,
    chains: false,
    captures: false,
    sides: false,
};

/// Appends a record: tags, a blank line, the moves in one line, and a blank line.
pub(crate) fn write(game: WriteGame<'_>, out: &mut String, losses: &mut RecordLosses) {
    let record = game.record;
    losses.checks(record);
    losses.moves(record, KEEPS, usize::MAX);
    losses.capture_counts_and_ending(record);
    header(game, out, losses);
    out.push('\n');
    let start = out.len();
    movetext(record, out, losses);
    if out.len() == start {
        // An empty comment separates a game without moves from the next one.
        out.push_str("{}");
    }
    out.push_str("\n\n");
}

fn header(game: WriteGame<'_>, out: &mut String, losses: &mut RecordLosses) {
    let record = game.record;
    let begin = out.len();
    tags(record.tags.iter().filter(|tag| !is_statement(tag.name)), out, losses);
    let has_result = result(game, out, losses);
    if let Some(first) = record.first_mover {
        push_tag("FirstMover", first.as_str(), Lost::FirstMover, out, losses);
    }
    if let Some(variant) = &record.variant {
        losses.left_out(Lost::Variant, usize::from(&*variant.text == "?"));
        push_tag("Variant", &variant.text, Lost::Variant, out, losses);
    }
    let rules = rules_beyond_name(game);
    if let Some(rules) = rules {
        push_tag("Rules", rules, Lost::Rules, out, losses);
    }
    if let Some(start) = &record.start {
        let position = start.setup.to_string();
        push_tag("Position", &position, Lost::Start, out, losses);
        let shape = start.setup.shape();
        if implied_shape(rules.unwrap_or_default(), &position) != Some(shape) {
            push_tag("Board", &shape.to_string(), Lost::Start, out, losses);
        }
    }
    // A word without a meaning in one notation may be a result in this one.
    let becomes_result = |tag: &Tag<'_>| {
        tag.name.eq_ignore_ascii_case("result") && !has_result && words::verdict(tag.value).is_some()
    };
    losses.left_out_tags(record.tags.iter().filter(becomes_result).map(|tag| tag.name));
    let others = record.tags.iter().filter(|tag| is_statement(tag.name) && !becomes_result(tag));
    tags(others, out, losses);
    if out.len() == begin {
        // A record begins with a tag; `?` is PGN's word for an unknown value.
        push_tag("Variant", "?", Lost::Variant, out, losses);
    }
}

/// Returns whether readers treat the first tag of this name as game data. A second one is a plain tag, and
/// must be written after the first.
fn is_statement(name: &str) -> bool {
    ["position", "result", "rules", "variant"].iter().any(|known| name.eq_ignore_ascii_case(known))
}

fn tags<'t>(tags: impl Iterator<Item = Tag<'t>>, out: &mut String, losses: &mut RecordLosses) {
    for written in tags {
        let known = PGN_NAMES.iter().find(|(_, ours)| *ours == written.name).map(|(name, _)| *name);
        let name =
            known.unwrap_or(if written.name == tag::TERMINATION { "Termination" } else { written.name });
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        if name.is_empty() || !name.bytes().all(is_plain) {
            losses.left_out_tags([written.name]);
        } else {
            push_tag(name, written.value, Lost::Tags, out, losses);
        }
    }
}

/// Appends a tag with its value on one line: `[Event "Spring cup"]`.
pub(super) fn push_tag(name: &str, value: &str, what: Lost, out: &mut String, losses: &mut RecordLosses) {
    let line = value.replace(['\n', '\r'], " ");
    losses.changed(what, usize::from(line != value));
    let escaped = line.replace('\\', "\\\\").replace('"', "\\\"");
    writeln!(out, "[{name} \"{escaped}\"]").expect("a String takes everything");
}

/// Appends the result, and returns whether there is one.
fn result(game: WriteGame<'_>, out: &mut String, losses: &mut RecordLosses) -> bool {
    let record = game.record;
    // The moves have no word for an ending.
    let Some(StatedResult { verdict, reason }) = game.result_to_write(true, losses) else { return false };
    let word = match verdict {
        WrittenVerdict::Win(side) => side.as_str(),
        WrittenVerdict::Draw => "1/2-1/2",
        WrittenVerdict::Ongoing => "*",
        WrittenVerdict::Unknown => "?",
    };
    push_tag("Result", word, Lost::Result, out, losses);
    match (record.tag(tag::TERMINATION), reason) {
        (Some(words), _) => losses.reason(record, words::reason(words)),
        (None, Some(reason)) => push_tag("Termination", reason.as_str(), Lost::Reason, out, losses),
        (None, None) => {}
    }
    true
}

/// A partially written line, suspended while its variations are written.
struct Open<'a> {
    id: MoveLineId,
    /// The index of the next move.
    nth: usize,
    /// The turn of the next move.
    turn: u32,
    is_second: bool,
    /// The variations that replace the move before `nth`, in order.
    variations: std::vec::IntoIter<MoveLineId>,
    comments: Vec<Comment<'a>>,
}

/// Appends the moves, with comments in braces and variations in parentheses. Uses a stack instead of
/// recursion because variations may be nested deeply.
fn movetext(record: &Record, out: &mut String, losses: &mut RecordLosses) {
    let by_place = PgnItems::new(record, losses);
    let mut stack = vec![by_place.open(MoveLineId::MAIN)];
    let mut needs_number = true;
    while let Some(open) = stack.last_mut() {
        for comment in std::mem::take(&mut open.comments) {
            push_comment(comment, out, losses);
            needs_number = true;
        }
        if let Some(id) = open.variations.next() {
            push_word("(", out);
            let (turn, is_second) = open.before();
            stack.push(Open { turn, is_second, ..by_place.open(id) });
            needs_number = true;
            continue;
        }
        let Some(mv) = record.line(open.id).moves.get(open.nth) else {
            if stack.len() > 1 {
                out.push(')');
            }
            stack.pop();
            needs_number = true;
            continue;
        };
        if needs_number || !open.is_second {
            push_word(&format!("{}{}", open.turn, if open.is_second { "..." } else { "." }), out);
        }
        needs_number = false;
        push_word("", out);
        push_cell(mv.from, out);
        push_cell(mv.to, out);
        if let Some(glyph) = mv.mark.glyph() {
            push_word(&format!("${glyph}"), out);
        }
        open.advance();
        (open.variations, open.comments) = by_place.after(open.id, open.nth);
    }
}

impl Open<'_> {
    fn advance(&mut self) {
        self.nth += 1;
        self.turn += u32::from(self.is_second);
        self.is_second = !self.is_second;
    }

    /// Returns the turn of the last written move, and whether it was made by the second player.
    fn before(&self) -> (u32, bool) {
        (self.turn - u32::from(!self.is_second), !self.is_second)
    }
}

/// Appends a word, with a blank before it if needed.
fn push_word(word: &str, out: &mut String) {
    if !out.ends_with(['\n', ' ', '(']) {
        out.push(' ');
    }
    out.push_str(word);
}

fn push_comment(comment: Comment<'_>, out: &mut String, losses: &mut RecordLosses) {
    let text = comment.text.replace('}', ")").replace(['\n', '\r'], " ");
    losses.changed(Lost::Comments, usize::from(text.trim() != comment.text));
    push_word("{", out);
    out.push_str(text.trim());
    out.push('}');
}

/// Comments and variations by place.
struct PgnItems<'a> {
    record: &'a Record,
    comments: std::collections::HashMap<MovePlace, Vec<Comment<'a>>>,
    variations: std::collections::HashMap<MovePlace, Vec<MoveLineId>>,
}

impl<'a> PgnItems<'a> {
    fn new(record: &'a Record, losses: &mut RecordLosses) -> PgnItems<'a> {
        let mut index = PgnItems { record, comments: Default::default(), variations: Default::default() };
        for comment in record.comments.iter() {
            if comment.text.trim().is_empty() {
                losses.left_out(Lost::Comments, 1);
            } else {
                index.comments.entry(comment.place).or_default().push(comment);
            }
        }
        for (line, id) in record.lines().zip((0..).map(MoveLineId)).skip(1) {
            match line.branch.filter(|branch| (branch.at as usize) < record.line(branch.parent).moves.len()) {
                Some(branch) => {
                    let place = MovePlace { line: branch.parent, after: branch.at + 1 };
                    index.variations.entry(place).or_default().push(id);
                }
                // PGN cannot express a variation after the last move.
                None => losses.left_out(Lost::Variations, 1),
            }
        }
        index
    }

    fn open(&self, id: MoveLineId) -> Open<'a> {
        let (variations, comments) = self.after(id, 0);
        let is_second = self.record.line(id).opens_with_second;
        Open { id, nth: 0, turn: 1, is_second, variations, comments }
    }

    /// Returns the variations and the comments after a number of moves of a line.
    fn after(&self, line: MoveLineId, nth: usize) -> (std::vec::IntoIter<MoveLineId>, Vec<Comment<'a>>) {
        let place = MovePlace { line, after: nth as u32 };
        let variations = self.variations.get(&place).cloned().unwrap_or_default().into_iter();
        (variations, self.comments.get(&place).cloned().unwrap_or_default())
    }
}
