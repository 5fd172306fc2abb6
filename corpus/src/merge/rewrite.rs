//! Writing a segment again if games of a part get another ID, a mark, or tags.

use std::collections::HashSet;

use super::CorpusMerger;
use crate::error::Result;
use crate::ingest::{RowLocation, SegmentBuffer};
use crate::manifest::SegmentEntry;
use crate::rebuild::{each_game, unplayable};
use crate::segment::{Segment, seal};

impl CorpusMerger {
    /// Writes the games of a segment that stay, under another number.
    ///
    /// # Errors
    ///
    /// Fails if the segment is damaged or cannot be written.
    pub(super) fn rewrite(
        &mut self,
        segment: &Segment,
        number: u64,
        gone: &HashSet<u32>,
    ) -> Result<SegmentEntry> {
        let CorpusMerger { setups, changed, writer, .. } = self;
        let mut buffer = SegmentBuffer::new(number);
        each_game(segment, |at, mut row, plies| {
            if segment.is_removed(at) || gone.contains(&at) {
                return Ok(());
            }
            if let Some(change) = changed.get(&RowLocation { segment: number, row: at }) {
                change.apply(&mut row);
            }
            let replay_setup = setups.of(&row).ok_or_else(|| unplayable(segment, at))?;
            buffer.add(replay_setup.prepare(row, plies));
            Ok(())
        })?;
        seal(writer.path(), buffer.into_draft())
    }
}
