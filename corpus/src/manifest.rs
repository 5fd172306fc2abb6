//! The manifest: the files of a corpus. Replacing it commits a batch of changes atomically.

#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Component, Path};

use serde::{Deserialize, Serialize};
use tafl_rules::KEY_VERSION;

use crate::error::{CorpusError, FileFault, Result};
use crate::file::{FileEntry, checksum, hex, replace};
use crate::move_log::MOVE_LOG_VERSION;
use crate::player_alias::PlayerAlias;
use crate::segment_files::{CHECKSUMS_FILE, SEGMENTS_FOLDER};

/// The newest version of corpora that this program reads; it reads all older ones.
///
/// A corpus states the least version that it needs: 1, or 2 if the manifest names files of evaluations, or 3 if it has other
/// names of players.
pub(crate) const CORPUS_VERSION: u32 = 3;

/// The version of a corpus whose manifest names evaluations, and no player aliases.
const EVALS_CORPUS_VERSION: u32 = 2;

/// The version of a corpus whose manifest names no evaluations.
const PLAIN_VERSION: u32 = 1;

/// The name of the file.
pub const MANIFEST_FILE: &str = "manifest.json";

/// The folder of the files of evaluations, below that of the corpus.
pub const EVALS_FOLDER: &str = "evals";

/// The version of the table of evaluations, which is part of the names of its files.
pub(crate) const EVALS_VERSION: u32 = 1;

/// Returns whether this is the name of a file of evaluations in a corpus whose manifest names none.
pub(crate) fn is_unnamed_evals(name: &str) -> bool {
    name.starts_with(&format!("{EVALS_VERSION}-")) && name.ends_with(".parquet")
}

/// The files of a corpus.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of the corpus format: 1, or 2 if the manifest names files of evaluations, or 3 if it has aliases of
    /// players.
    pub taflbase_corpus: u32,
    /// The version of position keys.
    pub key_version: u32,
    /// The newest version of the move logs.
    pub tape_version: u32,
    /// The version of the index.
    pub index_version: u32,
    /// The number of times that the manifest was replaced.
    pub generation: u64,
    /// The number of the next segment, or of the next file beside segments.
    pub next: u64,
    /// The segments, in the order of their games.
    pub segments: Vec<SegmentEntry>,
    /// Files of rejected records.
    pub rejected: Vec<SideFile>,
    /// Files of copies that were found after the game's segment had been written.
    pub copies: Vec<SideFile>,
    /// Files of evaluations, in the order in which they were written. Corpora of version 1 have none here, and may have
    /// files that the manifest does not name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evals: Vec<FileEntry>,
    /// Other names of players.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<PlayerAlias>,
    /// Files and folders that no longer belong to the corpus, and are kept for readers that have them open.
    pub obsolete: Vec<ObsoletePath>,
    /// XXH3 of this file with zeros in place of these digits.
    pub checksum: String,
}

/// The manifest entry of a segment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SegmentEntry {
    /// The number, rising in the order of writing.
    pub number: u64,
    /// The name of its folder below `segments`.
    pub name: String,
    /// The number of games, removed ones included.
    pub games: u32,
    /// Their number of plies.
    pub plies: u64,
    /// The rows of games that were removed: ranges from the first to the last, in rising order.
    #[serde(default)]
    pub removed: Vec<[u32; 2]>,
    /// Its files.
    pub files: Vec<FileEntry>,
}

/// The manifest entry of a file of JSON lines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideFile {
    /// The number of lines.
    pub lines: u64,
    /// The file, below the folder of the corpus.
    #[serde(flatten)]
    pub file: FileEntry,
}

/// A path that no longer belongs to the corpus.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObsoletePath {
    /// The path below the folder of the corpus.
    pub path: String,
    /// The first generation without it.
    pub since: u64,
}

/// The part of a manifest that every version has.
#[derive(Debug, Deserialize)]
struct VersionHeader {
    taflbase_corpus: u64,
}

/// An upper bound of plausible numbers of changes, so that counters never overflow.
const MAX_CHANGES: u64 = u64::MAX / 2;

const NO_CHECKSUM: &str = "0000000000000000";

impl Default for Manifest {
    /// Returns the manifest of an empty corpus.
    fn default() -> Manifest {
        Manifest {
            taflbase_corpus: PLAIN_VERSION,
            key_version: KEY_VERSION,
            tape_version: MOVE_LOG_VERSION,
            index_version: INDEX_VERSION,
            generation: 0,
            next: 1,
            segments: Vec::new(),
            rejected: Vec::new(),
            copies: Vec::new(),
            evals: Vec::new(),
            aliases: Vec::new(),
            obsolete: Vec::new(),
            checksum: NO_CHECKSUM.to_owned(),
        }
    }
}

/// The version of the index. `tafl compact` makes indexes of other versions again.
pub(crate) const INDEX_VERSION: u32 = 6;

impl Manifest {
    /// Reads the manifest of a corpus.
    ///
    /// # Errors
    ///
    /// Fails if there is no corpus, if it has a newer version, or if the manifest is damaged.
    pub fn read(corpus: &Path) -> Result<Manifest> {
        let path = corpus.join(MANIFEST_FILE);
        let bytes = fs::read(&path).map_err(|error| absent(corpus, error))?;
        let json = |error: serde_json::Error| CorpusError::damaged(&path, FileFault::Json(error.to_string()));
        let head: VersionHeader = serde_json::from_slice(&bytes).map_err(json)?;
        if head.taflbase_corpus > u64::from(CORPUS_VERSION) {
            let (found, known) = (head.taflbase_corpus, CORPUS_VERSION);
            return Err(CorpusError::Newer { path, found, known });
        }
        let manifest: Manifest = serde_json::from_slice(&bytes).map_err(json)?;
        if manifest.seal() != bytes {
            return Err(CorpusError::damaged(&path, FileFault::Content));
        }
        if manifest.key_version != KEY_VERSION {
            return Err(CorpusError::KeyVersion { path, found: manifest.key_version, known: KEY_VERSION });
        }
        match manifest.inconsistency() {
            Some(inconsistency) => Err(CorpusError::damaged(&path, FileFault::Json(inconsistency))),
            None => Ok(manifest),
        }
    }

    /// Returns an inconsistency: files outside the folder, which `merge` would write, removed rows that do not
    /// exist, or numbers that are used twice or leave no room for more. A forged corpus has valid checksums.
    fn inconsistency(&self) -> Option<String> {
        if self.generation.max(self.next) > MAX_CHANGES {
            return Some("the generation or the next number is too large".to_owned());
        }
        let mut numbers = HashSet::new();
        for segment in &self.segments {
            if !is_below(&segment.name) || segment.name.contains(['/', '\\']) {
                return Some(format!("`{}` is not a valid name of a segment", segment.name));
            }
            if !segment.has_rows() {
                return Some(format!(
                    "the removed rows of `{}` are not in order, or not there",
                    segment.name
                ));
            }
            if segment.number >= self.next || !numbers.insert(segment.number) {
                return Some(format!(
                    "the number {} of `{}` is not unique, or not below `next`",
                    segment.number, segment.name
                ));
            }
        }
        let sides = self.rejected.iter().chain(&self.copies);
        let late = sides.map(|side| &side.file.path).find(|path| number_of(path) >= Some(self.next));
        if let Some(path) = late {
            return Some(format!("`{path}` would be overwritten"));
        }
        let outside = self.files().find(|(_, file)| !is_below(&file.path));
        outside.map(|(_, file)| format!("`{}` is not a path below the corpus", file.path))
    }

    /// Replaces the manifest of a corpus by this one.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be written; the old one is unchanged then.
    pub(crate) fn write(&mut self, corpus: &Path) -> Result<()> {
        self.taflbase_corpus = match (self.aliases.is_empty(), self.evals.is_empty()) {
            (false, _) => CORPUS_VERSION,
            (true, false) => EVALS_CORPUS_VERSION,
            (true, true) => PLAIN_VERSION,
        };
        let bytes = self.seal();
        replace(&corpus.join(MANIFEST_FILE), &bytes)?;
        let text = String::from_utf8_lossy(&bytes);
        if let Some(at) = text.rfind("\"checksum\": \"") {
            self.checksum = text[at + 13..at + 29].to_owned();
        }
        Ok(())
    }

    /// Returns the bytes of the file, with the checksum.
    fn seal(&self) -> Vec<u8> {
        let open = Manifest { checksum: NO_CHECKSUM.to_owned(), ..self.clone() };
        let mut text = serde_json::to_string_pretty(&open).expect("a manifest has only texts and numbers");
        text.push('\n');
        let sum = hex(checksum(text.as_bytes()));
        let at = text.rfind(NO_CHECKSUM).expect("the checksum is the last field");
        text.replace_range(at..at + NO_CHECKSUM.len(), &sum);
        text.into_bytes()
    }

    /// Returns the number of games, without removed ones.
    pub fn n_games(&self) -> u64 {
        self.segments.iter().map(|segment| u64::from(segment.games - segment.n_removed())).sum()
    }

    /// Returns every file that belongs to the corpus, with the folder to which the path of its entry is relative.
    pub fn files(&self) -> impl Iterator<Item = (String, &FileEntry)> {
        let of_segments = self.segments.iter().flat_map(|segment| {
            segment.files.iter().map(|file| (format!("{SEGMENTS_FOLDER}/{}", segment.name), file))
        });
        let beside = self.rejected.iter().chain(&self.copies).map(|side| &side.file).chain(&self.evals);
        of_segments.chain(beside.map(|file| (String::new(), file)))
    }
}

impl SegmentEntry {
    /// Returns whether all removed rows are there, in ranges that rise.
    fn has_rows(&self) -> bool {
        let is_range = |[first, last]: &[u32; 2]| first <= last && *last < self.games;
        self.removed.iter().all(is_range) && self.removed.is_sorted_by(|before, after| before[1] < after[0])
    }

    /// Returns a checksum of its tables and move log. The index is derived from them.
    pub(crate) fn content(&self) -> u64 {
        let of_tables =
            self.files.iter().filter(|file| !file.path.contains('/') && file.path != CHECKSUMS_FILE);
        let sums: Vec<&str> = of_tables.map(|file| &*file.xxh3).collect();
        checksum(sums.concat().as_bytes())
    }

    /// Returns the number of removed games.
    pub fn n_removed(&self) -> u32 {
        self.removed.iter().map(|[first, last]| last - first + 1).sum()
    }

    /// Returns whether a game was removed.
    pub fn is_removed(&self, row: u32) -> bool {
        contains_row(&self.removed, row)
    }

    /// Marks games as removed.
    pub(crate) fn remove(&mut self, rows: impl IntoIterator<Item = u32>) {
        let before = self.removed.iter().flat_map(|[first, last]| *first..=*last);
        let mut all: Vec<u32> = before.chain(rows).collect();
        all.sort_unstable();
        all.dedup();
        self.removed.clear();
        for row in all {
            match self.removed.last_mut() {
                Some([_, last]) if *last + 1 == row => *last = row,
                Some(_) | None => self.removed.push([row, row]),
            }
        }
    }
}

/// Returns whether ranges of rows, from the first to the last and in rising order, have a row.
pub(crate) fn contains_row(ranges: &[[u32; 2]], row: u32) -> bool {
    let after = ranges.partition_point(|[first, _]| *first <= row);
    after.checked_sub(1).is_some_and(|at| row <= ranges[at][1])
}

/// Returns the number in the name of a file such as `rejected/000003.jsonl`; `None` for other names.
fn number_of(path: &str) -> Option<u64> {
    path.rsplit('/').next()?.split('.').next()?.parse().ok()
}

/// Returns whether a relative path stays below its folder.
fn is_below(path: &str) -> bool {
    !path.is_empty() && Path::new(path).components().all(|part| matches!(part, Component::Normal(_)))
}

/// Returns the error for a missing manifest.
fn absent(corpus: &Path, error: io::Error) -> CorpusError {
    let path = corpus.to_owned();
    let is_filled =
        |folder: &str| fs::read_dir(corpus.join(folder)).is_ok_and(|mut found| found.next().is_some());
    match error.kind() {
        // The manifest is created before all other files, so it was deleted.
        io::ErrorKind::NotFound if is_filled(SEGMENTS_FOLDER) => {
            CorpusError::damaged(&corpus.join(MANIFEST_FILE), FileFault::Missing)
        }
        io::ErrorKind::NotFound if corpus.exists() => CorpusError::NotACorpus { path },
        io::ErrorKind::NotADirectory => CorpusError::NotACorpus { path },
        io::ErrorKind::NotFound => CorpusError::NotFound { path },
        _ => CorpusError::io(&corpus.join(MANIFEST_FILE))(error),
    }
}
