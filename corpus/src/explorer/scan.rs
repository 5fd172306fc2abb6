//! Counting by playing: every game that may have the position is held against the board.

use super::place::Place;
use super::tally::{Notes, Tally};
use crate::index::Bits;
use crate::tape::{BLOCK, Tape, TapeError};

/// What the games of a segment did at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Scan {
    pub(super) node: Tally,
    /// Games that ended there.
    pub(super) ended: u32,
    /// Games that went on with a ply that the rules do not know.
    pub(super) other: u32,
    /// By the number of the child.
    pub(super) children: Vec<Tally>,
}

impl Scan {
    pub(super) fn new(place: &Place) -> Scan {
        let children = vec![Tally::default(); place.n_children()];
        Scan { node: Tally::default(), ended: 0, other: 0, children }
    }
}

/// Plays the games that the blocks belong to and counts what they did at the place.
///
/// # Errors
///
/// Returns that a game of the tape is damaged.
pub(super) fn scan(
    place: &Place,
    tape: &Tape,
    blocks: &Bits,
    (wanted, notes): (&dyn Fn(u32) -> bool, &impl Notes),
) -> Result<Scan, TapeError> {
    let fits: Vec<bool> = tape.arenas().iter().map(|arena| arena.rules == place.rules()).collect();
    let mut scan = Scan::new(place);
    let mut player = None;
    let mut played = Vec::new();
    let mut blocks = blocks.iter().peekable();
    while let Some(first) = blocks.next() {
        let game = tape.game_of_block(first);
        let entry = tape.entry(game);
        // Nothing here may overflow: a damaged directory shows when the game is played.
        let ply_of = |block: u32| block.saturating_sub(entry.first_block).saturating_mul(BLOCK);
        let end = entry.first_block.saturating_add(entry.n_blocks());
        let mut last_block = first;
        while let Some(next) = blocks.next_if(|next| *next < end) {
            last_block = next;
        }
        if !fits.get(usize::from(entry.arena)).is_some_and(|fits| *fits) || !wanted(game) {
            continue;
        }
        let player = match &mut player {
            None => player.insert(tape.play(game)?),
            Some(player) => {
                tape.replay(player, game)?;
                player
            }
        };
        // The plies after which the position may stand.
        let (from, last) = (ply_of(first), ply_of(last_block).saturating_add(BLOCK - 1));
        while player.moment().ply < from && player.advance()? {}
        played.clear();
        let (mut is_there, mut is_other) = (false, false);
        while player.moment().ply <= last {
            let image = place.recognize(player.moment());
            let goes_on = player.advance()?;
            if let Some(image) = image {
                is_there = true;
                match goes_on.then(|| place.child_by(image, player.moment())) {
                    None => scan.ended += 1,
                    Some(None) => is_other = true,
                    Some(Some(child)) if played.contains(&child) => {}
                    Some(Some(child)) => {
                        played.push(child);
                        scan.children[child].add(game, (entry.result, entry.n_plies), notes);
                    }
                }
            }
            if !goes_on {
                break;
            }
        }
        if is_there {
            scan.node.add(game, (entry.result, entry.n_plies), notes);
        }
        scan.other += u32::from(is_other);
    }
    Ok(scan)
}
