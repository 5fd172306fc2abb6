//! A file that stores evaluations, so that no position is searched twice and interrupted work can
//! continue.
//!
//! The file is a log: a line with its version, followed by records with a length and a checksum. A
//! record is written with one call as soon as it is known. If the program is killed, only the last
//! record can be incomplete, and opening the log truncates it. Damage elsewhere costs only the
//! records that it affects: opening finds the next intact record, and replaces the file by one with
//! the intact records. Memory holds only keys and offsets.
//!
//! ```text
//! tafl-evals 1\n
//! length: u32, checksum of the rest: u64, kind: u8, then depending on the kind:
//!   C  the key of a context: u64, its text (engine, limits, rules, one per line)
//!   E  context, position, path: u64 each, then side: u8, depth: u8, nodes: u64, number of lines: u16,
//!      and for each line score for the side to move: i16, number of moves: u8, from and to: u16 each
//!   X  zeros in the place of damaged records, written by older versions
//! ```
//!
//! All numbers are little-endian.

mod record;
mod replace;

use std::collections::{HashMap, HashSet};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::context::EvalContext;
use super::evaluation::{EvalKey, Evaluation};
use record::{CONTEXT, EVALUATION, HEADER, next_intact_record, next_record, record};
use replace::replace;

/// The version of the file format.
pub const LOG_VERSION: u32 = 1;

/// The first word of a log file.
const MAGIC: &str = "tafl-evals";

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
    /// The damaged file that was replaced. It stays locked, for programs that have opened it in the meantime.
    replaced: Option<File>,
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
        for file in self.replaced.iter().chain([&self.file]) {
            let _ = file.unlock();
        }
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
            replaced: None,
            offsets: HashMap::new(),
            contexts: HashSet::new(),
            end: 0,
            lost_bytes: 0,
        };
        let size = log.file.metadata().map_err(io_error)?.len();
        log.check_version(size)?;
        log.read_all().map_err(io_error)?;
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
        if !self.contexts.contains(&key.context) {
            let mut body = vec![CONTEXT];
            body.extend_from_slice(&key.context.to_le_bytes());
            body.extend_from_slice(context.to_string().as_bytes());
            self.append(&body)?;
            self.contexts.insert(key.context);
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

    /// Reads the offsets of all intact records. If there are damaged bytes between them, a log without these bytes replaces
    /// the file; damaged bytes at the end are cut off.
    fn read_all(&mut self) -> io::Result<()> {
        let (first, size) = (self.end, self.file.metadata()?.len());
        let mut intact = Vec::new();
        loop {
            let start = self.end;
            self.read_records()?;
            intact.push(start..self.end);
            let Some(next) = next_intact_record(&self.file, self.end, size)? else { break };
            self.lost_bytes += next - self.end;
            self.end = next;
        }
        // Another program may have added records since the size was read.
        self.lost_bytes += size.saturating_sub(self.end);
        if intact.len() > 1 {
            intact[0].start = 0;
            let replaced = replace(&self.path, &self.file, &intact)?;
            self.replaced = Some(std::mem::replace(&mut self.file, replaced));
            self.offsets.clear();
            self.end = first;
            self.read_records()?;
        } else if self.end < size {
            self.file.set_len(self.end)?;
        }
        Ok(())
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tafl_rules::Side;

    use super::*;
    use crate::engine::{SearchLine, SearchReport};
    use crate::limits::{Depth, Nodes};
    use crate::score::Score;

    #[test]
    fn a_context_that_could_not_be_written_is_written_with_the_next_evaluation() {
        let path = std::env::temp_dir().join(format!("tafl-context-{}.log", std::process::id()));
        let mut log = EvalLog::open(&path).unwrap();
        let [rules, engine, limits] = ["the rules", "the engine", "the limits"].map(str::to_owned);
        let context = EvalContext { rules, engine, limits };
        let report = SearchReport {
            lines: vec![SearchLine { score: Score::DRAW.of(Side::Attackers), moves: Vec::new() }],
            depth: Depth(1),
            nodes: Nodes(1),
            time: Duration::ZERO,
            hashfull: 0,
        };
        let evaluation = Evaluation::of(Side::Attackers, &report);
        let key = EvalKey { context: context.key(), position: 1, path: 2 };
        // As on a full disk, nothing can be written.
        let writable = std::mem::replace(&mut log.file, File::open(&path).unwrap());
        assert!(log.put(key, &context, &evaluation).is_err());
        log.file = writable;
        log.put(key, &context, &evaluation).unwrap();
        drop(log);
        let written = std::fs::read(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        let text = context.to_string();
        assert!(written.windows(text.len()).any(|part| part == text.as_bytes()));
    }
}
