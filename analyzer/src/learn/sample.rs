//! Labeled positions and their file format.

use std::io::{self, Read, Write};

use tafl_rules::{Cell, Piece, Setup, Shape, Side};

/// A position from a game with its labels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrainingSample {
    /// The arrangement.
    pub setup: Setup,
    /// The side to move.
    pub to_move: Side,
    /// The score of a search, in hundredths, relative to the attackers.
    pub score: i16,
    /// The result of the game for the attackers, in half points: 0, 1, or 2.
    pub halves: u8,
    /// The number of the game. Samples of one game are never split between training and held-out
    /// data.
    pub game: u32,
}

/// The magic bytes and the version of the file format.
const MAGIC: &[u8; 8] = b"TAFLSM01";

/// Writes samples of one board: a header with the number of cells, followed by 8 bytes and one byte
/// per cell for each sample.
///
/// # Errors
///
/// Returns the error of the writer.
pub fn write_samples(out: &mut impl Write, shape: Shape, samples: &[TrainingSample]) -> io::Result<()> {
    out.write_all(MAGIC)?;
    out.write_all(&(shape.n_cells() as u32).to_le_bytes())?;
    for sample in samples {
        out.write_all(&sample.game.to_le_bytes())?;
        out.write_all(&sample.score.to_le_bytes())?;
        out.write_all(&[sample.halves, sample.to_move.index() as u8])?;
        let cells: Vec<u8> = shape
            .cells()
            .map(|cell| sample.setup.piece(cell).map_or(0, |piece| piece.index() as u8 + 1))
            .collect();
        out.write_all(&cells)?;
    }
    Ok(())
}

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
    /// The samples are for a board of another size.
    #[error("the samples are for a board with {found} cells; expected {expected}")]
    OtherBoard {
        /// The number of cells of the expected board.
        expected: usize,
        /// The number of cells of the file's board.
        found: usize,
    },
    /// A sample is invalid.
    #[error("sample {0} has an invalid piece, side, or result")]
    Broken(usize),
    /// The file ends inside a sample.
    #[error("the sample file is truncated in sample {0}")]
    CutOff(usize),
}

/// Reads samples of a board.
///
/// # Errors
///
/// Returns the reason why the file cannot be used, see [`SampleError`].
pub fn read_samples(input: &mut impl Read, shape: Shape) -> Result<Vec<TrainingSample>, SampleError> {
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes)?;
    if bytes.len() < 12 || &bytes[..8] != MAGIC {
        return Err(SampleError::Header);
    }
    let n_cells = u32::from_le_bytes([bytes[8], bytes[9], bytes[10], bytes[11]]) as usize;
    if n_cells != shape.n_cells() {
        return Err(SampleError::OtherBoard { expected: shape.n_cells(), found: n_cells });
    }
    let pieces: Vec<Piece> = Piece::all().collect();
    let one = |(number, bytes): (usize, &[u8])| -> Result<TrainingSample, SampleError> {
        let mut setup = Setup::empty(shape);
        for (cell, content) in bytes[8..].iter().enumerate() {
            if *content > 0 {
                let piece = pieces.get(usize::from(*content) - 1).ok_or(SampleError::Broken(number))?;
                setup.put(Cell::new(cell), Some(*piece));
            }
        }
        let to_move = *Side::ALL.get(usize::from(bytes[7])).ok_or(SampleError::Broken(number))?;
        if bytes[6] > 2 {
            return Err(SampleError::Broken(number));
        }
        Ok(TrainingSample {
            setup,
            to_move,
            score: i16::from_le_bytes([bytes[4], bytes[5]]),
            halves: bytes[6],
            game: u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]),
        })
    };
    let whole = bytes[12..].chunks_exact(8 + n_cells);
    if !whole.remainder().is_empty() {
        return Err(SampleError::CutOff(whole.len()));
    }
    whole.enumerate().map(one).collect()
}
