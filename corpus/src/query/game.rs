//! Conditions on games as a whole: on players, dates, results, and texts.

use std::fmt;
use std::str::FromStr;

use tafl_rules::UnknownName;

use super::number::Comparison;
use crate::schema::{ColumnUsage, GAMES, GameColumn};
use crate::words::lowercase_words;

/// A condition on a game as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GameCondition {
    /// The field.
    pub field: GameField,
    /// The comparison. Words and texts can only be `Equal` or `Different`.
    pub comparison: Comparison,
    /// The value.
    pub value: ConditionValue,
}

/// The value of a condition.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ConditionValue {
    /// A word of the field, such as `draw`, or a prefix: `brandubh*`.
    Word(String),
    /// Consecutive words of the text; the last may be a prefix: `"shield wa*"`.
    Phrase(String),
    /// Words that a text must have in any order, each as it is or with up to this number of other letters: `"jon smit~1"`.
    Fuzzy(String, u8),
    /// The whole text, ignoring case.
    Whole(String),
    /// A number.
    Number(i64),
    /// A date of which month and day may be unknown.
    Date(Date),
}

/// A date of which month and day may be unknown. Written `2019`, `2019-03` or `2019-03-17`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    /// The year.
    pub year: u16,
    /// The month, 1 to 12.
    pub month: Option<u8>,
    /// The day, 1 to 31; `None` without a month.
    pub day: Option<u8>,
}

/// The subject of a condition on a game: a column of the table of games, or several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GameField {
    /// A column, by its index in [`GAMES`].
    Column(u8),
    /// The player of either side.
    Player,
    /// The player who won.
    Won,
    /// The player who lost.
    Lost,
    /// The rating of one of the players.
    Rating,
    /// The ratings of both players.
    BothRatings,
    /// Tags: those of the record that have no field of their own, and those that users add.
    Tag,
    /// Comments.
    Comment,
    /// Comments and tags.
    Text,
}

/// The kind of the values of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FieldKind {
    /// One word of a list.
    Word,
    /// Text.
    Text,
    /// A number.
    Number,
    /// A date.
    Date,
}

/// The fields that are more than a column, with their words and kinds.
const COMBINED: [(GameField, &str, FieldKind); 8] = [
    (GameField::Player, "player", FieldKind::Text),
    (GameField::Won, "won", FieldKind::Text),
    (GameField::Lost, "lost", FieldKind::Text),
    (GameField::Rating, "rating", FieldKind::Number),
    (GameField::BothRatings, "both_ratings", FieldKind::Number),
    (GameField::Tag, "tag", FieldKind::Text),
    (GameField::Comment, "comment", FieldKind::Text),
    (GameField::Text, TEXT, FieldKind::Text),
];

/// The query word for several columns.
const TEXT: &str = "text";

impl GameField {
    /// Returns every field.
    pub fn all() -> impl Iterator<Item = GameField> {
        let is_field = |column: &GameColumn| kind_of(column).is_some() && column.query_word != TEXT;
        let columns = (0..).zip(GAMES).filter(move |(_, column)| is_field(column));
        columns.map(|(at, _)| GameField::Column(at)).chain(COMBINED.into_iter().map(|(field, ..)| field))
    }

    /// Returns the field of a column.
    ///
    /// # Panics
    ///
    /// Panics if queries have no such field.
    pub fn column(name: &str) -> GameField {
        let found = GameField::all().find(|field| field.columns() == [name]);
        found.expect("columns are named as they are declared")
    }

    /// Returns the word in queries.
    pub fn as_str(self) -> &'static str {
        match self {
            GameField::Column(at) => GAMES[usize::from(at)].query_word,
            combined => {
                COMBINED.into_iter().find(|(field, ..)| *field == combined).map_or("", |found| found.1)
            }
        }
    }

    /// Returns the kind of values.
    pub fn kind(self) -> FieldKind {
        match self {
            GameField::Column(at) => kind_of(&GAMES[usize::from(at)]).unwrap_or(FieldKind::Word),
            combined => COMBINED
                .into_iter()
                .find(|(field, ..)| *field == combined)
                .map_or(FieldKind::Text, |found| found.2),
        }
    }

    /// Returns the least number that games may have; only ratings may be negative.
    pub(crate) fn min_number(self) -> i64 {
        let is_rating = self.columns().iter().all(|column| column.ends_with("_rating"));
        if is_rating { i64::from(i16::MIN) } else { 0 }
    }

    /// Returns the names of the columns that a condition compares.
    pub fn columns(self) -> Vec<&'static str> {
        match self {
            GameField::Column(at) => vec![GAMES[usize::from(at)].field.name],
            GameField::Player | GameField::Won | GameField::Lost => vec!["attackers", "defenders"],
            GameField::Rating | GameField::BothRatings => vec!["attackers_rating", "defenders_rating"],
            GameField::Tag => vec!["tags"],
            GameField::Comment => vec!["comments"],
            GameField::Text => {
                GAMES.iter().filter(|it| is_text(it)).map(|column| column.field.name).collect()
            }
        }
    }
}

impl FromStr for GameField {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<GameField, UnknownName> {
        GameField::all().find(|field| field.as_str() == name).ok_or(UnknownName::new("the name of a field"))
    }
}

fn is_text(column: &GameColumn) -> bool {
    column.field.usage == ColumnUsage::Text && column.query_word == TEXT
}

fn kind_of(column: &GameColumn) -> Option<FieldKind> {
    match column.field.usage {
        ColumnUsage::Word => Some(FieldKind::Word),
        ColumnUsage::Text => Some(FieldKind::Text),
        ColumnUsage::Number => Some(FieldKind::Number),
        ColumnUsage::Date => Some(FieldKind::Date),
        ColumnUsage::Setup | ColumnUsage::None => None,
    }
}

impl ConditionValue {
    /// Returns the words of a text as a phrase, in lower case; a star at its end makes the last one a beginning.
    pub fn phrase(text: &str) -> ConditionValue {
        let star = if text.ends_with('*') { "*" } else { "" };
        ConditionValue::Phrase(lowercase_words(text).collect::<Vec<_>>().join(" ") + star)
    }

    /// The greatest number of letters that a word may differ in.
    pub const MAX_DISTANCE: u8 = 2;

    /// Returns the words and the number of other letters of `jon smit~1`; `~` alone is 1. `None` without such an end.
    pub(crate) fn fuzzy(text: &str) -> Option<(&str, u8)> {
        let (words, distance) = text.rsplit_once('~')?;
        match distance {
            "" => Some((words, 1)),
            digits => digits.parse().ok().map(|distance| (words, distance)),
        }
    }
}

impl Date {
    /// Reads a date as far as it is written: `2019`, `2019-03`, `2019-03-17`.
    pub fn parse(text: &str) -> Option<Date> {
        let mut parts = text.split('-');
        let number = |part: &str, length: usize| {
            let is_number = part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
            if is_number { part.parse::<u16>().ok() } else { None }
        };
        let year = number(parts.next()?, 4)?;
        let month = parts.next().map(|part| number(part, 2)).map_or(Some(None), |month| month.map(Some))?;
        let day = parts.next().map(|part| number(part, 2)).map_or(Some(None), |day| day.map(Some))?;
        let is_month = month.is_none_or(|month| (1..=12).contains(&month));
        let is_day = day.is_none_or(|day| (1..=days_of(year, month.unwrap_or(1))).contains(&day));
        let is_date = parts.next().is_none() && is_month && is_day;
        is_date.then_some(Date { year, month: month.map(|m| m as u8), day: day.map(|d| d as u8) })
    }

    /// Returns the first and the last day that the date may mean, as year, month, day.
    pub fn days(self) -> [(u16, u8, u8); 2] {
        let last_month = self.month.unwrap_or(12);
        let last_day = self.day.unwrap_or_else(|| days_of(self.year, last_month.into()) as u8);
        [(self.year, self.month.unwrap_or(1), self.day.unwrap_or(1)), (self.year, last_month, last_day)]
    }

    /// Returns the first and the last day that the date may mean, as numbers such as 20190317.
    pub fn day_numbers(self) -> [i64; 2] {
        self.days()
            .map(|(year, month, day)| i64::from(year) * 10_000 + i64::from(month) * 100 + i64::from(day))
    }

    /// Returns whether this date surely compares so with another: `2019-03` is at most `2019`, but not surely at most
    /// `2019-03-15`. It is different from a date that does not surely include it.
    pub fn compares(self, comparison: Comparison, other: Date) -> bool {
        let ([first, last], [other_first, other_last]) = (self.days(), other.days());
        let is_within = other_first <= first && last <= other_last;
        match comparison {
            Comparison::Less => last < other_first,
            Comparison::AtMost => last <= other_last,
            Comparison::Equal => is_within,
            Comparison::Different => !is_within,
            Comparison::AtLeast => first >= other_first,
            Comparison::Greater => first > other_last,
        }
    }
}

/// Returns the number of days of a month.
pub(crate) fn days_of(year: u16, month: u16) -> u16 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Writes the date as far as it is known: `2019-03`.
impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}", self.year)?;
        if let Some(month) = self.month {
            write!(f, "-{month:02}")?;
        }
        if let Some(day) = self.day {
            write!(f, "-{day:02}")?;
        }
        Ok(())
    }
}

impl ConditionValue {
    /// Returns whether a word is this value, or begins as it does.
    pub(crate) fn is_word(&self, word: &str) -> bool {
        match self {
            ConditionValue::Word(value) | ConditionValue::Phrase(value) | ConditionValue::Whole(value) => {
                match value.strip_suffix('*') {
                    Some(beginning) => plain_word(word).starts_with(&plain_word(beginning)),
                    None => plain_word(word) == plain_word(value),
                }
            }
            ConditionValue::Fuzzy(..) | ConditionValue::Number(_) | ConditionValue::Date(_) => false,
        }
    }
}

/// Returns a word without the differences that do not count: case, blanks, hyphens, underscores.
pub(crate) fn plain_word(word: &str) -> String {
    word.chars().filter(|c| !matches!(c, ' ' | '-' | '_')).flat_map(char::to_lowercase).collect()
}
