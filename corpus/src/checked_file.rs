//! Files that are read in blocks, each of which is checked when it is first read.
//!
//! The files of a corpus are not mapped into memory: if another program truncates a mapped file, the system ends the
//! reader (SIGBUS), and bytes that change later change its answers. A block that was read and checked is kept, so that
//! it costs little when it is read again, until the program keeps too many ([`BLOCK_CACHE`]).

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use ownedbytes::OwnedBytes;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::block_cache::{BLOCK_CACHE, FileBlocks};

/// The size of a block in bytes. A lookup reads one block if nothing is cached, in about 20 us.
pub(crate) const CHECK_BLOCK: usize = 1 << 16;

/// The checksums of the blocks of a file: the XXH3 of each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BlockChecksums {
    /// The size of the file.
    pub(crate) len: usize,
    /// One for each block, in order.
    pub(crate) values: Arc<[u64]>,
}

impl BlockChecksums {
    /// Returns the checksums of bytes.
    #[cfg(test)]
    pub(crate) fn of(bytes: &[u8]) -> BlockChecksums {
        BlockChecksums { len: bytes.len(), values: bytes.chunks(CHECK_BLOCK).map(xxh3_64).collect() }
    }
}

/// The checksums by which a file is checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FileChecksums {
    /// The checksums of its blocks.
    Blocks(BlockChecksums),
    /// The checksum of the whole file, which is therefore read twice: first to check it.
    Whole {
        /// The size of the file.
        len: usize,
        /// Its XXH3.
        xxh3: u64,
    },
}

impl FileChecksums {
    /// Returns the size of the file.
    const fn len(&self) -> usize {
        match self {
            FileChecksums::Blocks(checksums) => checksums.len,
            FileChecksums::Whole { len, .. } => *len,
        }
    }
}

/// What a block is compared with.
#[derive(Debug)]
enum ExpectedChecksums {
    /// Nothing: no checksum of the file is known.
    Nothing,
    /// The checksums of the blocks.
    Blocks(Arc<[u64]>),
    /// The checksums of the blocks, as they were when the whole file had the right checksum.
    Whole { xxh3: u64, blocks: OnceLock<Arc<[u64]>> },
}

/// A file that is read in blocks. It stays readable when it is deleted.
#[derive(Debug)]
pub(crate) struct CheckedFile {
    file: Mutex<File>,
    len: usize,
    checksums: ExpectedChecksums,
    blocks: Arc<FileBlocks>,
}

impl CheckedFile {
    /// Opens a file. Its blocks are compared with the checksums when they are read.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be opened, or has another size than the checksums are for (`InvalidData`).
    pub(crate) fn open(path: &Path, checksums: Option<&FileChecksums>) -> io::Result<CheckedFile> {
        let file = File::open(path)?;
        let found = file.metadata()?.len();
        let len = usize::try_from(found).map_err(|_| invalid_data("it is too large"))?;
        if let Some(expected) = checksums.map(FileChecksums::len).filter(|expected| *expected != len) {
            return Err(invalid_data(&format!("it has {found} bytes instead of {expected}")));
        }
        let checksums = match checksums {
            None => ExpectedChecksums::Nothing,
            Some(FileChecksums::Blocks(checksums)) => ExpectedChecksums::Blocks(checksums.values.clone()),
            Some(FileChecksums::Whole { xxh3, .. }) => {
                ExpectedChecksums::Whole { xxh3: *xxh3, blocks: OnceLock::new() }
            }
        };
        let blocks = FileBlocks::new(len.div_ceil(CHECK_BLOCK), &BLOCK_CACHE);
        Ok(CheckedFile { file: Mutex::new(file), len, checksums, blocks })
    }

    /// Returns the size in bytes, as it was when the file was opened.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Returns bytes of the file, of which those in one block are not copied.
    ///
    /// # Errors
    ///
    /// Fails if they cannot be read, and with `InvalidData` if they are not as they were written.
    pub(crate) fn read(&self, range: Range<usize>) -> io::Result<OwnedBytes> {
        let numbers = self.numbers(&range)?;
        match numbers.len() {
            1 => Ok(self.block(numbers.start)?.slice(inside(numbers.start, &range))),
            _ => self.copy(range).map(OwnedBytes::new),
        }
    }

    /// Returns a copy of bytes of the file, which keeps their blocks.
    ///
    /// # Errors
    ///
    /// As [`CheckedFile::read`].
    pub(crate) fn copy(&self, range: Range<usize>) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(range.len());
        for number in self.numbers(&range)? {
            bytes.extend_from_slice(&self.block(number)?[inside(number, &range)]);
        }
        Ok(bytes)
    }

    /// Copies the blocks of some ranges to their places in `image`, and keeps no blocks: for parts that are read once.
    ///
    /// # Errors
    ///
    /// As [`CheckedFile::read`].
    ///
    /// # Panics
    ///
    /// Panics if the image is shorter than the file.
    pub(crate) fn fill(
        &self,
        ranges: impl IntoIterator<Item = Range<usize>>,
        image: &mut [u8],
    ) -> io::Result<()> {
        let mut numbers = BTreeSet::new();
        for range in ranges {
            numbers.extend(self.numbers(&range)?);
        }
        for number in numbers {
            let block = self.checked_block(number)?;
            let at = number * CHECK_BLOCK;
            image[at..at + block.len()].copy_from_slice(&block);
        }
        Ok(())
    }

    /// Returns the numbers of the blocks that a range touches.
    fn numbers(&self, range: &Range<usize>) -> io::Result<Range<usize>> {
        if range.start > range.end || range.end > self.len {
            return Err(invalid_data("it is shorter than its content requires"));
        }
        Ok(range.start / CHECK_BLOCK..range.end.div_ceil(CHECK_BLOCK))
    }

    #[inline]
    fn block(&self, number: usize) -> io::Result<OwnedBytes> {
        match self.blocks.get(number) {
            Some(block) => Ok(block),
            None => Ok(self.blocks.keep(number, self.checked_block(number)?)),
        }
    }

    /// Reads a block and compares it with its checksum.
    fn checked_block(&self, number: usize) -> io::Result<Vec<u8>> {
        let checksums = self.block_checksums()?;
        let bytes = self.read_block(number)?;
        match checksums {
            Some(checksums) if checksums.get(number) != Some(&xxh3_64(&bytes)) => {
                Err(invalid_data("its content has changed"))
            }
            _ => Ok(bytes),
        }
    }

    /// Returns the checksums of the blocks, after a check of the whole file if they are not known.
    fn block_checksums(&self) -> io::Result<Option<&[u64]>> {
        let (xxh3, blocks) = match &self.checksums {
            ExpectedChecksums::Nothing => return Ok(None),
            ExpectedChecksums::Blocks(checksums) => return Ok(Some(checksums)),
            ExpectedChecksums::Whole { xxh3, blocks } => (xxh3, blocks),
        };
        if let Some(checksums) = blocks.get() {
            return Ok(Some(checksums));
        }
        let (mut whole, mut checksums) = (Xxh3::new(), Vec::new());
        for number in 0..self.len.div_ceil(CHECK_BLOCK) {
            let block = self.read_block(number)?;
            whole.update(&block);
            checksums.push(xxh3_64(&block));
        }
        if whole.digest() != *xxh3 {
            return Err(invalid_data("its content has changed"));
        }
        Ok(Some(blocks.get_or_init(|| checksums.into())))
    }

    /// Reads a block.
    fn read_block(&self, number: usize) -> io::Result<Vec<u8>> {
        let at = number * CHECK_BLOCK;
        let mut bytes = vec![0; CHECK_BLOCK.min(self.len - at)];
        let mut read = || {
            let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
            file.seek(SeekFrom::Start(at as u64))?;
            file.read_exact(&mut bytes)
        };
        read().map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => invalid_data("it has been truncated"),
            _ => error,
        })?;
        Ok(bytes)
    }
}

/// Returns the part of a block that a range covers.
fn inside(number: usize, range: &Range<usize>) -> Range<usize> {
    let at = number * CHECK_BLOCK;
    range.start.saturating_sub(at)..(range.end - at).min(CHECK_BLOCK)
}

fn invalid_data(fault: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, fault)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Three blocks and a half.
    fn content() -> Vec<u8> {
        (0..CHECK_BLOCK * 7 / 2).map(|at| (at % 251) as u8).collect()
    }

    #[test]
    fn every_range_has_its_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let bytes = content();
        fs::write(&path, &bytes).unwrap();
        let checksums = FileChecksums::Blocks(BlockChecksums::of(&bytes));
        let file = CheckedFile::open(&path, Some(&checksums)).unwrap();
        let edges = [0, 1, CHECK_BLOCK - 1, CHECK_BLOCK, CHECK_BLOCK + 1, 3 * CHECK_BLOCK, bytes.len()];
        for from in edges {
            for to in edges.into_iter().filter(|to| *to >= from) {
                assert_eq!(*file.read(from..to).unwrap(), bytes[from..to], "{from}..{to}");
                assert_eq!(file.copy(from..to).unwrap(), bytes[from..to]);
                let mut image = vec![0; bytes.len()];
                file.fill([from..to, to..to], &mut image).unwrap();
                assert_eq!(image[from..to], bytes[from..to]);
            }
        }
        assert!(file.read(0..bytes.len() + 1).is_err());
    }

    #[test]
    fn changed_and_truncated_blocks_are_errors_when_they_are_first_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let mut bytes = content();
        let checksums = FileChecksums::Blocks(BlockChecksums::of(&bytes));
        fs::write(&path, &bytes).unwrap();
        let file = CheckedFile::open(&path, Some(&checksums)).unwrap();
        file.read(0..1).unwrap();
        bytes[1] ^= 1;
        bytes[CHECK_BLOCK + 9] ^= 1;
        fs::write(&path, &bytes[..3 * CHECK_BLOCK]).unwrap();
        assert_eq!(*file.read(0..3).unwrap(), [0, 1, 2], "what was read stays");
        for range in [CHECK_BLOCK..CHECK_BLOCK + 1, 3 * CHECK_BLOCK..3 * CHECK_BLOCK + 1] {
            let error = file.read(range).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidData, "{error}");
        }
        assert!(file.read(2 * CHECK_BLOCK..2 * CHECK_BLOCK + 5).is_ok());
        assert_eq!(
            CheckedFile::open(&path, Some(&checksums)).unwrap_err().kind(),
            io::ErrorKind::InvalidData
        );
        assert_eq!(CheckedFile::open(&path, None).unwrap().len(), 3 * CHECK_BLOCK);
    }

    #[test]
    fn a_file_with_one_checksum_is_checked_as_a_whole_and_later_in_blocks() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let mut bytes = content();
        fs::write(&path, &bytes).unwrap();
        let checksums = FileChecksums::Whole { len: bytes.len(), xxh3: xxh3_64(&bytes) };
        let before = CheckedFile::open(&path, Some(&checksums)).unwrap();
        assert_eq!(*before.read(0..3).unwrap(), [0, 1, 2]);
        bytes[3 * CHECK_BLOCK] ^= 1;
        fs::write(&path, &bytes).unwrap();
        let range = CHECK_BLOCK..CHECK_BLOCK + 1;
        assert!(before.read(range.clone()).is_ok(), "the block is as it was");
        assert!(before.read(3 * CHECK_BLOCK..bytes.len()).is_err());
        let after = CheckedFile::open(&path, Some(&checksums)).unwrap();
        assert_eq!(after.read(range).unwrap_err().kind(), io::ErrorKind::InvalidData);
    }
}
