//! A file that stores evaluations, so that no position is searched twice and interrupted work can
//! continue.
//!
//! The file is a log: a line with its version, followed by records with a length and a checksum. A
//! record is written with one call as soon as it is known. If the program is killed, only the last
//! record can be incomplete, and opening the log truncates it. Damage elsewhere costs only the
//! records that it affects: opening finds the next record, and turns the bytes before it into
//! records without content. Memory holds only keys and offsets.
//!
//! ```text
//! tafl-evals 1\n
//! length: u32, checksum of the rest: u64, kind: u8, then depending on the kind:
//!   C  the key of a context: u64, its text (engine, limits, rules, one per line)
//!   E  context, position, path: u64 each, then side: u8, depth: u8, nodes: u64, number of lines: u16,
//!      and for each line score for the side to move: i16, number of moves: u8, from and to: u16 each
//!   X  zeros in the place of damaged records
//! ```
//!
//! All numbers are little-endian.

use std::collections::{HashMap, HashSet};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::context::EvalContext;
use super::evaluation::{EvalKey, Evaluation, hash};

/// The version of the file format.
pub const LOG_VERSION: u32 = 1;

/// The first word of a log file.
const MAGIC: &str = "tafl-evals";
/// The kind of a record with a context.
const CONTEXT: u8 = b'C';
/// The kind of a record with an evaluation.
const EVALUATION: u8 = b'E';
/// The kind of a record in the place of damaged ones.
const GAP: u8 = b'X';
/// The maximum length of a record. Rules strings have some hundred bytes, an evaluation with 500
/// lines about 80,000.
const MAX_RECORD: u32 = 1 << 20;
/// The number of bytes of length and checksum.
const HEADER: u64 = 12;
/// The number of bytes that are read at once to find the next record after damage.
const SEARCH_BLOCK: usize = 1 << 16;

/// The reason why a log cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// The file is not a log.
    #[error("{path} is not an evaluation log; choose another file")]
    NotALog {
        /// The file.
        path: PathBuf,
    },
    /// The file has another version.
    #[error(
        "{path} is an evaluation log of version {found}, but this program reads version {LOG_VERSION}; choose another file"
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// The version as written in the file.
        found: Box<str>,
    },
    /// Another program has opened the file.
    #[error("{path} is in use by another program")]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
}

/// An open log of evaluations. Only one program can open it at a time.
#[derive(Debug)]
pub struct EvalLog {
    path: PathBuf,
    file: File,
    /// The offset of each evaluation's record.
    offsets: HashMap<EvalKey, u64>,
    contexts: HashSet<u64>,
    /// The offset at which the next record is written.
    end: u64,
    /// The number of bytes of incomplete and damaged records when the log was opened.
    lost_bytes: u64,
}

impl Drop for EvalLog {
    fn drop(&mut self) {
        // Unlock explicitly: a process just started by another thread may briefly hold a copy of
        // the file handle.
        let _ = self.file.unlock();
    }
}

impl EvalLog {
    /// Opens a log, or creates it if it does not exist.
    ///
    /// # Errors
    ///
    /// Returns the reason why the file cannot be used, see [`LogError`]; the file is unchanged in
    /// this case.
    pub fn open(path: &Path) -> Result<EvalLog, LogError> {
        let io_error = |source| LogError::Io { path: path.to_owned(), source };
        let open = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let file = open.map_err(io_error)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(LogError::InUse { path: path.to_owned() }),
            Err(TryLockError::Error(error)) => return Err(io_error(error)),
        }
        let mut log = EvalLog {
            path: path.to_owned(),
            file,
            offsets: HashMap::new(),
            contexts: HashSet::new(),
            end: 0,
            lost_bytes: 0,
        };
        let size = log.file.metadata().map_err(io_error)?.len();
        log.check_version(size)?;
        log.read_all().map_err(io_error)?;
        let size = log.file.metadata().map_err(io_error)?.len();
        if log.end < size {
            log.lost_bytes += size - log.end;
            log.file.set_len(log.end).map_err(io_error)?;
        }
        Ok(log)
    }

    /// Returns the number of evaluations.
    pub fn len(&self) -> usize {
        self.offsets.len()
    }

    /// Returns whether the log has no evaluations.
    pub fn is_empty(&self) -> bool {
        self.offsets.is_empty()
    }

    /// Returns the number of bytes of incomplete and damaged records that were dropped when the log
    /// was opened.
    pub fn lost_bytes(&self) -> u64 {
        self.lost_bytes
    }

    /// Returns an evaluation, or `None` if the log does not have it.
    ///
    /// # Errors
    ///
    /// Returns an error if the file can no longer be read.
    pub fn get(&mut self, key: &EvalKey) -> Result<Option<Evaluation>, LogError> {
        let Some(offset) = self.offsets.get(key).copied() else { return Ok(None) };
        let found = self.read_at(offset).map_err(|source| self.io_error(source))?;
        Ok(found.as_deref().and_then(|body| Evaluation::from_bytes(body.get(25..)?)))
    }

    /// Stores an evaluation, and its context if it is new.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written, for example because the disk is full.
    pub fn put(
        &mut self,
        key: EvalKey,
        context: &EvalContext,
        evaluation: &Evaluation,
    ) -> Result<(), LogError> {
        if self.contexts.insert(key.context) {
            let mut body = vec![CONTEXT];
            body.extend_from_slice(&key.context.to_le_bytes());
            body.extend_from_slice(context.to_string().as_bytes());
            self.append(&body)?;
        }
        let offset = self.end;
        let mut body = vec![EVALUATION];
        key.to_bytes(&mut body);
        evaluation.to_bytes(&mut body);
        self.append(&body)?;
        self.offsets.insert(key, offset);
        Ok(())
    }

    fn io_error(&self, source: io::Error) -> LogError {
        LogError::Io { path: self.path.clone(), source }
    }

    /// Reads the first line, or writes it to an empty file.
    fn check_version(&mut self, size: u64) -> Result<(), LogError> {
        let line = format!("{MAGIC} {LOG_VERSION}\n");
        let mut start = Vec::new();
        let io_error = |source| LogError::Io { path: self.path.clone(), source };
        (&self.file).take(64).read_to_end(&mut start).map_err(io_error)?;
        // A program that was killed while creating the file leaves a part of this line.
        if line.as_bytes().starts_with(&start) && size < line.len() as u64 {
            self.file.set_len(0).map_err(io_error)?;
            self.file.seek(SeekFrom::Start(0)).map_err(io_error)?;
            self.file.write_all(line.as_bytes()).map_err(io_error)?;
        } else if !start.starts_with(line.as_bytes()) {
            let text = String::from_utf8_lossy(&start).into_owned();
            let version = text.lines().next().and_then(|line| line.strip_prefix(MAGIC)?.strip_prefix(' '));
            return Err(match version {
                Some(found) => LogError::Version { path: self.path.clone(), found: found.into() },
                None => LogError::NotALog { path: self.path.clone() },
            });
        }
        self.end = line.len() as u64;
        Ok(())
    }

    /// Reads the offsets of all intact records, and replaces the damaged bytes between them.
    fn read_all(&mut self) -> io::Result<()> {
        loop {
            self.read_records()?;
            let size = self.file.metadata()?.len();
            let Some(next) = next_sound_record(&self.file, self.end, size)? else { return Ok(()) };
            self.lost_bytes += next - self.end;
            if next - self.end > HEADER {
                fill_gap(&self.file, self.end, next)?;
                self.end = next;
            } else {
                remove_gap(&self.file, self.end, next)?;
            }
        }
    }

    /// Reads the offsets of intact records, up to the first one that is incomplete or damaged.
    fn read_records(&mut self) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(self.end))?;
        let mut reader = BufReader::with_capacity(1 << 16, &self.file);
        while let Some(body) = next_record(&mut reader)? {
            let offset = self.end;
            self.end += HEADER + body.len() as u64;
            match body.split_first() {
                Some((&CONTEXT, rest)) => {
                    if let Some(number) = rest.first_chunk::<8>() {
                        self.contexts.insert(u64::from_le_bytes(*number));
                    }
                }
                Some((&EVALUATION, rest)) => {
                    if let Some(key) = rest.first_chunk::<24>() {
                        self.offsets.insert(EvalKey::from_bytes(key), offset);
                    }
                }
                Some(_) | None => {}
            }
        }
        Ok(())
    }

    fn read_at(&self, offset: u64) -> io::Result<Option<Vec<u8>>> {
        (&self.file).seek(SeekFrom::Start(offset))?;
        next_record(&mut &self.file)
    }

    fn append(&mut self, body: &[u8]) -> Result<(), LogError> {
        let record = record(body);
        let written =
            (&self.file).seek(SeekFrom::Start(self.end)).and_then(|_| (&self.file).write_all(&record));
        written.map_err(|source| self.io_error(source))?;
        self.end += record.len() as u64;
        Ok(())
    }
}

/// Returns the offset of the first intact record after `bad`, where a record is incomplete or damaged.
fn next_sound_record(file: &File, bad: u64, size: u64) -> io::Result<Option<u64>> {
    let mut block = vec![0; SEARCH_BLOCK];
    let mut from = bad + 1;
    while from + HEADER < size {
        let (mut reader, wanted) = (file, block.len().min((size - from) as usize));
        reader.seek(SeekFrom::Start(from))?;
        if !fill(&mut reader, &mut block[..wanted])? {
            return Ok(None);
        }
        // The length and the kind rule out nearly all other places before a checksum is computed.
        for (at, start) in block[..wanted].windows(HEADER as usize + 1).enumerate() {
            let length = u32::from_le_bytes(*start.first_chunk().expect("a header has a length"));
            let (kind, at) = (start[HEADER as usize], from + at as u64);
            let is_possible = matches!(kind, CONTEXT | EVALUATION | GAP)
                && (1..=MAX_RECORD).contains(&length)
                && at + HEADER + u64::from(length) <= size;
            if is_possible {
                reader.seek(SeekFrom::Start(at))?;
                if next_record(&mut reader)?.is_some() {
                    return Ok(Some(at));
                }
            }
        }
        from += (wanted - HEADER as usize) as u64;
    }
    Ok(None)
}

/// Replaces the bytes of damaged records by records without content. The bytes must exceed the size of a header.
fn fill_gap(file: &File, start: u64, end: u64) -> io::Result<()> {
    let (mut file, mut at) = (file, start);
    file.seek(SeekFrom::Start(start))?;
    while end - at > HEADER {
        // The rest must be empty or large enough for another record.
        let most = end - at - HEADER;
        let length = if most <= u64::from(MAX_RECORD) { most } else { u64::from(MAX_RECORD / 2) };
        let mut body = vec![0; length as usize];
        body[0] = GAP;
        file.write_all(&record(&body))?;
        at += HEADER + length;
    }
    Ok(())
}

/// Moves the records after a gap that is too small for a record to its start. If the program is killed meanwhile, the records
/// that are being moved are damaged.
fn remove_gap(file: &File, start: u64, end: u64) -> io::Result<()> {
    let mut file = file;
    let (mut from, mut to, mut block) = (end, start, vec![0; SEARCH_BLOCK]);
    loop {
        file.seek(SeekFrom::Start(from))?;
        let n = file.read(&mut block)?;
        if n == 0 {
            return file.set_len(to);
        }
        file.seek(SeekFrom::Start(to))?;
        file.write_all(&block[..n])?;
        from += n as u64;
        to += n as u64;
    }
}

/// Returns a record as it is written.
fn record(body: &[u8]) -> Vec<u8> {
    let mut record = Vec::with_capacity(HEADER as usize + body.len());
    record.extend_from_slice(&(body.len() as u32).to_le_bytes());
    record.extend_from_slice(&hash(body).to_le_bytes());
    record.extend_from_slice(body);
    record
}

/// Reads the next record; `None` at the end of the file or if the record is incomplete or damaged.
fn next_record(reader: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut head = [0; HEADER as usize];
    if !fill(reader, &mut head)? {
        return Ok(None);
    }
    let (length, checksum) = head.split_at(4);
    let length = u32::from_le_bytes(length.try_into().expect("four bytes are four bytes"));
    let checksum = u64::from_le_bytes(checksum.try_into().expect("eight bytes are eight bytes"));
    if length > MAX_RECORD {
        return Ok(None);
    }
    let mut body = vec![0; length as usize];
    let is_whole = fill(reader, &mut body)? && hash(&body) == checksum;
    Ok(is_whole.then_some(body))
}

/// Fills the buffer and returns whether there were enough bytes.
fn fill(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    match reader.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}
