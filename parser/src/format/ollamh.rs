//! The `.tafl` files of Brandubh · Ollamh (jojopeligroso/brandubh): PGN-like, for Brandubh on 7x7.
//!
//! ```text
//! game    = { tag } { word }
//! tag     = "[" name '"' value '"' "]"                  on a line of its own, also after the moves
//! word    = number "." | move | comment | result
//! move    = cell "-" cell [ "x" number ]                the number of captured men
//! comment = "{" text "}" | ";" text | "%" text          the last two until the end of the line
//! result  = "1-0" | "0-1" | "1/2-1/2" | "*"             1-0: the attackers won
//! ```
//!
//! - `Variant` is `wtf`, `walker`, or `custom`; only `custom` has `Rules`: options such as `armedKing=1`, see [`rules`].
//! - `Termination` is a status of the program, such as `defenders_win_time`.

mod rules;

use std::collections::HashSet;

use tafl_rules::{Reason, Side, Span};

use super::{Format, PGN_NAMES, bracket, pgn, termination};
use crate::diagnostic::{
    Diagnostic, DiagnosticKind, EndFinding, Findings, HeaderFinding, Parsed, TextFinding,
};
use crate::record::{
    CaptureStyle, Comment, MoveMark, MovePlace, Record, Written, WrittenMove, WrittenMoveCaptureCount,
    WrittenResult, WrittenVerdict, tag,
};
use crate::source::Source;
use crate::token::{self, MoveReader};

/// The version of the format that the program writes.
pub(crate) const VERSION: &str = "brandubh-1";

/// The name of the tag that keeps the options of custom rules as written.
pub(crate) const RULES_TAG: &str = "ollamh-rules";

/// Reads one record.
pub(crate) fn parse(source: &Source<'_>) -> Parsed<Record> {
    let mut record = Record::new(Format::Ollamh);
    record.capture_style = CaptureStyle::NotWritten;
    let mut reader = OllamhReader {
        source,
        record,
        diagnostics: Findings::default(),
        names: HashSet::new(),
        rules: None,
        status: None,
    };
    reader.read();
    reader.set_rules();
    reader.set_status();
    let OllamhReader { mut record, mut diagnostics, .. } = reader;
    if !record.captures.is_empty() {
        record.capture_style = CaptureStyle::ListedButKings;
    }
    diagnostics.sort();
    Parsed { value: record, diagnostics: diagnostics.into_vec() }
}

/// Returns the word for a variant of the catalog, and whether it reads as the same variant.
pub(crate) fn variant_word(name: &str) -> (&str, bool) {
    match name {
        "brandubh7" => ("wtf", true),
        "brandub7-opentafl" => ("walker", true),
        _ => (name, rules::variant(name).is_none()),
    }
}

/// Returns whether a text has a move with a number of captures on a board of 7, such as `d5-c5x1`.
pub(super) fn has_capture_number(text: &[u8]) -> bool {
    let mut numbers = memchr::memchr_iter(b'x', text);
    numbers.any(|at| {
        let before = at.checked_sub(3).map(|start| &text[start..at]);
        let is_end =
            text.get(at + 2).is_none_or(|byte| byte.is_ascii_whitespace() || b"!?+#;{".contains(byte));
        let is_number = text.get(at + 1).is_some_and(u8::is_ascii_digit);
        is_number
            && is_end
            && matches!(before, Some([b'-' | b'1'..=b'7', b'a'..=b'g' | b'A'..=b'G', b'1'..=b'7']))
    })
}

/// Returns the result that a word stands for; `1-0` is a win of the attackers.
pub(crate) fn verdict(word: &str) -> Option<WrittenVerdict> {
    Some(match word {
        "1-0" => WrittenVerdict::Win(Side::Attackers),
        "0-1" => WrittenVerdict::Win(Side::Defenders),
        "1/2-1/2" | "½-½" => WrittenVerdict::Draw,
        "*" => WrittenVerdict::Ongoing,
        _ => return None,
    })
}

/// Returns the result that a status of the program stands for.
pub(crate) fn status(word: &str) -> Option<(WrittenVerdict, Option<Reason>)> {
    if word == "playing" {
        return Some((WrittenVerdict::Ongoing, None));
    }
    if word == "draw_repetition" {
        return Some((WrittenVerdict::Draw, Some(Reason::Repetition)));
    }
    let (side, rest) = word.split_once("_win_")?;
    let side = match side {
        "attackers" => Side::Attackers,
        "defenders" => Side::Defenders,
        _ => return None,
    };
    let reason = match (side, rest) {
        (Side::Defenders, "escape") => Reason::KingReachedGoal,
        (Side::Attackers, "capture") => Reason::KingCaptured,
        (Side::Attackers, "encirclement") => Reason::Encirclement,
        (Side::Attackers, "repetition") => Reason::Repetition,
        (_, "no_moves") => Reason::NoLegalMove,
        (_, "resign") => Reason::Resignation,
        (_, "time") => Reason::Timeout,
        _ => return None,
    };
    Some((WrittenVerdict::Win(side), Some(reason)))
}

struct OllamhReader<'s> {
    source: &'s Source<'s>,
    record: Record,
    diagnostics: Findings,
    /// The lowercase names of the tags so far.
    names: HashSet<String>,
    /// The span of the options of custom rules.
    rules: Option<Span>,
    /// The span of the status in `Termination`.
    status: Option<Span>,
}

impl OllamhReader<'_> {
    fn report(&mut self, span: Span, kind: impl Into<DiagnosticKind>) {
        self.diagnostics.push(Diagnostic::new(span, kind));
    }

    fn read(&mut self) {
        let bytes = self.source.text.as_bytes();
        let mut at = if self.source.text.starts_with('\u{feff}') { 3 } else { 0 };
        let mut begins_line = true;
        while let Some(byte) = bytes.get(at) {
            let line_end = || memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |length| at + length);
            let next = match byte {
                b'\n' => {
                    (at, begins_line) = (at + 1, true);
                    continue;
                }
                byte if byte.is_ascii_whitespace() => {
                    at += 1;
                    continue;
                }
                b'[' if begins_line => self.tag_line(Span::new(at, line_end())),
                b'%' if begins_line => self.comment(Span::new(at, line_end())),
                b';' => self.comment(Span::new(at, line_end())),
                b'{' => self.brace_comment(at),
                b'(' => self.skip_variation(at),
                _ => self.word(at),
            };
            (at, begins_line) = (next, false);
        }
    }

    /// Stores the text after the first character as a comment, and returns its end.
    fn comment(&mut self, span: Span) -> usize {
        let text = self.source.at(span).get(1..).unwrap_or("").trim();
        if let (false, Some(span)) = (text.is_empty(), self.source.span_of(text)) {
            let place = MovePlace::in_main(self.record.main().moves.len());
            self.record.comments.push(Comment { place, text, span });
        }
        span.end as usize
    }

    /// Reads a comment in braces, which may be nested.
    fn brace_comment(&mut self, at: usize) -> usize {
        match self.closing(at, b'{', b'}') {
            Some(end) => self.comment(Span::new(at, end)) + 1,
            None => {
                let marked = Span::new(at, at + bracket::marked(self.source.text, at));
                self.report(marked, TextFinding::Unclosed { bracket: '{' });
                self.comment(Span::new(at, self.source.text.len()))
            }
        }
    }

    /// Skips a variation, which the notation does not have.
    fn skip_variation(&mut self, at: usize) -> usize {
        let end = self.closing(at, b'(', b')').map_or(self.source.text.len(), |end| end + 1);
        self.report(Span::new(at, end), TextFinding::Stray);
        end
    }

    /// Returns the place of the bracket that closes the one at `at`; `None` if it is missing.
    fn closing(&self, at: usize, open: u8, close: u8) -> Option<usize> {
        let mut depth = 0_u32;
        memchr::memchr2_iter(open, close, &self.source.text.as_bytes()[at..]).find_map(|offset| {
            if self.source.text.as_bytes()[at + offset] == open {
                depth += 1;
                return None;
            }
            depth -= 1;
            (depth == 0).then_some(at + offset)
        })
    }

    /// Reads `[Name "value"]`, or `[Name value]` without quotes, and returns the end of the line.
    fn tag_line(&mut self, span: Span) -> usize {
        let line = self.source.at(span).trim_end();
        let end = span.end as usize;
        let found = match pgn::tag_line(line.as_bytes()) {
            Ok((rest, (name, raw))) => {
                if !rest.is_empty()
                    && let Ok(rest) = std::str::from_utf8(rest)
                    && !rest.trim_start().starts_with([';', '{'])
                {
                    let rest = self.source.span_of(rest.trim()).filter(|span| !span.is_empty());
                    rest.into_iter().for_each(|span| self.report(span, TextFinding::Stray));
                }
                std::str::from_utf8(name).ok().zip(std::str::from_utf8(raw).ok())
            }
            Err(_) => line[1..].trim_end().strip_suffix(']').and_then(|inside| {
                let (name, value) = inside.trim().split_once(char::is_whitespace)?;
                let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
                (is_name && !value.contains('"')).then_some((name, value.trim()))
            }),
        };
        match found.and_then(|(name, raw)| Some((name, self.source.span_of(raw)?))) {
            Some((name, span)) => self.tag(name, span),
            None => {
                let place = Span::new(span.start as usize, span.start as usize + line.len());
                self.report(place, pgn::not_a_tag(line.as_bytes()));
            }
        }
        end
    }

    fn tag(&mut self, name: &str, span: Span) {
        let value = pgn::unescape(self.source.at(span));
        let is = |known: &str| name.eq_ignore_ascii_case(known);
        let known = PGN_NAMES.iter().find(|(known, _)| is(known));
        let own_name = known.map_or(name, |(_, ours)| ours);
        if !self.names.insert(name.to_ascii_lowercase()) {
            self.report(span, HeaderFinding::Duplicate);
            self.record.push_tag(own_name, &value, span);
        } else if is("Variant") {
            let text = rules::variant(&value).unwrap_or(&value);
            self.record.variant = Some(Written { text: text.into(), span });
        } else if is("Rules") {
            self.rules = Some(span);
        } else if is("Result") {
            self.result_tag(&value, span);
        } else if is("Termination") {
            self.status = Some(span);
        } else if is("Format") {
            if value != VERSION {
                self.report(span, HeaderFinding::BadTag { tag: "Format", expected: VERSION });
                self.record.push_tag(name, &value, span);
            }
        } else {
            self.record.push_tag(own_name, &value, span);
        }
    }

    fn result_tag(&mut self, value: &str, span: Span) {
        match verdict(value.trim()) {
            Some(verdict) => self.record.result = Some(WrittenResult { verdict, reason: None, span }),
            None => {
                let expected = "1-0 (the attackers won), 0-1, 1/2-1/2 or *";
                self.report(span, EndFinding::BadResult { expected });
                self.record.push_tag("result", value, span);
            }
        }
    }

    /// Sets the rules: only a custom variant, or none, has options.
    fn set_rules(&mut self) {
        let is_custom = self
            .record
            .variant
            .as_ref()
            .is_none_or(|variant| variant.text.trim().eq_ignore_ascii_case("custom"));
        let Some(span) = self.rules else { return };
        self.record.push_tag(RULES_TAG, &pgn::unescape(self.source.at(span)), span);
        if is_custom {
            let text = rules::custom(self.source, span, &mut self.diagnostics);
            self.record.rules = Some(Written { text: text.into(), span });
            self.record.variant = None;
        } else {
            self.report(
                span,
                HeaderFinding::BadTag { tag: "Rules", expected: "no options for a named variant" },
            );
        }
    }

    fn set_status(&mut self) {
        let Some(span) = self.status else { return };
        let text = pgn::unescape(self.source.at(span));
        match (status(&text), &mut self.record.result) {
            (Some((verdict, reason)), None) => {
                self.record.result = Some(WrittenResult { verdict, reason, span });
            }
            (Some((verdict, reason)), Some(result)) if result.verdict == verdict => result.reason = reason,
            (Some(_), Some(_)) => {
                let expected = "a status that agrees with the result";
                self.report(span, HeaderFinding::BadTag { tag: "Termination", expected });
                self.record.push_tag(tag::TERMINATION, &text, span);
            }
            (None, _) => termination::read(&mut self.record, &text, span),
        }
    }

    /// Reads a word: a turn number, a result, or a move. Returns its end.
    fn word(&mut self, at: usize) -> usize {
        let bytes = &self.source.text.as_bytes()[at..];
        let is_end = |byte: &u8| byte.is_ascii_whitespace() || b";{(".contains(byte);
        let length = bytes.iter().skip(1).position(is_end).map_or(bytes.len(), |length| length + 1);
        let span = Span::new(at, at + length);
        let text = self.source.at(span);
        if let Some(verdict) = verdict(text) {
            // The program writes the result twice.
            let stated = WrittenResult { verdict, reason: None, span };
            termination::set_result(&mut self.record, &mut self.diagnostics, stated);
            return at + length;
        }
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let dots = text[digits..].bytes().take_while(|byte| b".)".contains(byte)).count();
        let lead = if digits > 0 && (dots > 0 || digits == text.len()) { digits + dots } else { 0 };
        let span = Span::new(at + lead, at + length);
        if !span.is_empty() && !self.mv(span) {
            self.report(span, TextFinding::BadMove);
        }
        at + length
    }

    /// Reads a move. Returns whether the word is one.
    fn mv(&mut self, span: Span) -> bool {
        let word = self.source.at(span);
        if let Some(mv) = self.plain(word, span) {
            self.record.main_mut().moves.push(mv);
            return true;
        }
        let without = word.trim_end_matches(['!', '?', '+', '#']);
        let number = without.bytes().rev().take_while(u8::is_ascii_digit).count();
        let (cells, number) = without.split_at(without.len() - number);
        let (cells, number) = match cells.strip_suffix(['x', 'X']) {
            Some(cells) => (cells, number),
            None => (without, ""),
        };
        let Some(mv) = self.plain(cells, span).or_else(|| self.crossed(cells, span)) else { return false };
        let glyphs = &word[without.len()..];
        let mark = match token::mark(glyphs.as_bytes()) {
            Ok(([], MoveMark::None)) => Some(mv.mark),
            Ok(([], mark)) => Some(mark),
            Ok(_) | Err(_) => None,
        };
        let at = self.record.main().moves.len() as u32;
        self.record.main_mut().moves.push(WrittenMove { mark: mark.unwrap_or(mv.mark), ..mv });
        if let (Ok(count), Some(span)) = (number.parse(), self.source.span_of(number)) {
            self.record.move_capture_counts.push(WrittenMoveCaptureCount { at, count, span });
        } else if !number.is_empty() {
            return false;
        }
        if let (None, Some(span)) = (mark, self.source.span_of(glyphs)) {
            let place = MovePlace::in_main(at as usize + 1);
            self.record.comments.push(Comment { place, text: glyphs, span });
        }
        true
    }

    /// Reads a move that the other notations have as well.
    fn plain(&mut self, cells: &str, span: Span) -> Option<WrittenMove> {
        let first = self.record.captures.len();
        let end = span.start as usize + cells.len();
        match MoveReader::new(end, &mut self.record.captures).step(cells.as_bytes()) {
            Ok(([], mv)) => Some(mv),
            Ok(_) | Err(_) => {
                self.record.captures.truncate(first);
                None
            }
        }
    }

    /// Reads a move whose `x` is in place of the hyphen, which makes no statement about captures.
    fn crossed(&self, cells: &str, span: Span) -> Option<WrittenMove> {
        let (from, to) = cells.split_once(['x', 'X'])?;
        let cell = |text: &str| match token::cell(text.as_bytes()) {
            Ok(([], coord)) => Some(coord),
            Ok(_) | Err(_) => None,
        };
        let start = span.start as usize;
        Some(WrittenMove::new(cell(from)?, cell(to)?, Span::new(start, start + cells.len())))
    }
}

#[cfg(test)]
mod tests;
