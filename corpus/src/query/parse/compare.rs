//! Numbers of positions that compare: `attackers - defenders >= 3`, `ply:20..40`.

use std::ops::RangeInclusive;

use tafl_rules::{Piece, PieceSet};

use super::{Parsed, Parser, lex};
use crate::query::ast::{Expr, PlyTest};
use crate::query::error::{Expected, QueryErrorKind};
use crate::query::number::{Comparison, Inequality, Sum, Term};
use crate::query::vocabulary;

/// The maximum number of parts of a sum: with bounded factors, sums never leave 32 bits.
const MAX_PARTS: usize = 16;
const MAX_FACTOR: i64 = 1000;
const MAX_CONSTANT: i64 = 1_000_000;

/// The value after a colon for numbers and dates.
pub(super) enum Ends<T> {
    /// One value.
    Value(T),
    /// A range; one of its ends may be missing.
    Range(Option<T>, Option<T>),
}

impl<'t> Parser<'t> {
    /// `inequality = sum (comparison sum | ":" (number | range))`
    pub(super) fn inequality(&mut self) -> Parsed<Expr> {
        let start = self.at();
        let left = self.sum()?;
        if let Some(term) = left.as_term()
            && self.sign(":")
        {
            return self.range(term);
        }
        let comparison = self.take(lex::comparison).ok_or_else(|| self.expected(Expected::Comparison))?;
        let right_at = self.at();
        let right = self.sum()?;
        if left.terms.is_empty() && right.terms.is_empty() {
            let length = self.at() - start;
            self.rest = &self.text[start..];
            return Err(self.here(length, QueryErrorKind::OnlyNumbers));
        }
        for (one, other, at) in [(&left, &right, right_at), (&right, &left, start)] {
            let Some(term) = one.as_term().filter(|_| other.terms.is_empty()) else { continue };
            let bounds = vocabulary::bounds(term);
            if !bounds.contains(&i64::from(other.constant)) {
                self.rest = &self.text[at..];
                return Err(self.out_of_range(term, &bounds));
            }
        }
        Ok(number_test(left, comparison, right))
    }

    fn out_of_range(&self, term: Term, bounds: &RangeInclusive<i64>) -> crate::query::QueryError {
        let sign = usize::from(self.rest.starts_with('-'));
        let length = sign + lex::digits(&self.rest[sign..]).map_or(0, |(_, digits)| digits.len());
        let word = vocabulary::term_word(term).unwrap_or("#");
        let (min, max) = (*bounds.start(), *bounds.end());
        self.here(length, QueryErrorKind::OutOfRange { word, min, max })
    }

    /// `number | [ number ] ".." [ number ]` after a term and a colon.
    fn range(&mut self, term: Term) -> Parsed<Expr> {
        let word = vocabulary::term_word(term).unwrap_or("#");
        let start = self.at();
        let ends = self.ends(word, &vocabulary::bounds(term))?;
        self.range_of(ends, start, &|comparison, number: i64| {
            number_test(Sum::of(term), comparison, Sum { constant: number as i32, ..Sum::default() })
        })
    }

    /// A number, or the ends of a range of which at least one is there.
    pub(super) fn ends(&mut self, word: &'static str, bounds: &RangeInclusive<i64>) -> Parsed<Ends<i64>> {
        if self.sign("..") {
            return Ok(Ends::Range(None, Some(self.number(word, bounds)?)));
        }
        let low = self.number(word, bounds)?;
        if !self.sign("..") {
            return Ok(Ends::Value(low));
        }
        // A minus sign after a blank begins the next condition.
        let is_adjacent = self.text[..self.at()].ends_with("..");
        let has_end = lex::digits(self.rest).is_ok()
            || *bounds.start() < 0 && is_adjacent && lex::integer(self.rest).is_ok();
        Ok(Ends::Range(Some(low), if has_end { Some(self.number(word, bounds)?) } else { None }))
    }

    /// The conditions of a value or a range that begins at `start`.
    pub(super) fn range_of<T: Copy + PartialOrd>(
        &mut self,
        ends: Ends<T>,
        start: usize,
        test: &dyn Fn(Comparison, T) -> Expr,
    ) -> Parsed<Expr> {
        match ends {
            Ends::Value(value) => Ok(test(Comparison::Equal, value)),
            Ends::Range(Some(low), Some(high)) if low > high => {
                let length = self.text[start..self.at()].trim_end().len();
                self.rest = &self.text[start..];
                Err(self.here(length, QueryErrorKind::EmptyRange))
            }
            Ends::Range(low, high) => {
                let low = low.map(|low| test(Comparison::AtLeast, low));
                let high = high.map(|high| test(Comparison::AtMost, high));
                Ok(Expr::all(low.into_iter().chain(high).collect()))
            }
        }
    }

    /// `sum = [ "-" ] product { ("+" | "-") product }`
    fn sum(&mut self) -> Parsed<Sum> {
        let mut sum = Sum::default();
        let mut constant: i64 = 0;
        let mut sign = if self.sign("-") { -1 } else { 1 };
        for part in 0.. {
            if part == MAX_PARTS {
                return Err(self.here(0, QueryErrorKind::SumTooLong { max: MAX_PARTS }));
            }
            match self.product()? {
                (factor, Some(term)) => sum.terms.push((sign * factor as i32, term)),
                (number, None) => constant += i64::from(sign) * number,
            }
            sign = if self.sign("+") {
                1
            } else if self.sign("-") {
                -1
            } else {
                break;
            };
        }
        sum.constant = constant as i32;
        Ok(sum)
    }

    /// `product = [ number "*" ] term | number`
    fn product(&mut self) -> Parsed<(i64, Option<Term>)> {
        let Ok((_, digits)) = lex::digits(self.rest) else { return Ok((1, Some(self.term()?))) };
        let is_factor = lex::skip_blanks(&self.rest[digits.len()..]).starts_with('*');
        let (word, max) = if is_factor { ("a factor", MAX_FACTOR) } else { ("a number", MAX_CONSTANT) };
        let number: i64 = self.number(word, &(0..=max))?;
        if is_factor && self.sign("*") {
            return Ok((number, Some(self.term()?)));
        }
        Ok((number, None))
    }

    /// A word for a number, or `#` and the letters of pieces.
    fn term(&mut self) -> Parsed<Term> {
        if let Ok((rest, letters)) = lex::kinds(self.rest) {
            let pieces = pieces_of(letters);
            let kind = || QueryErrorKind::BadPieces(letters.to_owned());
            let pieces = pieces.ok_or_else(|| self.here(1 + letters.len(), kind()))?;
            self.go_on(rest);
            return Ok(Term::Kinds(pieces));
        }
        match vocabulary::term(&self.peek()) {
            Some(term) => {
                self.take(lex::word);
                Ok(term)
            }
            None if self.peek().is_empty() => Err(self.expected(Expected::Term)),
            None => Err(self.unknown()),
        }
    }
}

/// Returns the pieces for letters, of which there is at least one; `None` if one is unknown.
pub(super) fn pieces_of(letters: &str) -> Option<PieceSet> {
    let pieces: Option<PieceSet> = letters
        .chars()
        .map(Piece::from_letter)
        .collect::<Option<Vec<_>>>()
        .map(|pieces| pieces.into_iter().collect());
    pieces.filter(|pieces| !pieces.is_empty())
}

fn number_test(left: Sum, comparison: Comparison, right: Sum) -> Expr {
    Expr::Ply(PlyTest::Number(Inequality { left, comparison, right }))
}
