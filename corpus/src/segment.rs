//! Segments: the tables of some games, and the data derived from them. A segment never changes.

mod move_log_file;
mod new_folder;
mod write;

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use tantivy::directory::OwnedBytes;

use crate::checked_folder::{CheckedFolder, file_error};
use crate::error::{CorpusError, FileFault, Result};
use crate::id::GameId;
use crate::manifest::SegmentEntry;
use crate::move_log::{MoveLog, MoveLogError};
use crate::openings::OpeningTable;
use crate::parquet::{GamePart, TableFile, read_game_ids, read_games, read_plies, read_ply_counts};
use crate::row::{GameRow, PlyRow};
use crate::segment_files::{GAMES_FILE, INDEX_FOLDER, OPENINGS_FILE, PLIES_FILE, SEGMENTS_FOLDER};
use move_log_file::MoveLogFile;

pub(crate) use new_folder::NewSegmentFolder;
pub(crate) use write::{SegmentDraft, seal, seal_in_parallel};

/// A segment that is open for reading. Its tables are open; files that are derived from them are read on first use, so that
/// a damaged one is an error only for those who need it.
#[derive(Debug, Clone)]
pub struct Segment {
    files: CheckedFolder,
    entry: SegmentEntry,
    move_log: MoveLogFile,
    games: TableFile,
    plies: TableFile,
    /// The number of plies before each game, and of all games, read on first use.
    first_plies: Arc<OnceLock<Vec<u32>>>,
    /// The table of frequent positions, read on first use and shared by searches and explorers.
    openings: Arc<OnceLock<OpeningTable>>,
}

impl Segment {
    /// Opens a segment of a corpus.
    ///
    /// # Errors
    ///
    /// Returns the table that is missing or damaged.
    pub(crate) fn open(corpus: &Path, entry: &SegmentEntry) -> Result<Segment> {
        let folder = corpus.join(SEGMENTS_FOLDER).join(&entry.name);
        let files = CheckedFolder::of(&folder, entry);
        let move_log = MoveLogFile::open(&files, entry.games)?;
        let (games, plies) = (TableFile::open(&files, GAMES_FILE)?, TableFile::open(&files, PLIES_FILE)?);
        Ok(Segment {
            files,
            entry: entry.clone(),
            move_log,
            games,
            plies,
            first_plies: Arc::default(),
            openings: Arc::default(),
        })
    }

    /// Returns the folder.
    pub fn folder(&self) -> &Path {
        self.files.path()
    }

    /// Returns the folder of the index.
    pub fn index_folder(&self) -> PathBuf {
        self.folder().join(INDEX_FOLDER)
    }

    /// Returns the files of its index.
    pub(crate) fn index_files(&self) -> CheckedFolder {
        self.files.below(INDEX_FOLDER)
    }

    /// Returns its manifest entry.
    pub fn entry(&self) -> &SegmentEntry {
        &self.entry
    }

    /// Returns its number, which rises in the order of writing.
    pub fn number(&self) -> u64 {
        self.entry.number
    }

    /// Returns the number of games, removed ones included. Rows are numbered from 0.
    pub fn n_games(&self) -> u32 {
        self.entry.games
    }

    /// Returns whether a game was removed.
    pub fn is_removed(&self, row: u32) -> bool {
        self.entry.is_removed(row)
    }

    /// Returns the move log, with the games in the order of the rows. It is opened on first use.
    ///
    /// # Errors
    ///
    /// Fails if it is missing, damaged, or of a newer version.
    pub fn move_log(&self) -> Result<&MoveLog> {
        self.move_log.get()
    }

    /// Returns the error of the corpus for an error of the move log.
    pub fn move_log_error(&self, error: MoveLogError) -> CorpusError {
        self.move_log.damaged(error)
    }

    /// Returns whether the move log was missing when the segment was opened.
    pub(crate) fn lacks_move_log(&self) -> bool {
        self.move_log.is_missing()
    }

    /// Returns the table of frequent positions.
    ///
    /// # Errors
    ///
    /// Fails if it is missing, damaged, or of another version.
    pub(crate) fn openings(&self) -> Result<&OpeningTable> {
        if let Some(table) = self.openings.get() {
            return Ok(table);
        }
        let table = self.open_openings()?;
        Ok(self.openings.get_or_init(|| table))
    }

    fn open_openings(&self) -> Result<OpeningTable> {
        let setups = self.move_log()?.game_setups();
        let rules = setups.iter().map(|game_setup| game_setup.rules.clone()).collect();
        let path = self.folder().join(OPENINGS_FILE);
        let read = || {
            let file = self.files.open(OPENINGS_FILE)?;
            // The table is kept whole, so its blocks are not kept as well.
            let mut bytes = vec![0; file.len()];
            file.fill(std::iter::once(0..file.len()), &mut bytes)?;
            Ok(bytes)
        };
        let bytes = read().map_err(|error| file_error(&path, error))?;
        OpeningTable::open(OwnedBytes::new(bytes), self.n_games(), rules)
            .map_err(|fault| CorpusError::damaged(&path, fault))
    }

    /// Returns the table of games, removed ones included.
    pub fn games_table(&self) -> &TableFile {
        &self.games
    }

    /// Returns the table of plies, those of removed games included.
    pub fn plies_table(&self) -> &TableFile {
        &self.plies
    }

    /// Reads the row of a game.
    ///
    /// # Errors
    ///
    /// Returns the file that is missing or damaged.
    ///
    /// # Panics
    ///
    /// Panics if there is no such row.
    pub fn game(&self, row: u32) -> Result<GameRow> {
        assert!(row < self.n_games(), "the segment has {} games", self.n_games());
        let mut rows = read_games(&self.games, GamePart::All, Some((row as usize, 1)))?;
        rows.pop().ok_or_else(|| self.other_games())
    }

    /// Reads the rows of all games, removed ones included, without the texts of the records.
    ///
    /// # Errors
    ///
    /// Returns the file that is missing or damaged.
    pub fn games_without_text(&self) -> Result<Vec<GameRow>> {
        self.read_games(GamePart::WithoutText)
    }

    /// Reads the summary columns of all games, removed ones included.
    ///
    /// # Errors
    ///
    /// Returns the file that is missing or damaged.
    pub(crate) fn game_summaries(&self) -> Result<Vec<GameRow>> {
        self.read_games(GamePart::Summary)
    }

    /// Reads the rows of all games, removed ones included.
    ///
    /// # Errors
    ///
    /// Returns the file that is missing or damaged.
    pub fn games(&self) -> Result<Vec<GameRow>> {
        self.read_games(GamePart::All)
    }

    fn read_games(&self, part: GamePart) -> Result<Vec<GameRow>> {
        let rows = read_games(&self.games, part, None)?;
        if rows.len() == self.entry.games as usize { Ok(rows) } else { Err(self.other_games()) }
    }

    fn other_games(&self) -> CorpusError {
        CorpusError::damaged(
            &self.folder().join(GAMES_FILE),
            FileFault::Differs("the number of games differs"),
        )
    }

    /// Reads the plies of consecutive games; `games` are their rows and `first` is the row of the
    /// first of them.
    ///
    /// # Errors
    ///
    /// Returns the file that is missing or damaged.
    pub fn plies(&self, games: &[GameRow], first: u32) -> Result<Vec<Vec<PlyRow>>> {
        read_plies(&self.plies, games, self.first_plies()?[first as usize] as usize)
    }

    /// Returns the number of plies before each game, and of all games: the rows of the table of plies at which the games
    /// begin.
    ///
    /// # Errors
    ///
    /// Returns the table that is damaged.
    pub fn first_plies(&self) -> Result<&[u32]> {
        if let Some(known) = self.first_plies.get() {
            return Ok(known);
        }
        let counts = read_ply_counts(&self.games)?;
        if counts.len() != self.entry.games as usize {
            return Err(self.other_games());
        }
        let (mut firsts, mut sum) = (vec![0], Some(0u32));
        for count in counts {
            sum = sum.and_then(|sum| sum.checked_add(count));
            firsts.extend(sum);
        }
        if sum.map(u64::from) != Some(self.entry.plies) {
            let fault = FileFault::Differs("the number of plies differs");
            return Err(CorpusError::damaged(self.games.path(), fault));
        }
        Ok(self.first_plies.get_or_init(|| firsts))
    }

    /// Returns the number of every game, in the order of the rows.
    ///
    /// # Errors
    ///
    /// Returns the file that is missing or damaged.
    pub fn game_ids(&self) -> Result<Vec<GameId>> {
        read_game_ids(&self.games)
    }
}
