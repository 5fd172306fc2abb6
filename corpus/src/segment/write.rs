//! Writing of segments.

use std::path::Path;

use tafl_rules::CanonicalKey;

use super::new_folder::NewSegmentFolder;
use crate::checked_folder::bytes_of;
use crate::error::{CorpusError, Result};
use crate::file::{FileEntry, checksum, files_below, sync_file, sync_folder, write_synced};
use crate::id::GameId;
use crate::manifest::SegmentEntry;
use crate::move_log::MoveLog;
use crate::parquet::{PlySource, write_games, write_plies};
use crate::row::GameRow;
use crate::segment_files::{CHECKSUMS_FILE, GAMES_FILE, INDEX_FOLDER, MOVE_LOG_FILE, PLIES_FILE};

/// A segment that has not been written yet.
#[derive(Debug)]
pub(crate) struct SegmentDraft {
    /// Its number.
    pub(crate) number: u64,
    /// The games.
    pub(crate) rows: Vec<GameRow>,
    /// The bytes of the move log.
    pub(crate) move_log: Vec<u8>,
    /// The canonical keys of all positions: of the start of a game, then after each ply.
    pub(crate) keys: Vec<u64>,
    /// The number of legal moves before each ply.
    pub(crate) move_counts: Vec<u16>,
}

/// Writes a segment onto the disk. It belongs to the corpus when a manifest names it.
///
/// # Errors
///
/// Fails if a file cannot be written.
pub(crate) fn seal(corpus: &Path, draft: SegmentDraft) -> Result<SegmentEntry> {
    seal_by(corpus, draft, write_parts)
}

/// Writes a segment as [`seal`] does, with two threads.
///
/// # Errors
///
/// As [`seal`].
pub(crate) fn seal_in_parallel(corpus: &Path, draft: SegmentDraft) -> Result<SegmentEntry> {
    seal_by(corpus, draft, write_parts_in_parallel)
}

fn seal_by(
    corpus: &Path,
    draft: SegmentDraft,
    write: fn(&Path, &SegmentDraft, &MoveLog) -> Result<()>,
) -> Result<SegmentEntry> {
    let folder = NewSegmentFolder::create(corpus, draft.number)?;
    let aside = folder.path();
    let plies = draft.move_counts.len() as u64;
    let games = u32::try_from(draft.rows.len()).unwrap_or(u32::MAX);
    let number = draft.number;
    write_move_log(aside, draft, write)?;
    let mut files = Vec::new();
    for path in files_below(aside)?.into_iter().filter(|path| !path.ends_with(".lock")) {
        let at = aside.join(&path);
        sync_file(&at)?;
        files.push(FileEntry::with_checksums(aside, &path)?);
    }
    write_synced(&aside.join(CHECKSUMS_FILE), &bytes_of(&files))?;
    let mut files: Vec<FileEntry> = files.into_iter().map(|(entry, _)| entry).collect();
    files.push(FileEntry::of(aside, CHECKSUMS_FILE)?);
    if aside.join(INDEX_FOLDER).is_dir() {
        sync_folder(&aside.join(INDEX_FOLDER))?;
    }
    let content: String = files.iter().map(|file| &*file.xxh3).collect();
    let name = folder.publish(&format!("{:08x}", checksum(content.as_bytes()) as u32))?;
    Ok(SegmentEntry { number, name, games, plies, removed: Vec::new(), files })
}

/// Writes the move log, then the other files, which are derived from it.
fn write_move_log(
    folder: &Path,
    mut draft: SegmentDraft,
    write: fn(&Path, &SegmentDraft, &MoveLog) -> Result<()>,
) -> Result<()> {
    let path = folder.join(MOVE_LOG_FILE);
    write_synced(&path, &draft.move_log)?;
    let move_log = MoveLog::from_bytes(std::mem::take(&mut draft.move_log))
        .map_err(|error| CorpusError::damaged(&path, error))?;
    write(folder, &draft, &move_log)
}

fn write_parts(folder: &Path, draft: &SegmentDraft, move_log: &MoveLog) -> Result<()> {
    write_tables(folder, draft, move_log).and_then(|()| write_index(folder, draft, move_log))
}

/// Writes the tables in parallel with the index and the table of openings: both take about equally long.
fn write_parts_in_parallel(folder: &Path, draft: &SegmentDraft, move_log: &MoveLog) -> Result<()> {
    std::thread::scope(|scope| {
        let tables = scope.spawn(|| write_tables(folder, draft, move_log));
        let index = write_index(folder, draft, move_log);
        tables.join().unwrap_or(Err(CorpusError::Writer)).and(index)
    })
}

fn write_tables(folder: &Path, draft: &SegmentDraft, move_log: &MoveLog) -> Result<()> {
    write_games(&folder.join(GAMES_FILE), &draft.rows)?;
    let games: Vec<GameId> = draft.rows.iter().map(|row| row.game).collect();
    let source = PlySource { games: &games, move_log, keys: &draft.keys, move_counts: &draft.move_counts };
    write_plies(&folder.join(PLIES_FILE), &source)
}

/// Writes the files that searches use, which are derived from the tables.
fn write_index(folder: &Path, draft: &SegmentDraft, move_log: &MoveLog) -> Result<()> {
    let keys = draft.keys.iter().map(|key| CanonicalKey(*key));
    let index = folder.join(INDEX_FOLDER);
    let built = crate::index::build(&index, move_log, keys, &draft.rows);
    built.map_err(|error| error.of_new_folder(&index))?;
    crate::index::name::by_content(&index).map_err(CorpusError::io(&index))?;
    crate::openings::write_table(folder, move_log, &draft.keys, &draft.rows)
}
