//! Hits as a table in CSV, Parquet, or Arrow.

use std::io::Write;

use polars::frame::DataFrame;
use polars::prelude::{Column, PolarsResult};

use super::HitRow;
use crate::error::{CorpusError, Result};
use crate::id::GameId;
use crate::schema::{ColumnType, GAMES, GameColumn};
use crate::sql::SqlTable;

/// The format of a table of hits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HitFormat {
    /// Values separated by commas, with a line of names.
    Csv,
    /// Apache Parquet.
    Parquet,
    /// The Arrow IPC stream format.
    Arrow,
}

/// Writes hits as a table: columns of the table of games, then those of the hit, which are `ply`, `to_move`, `from`,
/// `to`, `captured`, `position`, `cells` and `transform`, and `matches` for hits that are games.
///
/// # Errors
///
/// Fails if it cannot be written.
pub fn write_hits(rows: &[HitRow], format: HitFormat, out: &mut dyn Write) -> Result<()> {
    // The writers are those of SQL, so that the same table is the same bytes.
    let mut table = SqlTable(frame(rows).map_err(|error| CorpusError::Sql(error.to_string()))?);
    let mut out = out;
    let written = match format {
        HitFormat::Csv => table.write_csv(&mut out),
        HitFormat::Parquet => table.write_parquet(&mut out),
        HitFormat::Arrow => table.write_arrow(&mut out),
    };
    written.map_err(CorpusError::io("the table of hits".as_ref()))
}

fn frame(rows: &[HitRow]) -> PolarsResult<DataFrame> {
    let of_games = GAMES.iter().filter(|column| column.in_hits);
    let mut columns: Vec<Column> = of_games.map(|column| game_column(column, rows)).collect();
    columns.push(column("ply", rows, |row| Some(row.detail.ply)));
    columns.push(texts("to_move", rows, |row| Some(row.detail.to_move.as_str().to_owned())));
    columns.push(texts("from", rows, |row| row.detail.last.map(|mv| cells(row, &[mv.from]))));
    columns.push(texts("to", rows, |row| row.detail.last.map(|mv| cells(row, &[mv.to]))));
    columns.push(texts("captured", rows, |row| {
        Some(cells(row, &row.detail.captured)).filter(|text| !text.is_empty())
    }));
    columns.push(texts("position", rows, |row| Some(row.detail.position.to_string())));
    columns.push(texts("cells", rows, |row| {
        Some(cells(row, &row.detail.cells)).filter(|text| !text.is_empty())
    }));
    columns.push(texts("transform", rows, |row| row.detail.transform.clone()));
    if rows.iter().any(|row| row.matches.is_some()) {
        columns
            .push(column("matches", rows, |row| row.matches.and_then(|matches| u32::try_from(matches).ok())));
    }
    DataFrame::new(rows.len(), columns)
}

fn game_column(column: &GameColumn, rows: &[HitRow]) -> Column {
    let name = column.field.name;
    let number = |row: &HitRow| (column.get)(&row.game).as_number();
    match column.field.kind {
        ColumnType::Text => {
            return texts(name, rows, |row| {
                (column.get)(&row.game).into_text().map(|text| text.into_owned())
            });
        }
        ColumnType::Id => {
            return texts(name, rows, |row| number(row).map(|bits| GameId::from_i64(bits).to_string()));
        }
        _ => {}
    }
    let numbers = rows.iter().map(number);
    Column::new(name.into(), numbers.collect::<Vec<Option<i64>>>())
}

fn column(name: &'static str, rows: &[HitRow], value: impl Fn(&HitRow) -> Option<u32>) -> Column {
    Column::new(name.into(), rows.iter().map(value).collect::<Vec<Option<u32>>>())
}

fn texts(name: &'static str, rows: &[HitRow], value: impl Fn(&HitRow) -> Option<String>) -> Column {
    Column::new(name.into(), rows.iter().map(value).collect::<Vec<Option<String>>>())
}

/// Returns the names of cells, separated by blanks.
fn cells(row: &HitRow, cells: &[tafl_rules::Cell]) -> String {
    let shape = row.detail.position.shape();
    let names: Vec<String> = cells.iter().map(|cell| shape.coord(*cell).to_string()).collect();
    names.join(" ")
}
