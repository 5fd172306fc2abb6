//! Positions that occur in many games of a segment, with the moves and results of those games. They are counted when the
//! segment is written, see [`table`]; the explorer counts other positions in the same way.

mod counts;
mod position;
mod scan;
pub(crate) mod table;

use std::path::Path;

use crate::error::{CorpusError, Result};
use crate::segment_files::OPENINGS_FILE;

pub use counts::{GameCounts, N_TOP_GAMES, TopGame};
pub(crate) use position::{ExpectedTurn, turn};
pub use position::{Orientation, QueryPosition};
pub(crate) use scan::{PositionScan, scan};
pub(crate) use table::{Occurrences, OpeningTable};

/// Writes the table of frequent positions of a segment that is being written.
///
/// # Errors
///
/// Fails if the file cannot be written.
pub(crate) fn write_table(
    folder: &Path,
    move_log: &crate::move_log::MoveLog,
    keys: &[u64],
    rows: &[crate::row::GameRow],
) -> Result<()> {
    crate::file::write_synced(&folder.join(OPENINGS_FILE), &table::build(move_log, keys, rows))
}

/// Returns whether the table of a segment equals one built from its games.
///
/// # Errors
///
/// Fails if the file is missing or cannot be read.
pub(crate) fn is_as_built(
    folder: &Path,
    move_log: &crate::move_log::MoveLog,
    keys: &[u64],
    rows: &[crate::row::GameRow],
) -> Result<bool> {
    let path = folder.join(OPENINGS_FILE);
    let on_disk = std::fs::read(&path).map_err(CorpusError::io(&path))?;
    Ok(on_disk == table::build(move_log, keys, rows))
}
