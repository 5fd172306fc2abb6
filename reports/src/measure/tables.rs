//! Tables of a corpus as data frames: their columns, and errors that name the file.

use std::path::Path;

use polars::error::{PolarsError, PolarsResult};
use polars::prelude::{DataFrame, DataType, Float64Chunked, Int64Chunked, StringChunked, UInt32Chunked};
use tafl_corpus::{CorpusError, FileFault, Result, Segment};

/// Returns the error for a table without a column, or with a column of another kind.
pub(super) fn table_error(path: &Path, error: &PolarsError) -> CorpusError {
    CorpusError::Damaged { path: path.to_owned(), fault: FileFault::Table(error.to_string()) }
}

/// Returns the error for a table that does not fit to the other files of its segment.
pub(super) fn table_differs(path: &Path, what: &'static str) -> CorpusError {
    CorpusError::Damaged { path: path.to_owned(), fault: FileFault::Differs(what) }
}

/// Returns some columns of the table of plies of a segment.
///
/// # Errors
///
/// Returns the path of a missing or damaged file, or of one with another number of plies than the segment.
pub(super) fn plies_frame(segment: &Segment, columns: &[&str]) -> Result<DataFrame> {
    let table = segment.plies_table();
    let frame = table.read_columns(columns)?;
    if frame.height() as u64 != segment.entry().plies {
        return Err(table_differs(table.path(), "the number of plies differs"));
    }
    Ok(frame)
}

/// Returns a column of integers of any width.
pub(super) fn integers(frame: &DataFrame, name: &str) -> PolarsResult<Int64Chunked> {
    Ok(frame.column(name)?.cast(&DataType::Int64)?.i64()?.rechunk().into_owned())
}

/// Returns a column of counts that fit into 32 bits.
pub(super) fn counts(frame: &DataFrame, name: &str) -> PolarsResult<UInt32Chunked> {
    Ok(frame.column(name)?.cast(&DataType::UInt32)?.u32()?.rechunk().into_owned())
}

/// Returns a column of numbers.
pub(super) fn numbers(frame: &DataFrame, name: &str) -> PolarsResult<Float64Chunked> {
    Ok(frame.column(name)?.cast(&DataType::Float64)?.f64()?.rechunk().into_owned())
}

/// Returns a column of texts.
pub(super) fn texts(frame: &DataFrame, name: &str) -> PolarsResult<StringChunked> {
    Ok(frame.column(name)?.str()?.rechunk().into_owned())
}
