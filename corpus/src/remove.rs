//! Taking games out of a corpus.

use std::path::Path;

use crate::error::CorpusError;
use crate::folder::{Corpus, GameAt};
use crate::writer::Writer;

/// Removes the games that `select` chooses, and returns how many these were.
///
/// Their rows stay on the disk until `compact` writes their segments again; nothing shows them any more.
///
/// # Errors
///
/// Returns who writes already, what `select` returns, or that the manifest cannot be written; the corpus is as it was
/// then.
pub fn remove<E: From<CorpusError>>(
    path: &Path,
    note: &str,
    select: impl FnOnce(&Corpus) -> Result<Vec<GameAt>, E>,
) -> Result<u64, E> {
    let mut writer = Writer::open(path, note)?;
    let corpus = Corpus::open(path)?;
    let mut games = select(&corpus)?;
    games.retain(|at| !corpus.segments()[at.segment].is_removed(at.row));
    games.sort_unstable();
    games.dedup();
    for (nth, segment) in corpus.segments().iter().enumerate() {
        let rows = games.iter().filter(|at| at.segment == nth).map(|at| at.row);
        writer.remove(segment.number(), rows);
    }
    writer.commit()?;
    Ok(games.len() as u64)
}
