//! Fields with values: `player:"Sven"`, `date:2018..2020`, `to:corner`.

use tafl_parser::{Format, ReasonSource};
use tafl_rules::{Coord, PieceSet, Reason, Role, Shape, Side, catalog};

use super::compare::{Ends, pieces_of};
use super::{Parsed, Parser, PlacedText, lex};
use crate::move_log::GameResult;
use crate::query::ast::{Expr, MoveArea, MoveTest, PlyTest, SetupTest};
use crate::query::error::{Expected, QueryErrorKind};
use crate::query::game::{ConditionValue, Date, FieldKind, GameCondition, GameField};
use crate::query::number::Comparison;
use crate::query::vocabulary;
use crate::words::lowercase_words;

const MAX_NUMBER: i64 = 1_000_000;

impl<'t> Parser<'t> {
    /// A condition on the game.
    pub(super) fn game_field(&mut self, field: GameField) -> Parsed<Expr> {
        self.take(lex::word);
        let sign = self.sign_of_value()?;
        match field.kind() {
            FieldKind::Word => self.word_field(field, sign),
            FieldKind::Text => self.text_field(field, sign),
            FieldKind::Number => self.number_field(field, sign),
            FieldKind::Date => self.date_field(field, sign),
        }
    }

    /// Takes the sign before a value: `None` for `:`, else the comparison.
    fn sign_of_value(&mut self) -> Parsed<Option<Comparison>> {
        if self.sign(":") {
            return Ok(None);
        }
        self.take(lex::comparison).map(Some).ok_or_else(|| self.expected(Expected::Value))
    }

    /// Returns whether values should be equal or different: texts and words have no other comparison.
    fn equality(&self, field: &'static str, sign: Option<Comparison>) -> Parsed<Comparison> {
        match sign {
            None | Some(Comparison::Equal) => Ok(Comparison::Equal),
            Some(Comparison::Different) => Ok(Comparison::Different),
            Some(Comparison::Less | Comparison::AtMost | Comparison::AtLeast | Comparison::Greater) => {
                Err(self.here(self.value_length(), QueryErrorKind::NotOrdered { field }))
            }
        }
    }

    fn value_length(&self) -> usize {
        lex::bare(self.rest).map_or(0, |(_, value)| value.len())
    }

    /// A value with or without quotation marks.
    fn value(&mut self) -> Parsed<PlacedText<'t>> {
        if let Some(quoted) = self.quoted()? {
            return Ok(quoted);
        }
        let at = self.at();
        let text = self.take(lex::bare).ok_or_else(|| self.expected(Expected::Value))?;
        Ok(PlacedText { text, at })
    }

    fn word_field(&mut self, field: GameField, sign: Option<Comparison>) -> Parsed<Expr> {
        let comparison = self.equality(field.as_str(), sign)?;
        let value = self.value()?;
        let word = word_value(field, value.text).map_err(|near| {
            let (text, known) = (value.text.to_owned(), known_words(field));
            value.error(QueryErrorKind::UnknownValue { field: field.as_str(), value: text, near, known })
        })?;
        Ok(Expr::Game(GameCondition { field, comparison, value: ConditionValue::Word(word) }))
    }

    fn text_field(&mut self, field: GameField, sign: Option<Comparison>) -> Parsed<Expr> {
        let comparison = self.equality(field.as_str(), sign)?;
        let quoted = self.value()?;
        let text = quoted.text;
        if lowercase_words(text).next().is_none() {
            let is_name = GameField::Player.columns().contains(&field.columns()[0]);
            return Err(quoted.error(if is_name { QueryErrorKind::NoName } else { QueryErrorKind::NoWords }));
        }
        let value = match sign {
            None => match ConditionValue::fuzzy(text) {
                Some((words, distance)) => fuzzy_value(words, distance).map_err(|kind| quoted.error(kind))?,
                None => ConditionValue::phrase(text),
            },
            Some(_) => ConditionValue::Whole(text.to_owned()),
        };
        Ok(Expr::Game(GameCondition { field, comparison, value }))
    }

    fn number_field(&mut self, field: GameField, sign: Option<Comparison>) -> Parsed<Expr> {
        let bounds = field.min_number()..=MAX_NUMBER;
        let test = |comparison, number: i64| {
            Expr::Game(GameCondition { field, comparison, value: ConditionValue::Number(number) })
        };
        if let Some(comparison) = sign {
            return Ok(test(comparison, self.number(field.as_str(), &bounds)?));
        }
        let start = self.at();
        let ends = self.ends(field.as_str(), &bounds)?;
        self.range_of(ends, start, &test)
    }

    fn date_field(&mut self, field: GameField, sign: Option<Comparison>) -> Parsed<Expr> {
        let start = self.at();
        let PlacedText { text, at } = self.value()?;
        let date = |text: &str, at: usize| {
            let error = || PlacedText { text, at }.error(QueryErrorKind::BadDate(text.to_owned()));
            Date::parse(text).ok_or_else(error)
        };
        let test = |comparison, date: Date| {
            Expr::Game(GameCondition { field, comparison, value: ConditionValue::Date(date) })
        };
        if let Some(comparison) = sign {
            return Ok(test(comparison, date(text, at)?));
        }
        let Some((low, high)) = text.split_once("..") else {
            return Ok(test(Comparison::Equal, date(text, at)?));
        };
        let high_at = at + low.len() + 2;
        let low = if low.is_empty() && !high.is_empty() { None } else { Some(date(low, at)?) };
        let high = if high.is_empty() { None } else { Some(date(high, high_at)?) };
        self.range_of(Ends::Range(low, high), start, &test)
    }

    /// A condition on the position or on the rules.
    pub(super) fn ply_field(&mut self, word: &str) -> Parsed<Expr> {
        let field = vocabulary::PLY_FIELDS.into_iter().find(|field| *field == word);
        let field = field.expect("the caller knows that it is one");
        self.take(lex::word);
        let sign = self.sign_of_value()?;
        let comparison = self.equality(field, sign)?;
        let value = self.value()?;
        let expr = ply_test(field, value.text).map_err(|kind| value.error(kind))?;
        Ok(if comparison == Comparison::Different { Expr::Not(Box::new(expr)) } else { expr })
    }
}

/// Returns words of which a number of letters may differ. A word with no more letters than that would match any other
/// word of its length.
fn fuzzy_value(words: &str, distance: u8) -> Result<ConditionValue, QueryErrorKind> {
    let words: Vec<String> = lowercase_words(words).collect();
    let is_long = |word: &String| word.chars().count() > usize::from(distance);
    if !(1..=ConditionValue::MAX_DISTANCE).contains(&distance) || !words.iter().all(is_long) {
        return Err(QueryErrorKind::BadFuzzy { max: ConditionValue::MAX_DISTANCE });
    }
    if words.is_empty() {
        return Err(QueryErrorKind::NoWords);
    }
    Ok(ConditionValue::Fuzzy(words.join(" "), distance))
}

fn ply_test(field: &'static str, text: &str) -> Result<Expr, QueryErrorKind> {
    let moves = |test| Expr::Ply(PlyTest::Move(test));
    Ok(match field {
        "to_move" => Expr::Ply(PlyTest::ToMove(side(field, text)?)),
        "mover" => Expr::Ply(PlyTest::Mover(side(field, text)?)),
        "from" => moves(MoveTest::From(area(text)?)),
        "to" => moves(MoveTest::To(area(text)?)),
        "took_at" => moves(MoveTest::TookAt(area(text)?)),
        "piece" => moves(MoveTest::Piece(pieces(text)?)),
        "took" => moves(MoveTest::Took(pieces(text)?)),
        "move" => {
            let bad = || QueryErrorKind::BadMove(text.to_owned());
            let (from, to) = text.split_once('-').ok_or_else(bad)?;
            let cell = |text: &str| cell(text).map(MoveArea::Cell).ok_or_else(bad);
            Expr::all(vec![moves(MoveTest::From(cell(from)?)), moves(MoveTest::To(cell(to)?))])
        }
        "shape" => Expr::Setup(SetupTest::Shape(
            shape(text).ok_or_else(|| QueryErrorKind::BadShape(text.to_owned()))?,
        )),
        _ => rules_terms(text)?,
    })
}

/// Returns the condition that the rules string has each of these terms.
fn rules_terms(text: &str) -> Result<Expr, QueryErrorKind> {
    let terms: Vec<Expr> =
        text.split_whitespace().map(|term| Expr::Setup(SetupTest::Rules(term.to_owned()))).collect();
    if terms.is_empty() { Err(QueryErrorKind::NoWords) } else { Ok(Expr::all(terms)) }
}

fn side(field: &'static str, text: &str) -> Result<Side, QueryErrorKind> {
    let words = || Side::ALL.into_iter().map(Side::as_str);
    text.to_lowercase().parse().map_err(|_| QueryErrorKind::UnknownValue {
        field,
        value: text.to_owned(),
        near: vocabulary::nearest(text, words()),
        known: "attackers or defenders".to_owned(),
    })
}

/// Returns the cell that a text names, on the largest board.
pub(super) fn cell(text: &str) -> Option<Coord> {
    let coord: Coord = text.to_lowercase().parse().ok()?;
    let end = i16::from(Shape::MAX_SIDE);
    (coord.file < end && coord.rank < end).then_some(coord)
}

fn area(text: &str) -> Result<MoveArea, QueryErrorKind> {
    Ok(match text.to_lowercase().as_str() {
        "edge" => MoveArea::Edge,
        "corner" => MoveArea::Corner,
        "throne" => MoveArea::Throne,
        other => MoveArea::Cell(cell(other).ok_or_else(|| QueryErrorKind::BadArea(text.to_owned()))?),
    })
}

/// Pieces by their letters, or by the word for their role.
fn pieces(text: &str) -> Result<PieceSet, QueryErrorKind> {
    let of_role = |role| PieceSet::ALL.iter().filter(move |piece| piece.role == role).collect();
    let role: Option<Role> = text.to_lowercase().parse().ok();
    role.map(of_role).or_else(|| pieces_of(text)).ok_or_else(|| QueryErrorKind::BadPieces(text.to_owned()))
}

fn shape(text: &str) -> Option<Shape> {
    let text: String = text.to_lowercase().chars().filter(|c| !matches!(c, ' ' | '-')).collect();
    if let Some(side) = text.strip_prefix("hex") {
        return Shape::hex(side.parse().ok()?);
    }
    let (one, other) = text.split_once('x')?;
    Shape::square(one.parse().ok()?).filter(|_| one == other)
}

/// Returns the known word that a value means, or else the most similar known word.
fn word_value(field: GameField, text: &str) -> Result<String, Option<&'static str>> {
    let spoken = text.to_lowercase().replace(['_', '-'], " ");
    let one_of = |known: &[&'static str]| match known.iter().find(|word| word.replace('-', " ") == spoken) {
        Some(word) => Ok((*word).to_owned()),
        None => Err(vocabulary::nearest(&spoken, known.iter().copied())),
    };
    if field.as_str() == "variant" && !text.ends_with('*') {
        let found = catalog::find(text).map(|variant| variant.name.to_owned());
        return found.ok_or_else(|| catalog::similar(text).first().copied());
    }
    listed_words(field).map_or_else(|| Ok(text.to_lowercase()), |known| one_of(&known))
}

/// Returns the words of fields that have few of them.
fn listed_words(field: GameField) -> Option<Vec<&'static str>> {
    match field.as_str() {
        "result" => Some(GameResult::ALL.map(GameResult::as_str).to_vec()),
        "reason" => Some(Reason::ALL.map(Reason::as_str).to_vec()),
        "reason_source" => Some(ReasonSource::ALL.map(ReasonSource::as_str).to_vec()),
        "verdict" => Some(vec!["sound", "explained"]),
        "format" => Some(Format::ALL.map(Format::name).to_vec()),
        _ => None,
    }
}

/// Returns the words that a field can have, for a message.
fn known_words(field: GameField) -> String {
    let variants = || "the names that `tafl rules list` prints, and beginnings such as brandubh*".to_owned();
    listed_words(field).map_or_else(variants, |known| known.join(", "))
}
