//! The moves of HEN.

use tafl_rules::{Coord, Side, Span};

use super::HenReader;
use crate::diagnostic::TextFinding;
use crate::format::fen;
use crate::record::{MoveMark, WrittenMove};
use crate::token::MoveReader;

impl HenReader<'_> {
    /// Reads a line of moves.
    pub(super) fn moves(&mut self, line: Span) {
        let words: Vec<Span> = fen::words(&self.source, line).collect();
        for word in words {
            self.word(word);
        }
    }

    /// Reads a word: a number, a move, or both.
    fn word(&mut self, word: Span) {
        let text = self.source.at(word);
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let dots = text[digits..].bytes().take_while(|byte| *byte == b'.').count();
        let is_numbered = digits > 0 && (dots > 0 || matches!(&text[digits..], "" | "-"));
        let rest = if is_numbered { &text[digits + dots..] } else { text };
        if is_numbered {
            self.number(Span { end: word.start + digits as u32, ..word });
        }
        let span = Span { start: word.end - rest.len() as u32, ..word };
        match rest {
            "" => {}
            "-" if self.record.main().moves.is_empty() => {
                self.record.first_mover = Some(Side::Defenders);
                self.already_moved = 1;
            }
            _ => self.read_move(span),
        }
    }

    fn number(&mut self, span: Span) {
        let expected = (self.record.main().moves.len() + self.already_moved) / 2 + 1;
        if self.source.at(span).parse() != Ok(expected) {
            self.report(span, TextFinding::MoveNumber { expected: expected as u32 });
        }
    }

    fn read_move(&mut self, span: Span) {
        let text = self.source.at(span).as_bytes();
        // The program writes the start of a move that is being made.
        if cell(text).is_some_and(|(_, rest)| rest.is_empty()) {
            self.report(span, TextFinding::Incomplete { missing: "the destination" });
            return;
        }
        if let Some(mv) = own_move(text, span) {
            self.record.main_mut().moves.push(mv);
            return;
        }
        let first = self.record.captures.len();
        let whole = &self.source.text.as_bytes()[..span.end as usize];
        let read = MoveReader::new(whole.len(), &mut self.record.captures).step(text);
        match read {
            Ok(([], mv)) => self.record.push_move(mv, first),
            Ok(_) | Err(_) => {
                self.record.captures.truncate(first);
                self.report(span, TextFinding::BadMove);
            }
        }
    }
}

/// Reads a move in the form of this notation.
pub(crate) fn own_move(text: &[u8], span: Span) -> Option<WrittenMove> {
    let (from, rest) = cell(text)?;
    let (to, rest) = cell(rest)?;
    let mark = match rest {
        b"" => MoveMark::None,
        b"*" | b"(*)" => MoveMark::Star,
        _ => return None,
    };
    Some(WrittenMove { mark, ..WrittenMove::new(from, to, span) })
}

/// Reads a cell with the rank as a digit, as X or L, or as a number of two digits, and returns it with the rest.
fn cell(text: &[u8]) -> Option<(Coord, &[u8])> {
    let file = text.first()?.to_ascii_lowercase().wrapping_sub(b'a');
    let (rank, length) = match text.get(1..)? {
        [b'x' | b'X', ..] => (10, 2),
        [b'l' | b'L', ..] => (11, 2),
        [tens @ b'1'..=b'2', units @ b'0'..=b'9', ..] => {
            (i16::from(tens - b'0') * 10 + i16::from(units - b'0'), 3)
        }
        [digit @ b'1'..=b'9', ..] => (i16::from(digit - b'0'), 2),
        _ => return None,
    };
    (file < 26).then(|| (Coord::new(i16::from(file), rank - 1), &text[length..]))
}
