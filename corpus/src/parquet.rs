//! Writing and reading of Parquet files.

mod games;
mod plies;

use std::fs::File;
use std::io::Cursor;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use polars::error::PolarsError;
use polars::frame::DataFrame;
use polars::io::SerReader;
use polars::io::parquet::read::{FileMetadata, ParquetReader};
use polars::io::parquet::write::{BatchedWriter, ParquetWriter};
use polars::prelude::{Column, PolarsResult, Schema, StringChunked};

use crate::checked_file::{CheckedFile, FileChecksums};
use crate::checked_folder::{CheckedFolder, file_error};
use crate::error::{CorpusError, FileFault, Result};
use crate::library_panic::catch;
use crate::schema::{CellValue, ColumnType, TableColumn};
use crate::write_error::{FirstError, WatchedWriter};

pub(crate) use games::{GamePart, empty_games, read_game_ids, read_games, read_ply_counts, write_games};
pub(crate) use plies::{PlySource, empty_plies, read_plies, write_plies};

/// A Parquet file that is written a group of rows at a time.
struct TableWriter<'p> {
    path: &'p Path,
    writer: BatchedWriter<WatchedWriter<File>>,
    first_error: FirstError,
}

impl<'p> TableWriter<'p> {
    fn create(path: &'p Path, schema: &Schema) -> Result<TableWriter<'p>> {
        let file = File::create(path).map_err(CorpusError::io(path))?;
        let (file, first_error) = WatchedWriter::new(file);
        let writer = ParquetWriter::new(file).batched(schema);
        let writer = writer.map_err(|error| write_error(path, &first_error, error))?;
        Ok(TableWriter { path, writer, first_error })
    }

    fn write(&mut self, frame: &DataFrame) -> Result<()> {
        self.writer.write_batch(frame).map_err(|error| write_error(self.path, &self.first_error, error))
    }

    fn finish(self) -> Result<()> {
        let finished = self.writer.finish().map(drop);
        finished.map_err(|error| write_error(self.path, &self.first_error, error))
    }
}

/// Returns the error of a table that cannot be written: that of the file, if it has one.
fn write_error(path: &Path, first: &FirstError, error: PolarsError) -> CorpusError {
    match first.take() {
        Some(source) => CorpusError::io(path)(source),
        None => CorpusError::table(path, error),
    }
}

/// An open table of a corpus. It stays readable when its file is removed, and every part of it is compared with its
/// checksum when it is read.
#[derive(Debug, Clone)]
pub struct TableFile {
    path: PathBuf,
    file: Arc<CheckedFile>,
}

impl TableFile {
    /// Opens a table of a folder.
    ///
    /// # Errors
    ///
    /// Fails if the file is missing or cannot be read.
    pub(crate) fn open(folder: &CheckedFolder, name: &str) -> Result<TableFile> {
        let path = folder.path().join(name);
        let file = folder.open(name).map_err(|error| file_error(&path, error))?;
        Ok(TableFile { path, file: Arc::new(file) })
    }

    /// Opens a table that is checked by a checksum, if one is known.
    ///
    /// # Errors
    ///
    /// As [`TableFile::open`].
    pub(crate) fn open_with(path: PathBuf, checksums: Option<&FileChecksums>) -> Result<TableFile> {
        let file = CheckedFile::open(&path, checksums).map_err(|error| file_error(&path, error))?;
        Ok(TableFile { path, file: Arc::new(file) })
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads columns of all rows. Columns that the file lacks, because an older version wrote it, are not in the frame.
    ///
    /// # Errors
    ///
    /// Fails if the file is damaged or cannot be read.
    ///
    /// # Panics
    ///
    /// Panics if no column is named.
    pub fn read_columns(&self, columns: &[&str]) -> Result<DataFrame> {
        assert!(!columns.is_empty(), "a column is named");
        self.read(columns, None)
    }

    /// Reads some columns of some rows, as far as the file has them; all columns if none are named.
    pub(crate) fn read(&self, columns: &[&str], slice: Option<(usize, usize)>) -> Result<DataFrame> {
        // An image of the file, with the parts that are needed: polars reads from bytes in memory. The system allocates
        // pages of zeros only when they are written.
        let mut image = vec![0; self.file.len()];
        let fault = |error| file_error(&self.path, error);
        let table = |error| CorpusError::table(&self.path, error);
        self.file.fill([self.footer()?], &mut image).map_err(fault)?;
        let (first, n_rows) = slice.unwrap_or((0, usize::MAX));
        let wanted = guarded(|| {
            let mut reader = ParquetReader::new(Cursor::new(&*image));
            WantedGroups::of(reader.get_metadata()?, columns, first, n_rows)
        });
        let WantedGroups { metadata, parts, n_before } = wanted.map_err(table)?;
        self.file.fill(parts, &mut image).map_err(fault)?;
        let slice = slice.map(|(first, n_rows)| (first - n_before, n_rows));
        let read = || {
            let mut reader = ParquetReader::new(Cursor::new(image));
            reader.set_metadata(Arc::new(metadata));
            // Files written by older versions lack newer columns.
            let schema = reader.schema()?;
            let known = columns.iter().filter(|name| schema.contains(name)).map(|name| (*name).to_owned());
            let known = (!columns.is_empty()).then(|| known.collect());
            reader.with_columns(known).with_slice(slice).finish()
        };
        guarded(read).map_err(table)
    }

    /// Returns the place of the metadata at the end of the file: the metadata, their size, and the mark of a table.
    fn footer(&self) -> Result<Range<usize>> {
        let damaged = || CorpusError::damaged(&self.path, FileFault::Table("its end is missing".to_owned()));
        let len = self.file.len();
        let at = len.checked_sub(8).ok_or_else(damaged)?;
        let last = self.file.read(at..at + 4).map_err(|error| file_error(&self.path, error))?;
        let size = last.first_chunk().map(|size| u32::from_le_bytes(*size) as usize);
        let start = size.and_then(|size| at.checked_sub(size)).ok_or_else(damaged)?;
        Ok(start..len)
    }
}

/// The row groups of a table that have wanted rows.
struct WantedGroups {
    /// The metadata of the table with these groups only: if there are few groups for its threads, polars also reads those
    /// outside of the slice.
    metadata: FileMetadata,
    /// The places of the wanted columns in the file.
    parts: Vec<Range<usize>>,
    /// The number of rows before the groups, or before the first wanted row if no group has it.
    n_before: usize,
}

impl WantedGroups {
    /// Chooses the groups with some of `n_rows` rows from `first` on, and the places of some of their columns; those of all columns
    /// if none are named.
    ///
    /// # Errors
    ///
    /// Fails if the numbers of rows in the metadata can't be right.
    ///
    /// # Panics
    ///
    /// May panic if a place in the metadata can't be right.
    fn of(
        metadata: &FileMetadata,
        columns: &[&str],
        first: usize,
        n_rows: usize,
    ) -> PolarsResult<WantedGroups> {
        let (mut groups, mut parts, mut n_before) = (Vec::new(), Vec::new(), None);
        let ranges = row_ranges(metadata.row_groups.iter().map(|group| group.num_rows()))?;
        for (group, rows) in metadata.row_groups.iter().zip(ranges) {
            if rows.end <= first || rows.start >= first.saturating_add(n_rows) {
                continue;
            }
            n_before.get_or_insert(rows.start);
            groups.push(group.clone());
            let is_wanted = |name: &str| columns.is_empty() || columns.contains(&name);
            let wanted = group
                .parquet_columns()
                .iter()
                .filter(|chunk| is_wanted(&chunk.descriptor().path_in_schema[0]));
            parts.extend(
                wanted.map(|chunk| chunk.byte_range()).map(|range| range.start as usize..range.end as usize),
            );
        }
        let mut metadata = metadata.clone();
        metadata.num_rows = groups.iter().map(|group| group.num_rows()).sum();
        metadata.row_groups = groups;
        Ok(WantedGroups { metadata, parts, n_before: n_before.unwrap_or(first) })
    }
}

/// Returns the rows of each group.
///
/// # Errors
///
/// Fails if there would be more rows than can be counted: no checksum of the file may be known.
fn row_ranges(n_rows: impl IntoIterator<Item = usize>) -> PolarsResult<Vec<Range<usize>>> {
    let mut end = 0_usize;
    let range = |n_rows| {
        let start = end;
        let too_many = || PolarsError::ComputeError("the numbers of rows are too large".into());
        end = start.checked_add(n_rows).ok_or_else(too_many)?;
        Ok(start..end)
    };
    n_rows.into_iter().map(range).collect()
}

/// Runs an operation of polars on files. Polars panics on some damaged files; the panic becomes an error.
///
/// # Errors
///
/// Returns the error of polars, or an error in place of a panic.
pub(crate) fn guarded<T>(ask: impl FnOnce() -> PolarsResult<T>) -> PolarsResult<T> {
    let broken = "reading failed; run `tafl verify` to check the files";
    catch(ask).unwrap_or_else(|| Err(PolarsError::ComputeError(broken.into())))
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

    /// Returns the numbers of a column of any width.
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

    #[test]
    fn numbers_of_rows_that_cannot_be_added_are_an_error() {
        assert_eq!(row_ranges([2, 0, 3]).unwrap(), [0..2, 2..2, 2..5]);
        assert!(row_ranges([1, usize::MAX]).unwrap_err().to_string().contains("too large"));
    }
}
