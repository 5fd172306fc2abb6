//! The formats of the result of an SQL query.

use std::io::Write;

use polars::io::SerWriter;
use polars::io::csv::write::CsvWriter;
use polars::io::json::{JsonFormat, JsonWriter};
use polars::io::parquet::write::ParquetWriter;
use polars::prelude::PolarsResult;

use super::SqlTable;
use crate::arrow::write_frame;
use crate::id_column::guarded_for_csv;

impl SqlTable {
    /// Writes the table as CSV with a header line. Cells that a spreadsheet would evaluate get an apostrophe in front, see
    /// [`guard_csv_cell`](tafl_parser::guard_csv_cell).
    ///
    /// # Errors
    ///
    /// Fails if it cannot be written.
    pub fn write_csv(&self, out: &mut impl Write) -> std::io::Result<()> {
        let write = || CsvWriter::new(out).include_header(true).finish(&mut guarded_for_csv(&self.0)?);
        done(write())
    }

    /// Writes the table as a JSON list of objects, one per row.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be written.
    pub fn write_json(&mut self, out: &mut impl Write) -> std::io::Result<()> {
        done(JsonWriter::new(&mut *out).with_json_format(JsonFormat::Json).finish(&mut self.0))?;
        out.write_all(b"\n")
    }

    /// Writes the table as JSON lines, one object per row.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be written.
    pub fn write_json_lines(&mut self, out: &mut impl Write) -> std::io::Result<()> {
        done(JsonWriter::new(out).with_json_format(JsonFormat::JsonLines).finish(&mut self.0))
    }

    /// Writes the table as Parquet.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be written.
    pub fn write_parquet(&mut self, out: &mut impl Write) -> std::io::Result<()> {
        done(ParquetWriter::new(out).finish(&mut self.0).map(drop))
    }

    /// Writes the table in the Arrow IPC stream format.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be written.
    pub fn write_arrow(&mut self, out: &mut impl Write) -> std::io::Result<()> {
        done(write_frame(&mut self.0, out))
    }
}

fn done(result: PolarsResult<()>) -> std::io::Result<()> {
    result.map_err(|error| std::io::Error::other(error.to_string()))
}
