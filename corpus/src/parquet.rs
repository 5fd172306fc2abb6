//! Writing and reading of Parquet files.

mod games;
mod plies;

use std::fs::File;
use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use polars::error::PolarsError;
use polars::frame::DataFrame;
use polars::io::SerReader;
use polars::io::parquet::read::ParquetReader;
use polars::io::parquet::write::{BatchedWriter, ParquetWriter};
use polars::prelude::{Column, PolarsResult, Schema, StringChunked};
use tantivy::directory::OwnedBytes;

use crate::error::{CorpusError, FileFault, Result};
use crate::file::map;
use crate::schema::{CellValue, ColumnType, TableColumn};

pub(crate) use games::{GamePart, empty_games, read_game_ids, read_games, write_games};
pub(crate) use plies::{PlySource, empty_plies, read_plies, write_plies};

/// A Parquet file that is written a group of rows at a time.
struct TableWriter<'p> {
    path: &'p Path,
    writer: BatchedWriter<File>,
}

impl<'p> TableWriter<'p> {
    fn create(path: &'p Path, schema: &Schema) -> Result<TableWriter<'p>> {
        let file = File::create(path).map_err(CorpusError::io(path))?;
        let writer =
            ParquetWriter::new(file).batched(schema).map_err(|error| CorpusError::table(path, error))?;
        Ok(TableWriter { path, writer })
    }

    fn write(&mut self, frame: &DataFrame) -> Result<()> {
        self.writer.write_batch(frame).map_err(|error| CorpusError::table(self.path, error))
    }

    fn finish(self) -> Result<()> {
        self.writer.finish().map(drop).map_err(|error| CorpusError::table(self.path, error))
    }
}

/// A table that is open. It stays readable when its file is removed.
#[derive(Debug, Clone)]
pub(crate) struct TableFile {
    path: PathBuf,
    bytes: OwnedBytes,
}

impl TableFile {
    /// Opens a table of a folder.
    ///
    /// # Errors
    ///
    /// Fails if the file is missing or cannot be read.
    pub(crate) fn open(folder: &Path, name: &str) -> Result<TableFile> {
        Ok(TableFile { path: folder.join(name), bytes: map(folder, name)? })
    }

    /// Reads some columns of some rows, as far as the file has them; all columns where none are named.
    fn read(&self, columns: &[&str], slice: Option<(usize, usize)>) -> Result<DataFrame> {
        let read = || {
            let mut reader = ParquetReader::new(Cursor::new(self.bytes.clone()));
            // Files written by older versions lack newer columns.
            let schema = reader.schema()?;
            let known = columns.iter().filter(|name| schema.contains(name)).map(|name| (*name).to_owned());
            let known = (!columns.is_empty()).then(|| known.collect());
            reader.with_columns(known).with_slice(slice).finish()
        };
        guarded(read).map_err(|error| CorpusError::table(&self.path, error))
    }
}

/// Runs an operation of polars on files. Polars panics on some damaged files; the panic becomes an error.
///
/// # Errors
///
/// Returns the error of polars, or an error in place of a panic.
pub(crate) fn guarded<T>(ask: impl FnOnce() -> PolarsResult<T>) -> PolarsResult<T> {
    let broken = "reading failed; run `tafl verify` to check the files";
    catch_unwind(AssertUnwindSafe(ask)).unwrap_or_else(|_| Err(PolarsError::ComputeError(broken.into())))
}

/// Returns a column of rows, whose values `get` returns.
pub(crate) fn column<'r, R>(
    field: &TableColumn,
    rows: &'r [R],
    get: impl Fn(&'r R) -> CellValue<'r>,
) -> Column {
    let numbers = || rows.iter().map(|row| get(row).as_number());
    let name = field.name.into();
    match field.kind {
        ColumnType::Text => {
            let texts: Vec<_> = rows.iter().map(|row| get(row).into_text()).collect();
            Column::new(name, texts.iter().map(Option::as_deref).collect::<Vec<Option<&str>>>())
        }
        ColumnType::Id => Column::new(name, numbers().collect::<Vec<Option<i64>>>()),
        ColumnType::UInt32 => Column::new(name, numbers().map(|n| n.map(|n| n as u32)).collect::<Vec<_>>()),
        ColumnType::Int16 => Column::new(name, numbers().map(|n| n.map(|n| n as i16)).collect::<Vec<_>>()),
        ColumnType::UInt16 => Column::new(name, numbers().map(|n| n.map(|n| n as u16)).collect::<Vec<_>>()),
        ColumnType::UInt8 => Column::new(name, numbers().map(|n| n.map(|n| n as u8)).collect::<Vec<_>>()),
        ColumnType::Float64 => {
            Column::new(name, rows.iter().map(|row| get(row).as_real()).collect::<Vec<_>>())
        }
        ColumnType::Bool => Column::new(name, numbers().map(|n| n.map(|n| n != 0)).collect::<Vec<_>>()),
    }
}

/// The columns of a table that is read.
struct TableFrame<'f> {
    path: &'f Path,
    frame: &'f DataFrame,
}

impl<'f> TableFrame<'f> {
    /// Returns whether the file has a column.
    fn has(&self, name: &str) -> bool {
        self.frame.schema().contains(name)
    }

    fn text(&self, name: &'static str) -> Result<&'f StringChunked> {
        self.frame
            .column(name)
            .and_then(|column| column.str())
            .map_err(|error| CorpusError::table(self.path, error))
    }

    /// Returns the numbers of a column, whatever their width.
    fn numbers(&self, name: &'static str) -> Result<Vec<Option<i64>>> {
        let read = || {
            let column = self.frame.column(name)?.cast(&polars::prelude::DataType::Int64)?;
            Ok(column.i64()?.iter().collect())
        };
        read().map_err(|error| CorpusError::table(self.path, error))
    }

    fn fault(&self, row: usize, column: &'static str) -> CorpusError {
        CorpusError::damaged(self.path, FileFault::Row { row, column })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_of_polars_is_an_error() {
        let error = guarded(|| -> PolarsResult<()> { panic!("out of bounds") }).unwrap_err();
        assert!(error.to_string().contains("tafl verify"), "{error}");
        assert!(guarded(|| Ok(())).is_ok());
    }
}
