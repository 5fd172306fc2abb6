//! The checksums of the blocks of a segment's files, by which every part is checked when it is first read.
//!
//! ```text
//! file      magic "TAFLSUMS", version u32, size of a block u32, files u32, then the files
//! a file    length of its path u32, size u64, path, then the XXH3 of each block u64
//! ```
//!
//! All numbers are little endian. Segments of older versions have none, and the file may be damaged: then each file is
//! checked as a whole, by its checksum in the manifest, before its first part is read.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::checked_file::{BlockChecksums, CHECK_BLOCK, CheckedFile, FileChecksums};
use crate::error::{CorpusError, FileFault};
use crate::file::{FileEntry, checksum, hex};
use crate::manifest::SegmentEntry;
use crate::segment_files::CHECKSUMS_FILE;

/// The version of the format. Readers reject other versions.
const VERSION: u32 = 1;

const MAGIC: [u8; 8] = *b"TAFLSUMS";
const HEADER: usize = 20;

/// The files of a folder, which are checked when they are read.
#[derive(Debug, Clone)]
pub(crate) struct CheckedFolder {
    folder: PathBuf,
    /// The path of the folder in that of the segment, with a `/` at the end if it is not empty.
    prefix: String,
    /// By path in the folder of the segment.
    checksums: Arc<HashMap<String, FileChecksums>>,
}

impl CheckedFolder {
    /// Returns the files of a segment in a folder. If its file of checksums is missing or damaged, each file is checked as a
    /// whole, by its checksum in the manifest.
    pub(crate) fn of(folder: &Path, entry: &SegmentEntry) -> CheckedFolder {
        let whole = || entry.files.iter().map(|file| (file.path.clone(), file.checksums())).collect();
        let checksums = block_checksums(folder, entry).unwrap_or_else(whole);
        CheckedFolder { folder: folder.to_owned(), prefix: String::new(), checksums: Arc::new(checksums) }
    }

    /// Returns the files of a folder without checksums.
    pub(crate) fn unchecked(folder: &Path) -> CheckedFolder {
        CheckedFolder { folder: folder.to_owned(), prefix: String::new(), checksums: Arc::default() }
    }

    /// Returns the files of a folder in this one.
    pub(crate) fn below(&self, name: &str) -> CheckedFolder {
        let prefix = format!("{}{name}/", self.prefix);
        CheckedFolder { folder: self.folder.join(name), prefix, checksums: self.checksums.clone() }
    }

    /// Returns the path of the folder.
    pub(crate) fn path(&self) -> &Path {
        &self.folder
    }

    /// Opens a file.
    ///
    /// # Errors
    ///
    /// As [`CheckedFile::open`].
    pub(crate) fn open(&self, name: &str) -> io::Result<CheckedFile> {
        CheckedFile::open(&self.folder.join(name), self.checksums.get(&format!("{}{name}", self.prefix)))
    }
}

/// Reads the checksums of the blocks of a segment's files; `None` if their file is missing or damaged.
fn block_checksums(folder: &Path, entry: &SegmentEntry) -> Option<HashMap<String, FileChecksums>> {
    let file = entry.files.iter().find(|file| file.path == CHECKSUMS_FILE)?;
    let bytes = fs::read(folder.join(CHECKSUMS_FILE)).ok()?;
    (hex(checksum(&bytes)) == file.xxh3).then(|| parse(&bytes))?
}

/// Returns the error for a file that cannot be opened or read.
pub(crate) fn file_error(path: &Path, error: io::Error) -> CorpusError {
    match error.kind() {
        io::ErrorKind::NotFound => CorpusError::damaged(path, FileFault::Missing),
        io::ErrorKind::InvalidData => CorpusError::damaged(path, FileFault::Block(error.to_string())),
        _ => CorpusError::io(path)(error),
    }
}

/// Returns the bytes of the file for the files of a segment.
pub(crate) fn bytes_of(files: &[(FileEntry, BlockChecksums)]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    [VERSION, CHECK_BLOCK as u32, files.len() as u32].iter().for_each(|n| bytes.extend(n.to_le_bytes()));
    for (entry, checksums) in files {
        bytes.extend((entry.path.len() as u32).to_le_bytes());
        bytes.extend(entry.size.to_le_bytes());
        bytes.extend(entry.path.as_bytes());
        checksums.values.iter().for_each(|value| bytes.extend(value.to_le_bytes()));
    }
    bytes
}

/// Returns the checksums of a file of them; `None` if it is damaged or of another version.
fn parse(bytes: &[u8]) -> Option<HashMap<String, FileChecksums>> {
    let (head, mut rest) = bytes.split_at_checked(HEADER)?;
    let number = |at: usize| head[at..].first_chunk().map(|bytes| u32::from_le_bytes(*bytes));
    if head[..8] != MAGIC || number(8)? != VERSION || number(12)? as usize != CHECK_BLOCK {
        return None;
    }
    let mut take = |n: usize| {
        let (taken, left) = rest.split_at_checked(n)?;
        rest = left;
        Some(taken)
    };
    let mut all = HashMap::new();
    for _ in 0..number(16)? {
        let path_len = u32::from_le_bytes(take(4)?.try_into().ok()?) as usize;
        let len = usize::try_from(u64::from_le_bytes(take(8)?.try_into().ok()?)).ok()?;
        let path = std::str::from_utf8(take(path_len)?).ok()?.to_owned();
        let (values, _) = take(len.div_ceil(CHECK_BLOCK).checked_mul(8)?)?.as_chunks::<8>();
        let values = values.iter().map(|value| u64::from_le_bytes(*value)).collect();
        all.insert(path, FileChecksums::Blocks(BlockChecksums { len, values }));
    }
    rest.is_empty().then_some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_come_back_and_a_damaged_list_does_not() {
        let entry = |path: &str, size| FileEntry { path: path.to_owned(), size, xxh3: String::new() };
        let large = vec![7; CHECK_BLOCK + 1];
        let files = [
            (entry("tape.bin", large.len() as u64), BlockChecksums::of(&large)),
            (entry("index/a.idx", 3), BlockChecksums::of(b"abc")),
            (entry("empty", 0), BlockChecksums::of(b"")),
        ];
        let bytes = bytes_of(&files);
        let all = parse(&bytes).unwrap();
        assert_eq!(all.len(), 3);
        assert!(
            files
                .iter()
                .all(|(entry, checksums)| all[&entry.path] == FileChecksums::Blocks(checksums.clone()))
        );
        assert!((0..bytes.len()).all(|cut| parse(&bytes[..cut]).is_none()));
    }
}
