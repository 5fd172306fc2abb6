//! Evaluations kept in a file, so that nothing is searched twice and interrupted work goes on where it was.
//!
//! The file is a log: a line with its version, then records behind each other, each with its length and a checksum. A record
//! is written with one call as soon as it is known; a program that is killed leaves at most the last record in part, and the
//! next one cuts that off. Only keys and places are held in memory.
//!
//! ```text
//! tafl-evals 1\n
//! length: u32, checksum of the rest: u64, kind: u8, then by kind
//!   C  the number of a context: u64, its text (engine, limits, rules, a line each)
//!   E  context, position, path: u64 each, then side: u8, depth: u8, nodes: u64, number of lines: u16,
//!      and for each line score for the side to move: i16, number of moves: u8, from and to: u16 each
//! ```
//!
//! All numbers are little-endian.

use std::collections::{HashMap, HashSet};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::context::Context;
use super::evaluation::{EvalKey, Evaluation, hash};

/// The version of logs.
pub const LOG_VERSION: u32 = 1;

/// The first word of a log.
const MAGIC: &str = "tafl-evals";
/// A record of a context.
const CONTEXT: u8 = b'C';
/// A record of an evaluation.
const EVALUATION: u8 = b'E';
/// A longer record is none: a rules string has some hundred bytes, an evaluation with 500 lines some 80,000.
const LONGEST: u32 = 1 << 20;
/// The bytes of length and checksum.
const HEAD: u64 = 12;

/// Why a log cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// The file is something else.
    #[error("{path} is no file of evaluations; name another one")]
    NoLog {
        /// The file.
        path: PathBuf,
    },
    /// The file has another version.
    #[error(
        "{path} has version {found} of files of evaluations, this program reads version {LOG_VERSION}; name another one"
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version, as it stands there.
        found: Box<str>,
    },
    /// Another program has it open.
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
        /// Why.
        source: io::Error,
    },
}

/// A file of evaluations that is open. Only one program has it open at a time.
#[derive(Debug)]
pub struct EvalLog {
    path: PathBuf,
    file: File,
    /// Where the record of each evaluation begins.
    places: HashMap<EvalKey, u64>,
    contexts: HashSet<u64>,
    /// Where the next record begins.
    end: u64,
    /// How many bytes at the end were no whole record.
    cut_off: u64,
}

impl Drop for EvalLog {
    fn drop(&mut self) {
        // Closing is not enough: a process that another thread has just begun still has the file open for a moment.
        let _ = self.file.unlock();
    }
}

impl EvalLog {
    /// Opens a log, and makes it where there is none.
    ///
    /// # Errors
    ///
    /// Returns why the file cannot be used, see [`LogError`]; it is as it was then.
    pub fn open(path: &Path) -> Result<EvalLog, LogError> {
        let wrong = |source| LogError::Io { path: path.to_owned(), source };
        let open = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let file = open.map_err(wrong)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(LogError::InUse { path: path.to_owned() }),
            Err(TryLockError::Error(error)) => return Err(wrong(error)),
        }
        let mut log = EvalLog {
            path: path.to_owned(),
            file,
            places: HashMap::new(),
            contexts: HashSet::new(),
            end: 0,
            cut_off: 0,
        };
        let size = log.file.metadata().map_err(wrong)?.len();
        log.check_version(size)?;
        log.read_all().map_err(wrong)?;
        log.cut_off = size.saturating_sub(log.end);
        if log.cut_off > 0 {
            log.file.set_len(log.end).map_err(wrong)?;
        }
        Ok(log)
    }

    /// Returns how many evaluations there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Returns whether there is no evaluation.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Returns how many bytes at the end were no whole record when the log was opened, and were cut off.
    pub fn cut_off(&self) -> u64 {
        self.cut_off
    }

    /// Returns an evaluation, if it is there.
    ///
    /// # Errors
    ///
    /// Fails when the file cannot be read any more.
    pub fn get(&mut self, key: &EvalKey) -> Result<Option<Evaluation>, LogError> {
        let Some(place) = self.places.get(key).copied() else { return Ok(None) };
        let found = self.read_at(place).map_err(|source| self.wrong(source))?;
        Ok(found.as_deref().and_then(|body| Evaluation::from_bytes(body.get(25..)?)))
    }

    /// Keeps an evaluation, and the text of its context where it is new.
    ///
    /// # Errors
    ///
    /// Fails when the disk is full, for example.
    pub fn put(&mut self, key: EvalKey, context: &Context, evaluation: &Evaluation) -> Result<(), LogError> {
        if self.contexts.insert(key.context) {
            let mut body = vec![CONTEXT];
            body.extend_from_slice(&key.context.to_le_bytes());
            body.extend_from_slice(context.to_string().as_bytes());
            self.append(&body)?;
        }
        let place = self.end;
        let mut body = vec![EVALUATION];
        key.to_bytes(&mut body);
        evaluation.to_bytes(&mut body);
        self.append(&body)?;
        self.places.insert(key, place);
        Ok(())
    }

    fn wrong(&self, source: io::Error) -> LogError {
        LogError::Io { path: self.path.clone(), source }
    }

    /// Reads the first line, or writes it into an empty file.
    fn check_version(&mut self, size: u64) -> Result<(), LogError> {
        let line = format!("{MAGIC} {LOG_VERSION}\n");
        let mut start = Vec::new();
        let wrong = |source| LogError::Io { path: self.path.clone(), source };
        (&self.file).take(64).read_to_end(&mut start).map_err(wrong)?;
        // A program that was killed while it began the file leaves a part of this line.
        if line.as_bytes().starts_with(&start) && size < line.len() as u64 {
            self.file.set_len(0).map_err(wrong)?;
            self.file.seek(SeekFrom::Start(0)).map_err(wrong)?;
            self.file.write_all(line.as_bytes()).map_err(wrong)?;
        } else if !start.starts_with(line.as_bytes()) {
            let text = String::from_utf8_lossy(&start).into_owned();
            let version = text.lines().next().and_then(|line| line.strip_prefix(MAGIC)?.strip_prefix(' '));
            return Err(match version {
                Some(found) => LogError::Version { path: self.path.clone(), found: found.into() },
                None => LogError::NoLog { path: self.path.clone() },
            });
        }
        self.end = line.len() as u64;
        Ok(())
    }

    /// Notes the places of all whole records, up to the first that is none.
    fn read_all(&mut self) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(self.end))?;
        let mut reader = BufReader::with_capacity(1 << 16, &self.file);
        while let Some(body) = next_record(&mut reader)? {
            let place = self.end;
            self.end += HEAD + body.len() as u64;
            match body.split_first() {
                Some((&CONTEXT, rest)) => {
                    if let Some(number) = rest.first_chunk::<8>() {
                        self.contexts.insert(u64::from_le_bytes(*number));
                    }
                }
                Some((&EVALUATION, rest)) => {
                    if let Some(key) = rest.first_chunk::<24>() {
                        self.places.insert(EvalKey::from_bytes(key), place);
                    }
                }
                Some(_) | None => {}
            }
        }
        Ok(())
    }

    fn read_at(&self, place: u64) -> io::Result<Option<Vec<u8>>> {
        (&self.file).seek(SeekFrom::Start(place))?;
        next_record(&mut &self.file)
    }

    fn append(&mut self, body: &[u8]) -> Result<(), LogError> {
        let mut record = Vec::with_capacity(HEAD as usize + body.len());
        record.extend_from_slice(&(body.len() as u32).to_le_bytes());
        record.extend_from_slice(&hash(body).to_le_bytes());
        record.extend_from_slice(body);
        let written =
            (&self.file).seek(SeekFrom::Start(self.end)).and_then(|_| (&self.file).write_all(&record));
        written.map_err(|source| self.wrong(source))?;
        self.end += record.len() as u64;
        Ok(())
    }
}

/// Reads the next record; nothing at the end, and at what is no whole record.
fn next_record(reader: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut head = [0; HEAD as usize];
    if !fill(reader, &mut head)? {
        return Ok(None);
    }
    let (length, checksum) = head.split_at(4);
    let length = u32::from_le_bytes(length.try_into().expect("four bytes are four bytes"));
    let checksum = u64::from_le_bytes(checksum.try_into().expect("eight bytes are eight bytes"));
    if length > LONGEST {
        return Ok(None);
    }
    let mut body = vec![0; length as usize];
    let is_whole = fill(reader, &mut body)? && hash(&body) == checksum;
    Ok(is_whole.then_some(body))
}

/// Reads as many bytes as there is room for; returns whether there were so many.
fn fill(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    match reader.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}
