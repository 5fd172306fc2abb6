//! Reading games from their rows, to rebuild the move log and the index.

use crate::error::{CorpusError, FileFault, Result};
use crate::row::{GameRow, PlyRow};
use crate::segment::Segment;
use crate::segment_files::GAMES_FILE;

/// The approximate number of plies that are read at a time: about 10 MB of rows.
const PORTION: usize = 1 << 17;

/// Calls `take` for every game of a segment with its plies, in order, removed ones included.
///
/// # Errors
///
/// Returns the file that is missing or damaged, or what `take` returns.
pub(crate) fn each_game(
    segment: &Segment,
    mut take: impl FnMut(u32, GameRow, Vec<PlyRow>) -> Result<()>,
) -> Result<()> {
    let rows = segment.games()?;
    let mut first = 0;
    while first < rows.len() {
        let mut n_plies = 0;
        let fits = |row: &&GameRow| {
            n_plies += row.plies as usize;
            n_plies <= PORTION
        };
        let count = rows[first..].iter().take_while(fits).count().max(1);
        let portion = &rows[first..first + count];
        let plies = segment.plies(portion, first as u32)?;
        for ((at, row), plies) in (first as u32..).zip(portion).zip(plies) {
            take(at, row.clone(), plies)?;
        }
        first += count;
    }
    Ok(())
}

/// Returns the error for a game whose rules cannot be compiled.
pub(crate) fn unplayable(segment: &Segment, row: u32) -> CorpusError {
    let fault = FileFault::Row { row: row as usize, column: "rules" };
    CorpusError::damaged(&segment.folder().join(GAMES_FILE), fault)
}
