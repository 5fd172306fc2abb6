//! The table of games.

use std::path::Path;

use polars::frame::DataFrame;

use super::{TableFile, TableFrame, TableWriter, column};
use crate::error::{CorpusError, Result};
use crate::id::GameId;
use crate::row::{CellValue, GameRow};
use crate::schema::{ColumnType, GAMES, GameColumn, SharedTexts};

/// The number of games in a row group, which is the most that reading one game decodes.
const GROUP: usize = 2048;

/// Writes the table of games.
///
/// # Errors
///
/// Fails if the file cannot be written.
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
/// Does not fail: the columns of an empty table have the same length.
pub(crate) fn empty_games() -> polars::prelude::PolarsResult<DataFrame> {
    frame(&[])
}

/// Reads the numbers of all games.
///
/// # Errors
///
/// Fails if the file cannot be read or a row is damaged.
pub(crate) fn read_game_ids(file: &TableFile) -> Result<Vec<GameId>> {
    read_numbers(file, "game", |number| Some(GameId::from_i64(number)))
}

/// Reads the number of plies of all games.
///
/// # Errors
///
/// Fails if the file cannot be read or a row is damaged.
pub(crate) fn read_ply_counts(file: &TableFile) -> Result<Vec<u32>> {
    read_numbers(file, "plies", |number| u32::try_from(number).ok())
}

/// Reads a column of numbers, none of which may be null.
fn read_numbers<T>(
    file: &TableFile,
    column: &'static str,
    convert: impl Fn(i64) -> Option<T>,
) -> Result<Vec<T>> {
    let frame = file.read(&[column], None)?;
    let frame = TableFrame { path: &file.path, frame: &frame };
    let numbers = frame.numbers(column)?.into_iter().enumerate();
    let read =
        |(at, number): (usize, Option<i64>)| number.and_then(&convert).ok_or_else(|| frame.fault(at, column));
    numbers.map(read).collect()
}

fn frame(rows: &[GameRow]) -> polars::prelude::PolarsResult<DataFrame> {
    DataFrame::new(rows.len(), GAMES.iter().map(|game| column(&game.field, rows, game.get)).collect())
}

/// Which part of the rows is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GamePart {
    /// Everything.
    All,
    /// Everything but the text of the record, which takes most of the time.
    WithoutText,
    /// The columns of a [`GameSummary`](crate::schema::GameSummary).
    Summary,
}

impl GamePart {
    fn has(self, column: &GameColumn) -> bool {
        match self {
            GamePart::All => true,
            GamePart::WithoutText => column.field.name != "text",
            GamePart::Summary => column.in_summary,
        }
    }
}

/// Reads rows of the table of games; `slice` is the first row and the number of rows.
///
/// # Errors
///
/// Fails if the file cannot be read or a row is damaged.
pub(crate) fn read_games(
    file: &TableFile,
    part: GamePart,
    slice: Option<(usize, usize)>,
) -> Result<Vec<GameRow>> {
    let columns: Vec<&GameColumn> = GAMES.iter().filter(|column| part.has(column)).collect();
    let names: Vec<&str> = columns.iter().map(|column| column.field.name).collect();
    let frame = file.read(&names, slice)?;
    let frame = TableFrame { path: &file.path, frame: &frame };
    let mut rows = vec![GameRow::default(); frame.frame.height()];
    let mut texts = SharedTexts::default();
    let first = slice.map_or(0, |(first, _)| first);
    for column in columns {
        let name = column.field.name;
        let mut read = |at: usize, row: &mut GameRow, value: CellValue<'_>| {
            let is_usable = (column.read)(row, &value, &mut texts);
            if is_usable { Ok(()) } else { Err(frame.fault(first + at, name)) }
        };
        let rows = rows.iter_mut().enumerate();
        if !frame.has(name) {
            // An older version wrote the file without the column.
            rows.into_iter().try_for_each(|(at, row)| read(at, row, CellValue::None))?;
        } else if column.field.kind == ColumnType::Text {
            let values = frame.text(name)?;
            for ((at, row), value) in rows.zip(values.iter()) {
                read(at, row, value.map_or(CellValue::None, CellValue::Text))?;
            }
        } else {
            for ((at, row), value) in rows.zip(frame.numbers(name)?) {
                read(at, row, value.map_or(CellValue::None, CellValue::Number))?;
            }
        }
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use polars::io::SerReader as _;
    use polars::io::parquet::read::ParquetReader;
    use polars::io::parquet::write::ParquetWriter;
    use tafl_parser::{Format, ReasonSource};
    use tafl_rules::Reason;

    use super::*;
    use crate::checked_folder::CheckedFolder;
    use crate::folder::Corpus;
    use crate::ingest::tests::{GAMES as RECORDS, take_in};
    use crate::query::Query;
    use crate::replay_setups::ReplaySetups;
    use crate::segment_files::GAMES_FILE;

    #[test]
    fn a_column_that_a_file_lacks_is_null() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("corpus");
        take_in(&path, "a.csv", Format::MoveList, &RECORDS);
        let corpus = Corpus::open(&path).unwrap();
        let rows = corpus.segments()[0].games().unwrap();
        let file = std::fs::File::open(corpus.segments()[0].folder().join(GAMES_FILE)).unwrap();
        let mut old = ParquetReader::new(file).finish().unwrap().drop("first_capture").unwrap();
        let out = std::fs::File::create(folder.path().join("old.parquet")).unwrap();
        ParquetWriter::new(out).finish(&mut old).unwrap();
        let file = TableFile::open(&CheckedFolder::unchecked(folder.path()), "old.parquet").unwrap();
        let wanted: Vec<GameRow> =
            rows.into_iter().map(|row| GameRow { first_capture: None, ..row }).collect();
        assert_eq!(read_games(&file, GamePart::All, None).unwrap(), wanted);
    }

    #[test]
    fn the_first_capture_is_stored_and_found() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("corpus");
        take_in(&path, "a.csv", Format::MoveList, &RECORDS);
        let corpus = Corpus::open(&path).unwrap();
        let segment = &corpus.segments()[0];
        let rows = segment.games().unwrap();
        let mut n_captures = 0;
        for (row, plies) in rows.iter().zip(segment.plies(&rows, 0).unwrap()) {
            let first = plies.iter().position(|ply| !ply.captured.is_empty()).map(|at| at as u32 + 1);
            assert_eq!(row.first_capture, first);
            let Some(first) = first else { continue };
            n_captures += 1;
            for (text, is_hit) in [("<=", true), ("=", true), (">", false), ("<", false), ("!=", false)] {
                let query =
                    Query::parse(&format!("first_capture{text}{first} and plies={}", row.plies)).unwrap();
                assert_eq!(corpus.select(&query, NonZeroUsize::MIN).unwrap().is_empty(), !is_hit, "{query}");
            }
        }
        assert!(n_captures > 0);
    }

    /// Two games that stop with a result, one of them with a resignation, and one that ends on the board.
    const ENDS: [&str; 3] = [
        "d1-c1 d3-a3,0,0,White",
        "d1-c1 d3-b3 resigned,0,0,White",
        "d1-f1 d3-a3 d2-e2 d4-d1 a4-a6 d1-a1,0,0,White",
    ];

    #[test]
    fn the_source_of_a_reason_is_stored_and_found() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("corpus");
        take_in(&path, "a.csv", Format::MoveList, &ENDS);
        let corpus = Corpus::open(&path).unwrap();
        let sources: Vec<_> =
            corpus.segments()[0].games().unwrap().iter().map(|row| (row.reason, row.reason_source)).collect();
        let expected = [
            (Some(Reason::Resignation), Some(ReasonSource::Inference)),
            (Some(Reason::Resignation), Some(ReasonSource::Record)),
            (Some(Reason::KingReachedGoal), Some(ReasonSource::Board)),
        ];
        assert_eq!(sources, expected);
        for (query, n) in [
            ("reason:resignation", 2),
            ("reason_source:inference", 1),
            ("reason:resignation reason_source:record", 1),
            ("reason_source=board", 1),
            ("reason_source!=inference", 2),
        ] {
            let found = corpus.select(&Query::parse(query).unwrap(), NonZeroUsize::MIN).unwrap();
            assert_eq!(found.len(), n, "{query}");
        }
        let error = Query::parse("reason_source:recorded").unwrap_err().to_string();
        assert!(error.contains("record"), "{error}");
    }

    #[test]
    fn a_row_without_the_source_of_its_reason_is_given_it_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("corpus");
        take_in(&path, "a.csv", Format::MoveList, &ENDS);
        let corpus = Corpus::open(&path).unwrap();
        let segment = &corpus.segments()[0];
        let rows = segment.games().unwrap();
        let mut setups = ReplaySetups::default();
        for (row, plies) in rows.iter().zip(segment.plies(&rows, 0).unwrap()) {
            let old = GameRow { reason_source: None, ..row.clone() };
            let setup = setups.of(&old).unwrap();
            assert_eq!(setup.prepare(old, plies.clone()).row(), row);
            // A game that a program made: its reason is on the board, or stated by the program.
            let made = GameRow { reason_source: None, text: None, ..row.clone() };
            let source = setup.prepare(made, plies).row().reason_source;
            let is_on_board = row.reason_source == Some(ReasonSource::Board);
            assert_eq!(source, Some(if is_on_board { ReasonSource::Board } else { ReasonSource::Record }));
        }
    }

    #[test]
    fn rows_of_every_group_are_read() {
        let folder = tempfile::tempdir().unwrap();
        // With two groups, polars also reads columns of groups outside of the rows, unless it has only one thread. The texts
        // keep groups from sharing a block of the file.
        let n_rows = 2 * GROUP - 100;
        let mut rng = tafl_rules::Rng::new(1);
        let mut row = |at: usize| {
            let event: String = (0..8).map(|_| format!("{:016x}", rng.next_u64())).collect();
            GameRow { game: GameId(at as u64), event: Some(event), ..GameRow::default() }
        };
        let rows: Vec<GameRow> = (0..n_rows).map(&mut row).collect();
        write_games(&folder.path().join("games.parquet"), &rows).unwrap();
        let file = TableFile::open(&CheckedFolder::unchecked(folder.path()), "games.parquet").unwrap();
        for (first, n) in [(0, 1), (GROUP - 1, 1), (GROUP, 1), (GROUP - 5, 10), (n_rows - 1, 1), (n_rows, 1)]
        {
            let expected = &rows[first..n_rows.min(first + n)];
            assert_eq!(read_games(&file, GamePart::All, Some((first, n))).unwrap(), expected, "{first}");
        }
        let end = read_games(&file, GamePart::All, Some((n_rows - 3, 100))).unwrap();
        assert_eq!(end, rows[n_rows - 3..]);
    }
}
