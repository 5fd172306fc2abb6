//! Whether a condition holds for a game, from the values of the game's columns. The index answers the same query for
//! all games of a segment at once; tests compare the two.

use super::game::{ConditionValue, Date, FieldKind, GameCondition, GameField};
use super::number::Comparison;
use crate::text::{folded, words};

/// The values of a game's columns in the table of games.
pub trait GameFields {
    /// Returns the text in a column, or `None` if it is null.
    fn text(&self, column: &str) -> Option<&str>;
    /// Returns the number in a column, or `None` if it is null.
    fn number(&self, column: &str) -> Option<i64>;
}

impl GameCondition {
    /// Returns whether the condition holds for a game. It does not if the game has no value.
    pub fn holds(&self, game: &dyn GameFields) -> bool {
        match (self.field.kind(), &self.value) {
            (FieldKind::Number, ConditionValue::Number(number)) => self.number_holds(game, *number),
            (FieldKind::Date, ConditionValue::Date(date)) => {
                let found = game.text("date").and_then(Date::parse);
                found.is_some_and(|found| found.compares(self.comparison, *date))
            }
            (
                FieldKind::Word | FieldKind::Text,
                ConditionValue::Word(_)
                | ConditionValue::Phrase(_)
                | ConditionValue::Fuzzy(..)
                | ConditionValue::Whole(_),
            ) => self.text_holds(game),
            _ => false,
        }
    }

    fn text_holds(&self, game: &dyn GameFields) -> bool {
        let columns = self.text_columns(game);
        let texts: Vec<&str> = columns.iter().filter_map(|column| game.text(column)).collect();
        let is_equal = texts.iter().any(|text| match self.field.kind() {
            FieldKind::Word => self.value.is_word(text),
            _ => self.value.is_in(text),
        });
        if self.comparison == Comparison::Different { !is_equal && !texts.is_empty() } else { is_equal }
    }

    /// Returns the columns of which one must have a matching text; empty for `won` and `lost` if the game has no
    /// winner.
    fn text_columns(&self, game: &dyn GameFields) -> Vec<&'static str> {
        let winner = match game.text("result") {
            Some("attackers") => Some(("attackers", "defenders")),
            Some("defenders") => Some(("defenders", "attackers")),
            Some(_) | None => None,
        };
        match self.field {
            GameField::Won => winner.map(|(won, _)| won).into_iter().collect(),
            GameField::Lost => winner.map(|(_, lost)| lost).into_iter().collect(),
            _ => self.field.columns(),
        }
    }

    fn number_holds(&self, game: &dyn GameFields, number: i64) -> bool {
        let columns = self.field.columns();
        let compares =
            |column: &&str| game.number(column).is_some_and(|found| self.comparison.holds(found, number));
        match self.field {
            GameField::BothRatings => columns.iter().all(compares),
            _ => columns.iter().any(compares),
        }
    }
}

impl ConditionValue {
    /// Returns the text that is looked for.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            ConditionValue::Word(text)
            | ConditionValue::Phrase(text)
            | ConditionValue::Fuzzy(text, _)
            | ConditionValue::Whole(text) => Some(text),
            ConditionValue::Number(_) | ConditionValue::Date(_) => None,
        }
    }

    /// Returns whether a text has these words in a row, or is this text.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        match self {
            ConditionValue::Word(phrase) | ConditionValue::Phrase(phrase) => has_phrase(text, phrase),
            ConditionValue::Fuzzy(wanted, distance) => {
                let known = words(text);
                let is_near = |word: &str| {
                    known.iter().any(|known| strsim::levenshtein(word, known) <= usize::from(*distance))
                };
                words(wanted).iter().all(|word| is_near(word))
            }
            ConditionValue::Whole(whole) => folded(whole) == folded(text),
            ConditionValue::Number(_) | ConditionValue::Date(_) => false,
        }
    }
}

fn has_phrase(text: &str, phrase: &str) -> bool {
    let is_prefix = phrase.ends_with('*');
    let (wanted, words) = (words(phrase), words(text));
    let Some((last, others)) = wanted.split_last() else { return false };
    words.windows(wanted.len()).any(|window| {
        let (its_last, its_others) = window.split_last().expect("a window has as many words as the phrase");
        its_others == others && if is_prefix { its_last.starts_with(last) } else { its_last == last }
    })
}
