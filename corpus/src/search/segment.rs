//! A segment that is ready to be searched.

use std::path::PathBuf;
use std::sync::OnceLock;

use tafl_rules::Setup;

use crate::error::{CorpusError, Fault, Result};
use crate::index::{IndexError, SegmentIndex};
use crate::manifest::have_row;
use crate::segment::{Segment, TAPE_FILE};
use crate::tape::{Tape, TapeError};

/// A segment that is ready to be searched.
pub struct SearchSegment {
    tape: Tape,
    tape_file: PathBuf,
    index_folder: PathBuf,
    /// The rows of removed games: ranges from the first to the last, in rising order.
    removed: Vec<[u32; 2]>,
    index: OnceLock<SegmentIndex>,
}

impl SearchSegment {
    /// Returns a segment: its tape with the name of its file, the folder of its index, and the rows of removed games in
    /// ranges from the first to the last, in rising order.
    pub fn new(
        (tape, tape_file): (Tape, PathBuf),
        index_folder: PathBuf,
        removed: Vec<[u32; 2]>,
    ) -> SearchSegment {
        SearchSegment { tape, tape_file, index_folder, removed, index: OnceLock::new() }
    }

    /// Returns a segment of a corpus.
    pub(super) fn of(segment: &Segment) -> SearchSegment {
        let removed = segment.entry().removed.clone();
        let tape = (segment.tape().clone(), segment.folder().join(TAPE_FILE));
        SearchSegment::new(tape, segment.index_folder(), removed)
    }

    /// Returns the games, as they passed over the board.
    pub fn tape(&self) -> &Tape {
        &self.tape
    }

    /// Returns the index; it is opened when it is asked for first.
    ///
    /// # Errors
    ///
    /// Returns that it is missing, damaged, or of another version.
    pub fn index(&self) -> Result<&SegmentIndex> {
        if let Some(index) = self.index.get() {
            return Ok(index);
        }
        let index =
            SegmentIndex::open(&self.index_folder, &self.tape).map_err(|error| self.index_error(error))?;
        Ok(self.index.get_or_init(|| index))
    }

    /// Asks the index something.
    ///
    /// # Errors
    ///
    /// Returns that it is missing, damaged, or of another version.
    pub(super) fn ask<T>(
        &self,
        ask: impl FnOnce(&SegmentIndex) -> std::result::Result<T, IndexError>,
    ) -> Result<T> {
        ask(self.index()?).map_err(|error| self.index_error(error))
    }

    /// Returns whether a game was removed.
    pub fn is_removed(&self, game: u32) -> bool {
        have_row(&self.removed, game)
    }

    pub(super) fn position(&self, game: u32, ply: u32) -> Result<Setup> {
        let play = || {
            let mut player = self.tape.play(game)?;
            while player.moment().ply < ply && player.advance()? {}
            Ok(player.moment().setup())
        };
        play().map_err(|error| self.tape_error(error))
    }

    pub(super) fn tape_error(&self, error: TapeError) -> CorpusError {
        CorpusError::damaged(&self.tape_file, error)
    }

    pub(super) fn index_error(&self, error: IndexError) -> CorpusError {
        match error {
            IndexError::Tape(error) => self.tape_error(error),
            error => CorpusError::damaged(&self.index_folder, Fault::Index(error.to_string())),
        }
    }
}
