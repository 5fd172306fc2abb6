//! Conditions on games as a whole: players, dates, results, texts.

use std::fmt;

use super::number::Comparison;

/// A condition on a game as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GameCondition {
    /// What is asked about.
    pub field: GameField,
    /// How it must compare: words and texts know only `Equal` and `Different`.
    pub comparison: Comparison,
    /// With what.
    pub value: Value,
}

/// What a field is compared with.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Value {
    /// One of the words that a field can have, such as `draw`, or the beginning of it: `brandubh*`.
    Word(String),
    /// Words that stand in the text one after another; the last may be a beginning: `"shield wa*"`.
    Phrase(String),
    /// The whole text, but for case.
    Whole(String),
    /// A number.
    Number(i64),
    /// A date, as far as it is known.
    Date(Date),
}

/// A date, as far as it is known. Written `2019`, `2019-03` or `2019-03-17`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    /// The year.
    pub year: u16,
    /// The month, 1 to 12.
    pub month: Option<u8>,
    /// The day, 1 to 31; nothing without a month.
    pub day: Option<u8>,
}

/// What of a game a condition asks about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GameField {
    /// The name of the variant in the catalog.
    Variant,
    /// The player of either side.
    Player,
    /// The attackers' player.
    Attackers,
    /// The defenders' player.
    Defenders,
    /// The player who won.
    Won,
    /// The player who lost.
    Lost,
    /// The event.
    Event,
    /// The place or site.
    Site,
    /// The round.
    Round,
    /// The time control.
    TimeControl,
    /// The date.
    Date,
    /// The year of the date.
    Year,
    /// Who won.
    Result,
    /// Why the game ended.
    Reason,
    /// How many plies it has.
    Plies,
    /// The attackers' rating.
    AttackersRating,
    /// The defenders' rating.
    DefendersRating,
    /// The rating of one of the players, whoever it is.
    Rating,
    /// The ratings of both players.
    BothRatings,
    /// The file it comes from.
    Source,
    /// The notation it was written in.
    Format,
    /// Whether it is sound or explained.
    Verdict,
    /// The codes of its findings.
    Finding,
    /// Comments and tags.
    Text,
    /// The number of the game.
    Game,
}

/// What kind of values a field has.
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

impl GameField {
    /// Every field with its word in questions and its kind.
    pub const ALL: [(GameField, &'static str, FieldKind); 25] = [
        (GameField::Variant, "variant", FieldKind::Word),
        (GameField::Player, "player", FieldKind::Text),
        (GameField::Attackers, "attackers", FieldKind::Text),
        (GameField::Defenders, "defenders", FieldKind::Text),
        (GameField::Won, "won", FieldKind::Text),
        (GameField::Lost, "lost", FieldKind::Text),
        (GameField::Event, "event", FieldKind::Text),
        (GameField::Site, "site", FieldKind::Text),
        (GameField::Round, "round", FieldKind::Text),
        (GameField::TimeControl, "time_control", FieldKind::Text),
        (GameField::Date, "date", FieldKind::Date),
        (GameField::Year, "year", FieldKind::Number),
        (GameField::Result, "result", FieldKind::Word),
        (GameField::Reason, "reason", FieldKind::Word),
        (GameField::Plies, "plies", FieldKind::Number),
        (GameField::AttackersRating, "attackers_rating", FieldKind::Number),
        (GameField::DefendersRating, "defenders_rating", FieldKind::Number),
        (GameField::Rating, "rating", FieldKind::Number),
        (GameField::BothRatings, "both_ratings", FieldKind::Number),
        (GameField::Source, "source", FieldKind::Text),
        (GameField::Format, "format", FieldKind::Word),
        (GameField::Verdict, "verdict", FieldKind::Word),
        (GameField::Finding, "finding", FieldKind::Text),
        (GameField::Text, "text", FieldKind::Text),
        (GameField::Game, "game", FieldKind::Word),
    ];

    /// Returns the word of the field in questions.
    pub fn word(self) -> &'static str {
        GameField::ALL[self as usize].1
    }

    /// Returns the kind of its values.
    pub fn kind(self) -> FieldKind {
        GameField::ALL[self as usize].2
    }

    /// Returns the field that a word names.
    pub fn from_word(word: &str) -> Option<GameField> {
        GameField::ALL.into_iter().find(|(_, name, _)| *name == word).map(|(field, ..)| field)
    }
}

/// A game as conditions see it: the values of its columns in the table `games`, by the columns' names.
pub trait GameFields {
    /// Returns a text, or nothing where the game has none.
    fn text(&self, column: &str) -> Option<&str>;
    /// Returns a number, or nothing where the game has none.
    fn number(&self, column: &str) -> Option<i64>;
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
