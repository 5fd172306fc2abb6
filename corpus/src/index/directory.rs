//! A directory of tantivy whose files are checked when they are read, and never written.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{DirectoryLock, FileHandle, Lock, OwnedBytes, WatchCallback, WatchHandle, WritePtr};
use tantivy::{Directory, HasLen};

use crate::checked_file::CheckedFile;
use crate::checked_folder::CheckedFolder;

/// The files of an index.
#[derive(Debug, Clone)]
pub(super) struct CheckedDirectory(pub(super) CheckedFolder);

impl CheckedDirectory {
    fn open(&self, path: &Path) -> Result<CheckedFile, OpenReadError> {
        self.0.open(&path.to_string_lossy()).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => OpenReadError::FileDoesNotExist(path.to_owned()),
            _ => OpenReadError::wrap_io_error(named(path, error), path.to_owned()),
        })
    }
}

/// The error of a file of an index, which tantivy passes on inside of its own.
#[derive(Debug, thiserror::Error)]
#[error("{}: {fault}", .path.display())]
pub(super) struct IndexFileError {
    /// The path in the folder of the index.
    pub(super) path: PathBuf,
    /// The fault, as a sentence without its subject.
    pub(super) fault: String,
}

/// Returns the error of a file with its name, which tantivy does not add to errors of reading.
fn named(path: &Path, error: io::Error) -> io::Error {
    let fault = error.to_string();
    io::Error::new(error.kind(), IndexFileError { path: path.to_owned(), fault })
}

#[derive(Debug)]
struct Handle {
    file: CheckedFile,
    path: PathBuf,
}

impl HasLen for Handle {
    fn len(&self) -> usize {
        self.file.len()
    }
}

impl FileHandle for Handle {
    fn read_bytes(&self, range: Range<usize>) -> io::Result<OwnedBytes> {
        self.file.read(range).map_err(|error| named(&self.path, error))
    }
}

fn read_only() -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, "the index is open for reading only")
}

impl Directory for CheckedDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        Ok(Arc::new(Handle { file: self.open(path)?, path: path.to_owned() }))
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        Ok(self.0.path().join(path).is_file())
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        let file = self.open(path)?;
        let copy = file.copy(0..file.len());
        copy.map_err(|error| OpenReadError::wrap_io_error(named(path, error), path.to_owned()))
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        Err(DeleteError::IoError { io_error: Arc::new(read_only()), filepath: path.to_owned() })
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        Err(OpenWriteError::wrap_io_error(read_only(), path.to_owned()))
    }

    fn atomic_write(&self, _: &Path, _: &[u8]) -> io::Result<()> {
        Err(read_only())
    }

    fn sync_directory(&self) -> io::Result<()> {
        Ok(())
    }

    fn acquire_lock(&self, _: &Lock) -> Result<DirectoryLock, LockError> {
        Err(LockError::IoError(Arc::new(read_only())))
    }

    fn watch(&self, _: WatchCallback) -> tantivy::Result<WatchHandle> {
        Ok(WatchHandle::empty())
    }
}
