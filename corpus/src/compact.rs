//! Compaction: joins small neighboring segments, drops removed games, and rebuilds move logs and indexes.

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cancel::CancelCheck;
use crate::error::Result;
use crate::folder::Corpus;
use crate::ingest::buffer::{FULL, SegmentBuffer};
use crate::manifest::INDEX_VERSION;
use crate::move_log::MAX_SETUPS;
use crate::rebuild::{each_game, unplayable};
use crate::replay_setups::ReplaySetups;
use crate::segment::{Segment, seal};
use crate::writer::CorpusWriter;

/// The segments that a compaction rewrites.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Compaction {
    /// Small segments, and those with removed games, with games whose copies are not in the row, or with an index of
    /// another version.
    #[default]
    Needed,
    /// All segments, so that every move log and index is rebuilt from the tables.
    All,
}

/// The changes of a compaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct CompactSummary {
    /// The number of segments before.
    pub before: usize,
    /// The number of segments after.
    pub after: usize,
    /// The number of segments that were written.
    pub written: usize,
    /// The number of removed games that are gone from the disk.
    pub dropped: u64,
}

/// Rewrites segments. The order of the games does not change.
///
/// # Errors
///
/// Fails if another program writes into the corpus, a file is damaged or can't be written, or the work was canceled.
/// Then the corpus is unchanged.
pub fn compact(
    path: &Path,
    note: &str,
    which: Compaction,
    cancel: CancelCheck<'_>,
) -> Result<CompactSummary> {
    let mut writer = CorpusWriter::open(path, note)?;
    let corpus = Corpus::open(path)?;
    let mut late = corpus.late_copies()?;
    let mut summary = CompactSummary { before: corpus.segments().len(), ..CompactSummary::default() };
    let mut starts = ReplaySetups::default();
    let mut shift = 0;
    for group in groups(corpus.segments().iter().map(SegmentSize::of)) {
        cancel.check()?;
        let segments = &corpus.segments()[group.clone()];
        let is_needed = which == Compaction::All
            || corpus.manifest().index_version != INDEX_VERSION
            || segments.len() > 1
            || segments.iter().any(|segment| segment.entry().n_removed() > 0)
            || has_any(segments, &late)?;
        if !is_needed {
            continue;
        }
        let mut buffer = SegmentBuffer::new(writer.number());
        for segment in segments {
            each_game(segment, |at, mut row, plies| {
                cancel.check()?;
                if segment.is_removed(at) {
                    summary.dropped += 1;
                    return Ok(());
                }
                row.copies.extend(late.remove(&row.game).into_iter().flatten());
                let start = starts.of(&row).ok_or_else(|| unplayable(segment, at))?;
                buffer.add(start.game(row, plies));
                Ok(())
            })?;
        }
        let new = if buffer.is_empty() { None } else { Some(seal(path, buffer.into_draft())?) };
        summary.written += usize::from(new.is_some());
        let count = usize::from(new.is_some());
        writer.replace(group.start - shift, group.len(), new);
        shift += group.len() - count;
    }
    writer.drop_copies();
    writer.set_index_version();
    summary.after = writer.manifest().segments.len();
    writer.commit()?;
    Ok(summary)
}

/// Returns whether a copy that is not in a row belongs to a game of these segments.
fn has_any<T>(segments: &[Segment], late: &std::collections::HashMap<crate::id::GameId, T>) -> Result<bool> {
    if late.is_empty() {
        return Ok(false);
    }
    for segment in segments {
        if segment.game_ids()?.iter().any(|game| late.contains_key(game)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The size of a segment, in the units that limit a segment.
#[derive(Clone, Copy, Default)]
struct SegmentSize {
    positions: usize,
    game_setups: usize,
}

impl SegmentSize {
    fn of(segment: &Segment) -> SegmentSize {
        let entry = segment.entry();
        let positions = (entry.plies as usize).saturating_add(entry.games as usize);
        SegmentSize { positions, game_setups: segment.move_log().game_setups().len() }
    }

    /// Returns the size of both together if they fit into one segment.
    fn with(self, other: SegmentSize) -> Option<SegmentSize> {
        let positions = self.positions.saturating_add(other.positions);
        // Setups that both have are counted twice, which is a safe upper bound.
        let game_setups = self.game_setups + other.game_setups;
        (positions <= FULL && game_setups <= MAX_SETUPS).then_some(SegmentSize { positions, game_setups })
    }
}

/// Returns ranges of neighboring segments that fit into one.
fn groups(sizes: impl Iterator<Item = SegmentSize>) -> Vec<std::ops::Range<usize>> {
    let mut groups: Vec<std::ops::Range<usize>> = Vec::new();
    let mut sum = SegmentSize::default();
    for (at, size) in sizes.enumerate() {
        match (groups.last_mut(), sum.with(size)) {
            (Some(group), Some(both)) => {
                group.end = at + 1;
                sum = both;
            }
            (Some(_), None) | (None, _) => {
                groups.push(at..at + 1);
                sum = size;
            }
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbors_come_together_until_a_segment_is_full() {
        let groups_of = |sizes: &[(usize, usize)]| {
            groups(sizes.iter().map(|(positions, game_setups)| SegmentSize {
                positions: *positions,
                game_setups: *game_setups,
            }))
        };
        let half = FULL / 2;
        let sizes = [(half, 1), (half, 1), (10, 1), (FULL + 5, 1), (10, 1), (20, 1)];
        assert_eq!(groups_of(&sizes), [0..2, 2..3, 3..4, 4..6]);
        assert!(groups_of(&[]).is_empty());
        let game_setups = [(10, MAX_SETUPS - 1), (10, 1), (10, 1), (10, 2)];
        assert_eq!(groups_of(&game_setups), [0..2, 2..4]);
    }
}
