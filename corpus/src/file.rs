//! Atomic writing of files, and checksums.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use tantivy::Directory;
use tantivy::directory::{MmapDirectory, OwnedBytes};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::error::{CorpusError, FileFault, Result};

/// The manifest entry of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// The path below the folder that the entry belongs to, with `/`.
    pub path: String,
    /// The size in bytes.
    pub size: u64,
    /// XXH3 (64 bits) of the content, in hexadecimal digits.
    pub xxh3: String,
}

impl FileEntry {
    /// Reads a file and returns its entry.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read.
    pub(crate) fn of(folder: &Path, path: &str) -> Result<FileEntry> {
        let at = folder.join(path);
        let (size, hash) = hash_file(&at).map_err(CorpusError::io(&at))?;
        Ok(FileEntry { path: path.to_owned(), size, xxh3: hex(hash) })
    }

    /// Checks that the file is as it was written.
    ///
    /// # Errors
    ///
    /// Fails if the file is missing or damaged.
    pub(crate) fn check(&self, folder: &Path) -> Result<()> {
        let at = folder.join(&self.path);
        let (size, hash) = match hash_file(&at) {
            Ok(found) => found,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(CorpusError::damaged(&at, FileFault::Missing));
            }
            Err(error) => return Err(CorpusError::io(&at)(error)),
        };
        if size != self.size {
            return Err(CorpusError::damaged(&at, FileFault::Size { expected: self.size, found: size }));
        }
        if hex(hash) != self.xxh3 {
            return Err(CorpusError::damaged(&at, FileFault::Content));
        }
        Ok(())
    }
}

/// Returns a number as sixteen hexadecimal digits.
pub(crate) fn hex(number: u64) -> String {
    format!("{number:016x}")
}

/// Returns the checksum of bytes.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    xxh3_64(bytes)
}

fn hash_file(path: &Path) -> io::Result<(u64, u64)> {
    let mut file = File::open(path)?;
    let mut hash = Xxh3::new();
    let mut buffer = vec![0; 1 << 18];
    let mut size = 0;
    loop {
        let n = match file.read(&mut buffer) {
            Ok(0) => return Ok((size, hash.digest())),
            Ok(n) => n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        hash.update(&buffer[..n]);
        size += n as u64;
    }
}

/// Writes a file and syncs it to the disk.
///
/// # Errors
///
/// Fails if the disk is full, for example.
pub(crate) fn write_synced(path: &Path, bytes: &[u8]) -> Result<()> {
    let write = || {
        let mut file = File::create(path)?;
        file.write_all(bytes)?;
        file.sync_all()
    };
    write().map_err(CorpusError::io(path))
}

/// Replaces a file atomically: readers see the old content or the new one, even after a crash.
///
/// # Errors
///
/// Fails if the new content cannot be written; the old one is as it was then.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    let aside = path.with_extension("new");
    let result = write_synced(&aside, bytes).and_then(|()| {
        fs::rename(&aside, path).map_err(CorpusError::io(path))?;
        sync_folder(path.parent().unwrap_or(Path::new(".")))
    });
    if result.is_err() {
        // Remove the incomplete file. If that fails, the next write replaces it.
        let _ = fs::remove_file(&aside);
    }
    result
}

/// Syncs a folder to the disk.
///
/// # Errors
///
/// Fails if the system refuses.
pub(crate) fn sync_folder(folder: &Path) -> Result<()> {
    // Only Unix can open a folder; on other systems, a rename is on the disk when it returns.
    if cfg!(unix) {
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(CorpusError::io(folder))?;
    }
    Ok(())
}

/// Creates a folder and its parents.
///
/// # Errors
///
/// Fails if the system refuses.
pub(crate) fn make_folder(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).map_err(CorpusError::io(folder))
}

/// Returns the names of the files below a folder, with `/`, in order; folders are walked through.
///
/// # Errors
///
/// Fails if a folder cannot be read.
pub(crate) fn files_below(folder: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    let mut left = vec![String::new()];
    while let Some(prefix) = left.pop() {
        let at = folder.join(&prefix);
        for entry in fs::read_dir(&at).map_err(CorpusError::io(&at))? {
            let entry = entry.map_err(CorpusError::io(&at))?;
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                left.push(format!("{name}/"))
            } else {
                found.push(name)
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Maps a file of a folder into memory.
///
/// # Errors
///
/// Fails if the file is missing or cannot be read.
pub(crate) fn map(folder: &Path, name: &str) -> Result<OwnedBytes> {
    let path = folder.join(name);
    if !path.is_file() {
        return Err(CorpusError::damaged(&path, FileFault::Missing));
    }
    let other = |error: String| CorpusError::Io { path: path.clone(), source: std::io::Error::other(error) };
    let directory = MmapDirectory::open(folder).map_err(|error| other(error.to_string()))?;
    let file = directory.open_read(Path::new(name)).map_err(|error| other(error.to_string()))?;
    file.read_bytes().map_err(CorpusError::io(&path))
}
