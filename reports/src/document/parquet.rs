//! Reports as Parquet.

use polars::prelude::{Column, DataFrame, NamedFrom, ParquetWriter, PolarsError, Series};

use super::wide::{self, ColumnValues, PlainColumn};
use super::{Report, Table};

/// The reason why a table could not be written as Parquet.
#[derive(Debug, thiserror::Error)]
#[error("the table could not be written as Parquet")]
pub struct ParquetError(#[from] PolarsError);

impl Report {
    /// Returns all figures of the report's tables as one Parquet table, with the columns of
    /// [`Report::to_csv`].
    ///
    /// # Errors
    ///
    /// Fails if the table library does, which happens for no known report.
    pub fn to_parquet(&self) -> Result<Vec<u8>, ParquetError> {
        written(wide::tidy(self))
    }
}

impl Table {
    /// Returns the table as Parquet; a column with intervals becomes several columns.
    ///
    /// # Errors
    ///
    /// Same as [`Report::to_parquet`].
    pub fn to_parquet(&self) -> Result<Vec<u8>, ParquetError> {
        written(wide::columns(self))
    }
}

fn written(columns: Vec<PlainColumn>) -> Result<Vec<u8>, ParquetError> {
    let column = |PlainColumn { name, values }| -> Column {
        let name = name.into();
        match values {
            ColumnValues::Texts(values) => Series::new(name, values),
            ColumnValues::Counts(values) => {
                // Counts fit: none is near 2^63.
                let values: Vec<Option<i64>> = values
                    .into_iter()
                    .map(|value| value.and_then(|value| i64::try_from(value).ok()))
                    .collect();
                Series::new(name, values)
            }
            ColumnValues::Numbers(values) => Series::new(name, values),
        }
        .into()
    };
    let height = columns.first().map_or(0, |column| column.values.len());
    let mut frame = DataFrame::new(height, columns.into_iter().map(column).collect())?;
    let mut out = Vec::new();
    ParquetWriter::new(&mut out).finish(&mut frame)?;
    Ok(out)
}
