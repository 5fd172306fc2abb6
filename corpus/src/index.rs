//! The index of a segment, which finds the candidate games of a query.
//!
//! Positions are indexed in blocks of [`move_log::BLOCK_SIZE`](crate::BLOCK_SIZE): a block has the tokens of all its
//! positions, which are in a separate table, as are the keys. Tantivy has the texts and the numbers of games. The index
//! returns candidates only: replaying the move log decides.

mod block_order;
mod build;
mod conditions;
mod directory;
#[cfg(test)]
pub(crate) mod fixture;
mod key_table;
mod lookup;
pub(crate) mod name;
mod number_set;
mod read;
mod rice;
mod schema;
#[cfg(test)]
pub(crate) mod tests;
mod token_table;
mod tokens;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use xxhash_rust::xxh3::Xxh3;

use crate::error::{CorpusError, FileFault};
use crate::move_log::MoveLogError;
use directory::IndexFileError;

pub use build::build;
pub(crate) use build::is_as_built;
pub(crate) use lookup::IndexLookup;
pub use number_set::NumberSet;
pub use read::SegmentIndex;

/// The reason why an index cannot be built or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IndexError {
    /// The move log is damaged.
    #[error(transparent)]
    MoveLog(#[from] MoveLogError),
    /// There are fewer keys than positions in the move log.
    #[error("there are fewer keys than positions in the move log")]
    TooFewKeys,
    /// There are more keys than positions in the move log.
    #[error("there are more keys than positions in the move log")]
    TooManyKeys,
    /// There are fewer games than the move log has.
    #[error("the move log has more games than there are rows")]
    TooFewGames,
    /// There are more games than the move log has.
    #[error("there are more rows than games in the move log")]
    TooManyGames,
    /// It has other fields than this program uses.
    #[error("its fields differ from those that this program uses")]
    Schema,
    /// It has another number of blocks or games than the move log.
    #[error("it does not belong to this move log")]
    OtherMoveLog,
    /// A part of it is not as it was written, or tantivy panicked on it.
    #[error("its content has changed")]
    Content,
    /// The file system or tantivy cannot read or write it.
    #[error(transparent)]
    Tantivy(#[from] tantivy::TantivyError),
}

impl IndexError {
    /// Returns the error of the file system inside of Tantivy's, with the file, if there is one.
    fn of_system(&self, folder: &Path) -> Option<(&Arc<io::Error>, PathBuf)> {
        use tantivy::TantivyError;
        use tantivy::directory::error::{OpenReadError, OpenWriteError};
        match self {
            IndexError::Tantivy(TantivyError::IoError(error)) => Some((error, folder.to_owned())),
            IndexError::Tantivy(
                TantivyError::OpenReadError(OpenReadError::IoError { io_error, filepath })
                | TantivyError::OpenWriteError(OpenWriteError::IoError { io_error, filepath }),
            ) => Some((io_error, folder.join(filepath))),
            _ => None,
        }
    }

    /// Returns the error for an index that cannot be written in a folder.
    pub(crate) fn of_new_folder(self, folder: &Path) -> CorpusError {
        match self.of_system(folder) {
            // Tantivy's text is that of its structs; the cause has the number of the system's error, to which advice refers.
            Some((error, path)) => CorpusError::io(&path)(io::Error::new(error.kind(), error.to_string())),
            None => CorpusError::io(folder)(io::Error::other(self)),
        }
    }

    /// Returns the error for the index in a folder: a file of it or the folder is damaged, unless the file system failed or
    /// the index has another version.
    pub(crate) fn of_folder(&self, folder: &Path) -> CorpusError {
        use tantivy::TantivyError;
        use tantivy::directory::error::OpenReadError;
        match self {
            IndexError::Schema => return CorpusError::damaged(folder, FileFault::OtherVersion),
            IndexError::Tantivy(TantivyError::OpenReadError(OpenReadError::FileDoesNotExist(path))) => {
                return CorpusError::damaged(&folder.join(path), FileFault::Missing);
            }
            _ => {}
        }
        let Some((error, path)) = self.of_system(folder) else {
            return CorpusError::damaged(folder, FileFault::Index(self.to_string()));
        };
        let file = error.get_ref().and_then(|cause| cause.downcast_ref::<IndexFileError>());
        let is_content = matches!(
            error.kind(),
            io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof | io::ErrorKind::NotFound
        );
        match file {
            Some(IndexFileError { path, fault }) if is_content => {
                CorpusError::damaged(&folder.join(path), FileFault::Block(fault.clone()))
            }
            None if is_content => CorpusError::damaged(folder, FileFault::Index(self.to_string())),
            Some(IndexFileError { path, fault }) => {
                CorpusError::io(&folder.join(path))(io::Error::new(error.kind(), fault.clone()))
            }
            None => CorpusError::io(&path)(io::Error::new(error.kind(), error.to_string())),
        }
    }
}

/// Returns the checksum of the head of a table of an index: its header, whose last four bytes are the checksum, and its
/// directory.
fn head_checksum(head: &[u8], header: usize) -> u32 {
    let mut hash = Xxh3::new();
    hash.update(&head[..header - 4]);
    hash.update(&head[header..]);
    hash.digest() as u32
}

/// Returns the error for a file of an index that cannot be read.
fn read_error(error: io::Error) -> IndexError {
    IndexError::Tantivy(error.into())
}

/// Reads from an index. Tantivy panics on some damaged files; the panic becomes an error.
fn guarded<T>(read: impl FnOnce() -> Result<T, IndexError>) -> Result<T, IndexError> {
    crate::library_panic::catch(read).unwrap_or(Err(IndexError::Content))
}

#[cfg(test)]
mod error_tests {
    use super::*;

    #[test]
    fn an_index_that_may_not_be_read_is_not_damaged() {
        let of = |kind: io::ErrorKind| read_error(io::Error::new(kind, "x")).of_folder(Path::new("index"));
        let denied = of(io::ErrorKind::PermissionDenied);
        assert!(
            matches!(&denied, CorpusError::Io { source, .. } if source.kind() == io::ErrorKind::PermissionDenied)
        );
        for kind in [io::ErrorKind::InvalidData, io::ErrorKind::NotFound, io::ErrorKind::UnexpectedEof] {
            assert!(matches!(of(kind), CorpusError::Damaged { fault: FileFault::Index(_), .. }));
        }
        assert!(matches!(IndexError::Schema.of_folder(Path::new("index")), CorpusError::OtherVersion { .. }));
    }

    #[test]
    #[cfg(unix)]
    fn a_file_that_cannot_be_written_has_the_error_of_the_system() {
        use tantivy::directory::error::OpenWriteError;
        let full = io::Error::from_raw_os_error(28);
        let error = OpenWriteError::wrap_io_error(full, "terms".into());
        let error = IndexError::from(tantivy::TantivyError::from(error)).of_new_folder(Path::new("index"));
        assert!(
            error.to_string().contains("(os error 28)") && !error.to_string().contains("IoError"),
            "{error}"
        );
        assert!(matches!(error, CorpusError::Io { path, .. } if path == Path::new("index/terms")));
    }
}
