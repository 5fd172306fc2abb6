//! The segments that are joined: neighbors that fit into one, and tiers of small segments.

use std::ops::Range;

use crate::ingest::SEGMENT_SIZE;
use crate::manifest::SegmentEntry;
use crate::move_log::MAX_SETUPS;
use crate::segment::Segment;

/// The number of segments of a tier that an import joins. With more, queries search more segments; with fewer, games are
/// rewritten more often.
const FAN_IN: usize = 8;

/// The number of smaller neighbors that an import joins when a larger segment follows. With fewer, imports of about the same
/// size, some of which are of the next tier, would rewrite games more often: by 13 % with two instead of 1 %, from 50 to 80
/// positions.
const CLOSED_RUN: usize = 4;

/// The number of positions up to which compaction joins neighbors. With larger segments, it needs more memory: about 100
/// bytes for each position.
const FULL: usize = 8 * SEGMENT_SIZE;

/// The size of a segment, in the units that limit a segment.
#[derive(Clone, Copy, Default)]
pub(super) struct SegmentSize {
    positions: usize,
    game_setups: usize,
}

impl SegmentSize {
    pub(super) fn of(segment: &Segment) -> SegmentSize {
        let positions = SegmentSize::positions_of(segment.entry());
        // If the move log is damaged, the number of games is a safe upper bound.
        let n_games = segment.n_games() as usize;
        let game_setups = segment.move_log().map_or(n_games, |move_log| move_log.game_setups().len());
        SegmentSize { positions, game_setups }
    }

    /// Returns the number of positions of a segment.
    pub(super) fn positions_of(entry: &SegmentEntry) -> usize {
        (entry.plies as usize).saturating_add(entry.games as usize)
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
pub(super) fn groups(sizes: impl Iterator<Item = SegmentSize>) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = Vec::new();
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

/// Neighboring segments that become one.
struct SegmentRun {
    segments: Range<usize>,
    positions: usize,
}

impl SegmentRun {
    /// The tier of segments that an import has filled. They stay as they are.
    const FULL_TIER: u32 = SEGMENT_SIZE.ilog(FAN_IN);

    /// Returns the exponent of the largest power of [`FAN_IN`] up to the number of positions. That of full segments is the same.
    fn tier(&self) -> u32 {
        self.positions.max(1).ilog(FAN_IN).min(SegmentRun::FULL_TIER)
    }
}

/// Returns the ranges of neighboring segments that an import joins, by their numbers of positions.
///
/// Segments of a tier wait for more of them at the end of the corpus, so that a game is rewritten once for each tier. When a
/// larger segment follows, no more of them can come: then they are joined if there are at least [`CLOSED_RUN`] smaller ones.
/// So at most `FAN_IN - 1` segments of each tier remain, and at most `CLOSED_RUN - 1` smaller ones before each of them, and
/// before each full segment.
pub(super) fn runs_to_join(sizes: &[usize]) -> Vec<Range<usize>> {
    let runs = sizes.iter().enumerate();
    let mut runs: Vec<SegmentRun> =
        runs.map(|(at, size)| SegmentRun { segments: at..at + 1, positions: *size }).collect();
    loop {
        let tiers: Vec<u32> = runs.iter().map(SegmentRun::tier).collect();
        let Some(joined) = closed_run(&tiers).or_else(|| full_tier(&tiers)) else { break };
        let segments = runs[joined.start].segments.start..runs[joined.end - 1].segments.end;
        let positions =
            runs[joined.clone()].iter().fold(0, |sum: usize, run| sum.saturating_add(run.positions));
        drop(runs.splice(joined, [SegmentRun { segments, positions }]));
    }
    runs.into_iter().map(|run| run.segments).filter(|segments| segments.len() > 1).collect()
}

/// Returns the last neighbors before a segment of a higher tier, if there are at least [`CLOSED_RUN`] somewhere.
fn closed_run(tiers: &[u32]) -> Option<Range<usize>> {
    (0..tiers.len()).rev().find_map(|end| {
        let first = tiers[..end].iter().rposition(|tier| *tier >= tiers[end]).map_or(0, |at| at + 1);
        (end - first >= CLOSED_RUN).then_some(first..end)
    })
}

/// Returns the last segments that form a full tier: neighbors up to the end, none of which is of a higher tier, and at least
/// [`FAN_IN`] of which are of this tier.
fn full_tier(tiers: &[u32]) -> Option<Range<usize>> {
    (0..SegmentRun::FULL_TIER).find_map(|most| {
        let first = tiers.iter().rposition(|tier| *tier > most).map_or(0, |at| at + 1);
        let n_of_tier = tiers[first..].iter().filter(|tier| **tier == most).count();
        (n_of_tier >= FAN_IN).then_some(first..tiers.len())
    })
}

#[cfg(test)]
mod tests {
    use tafl_rules::Rng;

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

    /// Returns the first and the last segment of each run that is joined.
    fn joined(sizes: &[usize]) -> Vec<(usize, usize)> {
        runs_to_join(sizes).into_iter().map(|run| (run.start, run.end - 1)).collect()
    }

    #[test]
    fn a_full_tier_begins_after_the_last_larger_segment() {
        assert!(joined(&[]).is_empty());
        assert!(joined(&[1; FAN_IN - 1]).is_empty());
        assert_eq!(joined(&[1; FAN_IN]), [(0, FAN_IN - 1)]);
        // The large segments are of a higher tier, and too few.
        assert!(joined(&[500, 500, 9, 1, 1, 1, 1, 1, 1, 1]).is_empty());
        assert_eq!(joined(&[500, 500, 9, 1, 1, 1, 1, 1, 1, 1, 1]), [(3, 10)]);
        assert_eq!(joined(&[500, 9, 9, 9, 9, 9, 9, 9, 9, 1]), [(1, 9)]);
        assert!(joined(&[FULL + 5; 20]).is_empty());
    }

    #[test]
    fn small_segments_before_a_larger_one_are_joined() {
        assert!(joined(&[40, 40, 40, 2000]).is_empty());
        assert_eq!(joined(&[40, 40, 40, 40, 2000]), [(0, 3)]);
        assert_eq!(joined(&[9, 40, 500, 9, 4000, 9, 9, 9, 9]), [(0, 3)]);
        assert_eq!(joined(&[40, 40, 40, 40, SEGMENT_SIZE, 40, 40, 40, 40, FULL]), [(0, 3), (5, 8)]);
        // Eight segments with smaller ones among them become one.
        let mut sizes = [40, 40, 40, 40, 2000].repeat(7);
        assert_eq!(joined(&sizes).len(), 7);
        sizes.push(2000);
        assert_eq!(joined(&sizes), [(0, 35)]);
        // Full segments are not joined, whatever follows.
        assert!(joined(&[SEGMENT_SIZE, SEGMENT_SIZE, SEGMENT_SIZE, SEGMENT_SIZE, FULL]).is_empty());
    }

    /// The result of imports of one segment each.
    #[derive(Default)]
    struct Imports {
        sizes: Vec<usize>,
        positions: usize,
        rewritten: usize,
        /// The maximum number of segments that were not full.
        most: usize,
    }

    fn import_all(sizes: impl Iterator<Item = usize>) -> Imports {
        let mut imports = Imports::default();
        for size in sizes {
            imports.positions += size;
            imports.sizes.push(size);
            for range in runs_to_join(&imports.sizes).into_iter().rev() {
                let sum: usize = imports.sizes[range.clone()].iter().sum();
                imports.rewritten += sum;
                drop(imports.sizes.splice(range, [sum]));
            }
            let is_small = |size: &&usize| **size < FAN_IN.pow(SegmentRun::FULL_TIER);
            imports.most = imports.most.max(imports.sizes.iter().filter(is_small).count());
        }
        assert_eq!(imports.sizes.iter().sum::<usize>(), imports.positions);
        imports
    }

    #[test]
    fn many_small_imports_leave_few_segments() {
        let imports = import_all(std::iter::repeat_n(40, 10_000));
        assert!(imports.most <= (FAN_IN - 1) * 5, "{}", imports.most);
        assert!(imports.rewritten < 4 * imports.positions, "{} positions", imports.rewritten);
    }

    #[test]
    fn imports_of_different_sizes_leave_few_segments() {
        let small_and_large = [[40; 7].as_slice(), &[2_000]].concat();
        let mut nested = vec![10; 3];
        for size in [100, 800, 7_000, 50_000] {
            nested.push(size);
            nested = nested.repeat(3);
        }
        let mut rng = Rng::new(1);
        let random: Vec<usize> = (0..10_000).map(|_| 8 << rng.below(9)).collect();
        for sizes in [small_and_large, nested, random] {
            let imports = import_all(sizes.iter().copied().cycle().take(10_000));
            let n_full = imports.sizes.iter().filter(|size| **size >= SEGMENT_SIZE / 2).count();
            assert!(imports.most <= 45 + (CLOSED_RUN - 1) * n_full, "{} and {n_full} full", imports.most);
            assert!(imports.rewritten < 4 * imports.positions, "{} positions", imports.rewritten);
        }
    }

    #[test]
    fn imports_of_about_the_same_size_are_not_rewritten_more_often() {
        let mut rng = Rng::new(1);
        let imports = import_all((0..10_000).map(|_| 50 + rng.below(31)));
        assert!(imports.most <= 40, "{}", imports.most);
        assert!(imports.rewritten < 4 * imports.positions, "{} positions", imports.rewritten);
    }
}
