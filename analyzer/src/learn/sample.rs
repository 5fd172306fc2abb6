//! Labeled positions of games and their file format.
//!
//! ```text
//! TAFLSM02                                 the version of the format
//! length u32, checksum u32                 for each game: its length in bytes after these two numbers
//! number u32, changed u8, half_points u8   the game, whether its rules were changed, and its result
//! length u16, variant, length u16, rules   texts
//! (score i16, side u8, bits, pieces)...    for each position
//! ```
//!
//! A position has one bit for each cell, and then four bits for each piece in the order of the
//! cells: at most 38 bytes at the start on a board of 11x11 cells. Numbers are little-endian. A file that was cut
//! off inside a game can be continued after the last whole game.

use std::io::{self, Write};

use tafl_rules::{Cell, Piece, RuleSet, Setup, Shape, Side};

use crate::hash::fnv1a;

/// A position from a game with the score of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrainingSample {
    /// The arrangement.
    pub setup: Setup,
    /// The side to move.
    pub to_move: Side,
    /// The score of a search, in hundredths of a man, relative to the attackers.
    pub score: i16,
}

/// A game with its labeled positions. Positions of one game are never split between training and
/// held-out data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrainingGame {
    /// The number of the game, the seed of its random numbers.
    pub number: u32,
    /// The name of the variant from which the rules come, or an empty text.
    pub variant: String,
    /// Whether the rules differ from those of the variant.
    pub has_changed_rules: bool,
    /// The rules.
    pub rules: RuleSet,
    /// The result for the attackers, in half points: 0, 1, or 2.
    pub half_points: u8,
    /// The labeled positions, in the order of play.
    pub samples: Vec<TrainingSample>,
}

/// The magic bytes with the version of the format.
const MAGIC: &[u8; 8] = b"TAFLSM02";

/// The number of bytes of a game before its content: length and checksum.
const PREFIX: usize = 8;

/// The reason why samples cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SampleError {
    /// The input cannot be read.
    #[error("cannot read the samples: {0}")]
    Io(#[from] io::Error),
    /// The input is not a sample file, or has another version.
    #[error("not a sample file, or one of another version")]
    Header,
    /// A game is invalid; games are counted from 0.
    #[error("game {0} of the sample file is damaged")]
    Damaged(usize),
    /// The file ends inside a game; games are counted from 0.
    #[error("the sample file is truncated in game {0}")]
    Truncated(usize),
}

/// Writes the header of a sample file.
///
/// # Errors
///
/// Returns the error of the writer.
pub fn write_sample_header(out: &mut impl Write) -> io::Result<()> {
    out.write_all(MAGIC)
}

impl TrainingGame {
    /// Writes a game to a sample file after the header and earlier games.
    ///
    /// # Errors
    ///
    /// Returns the error of the writer.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let mut bytes = Vec::new();
        bytes.extend(self.number.to_le_bytes());
        bytes.extend([u8::from(self.has_changed_rules), self.half_points]);
        for text in [&self.variant, &self.rules.to_string()] {
            let length = u16::try_from(text.len()).map_err(io::Error::other)?;
            bytes.extend(length.to_le_bytes());
            bytes.extend(text.as_bytes());
        }
        let shape = self.rules.shape();
        self.samples.iter().for_each(|sample| sample.pack(shape, &mut bytes));
        out.write_all(&(bytes.len() as u32).to_le_bytes())?;
        out.write_all(&(fnv1a(&bytes) as u32).to_le_bytes())?;
        out.write_all(&bytes)
    }
}

impl TrainingSample {
    /// Appends the packed sample to `bytes`.
    fn pack(&self, shape: Shape, bytes: &mut Vec<u8>) {
        bytes.extend(self.score.to_le_bytes());
        bytes.push(self.to_move.index() as u8);
        let first = bytes.len();
        bytes.resize(first + shape.n_cells().div_ceil(8), 0);
        let mut is_second = false;
        for (cell, piece) in self.setup.pieces() {
            bytes[first + cell.index() / 8] |= 1 << (cell.index() % 8);
            let code = piece.index() as u8;
            match bytes.last_mut() {
                Some(last) if is_second => *last |= code << 4,
                _ => bytes.push(code),
            }
            is_second = !is_second;
        }
    }
}

/// Reads the whole games of a sample file. The second value is the number of bytes up to the end of
/// the last whole game; the rest of the file, if any, is a game that was cut off.
///
/// # Errors
///
/// Returns the reason why the file cannot be used, see [`SampleError`].
pub fn read_whole_games(bytes: &[u8]) -> Result<(Vec<TrainingGame>, usize), SampleError> {
    let mut rest = bytes.strip_prefix(MAGIC).ok_or(SampleError::Header)?;
    let mut games = Vec::new();
    while rest.len() >= PREFIX {
        let number = |at: usize| u32::from_le_bytes([rest[at], rest[at + 1], rest[at + 2], rest[at + 3]]);
        let (length, checksum) = (number(0) as usize, number(4));
        let Some(content) = rest[PREFIX..].get(..length) else { break };
        if fnv1a(content) as u32 != checksum {
            return Err(SampleError::Damaged(games.len()));
        }
        games.push(unpack_game(content).ok_or(SampleError::Damaged(games.len()))?);
        rest = &rest[PREFIX + length..];
    }
    Ok((games, bytes.len() - rest.len()))
}

/// Reads a sample file.
///
/// # Errors
///
/// Returns the reason why the file cannot be used, see [`SampleError`].
pub fn read_samples(bytes: &[u8]) -> Result<Vec<TrainingGame>, SampleError> {
    let (games, length) = read_whole_games(bytes)?;
    if length == bytes.len() { Ok(games) } else { Err(SampleError::Truncated(games.len())) }
}

fn take<'b>(rest: &mut &'b [u8], length: usize) -> Option<&'b [u8]> {
    let (first, after) = rest.split_at_checked(length)?;
    *rest = after;
    Some(first)
}

fn unpack_game(mut rest: &[u8]) -> Option<TrainingGame> {
    let number = u32::from_le_bytes(take(&mut rest, 4)?.try_into().ok()?);
    let [changed, half_points] = take(&mut rest, 2)?.try_into().ok()?;
    let mut text = || -> Option<&str> {
        let length = u16::from_le_bytes(take(&mut rest, 2)?.try_into().ok()?);
        std::str::from_utf8(take(&mut rest, usize::from(length))?).ok()
    };
    let (variant, rules) = (text()?.to_owned(), text()?);
    let rules: RuleSet = rules.parse().ok()?;
    let pieces: Vec<Piece> = Piece::all().collect();
    let mut samples = Vec::new();
    while !rest.is_empty() {
        samples.push(unpack_sample(&mut rest, rules.shape(), &pieces)?);
    }
    (half_points <= 2 && changed <= 1).then_some(TrainingGame {
        number,
        variant,
        has_changed_rules: changed == 1,
        rules,
        half_points,
        samples,
    })
}

fn unpack_sample(rest: &mut &[u8], shape: Shape, pieces: &[Piece]) -> Option<TrainingSample> {
    let [low, high, side] = take(rest, 3)?.try_into().ok()?;
    let to_move = *Side::ALL.get(usize::from(side))?;
    let bits = take(rest, shape.n_cells().div_ceil(8))?;
    let cells: Vec<Cell> =
        shape.cells().filter(|cell| bits[cell.index() / 8] >> (cell.index() % 8) & 1 == 1).collect();
    let codes = take(rest, cells.len().div_ceil(2))?;
    let mut setup = Setup::empty(shape);
    for (at, cell) in cells.into_iter().enumerate() {
        let code = codes[at / 2] >> (4 * (at % 2)) & 15;
        setup.put(cell, Some(*pieces.get(usize::from(code))?));
    }
    Some(TrainingSample { setup, to_move, score: i16::from_le_bytes([low, high]) })
}
