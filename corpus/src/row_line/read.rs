//! Reading of row lines. Everything that needs no replay is checked; `tafl verify --deep` checks the rest.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::Deserialize;
use tafl_parser::ErrorLine;
use tafl_rules::{BySide, Cell, Events, Facts, KEY_VERSION, KingStatus, Move, Role, Shape, Side};

use super::game_object::GameObject;
use super::hex::HexNumber;
use super::{ROW_LINE_VERSION, write::side_letter};
use crate::ingest::{PreparedGame, PreparedRecord};
use crate::ply_state::{CellContent, PlyState};
use crate::rejected_record::RejectedRecord;
use crate::replay_setups::{ReplaySetup, ReplaySetups};
use crate::row::{GameRow, PlyRow};
use crate::schema::SharedTexts;

/// The reason why a line cannot be stored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RowError {
    /// It is not JSON of this kind.
    #[error("not a row line: {0}")]
    Json(String),
    /// It has another version.
    #[error(
        "unsupported version {found} of {what}; expected version {known} (write the lines with this program)"
    )]
    Version {
        /// The data that has a version.
        what: &'static str,
        /// Its version.
        found: u64,
        /// The version of this program.
        known: u32,
    },
    /// A field has a value that it cannot have.
    #[error("missing or invalid value of `{0}`")]
    Field(&'static str),
    /// Two parts of the line disagree.
    #[error("the line contradicts itself: {0}")]
    Differs(&'static str),
}

/// A reader of row lines. Each thread has its own.
#[derive(Debug, Default)]
pub struct RowReader {
    setups: ReplaySetups,
    /// The names of the cells of boards.
    cells: HashMap<Shape, HashMap<String, Cell>>,
    texts: SharedTexts,
}

#[derive(Deserialize)]
struct Versions {
    taflbase_row: u64,
    key_version: Option<u64>,
}

#[derive(Deserialize)]
struct RowLine<'a> {
    taflbase_row: u64,
    key_version: Option<u64>,
    #[serde(borrow)]
    game: Option<GameObject<'a>>,
    start_key: Option<HexNumber>,
    #[serde(borrow)]
    plies: Option<PlyLists<'a>>,
    rejected: Option<RejectedRecord>,
    #[serde(borrow)]
    error: Option<ErrorLine<'a>>,
}

#[derive(Deserialize)]
struct PlyLists<'a> {
    #[serde(borrow)]
    sides: Cow<'a, str>,
    #[serde(borrow)]
    from: Vec<Cow<'a, str>>,
    #[serde(borrow)]
    to: Vec<Cow<'a, str>>,
    #[serde(borrow)]
    captured: Vec<Cow<'a, str>>,
    #[serde(rename = "moves")]
    move_counts: Vec<u16>,
    events: Vec<u32>,
    #[serde(default)]
    king: Vec<Option<u8>>,
    #[serde(default)]
    attackers_king: Vec<Option<u8>>,
    keys: Vec<HexNumber>,
}

impl RowReader {
    /// Returns the record of a line: a game, a rejected record, or the rejected record of an error.
    ///
    /// # Errors
    ///
    /// Fails if the line cannot be stored.
    pub fn read(&mut self, line: &[u8]) -> Result<PreparedRecord, RowError> {
        let row: RowLine<'_> = match serde_json::from_slice(line) {
            Ok(row) => row,
            Err(error) => return Err(other_version(line).unwrap_or_else(|| json(&error))),
        };
        let versions = Versions { taflbase_row: row.taflbase_row, key_version: row.key_version };
        if let Some(error) = versions.other() {
            return Err(error);
        }
        match (row.game, row.start_key, row.plies, row.rejected, row.error) {
            (Some(game), Some(start_key), Some(plies), None, None) => {
                self.game(&game, start_key, &plies).map(|game| PreparedRecord::Game(Box::new(game)))
            }
            (None, None, None, Some(rejected), None) => Ok(PreparedRecord::Rejected(Box::new(rejected))),
            (None, None, None, None, Some(error)) => {
                Ok(PreparedRecord::Rejected(Box::new(RejectedRecord::unreadable(&error))))
            }
            _ => Err(RowError::Differs("expected a game with plies, a rejected record, or an error")),
        }
    }

    fn game(
        &mut self,
        game: &GameObject<'_>,
        start_key: HexNumber,
        plies: &PlyLists<'_>,
    ) -> Result<PreparedGame, RowError> {
        let RowReader { setups, cells, texts } = self;
        let row = game.row(texts)?;
        let replay_setup = setups.of(&row).ok_or(RowError::Field("rules"))?;
        if replay_setup.key != start_key.0 {
            return Err(RowError::Differs("the key of the start is not that of its position"));
        }
        let names = cells
            .entry(replay_setup.shape())
            .or_insert_with_key(|shape| shape.cells().map(|cell| (shape.name(cell), cell)).collect());
        let plies = ply_rows(&row, plies, names)?;
        check(replay_setup, &row, &plies)?;
        Ok(replay_setup.prepare(row, plies).dated())
    }
}

fn json(error: &serde_json::Error) -> RowError {
    RowError::Json(error.to_string().replace(" at line 1 column ", " at column "))
}

/// Returns the error for a line of other versions, if it has other ones.
fn other_version(line: &[u8]) -> Option<RowError> {
    serde_json::from_slice::<Versions>(line).ok()?.other()
}

impl Versions {
    /// Returns the error for versions that differ from those of this program.
    fn other(&self) -> Option<RowError> {
        let differs = |what, found: u64, known: u32| {
            (found != u64::from(known)).then_some(RowError::Version { what, found, known })
        };
        differs("a row line", self.taflbase_row, ROW_LINE_VERSION)
            .or_else(|| differs("position keys", self.key_version.unwrap_or(0), KEY_VERSION))
    }
}

fn ply_rows(
    row: &GameRow,
    plies: &PlyLists<'_>,
    names: &HashMap<String, Cell>,
) -> Result<Vec<PlyRow>, RowError> {
    let count = row.plies as usize;
    let lengths = [
        plies.sides.len(),
        plies.from.len(),
        plies.to.len(),
        plies.captured.len(),
        plies.move_counts.len(),
        plies.events.len(),
        plies.keys.len(),
    ];
    let kings = [&plies.king, &plies.attackers_king];
    if count == 0 || lengths.iter().any(|length| *length != count) {
        return Err(RowError::Differs("the lengths of its lists of plies differ from `plies`"));
    }
    if kings.iter().any(|king| !king.is_empty() && king.len() != count) {
        return Err(RowError::Differs("the lengths of its lists of kings differ from `plies`"));
    }
    let cell = |name: &str| names.get(name).copied().ok_or(RowError::Field("from, to or captured"));
    let king = |king: &[Option<u8>], at: usize| king.get(at).copied().flatten().map(KingStatus::from_code);
    let ply = |at: usize| {
        let letter = plies.sides.as_bytes()[at];
        let side = Side::ALL.into_iter().find(|side| side_letter(*side) == letter);
        Ok(PlyRow {
            side: side.ok_or(RowError::Field("sides"))?,
            role: Role::Soldier,
            mv: Move::new(cell(&plies.from[at])?, cell(&plies.to[at])?),
            captured: plies.captured[at].split_ascii_whitespace().map(cell).collect::<Result<_, _>>()?,
            key: plies.keys[at].0,
            pieces: BySide { attackers: 0, defenders: 0 },
            n_moves: plies.move_counts[at],
            facts: Facts {
                events: Events::from_bits(plies.events[at]),
                kings: BySide {
                    attackers: king(&plies.attackers_king, at),
                    defenders: king(&plies.king, at),
                },
            },
        })
    };
    (0..count).map(ply).collect()
}

/// Checks that the parts of a game agree.
fn check(replay_setup: &ReplaySetup, row: &GameRow, plies: &[PlyRow]) -> Result<(), RowError> {
    let fits = |is_right: bool, what: &'static str| is_right.then_some(()).ok_or(RowError::Differs(what));
    fits(replay_setup.rules_id == row.rules_id, "the rules ID is not that of the rules")?;
    fits(*replay_setup.shape().to_string() == *row.shape, "the board is not that of the rules")?;
    fits(plies[0].side == row.first, "the first ply is not of the side that moves first")?;
    let has_captures = |side: Side| {
        let of_side = plies.iter().filter(|ply| ply.side == side);
        let n_captured: usize = of_side.map(|ply| ply.captured.len()).sum();
        n_captured.min(usize::from(u16::MAX)) == usize::from(row.captures()[side])
    };
    fits(
        Side::ALL.into_iter().all(has_captures),
        "the numbers of captured pieces are not those of the plies",
    )?;
    let line = replay_setup.line(row.first, plies);
    fits(
        line.id == row.line && line.symmetry == row.orientation,
        "the line of play is not that of the plies",
    )?;
    fits(row.game_id() == row.game, "the game ID is not that of its line, players, and date")?;
    let mut state = PlyState::start(&replay_setup.setup, row.first, Facts::default());
    for ply in plies {
        fits(state.at(ply.mv.from) != CellContent::EMPTY, "a ply begins on an empty cell")?;
        let is_there = |cell: &Cell| *cell == ply.mv.to || state.at(*cell) != CellContent::EMPTY;
        fits(ply.captured.iter().all(is_there), "a ply captures on an empty cell")?;
        fits(
            ply.captured.is_sorted_by(|one, other| one < other),
            "a ply captures on a cell twice, or out of order",
        )?;
        // A move log stores the number of captures in a byte.
        fits(ply.captured.len() <= usize::from(u8::MAX), "a ply captures more than 255 pieces")?;
        state.captured.clone_from(&ply.captured);
        state.advance(ply.mv);
    }
    Ok(())
}
