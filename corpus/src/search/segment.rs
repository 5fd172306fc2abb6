//! A segment for searches.

use std::path::PathBuf;
use std::sync::OnceLock;

use tafl_rules::Setup;

use crate::checked_folder::CheckedFolder;
use crate::error::{CorpusError, Result};
use crate::index::{IndexError, SegmentIndex};
use crate::manifest::contains_row;
use crate::move_log::{MoveLog, MoveLogError};
use crate::openings::OpeningTable;
use crate::segment::Segment;

/// A segment for searches.
pub struct SearchSegment {
    files: SegmentSource,
    index_files: CheckedFolder,
    /// The rows of removed games: ranges from the first to the last row, in rising order.
    removed: Vec<[u32; 2]>,
    index: OnceLock<SegmentIndex>,
}

/// The files of a segment, except its index.
enum SegmentSource {
    /// Those of a segment of a corpus.
    Corpus(Segment),
    /// A move log in memory, with the name of its file for errors, and no table of frequent positions.
    MoveLog(MoveLog, PathBuf),
}

impl SearchSegment {
    /// Returns a segment: its move log with the name of its file, the folder of its index, and the rows of removed
    /// games in ranges from the first to the last, in rising order.
    pub fn new(
        move_log: MoveLog,
        move_log_file: PathBuf,
        index_folder: PathBuf,
        removed: Vec<[u32; 2]>,
    ) -> SearchSegment {
        let index_files = CheckedFolder::unchecked(&index_folder);
        let files = SegmentSource::MoveLog(move_log, move_log_file);
        SearchSegment { files, index_files, removed, index: OnceLock::new() }
    }

    /// Returns a segment of a corpus.
    pub(super) fn of(segment: &Segment) -> SearchSegment {
        SearchSegment {
            files: SegmentSource::Corpus(segment.clone()),
            index_files: segment.index_files(),
            removed: segment.entry().removed.clone(),
            index: OnceLock::new(),
        }
    }

    /// Returns the move log, which is opened on first use.
    ///
    /// # Errors
    ///
    /// Fails if it is missing, damaged, or of a newer version.
    pub fn move_log(&self) -> Result<&MoveLog> {
        match &self.files {
            SegmentSource::Corpus(segment) => segment.move_log(),
            SegmentSource::MoveLog(move_log, _) => Ok(move_log),
        }
    }

    /// Returns the number of games, removed ones included.
    pub(super) fn n_games(&self) -> u32 {
        match &self.files {
            SegmentSource::Corpus(segment) => segment.n_games(),
            SegmentSource::MoveLog(move_log, _) => move_log.n_games(),
        }
    }

    /// Returns the index, which is opened on first use.
    ///
    /// # Errors
    ///
    /// Fails if it is missing, damaged, or of another version.
    pub fn index(&self) -> Result<&SegmentIndex> {
        if let Some(index) = self.index.get() {
            return Ok(index);
        }
        let index = SegmentIndex::open_in(self.index_files.clone(), self.move_log()?)
            .map_err(|error| self.index_error(error))?;
        Ok(self.index.get_or_init(|| index))
    }

    /// Calls a function with the index.
    ///
    /// # Errors
    ///
    /// Fails if it is missing, damaged, or of another version.
    pub(super) fn with_index<T>(
        &self,
        read: impl FnOnce(&SegmentIndex) -> std::result::Result<T, IndexError>,
    ) -> Result<T> {
        read(self.index()?).map_err(|error| self.index_error(error))
    }

    /// Returns the table of frequent positions, which is read on first use; `None` in a segment without one.
    ///
    /// # Errors
    ///
    /// Fails if it is missing, damaged, or of another version.
    pub(super) fn openings(&self) -> Result<Option<&OpeningTable>> {
        match &self.files {
            SegmentSource::Corpus(segment) => segment.openings().map(Some),
            SegmentSource::MoveLog(..) => Ok(None),
        }
    }

    /// Returns whether any game was removed.
    pub(super) fn has_removed(&self) -> bool {
        !self.removed.is_empty()
    }

    /// Returns whether the game in a row was removed.
    pub fn is_removed(&self, row: u32) -> bool {
        contains_row(&self.removed, row)
    }

    pub(super) fn position(&self, row: u32, ply: u32) -> Result<Setup> {
        let move_log = self.move_log()?;
        let play = || {
            let mut cursor = move_log.cursor(row)?;
            while cursor.state().ply < ply && cursor.advance()? {}
            Ok(cursor.state().setup())
        };
        play().map_err(|error| self.move_log_error(error))
    }

    pub(super) fn move_log_error(&self, error: MoveLogError) -> CorpusError {
        match &self.files {
            SegmentSource::Corpus(segment) => segment.move_log_error(error),
            SegmentSource::MoveLog(_, file) => CorpusError::damaged(file, error),
        }
    }

    pub(super) fn index_error(&self, error: IndexError) -> CorpusError {
        match error {
            IndexError::MoveLog(error) => self.move_log_error(error),
            error => error.of_folder(self.index_files.path()),
        }
    }
}
