//! Tokens of move texts as nom parsers: cells, moves, numbers, and variation addresses.
//!
//! ```text
//! move    = [ letter ] , cell , [ link ] , cell , [ captures ] , [ mark ] ;
//! link    = "-" | "^" | "=" | "^=" | "=^" | dash ;       none: `h1h3`; "=": a later step of the same turn; "^": a jump
//! dash    = "->" | "–" | "—" | "−" | "‑" | "‒" | "→" ;   replacements for a hyphen by word processors, and arrows;
//!                                                         also as entities of HTML, `&ndash;`
//! captures= ( "x" | ":" ) , capture , { ( "/" | "x" | "," | ":" ) , capture } ;    "X", "×" and "✕" as well
//! capture = [ letter ] , cell | "(" , [ letter ] , cell , { "," , [ letter ] , cell } , ")" ;
//! cell    = letter , digit , [ digit ] ;                 of either case
//! mark    = "+" | "-" | "++" | "--" | "==" | "!" | "?" | "!!" | "??" | "!?" | "?!" | "#" ;
//! ```
//!
//! A piece letter is recognized by the letter after it: `C1-C4` is a man on c1, `CC1-C4` is the commander
//! there.
//! A word with more text after the move is not a move; only a hyphen and a cell may follow, see
//! [`MoveReader::next_step`].
//!
//! Moves make up nearly all of the text of an archive, so the common forms are parsed eight bytes at a time;
//! all others are parsed by nom combinators. A property test checks that both give the same results.

use nom::branch::alt;
use nom::bytes::complete::{tag, take_while1};
use nom::character::complete::char as letter;
use nom::combinator::{map, map_opt, opt, value, verify};
use nom::{IResult, Parser};
use tafl_rules::{Coord, Span, coord_prefix};

use crate::record::{Letter, MoveMark, WrittenCapture, WrittenMove};

/// The result of a token parser: the rest of the input and the token. Errors carry no data because the caller
/// knows the position.
pub(crate) type Read<'a, T> = IResult<&'a [u8], T, ()>;

/// Reads a cell name.
pub(crate) fn cell(input: &[u8]) -> Read<'_, Coord> {
    match coord_prefix(input) {
        Some((coord, length)) => Ok((&input[length..], coord)),
        None => Err(nom::Err::Error(())),
    }
}

/// Reads a piece letter: a letter directly before a cell.
fn piece_letter(input: &[u8]) -> Read<'_, Letter> {
    match input {
        [piece, file, ..] if piece.is_ascii_alphabetic() && file.is_ascii_alphabetic() => {
            Ok((&input[1..], Letter::new(*piece)))
        }
        _ => Err(nom::Err::Error(())),
    }
}

/// Reads a number below 2^32.
pub(crate) fn number(input: &[u8]) -> Read<'_, u32> {
    map_opt(take_while1(|byte: u8| byte.is_ascii_digit()), |digits: &[u8]| {
        digits.iter().try_fold(0u32, |sum, digit| sum.checked_mul(10)?.checked_add(u32::from(digit - b'0')))
    })
    .parse(input)
}

/// Reads the link between the cells of a move: whether it marks a jump, and whether it marks a later step.
fn link(input: &[u8]) -> Read<'_, (bool, bool)> {
    alt((
        value((true, true), alt((tag("^="), tag("=^")))),
        value((true, false), tag("^")),
        value((false, true), tag("=")),
        value((false, false), alt((tag("->"), tag("-")))),
        value((false, false), dash),
        |input| Ok((input, (false, false))),
    ))
    .parse(input)
}

/// Reads a replacement for a hyphen.
fn dash(input: &[u8]) -> Read<'_, &[u8]> {
    alt((tag("–"), tag("—"), tag("−"), tag("‑"), tag("‒"), tag("→"), dash_entity)).parse(input)
}

/// Reads an entity of HTML for a dash or an arrow.
fn dash_entity(input: &[u8]) -> Read<'_, &[u8]> {
    const NAMES: [&str; 16] = [
        "ndash", "mdash", "minus", "hyphen", "dash", "rarr", "#45", "#8208", "#8209", "#8210", "#8211",
        "#8212", "#8722", "#8594", "#x2013", "#x2014",
    ];
    let failed = || nom::Err::Error(());
    let name = input.strip_prefix(b"&").ok_or_else(failed)?;
    let end = name.iter().take(8).position(|byte| *byte == b';').ok_or_else(failed)?;
    let is_dash = NAMES.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(&name[..end]));
    if is_dash { Ok((&name[end + 1..], &input[..end + 2])) } else { Err(failed()) }
}

/// Skips characters without a width, which copying from web pages leaves inside of words.
fn skip_invisible(input: &[u8]) -> &[u8] {
    let mut rest = input;
    while let Some(tail) = ["\u{200b}", "\u{200c}", "\u{200d}", "\u{2060}", "\u{feff}", "\u{ad}"]
        .iter()
        .find_map(|sign| rest.strip_prefix(sign.as_bytes()))
    {
        rest = tail;
    }
    rest
}

fn trim_blanks(input: &[u8]) -> &[u8] {
    let blanks = input.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    &input[blanks..]
}

/// Reads an optional mark after a move.
pub(crate) fn mark(input: &[u8]) -> Read<'_, MoveMark> {
    alt((
        value(MoveMark::PlusPlus, tag("++")),
        value(MoveMark::MinusMinus, tag("--")),
        value(MoveMark::Equal, tag("==")),
        value(MoveMark::BangBang, tag("!!")),
        value(MoveMark::BangQuestion, tag("!?")),
        value(MoveMark::Bang, tag("!")),
        value(MoveMark::QuestionQuestion, tag("??")),
        value(MoveMark::QuestionBang, tag("?!")),
        value(MoveMark::Question, tag("?")),
        value(MoveMark::Hash, tag("#")),
        value(MoveMark::Plus, tag("+")),
        value(MoveMark::Star, tag("*")),
        map(
            verify(letter('-'), |_| !matches!(input.get(1), Some(byte) if byte.is_ascii_alphabetic())),
            |_| MoveMark::Minus,
        ),
        |input| Ok((input, MoveMark::None)),
    ))
    .parse(input)
}

/// Returns whether a word may end before these bytes.
fn is_boundary(rest: &[u8]) -> bool {
    match rest {
        [] => true,
        [b'-', tail @ ..] => coord_prefix(tail).is_some(),
        [byte, ..] if byte.is_ascii() => byte.is_ascii_whitespace() || b",;.[](){}|\"<&`*".contains(byte),
        // The no-break space, spaces of a certain width, and characters without a width.
        [0xc2, 0xa0, ..] | [0xe2, 0x80, 0x80..=0x8d | 0xaf, ..] | [0xe2, 0x81, 0x9f | 0xa0, ..] => true,
        [0xe3, 0x80, 0x80, ..] | [0xef, 0xbb, 0xbf, ..] => true,
        _ => false,
    }
}

/// Reads the sign before a captured cell: one of `signs`, or a multiplication sign.
fn capture_sign<'a>(input: &'a [u8], signs: &str) -> Option<&'a [u8]> {
    match input {
        [sign, rest @ ..] if signs.as_bytes().contains(sign) => Some(rest),
        _ => ["×", "✕", "✖", "&times;", "&#215;"].iter().find_map(|sign| input.strip_prefix(sign.as_bytes())),
    }
}

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

    /// Reads the common forms of a move, such as `d1-d3 ` and `Kd10-d3xe3xe4 `: upper or lowercase, a hyphen,
    /// captures without letters, and a blank, quote, or comma after it.
    ///
    /// Returns the move and its length, or `None` for every other word, valid or not. Loops over many moves
    /// try this first and store the result immediately, because a move returned by [`MoveReader::step`] is
    /// copied through memory.
    #[inline(always)]
    pub(crate) fn common(&mut self, input: &[u8]) -> Option<(WrittenMove, usize)> {
        let mut word = u64::from_le_bytes(*input.first_chunk()?);
        let is_letter = ((word >> 8) as u8 | 0x20).wrapping_sub(b'a') < 26;
        let letter = if is_letter { Letter::new(word as u8) } else { Letter::NONE };
        let lead = usize::from(is_letter);
        word >>= 8 * lead;
        let (from, head) = short_cell(word)?;
        word >>= 8 * head;
        if word as u8 != b'-' {
            return None;
        }
        // A letter, two long cells, and the hyphen fit into eight bytes, so nothing is cut off.
        let (to, tail) = short_cell(word >> 8)?;
        let mut length = lead + head + 1 + tail;
        let follow = *input.get(length)?;
        if is_letter && letter == Letter::NONE {
            return None;
        }
        let start = self.whole - input.len();
        let mut mv = WrittenMove { letter, ..WrittenMove::new(from, to, Span::new(start, start + length)) };
        if !is_common_end(follow) {
            if follow != b'x' {
                return None;
            }
            let first = self.captures.len();
            length = self.common_captures(input, length)?;
            mv.first_capture = first as u32;
            mv.n_captures = (self.captures.len() - first) as u16;
            mv.span.end = (start + length) as u32;
        }
        Some((mv, length))
    }

    /// Reads `xe3` and `xe3xe4` up to a blank, quote, or comma, and returns the end position. Keeps no
    /// captures on failure.
    #[inline(always)]
    fn common_captures(&mut self, input: &[u8], at: usize) -> Option<usize> {
        let first = self.captures.len();
        let start = self.whole - input.len();
        let mut at = at;
        loop {
            let cell = input.get(at + 1..).and_then(coord_prefix);
            let Some((cell, length)) = cell else { break };
            let span = Span::new(start + at + 1, start + at + 1 + length);
            self.captures.push(WrittenCapture { cell, letter: Letter::NONE, span });
            at += 1 + length;
            // Very long lists are left to the slow path, which checks the count.
            if self.captures.len() - first > 64 {
                break;
            }
            match input.get(at) {
                Some(b'x' | b'/') => {}
                Some(b' ' | b'\n' | b'\r' | b'"') => return Some(at),
                // A comma may separate captures as well as columns.
                Some(b',') if input.get(at + 1).is_some_and(u8::is_ascii_digit) => return Some(at),
                _ => break,
            }
        }
        self.captures.truncate(first);
        None
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
        while let Some(behind) = capture_sign(rest, signs) {
            match self.capture(behind).ok().or_else(|| self.captures_in_parentheses(behind)) {
                Some((behind, ())) => rest = behind,
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
        while let Ok((behind, ())) = self.capture(rest.trim_ascii_start()) {
            match behind.first() {
                Some(b')') => return Some((&behind[1..], ())),
                Some(b',' | b'/') => rest = &behind[1..],
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

/// Returns whether a byte ends a move in most texts.
#[inline]
const fn is_common_end(byte: u8) -> bool {
    matches!(byte, b' ' | b',' | b'\n' | b'\r' | b'"')
}

/// Reads a cell name from the low bytes of `word`, and returns it with its length in bytes.
#[inline(always)]
fn short_cell(word: u64) -> Option<(Coord, usize)> {
    let file = (word as u8 | 0x20).wrapping_sub(b'a');
    let tens = ((word >> 8) as u8).wrapping_sub(b'0');
    let units = ((word >> 16) as u8).wrapping_sub(b'0');
    if file >= 26 || tens >= 10 {
        return None;
    }
    let (number, length) = if units < 10 { (tens * 10 + units, 3) } else { (tens, 2) };
    Some((Coord::new(i16::from(file), i16::from(number) - 1), length))
}

/// Returns the length of the word at the start: up to white space, a comma, or a bracket, but at least one
/// byte.
pub(crate) fn word_length(input: &[u8]) -> usize {
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || b",;[](){}|\"".contains(byte);
    input.iter().skip(1).position(is_end).map_or(input.len(), |length| length + 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Option<(WrittenMove, Vec<WrittenCapture>, usize)> {
        let mut captures = Vec::new();
        let (rest, mv) = MoveReader::new(text.len(), &mut captures).step(text.as_bytes()).ok()?;
        Some((mv, captures, text.len() - rest.len()))
    }

    fn check(text: &str, expected: &str) {
        let (mv, captures, length) = read(text).unwrap_or_else(|| panic!("{text} is a move"));
        let captured: Vec<String> =
            captures.iter().map(|c| format!("{}{}", c.letter.get().unwrap_or('.'), c.cell)).collect();
        let found = format!(
            "{}{}-{} [{}]{}{}{}",
            mv.letter.get().map(String::from).unwrap_or_default(),
            mv.from,
            mv.to,
            captured.join(" "),
            mv.mark.as_str(),
            if mv.jump { " jump" } else { "" },
            if mv.chained { " chained" } else { "" }
        );
        assert_eq!(found, expected, "{text}");
        assert_eq!(mv.span, Span::new(0, length), "{text}");
    }

    #[test]
    fn moves_of_every_notation_are_read() {
        check("d1-d3", "d1-d3 []");
        check("d11-d9 e5", "d11-d9 []");
        check("h1h3", "h1-h3 []");
        check("d11d9", "d11-d9 []");
        check("e7-k7xk6xk6 a", "e7-k7 [.k6 .k6]");
        check("g2-g3xf3/h3 f5-f3", "g2-g3 [.f3 .h3]");
        check("c2-c3xKc4", "c2-c3 [Kc4]");
        check("CC1-C4", "Cc1-c4 []");
        check("C1-C4", "c1-c4 []");
        check("KA5-A1!", "Ka5-a1 []!");
        check("A1-A4xKA5!", "a1-a4 [Ka5]!");
        check("Ne6^=e8xce7/ne9/f8/d8", "Ne6-e8 [ce7 ne9 .f8 .d8] jump chained");
        check("c4=f4xg4", "c4-f4 [.g4] chained");
        check("ce6^e8", "ce6-e8 [] jump");
        check("Ke5-e1- b", "Ke5-e1 []-");
        check("Ke1-a1--", "Ke1-a1 []--");
        check("e3-e4++", "e3-e4 []++");
        check("E5-E8xD8/F8/E9+", "e5-e8 [.d8 .f8 .e9]+");
        check("k99-z1", "k99-z1 []");
    }

    #[test]
    fn all_kinds_of_hyphens_are_read() {
        for text in ["d2–c2xb2", "d2—c2xb2", "d2−c2xb2", "d2‑c2xb2", "d2→c2xb2", "d2->c2xb2", "d2-c2xb2"]
        {
            check(text, "d2-c2 [.b2]");
        }
        assert!(read("d2>c2").is_none() && read("d2-→c2").is_none());
    }

    #[test]
    fn a_comma_ends_a_move_or_parts_captures() {
        check("g3-e3xe2,1,0,Ongoing", "g3-e3 [.e2]");
        check("g3-e3xe2,e4 d1-d2", "g3-e3 [.e2 .e4]");
        assert_eq!(read("g3-e3xe2,1,0,Ongoing").unwrap().2, 8);
    }

    #[test]
    fn a_longer_word_is_not_a_move() {
        for text in ["d1-d3z", "d1-", "d-d3", "d1-d3x", "d1-d3xz", "d1-d3xe3xz", "11", "", "d1-d3?x", "---"] {
            assert!(read(text).is_none(), "{text}");
        }
    }

    #[test]
    fn the_marks_of_chess_are_read() {
        for mark in ["?", "!!", "??", "!?", "?!", "#", "!"] {
            check(&format!("d1-d3{mark}"), &format!("d1-d3 []{mark}"));
            check(&format!("d1-d3xe3{mark}"), &format!("d1-d3 [.e3]{mark}"));
        }
    }

    #[test]
    fn captures_in_parentheses_and_after_multiplication_signs_are_read() {
        check("e4-e2x(f2)", "e4-e2 [.f2]");
        check("e4-e2x(f2, Kd2)!", "e4-e2 [.f2 Kd2]!");
        check("e4-e2×f2✕d2", "e4-e2 [.f2 .d2]");
        for text in ["e4-e2x(f2", "e4-e2x()", "e4-e2x(f)"] {
            assert!(read(text).is_none(), "{text}");
        }
    }

    #[test]
    fn a_word_of_several_steps_is_read_step_by_step() {
        let text = "e3-e5-g5xe4 a1";
        let mut captures = Vec::new();
        let mut reader = MoveReader::new(text.len(), &mut captures);
        let (rest, first) = reader.step(text.as_bytes()).unwrap();
        let (rest, second) = reader.next_step(rest, first.to).unwrap();
        assert_eq!((first.span, first.n_captures), (Span::new(0, 5), 0));
        assert_eq!((second.span, second.from, second.chained), (Span::new(5, 11), first.to, true));
        assert_eq!((second.n_captures, rest), (1, &b" a1"[..]));
    }

    proptest! {
        #[test]
        fn the_fast_way_and_the_slow_way_agree(text in "[A-K]?[A-Ka-k][0-9]{1,2}[-^=]{0,1}[a-k][0-9]{1,2}(x[a-kK]{0,1}[a-k][0-9]{1,2}){0,3}[-+!, \"]{0,3}[a-k1]{0,9}") {
            let (mut fast, mut slow) = (Vec::new(), Vec::new());
            let by_fast = MoveReader::new(text.len(), &mut fast).step(text.as_bytes());
            let by_slow = MoveReader::new(text.len(), &mut slow).any(text.as_bytes());
            prop_assert_eq!(by_fast, by_slow);
            prop_assert_eq!(fast, slow);
        }

        #[test]
        fn any_bytes_are_read_without_panic(text in prop::collection::vec(any::<u8>(), 0..40)) {
            let mut captures = Vec::new();
            let _ = MoveReader::new(text.len(), &mut captures).step(&text);
            prop_assert!(word_length(&text) <= text.len().max(1));
        }
    }
}
