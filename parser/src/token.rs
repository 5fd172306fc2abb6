//! Tokens of move texts as nom parsers: cells, numbers, links, dashes, and marks. [`MoveReader`] reads moves of them.

mod look_alike;
mod move_reader;

use nom::branch::alt;
use nom::bytes::complete::{tag, take_while1};
use nom::character::complete::char as letter;
use nom::combinator::{map, map_opt, value, verify};
use nom::{IResult, Parser};
use tafl_rules::{Coord, coord_prefix};

use crate::record::{Letter, MoveMark};

pub(crate) use move_reader::MoveReader;

/// The result of a token parser: the rest of the input and the token. Errors carry no data because the caller
/// knows the position.
pub(crate) type Read<'a, T> = IResult<&'a [u8], T, ()>;

/// The result of a token parser whose input is a string instead of bytes.
pub(crate) type ReadStr<'a, T> = IResult<&'a str, T, ()>;

/// Reads a cell name.
pub(crate) fn cell(input: &[u8]) -> Read<'_, Coord> {
    match coord_prefix(input).or_else(|| look_alike::cell(input)) {
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
    alt((tag("–"), tag("—"), tag("−"), tag("‑"), tag("‒"), tag("－"), tag("→"), dash_entity)).parse(input)
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

/// The signs before a captured cell other than `x`: multiplication signs, and the Cyrillic and the fullwidth
/// letter of either case.
const CAPTURE_SIGNS: [&str; 9] = ["×", "✕", "✖", "х", "Х", "ｘ", "Ｘ", "&times;", "&#215;"];

/// Reads the sign before a captured cell: one of `signs`, or one of [`CAPTURE_SIGNS`].
pub(crate) fn capture_sign<'a>(input: &'a [u8], signs: &str) -> Option<&'a [u8]> {
    match input {
        [sign, rest @ ..] if signs.as_bytes().contains(sign) => Some(rest),
        // Most moves capture nothing, and nearly all are followed by ASCII.
        [sign, ..] if sign.is_ascii() && *sign != b'&' => None,
        _ => CAPTURE_SIGNS.iter().find_map(|sign| input.strip_prefix(sign.as_bytes())),
    }
}

/// Returns the length of the word at the start: up to white space, a comma, or a bracket, but at least one
/// byte.
pub(crate) fn word_length(input: &[u8]) -> usize {
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || b",;[](){}|\"".contains(byte);
    input.iter().skip(1).position(is_end).map_or(input.len(), |length| length + 1)
}
