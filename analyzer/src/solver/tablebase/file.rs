//! The file format of tablebases: one file for each number of pieces, with a version, the rules,
//! and a checksum.
//!
//! ```text
//! file = "TAFLTBL\n" , version:u32 , rules length:u32 , rules:bytes , attackers:u8 , defenders:u8 , size:u64 ,
//!        values with the attackers to move:size bytes , values with the defenders to move:size bytes , checksum:u64 ;
//! ```
//!
//! Numbers are little-endian; the checksum is FNV-1a (64 bits) of everything before it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tafl_rules::RuleSet;

use super::{PieceCounts, Tablebase, TablebaseError, Tablebases};
use crate::hash::fnv1a;

/// The version of the file format.
const VERSION: u32 = 1;

const MAGIC: &[u8; 8] = b"TAFLTBL\n";

/// The reason why a tablebase file cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {kind}", path.display())]
pub struct TablebaseFileError {
    /// The file or folder.
    pub path: PathBuf,
    /// The kind of error.
    pub kind: TablebaseFileErrorKind,
}

/// The kinds of errors of tablebase files.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TablebaseFileErrorKind {
    /// The file cannot be read or written.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The file is not a tablebase.
    #[error("not a tablebase file")]
    NotATablebase,
    /// The file has an unknown version.
    #[error("unsupported version {0} of the tablebase; expected version {VERSION}")]
    OtherVersion(u32),
    /// The tablebase is for other rules.
    #[error("the tablebase is for other rules: {0}")]
    OtherRules(String),
    /// The size or the checksum of the file is wrong.
    #[error("the tablebase is damaged")]
    Damaged,
    /// The rules cannot have tablebases.
    #[error("{0}")]
    Rules(#[from] TablebaseError),
    /// The folder has no tablebases.
    #[error("no tablebases in this folder; build some with `tafl solve --build-tables`")]
    Empty,
}

impl Tablebases {
    /// Returns the file name and the contents of the tablebase with the given numbers of pieces, or
    /// `None`.
    pub fn file(&self, counts: PieceCounts) -> Option<(String, Vec<u8>)> {
        self.tables.get(&counts).map(|table| (name(counts), self.bytes_of(table)))
    }

    /// Loads all tablebases in a folder.
    ///
    /// # Errors
    ///
    /// Returns the first file that cannot be used, because it is damaged or has another version or
    /// other rules.
    pub fn load(rules: &RuleSet, folder: &Path) -> Result<Tablebases, TablebaseFileError> {
        let mut tables = Tablebases::new(rules).map_err(|error| at(folder, error))?;
        let mut paths = Vec::new();
        for entry in fs::read_dir(folder).map_err(|error| at(folder, error))? {
            let path = entry.map_err(|error| at(folder, error))?.path();
            if path.extension().is_some_and(|ending| ending == ENDING) {
                paths.push(path);
            }
        }
        paths.sort();
        for path in &paths {
            let bytes = fs::read(path).map_err(|error| at(path, error))?;
            let table =
                tables.read(&bytes).map_err(|kind| TablebaseFileError { path: path.clone(), kind })?;
            tables.tables.insert(table.counts, table);
        }
        if tables.tables.is_empty() {
            return Err(at(folder, TablebaseFileErrorKind::Empty));
        }
        Ok(tables)
    }

    fn bytes_of(&self, table: &Tablebase) -> Vec<u8> {
        let rules = self.rules.to_string();
        let mut bytes = Vec::with_capacity(2 * table.values[0].len() + rules.len() + 64);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((rules.len() as u32).to_le_bytes());
        bytes.extend(rules.as_bytes());
        bytes.extend([table.counts.attackers, table.counts.defenders]);
        bytes.extend((table.values[0].len() as u64).to_le_bytes());
        table.values.iter().for_each(|values| bytes.extend(values));
        bytes.extend(fnv1a(&bytes).to_le_bytes());
        bytes
    }

    fn read(&self, bytes: &[u8]) -> Result<Tablebase, TablebaseFileErrorKind> {
        let mut rest = bytes;
        if take::<8>(&mut rest).as_ref() != Some(MAGIC) {
            return Err(TablebaseFileErrorKind::NotATablebase);
        }
        let version = u32::from_le_bytes(take(&mut rest).ok_or(TablebaseFileErrorKind::Damaged)?);
        if version != VERSION {
            return Err(TablebaseFileErrorKind::OtherVersion(version));
        }
        let Some((body, sum)) = bytes.split_last_chunk::<8>() else {
            return Err(TablebaseFileErrorKind::Damaged);
        };
        if fnv1a(body) != u64::from_le_bytes(*sum) {
            return Err(TablebaseFileErrorKind::Damaged);
        }
        let length = u32::from_le_bytes(take(&mut rest).ok_or(TablebaseFileErrorKind::Damaged)?) as usize;
        let (rules, after) = rest.split_at_checked(length).ok_or(TablebaseFileErrorKind::Damaged)?;
        rest = after;
        if rules != self.rules.to_string().as_bytes() {
            return Err(TablebaseFileErrorKind::OtherRules(String::from_utf8_lossy(rules).into_owned()));
        }
        let [attackers, defenders] = take(&mut rest).ok_or(TablebaseFileErrorKind::Damaged)?;
        let counts = PieceCounts { attackers, defenders };
        let size = u64::from_le_bytes(take(&mut rest).ok_or(TablebaseFileErrorKind::Damaged)?);
        let values = rest.len().checked_sub(8).ok_or(TablebaseFileErrorKind::Damaged)?;
        let fits = usize::from(counts.pieces()) <= super::MAX_PIECES && attackers > 0;
        if !fits || size != self.index.size(counts) || size.checked_mul(2) != Some(values as u64) {
            return Err(TablebaseFileErrorKind::Damaged);
        }
        let (first, second) = rest[..values].split_at(values / 2);
        Ok(Tablebase { counts, values: [first.to_vec(), second.to_vec()] })
    }
}

const ENDING: &str = "tafltable";

fn name(counts: PieceCounts) -> String {
    format!("k1-a{}-d{}.{ENDING}", counts.attackers, counts.defenders)
}

fn at(path: &Path, kind: impl Into<TablebaseFileErrorKind>) -> TablebaseFileError {
    TablebaseFileError { path: path.to_owned(), kind: kind.into() }
}

/// Removes the first bytes from a slice and returns them.
fn take<const K: usize>(rest: &mut &[u8]) -> Option<[u8; K]> {
    let (first, after) = rest.split_first_chunk::<K>()?;
    *rest = after;
    Some(*first)
}
