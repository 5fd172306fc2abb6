//! The tags of the frame.

use std::fmt::Write;

use tafl_rules::Side;

use super::{FramedWriter, MoveNotation, closes_at_end, without_brackets};
use crate::diagnostic::Lost;
use crate::format::{bracket, implied_shape, opentafl};
use crate::record::{Tag, WrittenVerdict, tag};
use crate::words;
use crate::write::stated::StatedResult;

/// Returns whether readers treat the first tag of this name as game data. A second one is a plain tag, and
/// must be written after the first.
fn is_statement(name: &str) -> bool {
    ["dim", "position", "result", "rules", "variant"].contains(&name)
}

/// Returns whether the frame can hold a tag of this name.
fn is_expressible(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    !name.is_empty() && name.bytes().all(is_plain)
}

impl<N: MoveNotation> FramedWriter<'_, '_, N> {
    pub(super) fn header(&mut self) {
        let record = self.game.record;
        let begin = self.out.len();
        // Readers recognize a record by a known tag at its beginning.
        let first = record.tags.iter().find(|tag| !is_statement(tag.name) && is_expressible(tag.name));
        let is_known = |tag: Tag<'_>| bracket::known_tag(format!("[{}:", tag.name).as_bytes()).is_some();
        let variant_first = first.is_some_and(|tag| !is_known(tag));
        if variant_first {
            self.variant();
        }
        for tag in record.tags.iter().filter(|tag| !is_statement(tag.name)) {
            self.tag(tag.name, tag.value);
        }
        if record.variant.is_some() && !variant_first {
            self.variant();
        }
        let has_result = self.result();
        let played = self.game.played.map(|played| &*played.rules).filter(|rules| !rules.is_empty());
        let rules = record.rules.as_ref().map(|rules| &*rules.text).or(played);
        if let Some(start) = &record.start {
            let position = start.setup.to_string();
            self.text_tag("position", &position, Lost::Start);
            let shape = start.setup.shape();
            if implied_shape(rules.unwrap_or_default(), &position) != Some(shape) {
                self.text_tag("board", &shape.to_string(), Lost::Start);
            }
        }
        for tag in record.tags.iter().filter(|tag| tag.name == "position") {
            self.tag(tag.name, tag.value);
        }
        self.is_separate = rules.is_some();
        match rules {
            Some(rules) => self.text_tag("rules", rules, Lost::Rules),
            None => self.losses.needs_rules(Lost::Rules),
        }
        let is_first = |rules: &str| {
            if rules.split_ascii_whitespace().any(|word| word == "atkf:n") {
                Side::Defenders
            } else {
                Side::Attackers
            }
        };
        let is_lost = record.first_mover.is_some_and(|first| rules.map(is_first) != Some(first));
        self.losses.left_out(Lost::FirstMover, usize::from(is_lost));
        // Tags after the rules tag cause a diagnostic; positions already follow their first one.
        let others = record.tags.iter().filter(|tag| is_statement(tag.name) && tag.name != "position");
        for tag in others {
            // A word without a meaning in one notation may be a result in this one: in prose, `1` names no side.
            if tag.name == "result" && !has_result && opentafl::verdict(tag.value).is_some() {
                self.losses.left_out_tags([tag.name]);
            } else {
                self.tag(tag.name, tag.value);
            }
        }
        if self.out.len() == begin {
            self.variant();
        }
        self.out.push('\n');
    }

    /// Appends the variant, or the word for an unknown one.
    fn variant(&mut self) {
        let variant = self.game.record.variant.as_ref().map(|variant| &*variant.text);
        self.losses.left_out(Lost::Variant, usize::from(variant == Some("?")));
        self.text_tag("variant", variant.unwrap_or("?"), Lost::Variant);
    }

    fn tag(&mut self, name: &str, value: &str) {
        if !is_expressible(name) {
            return self.losses.left_out_tags([name]);
        }
        self.text_tag(name, value, Lost::Tags);
    }

    /// Appends a tag, and changes its text if a reader would find the end of the tag elsewhere.
    fn text_tag(&mut self, name: &str, value: &str, what: Lost) {
        let trimmed = bracket::trimmed(value);
        let text = format!("[{name}:{trimmed}]");
        let text =
            if closes_at_end(&text) { text } else { format!("[{name}:{}]", without_brackets(trimmed)) };
        let is_changed = trimmed != value || text[name.len() + 2..text.len() - 1] != *value;
        self.losses.changed(what, usize::from(is_changed));
        self.out.push_str(&text);
        self.out.push('\n');
    }

    /// Appends the result, and returns whether there is one.
    fn result(&mut self) -> bool {
        let record = self.game.record;
        let from_ending = record.format != self.losses.format() || !self.is_ending_written();
        let stated = self.game.result_to_write(from_ending, self.losses);
        let Some(StatedResult { verdict, reason }) = stated else { return false };
        let word = match verdict {
            WrittenVerdict::Win(Side::Attackers) => "1",
            WrittenVerdict::Win(Side::Defenders) => "-1",
            WrittenVerdict::Draw => "0",
            WrittenVerdict::Ongoing | WrittenVerdict::Unknown => "?",
        };
        self.losses.changed(Lost::Result, usize::from(verdict == WrittenVerdict::Ongoing));
        writeln!(self.out, "[result:{word}]").expect("a String takes everything");
        match record.tag(tag::TERMINATION) {
            Some(words) => self.losses.reason(record, words::reason(words)),
            None => {
                if let Some(reason) = reason {
                    writeln!(self.out, "[termination:{reason}]").expect("a String takes everything");
                }
            }
        }
        true
    }
}
