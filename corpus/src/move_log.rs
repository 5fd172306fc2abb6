//! The move log: the plies of the games of a segment, in about four bytes a ply.
//!
//! Position search replays the move log. Every ply is stored with its captures and events, so replay needs no rules.
//! The log is derived from the tables and can be rebuilt from them.
//!
//! ```text
//! file      magic "TAFLTAPE", version u32, games, directory, lists, footer
//! games     one after another: the facts of the start, then the plies
//! ply       from, to (one byte each if the board has at most 256 cells, else two), facts, cells of the captured pieces
//! facts     head u8: bits 0-2 captured pieces (7: a byte with their number follows the head), bit 3 the same side
//!           moves again, bit 4 a byte for the events follows, bit 5 a byte for the attackers' king, bit 6 for the defenders'
//!           king, bit 7 the events follow (u32) instead of a byte for them; after the head: number of captured, events,
//!           defenders' king, attackers' king
//! events    the number of a set in the list of sets of events
//! king      the status as KingStatus::code, or 255 if there is no king; without this byte, the status is that of the position
//!           before, or no king at the start
//! directory a row a game, 20 bytes: offset of the game u64, plies u32, first block u32, game setup u16, result u8, 0
//! lists     JSON: the rules and starts of the games of the segment (`setups`); the sets of events (`events`)
//! footer    offsets of directory and lists u64 each, games u32, blocks u32, magic
//! ```
//!
//! All numbers are little endian. Version 1, which is read as well, has the events of bit 4 as those of bit 7, a byte for
//! each king at every ply, no byte for no king, and a list of game setups only.

mod bytes;
mod changes;
mod cursor;
mod error;
mod ply_decoder;
mod read;
#[cfg(test)]
mod tests;
mod write;

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tafl_rules::{Side, UnknownName};

pub use cursor::ReplayCursor;
pub use error::MoveLogError;
pub use read::{MoveLog, MoveLogEntry};
pub use write::MoveLogWriter;

/// The version of the format. Readers reject newer versions.
pub(crate) const MOVE_LOG_VERSION: u32 = 2;

/// The version in which every ply has all of its facts.
const FIRST_VERSION: u32 = 1;

/// The maximum number of sets of events that have a number.
const MAX_EVENT_SETS: usize = 1 << 8;

/// The byte for no king.
const NO_KING: u8 = 255;

/// The number of positions in a block of the index: those after plies `16 k` to `16 k + 15` of a
/// game.
pub const BLOCK_SIZE: u32 = 16;

/// The maximum number of game setups of a move log: a game stores the number of its setup in two bytes.
pub(crate) const MAX_SETUPS: usize = 1 << 16;

const MAGIC: [u8; 8] = *b"TAFLTAPE";
const ENTRY: usize = 20;
const FOOTER: usize = 8 + 8 + 4 + 4 + 8;

/// The lists of a move log.
#[derive(Debug, Default, Serialize, Deserialize)]
struct MoveLogLists {
    /// The game setups, in the order of their numbers.
    setups: Vec<GameSetup>,
    /// The bits of the sets of events, in the order of their numbers.
    events: Vec<u32>,
}

/// The rules and the start of games.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct GameSetup {
    /// The rules string.
    pub rules: String,
    /// The position record of the start.
    pub start: String,
    /// The side that moves first.
    #[serde(with = "side_word")]
    pub first: Side,
}

/// The result of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(u8)]
pub enum GameResult {
    /// It did not end, or its result is unknown.
    #[default]
    Unfinished = 0,
    /// The attackers won.
    Attackers = 1,
    /// The defenders won.
    Defenders = 2,
    /// A draw.
    Draw = 3,
}

impl GameResult {
    /// Every result, in the order of its number.
    pub const ALL: [GameResult; 4] =
        [GameResult::Unfinished, GameResult::Attackers, GameResult::Defenders, GameResult::Draw];

    /// Returns the word of tables and queries: `unfinished`, `attackers`, `defenders` or `draw`.
    pub const fn as_str(self) -> &'static str {
        match self {
            GameResult::Unfinished => "unfinished",
            GameResult::Attackers => "attackers",
            GameResult::Defenders => "defenders",
            GameResult::Draw => "draw",
        }
    }
}

impl FromStr for GameResult {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<GameResult, UnknownName> {
        let found = GameResult::ALL.into_iter().find(|result| result.as_str() == name);
        found.ok_or(UnknownName::new("`unfinished`, `attackers`, `defenders`, or `draw`"))
    }
}

/// Serializes an optional result as its word.
pub(crate) mod result_word {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    use super::GameResult;

    // The signature is that of `serde(with)`.
    #[allow(clippy::ref_option)]
    pub(crate) fn serialize<S: Serializer>(
        result: &Option<GameResult>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        result.map(GameResult::as_str).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<GameResult>, D::Error> {
        let word = Option::<String>::deserialize(deserializer)?;
        word.map(|word| word.parse().map_err(D::Error::custom)).transpose()
    }
}

mod side_word {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use tafl_rules::Side;

    pub(super) fn serialize<S: Serializer>(side: &Side, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(side.as_str())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Side, D::Error> {
        let word = String::deserialize(deserializer)?;
        word.parse().map_err(D::Error::custom)
    }
}
