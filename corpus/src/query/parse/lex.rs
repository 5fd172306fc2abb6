//! The smallest parts of a query.

use nom::branch::alt;
use nom::bytes::complete::{tag, take_while, take_while1};
use nom::character::complete::{char, digit1, multispace0, satisfy};
use nom::combinator::{map, opt, recognize, value};
use nom::sequence::{delimited, pair, preceded};
use nom::{IResult, Parser};

use crate::query::number::Comparison;

/// Returns the rest of a text after blanks.
pub(super) fn skip_blanks(text: &str) -> &str {
    let skipped: IResult<&str, &str> = multispace0(text);
    skipped.map_or(text, |(rest, _)| rest)
}

/// A word: letters, digits and underscores, a letter first.
pub(super) fn word(text: &str) -> IResult<&str, &str> {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    recognize(pair(satisfy(char::is_alphabetic), take_while(part))).parse(text)
}

/// A number without a sign.
pub(super) fn digits(text: &str) -> IResult<&str, &str> {
    digit1(text)
}

/// A number that may have a minus sign.
pub(super) fn integer(text: &str) -> IResult<&str, &str> {
    recognize(pair(opt(char('-')), digit1)).parse(text)
}

/// A text in quotation marks. It cannot contain a quotation mark.
pub(super) fn quoted(text: &str) -> IResult<&str, &str> {
    delimited(char('"'), take_while(|c| c != '"'), char('"')).parse(text)
}

/// A value without quotation marks: up to a blank, a parenthesis or a quotation mark.
pub(super) fn bare(text: &str) -> IResult<&str, &str> {
    take_while1(|c: char| !c.is_whitespace() && !matches!(c, '(' | ')' | '"')).parse(text)
}

/// A comparison.
pub(super) fn comparison(text: &str) -> IResult<&str, Comparison> {
    let [at_most, at_least, different, less, greater, equal] = Comparison::ALL;
    let sign = |(comparison, sign): (Comparison, &'static str)| value(comparison, tag(sign));
    alt((sign(at_most), sign(at_least), sign(different), sign(less), sign(greater), sign(equal))).parse(text)
}

/// The letters of a count of kinds: `#tk`.
pub(super) fn kinds(text: &str) -> IResult<&str, &str> {
    preceded(char('#'), take_while(char::is_alphanumeric)).parse(text)
}

/// The first token of a text, for a message: a word, a number, or a single sign.
pub(super) fn first_token(text: &str) -> &str {
    let some: IResult<&str, &str> =
        alt((word, digits, map(recognize(satisfy(|_| true)), |sign| sign))).parse(text);
    some.map_or("", |(_, found)| found)
}
