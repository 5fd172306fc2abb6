//! What can go wrong with a corpus; every error names the file.

use std::io;
use std::path::{Path, PathBuf};

use crate::move_log::MoveLogError;

/// What can go wrong with a corpus.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CorpusError {
    /// There is nothing of this name.
    #[error("{}: there is no such corpus; `tafl import` makes one", .path.display())]
    Absent {
        /// The folder that was named.
        path: PathBuf,
    },
    /// There is something of this name, and it is no corpus.
    #[error("{}: this is no corpus: it has no manifest.json; `tafl import` makes one of records", .path.display())]
    NotACorpus {
        /// What was named.
        path: PathBuf,
    },
    /// A newer program wrote it.
    #[error("{}: the corpus has version {found}, this program reads version {known}", .path.display())]
    Newer {
        /// The file that says so.
        path: PathBuf,
        /// The version that it has.
        found: u64,
        /// The version that this program reads.
        known: u32,
    },
    /// Position keys have another version than those of this program.
    #[error("{}: the position keys have version {found}, this program has version {known}", .path.display())]
    Keys {
        /// The manifest.
        path: PathBuf,
        /// The version that they have.
        found: u32,
        /// The version of this program.
        known: u32,
    },
    /// A part of another version cannot be taken as it is.
    #[error("{}: {what} of this part have version {found}, this program has version {known}; export its games, and import them", .path.display())]
    Version {
        /// The part.
        path: PathBuf,
        /// What has a version.
        what: &'static str,
        /// The version that it has.
        found: u32,
        /// The version of this program.
        known: u32,
    },
    /// A corpus cannot be taken into itself.
    #[error("{}: this part is the corpus itself", .path.display())]
    Itself {
        /// The part.
        path: PathBuf,
    },
    /// Another program is writing.
    #[error("{}: another program is writing into this corpus ({holder})", .path.display())]
    Locked {
        /// The file of the lock.
        path: PathBuf,
        /// What the lock says of its holder.
        holder: String,
    },
    /// A file is not what it was.
    #[error("{}: the file is damaged: {fault}", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        fault: FileFault,
    },
    /// The system refused something.
    #[error("{}: {source}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The thread that writes segments panicked, or a segment that it should have written is not there.
    #[error("the thread that writes segments stopped; nothing was changed")]
    Writer,
    /// Whoever asked gave up.
    #[error("the search was given up")]
    Canceled,
    /// The SQL is wrong, or asks for something that is not there.
    #[error("the query cannot be answered: {0}")]
    Sql(String),
}

/// What is wrong with a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FileFault {
    /// It is not there.
    #[error("it is missing")]
    Missing,
    /// It has another size than the manifest says.
    #[error("it has {found} bytes instead of {expected}")]
    Size {
        /// What the manifest says.
        expected: u64,
        /// What it has.
        found: u64,
    },
    /// It has another content than the manifest says.
    #[error("its content is not what was written")]
    Content,
    /// It is no JSON of the kind that it should be.
    #[error("it cannot be read: {0}")]
    Json(String),
    /// It is no table of the kind that it should be.
    #[error("the table cannot be read: {0}")]
    Table(String),
    /// A row of a table says something that cannot be.
    #[error("row {row} has no usable `{column}`")]
    Row {
        /// The number of the row, from 0.
        row: usize,
        /// The column.
        column: &'static str,
    },
    /// The move log cannot be read.
    #[error(transparent)]
    MoveLog(#[from] MoveLogError),
    /// The index cannot be read.
    #[error("the index cannot be read: {0}")]
    Index(String),
    /// Two parts of a segment that say the same differ.
    #[error("it differs from the tables: {0}")]
    Differs(&'static str),
    /// A game of the tables cannot be played as it stands there.
    #[error("game {row}, ply {ply}: {what}")]
    Play {
        /// The row of the game, from 0.
        row: usize,
        /// The ply, from 1; 0 for the start.
        ply: usize,
        /// What is wrong.
        what: &'static str,
    },
}

/// The result of most functions on a corpus.
pub type Result<T> = std::result::Result<T, CorpusError>;

impl CorpusError {
    /// Returns the error of the system about a file.
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> CorpusError {
        let path = path.to_owned();
        move |source| CorpusError::Io { path, source }
    }

    /// Returns that a file is damaged.
    pub(crate) fn damaged(path: &Path, fault: impl Into<FileFault>) -> CorpusError {
        CorpusError::Damaged { path: path.to_owned(), fault: fault.into() }
    }

    /// Returns an error of a table, which may be one of the system.
    pub(crate) fn table(path: &Path, error: polars::error::PolarsError) -> CorpusError {
        match error {
            polars::error::PolarsError::IO { error, .. } => {
                let source = io::Error::new(error.kind(), error.to_string());
                CorpusError::Io { path: path.to_owned(), source }
            }
            error => CorpusError::damaged(path, FileFault::Table(error.to_string())),
        }
    }
}
