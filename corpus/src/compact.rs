//! Writing segments again: small neighbors as one, without removed games, with tape and index made anew.

use std::path::Path;

use crate::error::Result;
use crate::folder::Corpus;
use crate::ingest::buffer::{Buffer, FULL};
use crate::manifest::SegmentEntry;
use crate::rebuild::{each_game, unplayable};
use crate::segment::seal;
use crate::starts::Starts;
use crate::writer::Writer;

/// Which segments are written again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Compaction {
    /// Those that are small, that have removed games, or games with copies that stand apart.
    #[default]
    Needed,
    /// All, so that every tape and index is made anew from the tables.
    All,
}

/// What compaction did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CompactSummary {
    /// How many segments there were.
    pub before: usize,
    /// How many there are.
    pub after: usize,
    /// How many were written.
    pub written: usize,
    /// How many removed games are gone from the disk.
    pub dropped: u64,
}

/// Writes segments again. Games keep their order.
///
/// # Errors
///
/// Returns who writes already, which file is damaged or cannot be written; the corpus is as it was then.
pub fn compact(path: &Path, note: &str, which: Compaction) -> Result<CompactSummary> {
    let mut writer = Writer::open(path, note)?;
    let corpus = Corpus::open(path)?;
    let mut late = corpus.late_copies()?;
    let mut summary = CompactSummary { before: corpus.segments().len(), ..CompactSummary::default() };
    let mut starts = Starts::default();
    let mut shift = 0;
    for group in groups(&writer.manifest().segments.clone()) {
        let segments = &corpus.segments()[group.clone()];
        let is_needed = which == Compaction::All
            || segments.len() > 1
            || segments.iter().any(|segment| segment.entry().n_removed() > 0)
            || has_any(segments, &late)?;
        if !is_needed {
            continue;
        }
        let mut buffer = Buffer::new(writer.number());
        for segment in segments {
            each_game(segment, |at, mut row, plies| {
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
    summary.after = writer.manifest().segments.len();
    writer.commit()?;
    Ok(summary)
}

/// Returns whether a copy that stands apart belongs to one of these segments.
fn has_any<T>(
    segments: &[crate::segment::Segment],
    late: &std::collections::HashMap<crate::id::GameId, T>,
) -> Result<bool> {
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

/// Returns neighbors that fit into one segment together.
fn groups(segments: &[SegmentEntry]) -> Vec<std::ops::Range<usize>> {
    let size = |segment: &SegmentEntry| segment.plies as usize + segment.games as usize;
    let mut groups: Vec<std::ops::Range<usize>> = Vec::new();
    let mut sum = 0;
    for (at, segment) in segments.iter().enumerate() {
        match groups.last_mut() {
            Some(group) if sum + size(segment) <= FULL => {
                group.end = at + 1;
                sum += size(segment);
            }
            Some(_) | None => {
                groups.push(at..at + 1);
                sum = size(segment);
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
        let entry = |plies: u64| SegmentEntry {
            number: 1,
            name: String::new(),
            games: 0,
            plies,
            removed: Vec::new(),
            files: Vec::new(),
        };
        let half = FULL as u64 / 2;
        let sizes = [half, half, 10, FULL as u64 + 5, 10, 20];
        assert_eq!(groups(&sizes.map(entry)), [0..2, 2..3, 3..4, 4..6]);
        assert!(groups(&[]).is_empty());
    }
}
