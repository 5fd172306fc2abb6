//! The table of plies.

use std::collections::HashMap;
use std::path::Path;

use polars::frame::DataFrame;
use polars::prelude::{Column, PolarsResult};
use tafl_rules::{BySide, Cell, Events, Facts, KingStatus, Move, Piece, Role, Shape, Side};

use super::{TableFile, TableFrame, TableWriter};
use crate::error::{CorpusError, FileFault, Result};
use crate::id::GameId;
use crate::move_log::MoveLog;
use crate::ply_state::{CellContent, PlyState};
use crate::row::{GameRow, PlyRow};
use crate::schema::{ColumnType, PLIES};

/// The number of plies after which a row group ends with the current game.
const GROUP: usize = 1 << 17;

/// The source of the table: the move log, and the columns that it lacks.
pub(crate) struct PlySource<'a> {
    /// The numbers of the games.
    pub(crate) games: &'a [GameId],
    /// The move log of the games.
    pub(crate) move_log: &'a MoveLog,
    /// The canonical keys of all positions: of the start of a game, then after each ply.
    pub(crate) keys: &'a [u64],
    /// The number of legal moves before each ply.
    pub(crate) move_counts: &'a [u16],
}

/// Writes the table of plies.
///
/// # Errors
///
/// Fails if the file cannot be written.
pub(crate) fn write_plies(path: &Path, source: &PlySource<'_>) -> Result<()> {
    let table = |error| CorpusError::table(path, error);
    let names = CellNames::of(source.move_log);
    let empty = PlyColumns::default().frame(&names).map_err(table)?;
    let mut writer = TableWriter::create(path, empty.schema())?;
    let mut columns = PlyColumns::default();
    let (mut key, mut ply) = (0, 0);
    for (row, game) in (0..).zip(source.games) {
        let n_plies = source.move_log.entry(row).n_plies as usize;
        let keys = &source.keys[key + 1..=key + n_plies];
        let move_counts = &source.move_counts[ply..ply + n_plies];
        let cursor = source.move_log.cursor(row);
        let read = cursor.and_then(|cursor| columns.add_game(*game, cursor, keys, move_counts));
        read.map_err(|error| CorpusError::damaged(path, error))?;
        (key, ply) = (key + n_plies + 1, ply + n_plies);
        if columns.ply.len() >= GROUP {
            writer.write(&columns.frame(&names).map_err(table)?)?;
            columns.clear();
        }
    }
    if !columns.ply.is_empty() {
        writer.write(&columns.frame(&names).map_err(table)?)?;
    }
    writer.finish()
}

/// Returns the table without rows.
///
/// # Errors
///
/// Does not fail: the columns of an empty table have the same length.
pub(crate) fn empty_plies() -> PolarsResult<DataFrame> {
    PlyColumns::default().frame(&CellNames(HashMap::new()))
}

/// The names of the cells of every board that a move log has.
struct CellNames(HashMap<Shape, Vec<String>>);

impl CellNames {
    fn of(move_log: &MoveLog) -> CellNames {
        let mut names = HashMap::new();
        for shape in move_log.shapes() {
            names.entry(shape).or_insert_with(|| names_of(shape));
        }
        CellNames(names)
    }
}

fn names_of(shape: Shape) -> Vec<String> {
    shape.cells().map(|cell| shape.name(cell)).collect()
}

/// The columns of a group of rows.
#[derive(Debug, Default)]
struct PlyColumns {
    shapes: Vec<(Shape, usize)>,
    game: Vec<i64>,
    ply: Vec<u16>,
    side: Vec<&'static str>,
    piece: Vec<Option<&'static str>>,
    moves: Vec<Move>,
    captured: Vec<Option<String>>,
    key: Vec<i64>,
    pieces: BySide<Vec<u16>>,
    move_counts: Vec<u16>,
    kings: BySide<Vec<Option<KingStatus>>>,
    events: Vec<Events>,
}

impl PlyColumns {
    fn clear(&mut self) {
        *self = PlyColumns::default();
    }

    fn add_game(
        &mut self,
        game: GameId,
        mut cursor: crate::move_log::ReplayCursor<'_>,
        keys: &[u64],
        move_counts: &[u16],
    ) -> std::result::Result<(), crate::move_log::MoveLogError> {
        let shape = cursor.state().shape();
        for (at, (key, n_moves)) in keys.iter().zip(move_counts).enumerate() {
            let side = cursor.state().to_move;
            cursor.advance()?;
            let state = cursor.state();
            let Some(mv) = state.last else { break };
            self.game.push(game.as_i64());
            self.ply.push(u16::try_from(at + 1).unwrap_or(u16::MAX));
            self.side.push(side.as_str());
            self.piece.push(state.at(mv.to).piece().map(|piece| piece.role.as_str()));
            self.moves.push(mv);
            self.captured.push(joined(state.captured.iter().map(|cell| shape.name(*cell))));
            self.key.push(*key as i64);
            self.move_counts.push(*n_moves);
            for side in Side::ALL {
                self.pieces[side].push(count(state, side));
                self.kings[side].push(state.facts.kings[side]);
            }
            self.events.push(state.facts.events);
        }
        self.shapes.push((shape, self.ply.len()));
        Ok(())
    }

    /// Returns the table; columns are in the order of [`PLIES`].
    fn frame(&self, names: &CellNames) -> PolarsResult<DataFrame> {
        let (from, to) = self.cells(names);
        let mut words: HashMap<Events, Option<String>> = HashMap::new();
        for events in &self.events {
            let joined = || joined(events.iter().map(|event| event.as_str().to_owned()));
            words.entry(*events).or_insert_with(joined);
        }
        let columns = PLIES.iter().map(|field| {
            let name = field.name.into();
            match field.name {
                "game" => Column::new(name, &self.game),
                "ply" => Column::new(name, &self.ply),
                "side" => Column::new(name, &self.side),
                "piece" => Column::new(name, &self.piece),
                "from" => Column::new(name, &from),
                "to" => Column::new(name, &to),
                "captured" => Column::new(name, &self.captured),
                "key" => Column::new(name, &self.key),
                "attackers" => Column::new(name, &self.pieces.attackers),
                "defenders" => Column::new(name, &self.pieces.defenders),
                "moves" => Column::new(name, &self.move_counts),
                "events" => {
                    let texts: Vec<Option<&str>> =
                        self.events.iter().map(|events| words[events].as_deref()).collect();
                    Column::new(name, texts)
                }
                king => {
                    let (side, what) = king_column(king);
                    let statuses = &self.kings[side];
                    match field.kind {
                        ColumnType::Bool => {
                            let is = |status: &KingStatus| {
                                if what == "danger" { status.in_danger } else { status.cordoned }
                            };
                            Column::new(
                                name,
                                statuses.iter().map(|status| status.as_ref().map(is)).collect::<Vec<_>>(),
                            )
                        }
                        ColumnType::Text
                        | ColumnType::Id
                        | ColumnType::UInt32
                        | ColumnType::Int16
                        | ColumnType::UInt16
                        | ColumnType::Float64
                        | ColumnType::UInt8 => {
                            let number = |status: &KingStatus| {
                                if what == "lines" { status.lines } else { status.distance }
                            };
                            Column::new(
                                name,
                                statuses.iter().map(|status| status.as_ref().map(number)).collect::<Vec<_>>(),
                            )
                        }
                    }
                }
            }
        });
        DataFrame::new(self.ply.len(), columns.collect())
    }

    fn cells<'n>(&self, names: &'n CellNames) -> (Vec<&'n str>, Vec<&'n str>) {
        let (mut from, mut to) = (Vec::with_capacity(self.ply.len()), Vec::with_capacity(self.ply.len()));
        let mut first = 0;
        for (shape, end) in &self.shapes {
            let names = &names.0[shape];
            for mv in &self.moves[first..*end] {
                from.push(&*names[mv.from.index()]);
                to.push(&*names[mv.to.index()]);
            }
            first = *end;
        }
        (from, to)
    }
}

/// Returns whose king a column is about, and the last word of its name.
fn king_column(name: &str) -> (Side, &str) {
    match name.strip_prefix("attackers_king_") {
        Some(what) => (Side::Attackers, what),
        None => (Side::Defenders, name.strip_prefix("king_").unwrap_or(name)),
    }
}

fn joined(words: impl Iterator<Item = String>) -> Option<String> {
    let words: Vec<String> = words.collect();
    (!words.is_empty()).then(|| words.join(" "))
}

fn count(state: &PlyState, side: Side) -> u16 {
    Role::ALL.into_iter().map(|role| state.count(CellContent::of(Some(Piece::new(side, role))))).sum()
}

/// Reads the plies of consecutive games: `rows` are the games, `first` is the number of plies
/// before them.
///
/// # Errors
///
/// Fails if the file cannot be read or a row is damaged.
pub(crate) fn read_plies(file: &TableFile, rows: &[GameRow], first: usize) -> Result<Vec<Vec<PlyRow>>> {
    let n_plies = rows.iter().map(|row| row.plies as usize).sum();
    let path = &*file.path;
    let frame = file.read(&[], Some((first, n_plies)))?;
    let reader = PlyReader::new(TableFrame { path, frame: &frame }, first)?;
    if frame.height() != n_plies {
        return Err(CorpusError::damaged(path, FileFault::Differs("the number of plies differs")));
    }
    let mut at = 0;
    let mut games = Vec::with_capacity(rows.len());
    let mut cells: HashMap<Shape, HashMap<String, Cell>> = HashMap::new();
    for row in rows {
        let rules: tafl_rules::RuleSet = row.rules.parse().map_err(|_| reader.fault(at, "rules"))?;
        let shape = rules.shape();
        let cells =
            cells.entry(shape).or_insert_with(|| names_of(shape).into_iter().zip(shape.cells()).collect());
        let end = at + row.plies as usize;
        games.push((at..end).map(|at| reader.row(at, row, cells)).collect::<Result<Vec<PlyRow>>>()?);
        at = end;
    }
    Ok(games)
}

struct PlyReader<'f> {
    frame: TableFrame<'f>,
    first: usize,
    texts: HashMap<&'static str, &'f polars::prelude::StringChunked>,
    numbers: HashMap<&'static str, Vec<Option<i64>>>,
}

impl<'f> PlyReader<'f> {
    fn new(frame: TableFrame<'f>, first: usize) -> Result<PlyReader<'f>> {
        let (mut texts, mut numbers) = (HashMap::new(), HashMap::new());
        for field in PLIES {
            match field.kind {
                ColumnType::Text => drop(texts.insert(field.name, frame.text(field.name)?)),
                ColumnType::Id
                | ColumnType::UInt32
                | ColumnType::Int16
                | ColumnType::UInt16
                | ColumnType::UInt8
                | ColumnType::Float64
                | ColumnType::Bool => {
                    numbers.insert(field.name, frame.numbers(field.name)?);
                }
            }
        }
        Ok(PlyReader { frame, first, texts, numbers })
    }

    fn fault(&self, at: usize, column: &'static str) -> CorpusError {
        self.frame.fault(self.first + at, column)
    }

    fn parse_at<T>(&self, at: usize, name: &'static str, read: impl Fn(&str) -> Option<T>) -> Result<T> {
        self.texts[name].get(at).and_then(read).ok_or_else(|| self.fault(at, name))
    }

    fn number<T: TryFrom<i64>>(&self, at: usize, name: &'static str) -> Result<T> {
        let number = self.numbers[name][at].and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| self.fault(at, name))
    }

    fn row(&self, at: usize, game: &GameRow, cells: &HashMap<String, Cell>) -> Result<PlyRow> {
        if self.number::<i64>(at, "game")? != game.game.as_i64() {
            return Err(self.fault(at, "game"));
        }
        let cell = |name: &str| cells.get(name).copied();
        let list = |names: &str| names.split(' ').map(cell).collect::<Option<Vec<Cell>>>();
        let events = |words: &str| words.split(' ').map(|name| name.parse().ok()).collect::<Option<Events>>();
        let captured = match self.texts["captured"].get(at) {
            // A move log stores the number of captures in a byte.
            Some(names) => list(names)
                .filter(|cells| cells.len() <= usize::from(u8::MAX))
                .ok_or_else(|| self.fault(at, "captured"))?,
            None => Vec::new(),
        };
        let events = match self.texts["events"].get(at) {
            Some(words) => events(words).ok_or_else(|| self.fault(at, "events"))?,
            None => Events::NONE,
        };
        let kings = BySide {
            attackers: self.king(
                at,
                [
                    "attackers_king_distance",
                    "attackers_king_lines",
                    "attackers_king_danger",
                    "attackers_king_cordon",
                ],
            )?,
            defenders: self.king(at, ["king_distance", "king_lines", "king_danger", "king_cordon"])?,
        };
        Ok(PlyRow {
            side: self.parse_at(at, "side", |name| name.parse().ok())?,
            role: self.parse_at(at, "piece", |name| name.parse().ok())?,
            mv: Move::new(self.parse_at(at, "from", cell)?, self.parse_at(at, "to", cell)?),
            captured,
            key: self.number::<i64>(at, "key")? as u64,
            pieces: BySide {
                attackers: self.number(at, "attackers")?,
                defenders: self.number(at, "defenders")?,
            },
            n_moves: self.number(at, "moves")?,
            facts: Facts { events, kings },
        })
    }

    fn king(&self, at: usize, names: [&'static str; 4]) -> Result<Option<KingStatus>> {
        if self.numbers[names[0]][at].is_none() {
            return Ok(None);
        }
        let is = |name| self.number::<u8>(at, name).map(|number| number != 0);
        Ok(Some(KingStatus {
            distance: self.number(at, names[0])?,
            lines: self.number(at, names[1])?,
            in_danger: is(names[2])?,
            cordoned: is(names[3])?,
        }))
    }
}
