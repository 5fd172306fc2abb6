//! The table of games.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use polars::frame::DataFrame;
use polars::prelude::{Column, StringChunked};
use tafl_parser::Format;
use tafl_rules::{BySide, Reason, Side};

use super::{Frame, TableFile, TableWriter};
use crate::error::{CorpusError, Result};
use crate::field::{GAMES, GameField, Kind};
use crate::id::{GameId, LineId, RulesId};
use crate::row::{GameRow, Verdict};
use crate::tape::GameResult;

/// So many games share a row group: reading one game reads at most so many.
const GROUP: usize = 2048;

/// Writes the table of games.
///
/// # Errors
///
/// Fails when the file cannot be written.
pub(crate) fn write_games(path: &Path, rows: &[GameRow]) -> Result<()> {
    let table = |error| CorpusError::table(path, error);
    let empty = frame(&[]).map_err(table)?;
    let mut writer = TableWriter::create(path, empty.schema())?;
    for group in rows.chunks(GROUP) {
        writer.write(&frame(group).map_err(table)?)?;
    }
    writer.finish()
}

/// Returns the table without rows.
///
/// # Errors
///
/// Never: the columns of an empty table are as long as each other.
pub(crate) fn empty_games() -> polars::prelude::PolarsResult<DataFrame> {
    frame(&[])
}

/// Reads the numbers of all games.
///
/// # Errors
///
/// Returns that the file cannot be read, or which row is damaged.
pub(crate) fn read_game_ids(file: &TableFile) -> Result<Vec<GameId>> {
    let frame = file.read(&["game"], None)?;
    let frame = Frame { path: &file.path, frame: &frame };
    let numbers = frame.numbers("game")?;
    let id = |(at, number): (usize, Option<i64>)| {
        number.map(GameId::from_i64).ok_or_else(|| frame.fault(at, "game"))
    };
    numbers.into_iter().enumerate().map(id).collect()
}

fn frame(rows: &[GameRow]) -> polars::prelude::PolarsResult<DataFrame> {
    DataFrame::new(rows.len(), GAMES.iter().map(|field| column(field, rows)).collect())
}

fn column(GameField { field, get }: &GameField, rows: &[GameRow]) -> Column {
    let numbers = || rows.iter().map(|row| get(row).as_number());
    let name = field.name.into();
    match field.kind {
        Kind::Text => {
            let texts: Vec<_> = rows.iter().map(|row| get(row).into_text()).collect();
            Column::new(name, texts.iter().map(Option::as_deref).collect::<Vec<Option<&str>>>())
        }
        Kind::Int64 => Column::new(name, numbers().collect::<Vec<Option<i64>>>()),
        Kind::UInt32 => Column::new(name, numbers().map(|n| n.map(|n| n as u32)).collect::<Vec<_>>()),
        Kind::Int16 => Column::new(name, numbers().map(|n| n.map(|n| n as i16)).collect::<Vec<_>>()),
        Kind::UInt16 => Column::new(name, numbers().map(|n| n.map(|n| n as u16)).collect::<Vec<_>>()),
        Kind::UInt8 => Column::new(name, numbers().map(|n| n.map(|n| n as u8)).collect::<Vec<_>>()),
        Kind::Float64 => Column::new(name, numbers().map(|n| n.map(|n| n as f64)).collect::<Vec<_>>()),
        Kind::Bool => Column::new(name, numbers().map(|n| n.map(|n| n != 0)).collect::<Vec<_>>()),
    }
}

/// Which part of the rows is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GamePart {
    /// Everything.
    All,
    /// Everything but the text of the record, which takes most of the time.
    WithoutText,
    /// What lists say of games: no text, comments, tags, copies and findings.
    Short,
}

impl GamePart {
    fn has(self, column: &str) -> bool {
        match self {
            GamePart::All => true,
            GamePart::WithoutText => column != "text",
            GamePart::Short => !["text", "comments", "tags", "copies", "findings"].contains(&column),
        }
    }
}

/// Reads rows of the table of games: `slice` is the first one and how many.
///
/// # Errors
///
/// Returns that the file cannot be read, or which row is damaged.
pub(crate) fn read_games(
    file: &TableFile,
    part: GamePart,
    slice: Option<(usize, usize)>,
) -> Result<Vec<GameRow>> {
    let names: Vec<&str> = GAMES.iter().map(|field| field.field.name).filter(|name| part.has(name)).collect();
    let frame = file.read(&names, slice)?;
    let frame = Frame { path: &file.path, frame: &frame };
    let mut texts = HashMap::new();
    let mut numbers = HashMap::new();
    for GameField { field, .. } in GAMES.iter().filter(|field| names.contains(&field.field.name)) {
        match field.kind {
            Kind::Text => drop(texts.insert(field.name, frame.text(field.name)?)),
            Kind::Int64
            | Kind::UInt32
            | Kind::Int16
            | Kind::UInt16
            | Kind::UInt8
            | Kind::Float64
            | Kind::Bool => {
                numbers.insert(field.name, frame.numbers(field.name)?);
            }
        }
    }
    let mut reader =
        Reader { frame: &frame, texts, numbers, shared: HashMap::new(), first: slice.map_or(0, |s| s.0) };
    (0..frame.frame.height()).map(|at| reader.row(at)).collect()
}

struct Reader<'f> {
    frame: &'f Frame<'f>,
    texts: HashMap<&'static str, &'f StringChunked>,
    numbers: HashMap<&'static str, Vec<Option<i64>>>,
    /// Texts that many games have.
    shared: HashMap<&'f str, Arc<str>>,
    first: usize,
}

impl<'f> Reader<'f> {
    fn text(&self, name: &'static str, at: usize) -> Option<&'f str> {
        self.texts.get(name).and_then(|column| column.get(at))
    }

    fn owned(&self, name: &'static str, at: usize) -> Option<String> {
        self.text(name, at).map(str::to_owned)
    }

    fn shared(&mut self, name: &'static str, at: usize) -> Result<Arc<str>> {
        let text = self.text(name, at).ok_or_else(|| self.fault(at, name))?;
        Ok(Arc::clone(self.shared.entry(text).or_insert_with(|| text.into())))
    }

    fn word<T>(&self, name: &'static str, at: usize, read: impl Fn(&str) -> Option<T>) -> Result<T> {
        self.text(name, at).and_then(read).ok_or_else(|| self.fault(at, name))
    }

    fn maybe_word<T>(
        &self,
        name: &'static str,
        at: usize,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>> {
        self.text(name, at).map(|word| read(word).ok_or_else(|| self.fault(at, name))).transpose()
    }

    fn maybe<T: TryFrom<i64>>(&self, name: &'static str, at: usize) -> Result<Option<T>> {
        let number = self.numbers.get(name).and_then(|column| column[at]);
        number.map(|number| T::try_from(number).map_err(|_| self.fault(at, name))).transpose()
    }

    fn number<T: TryFrom<i64>>(&self, name: &'static str, at: usize) -> Result<T> {
        self.maybe(name, at)?.ok_or_else(|| self.fault(at, name))
    }

    fn fault(&self, at: usize, name: &'static str) -> CorpusError {
        self.frame.fault(self.first + at, name)
    }

    fn row(&mut self, at: usize) -> Result<GameRow> {
        let copies = |json: &str| serde_json::from_str(json).ok();
        Ok(GameRow {
            game: GameId::from_i64(self.number("game", at)?),
            line: LineId::from_i64(self.number("line", at)?),
            orientation: self.number("orientation", at)?,
            variant: self.owned("variant", at),
            rules: self.shared("rules", at)?,
            rules_id: RulesId::from_i64(self.number("rules_id", at)?),
            shape: self.shared("shape", at)?,
            start: self.shared("start", at)?,
            first: self.word("first", at, Side::from_word)?,
            attackers: self.owned("attackers", at),
            defenders: self.owned("defenders", at),
            attackers_rating: self.maybe("attackers_rating", at)?,
            defenders_rating: self.maybe("defenders_rating", at)?,
            event: self.owned("event", at),
            site: self.owned("site", at),
            round: self.owned("round", at),
            date: self.owned("date", at),
            year: self.maybe("year", at)?,
            time_control: self.owned("time_control", at),
            result: self.word("result", at, GameResult::from_word)?,
            reason: self.maybe_word("reason", at, Reason::from_words)?,
            plies: self.number("plies", at)?,
            captures: BySide {
                attackers: self.number("attackers_captures", at)?,
                defenders: self.number("defenders_captures", at)?,
            },
            source: self.owned("source", at),
            place: self.maybe("place", at)?,
            format: self.maybe_word("format", at, Format::from_name)?,
            verdict: self.word("verdict", at, Verdict::from_word)?,
            findings: self.owned("findings", at),
            worth: self.number("worth", at)?,
            copies: self.maybe_word("copies", at, copies)?.unwrap_or_default(),
            comments: self.owned("comments", at),
            tags: self.maybe_word("tags", at, GameRow::tags_from_json)?.unwrap_or_default(),
            text: self.owned("text", at),
        })
    }
}
