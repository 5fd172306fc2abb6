//! Merging of corpora: the segments of the parts become segments of one corpus, unchanged but for those with games that
//! are marked as possible copies.
//!
//! Copies of a game in different parts are found as on import, one game after another in the order of the parts; games
//! of the same part are not compared again. The result is that of one import, if all records with the same bucket (see
//! [`row_line`](crate::row_line)) are in one part: then no game has a copy in another part. Otherwise, if
//! only some of three or more records of a line fit each other, other ones of them may be called copies.
//!
//! The player aliases of all corpora are joined. Copies are found by the names that players have then, and games of all corpora
//! are renamed in a second change.

mod copies;
mod link;
mod rewrite;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cancel::CancelCheck;
use crate::edit::change_aliases;
use crate::error::{CorpusError, Result};
use crate::evals::ReplacedGames;
use crate::folder::{CopyLine, Corpus};
use crate::id::GameId;
use crate::ingest::{
    CopyPolicy, DedupIndex, DedupOutcome, DuplicatePolicy, IngestOptions, RowLocation, date_of,
};
use crate::manifest::{INDEX_VERSION, Manifest, SegmentEntry};
use crate::move_log::MOVE_LOG_VERSION;
use crate::player_alias::{AliasTable, add_aliases};
use crate::rejected_record::RejectedRecord;
use crate::replay_setups::ReplaySetups;
use crate::row::{CopyNote, GameRow};
use crate::segment::Segment;
use crate::writer::CorpusWriter;

/// The counts of a merge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct MergeSummary {
    /// The number of parts.
    pub parts: u64,
    /// Segments that were added.
    pub segments: u64,
    /// Segments that the corpus already has, or that add nothing new.
    pub known: u64,
    /// Games that are new.
    pub added: u64,
    /// Copies of stored games, which are not stored again.
    // The JSON field keeps this name.
    pub doubled: u64,
    /// Copies among those that were better and took the place of the stored one.
    pub replaced: u64,
    /// Copies among those that are only the beginning of the other one.
    pub prefixes: u64,
    /// New games that are marked in the column `duplicate_of`: they have the moves of a game of another part.
    pub possible_copies: u64,
    /// Rejected records that are new.
    pub rejected: u64,
}

/// Adds the segments of other corpora to one, which is created if it does not exist. The change is atomic; if there are player
/// aliases, a second one renames players. If that is broken off, the same merge again completes it.
///
/// # Errors
///
/// Fails if another process writes, if a part is not a corpus, is the corpus itself, has another version, or is damaged,
/// or if the work was canceled. The corpus is unchanged then.
pub fn merge(
    path: &Path,
    parts: &[PathBuf],
    options: &IngestOptions,
    cancel: CancelCheck<'_>,
) -> Result<MergeSummary> {
    let writer = CorpusWriter::open_or_create(path, &options.note)?;
    let corpus = Corpus::open(path)?;
    let mut aliases = corpus.manifest().aliases.clone();
    for part in parts {
        add_aliases(&mut aliases, &Manifest::read(part)?.aliases);
    }
    let names = AliasTable::of(&aliases);
    let mut merger = CorpusMerger {
        dedup: DedupIndex::of(&corpus, &names)?,
        known_contents: writer.manifest().segments.iter().map(SegmentEntry::content).collect(),
        segments: corpus.segments().iter().map(|segment| (segment.number(), segment.clone())).collect(),
        writer,
        keep: options.keep,
        duplicates: options.duplicates,
        setups: ReplaySetups::default(),
        rows: HashMap::new(),
        added_segments: Vec::new(),
        new_games: Vec::new(),
        removed_rows: BTreeMap::new(),
        carried: ReplacedGames::default(),
        changed: HashMap::new(),
        has_new_copies: false,
        rejected: Vec::new(),
        names,
        summary: MergeSummary { parts: parts.len() as u64, ..MergeSummary::default() },
    };
    for part in parts {
        merger.add_part(part, cancel)?;
    }
    let summary = merger.finish()?;
    if !aliases.is_empty() {
        change_aliases(path, &options.note, cancel, |_| Ok::<_, CorpusError>(aliases))?;
    }
    Ok(summary)
}

/// The columns of a row of a part that the corpus changes.
#[derive(Debug, Clone, PartialEq, Eq)]
struct ChangedRow {
    game: GameId,
    duplicate_of: Option<GameId>,
    tags: Vec<(String, String)>,
}

impl ChangedRow {
    fn of(row: &GameRow) -> ChangedRow {
        ChangedRow { game: row.game, duplicate_of: row.duplicate_of, tags: row.tags.clone() }
    }

    fn apply(&self, row: &mut GameRow) {
        row.game = self.game;
        row.duplicate_of = self.duplicate_of;
        row.tags.clone_from(&self.tags);
    }
}

/// The values of the columns of [`ChangedRow`], to detect changes. Tags are only added, so their number shows every change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct RowState {
    game: GameId,
    duplicate_of: Option<GameId>,
    n_tags: usize,
}

impl RowState {
    fn of(row: &GameRow) -> RowState {
        RowState { game: row.game, duplicate_of: row.duplicate_of, n_tags: row.tags.len() }
    }
}

/// The state of a merge.
struct CorpusMerger {
    writer: CorpusWriter,
    keep: CopyPolicy,
    duplicates: DuplicatePolicy,
    dedup: DedupIndex,
    /// The checksums of the segments of the corpus.
    known_contents: HashSet<u64>,
    /// All segments by their numbers in the corpus, including those that will be added.
    segments: HashMap<u64, Segment>,
    setups: ReplaySetups,
    /// Cached rows of segments.
    rows: HashMap<u64, Vec<GameRow>>,
    /// Numbers of the segments that will be added, in order.
    added_segments: Vec<u64>,
    /// New games of the current part.
    new_games: Vec<RowLocation>,
    /// Rows of games that were replaced or are copies, by the numbers of their segments.
    removed_rows: BTreeMap<u64, Vec<u32>>,
    /// The replaced games whose copies get their evaluations.
    carried: ReplacedGames,
    /// Rows that get another ID, mark, or tag in the corpus; their segments are written anew.
    changed: HashMap<RowLocation, ChangedRow>,
    has_new_copies: bool,
    rejected: Vec<RejectedRecord>,
    /// The names of players by the aliases of the corpus and of all parts.
    names: AliasTable,
    summary: MergeSummary,
}

impl CorpusMerger {
    /// Adds the games and the rejected records of a part.
    fn add_part(&mut self, path: &Path, cancel: CancelCheck<'_>) -> Result<()> {
        let manifest = Manifest::read(path)?;
        let own = self.writer.path().canonicalize().map_err(CorpusError::io(self.writer.path()))?;
        if path.canonicalize().is_ok_and(|path| path == own) {
            return Err(CorpusError::MergeIntoItself { path: path.to_owned() });
        }
        let versions = [
            ("the move logs", manifest.tape_version, MOVE_LOG_VERSION),
            ("the index", manifest.index_version, INDEX_VERSION),
        ];
        for (what, found, known) in versions {
            if found != known {
                return Err(CorpusError::Version { path: path.to_owned(), what, found, known });
            }
        }
        for (folder, file) in manifest.files() {
            cancel.check()?;
            file.check(&path.join(folder))?;
        }
        let part = Corpus::open(path)?;
        let mut late = part.late_copies()?;
        for segment in part.segments() {
            self.add_segment(segment, &mut late, cancel)?;
        }
        // Games of a part were compared with each other when it was made; they are not compared again.
        for at in std::mem::take(&mut self.new_games) {
            let game = &self.rows[&at.segment][at.row as usize];
            self.dedup.add(&self.names.named(game), date_of(game), at);
        }
        for rejected in part.rejected()? {
            if self.dedup.rejected.insert(rejected.hash()) {
                self.summary.rejected += 1;
                self.rejected.push(rejected);
            }
        }
        Ok(())
    }

    /// Adds the games of a segment of a part. `late` are the copies of its games that are not in their rows.
    fn add_segment(
        &mut self,
        segment: &Segment,
        late: &mut HashMap<GameId, Vec<CopyNote>>,
        cancel: CancelCheck<'_>,
    ) -> Result<()> {
        if !self.known_contents.insert(segment.entry().content()) {
            self.summary.known += 1;
            return self.add_late_copies(segment, late);
        }
        let number = self.writer.number();
        self.segments.insert(number, segment.clone());
        let mut rows = segment.games_without_text()?;
        let mut gone: Vec<u32> = Vec::new();
        let before = self.summary.added;
        for (at, row) in (0..).zip(&mut rows) {
            if segment.is_removed(at) {
                continue;
            }
            cancel.check()?;
            let own = late.remove(&row.game).unwrap_or_default();
            let original = RowState::of(row);
            let location = RowLocation { segment: number, row: at };
            if !self.add_game(row, location, own)? {
                gone.push(at);
            } else if RowState::of(row) != original {
                self.changed.insert(location, ChangedRow::of(row));
            }
        }
        let kept = u64::from(segment.n_games() - segment.entry().n_removed()) - gone.len() as u64;
        debug_assert!(kept >= self.summary.added - before, "every new game is kept");
        if kept == 0 {
            self.summary.known += 1;
            self.segments.remove(&number);
            return Ok(());
        }
        self.added_segments.push(number);
        self.removed_rows.entry(number).or_default().extend(gone);
        self.rows.insert(number, rows);
        Ok(())
    }

    /// Notes the copies that a part has found since its segment was taken.
    fn add_late_copies(
        &mut self,
        segment: &Segment,
        late: &mut HashMap<GameId, Vec<CopyNote>>,
    ) -> Result<()> {
        if late.is_empty() {
            return Ok(());
        }
        let number = self.writer.number();
        self.segments.insert(number, segment.clone());
        for (at, row) in (0..).zip(&segment.games_without_text()?) {
            if segment.is_removed(at) {
                continue;
            }
            let Some(notes) = late.remove(&row.game) else { continue };
            // A game that is no longer in the corpus has no copies in it.
            let DedupOutcome::Copy(found) = self.find(row, RowLocation { segment: number, row: at })? else {
                continue;
            };
            if row.plies <= found.stored.plies {
                self.note_copy(&found, row, notes);
            }
        }
        self.segments.remove(&number);
        Ok(())
    }

    /// Returns the relation of a game of a part to the stored ones.
    fn find(&mut self, row: &GameRow, at: RowLocation) -> Result<DedupOutcome> {
        let CorpusMerger { dedup, segments, setups, duplicates, names, .. } = self;
        dedup.find(&names.named(row), date_of(row), *duplicates, |stored| {
            let RowLocation { segment, row } = stored.unwrap_or(at);
            setups.keys(segments.get(&segment).ok_or(CorpusError::Writer)?, row)
        })
    }

    /// Adds a game; returns whether its row becomes a game of the corpus, perhaps with another ID and a mark.
    /// `late` are its copies that are not in the row.
    fn add_game(&mut self, row: &mut GameRow, at: RowLocation, late: Vec<CopyNote>) -> Result<bool> {
        let date = date_of(row);
        let found = match self.find(row, at)? {
            DedupOutcome::Copy(found) => found,
            other => {
                if let DedupOutcome::Marked(stored) = other {
                    row.duplicate_of = Some(stored);
                    self.summary.possible_copies += 1;
                }
                row.game = self.dedup.free_id(row, None);
                self.summary.added += 1;
                self.new_games.push(at);
                self.add_copies(row, late);
                return Ok(true);
            }
        };
        self.summary.doubled += 1;
        self.summary.prefixes += u64::from(found.plies.is_some());
        if !found.is_better(row, self.keep) {
            self.note_copy(&found, row, late);
            return Ok(false);
        }
        self.summary.replaced += 1;
        row.game = self.dedup.free_id(row, Some(&found));
        self.replace_stored(&found, row)?;
        self.add_copies(row, late);
        self.dedup.replace(&found, &self.names.named(row), date, at);
        Ok(true)
    }

    fn open_segment(&self, number: u64) -> Result<&Segment> {
        self.segments.get(&number).ok_or(CorpusError::Writer)
    }

    /// Links the segments, and commits.
    fn finish(mut self) -> Result<MergeSummary> {
        for number in std::mem::take(&mut self.added_segments) {
            let segment = self.open_segment(number)?.clone();
            let gone = self.removed_rows.remove(&number).unwrap_or_default();
            let n_gone = gone.len() as u32 + segment.entry().n_removed();
            if n_gone >= segment.n_games() {
                self.summary.known += 1;
                continue;
            }
            if self.changed.keys().any(|changed| changed.segment == number) {
                let entry = self.rewrite(&segment, number, &gone.into_iter().collect())?;
                self.writer.add(entry);
            } else {
                let mut entry = link::take(self.writer.path(), &segment, number)?;
                entry.remove(gone);
                self.writer.add(entry);
            }
            self.summary.segments += 1;
        }
        for (number, rows) in std::mem::take(&mut self.removed_rows) {
            self.writer.remove(number, rows);
        }
        if self.has_new_copies {
            self.writer.replace_copies(&CopyLine::all(&self.dedup.saved))?;
        }
        std::mem::take(&mut self.carried).carry_evals(&mut self.writer)?;
        self.writer.add_rejected(&self.rejected)?;
        self.writer.commit()?;
        Ok(self.summary)
    }
}

#[cfg(test)]
mod tests;
