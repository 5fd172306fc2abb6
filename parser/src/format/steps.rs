//! The move tokens of the sites: steps of one piece, each with the cells that it captures.
//!
//! ```text
//! turn    = [ letter ] , cell , [ link ] , [ letter ] , cell , captures , { link , [ letter ] , cell , captures } ;
//! link    = "-" | "^" | "=" | "^=" ;                                   "^": a jump
//! captures = { ( "x" | "/" | "," ) , [ letter ] , cell } ;
//! cell    = [ "0" ] , letter , digit , [ digit ] ;
//! ```
//!
//! Without a link only two cells may follow each other (`h1h3`). A letter counts as that of a piece when a cell follows.

use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::character::complete::one_of;
use nom::combinator::{opt, value};
use nom::{IResult, Parser};
use tafl_rules::text::cell::coord_prefix;
use tafl_rules::{Coord, Span};

use crate::record::{Letter, Record, WrittenCapture, WrittenMove};

/// Where and how a turn is written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Turn<'a> {
    /// The token.
    pub(super) token: &'a str,
    /// The place of the token; what is wrong with a token is cut from it when the lengths agree.
    pub(super) span: Span,
}

/// A step as it was written: whether its link was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Link {
    /// Nothing between the cells: the old style, which writes no captures either.
    Missing,
    /// A hyphen or another sign.
    Written,
}

type Parse<'a, T> = IResult<&'a [u8], T, ()>;

fn cell(input: &[u8]) -> Parse<'_, Coord> {
    // hnefatafl.org writes the cells of its 7x7 boards with a zero in front.
    let (rest, _) = opt(tag(&b"0"[..])).parse(input)?;
    match coord_prefix(rest) {
        Some((coord, length)) => Ok((&rest[length..], coord)),
        None => Err(nom::Err::Error(())),
    }
}

fn piece_and_cell(input: &[u8]) -> Parse<'_, (Letter, Coord)> {
    match input {
        [letter, next, ..] if letter.is_ascii_alphabetic() && next.is_ascii_alphabetic() => {
            cell(&input[1..]).map(|(rest, coord)| (rest, (Letter::new(*letter), coord)))
        }
        _ => cell(input).map(|(rest, coord)| (rest, (Letter::NONE, coord))),
    }
}

/// Reads a link and returns whether it is a jump.
fn link(input: &[u8]) -> Parse<'_, bool> {
    alt((value(true, tag(&b"^="[..])), value(true, tag(&b"^"[..])), value(false, one_of("-=")))).parse(input)
}

fn capture(input: &[u8]) -> Parse<'_, (Letter, Coord)> {
    (one_of("xX/,"), piece_and_cell).map(|(_, found)| found).parse(input)
}

impl Turn<'_> {
    /// Reads the turn to the end of the record's game and returns how its first link was written.
    ///
    /// # Errors
    ///
    /// Returns the part of the token that cannot be read; the record is left as it was.
    pub(super) fn push_to(self, record: &mut Record) -> Result<Link, Span> {
        let (n_moves, n_captures) = (record.main().moves.len(), record.captures.len());
        self.steps(record).map_err(|rest| {
            record.main_mut().moves.truncate(n_moves);
            record.captures.truncate(n_captures);
            let start = if rest.is_empty() { 0 } else { self.token.len() - rest.len() };
            self.part(start, self.token.len())
        })
    }

    fn steps<'t>(&'t self, record: &mut Record) -> Result<Link, &'t [u8]> {
        let mut at = self.token.as_bytes();
        let (rest, (letter, mut from)) = piece_and_cell(at).map_err(|_| at)?;
        let mut step_start = 0;
        at = rest;
        let (rest, jump) = opt(link).parse(at).map_err(|_| at)?;
        let first = if jump.is_none() { Link::Missing } else { Link::Written };
        let (mut rest, mut jump) = (rest, jump.unwrap_or(false));
        let mut chained = false;
        loop {
            let to_start = self.token.len() - rest.len();
            let (behind, (_, to)) = piece_and_cell(rest).map_err(|_| rest)?;
            at = behind;
            let first_capture = record.captures.len();
            while let Ok((behind, (letter, cell))) = capture(at) {
                let span = self.part(self.token.len() - at.len() + 1, self.token.len() - behind.len());
                record.captures.push(WrittenCapture { cell, letter, span });
                at = behind;
            }
            let span = self.part(step_start, self.token.len() - at.len());
            record.push_move(
                WrittenMove { letter, jump, chained, ..WrittenMove::new(from, to, span) },
                first_capture,
            );
            if at.is_empty() {
                return Ok(first);
            }
            (rest, jump) = link(at).map_err(|_| at)?;
            (from, step_start, chained) = (to, to_start, true);
        }
    }

    /// Returns the place of a part of the token.
    fn part(&self, start: usize, end: usize) -> Span {
        if self.span.len() == self.token.len() {
            Span::new(start, end).shift(self.span.start as usize)
        } else {
            self.span
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Format;

    /// Returns the steps of a token with their captures, as text.
    fn steps(token: &str) -> Result<Vec<String>, (u32, u32)> {
        let mut record = Record::new(Format::AageNielsen);
        let turn = Turn { token, span: Span::new(0, token.len()) };
        turn.push_to(&mut record).map_err(|span| (span.start, span.end))?;
        let captures = |mv| {
            record.captures_of(mv).iter().map(|capture| format!("x{}", capture.cell)).collect::<String>()
        };
        Ok(record.main().moves.iter().map(|mv| format!("{}-{}{}", mv.from, mv.to, captures(mv))).collect())
    }

    #[test]
    fn the_tokens_of_the_sites_are_read() {
        assert_eq!(steps("h1h3"), Ok(vec!["h1-h3".into()]));
        assert_eq!(steps("d11d9"), Ok(vec!["d11-d9".into()]));
        assert_eq!(steps("e7-k7xk6xk6"), Ok(vec!["e7-k7xk6xk6".into()]));
        assert_eq!(steps("e3-e5-g5xe4"), Ok(vec!["e3-e5".into(), "e5-g5xe4".into()]));
        assert_eq!(steps("Kc2^c4xKd5"), Ok(vec!["c2-c4xd5".into()]));
        assert_eq!(steps("0d1-0d3x0c3"), Ok(vec!["d1-d3xc3".into()]));
        assert_eq!(steps("z99-a0"), Ok(vec!["z99-a0".into()]));
    }

    #[test]
    fn a_broken_token_leaves_nothing_and_says_where() {
        assert_eq!(steps("d1-d3xe9y"), Err((8, 9)));
        assert_eq!(steps("d1-"), Err((0, 3)));
        assert_eq!(steps("resign"), Err((0, 6)));
        assert_eq!(steps(""), Err((0, 0)));
        assert_eq!(steps("d1d3d5"), Err((4, 6)));
    }

    #[test]
    fn each_step_has_its_own_place() {
        let mut record = Record::new(Format::AageNielsen);
        let token = "e3-e5xe6-g5xe4";
        Turn { token, span: Span::new(10, 24) }.push_to(&mut record).unwrap();
        let places: Vec<_> =
            record.main().moves.iter().map(|mv| (mv.span.start, mv.span.end, mv.chained)).collect();
        assert_eq!(places, [(10, 18, false), (16 - 3, 24, true)]);
        assert_eq!(record.captures[1].span, Span::new(22, 24));
    }
}
