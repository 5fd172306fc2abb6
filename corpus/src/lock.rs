//! The lock of a corpus: one writer at a time.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use crate::error::{CorpusError, Result};

/// The name of the file that writers lock.
pub(crate) const LOCK_FILE: &str = "writer.lock";

/// The lock of a writer, which is released when it is dropped or the program ends.
#[derive(Debug)]
pub(crate) struct WriterLock {
    file: File,
}

impl Drop for WriterLock {
    fn drop(&mut self) {
        // Closing is not enough: a process that another thread has just begun still has the file open for a position.
        let _ = self.file.unlock();
    }
}

impl WriterLock {
    /// Takes the lock, and writes the process and `note` to the file.
    ///
    /// # Errors
    ///
    /// Fails if another writer holds the lock; the error names it.
    pub(crate) fn take(corpus: &Path, note: &str) -> Result<WriterLock> {
        let path = corpus.join(LOCK_FILE);
        let open = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        let mut file = open.map_err(CorpusError::io(&path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                // The holder is unknown if the file cannot be read.
                let _ = file.read_to_string(&mut holder);
                let holder = if holder.trim().is_empty() { "unknown" } else { holder.trim() }.to_owned();
                return Err(CorpusError::Locked { path, holder });
            }
            Err(TryLockError::Error(error)) => return Err(CorpusError::io(&path)(error)),
        }
        let written = file
            .seek(SeekFrom::Start(0))
            .and_then(|_| file.set_len(0))
            .and_then(|()| file.write_all(format!("process {}, {note}\n", std::process::id()).as_bytes()));
        written.map_err(CorpusError::io(&path))?;
        Ok(WriterLock { file })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_writer_gets_the_name_of_the_first() {
        let folder = tempfile::tempdir().unwrap();
        let first = WriterLock::take(folder.path(), "since noon").unwrap();
        let error = WriterLock::take(folder.path(), "since noon").unwrap_err().to_string();
        assert!(error.contains(&format!("process {}, since noon", std::process::id())), "{error}");
        drop(first);
        WriterLock::take(folder.path(), "since noon").unwrap();
    }

    #[test]
    fn the_lock_is_released_though_another_process_has_the_file_open() {
        let folder = tempfile::tempdir().unwrap();
        let lock = WriterLock::take(folder.path(), "since noon").unwrap();
        let inherited = lock.file.try_clone().unwrap();
        drop(lock);
        WriterLock::take(folder.path(), "since noon").unwrap();
        drop(inherited);
    }
}
