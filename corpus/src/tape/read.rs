//! Reading a tape.

use ownedbytes::OwnedBytes;
use tafl_rules::facts::{Events, Facts, KingStatus};
use tafl_rules::{BySide, Cell, Move, RuleSet, Setup};

use super::{Arena, BLOCK, ENTRY, FOOTER, GameResult, MAGIC, TAPE_VERSION};
use crate::moment::Moment;

/// Why a tape cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TapeError {
    /// It does not begin and end as a tape does.
    #[error("this is no tape, or a part of one")]
    NoTape,
    /// It has another version.
    #[error("the tape has version {found}, this program reads version {TAPE_VERSION}")]
    Version {
        /// The version it has.
        found: u32,
    },
    /// The list of arenas cannot be read.
    #[error("the arenas of the tape cannot be read: {0}")]
    Arenas(String),
    /// A game ends in the middle of a ply, or names a cell, a start or an arena that does not exist.
    #[error("game {game} of the tape is damaged")]
    Game {
        /// The number of the game in the segment, from 0.
        game: u32,
    },
}

/// The games of a segment as they pass over the board.
#[derive(Debug, Clone)]
pub struct Tape {
    bytes: OwnedBytes,
    arenas: Vec<Arena>,
    /// The moment before the first ply of each arena, without facts.
    starts: Vec<Moment>,
    directory: usize,
    n_games: u32,
    n_blocks: u32,
}

/// What the directory says of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameEntry {
    offset: u64,
    /// How many plies it has.
    pub n_plies: u32,
    /// Its first block in the segment; block `b` of the game has the positions after plies `16 b` to `16 b + 15`.
    pub first_block: u32,
    /// The number of its arena.
    pub arena: u16,
    /// How it ended.
    pub result: GameResult,
}

impl GameEntry {
    /// Returns how many blocks the game has.
    pub const fn n_blocks(&self) -> u32 {
        self.n_plies / BLOCK + 1
    }
}

impl Tape {
    /// Opens a tape.
    ///
    /// # Errors
    ///
    /// Returns why the bytes are no tape that this program can read. Damage inside of a game shows when it is played.
    pub fn open(bytes: OwnedBytes) -> Result<Tape, TapeError> {
        let footer = bytes.len().checked_sub(FOOTER).filter(|at| *at >= MAGIC.len() + 4);
        let footer = footer.ok_or(TapeError::NoTape)?;
        if bytes[..MAGIC.len()] != MAGIC || bytes[bytes.len() - MAGIC.len()..] != MAGIC {
            return Err(TapeError::NoTape);
        }
        let found = u32_at(&bytes, MAGIC.len());
        if found != TAPE_VERSION {
            return Err(TapeError::Version { found });
        }
        let place = |at: usize| usize::try_from(u64_at(&bytes, at)).unwrap_or(usize::MAX);
        let (directory, arenas_at) = (place(footer), place(footer + 8));
        let (n_games, n_blocks) = (u32_at(&bytes, footer + 16), u32_at(&bytes, footer + 20));
        let size = n_games as usize * ENTRY;
        if arenas_at > footer || directory.checked_add(size) != Some(arenas_at) {
            return Err(TapeError::NoTape);
        }
        let arenas: Vec<Arena> = serde_json::from_slice(&bytes[arenas_at..footer])
            .map_err(|error| TapeError::Arenas(error.to_string()))?;
        let starts = arenas.iter().map(start_of).collect::<Result<_, _>>()?;
        Ok(Tape { bytes, arenas, starts, directory, n_games, n_blocks })
    }

    /// Opens a tape that was just made.
    ///
    /// # Errors
    ///
    /// As [`Tape::open`].
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Tape, TapeError> {
        Tape::open(OwnedBytes::new(bytes))
    }

    /// Returns how many games there are.
    pub fn n_games(&self) -> u32 {
        self.n_games
    }

    /// Returns how many blocks all games have together.
    pub fn n_blocks(&self) -> u32 {
        self.n_blocks
    }

    /// Returns what games are played by, in the order of their numbers.
    pub fn arenas(&self) -> &[Arena] {
        &self.arenas
    }

    /// Returns what the directory says of a game.
    ///
    /// # Panics
    ///
    /// Panics if there is no such game.
    #[inline]
    pub fn entry(&self, game: u32) -> GameEntry {
        assert!(game < self.n_games, "the segment has {} games", self.n_games);
        let at = self.directory + game as usize * ENTRY;
        let row = &self.bytes[at..at + ENTRY];
        GameEntry {
            offset: u64_at(row, 0),
            n_plies: u32_at(row, 8),
            first_block: u32_at(row, 12),
            arena: u16::from_le_bytes([row[16], row[17]]),
            result: GameResult::ALL.get(usize::from(row[18])).copied().unwrap_or_default(),
        }
    }

    /// Returns the game that a block belongs to.
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

    /// Puts a player at the start of a game.
    ///
    /// # Errors
    ///
    /// Returns that the game is damaged.
    pub fn play(&self, game: u32) -> Result<Player<'_>, TapeError> {
        let start = self.starts.get(usize::from(self.entry(game).arena)).ok_or(TapeError::Game { game })?;
        let mut player = Player { moment: start.clone(), rest: &[], left: 0, game };
        self.replay(&mut player, game)?;
        Ok(player)
    }

    /// Puts a player that was used before at the start of a game, without allocating where boards are alike.
    ///
    /// # Errors
    ///
    /// Returns that the game is damaged.
    pub fn replay<'t>(&'t self, player: &mut Player<'t>, game: u32) -> Result<(), TapeError> {
        let entry = self.entry(game);
        let start = self.starts.get(usize::from(entry.arena)).ok_or(TapeError::Game { game })?;
        let from = usize::try_from(entry.offset).unwrap_or(usize::MAX);
        player.rest = self.bytes.get(from..self.directory).ok_or(TapeError::Game { game })?;
        player.moment.clone_from(start);
        (player.left, player.game) = (entry.n_plies, game);
        player.moment.facts = player.facts().map(|(facts, _)| facts).ok_or(TapeError::Game { game })?;
        Ok(())
    }
}

/// A game on its way over the board.
#[derive(Debug, Clone)]
pub struct Player<'t> {
    moment: Moment,
    rest: &'t [u8],
    left: u32,
    game: u32,
}

impl Player<'_> {
    /// Returns the position where the game stands.
    #[inline]
    pub fn moment(&self) -> &Moment {
        &self.moment
    }

    /// Returns how many plies follow.
    #[inline]
    pub fn n_plies_left(&self) -> u32 {
        self.left
    }

    /// Plays the next ply; returns `false` at the end of the game, where nothing changes.
    ///
    /// # Errors
    ///
    /// Returns that the game is damaged.
    #[inline]
    pub fn advance(&mut self) -> Result<bool, TapeError> {
        if self.left == 0 {
            return Ok(false);
        }
        self.left -= 1;
        self.step().map(|()| true).ok_or(TapeError::Game { game: self.game })
    }

    #[inline]
    fn step(&mut self) -> Option<()> {
        let mv = Move::new(self.cell()?, self.cell()?);
        let (facts, head) = self.facts()?;
        self.moment.captured.clear();
        for _ in 0..head.n_captured {
            let cell = self.cell()?;
            self.moment.captured.push(cell);
        }
        self.moment.advance(mv);
        self.moment.facts = facts;
        if !head.goes_on {
            self.moment.to_move = self.moment.to_move.other();
        }
        Some(())
    }

    #[inline]
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    #[inline]
    fn cell(&mut self) -> Option<Cell> {
        let n_cells = self.moment.board().len();
        let low = usize::from(self.byte()?);
        let index = if n_cells > 256 { low | usize::from(self.byte()?) << 8 } else { low };
        (index < n_cells).then(|| Cell::new(index))
    }

    #[inline]
    fn facts(&mut self) -> Option<(Facts, Head)> {
        let head = self.byte()?;
        let n_captured = if head & 7 == 7 { self.byte()? } else { head & 7 };
        let mut facts = Facts::default();
        if head >> 4 & 1 == 1 {
            let (bits, rest) = self.rest.split_first_chunk::<4>()?;
            facts.events = Events::from_bits(u32::from_le_bytes(*bits));
            self.rest = rest;
        }
        let defenders = if head >> 6 & 1 == 1 { Some(KingStatus::from_code(self.byte()?)) } else { None };
        let attackers = if head >> 5 & 1 == 1 { Some(KingStatus::from_code(self.byte()?)) } else { None };
        facts.kings = BySide { attackers, defenders };
        Some((facts, Head { n_captured, goes_on: head >> 3 & 1 == 1 }))
    }
}

/// What the first byte of facts says about what follows.
#[derive(Debug, Clone, Copy)]
struct Head {
    n_captured: u8,
    goes_on: bool,
}

fn start_of(arena: &Arena) -> Result<Moment, TapeError> {
    let rules: RuleSet = arena.rules.parse().map_err(|_| TapeError::Arenas(arena.rules.clone()))?;
    let setup =
        Setup::parse(rules.shape(), &arena.start).map_err(|_| TapeError::Arenas(arena.start.clone()))?;
    Ok(Moment::start(&setup, arena.first, Facts::default()))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}
