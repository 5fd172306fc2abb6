//! Counting by replay: every game that may have the position is compared with it.

use super::counts::{GameRankings, SegmentCounts};
use super::position::QueryPosition;
use crate::move_log::{BLOCK_SIZE, MoveLog, MoveLogError};

/// The counts of the games of a segment at a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PositionScan {
    pub(crate) position: SegmentCounts,
    /// Games that ended there.
    pub(crate) ended: u32,
    /// Games that continued with a ply that is not legal.
    pub(crate) other: u32,
    /// By the number of the child.
    pub(crate) children: Vec<SegmentCounts>,
}

impl PositionScan {
    pub(crate) fn new(position: &QueryPosition) -> PositionScan {
        let children = vec![SegmentCounts::default(); position.n_children()];
        PositionScan { position: SegmentCounts::default(), ended: 0, other: 0, children }
    }
}

/// Replays the games of blocks and counts their moves at a position. `wanted` returns whether a game, given with the
/// number of its game setup, has the rules of the position and is to be counted.
///
/// # Errors
///
/// Fails if a game of the move log is damaged.
pub(crate) fn scan(
    position: &QueryPosition,
    move_log: &MoveLog,
    blocks: &[u32],
    wanted: &dyn Fn(u32, u16) -> bool,
    rankings: &impl GameRankings,
) -> Result<PositionScan, MoveLogError> {
    let mut scan = PositionScan::new(position);
    let mut cursor = None;
    let mut played = Vec::new();
    let mut blocks = blocks.iter().copied().peekable();
    while let Some(first) = blocks.next() {
        let game = move_log.game_of_block(first);
        let entry = move_log.entry(game);
        // Nothing here may overflow: a damaged directory shows when the game is played.
        let ply_of = |block: u32| block.saturating_sub(entry.first_block).saturating_mul(BLOCK_SIZE);
        let end = entry.first_block.saturating_add(entry.n_blocks());
        let mut last_block = first;
        while let Some(next) = blocks.next_if(|next| *next < end) {
            last_block = next;
        }
        if !wanted(game, entry.game_setup) {
            continue;
        }
        let cursor = move_log.cursor_in(&mut cursor, game)?;
        // The plies after which the position may occur.
        let (from, last) = (ply_of(first), ply_of(last_block).saturating_add(BLOCK_SIZE - 1));
        while cursor.state().ply < from && cursor.advance()? {}
        played.clear();
        let (mut is_there, mut is_other) = (false, false);
        while cursor.state().ply <= last {
            let image = position.recognize(cursor.state());
            let goes_on = cursor.advance()?;
            if let Some(image) = image {
                is_there = true;
                match goes_on.then(|| position.child_by(image, cursor.state())) {
                    None => scan.ended += 1,
                    Some(None) => is_other = true,
                    Some(Some(child)) if played.contains(&child) => {}
                    Some(Some(child)) => {
                        played.push(child);
                        scan.children[child].add(game, entry.result, entry.n_plies, rankings);
                    }
                }
            }
            if !goes_on {
                break;
            }
        }
        if is_there {
            scan.position.add(game, entry.result, entry.n_plies, rankings);
        }
        scan.other += u32::from(is_other);
    }
    Ok(scan)
}
