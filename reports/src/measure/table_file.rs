//! Columns of the tables of a corpus.

use std::fs::File;
use std::path::Path;

use polars::io::SerReader;
use polars::io::parquet::read::ParquetReader;
use polars::prelude::DataFrame;
use tafl_corpus::{CorpusError, FileFault, Result};

/// Reads columns of a table.
///
/// # Errors
///
/// Returns an error if the file is missing or damaged.
pub(super) fn read(path: &Path, columns: &[&str]) -> Result<DataFrame> {
    let file = File::open(path).map_err(|source| CorpusError::Io { path: path.to_owned(), source })?;
    let columns = Some(columns.iter().map(|name| (*name).to_owned()).collect());
    let reader = ParquetReader::new(file).with_columns(columns);
    // For some damaged files the reader panics instead of returning an error.
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| reader.finish())) {
        Ok(frame) => frame.map_err(|error| table_error(path, &error)),
        Err(_) => Err(CorpusError::Damaged { path: path.to_owned(), fault: FileFault::Content }),
    }
}

pub(super) fn table_error(path: &Path, error: &polars::error::PolarsError) -> CorpusError {
    CorpusError::Damaged { path: path.to_owned(), fault: FileFault::Table(error.to_string()) }
}
