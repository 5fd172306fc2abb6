//! The turns of an OpenTafl record.

use nom::Parser;
use nom::bytes::complete::take_while1;
use tafl_rules::Span;

use super::tree::{NumberedTurn, Tree, TurnItem};
use crate::diagnostic::{Diagnostic, DiagnosticKind, Findings, TextFinding};
use crate::format::bracket::{self, Brackets};
use crate::record::{Comment, MoveLineId, MovePlace, Record, WrittenEnding};
use crate::source::Source;
use crate::token::{MoveReader, Read, number, word_length};
use crate::words;

/// Reads the turns from `start` on into the record.
pub(super) fn read(source: &Source<'_>, start: usize, record: &mut Record, diagnostics: &mut Findings) {
    let rest = &source.text.as_bytes()[start..];
    // Without comments a turn takes about 18 bytes; with comments the lists grow as needed.
    let n_turns = rest.len().min(8192) / 16;
    record.main_mut().moves.reserve(2 * n_turns);
    let brackets = Brackets::new(source.text.as_bytes());
    let tree = Tree::with_capacity(n_turns);
    OpenTaflBodyReader { source, record, diagnostics, brackets, tree, line: Some(MoveLineId::MAIN) }
        .turns(rest);
}

struct OpenTaflBodyReader<'r, 's> {
    source: &'r Source<'s>,
    record: &'r mut Record,
    diagnostics: &'r mut Findings,
    brackets: Brackets<'s>,
    tree: Tree,
    /// The current line; `None` after an invalid address.
    line: Option<MoveLineId>,
}

impl OpenTaflBodyReader<'_, '_> {
    fn turns(&mut self, input: &[u8]) {
        let mut rest = input;
        while let Some(byte) = rest.first() {
            rest = match byte {
                b' ' | b'\n' | b'\r' | b'\t' => &rest[1..],
                b'0'..=b'9' => self.address(rest),
                b'[' => self.comments(rest),
                b'.' => self.skipped_player(rest),
                _ => self.item(rest),
            };
        }
    }

    fn at(&self, rest: &[u8]) -> usize {
        self.source.text.len() - rest.len()
    }

    /// Reports a diagnostic about the first `length` bytes of `input`, and returns the rest.
    #[cold]
    fn report<'a>(&mut self, input: &'a [u8], length: usize, kind: TextFinding) -> &'a [u8] {
        let start = self.at(input);
        let span = Span::new(start, start + length);
        // The words of one sentence between turns are reported as one diagnostic.
        if let Some(last) = self.diagnostics.last_mut()
            && last.kind == DiagnosticKind::Text(kind.clone())
            && matches!(kind, TextFinding::BadMove | TextFinding::BadMoveAside | TextFinding::Stray)
            && self.source.at(Span { start: last.span.end, end: span.start }).bytes().all(|byte| byte == b' ')
        {
            last.span = last.span.cover(span);
        } else {
            self.diagnostics.push(Diagnostic::new(span, kind));
        }
        &input[length..]
    }

    #[inline(always)]
    fn address<'a>(&mut self, input: &'a [u8]) -> &'a [u8] {
        match common_turn_number(input) {
            Some((number, length)) => {
                self.main_turn(number, input, length);
                &input[length..]
            }
            None => self.unusual_address(input),
        }
    }

    fn unusual_address<'a>(&mut self, input: &'a [u8]) -> &'a [u8] {
        if let Ok((rest, number)) = turn_number(input) {
            self.main_turn(number, input, input.len() - rest.len());
            return rest;
        }
        let Ok((rest, target)) = self.tree.address(input, self.record) else {
            let kind = self.bad_move();
            return self.report(input, word_length(input), kind);
        };
        let length = input.len() - rest.len();
        let Some(target) = target else {
            self.line = None;
            return self.report(input, length, TextFinding::BadAddress);
        };
        let expected = self.tree.last(target.line).map_or(1, |turn| turn.number.saturating_add(1));
        if target.renumbered || (target.item.turn != expected && target.item.index == 0) {
            self.report(input, length, TextFinding::MoveNumber { expected });
        }
        self.open_turn(target.line, target.item);
        rest
    }

    #[inline]
    fn main_turn(&mut self, number: u32, input: &[u8], length: usize) {
        let last = self.tree.last(MoveLineId::MAIN);
        let expected = last.map_or(1, |turn| turn.number.saturating_add(1));
        // The same number again: the second half of a turn that is split by a comment.
        let n_moves = self.record.main().moves.len() as u32;
        let goes_on = last.is_some_and(|turn| turn.number == number && n_moves < turn.first_move + 2);
        if number != expected && !goes_on {
            self.report(input, length, TextFinding::MoveNumber { expected });
        }
        self.open_turn(MoveLineId::MAIN, TurnItem { turn: number, index: 0 });
    }

    #[inline]
    fn open_turn(&mut self, line: MoveLineId, item: TurnItem) {
        let first_move = self.record.line(line).moves.len() as u32;
        self.line = Some(line);
        if first_move == 0 && item.index == 1 {
            self.record.set_opens_with_second(line, true);
        }
        self.tree.push(line, NumberedTurn { number: item.turn, first_move, skipped: item.index });
    }

    /// Reads `.....`, the placeholder for a player who does not move.
    fn skipped_player<'a>(&mut self, input: &'a [u8]) -> &'a [u8] {
        let dots = input.iter().take_while(|byte| **byte == b'.').count();
        let Some(line) = self.line else { return &input[dots..] };
        let n_moves = self.record.line(line).moves.len() as u32;
        match self.tree.last(line) {
            Some(turn) if turn.first_move == n_moves => {
                self.tree.skip(line);
                if n_moves == 0 {
                    self.record.set_opens_with_second(line, turn.skipped == 0);
                }
                &input[dots..]
            }
            // At the end of a turn they mean that the second player did not move.
            Some(_) => &input[dots..],
            None => self.report(input, dots, TextFinding::Stray),
        }
    }

    #[inline(always)]
    fn item<'a>(&mut self, input: &'a [u8]) -> &'a [u8] {
        let first = self.record.captures.len();
        let mut reader = MoveReader::new(self.source.text.len(), &mut self.record.captures);
        if let Some((mv, length)) = reader.common(input) {
            match self.line {
                Some(line) => self.record.push_to(line, mv),
                None => self.record.captures.truncate(first),
            }
            return &input[length..];
        }
        self.unusual(input, first)
    }

    /// Reads a move in an uncommon form, or another word.
    fn unusual<'a>(&mut self, input: &'a [u8], first: usize) -> &'a [u8] {
        match MoveReader::new(self.source.text.len(), &mut self.record.captures).step(input) {
            Ok((rest, mv)) => {
                match self.line {
                    Some(line) => self.record.push_to(line, mv),
                    None => self.record.captures.truncate(first),
                }
                rest
            }
            Err(_) => self.other(input),
        }
    }

    /// Reads a word that is not a move.
    #[cold]
    fn other<'a>(&mut self, input: &'a [u8]) -> &'a [u8] {
        let length = word_length(input);
        let start = self.at(input);
        let span = Span::new(start, start + length);
        let after = self.record.main().moves.len() as u32;
        match words::ending(self.source.at(span)) {
            Some(kind) if self.line == Some(MoveLineId::MAIN) && self.record.ending.is_none() => {
                self.record.ending = Some(WrittenEnding { kind, side: None, after, span });
                &input[length..]
            }
            Some(_) => self.report(input, length, TextFinding::Stray),
            None if input[0].is_ascii_punctuation() => self.report(input, length, TextFinding::Stray),
            None => {
                let kind = self.bad_move();
                self.report(input, length, kind)
            }
        }
    }

    /// Returns the diagnostic about a word of the current line that is not a move.
    fn bad_move(&self) -> TextFinding {
        if self.line == Some(MoveLineId::MAIN) { TextFinding::BadMove } else { TextFinding::BadMoveAside }
    }

    /// Reads the comments of a turn: one text per item.
    fn comments<'a>(&mut self, input: &'a [u8]) -> &'a [u8] {
        let at = self.at(input);
        let close = self.brackets.close(at).map(|close| close - at);
        if close.is_none() {
            let marked = bracket::marked(self.source.text, at);
            self.report(input, marked, TextFinding::Unclosed { bracket: '[' });
        }
        let end = close.unwrap_or(input.len());
        if let Some(line) = self.line {
            let start = self.at(input) + 1;
            self.comment_texts(line, Span::new(start, start + end - 1));
        }
        &input[close.map_or(end, |close| close + 1)..]
    }

    fn comment_texts(&mut self, line: MoveLineId, inside: Span) {
        let n_moves = self.record.line(line).moves.len() as u32;
        // Before the first turn, a vertical bar keeps the text from being read as a tag.
        let is_before = self.tree.last(line).is_none() && self.source.at(inside).starts_with('|');
        let inside = if is_before { Span { start: inside.start + 1, ..inside } } else { inside };
        let (first, skipped) = self.tree.last(line).map_or((0, 1), |turn| (turn.first_move, turn.skipped));
        let n_items = (n_moves - first + skipped).max(1) as usize;
        // An extra vertical bar belongs to the last text.
        for (text, nth) in self.source.at(inside).splitn(n_items, '|').zip(0u32..) {
            let blank = text.bytes().all(|byte| byte.is_ascii_whitespace() || byte == b'|');
            let Some(span) = self.source.span_of(text).filter(|_| !blank) else { continue };
            let after = if nth < skipped { first } else { (first + nth - skipped + 1).min(n_moves) };
            self.record.comments.push(Comment { place: MovePlace { line, after }, text, span });
        }
    }
}

/// Reads `12. d`: a number of at most four digits, a dot, a blank, and a letter. Returns the number and the
/// length up to the letter.
#[inline(always)]
fn common_turn_number(input: &[u8]) -> Option<(u32, usize)> {
    let mut number = 0;
    for (at, byte) in input.iter().take(5).enumerate() {
        match byte {
            b'0'..=b'9' => number = number * 10 + u32::from(byte - b'0'),
            b'.' if input.get(at + 1) == Some(&b' ')
                && input.get(at + 2).is_some_and(u8::is_ascii_alphabetic) =>
            {
                return Some((number, at + 2));
            }
            _ => return None,
        }
    }
    None
}

/// Reads the number of a turn of the main line with at most one dot; the rest does not begin with a letter or
/// digit.
#[inline]
fn turn_number(input: &[u8]) -> Read<'_, u32> {
    let (rest, number) = number(input)?;
    let (rest, _) = take_while1(|byte| byte == b'.' || byte == b' ' || byte == b'\t').parse(rest)?;
    // More than one dot: `12...` or `12. .....`, where the first player does not move.
    let dots = input.len() - rest.len();
    let written = &input[..dots];
    match written.iter().position(|byte| *byte == b'.') {
        Some(dot) if written[dot + 1..].contains(&b'.') => Ok((&input[dot + 1..], number)),
        _ => Ok((rest, number)),
    }
}
