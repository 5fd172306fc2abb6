//! An open move log: its directory, and the games in it.

use std::sync::Arc;

use ownedbytes::OwnedBytes;
use tafl_rules::{Facts, RuleSet, Setup};

use super::bytes::LogBytes;
use super::cursor::{CursorStart, ReplayCursor};
use super::error::MoveLogError;
use super::ply_decoder::FactsFormat;
use super::{
    BLOCK_SIZE, ENTRY, FIRST_VERSION, FOOTER, GameResult, GameSetup, MAGIC, MOVE_LOG_VERSION, MoveLogLists,
};
use crate::binary::{u32_at, u64_at};
use crate::ply_state::PlyState;

/// The move log of a segment.
///
/// # Examples
///
/// ```no_run
/// use tafl_corpus::MoveLog;
///
/// let log = MoveLog::from_bytes(std::fs::read("tape.bin")?)?;
/// let mut cursor = log.cursor(0)?;
/// while cursor.advance()? {
///     println!("{:?}", cursor.state().last);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct MoveLog {
    bytes: LogBytes,
    /// The rows of the directory.
    rows: OwnedBytes,
    game_setups: Vec<GameSetup>,
    /// The position before the first ply of each game setup, without facts.
    starts: Vec<PlyState>,
    facts: Arc<FactsFormat>,
    directory: usize,
    n_games: u32,
    n_blocks: u32,
}

/// The directory entry of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveLogEntry {
    offset: u64,
    /// The number of plies.
    pub n_plies: u32,
    /// Its first block in the segment. Block `b` of the game has the positions after plies `16 b` to `16 b + 15`.
    pub first_block: u32,
    /// The number of its game setup.
    pub game_setup: u16,
    /// The result.
    pub result: GameResult,
}

impl MoveLogEntry {
    /// Returns the number of blocks of the game.
    pub const fn n_blocks(&self) -> u32 {
        self.n_plies / BLOCK_SIZE + 1
    }
}

impl MoveLog {
    /// Opens a move log.
    ///
    /// # Errors
    ///
    /// Fails if the bytes are not a move log, or one of another version. Damage inside a game is found when it is
    /// replayed.
    pub fn open(bytes: OwnedBytes) -> Result<MoveLog, MoveLogError> {
        MoveLog::of(LogBytes::Memory(bytes))
    }

    /// Opens a move log in a file, of which only the parts that are needed are read.
    ///
    /// # Errors
    ///
    /// As [`MoveLog::open`].
    #[cfg(feature = "store")]
    pub(crate) fn open_file(file: Arc<crate::checked_file::CheckedFile>) -> Result<MoveLog, MoveLogError> {
        MoveLog::of(LogBytes::File(file))
    }

    fn of(bytes: LogBytes) -> Result<MoveLog, MoveLogError> {
        let len = bytes.len();
        let footer = len.checked_sub(FOOTER).filter(|at| *at >= MAGIC.len() + 4);
        let footer = footer.ok_or(MoveLogError::NotAMoveLog)?;
        let (head, last) = (bytes.read(0..MAGIC.len() + 4)?, bytes.read(footer..len)?);
        if !head.starts_with(&MAGIC) || !last.ends_with(&MAGIC) {
            return Err(MoveLogError::NotAMoveLog);
        }
        let found = u32_at(&head, MAGIC.len());
        if !(FIRST_VERSION..=MOVE_LOG_VERSION).contains(&found) {
            return Err(MoveLogError::Version { found });
        }
        let place = |at: usize| usize::try_from(u64_at(&last, at)).unwrap_or(usize::MAX);
        let (directory, setups_at) = (place(0), place(8));
        let (n_games, n_blocks) = (u32_at(&last, 16), u32_at(&last, 20));
        let size = n_games as usize * ENTRY;
        if setups_at > footer || directory.checked_add(size) != Some(setups_at) {
            return Err(MoveLogError::NotAMoveLog);
        }
        let rows = bytes.read(directory..setups_at)?;
        let lists = bytes.read(setups_at..footer)?;
        let lists = if found == FIRST_VERSION {
            serde_json::from_slice(&lists).map(|setups| MoveLogLists { setups, events: Vec::new() })
        } else {
            serde_json::from_slice(&lists)
        };
        let MoveLogLists { setups: game_setups, events } =
            lists.map_err(|error| MoveLogError::Setups(error.to_string()))?;
        let facts = Arc::new(FactsFormat::new(found, &events));
        let starts = game_setups.iter().map(start_of).collect::<Result<_, _>>()?;
        Ok(MoveLog { bytes, rows, game_setups, starts, facts, directory, n_games, n_blocks })
    }

    /// Opens a move log in memory.
    ///
    /// # Errors
    ///
    /// As [`MoveLog::open`].
    pub fn from_bytes(bytes: Vec<u8>) -> Result<MoveLog, MoveLogError> {
        MoveLog::open(OwnedBytes::new(bytes))
    }

    /// Returns the number of games.
    pub fn n_games(&self) -> u32 {
        self.n_games
    }

    /// Returns the number of blocks of all games.
    pub fn n_blocks(&self) -> u32 {
        self.n_blocks
    }

    /// Returns the game setups, in the order of their numbers.
    pub fn game_setups(&self) -> &[GameSetup] {
        &self.game_setups
    }

    /// Returns the shapes of the boards of the game setups, in the order of their numbers.
    #[cfg(feature = "store")]
    pub(crate) fn shapes(&self) -> impl Iterator<Item = tafl_rules::Shape> {
        self.starts.iter().map(PlyState::shape)
    }

    /// Returns the directory entry of the game in a row.
    ///
    /// # Panics
    ///
    /// Panics if there is no such game.
    #[inline]
    pub fn entry(&self, row: u32) -> MoveLogEntry {
        assert!(row < self.n_games, "the segment has {} games", self.n_games);
        let at = row as usize * ENTRY;
        let bytes = &self.rows[at..at + ENTRY];
        MoveLogEntry {
            offset: u64_at(bytes, 0),
            n_plies: u32_at(bytes, 8),
            first_block: u32_at(bytes, 12),
            game_setup: u16::from_le_bytes([bytes[16], bytes[17]]),
            result: GameResult::ALL.get(usize::from(bytes[18])).copied().unwrap_or_default(),
        }
    }

    /// Returns the row of the game that a block belongs to.
    ///
    /// # Panics
    ///
    /// Panics if there is no such block.
    pub fn game_of_block(&self, block: u32) -> u32 {
        assert!(block < self.n_blocks, "the segment has {} blocks", self.n_blocks);
        let (mut low, mut high) = (0, self.n_games);
        while high - low > 1 {
            let middle = low.midpoint(high);
            if self.entry(middle).first_block <= block {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }

    /// Returns the row of the game that a block belongs to, which is `first` or a later one; near games are found faster.
    ///
    /// # Panics
    ///
    /// Panics if there is no such block or first game.
    #[cfg(feature = "store")]
    pub(crate) fn game_of_block_from(&self, block: u32, first: u32) -> u32 {
        assert!(block < self.n_blocks && first < self.n_games, "no such block or game");
        let begins = |row: u32| row < self.n_games && self.entry(row).first_block <= block;
        let (mut low, mut step) = (first, 1);
        while begins(low.saturating_add(step)) {
            low += step;
            step *= 2;
        }
        while step > 1 {
            step /= 2;
            if begins(low.saturating_add(step)) {
                low += step;
            }
        }
        low
    }

    /// Returns a cursor at the start of the game in a row.
    ///
    /// # Errors
    ///
    /// Fails if the game is damaged.
    pub fn cursor(&self, row: u32) -> Result<ReplayCursor<'_>, MoveLogError> {
        ReplayCursor::new(self.start(row)?)
    }

    /// Moves a cursor to the start of the game in a row. It does not allocate if the boards have the same size.
    ///
    /// # Errors
    ///
    /// Fails if the game is damaged.
    pub fn rewind<'t>(&'t self, cursor: &mut ReplayCursor<'t>, row: u32) -> Result<(), MoveLogError> {
        cursor.restart(self.start(row)?)
    }

    /// Moves a cursor to the start of the game in a row, or creates it for the first game.
    ///
    /// # Errors
    ///
    /// Fails if the game is damaged.
    pub fn cursor_in<'c, 't>(
        &'t self,
        cursor: &'c mut Option<ReplayCursor<'t>>,
        row: u32,
    ) -> Result<&'c mut ReplayCursor<'t>, MoveLogError> {
        match cursor {
            None => Ok(cursor.insert(self.cursor(row)?)),
            Some(cursor) => {
                self.rewind(cursor, row)?;
                Ok(cursor)
            }
        }
    }

    fn start(&self, row: u32) -> Result<CursorStart<'_>, MoveLogError> {
        let entry = self.entry(row);
        let damaged = || MoveLogError::Game { game: row };
        let state = self.starts.get(usize::from(entry.game_setup)).ok_or_else(damaged)?;
        let place = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX);
        let from = place(entry.offset);
        let end = if row + 1 < self.n_games { place(self.entry(row + 1).offset) } else { self.directory };
        if from > end || end > self.directory {
            return Err(damaged());
        }
        let bytes = self.bytes.game(from..end)?;
        Ok(CursorStart { state, bytes, n_plies: entry.n_plies, row, format: &self.facts })
    }
}

fn start_of(game_setup: &GameSetup) -> Result<PlyState, MoveLogError> {
    let rules: RuleSet =
        game_setup.rules.parse().map_err(|_| MoveLogError::Setups(game_setup.rules.clone()))?;
    let setup = Setup::parse(rules.shape(), &game_setup.start)
        .map_err(|_| MoveLogError::Setups(game_setup.start.clone()))?;
    Ok(PlyState::start(&setup, game_setup.first, Facts::default()))
}
