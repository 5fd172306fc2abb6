//! Positions with labels, and the file that keeps them.

use std::io::{self, Read, Write};

use tafl_rules::{Cell, Piece, Setup, Shape, Side};

/// A position from a game with what is known about its worth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// Where the pieces stand.
    pub setup: Setup,
    /// Who moves.
    pub to_move: Side,
    /// What a search thinks of it, in hundredths, relative to the attackers.
    pub score: i16,
    /// What became of the game for the attackers, in halves of a point: 0, 1 or 2.
    pub halves: u8,
    /// The number of the game; samples of one game are never divided between training and the held-out part.
    pub game: u32,
}

const MAGIC: &[u8; 8] = b"TAFLSM01";

/// Writes samples of one board: a header with the number of cells, then 8 bytes and a byte a cell for each.
///
/// # Errors
///
/// Returns what the writer says.
pub fn write(out: &mut impl Write, shape: Shape, samples: &[Sample]) -> io::Result<()> {
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

/// Why samples cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SampleError {
    /// The bytes cannot be had.
    #[error("the samples cannot be read: {0}")]
    Io(#[from] io::Error),
    /// It is no file of samples, or one of another version.
    #[error("this is no file of samples that this version reads")]
    Header,
    /// The samples are of another board.
    #[error("the samples are of a board of {found} cells, not of {expected}")]
    OtherBoard {
        /// The cells of the board that was asked for.
        expected: usize,
        /// The cells of the board of the file.
        found: usize,
    },
    /// A sample holds what cannot be.
    #[error("sample {0} holds a piece, a side or a result that does not exist")]
    Broken(usize),
    /// The file ends in the middle of a sample.
    #[error("the file of samples is cut off in the middle of sample {0}")]
    CutOff(usize),
}

/// Reads the samples of a board.
///
/// # Errors
///
/// Returns why the file cannot be used, see [`SampleError`].
pub fn read(input: &mut impl Read, shape: Shape) -> Result<Vec<Sample>, SampleError> {
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
    let one = |(number, bytes): (usize, &[u8])| -> Result<Sample, SampleError> {
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
        Ok(Sample {
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
