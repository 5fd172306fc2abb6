//! The rows of the tables of games and plies.

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tafl_rules::{BySide, Cell, Facts, Move, Role, Side, UnknownName};

use crate::id::{GameId, name_hash};
use crate::move_log::GameSetup;

pub(crate) use crate::schema::{CellValue, GameRow};

/// The soundness of a stored record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum RecordVerdict {
    /// It has faults, and all are explained.
    #[default]
    Explained,
    /// It could be replayed as written.
    Sound,
}

impl RecordVerdict {
    /// Returns the word of the tables.
    pub const fn as_str(self) -> &'static str {
        match self {
            RecordVerdict::Explained => "explained",
            RecordVerdict::Sound => "sound",
        }
    }
}

impl FromStr for RecordVerdict {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<RecordVerdict, UnknownName> {
        let all = [RecordVerdict::Explained, RecordVerdict::Sound];
        let found = all.into_iter().find(|verdict| verdict.as_str() == name);
        found.ok_or(UnknownName::new("`sound` or `explained`"))
    }
}

/// A copy of a stored game that is not stored itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "store", derive(schemars::JsonSchema))]
pub struct CopyNote {
    /// The file of the record.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub source: Option<String>,
    /// The line in which it begins.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub place: Option<u32>,
    /// Its notation.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub format: Option<String>,
    /// The id of the symmetry that takes its board to that of the stored game; 0 if both have the same orientation.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub symmetry: u8,
    /// Its number of plies, if they are not all plies of the stored game.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub plies: Option<u32>,
    /// Its variant, if that is another name for the rules than the stored game's.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub variant: Option<String>,
}

impl CopyNote {
    /// Returns the note of a copy whose board is oriented as that of the stored game; `plies` is its number of plies if
    /// they are not all plies of the stored game.
    pub(crate) fn of(row: &GameRow, plies: Option<u32>) -> CopyNote {
        CopyNote {
            source: row.source.clone(),
            place: row.place,
            format: row.format.map(|format| format.name().to_owned()),
            symmetry: 0,
            plies,
            variant: None,
        }
    }

    /// Returns the note with the variant of the game, if that of the stored game has another [`name_hash`].
    pub(crate) fn named(self, row: &GameRow, stored: u64) -> CopyNote {
        let name = row.variant_name().filter(|name| name_hash(Some(name)) != stored);
        CopyNote { variant: name.map(str::to_owned), ..self }
    }
}

fn is_zero(number: &u8) -> bool {
    *number == 0
}

impl GameRow {
    /// Returns the ID that the game has if no other stored game has it.
    pub(crate) fn game_id(&self) -> GameId {
        let players = [Side::Attackers, Side::Defenders].map(|side| self.written_player(side));
        GameId::of(self.line, players, self.date.as_deref())
    }

    /// Returns the variant's name in the catalog, or the name that the record gives to other rules.
    pub(crate) fn variant_name(&self) -> Option<&str> {
        let written = || self.tags.iter().find(|(name, _)| name == "variant").map(|(_, value)| &**value);
        self.variant.as_deref().or_else(written)
    }

    /// Returns the number of pieces that each side captured.
    pub const fn captures(&self) -> BySide<u16> {
        BySide { attackers: self.attackers_captures, defenders: self.defenders_captures }
    }

    /// Returns the other tags of the record as a JSON object.
    pub fn tags_json(&self) -> Option<String> {
        tags_json(&self.tags)
    }

    /// Returns the rules and the start of the game.
    pub fn game_setup(&self) -> GameSetup {
        GameSetup { rules: self.rules.to_string(), start: self.start.to_string(), first: self.first }
    }
}

/// Returns the tags of a record as a JSON object: a text for each name, or a list of texts if a name
/// occurs more than once.
pub(crate) fn tags_json(tags: &[(String, String)]) -> Option<String> {
    if tags.is_empty() {
        return None;
    }
    let mut object = serde_json::Map::new();
    for (name, value) in tags {
        let value = serde_json::Value::String(value.clone());
        match object.get_mut(name) {
            None => drop(object.insert(name.clone(), value)),
            Some(serde_json::Value::Array(list)) => list.push(value),
            Some(first) => *first = serde_json::Value::Array(vec![first.take(), value]),
        }
    }
    Some(serde_json::Value::Object(object).to_string())
}

/// Returns the tags of a JSON object of the tables.
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

/// A row of the table of plies. The fields are those of [`crate::schema::PLIES`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlyRow {
    /// The side that moved.
    pub side: Side,
    /// The kind of the piece that moved.
    pub role: Role,
    /// The move.
    pub mv: Move,
    /// The cells of the captured pieces, in rising order.
    pub captured: Vec<Cell>,
    /// The canonical key of the position after the ply.
    pub key: u64,
    /// The number of pieces of each side after the ply.
    pub pieces: BySide<u16>,
    /// The number of legal moves before the ply.
    pub n_moves: u16,
    /// The events of the ply, and the status of the kings after it.
    pub facts: Facts,
}
