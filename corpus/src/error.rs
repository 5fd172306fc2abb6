//! The errors of a corpus. Errors of files name the file.

use std::io;
use std::path::{Path, PathBuf};

use crate::id::GameId;
use crate::move_log::MoveLogError;
use crate::segment_files::is_derived;

/// The error of an operation on a corpus.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CorpusError {
    /// The path does not exist.
    #[error("{}: no such corpus (create one with `tafl import`)", .path.display())]
    NotFound {
        /// The path.
        path: PathBuf,
    },
    /// The path exists, but is not a corpus.
    #[error("{}: not a corpus: manifest.json is missing (create one with `tafl import`)", .path.display())]
    NotACorpus {
        /// The path.
        path: PathBuf,
    },
    /// A corpus can't be created, because the path is another folder or a file.
    #[error("{}: exists and is not a corpus; name a new folder", .path.display())]
    Occupied {
        /// The path.
        path: PathBuf,
    },
    /// A newer program wrote it.
    #[error("{}: the corpus has version {found}, but this program reads version {known}; use a newer version of tafl", .path.display())]
    Newer {
        /// The file with the version.
        path: PathBuf,
        /// Its version.
        found: u64,
        /// The version that this program reads.
        known: u32,
    },
    /// Position keys have another version than those of this program.
    #[error("{}: the position keys have version {found}, but this program has version {known}; use the version of tafl that wrote the corpus", .path.display())]
    KeyVersion {
        /// The manifest.
        path: PathBuf,
        /// Their version.
        found: u32,
        /// The version of this program.
        known: u32,
    },
    /// A part has another version and cannot be merged.
    #[error("{}: this part has version {found} of {what}, but this program has version {known}; run `tafl compact` on the part, or use a newer version of tafl", .path.display())]
    Version {
        /// The part.
        path: PathBuf,
        /// The data that has a version.
        what: &'static str,
        /// Its version.
        found: u32,
        /// The version of this program.
        known: u32,
    },
    /// A corpus cannot be merged into itself.
    #[error("{}: cannot merge the corpus into itself", .path.display())]
    MergeIntoItself {
        /// The part.
        path: PathBuf,
    },
    /// Another program is writing.
    #[error("{}: another program is writing to this corpus ({holder})", .path.display())]
    Locked {
        /// The file of the lock.
        path: PathBuf,
        /// The holder, as the lock file names it.
        holder: String,
    },
    /// A file is not as it was written.
    #[error("{}: the file is damaged: {fault}{}", .path.display(), advice(.path, .fault))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The fault.
        fault: FileFault,
    },
    /// A file has another version than this program reads. It is not damaged: its data can be rebuilt.
    #[error("{}: written by another version of the program; run `tafl compact` on the corpus", .path.display())]
    OtherVersion {
        /// The file or its folder.
        path: PathBuf,
    },
    /// An operation of the file system failed.
    #[error("{}: {source}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The thread that writes segments panicked, or a segment that it wrote is missing.
    #[error("the thread that writes segments failed; the corpus is unchanged")]
    Writer,
    /// The caller canceled the work.
    #[error("the operation was canceled")]
    Canceled,
    /// An SQL query is wrong.
    #[error("the SQL query failed: {0}")]
    Sql(String),
}

/// The fault of a damaged file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FileFault {
    /// It is missing.
    #[error("it is missing")]
    Missing,
    /// Its size differs from that in the manifest.
    #[error("it has {found} bytes instead of {expected}")]
    Size {
        /// The size in the manifest.
        expected: u64,
        /// The size of the file.
        found: u64,
    },
    /// Its content differs from that in the manifest.
    #[error("its content has changed")]
    Content,
    /// A part that was read is not as it was written.
    #[error("{0}")]
    Block(String),
    /// It is not JSON of the expected kind.
    #[error("it cannot be read: {0}")]
    Json(String),
    /// It is not a table of the expected kind.
    #[error("the table cannot be read: {0}")]
    Table(String),
    /// A row of a table has an impossible value.
    #[error("row {row}: missing or invalid value of `{column}`")]
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
    /// It has another version than this program reads, see [`CorpusError::OtherVersion`].
    #[error("it was written by another version of the program")]
    OtherVersion,
    /// Two parts of a segment that must agree differ.
    #[error("it differs from the tables: {0}")]
    Differs(&'static str),
    /// A game of the tables cannot be replayed as stored.
    #[error("game {row}, ply {ply}: {what}")]
    Play {
        /// The row of the game, from 0.
        row: usize,
        /// The ply, from 1; 0 for the start.
        ply: usize,
        /// The fault.
        what: &'static str,
    },
    /// The best move of an evaluation is not legal in its position.
    #[error("row {row}: the best move `{mv}` is not legal before ply {ply} of game {game}")]
    BestMove {
        /// The number of the row, from 0.
        row: usize,
        /// The game.
        game: GameId,
        /// The ply, from 1.
        ply: usize,
        /// The move, as it is stored.
        mv: String,
    },
}

/// The result of most functions on a corpus.
pub type Result<T> = std::result::Result<T, CorpusError>;

impl CorpusError {
    /// Returns the command that repairs the corpus: for damaged files that can be rebuilt from the tables, and for files of
    /// another version. `None` if the file cannot be replaced, such as a table.
    ///
    /// # Examples
    ///
    /// ```
    /// use tafl_corpus::{CorpusError, FileFault};
    ///
    /// let damaged = |file: &str| CorpusError::Damaged {
    ///     path: format!("games.corpus/segments/000001-5e1a0b2c/{file}").into(),
    ///     fault: FileFault::Content,
    /// };
    /// assert_eq!(damaged("tape.bin").repair_command(), Some("tafl compact"));
    /// assert_eq!(damaged("games.parquet").repair_command(), None);
    /// ```
    pub fn repair_command(&self) -> Option<&'static str> {
        match self {
            CorpusError::OtherVersion { .. } => Some(COMPACT),
            CorpusError::Damaged { path, fault } => rebuild_command(path, fault),
            _ => None,
        }
    }

    /// Returns whether the system failed, and not the file: the same operation may succeed later, for example with fewer open
    /// files.
    pub fn is_temporary(&self) -> bool {
        use io::ErrorKind::{InvalidData, NotFound, PermissionDenied, UnexpectedEof};
        let is_about_file = |kind| matches!(kind, InvalidData | NotFound | PermissionDenied | UnexpectedEof);
        matches!(self, CorpusError::Io { source, .. } if !is_about_file(source.kind()))
    }

    /// Returns a function that adds the path to an error of the file system.
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> CorpusError {
        let path = path.to_owned();
        move |source| CorpusError::Io { path, source }
    }

    /// Returns the error for a damaged file, or one of another version.
    pub(crate) fn damaged(path: &Path, fault: impl Into<FileFault>) -> CorpusError {
        let path = path.to_owned();
        match fault.into() {
            FileFault::OtherVersion => CorpusError::OtherVersion { path },
            fault => CorpusError::Damaged { path, fault },
        }
    }

    /// Returns the error for a failed operation on a table, which may be an error of the file system.
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

/// The command that rebuilds damaged files, and those of another version.
const COMPACT: &str = "tafl compact";

/// Returns the command that rebuilds a damaged file, if it can be rebuilt.
fn rebuild_command(path: &Path, fault: &FileFault) -> Option<&'static str> {
    match fault {
        _ if !is_derived(path) => None,
        // The file is as it was written, so only a complete rebuild replaces it.
        FileFault::Differs(_) => Some("tafl compact --reindex"),
        _ => Some(COMPACT),
    }
}

/// Returns the end of the message about a damaged file: how to repair it.
fn advice(path: &Path, fault: &FileFault) -> String {
    let command = rebuild_command(path, fault);
    command.map_or_else(String::new, |command| format!("; run `{command}` on the corpus to rebuild it"))
}
