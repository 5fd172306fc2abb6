//! Moves in texts.
//!
//! ```text
//! move    = [ letter ] , cell , [ link ] , cell , [ captures ] , [ mark ] ;
//! link    = "-" | "^" | "=" | "^=" | "=^" | dash ;       none: `h1h3`; "=": a later step of the same turn; "^": a jump
//! dash    = "->" | "–" | "—" | "−" | "‑" | "‒" | "－" | "→" ;   replacements for a hyphen by word processors, and arrows;
//!                                                         also as entities of HTML, `&ndash;`
//! captures= ( "x" | ":" ) , capture , { ( "/" | "x" | "," | ":" ) , capture } ;    "x" of either case, also as below; "×", "✕", "✖"
//! capture = [ letter ] , cell | "(" , [ letter ] , cell , { "," , [ letter ] , cell } , ")" ;
//! cell    = letter , digit , [ digit ] ;                 of either case; also of full width, and Cyrillic letters that look
//!                                                         like Latin ones
//! mark    = "+" | "-" | "++" | "--" | "==" | "!" | "?" | "!!" | "??" | "!?" | "?!" | "#" | "*" ;
//! ```
//!
//! A piece letter is recognized by the letter after it: `C1-C4` is a man on c1, `CC1-C4` is the commander
//! there.
//! A word with more text after the move is not a move; only a hyphen and a cell may follow, see
//! [`MoveReader::next_step`].
//!
//! Moves make up nearly all of the text of an archive, so the common forms are parsed eight bytes at a time;
//! all others are parsed by nom combinators. A property test checks that both give the same results.

mod common;
#[cfg(test)]
mod tests;

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::character::complete::char as letter;
use nom::combinator::{map, opt};
use tafl_rules::{Coord, Span};

use super::{
    Read, capture_sign, cell, dash, is_boundary, link, mark, piece_letter, skip_invisible, trim_blanks,
};
use crate::record::{MoveMark, WrittenCapture, WrittenMove};

/// A reader of moves that collects their captured cells.
pub(crate) struct MoveReader<'r> {
    /// The length of the whole text, for computing offsets.
    whole: usize,
    captures: &'r mut Vec<WrittenCapture>,
}

impl<'r> MoveReader<'r> {
    /// Creates a reader for a text of `whole` bytes; every input must be a tail of that text.
    #[inline]
    pub(crate) fn new(whole: usize, captures: &'r mut Vec<WrittenCapture>) -> MoveReader<'r> {
        MoveReader { whole, captures }
    }

    /// Reads one move followed by a word boundary. On failure, no captures are kept.
    #[inline(always)]
    pub(crate) fn step<'a>(&mut self, input: &'a [u8]) -> Read<'a, WrittenMove> {
        match self.common(input) {
            Some((mv, length)) => Ok((&input[length..], mv)),
            None => self.any(input),
        }
    }

    /// Reads another step of a turn written in one word, such as `-g5xe4` after `e3-e5`, starting from the
    /// cell `from`.
    pub(crate) fn next_step<'a>(&mut self, input: &'a [u8], from: Coord) -> Read<'a, WrittenMove> {
        let start = self.whole - input.len();
        let (rest, _) = letter('-').parse(input)?;
        let (rest, to) = cell(rest)?;
        let mv = WrittenMove { chained: true, ..WrittenMove::new(from, to, Span::at(start)) };
        self.finish(rest, mv)
    }

    /// Reads a move in any form.
    fn any<'a>(&mut self, input: &'a [u8]) -> Read<'a, WrittenMove> {
        let (rest, mv) = self.cells(input)?;
        self.finish(rest, mv)
    }

    /// Reads the cells of a move with the link between them.
    fn cells<'a>(&self, input: &'a [u8]) -> Read<'a, WrittenMove> {
        let start = self.whole - input.len();
        let (rest, letter) = map(opt(piece_letter), Option::unwrap_or_default).parse(input)?;
        let (rest, from) = cell(rest)?;
        let (rest, (jump, chained)) = link(skip_invisible(rest))?;
        let (rest, to) = cell(skip_invisible(rest))?;
        Ok((rest, WrittenMove { letter, jump, chained, ..WrittenMove::new(from, to, Span::at(start)) }))
    }

    /// Reads the cells and captures of a move that may be followed by anything. A sign of a capture without a cell ends
    /// the captures.
    #[cold]
    pub(crate) fn beginning<'a>(&mut self, input: &'a [u8]) -> Read<'a, WrittenMove> {
        let (rest, mv) = self.cells(input)?;
        let first = self.captures.len();
        let (rest, _) = self.listed_captures(rest);
        self.counted(rest, mv, first)
    }

    /// Reads a move with `>`, `/`, or `:` between its cells: `d6>f6`, `d6/f6`, `d6:f6`.
    #[cold]
    pub(crate) fn other_link<'a>(&mut self, input: &'a [u8]) -> Read<'a, WrittenMove> {
        let start = self.whole - input.len();
        let (rest, letter) = map(opt(piece_letter), Option::unwrap_or_default).parse(input)?;
        let (rest, from) = cell(rest)?;
        let [b'>' | b'/' | b':', rest @ ..] = rest else { return Err(nom::Err::Error(())) };
        let (rest, to) = cell(skip_invisible(rest))?;
        self.finish(rest, WrittenMove { letter, ..WrittenMove::new(from, to, Span::at(start)) })
    }

    /// Reads a move whose cells are words of their own: `d2 - f2`, `d2 to f2`, and `d2 f2` if the cells are on
    /// a line.
    #[cold]
    pub(crate) fn apart<'a>(&mut self, input: &'a [u8]) -> Read<'a, WrittenMove> {
        let start = self.whole - input.len();
        let (rest, letter) = map(opt(piece_letter), Option::unwrap_or_default).parse(input)?;
        let (rest, from) = cell(rest)?;
        let between = trim_blanks(rest);
        let (target, is_linked) = match alt((tag("to "), tag("->"), tag("-"), dash)).parse(between) {
            Ok((target, _)) => (trim_blanks(target), true),
            Err(nom::Err::Error(()) | nom::Err::Failure(()) | nom::Err::Incomplete(_)) => (between, false),
        };
        let (after, to) = cell(target)?;
        let is_apart = between.len() < rest.len();
        if !is_apart || !(is_linked || (from.file == to.file) != (from.rank == to.rank)) {
            return Err(nom::Err::Error(()));
        }
        self.finish(after, WrittenMove { letter, ..WrittenMove::new(from, to, Span::at(start)) })
    }

    /// Reads the captures, the mark, and the boundary after the cells of a move.
    fn finish<'a>(&mut self, input: &'a [u8], mv: WrittenMove) -> Read<'a, WrittenMove> {
        let first = self.captures.len();
        let (rest, mark) = self.captures_and_mark(input).inspect_err(|_| self.captures.truncate(first))?;
        if !is_boundary(rest) {
            self.captures.truncate(first);
            return Err(nom::Err::Error(()));
        }
        self.counted(rest, WrittenMove { mark, ..mv }, first)
    }

    /// Adds the captures from `first` on to a move that ends before `rest`.
    fn counted<'a>(&mut self, rest: &'a [u8], mv: WrittenMove, first: usize) -> Read<'a, WrittenMove> {
        let Ok(n_captures) = u16::try_from(self.captures.len() - first) else {
            self.captures.truncate(first);
            return Err(nom::Err::Error(()));
        };
        let first_capture = if n_captures == 0 { 0 } else { first as u32 };
        let span = Span { end: (self.whole - rest.len()) as u32, ..mv.span };
        Ok((rest, WrittenMove { first_capture, n_captures, span, ..mv }))
    }

    /// Reads captures apart from their move, such as `xf2` and `x f2`, and their mark.
    #[cold]
    pub(crate) fn late_captures<'a>(&mut self, input: &'a [u8]) -> Option<(&'a [u8], MoveMark)> {
        let first = self.captures.len();
        let read = match capture_sign(input, "xX").map(trim_blanks) {
            // After a word such as `takes`, there is no sign.
            None if cell(input).is_ok() => {
                self.capture(input).and_then(|(rest, ())| self.captures_and_mark(rest))
            }
            Some(cells) if cells.len() + 1 < input.len() => {
                self.capture(cells).and_then(|(rest, ())| self.captures_and_mark(rest))
            }
            _ => self.captures_and_mark(input),
        };
        let read = read.ok().filter(|(rest, _)| is_boundary(rest) && self.captures.len() > first);
        if read.is_none() || self.captures.len() - first > usize::from(u16::MAX) {
            self.captures.truncate(first);
            return None;
        }
        read
    }

    fn captures_and_mark<'a>(&mut self, input: &'a [u8]) -> Read<'a, MoveMark> {
        let (rest, is_broken) = self.listed_captures(input);
        // A comma may also end the move.
        if is_broken && rest.first() != Some(&b',') { Err(nom::Err::Error(())) } else { mark(rest) }
    }

    /// Reads captures with their signs, and returns the rest and whether it begins with a sign without a cell.
    fn listed_captures<'a>(&mut self, input: &'a [u8]) -> (&'a [u8], bool) {
        let mut rest = input;
        let mut signs = "xX:";
        while let Some(after) = capture_sign(rest, signs) {
            match self.capture(after).ok().or_else(|| self.captures_in_parentheses(after)) {
                Some((after, ())) => rest = after,
                None => return (rest, true),
            }
            signs = "xX/,:";
        }
        (rest, false)
    }

    /// Reads `(f2)` and `(f2, f3)`. Keeps no captures on failure.
    #[cold]
    fn captures_in_parentheses<'a>(&mut self, input: &'a [u8]) -> Option<(&'a [u8], ())> {
        let first = self.captures.len();
        let mut rest = input.strip_prefix(b"(")?;
        while let Ok((after, ())) = self.capture(rest.trim_ascii_start()) {
            match after.first() {
                Some(b')') => return Some((&after[1..], ())),
                Some(b',' | b'/') => rest = &after[1..],
                _ => break,
            }
        }
        self.captures.truncate(first);
        None
    }

    fn capture<'a>(&mut self, input: &'a [u8]) -> Read<'a, ()> {
        let (rest, letter) = map(opt(piece_letter), Option::unwrap_or_default).parse(input)?;
        let (rest, cell) = cell(rest)?;
        let span = Span::new(self.whole - input.len(), self.whole - rest.len());
        self.captures.push(WrittenCapture { cell, letter, span });
        Ok((rest, ()))
    }
}
