//! Compaction: joins small neighboring segments, drops removed games, and rebuilds move logs and indexes.

mod groups;

use std::collections::HashMap;
use std::iter;
use std::ops::Range;
use std::path::Path;
use std::thread::ScopedJoinHandle;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cancel::CancelCheck;
use crate::error::{CorpusError, Result};
use crate::folder::Corpus;
use crate::id::GameId;
use crate::index::SegmentIndex;
use crate::ingest::SegmentBuffer;
use crate::manifest::{INDEX_VERSION, SegmentEntry};
use crate::rebuild::{each_game, unplayable};
use crate::replay_setups::ReplaySetups;
use crate::row::CopyNote;
use crate::segment::{Segment, seal_in_parallel};
use crate::segment_files::is_derived;
use crate::writer::CorpusWriter;
use groups::{SegmentSize, groups, runs_to_join};

/// The segments that a compaction rewrites.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Compaction {
    /// Small segments, and those with removed games, with games whose copies are not in the row, with an index of another
    /// version, or with damaged files that can be rebuilt from the tables.
    #[default]
    Needed,
    /// All segments, so that every move log and index is rebuilt from the tables.
    All,
    /// Small segments, once there are many: imports end with this. At most seven segments remain for each power of eight, up to
    /// the size of a full segment, and if the sizes of imports differ, at most three smaller ones before each of these and before
    /// each full segment. A game is rewritten once for each power, and at most once more if larger segments follow.
    FullTier,
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
    /// The number of segments with damaged files, which were rebuilt from the tables.
    pub repaired: usize,
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
    let n_segments = corpus.segments().len();
    let mut summary = CompactSummary { before: n_segments, after: n_segments, ..CompactSummary::default() };
    let is_current = corpus.manifest().index_version == INDEX_VERSION;
    let is_tier = which == Compaction::FullTier;
    let ranges: Vec<Range<usize>> = match which {
        Compaction::Needed | Compaction::All => iter::once(0..n_segments).collect(),
        Compaction::FullTier => {
            let sizes: Vec<usize> =
                corpus.manifest().segments.iter().map(SegmentSize::positions_of).collect();
            let runs = runs_to_join(&sizes);
            if runs.is_empty() || !is_current {
                return Ok(summary);
            }
            runs
        }
    };
    let all_groups = ranges.into_iter().flat_map(|range| {
        let first = range.start;
        let groups = groups(corpus.segments()[range].iter().map(SegmentSize::of));
        groups.into_iter().map(move |group| first + group.start..first + group.end)
    });
    // Copies stay with the numbers of their games in a tier, because other segments may have some, too.
    let late = if is_tier { HashMap::new() } else { corpus.late_copies()? };
    let mut rewriter = Rewriter { late, setups: ReplaySetups::default(), dropped: 0, cancel };
    let mut needed = Vec::new();
    for group in all_groups {
        cancel.check()?;
        let segments = &corpus.segments()[group.clone()];
        let has_changes = || -> Result<bool> {
            let has_removed = segments.iter().any(|segment| segment.entry().n_removed() > 0);
            Ok(which == Compaction::All || !is_current || has_removed || has_any(segments, &rewriter.late)?)
        };
        // An import joins a tier from the tables; to save time, it does not check the other files.
        if !is_tier {
            check_tables(segments, cancel)?;
        }
        let n_damaged = if is_tier || !is_current { 0 } else { n_damaged(segments, cancel)? };
        summary.repaired += n_damaged;
        if segments.len() > 1 || n_damaged > 0 || !is_tier && has_changes()? {
            needed.push((writer.number(), group));
        }
    }
    let mut shift = 0;
    for (group, new) in rewriter.rewrite_all(path, corpus.segments(), needed)? {
        let count = usize::from(new.is_some());
        summary.written += count;
        writer.replace(group.start - shift, group.len(), new);
        shift += group.len() - count;
    }
    if !is_tier {
        writer.drop_copies();
        writer.set_index_version();
    }
    summary.dropped = rewriter.dropped;
    summary.after = writer.manifest().segments.len();
    writer.commit()?;
    Ok(summary)
}

/// Segments that were rewritten, and the one that takes their place; `None` if all of their games were removed.
type RewrittenGroup = (Range<usize>, Option<SegmentEntry>);

/// Writes segments anew.
struct Rewriter<'r> {
    /// Copies that are not in the row of their game yet.
    late: HashMap<GameId, Vec<CopyNote>>,
    setups: ReplaySetups,
    /// The number of removed games that were left out.
    dropped: u64,
    cancel: CancelCheck<'r>,
}

impl Rewriter<'_> {
    /// Writes each group of segments to one segment, which has the number that comes with the group. While a segment is
    /// written, the games of the next one are read.
    fn rewrite_all(
        &mut self,
        path: &Path,
        segments: &[Segment],
        groups: Vec<(u64, Range<usize>)>,
    ) -> Result<Vec<RewrittenGroup>> {
        std::thread::scope(|scope| {
            let mut rewritten: Vec<RewrittenGroup> = Vec::new();
            let mut sealing: Option<(Range<usize>, ScopedJoinHandle<'_, Result<SegmentEntry>>)> = None;
            for (number, group) in groups {
                let buffer = self.read(number, &segments[group.clone()])?;
                rewritten.extend(sealing.take().map(|(group, thread)| sealed(group, thread)).transpose()?);
                if buffer.is_empty() {
                    rewritten.push((group, None));
                } else {
                    let draft = buffer.into_draft();
                    sealing = Some((group, scope.spawn(move || seal_in_parallel(path, draft))));
                }
            }
            rewritten.extend(sealing.map(|(group, thread)| sealed(group, thread)).transpose()?);
            Ok(rewritten)
        })
    }

    /// Reads the games of segments that were not removed.
    fn read(&mut self, number: u64, segments: &[Segment]) -> Result<SegmentBuffer> {
        let mut buffer = SegmentBuffer::new(number);
        for segment in segments {
            each_game(segment, |at, mut row, plies| {
                self.cancel.check()?;
                if segment.is_removed(at) {
                    self.dropped += 1;
                    return Ok(());
                }
                row.copies.extend(self.late.remove(&row.game).into_iter().flatten());
                let replay_setup = self.setups.of(&row).ok_or_else(|| unplayable(segment, at))?;
                buffer.add(replay_setup.prepare(row, plies));
                Ok(())
            })?;
        }
        Ok(buffer)
    }
}

/// Waits for a segment to be written.
fn sealed(group: Range<usize>, thread: ScopedJoinHandle<'_, Result<SegmentEntry>>) -> Result<RewrittenGroup> {
    let entry = thread.join().map_err(|_| CorpusError::Writer)??;
    Ok((group, Some(entry)))
}

/// Checks the files from which the others can be rebuilt. Segments that are not rewritten are checked, too.
fn check_tables(segments: &[Segment], cancel: CancelCheck<'_>) -> Result<()> {
    for segment in segments {
        let folder = segment.folder();
        for file in segment.entry().files.iter().filter(|file| !is_derived(&folder.join(&file.path))) {
            cancel.check()?;
            file.check(folder)?;
        }
    }
    Ok(())
}

/// Returns the number of segments of which a derived file is damaged, or cannot be opened.
fn n_damaged(segments: &[Segment], cancel: CancelCheck<'_>) -> Result<usize> {
    let mut count = 0;
    for segment in segments {
        cancel.check()?;
        count += usize::from(!has_sound_files(segment));
    }
    Ok(count)
}

/// Returns whether all files that are derived from the tables are as they were written, and can be opened.
fn has_sound_files(segment: &Segment) -> bool {
    let folder = segment.folder();
    let derived = segment.entry().files.iter().filter(|file| is_derived(&folder.join(&file.path)));
    let are_as_written = derived.map(|file| file.check(folder)).all(|check| check.is_ok());
    are_as_written
        && segment.openings().is_ok()
        && segment
            .move_log()
            .is_ok_and(|move_log| SegmentIndex::open_in(segment.index_files(), move_log).is_ok())
}

/// Returns whether a copy that is not in a row belongs to a game of these segments.
fn has_any<T>(segments: &[Segment], late: &HashMap<GameId, T>) -> Result<bool> {
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

#[cfg(test)]
mod tests {
    use tafl_parser::Format;

    use super::*;
    use crate::ingest::tests::{GAMES, take_in};

    #[test]
    fn several_groups_are_written_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("corpus");
        for (nth, game) in GAMES.iter().enumerate() {
            take_in(&path, &format!("{nth}.csv"), Format::MoveList, &[game]);
        }
        let games = |corpus: &Corpus| corpus.games().map(|at| corpus.game(at).unwrap()).collect::<Vec<_>>();
        let corpus = Corpus::open(&path).unwrap();
        let mut writer = CorpusWriter::open(&path, "a test").unwrap();
        // The second segment has only removed games.
        let mut segments = corpus.segments().to_vec();
        writer.remove(segments[1].number(), [0]);
        segments[1] = Segment::open(&path, &writer.manifest().segments[1]).unwrap();
        let groups: Vec<(u64, Range<usize>)> = (0..3).map(|at| (writer.number(), at..at + 1)).collect();
        let numbers = [groups[0].0, groups[2].0];
        let mut rewriter = Rewriter {
            late: HashMap::new(),
            setups: ReplaySetups::default(),
            dropped: 0,
            cancel: CancelCheck::NEVER,
        };
        let rewritten = rewriter.rewrite_all(&path, &segments, groups).unwrap();
        assert_eq!(rewriter.dropped, 1);
        assert!(rewritten.iter().map(|(group, _)| group.start).eq(0..3));
        let written: Vec<u64> = rewritten.iter().filter_map(|(_, new)| Some(new.as_ref()?.number)).collect();
        assert_eq!(written, numbers);
        for (nth, (_, new)) in rewritten.into_iter().enumerate() {
            writer.replace(nth - usize::from(nth == 2), 1, new);
        }
        writer.commit().unwrap();
        let mut expected = games(&corpus);
        expected.remove(1);
        assert_eq!(games(&Corpus::open(&path).unwrap()), expected);
    }
}
