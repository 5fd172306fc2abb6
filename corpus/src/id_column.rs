//! Columns of identifiers: integers in files, 16 hexadecimal digits for users.
//!
//! JavaScript and jq round integers of 64 bits, and a signed decimal number is not what other answers show.

use polars::prelude::{Column, DataFrame, IntoColumn, LazyFrame, PolarsResult, StringChunked, col};
use polars::prelude::{DataType, Expr, Field};
use tafl_parser::{guard_csv_cell, visible_text};

use crate::id::GameId;
use crate::schema::{ColumnType, TableColumn};

/// Returns a column of identifiers as strings of 16 hexadecimal digits.
///
/// # Errors
///
/// Fails if the column is not one of integers.
pub(crate) fn hex_column(column: &Column) -> PolarsResult<Column> {
    let digits = column.i64()?.iter().map(|bits| bits.map(|bits| GameId::from_i64(bits).to_string()));
    let texts: StringChunked = digits.collect();
    Ok(texts.with_name(column.name().clone()).into_column())
}

/// Returns a frame as SQL shows it: identifiers are texts, and all other integers are signed with 64 bits, because
/// differences of unsigned ones would wrap around. Columns are converted only if a query uses them.
pub(crate) fn for_sql<'f>(frame: LazyFrame, fields: impl Iterator<Item = &'f TableColumn>) -> LazyFrame {
    let converted = fields.filter_map(|field| match field.kind {
        ColumnType::Id => Some(hex_expression(field.name)),
        ColumnType::UInt32 | ColumnType::UInt16 | ColumnType::UInt8 | ColumnType::Int16 => {
            Some(col(field.name).cast(DataType::Int64))
        }
        ColumnType::Text | ColumnType::Float64 | ColumnType::Bool => None,
    });
    frame.with_columns(converted.collect::<Vec<Expr>>())
}

fn hex_expression(name: &'static str) -> Expr {
    let as_text =
        |_: &polars::prelude::Schema, field: &Field| Ok(Field::new(field.name().clone(), DataType::String));
    col(name).map(|column| hex_column(&column), as_text)
}

/// Returns the identifiers in a column of texts: IDs of games, or position keys; other texts are null.
///
/// # Errors
///
/// Fails if the column is not one of texts.
pub(crate) fn ids_of(column: &Column) -> PolarsResult<Vec<Option<u64>>> {
    let id = |text: &str| text.parse::<GameId>().ok().map(|id| id.0);
    Ok(column.str()?.iter().map(|text| text.and_then(id)).collect())
}

/// Returns a frame as CSV shows it: cells and names that a spreadsheet would evaluate are guarded, and characters that affect
/// the text around them are replaced by their codes.
pub(crate) fn guarded_for_csv(frame: &DataFrame) -> PolarsResult<DataFrame> {
    let guard = |text: &str| guard_csv_cell(&visible_text(text)).into_owned();
    let columns = frame.columns().iter().map(|column| {
        let name = guard(column.name());
        if column.dtype() != &DataType::String {
            return Ok(column.clone().with_name(name.into()));
        }
        let texts: StringChunked = column.str()?.iter().map(|text| text.map(guard)).collect();
        Ok(texts.with_name(name.into()).into_column())
    });
    DataFrame::new(frame.height(), columns.collect::<PolarsResult<Vec<Column>>>()?)
}
