//! Segments: the tables of some games, and the data derived from them. A segment never changes.

mod write;

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use tantivy::directory::OwnedBytes;

use crate::checked_folder::{CheckedFolder, file_error};
use crate::error::{CorpusError, FileFault, Result};
use crate::id::GameId;
use crate::manifest::SegmentEntry;
use crate::move_log::MoveLog;
use crate::openings::{OPENINGS_FILE, OpeningTable};
use crate::parquet::{GamePart, TableFile, read_game_ids, read_games, read_plies};
use crate::row::{GameRow, PlyRow};

pub(crate) use write::{SegmentDraft, seal, seal_in_parallel};

/// The file of the table of games.
pub const GAMES_FILE: &str = "games.parquet";
/// The file of the table of plies.
pub const PLIES_FILE: &str = "plies.parquet";
/// The file of the move log. Its name is part of the format.
pub const MOVE_LOG_FILE: &str = "tape.bin";
/// The folder of the index.
pub(crate) const INDEX_FOLDER: &str = "index";

/// A segment that is open for reading.
#[derive(Debug, Clone)]
pub struct Segment {
    files: CheckedFolder,
    entry: SegmentEntry,
    move_log: MoveLog,
    games: TableFile,
    plies: TableFile,
    /// The table of frequent positions, read on first use and shared by searches and explorers.
    openings: Arc<OnceLock<OpeningTable>>,
}

impl Segment {
    /// Opens a segment of a corpus.
    ///
    /// # Errors
    ///
    /// Returns the file that is missing or damaged.
    pub(crate) fn open(corpus: &Path, entry: &SegmentEntry) -> Result<Segment> {
        let folder = corpus.join("segments").join(&entry.name);
        let files = CheckedFolder::of(&folder, entry)?;
        let path = folder.join(MOVE_LOG_FILE);
        let file = files.open(MOVE_LOG_FILE).map_err(|error| file_error(&path, error))?;
        let move_log = MoveLog::open_file(file).map_err(|error| CorpusError::damaged(&path, error))?;
        if move_log.n_games() != entry.games {
            return Err(CorpusError::damaged(&path, FileFault::Differs("another number of games")));
        }
        let (games, plies) = (TableFile::open(&files, GAMES_FILE)?, TableFile::open(&files, PLIES_FILE)?);
        Ok(Segment { files, entry: entry.clone(), move_log, games, plies, openings: Arc::default() })
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

    /// Returns the move log, with the games in the order of the rows.
    pub fn move_log(&self) -> &MoveLog {
        &self.move_log
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
        let rules = self.move_log.game_setups().iter().map(|game_setup| game_setup.rules.clone()).collect();
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
        CorpusError::damaged(&self.folder().join(GAMES_FILE), FileFault::Differs("another number of games"))
    }

    /// Reads the plies of consecutive games; `games` are their rows and `first` is the row of the
    /// first of them.
    ///
    /// # Errors
    ///
    /// Returns the file that is missing or damaged.
    pub fn plies(&self, games: &[GameRow], first: u32) -> Result<Vec<Vec<PlyRow>>> {
        let before: usize = (0..first).map(|row| self.move_log.entry(row).n_plies as usize).sum();
        read_plies(&self.plies, games, before)
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
