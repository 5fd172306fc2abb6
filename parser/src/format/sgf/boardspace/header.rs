//! Statements about a game of BoardSpace: its options, players, and result.

use std::cmp::Ordering;

use tafl_rules::{BySide, RowOrder, Setup, Shape, Side, Span};

use super::BoardSpaceReader;
use super::options::{self, TablutOptions};
use crate::diagnostic::{EndFinding, HeaderFinding};
use crate::format::sgf::lines::{reading_order, reorder};
use crate::format::sgf::value;
use crate::record::{Written, WrittenResult, WrittenStart, WrittenVerdict, tag};
use crate::words;

/// Statements about a player.
#[derive(Debug, Default)]
pub(super) struct PlayerInfo {
    /// The names and the values of the tags.
    facts: Vec<(&'static str, String, Span)>,
    name: Option<String>,
}

impl BoardSpaceReader<'_, '_> {
    pub(super) fn setup(&mut self, span: Span) {
        if self.setup.replace(span).is_some() {
            return self.report(span, HeaderFinding::Duplicate);
        }
        let text = self.source.at(span);
        self.builder.record.push_tag("setup", text.trim(), span);
        let mut words = text.split_whitespace();
        let name = words.next().unwrap_or("");
        let Some(mut options) = TablutOptions::named(name) else {
            let span = self.source.span_of(name).filter(|name| !name.is_empty()).unwrap_or(span);
            let expected = "tablut-7, tablut-9 or tablut-11";
            return self.report(span, HeaderFinding::BadTag { tag: "SU", expected });
        };
        while let Some(option) = words.next() {
            if option.starts_with(".end") {
                break;
            }
            let value = words.next().unwrap_or(&text[text.len()..]);
            if !option.eq_ignore_ascii_case("rev") && !options.set(option, value) {
                let end = self.source.span_of(value).map_or(span.end, |value| value.end);
                let span = self.source.span_of(option).map_or(span, |option| Span { end, ..option });
                self.report(
                    span,
                    HeaderFinding::BadTag { tag: "SU", expected: "options, each with true or false" },
                );
            }
        }
        let shape = Shape::square(options.side);
        self.board = shape.and_then(|shape| Setup::parse_in(shape, options.start(), RowOrder::Rising).ok());
        let name = format!("boardspace-{}", name.to_ascii_lowercase());
        self.builder.record.variant = Some(Written { text: name.into(), span });
        self.options = Some(options);
    }

    pub(super) fn info(&mut self, player: usize, name: &str, value: &str, span: Span) {
        let span = self.source.span_of(value).unwrap_or(span);
        let text = value::line(value);
        let text = text.trim().trim_matches('"');
        let info = &mut self.players[player];
        let name = match name.to_ascii_lowercase().as_str() {
            "id" => {
                let decoded = decode(text);
                info.name.get_or_insert_with(|| decoded.clone());
                return info.facts.push(("name", decoded, span));
            }
            "ranking" => "rating",
            "country" => "country",
            _ => "time",
        };
        info.facts.push((name, text.to_owned(), span));
    }

    pub(super) fn finish(mut self) {
        self.rules();
        self.player_tags();
        self.read_result();
        let record = self.builder.record;
        if !self.times.is_empty() {
            record.push_tag("elapsed-times", &self.times.join(" "), self.times_span);
        }
        let order = reading_order(record);
        reorder(record, &order);
    }

    fn rules(&mut self) {
        let Some(mut options) = self.options.take() else { return };
        let span = self.setup.unwrap_or_default();
        let date = self.builder.record.tags.iter().find(|tag| tag.name == tag::DATE);
        if let Some((day, span)) = date.map(|date| (options::day(date.value), date.span)) {
            match day {
                Some(day) => options.set_day(day),
                None => {
                    let expected = "a date, which decides on the rules of captures";
                    self.report(span, HeaderFinding::BadTag { tag: "DT", expected });
                }
            }
        }
        for rule in options.unexpressed() {
            self.report(span, HeaderFinding::SiteRule { rule });
        }
        let start = self.board.take().filter(|board| board.to_string() != options.start());
        if let (Some(setup), Some(span)) = (start, self.changed) {
            self.builder.record.start = Some(WrittenStart { setup, span });
        }
        self.builder.record.rules = Some(Written { text: options.rules().into(), span });
    }

    /// Adds the tags of the players by the sides that they have at the end.
    fn player_tags(&mut self) {
        let gold = self.end.gold;
        for (player, info) in self.players.iter_mut().enumerate() {
            let is_gold = player == gold;
            for (name, value, span) in std::mem::take(&mut info.facts) {
                let name = match (name, is_gold) {
                    ("name", true) => tag::DEFENDERS,
                    ("name", false) => tag::ATTACKERS,
                    ("rating", true) => tag::DEFENDERS_RATING,
                    ("rating", false) => tag::ATTACKERS_RATING,
                    ("country", true) => "defenders-country",
                    ("country", false) => "attackers-country",
                    (_, true) => "defenders-time",
                    (_, false) => "attackers-time",
                };
                self.builder.record.push_tag(name, &value, span);
            }
        }
        if self.end.is_swapped {
            let span = self.setup.unwrap_or_default();
            // The site allows a swap before the first move only.
            self.builder.record.push_tag(tag::SWAPPED, "0", span);
        }
    }

    /// Reads the result, which names the winner.
    fn read_result(&mut self) {
        let Some((text, span)) = self.result.take() else { return };
        let words = text.trim().trim_end_matches(['.', '!']);
        let names = BySide {
            attackers: self.players[1 - self.end.gold].name.as_deref(),
            defenders: self.players[self.end.gold].name.as_deref(),
        };
        let is_winner =
            |name: &Option<&str>| name.is_some_and(|name| !name.is_empty() && ends_with_word(words, name));
        let verdict = match (is_winner(&names.attackers), is_winner(&names.defenders)) {
            (true, false) => Some(WrittenVerdict::Win(Side::Attackers)),
            (false, true) => Some(WrittenVerdict::Win(Side::Defenders)),
            // `Game won by Jo Ann` also ends with the name of a player Ann.
            (true, true) => match names.attackers.map(str::len).cmp(&names.defenders.map(str::len)) {
                Ordering::Greater => Some(WrittenVerdict::Win(Side::Attackers)),
                Ordering::Less => Some(WrittenVerdict::Win(Side::Defenders)),
                Ordering::Equal => None,
            },
            (false, false) if words.to_ascii_lowercase().contains("draw") => Some(WrittenVerdict::Draw),
            (false, false) => words::verdict(words),
        };
        match verdict {
            Some(verdict) => self.builder.record.result = Some(WrittenResult { verdict, reason: None, span }),
            None => {
                let expected = "a draw, or the name of a player at the end";
                self.report(span, EndFinding::BadResult { expected });
                self.builder.record.push_tag("result", &text, span);
            }
        }
    }
}

/// Returns whether a text ends with a word or several, not only with a part of a word.
fn ends_with_word(text: &str, words: &str) -> bool {
    let before = text.strip_suffix(words);
    before.is_some_and(|before| before.chars().next_back().is_none_or(|symbol| !symbol.is_alphanumeric()))
}

/// Returns a name as the site shows it: other characters than letters and digits are written as `%number%`.
fn decode(name: &str) -> String {
    let mut parts = name.split('%');
    let mut decoded = parts.next().unwrap_or("").to_owned();
    while let Some(part) = parts.next() {
        let symbol = part.parse::<u32>().ok().and_then(char::from_u32);
        match (symbol, parts.next()) {
            (Some(symbol), Some(rest)) => {
                decoded.push(symbol);
                decoded.push_str(rest);
            }
            (_, rest) => {
                decoded.push('%');
                decoded.push_str(part);
                if let Some(rest) = rest {
                    decoded.push('%');
                    decoded.push_str(rest);
                }
            }
        }
    }
    decoded
}
