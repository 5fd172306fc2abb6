//! Errors of the tables of a corpus.

use std::path::Path;

use tafl_corpus::{CorpusError, FileFault};

/// Returns the error for a table without a column, or with a column of another kind.
pub(super) fn table_error(path: &Path, error: &polars::error::PolarsError) -> CorpusError {
    CorpusError::Damaged { path: path.to_owned(), fault: FileFault::Table(error.to_string()) }
}

/// Returns the error for a table that does not fit to the other files of its segment.
pub(super) fn table_differs(path: &Path, what: &'static str) -> CorpusError {
    CorpusError::Damaged { path: path.to_owned(), fault: FileFault::Differs(what) }
}
