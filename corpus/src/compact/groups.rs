//! The segments that are joined: neighbors that fit into one, and tiers of small segments.

use crate::ingest::SEGMENT_SIZE;
use crate::manifest::SegmentEntry;
use crate::move_log::MAX_SETUPS;
use crate::segment::Segment;

/// The number of segments of a tier that an import joins. With more, queries search more segments; with fewer, games are
/// rewritten more often.
pub(super) const FAN_IN: usize = 8;

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
pub(super) fn groups(sizes: impl Iterator<Item = SegmentSize>) -> Vec<std::ops::Range<usize>> {
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

/// Returns the first of the last segments that form a full tier: neighbors up to the end, none of which has more positions
/// than the power of [`FAN_IN`] that limits the tier, and at least [`FAN_IN`] of which have more than those of lower tiers.
/// `None` if no tier is full.
pub(super) fn last_tier(sizes: &[usize]) -> Option<usize> {
    let tier = |size: usize| size.max(1).ilog(FAN_IN);
    let tiers: Vec<u32> = sizes.iter().map(|size| tier(*size)).collect();
    // Segments that an import has filled stay as they are, and end the last tier.
    (0..tier(SEGMENT_SIZE)).find_map(|most| {
        let first = tiers.iter().rposition(|tier| *tier > most).map_or(0, |at| at + 1);
        let n_of_tier = tiers[first..].iter().filter(|tier| **tier == most).count();
        (n_of_tier >= FAN_IN).then_some(first)
    })
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

    #[test]
    fn a_full_tier_begins_after_the_last_larger_segment() {
        assert_eq!(last_tier(&[]), None);
        assert_eq!(last_tier(&[1; FAN_IN - 1]), None);
        assert_eq!(last_tier(&[1; FAN_IN]), Some(0));
        // The large segments are of a higher tier, and too few.
        assert_eq!(last_tier(&[500, 500, 9, 1, 1, 1, 1, 1, 1, 1]), None);
        assert_eq!(last_tier(&[500, 500, 9, 1, 1, 1, 1, 1, 1, 1, 1]), Some(3));
        assert_eq!(last_tier(&[500, 9, 9, 9, 9, 9, 9, 9, 9, 1]), Some(1));
        assert_eq!(last_tier(&[FULL + 5; 20]), None);
    }

    #[test]
    fn many_small_imports_leave_few_segments() {
        let (mut sizes, mut rewritten) = (Vec::new(), 0);
        for _ in 0..10_000 {
            sizes.push(40);
            while let Some(first) = last_tier(&sizes) {
                let sum = sizes.drain(first..).sum::<usize>();
                rewritten += sum;
                sizes.push(sum);
            }
            assert!(sizes.len() <= (FAN_IN - 1) * 7, "{sizes:?}");
        }
        assert_eq!(sizes.iter().sum::<usize>(), 400_000);
        assert!(rewritten < 6 * 400_000, "{rewritten} positions were rewritten");
    }
}
