//! Parsing of queries.

mod board;
mod compare;
mod field;
mod lex;
#[cfg(test)]
mod tests;

use std::ops::RangeInclusive;
use std::str::FromStr;

use nom::IResult;
use tafl_rules::{Event, Span};

use super::ast::{Expr, PlyTest, Query, Sequence, SetupTest};
use super::error::{Expected, FoundText, QueryError, QueryErrorKind};
use super::game::GameField;
use super::vocabulary;

/// A text in a query, and the offset of its first byte.
#[derive(Debug, Clone, Copy)]
struct PlacedText<'t> {
    text: &'t str,
    at: usize,
}

impl PlacedText<'_> {
    fn error(self, kind: QueryErrorKind) -> QueryError {
        QueryError { span: Span::new(self.at, self.at + self.text.len()), kind }
    }
}

/// The maximum number of bytes of a query.
pub(crate) const MAX_LENGTH: usize = 10_000;
/// The greatest depth of nested conditions, and the greatest number of `then` and `before` in a query.
pub(crate) const MAX_DEPTH: usize = 64;

impl Query {
    /// Parses a query.
    ///
    /// # Errors
    ///
    /// Returns the first error with its place.
    ///
    /// # Examples
    ///
    /// ```
    /// use tafl_corpus::query::Query;
    ///
    /// let query = Query::parse("variant:brandubh shieldwall or king_distance <= 2").unwrap();
    /// assert_eq!(query.to_string(), "variant:brandubh7 and shieldwall or king_distance<=2");
    /// let error = Query::parse("plyer:Sven").unwrap_err();
    /// assert_eq!(error.to_string(), "unknown field `plyer`, did you mean `player`?");
    /// ```
    pub fn parse(text: &str) -> Result<Query, QueryError> {
        let mut parser = Parser { text, rest: lex::skip_blanks(text), depth: 0, n_sequences: 0 };
        if text.len() > MAX_LENGTH {
            let kind = QueryErrorKind::TooLong { found: text.len(), max: MAX_LENGTH };
            return Err(QueryError {
                span: Span::new(text.floor_char_boundary(MAX_LENGTH), text.len()),
                kind,
            });
        }
        if parser.rest.is_empty() {
            return Err(QueryError { span: Span::at(0), kind: QueryErrorKind::Empty });
        }
        let expr = parser.any()?;
        match parser.rest.chars().next() {
            None => Ok(Query::new(expr)),
            Some(')') => Err(parser.here(1, QueryErrorKind::Stray)),
            Some(_) => Err(parser.expected(Expected::Connective)),
        }
    }
}

impl FromStr for Query {
    type Err = QueryError;

    fn from_str(text: &str) -> Result<Query, QueryError> {
        Query::parse(text)
    }
}

/// A parser with the text of a query and its unread rest. Blanks before `rest` are always skipped.
struct Parser<'t> {
    text: &'t str,
    rest: &'t str,
    depth: usize,
    n_sequences: usize,
}

type Parsed<T> = Result<T, QueryError>;

impl<'t> Parser<'t> {
    /// Returns the number of bytes read so far.
    fn at(&self) -> usize {
        self.text.len() - self.rest.len()
    }

    /// Returns an error about the next `length` bytes.
    fn here(&self, length: usize, kind: QueryErrorKind) -> QueryError {
        QueryError { span: Span::new(self.at(), self.at() + length), kind }
    }

    /// Returns the error that something else was expected here.
    fn expected(&self, expected: Expected) -> QueryError {
        let token = lex::first_token(self.rest);
        let found = if token.is_empty() { FoundText::End } else { FoundText::Text(token.to_owned()) };
        self.here(token.len(), QueryErrorKind::Expected { expected, found })
    }

    /// Goes on with `rest` and the blanks before it skipped.
    fn go_on(&mut self, rest: &'t str) {
        self.rest = lex::skip_blanks(rest);
    }

    /// Takes what a parser accepts here, if it accepts anything.
    fn take<T>(&mut self, parser: impl Fn(&'t str) -> IResult<&'t str, T>) -> Option<T> {
        let (rest, found) = parser(self.rest).ok()?;
        self.go_on(rest);
        Some(found)
    }

    /// Takes this sign or word.
    fn sign(&mut self, sign: &str) -> bool {
        self.rest.strip_prefix(sign).map(|rest| self.go_on(rest)).is_some()
    }

    /// Returns the next word in lower case, without taking it.
    fn peek(&self) -> String {
        lex::word(self.rest).map_or(String::new(), |(_, word)| word.to_lowercase())
    }

    /// Takes the next word if it is this one.
    fn keyword(&mut self, keyword: &str) -> bool {
        let is_it = self.peek() == keyword;
        if is_it {
            self.take(lex::word);
        }
        is_it
    }

    /// `any = sequence { "or" sequence }`
    fn any(&mut self) -> Parsed<Expr> {
        let mut parts = vec![self.sequence()?];
        while self.keyword("or") {
            parts.push(self.sequence()?);
        }
        Ok(Expr::any(parts))
    }

    /// `sequence = all { ("then" | "before") all [ "within" number ] }`
    fn sequence(&mut self) -> Parsed<Expr> {
        let mut expr = self.all()?;
        loop {
            let make: fn(Box<Sequence>) -> Expr = match self.peek().as_str() {
                "then" => Expr::Then,
                "before" => Expr::Before,
                _ => return Ok(expr),
            };
            self.n_sequences += 1;
            if self.n_sequences > MAX_DEPTH {
                return Err(self.here(self.peek().len(), QueryErrorKind::TooDeep { max: MAX_DEPTH }));
            }
            self.take(lex::word);
            let last = self.all()?;
            let within =
                if self.keyword("within") { Some(self.number("within", &(1..=100_000))?) } else { None };
            expr = make(Box::new(Sequence { first: expr, last, within }));
        }
    }

    /// `all = part { [ "and" ] part }`
    fn all(&mut self) -> Parsed<Expr> {
        let mut parts = vec![self.part()?];
        loop {
            let ends = matches!(self.peek().as_str(), "or" | "then" | "before" | "within");
            let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '(' | '#' | '-');
            if !self.keyword("and") && (ends || !self.rest.starts_with(goes_on)) {
                return Ok(Expr::all(parts));
            }
            parts.push(self.part()?);
        }
    }

    /// `part = [ "not" | "ever" | "never" | "first" | "last" ] part | count | "(" any ")" | condition`
    fn part(&mut self) -> Parsed<Expr> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(
                self.here(lex::first_token(self.rest).len(), QueryErrorKind::TooDeep { max: MAX_DEPTH })
            );
        }
        let part = self.part_within_bounds();
        self.depth -= 1;
        part
    }

    fn part_within_bounds(&mut self) -> Parsed<Expr> {
        let wrap: fn(Box<Expr>) -> Expr = match self.peek().as_str() {
            "not" => Expr::Not,
            "ever" => Expr::Ever,
            "never" => Expr::Never,
            "first" => Expr::First,
            "last" => Expr::Last,
            "count" => return self.count(),
            _ if self.rest.starts_with('(') => return self.parenthesis(),
            _ => return self.condition(),
        };
        self.take(lex::word);
        Ok(wrap(Box::new(self.part()?)))
    }

    /// `"(" any ")"`
    fn parenthesis(&mut self) -> Parsed<Expr> {
        let open = Span::new(self.at(), self.at() + 1);
        if !self.sign("(") {
            return Err(self.expected(Expected::Parenthesis));
        }
        let expr = self.any()?;
        if self.sign(")") {
            Ok(expr)
        } else if self.rest.is_empty() {
            Err(QueryError { span: open, kind: QueryErrorKind::Unclosed })
        } else {
            Err(self.expected(Expected::Connective))
        }
    }

    /// `count = "count" "(" any ")" comparison number`
    fn count(&mut self) -> Parsed<Expr> {
        self.take(lex::word);
        let part = self.parenthesis()?;
        let comparison = self.take(lex::comparison).ok_or_else(|| self.expected(Expected::Comparison))?;
        Ok(Expr::Count(Box::new(part), comparison, self.number("count", &(0..=1_000_000))?))
    }

    /// One condition.
    fn condition(&mut self) -> Parsed<Expr> {
        let word = self.peek();
        if word.is_empty() {
            let begins_sum = self.rest.starts_with(|c: char| c.is_ascii_digit() || c == '#' || c == '-');
            return if begins_sum { self.inequality() } else { Err(self.expected(Expected::Condition)) };
        }
        if let Some(expr) = self.flag(&word) {
            return Ok(expr);
        }
        match word.as_str() {
            "pattern" => return self.pattern(),
            "position" => return self.position(),
            "and" | "or" | "then" | "before" | "within" => return Err(self.expected(Expected::Condition)),
            _ => {}
        }
        if vocabulary::term(&word).is_some() && !self.names_a_player(&word) {
            return self.inequality();
        }
        if let Ok(field) = word.parse::<GameField>() {
            return self.game_field(field);
        }
        if vocabulary::PLY_FIELDS.contains(&word.as_str()) {
            return self.ply_field(&word);
        }
        Err(self.unknown())
    }

    /// A word that is a condition of its own.
    fn flag(&mut self, word: &str) -> Option<Expr> {
        let expr = if let Some(event) =
            word.parse::<Event>().ok().filter(|event| !self.has_value(word) && !self.is_counted(*event, word))
        {
            Expr::Ply(PlyTest::Event(event))
        } else if let Some((side, test)) = vocabulary::king_test(word) {
            Expr::Ply(PlyTest::King(side, test))
        } else if word == "threat" {
            Expr::Ply(PlyTest::Threat)
        } else if word == "two_kings" {
            Expr::Setup(SetupTest::TwoKings)
        } else {
            return None;
        };
        self.take(lex::word);
        Some(expr)
    }

    /// Returns the text after a word of this length.
    fn after(&self, word: &str) -> &'t str {
        lex::word(self.rest).map_or("", |(rest, found)| if found.len() == word.len() { rest } else { "" })
    }

    /// Returns whether a colon follows a word.
    fn has_value(&self, word: &str) -> bool {
        lex::skip_blanks(self.after(word)).starts_with(':')
    }

    /// Returns whether the word of an event is the number of pieces that it captured: in a comparison or a sum.
    fn is_counted(&self, event: Event, word: &str) -> bool {
        let rest = lex::skip_blanks(self.after(word));
        vocabulary::counted_event(event) && rest.starts_with(['<', '>', '=', '!', '+', '-', '*'])
    }

    /// Returns whether `attackers` or `defenders` is followed by a name instead of a number.
    fn names_a_player(&self, word: &str) -> bool {
        if !matches!(word, "attackers" | "defenders") {
            return false;
        }
        let rest = lex::skip_blanks(self.after(word));
        let value = [":", "!=", "="].iter().find_map(|sign| rest.strip_prefix(sign));
        let Some(value) = value.map(lex::skip_blanks) else { return false };
        match lex::bare(value) {
            Ok((_, bare)) => {
                let is_term = |word: &str| vocabulary::term(word).is_some();
                let is_sum = bare.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '#' | '-' | '.'));
                !is_sum && !lex::word(bare).is_ok_and(|(_, word)| is_term(&word.to_lowercase()))
            }
            Err(_) => value.starts_with('"'),
        }
    }

    /// Returns the error of an unknown word: an unknown field if a value follows.
    fn unknown(&self) -> QueryError {
        let word = lex::word(self.rest).map_or("", |(_, word)| word);
        let rest = lex::skip_blanks(self.after(word));
        let kind = if rest.starts_with(':') || lex::comparison(rest).is_ok() {
            let terms = vocabulary::TERMS.into_iter().map(|(_, word)| word);
            let kings = vocabulary::KINGS.into_iter().map(|(.., word)| word);
            let near = vocabulary::nearest(word, vocabulary::fields().chain(terms).chain(kings));
            QueryErrorKind::UnknownField { word: word.to_owned(), near }
        } else {
            QueryErrorKind::UnknownWord {
                word: word.to_owned(),
                near: vocabulary::nearest(word, vocabulary::vocabulary()),
            }
        };
        self.here(word.len(), kind)
    }

    /// A number between two bounds; `word` is what the message calls it.
    fn number<T: TryFrom<i64>>(&mut self, word: &'static str, bounds: &RangeInclusive<i64>) -> Parsed<T> {
        let Ok((rest, digits)) = lex::integer(self.rest) else { return Err(self.expected(Expected::Number)) };
        let number = digits.parse::<i64>().ok().filter(|number| bounds.contains(number));
        let kind = QueryErrorKind::OutOfRange { word, min: *bounds.start(), max: *bounds.end() };
        let number = number.and_then(|number| T::try_from(number).ok());
        let number = number.ok_or_else(|| self.here(digits.len(), kind))?;
        self.go_on(rest);
        Ok(number)
    }

    /// A text in quotation marks, or `None` if there is no quotation mark.
    fn quoted(&mut self) -> Parsed<Option<PlacedText<'t>>> {
        if !self.rest.starts_with('"') {
            return Ok(None);
        }
        let at = self.at() + 1;
        match self.take(lex::quoted) {
            Some(text) => Ok(Some(PlacedText { text, at })),
            None => Err(self.here(self.rest.len(), QueryErrorKind::UnclosedText)),
        }
    }
}
