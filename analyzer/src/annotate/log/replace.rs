//! Replacement of a damaged log by one with its intact records.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Replaces a log by one that consists of some ranges of its bytes, and returns the new file, which is locked.
///
/// The new file is written beside the old one and synced before it takes its place, so that a program that is killed
/// meanwhile leaves the old log or the complete new one. The next replacement overwrites an incomplete new file.
///
/// # Errors
///
/// Fails if the file system does, or another program has locked the new file; the log is unchanged then.
pub(super) fn replace(path: &Path, log: &File, ranges: &[Range<u64>]) -> io::Result<File> {
    // The name can be a link, which stays.
    let path = fs::canonicalize(path)?;
    let aside = path_aside(&path);
    let new = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&aside)?;
    new.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => io::Error::from(io::ErrorKind::ResourceBusy),
        TryLockError::Error(error) => error,
    })?;
    let replaced = copy(log, ranges, &new).and_then(|()| fs::rename(&aside, &path));
    if let Err(error) = replaced {
        // Remove the incomplete file. If that fails, the next replacement overwrites it.
        let _ = fs::remove_file(&aside);
        return Err(error);
    }
    sync_folder(&path)?;
    Ok(new)
}

/// Returns the path of the new file until it is complete.
fn path_aside(path: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".part");
    path.with_file_name(name)
}

/// Copies ranges of a log to a new file, and syncs it.
fn copy(mut log: &File, ranges: &[Range<u64>], mut new: &File) -> io::Result<()> {
    new.set_len(0)?;
    new.set_permissions(log.metadata()?.permissions())?;
    for range in ranges {
        log.seek(SeekFrom::Start(range.start))?;
        let n_bytes = range.end - range.start;
        if io::copy(&mut log.take(n_bytes), &mut new)? != n_bytes {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    new.sync_all()
}

/// Syncs the folder of a file, so that its new name is on the disk.
fn sync_folder(path: &Path) -> io::Result<()> {
    // Only Unix can open a folder; on other systems, a rename is on the disk when it returns.
    match path.parent() {
        Some(folder) if cfg!(unix) => File::open(folder)?.sync_all(),
        _ => Ok(()),
    }
}
