//! Atomic writing of files, and checksums.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::checked_file::{BlockChecksums, CHECK_BLOCK, FileChecksums};
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
        FileEntry::with_checksums(folder, path).map(|(entry, _)| entry)
    }

    /// Reads a file and returns its entry and the checksums of its blocks.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read.
    pub(crate) fn with_checksums(folder: &Path, path: &str) -> Result<(FileEntry, BlockChecksums)> {
        let at = folder.join(path);
        let mut values = Vec::new();
        let (size, hash) =
            hash_file(&at, |block| values.push(checksum(block))).map_err(CorpusError::io(&at))?;
        let entry = FileEntry { path: path.to_owned(), size, xxh3: hex(hash) };
        Ok((entry, BlockChecksums { len: size as usize, values: values.into() }))
    }

    /// Returns the checksum by which the file is checked when it is read.
    pub(crate) fn checksums(&self) -> FileChecksums {
        // The manifest has its own checksum, so an invalid entry was written as it is. Then no file matches it.
        let xxh3 = u64::from_str_radix(&self.xxh3, 16).unwrap_or_default();
        FileChecksums::Whole { len: usize::try_from(self.size).unwrap_or(usize::MAX), xxh3 }
    }

    /// Checks that the file is as it was written.
    ///
    /// # Errors
    ///
    /// Fails if the file is missing or damaged.
    pub(crate) fn check(&self, folder: &Path) -> Result<()> {
        let at = folder.join(&self.path);
        let (size, hash) = match hash_file(&at, |_| ()) {
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

/// Returns the size of a file and the checksum of its content, and passes its blocks to `each`.
fn hash_file(path: &Path, mut each: impl FnMut(&[u8])) -> io::Result<(u64, u64)> {
    let mut file = File::open(path)?;
    let mut hash = Xxh3::new();
    let mut block = Vec::with_capacity(CHECK_BLOCK);
    let mut size = 0;
    loop {
        block.clear();
        Read::by_ref(&mut file).take(CHECK_BLOCK as u64).read_to_end(&mut block)?;
        if block.is_empty() {
            return Ok((size, hash.digest()));
        }
        each(&block);
        hash.update(&block);
        size += block.len() as u64;
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

/// Syncs a complete file to the disk.
///
/// # Errors
///
/// Fails if the system refuses.
pub(crate) fn sync_file(path: &Path) -> Result<()> {
    // Windows syncs only files that may be written; on Unix, the file may be a copy of one that may not.
    let open = OpenOptions::new().read(true).write(cfg!(windows)).open(path);
    open.and_then(|file| file.sync_all()).map_err(CorpusError::io(path))
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
