//! Removing games from a corpus.

use std::path::Path;

use crate::error::CorpusError;
use crate::folder::{CopyLine, Corpus, GameAt};
use crate::writer::CorpusWriter;

/// Removes the games that `select` returns, and returns their number.
///
/// Their rows stay on the disk until `compact` rewrites their segments, but no query or table returns them.
///
/// # Errors
///
/// Fails if another program writes into the corpus, `select` fails, or a file is damaged or cannot be written; the
/// corpus is as it was then.
pub fn remove<E: From<CorpusError>>(
    path: &Path,
    note: &str,
    select: impl FnOnce(&Corpus) -> Result<Vec<GameAt>, E>,
) -> Result<u64, E> {
    let mut writer = CorpusWriter::open(path, note)?;
    let corpus = Corpus::open(path)?;
    let mut games = select(&corpus)?;
    games.retain(|at| !corpus.segments()[at.segment].is_removed(at.row));
    games.sort_unstable();
    games.dedup();
    let mut late = corpus.late_copies()?;
    let n_late = late.len();
    for (nth, segment) in corpus.segments().iter().enumerate() {
        let rows: Vec<u32> = games.iter().filter(|at| at.segment == nth).map(|at| at.row).collect();
        if !late.is_empty() && !rows.is_empty() {
            let numbers = segment.game_ids()?;
            rows.iter().filter_map(|row| numbers.get(*row as usize)).for_each(|number| {
                late.remove(number);
            });
        }
        writer.remove(segment.number(), rows);
    }
    // The copies of a removed game are no longer known: each may be imported as a game again.
    if late.len() < n_late {
        writer.replace_copies(&CopyLine::all(&late))?;
    }
    writer.commit()?;
    Ok(games.len() as u64)
}
