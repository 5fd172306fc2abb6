//! A game and a ply as the tables have them, in plain fields.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tafl_parser::Format;
use tafl_rules::facts::Facts;
use tafl_rules::{BySide, Cell, Move, Reason, Role, Side};

use crate::id::{GameId, LineId, RulesId};
use crate::tape::{Arena, GameResult};

/// A row of the table of games. The fields are those of [`crate::field::GAMES`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameRow {
    /// The number of the game.
    pub game: GameId,
    /// The number of the line of play.
    pub line: LineId,
    /// The id of the symmetry that leads to the form of the line that [`GameRow::line`] counts.
    pub orientation: u8,
    /// The variant's name in the catalog.
    pub variant: Option<String>,
    /// The rules string.
    pub rules: Arc<str>,
    /// The number of the rules.
    pub rules_id: RulesId,
    /// The board, such as `11x11`.
    pub shape: Arc<str>,
    /// The position record of the start.
    pub start: Arc<str>,
    /// Who moved first.
    pub first: Side,
    /// Who played the attackers.
    pub attackers: Option<String>,
    /// Who played the defenders.
    pub defenders: Option<String>,
    /// The attackers' rating.
    pub attackers_rating: Option<i16>,
    /// The defenders' rating.
    pub defenders_rating: Option<i16>,
    /// The tournament or match.
    pub event: Option<String>,
    /// The place or the server.
    pub site: Option<String>,
    /// The round of a tournament.
    pub round: Option<String>,
    /// The day as far as it is known: `2019-03-01`, `2019-03` or `2019`.
    pub date: Option<String>,
    /// The year.
    pub year: Option<i16>,
    /// The time control.
    pub time_control: Option<String>,
    /// How it ended.
    pub result: GameResult,
    /// Why it ended.
    pub reason: Option<Reason>,
    /// How many plies were played.
    pub plies: u32,
    /// How many pieces each side captured.
    pub captures: BySide<u16>,
    /// The file that the record comes from.
    pub source: Option<String>,
    /// The line of that file in which the record begins.
    pub place: Option<u32>,
    /// The notation of the record; nothing for games that a program made.
    pub format: Option<Format>,
    /// Whether the record is sound.
    pub verdict: Verdict,
    /// The codes of what was found in the record, separated by blanks.
    pub findings: Option<String>,
    /// How much the record says; of two copies the better one has more.
    pub worth: u32,
    /// Other copies.
    pub copies: Vec<CopyNote>,
    /// All comments, one behind the other.
    pub comments: Option<String>,
    /// All other statements of the record, in order.
    pub tags: Vec<(String, String)>,
    /// The record as it was read.
    pub text: Option<String>,
}

/// What replay made of a record that was stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Verdict {
    /// It has faults, and each has a reason.
    #[default]
    Explained,
    /// It could be played as it is written.
    Sound,
}

impl Verdict {
    /// Returns the word of the tables.
    pub const fn word(self) -> &'static str {
        match self {
            Verdict::Explained => "explained",
            Verdict::Sound => "sound",
        }
    }

    /// Returns the verdict that a word names.
    pub fn from_word(word: &str) -> Option<Verdict> {
        [Verdict::Explained, Verdict::Sound].into_iter().find(|verdict| verdict.word() == word)
    }
}

/// Another copy of a stored game, which is not stored itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CopyNote {
    /// The file that it stands in.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub source: Option<String>,
    /// The line in which it begins.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub place: Option<u32>,
    /// Its notation.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub format: Option<String>,
    /// The id of the symmetry that takes its board to that of the stored game; 0 where they are held alike.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub symmetry: u8,
    /// How many plies it has, where these are not all plies of the stored game.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub plies: Option<u32>,
}

impl CopyNote {
    /// Returns what is noted of a copy whose board is held as that of the stored game; `plies` is how many it has, where
    /// these are not all plies of the stored game.
    pub(crate) fn of(row: &GameRow, plies: Option<u32>) -> CopyNote {
        CopyNote {
            source: row.source.clone(),
            place: row.place,
            format: row.format.map(|format| format.name().to_owned()),
            symmetry: 0,
            plies,
        }
    }
}

fn is_zero(number: &u8) -> bool {
    *number == 0
}

/// What a game says in a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value<'a> {
    /// Nothing.
    None,
    /// A text.
    Text(&'a str),
    /// A text that was made from other fields.
    Made(String),
    /// A number.
    Number(i64),
}

impl<'a> Value<'a> {
    pub(crate) fn text(text: &'a Option<String>) -> Value<'a> {
        text.as_deref().map_or(Value::None, Value::Text)
    }

    pub(crate) fn owned(text: Option<String>) -> Value<'a> {
        text.map_or(Value::None, Value::Made)
    }

    pub(crate) fn number(number: Option<impl Into<i64>>) -> Value<'a> {
        number.map_or(Value::None, |number| Value::Number(number.into()))
    }

    /// Returns the text, if it is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            Value::Made(text) => Some(text),
            Value::None | Value::Number(_) => None,
        }
    }

    /// Returns the number, if it is one.
    pub const fn as_number(&self) -> Option<i64> {
        match self {
            Value::Number(number) => Some(*number),
            Value::None | Value::Text(_) | Value::Made(_) => None,
        }
    }

    /// Returns the text, without copying where it stands in the row.
    pub fn into_text(self) -> Option<Cow<'a, str>> {
        match self {
            Value::Text(text) => Some(Cow::Borrowed(text)),
            Value::Made(text) => Some(Cow::Owned(text)),
            Value::None | Value::Number(_) => None,
        }
    }
}

impl GameRow {
    /// Returns what the game is played by and where it starts, as tapes have it.
    pub fn arena(&self) -> Arena {
        Arena { rules: self.rules.to_string(), start: self.start.to_string(), first: self.first }
    }

    /// Returns the copies as a JSON list; nothing where there are none.
    pub fn copies_json(&self) -> Option<String> {
        let json = || serde_json::to_string(&self.copies).expect("copies have only texts and numbers");
        (!self.copies.is_empty()).then(json)
    }

    /// Returns the other statements of the record as a JSON object: a text for each name, or a list of texts where a
    /// name stands more than once.
    pub fn tags_json(&self) -> Option<String> {
        if self.tags.is_empty() {
            return None;
        }
        let mut object = serde_json::Map::new();
        for (name, value) in &self.tags {
            let value = serde_json::Value::String(value.clone());
            match object.get_mut(name) {
                None => drop(object.insert(name.clone(), value)),
                Some(serde_json::Value::Array(list)) => list.push(value),
                Some(first) => *first = serde_json::Value::Array(vec![first.take(), value]),
            }
        }
        Some(serde_json::Value::Object(object).to_string())
    }

    /// Returns the statements that a JSON object of the tables has.
    pub(crate) fn tags_from_json(json: &str) -> Option<Vec<(String, String)>> {
        let object: serde_json::Map<String, serde_json::Value> = serde_json::from_str(json).ok()?;
        let mut tags = Vec::new();
        for (name, value) in object {
            match value {
                serde_json::Value::String(text) => tags.push((name, text)),
                serde_json::Value::Array(list) => {
                    for value in list {
                        tags.push((name.clone(), value.as_str()?.to_owned()));
                    }
                }
                _ => return None,
            }
        }
        Some(tags)
    }
}

/// A row of the table of plies. The fields are those of [`crate::field::PLIES`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlyRow {
    /// Who moved.
    pub side: Side,
    /// What moved.
    pub role: Role,
    /// The move.
    pub mv: Move,
    /// The cells of the pieces that fell, in rising order.
    pub captured: Vec<Cell>,
    /// The canonical key of the position after the ply.
    pub key: u64,
    /// How many pieces each side has after the ply.
    pub pieces: BySide<u16>,
    /// How many legal moves there were before the ply.
    pub moves: u16,
    /// What the ply did, and how the kings stand after it.
    pub facts: Facts,
}
