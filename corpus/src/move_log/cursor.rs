//! Replay of a game from a move log.

use tafl_rules::{BySide, Move};

use super::bytes::GameBytes;
use super::error::MoveLogError;
use super::ply_decoder::{FactsFormat, PlyDecoder};
use crate::ply_state::PlyState;

/// A position in a game that is replayed from a move log.
#[derive(Debug, Clone)]
pub struct ReplayCursor<'t> {
    state: PlyState,
    /// The bytes of the game, and the place of the next one in them.
    bytes: GameBytes<'t>,
    at: usize,
    /// The number of plies that follow.
    left: u32,
    /// The row of the game in the segment.
    row: u32,
    format: &'t FactsFormat,
}

/// The start of a game: the position before its first ply, without facts, and its bytes.
pub(super) struct CursorStart<'t> {
    pub(super) state: &'t PlyState,
    pub(super) bytes: GameBytes<'t>,
    pub(super) n_plies: u32,
    pub(super) row: u32,
    pub(super) format: &'t FactsFormat,
}

impl<'t> ReplayCursor<'t> {
    /// Returns a cursor at the start of a game.
    pub(super) fn new(start: CursorStart<'t>) -> Result<ReplayCursor<'t>, MoveLogError> {
        let CursorStart { state, bytes, n_plies, row, format } = start;
        let mut cursor = ReplayCursor { state: state.clone(), bytes, at: 0, left: n_plies, row, format };
        cursor.read_first_facts()?;
        Ok(cursor)
    }

    /// Moves the cursor to the start of a game. It does not allocate if the boards have the same size.
    pub(super) fn restart(&mut self, start: CursorStart<'t>) -> Result<(), MoveLogError> {
        self.state.clone_from(start.state);
        self.bytes = start.bytes;
        (self.at, self.left, self.row) = (0, start.n_plies, start.row);
        self.format = start.format;
        self.read_first_facts()
    }

    /// Reads the facts of the start, which precede the first ply.
    fn read_first_facts(&mut self) -> Result<(), MoveLogError> {
        let mut reader = self.reader();
        let facts = reader.facts(BySide::default());
        let (facts, _) = facts.ok_or(MoveLogError::Game { game: self.row })?;
        self.at = self.bytes.len() - reader.rest.len();
        self.state.facts = facts;
        Ok(())
    }
}

impl ReplayCursor<'_> {
    /// Returns the state after the last played ply.
    #[inline]
    pub fn state(&self) -> &PlyState {
        &self.state
    }

    /// Returns the number of plies that follow.
    #[inline]
    pub fn n_plies_left(&self) -> u32 {
        self.left
    }

    /// Plays the next ply; returns `false` at the end of the game.
    ///
    /// # Errors
    ///
    /// Fails if the game is damaged.
    #[inline]
    pub fn advance(&mut self) -> Result<bool, MoveLogError> {
        if self.left == 0 {
            return Ok(false);
        }
        self.left -= 1;
        self.step().map(|()| true).ok_or(MoveLogError::Game { game: self.row })
    }

    /// Returns the row of the game in the segment.
    pub(super) fn row(&self) -> u32 {
        self.row
    }

    /// Returns the bytes of the plies that follow.
    #[inline]
    pub(super) fn rest(&self) -> &[u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// Returns how facts are written.
    pub(super) fn format(&self) -> &FactsFormat {
        self.format
    }

    fn reader(&self) -> PlyDecoder<'_> {
        PlyDecoder { rest: self.rest(), n_cells: self.state.board().len(), format: self.format }
    }

    #[inline]
    fn step(&mut self) -> Option<()> {
        let mut captured = std::mem::take(&mut self.state.captured);
        captured.clear();
        let mut reader = self.reader();
        let mv = Move::new(reader.cell()?, reader.cell()?);
        let (facts, head) = reader.facts(self.state.facts.kings)?;
        for _ in 0..head.n_captured {
            captured.push(reader.cell()?);
        }
        self.at = self.bytes.len() - reader.rest.len();
        self.state.captured = captured;
        self.state.advance(mv);
        self.state.facts = facts;
        if !head.goes_on {
            self.state.to_move = self.state.to_move.other();
        }
        Some(())
    }
}
