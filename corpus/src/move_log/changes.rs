//! The changes of the board in a game.

use super::cursor::ReplayCursor;
use super::error::MoveLogError;
use crate::ply_state::CellContent;

/// The changes of the board in the rest of a game, ply by ply, for tests that need nothing else.
///
/// They are read in about half of the time of [`ReplayCursor::advance`], which also reads the facts of each ply and counts the
/// pieces.
#[derive(Debug, Clone)]
pub(crate) struct BoardChanges<'c> {
    rest: &'c [u8],
    /// The number of plies that follow.
    left: u32,
    row: u32,
    /// The number of bytes of facts after each head of a ply.
    facts_len: &'static [u8; 256],
}

impl ReplayCursor<'_> {
    /// Returns the changes of the board from here on. The cursor does not move.
    pub(crate) fn board_changes(&self) -> BoardChanges<'_> {
        let facts_len = if self.format().is_first_version { &FIRST_FACTS_LEN } else { &FACTS_LEN };
        BoardChanges { rest: self.rest(), left: self.n_plies_left(), row: self.row(), facts_len }
    }
}

impl BoardChanges<'_> {
    /// Plays the next ply on a board, which is that of the cursor at first; returns `false` at the end of the game. Each
    /// change is passed with the cell and its contents before and after it; a cell may change twice.
    ///
    /// # Errors
    ///
    /// Fails if the game is damaged.
    #[inline]
    pub(crate) fn advance(
        &mut self,
        board: &mut [CellContent],
        change: impl FnMut(usize, CellContent, CellContent),
    ) -> Result<bool, MoveLogError> {
        if self.left == 0 {
            return Ok(false);
        }
        self.left -= 1;
        // Boards of more than 256 cells have two bytes for each cell.
        let played =
            if board.len() > 256 { self.step::<2>(board, change) } else { self.step::<1>(board, change) };
        played.map(|()| true).ok_or(MoveLogError::Game { game: self.row })
    }

    #[inline]
    fn step<const CELL_LEN: usize>(
        &mut self,
        board: &mut [CellContent],
        mut change: impl FnMut(usize, CellContent, CellContent),
    ) -> Option<()> {
        let (cells, rest) = self.rest.split_at_checked(2 * CELL_LEN)?;
        let (from, to) = (cell_of(&cells[..CELL_LEN]), cell_of(&cells[CELL_LEN..]));
        let (&head, rest) = rest.split_first()?;
        let (n_captured, rest) = match head & 7 {
            7 => rest.split_first().map(|(n, rest)| (usize::from(*n), rest))?,
            n => (usize::from(n), rest),
        };
        let rest = rest.get(usize::from(self.facts_len[usize::from(head)])..)?;
        let (captured, rest) = rest.split_at_checked(n_captured * CELL_LEN)?;
        self.rest = rest;
        let moved = *board.get(from)?;
        // One loop for all changes, so that there is one copy of what is done with them.
        let mut captured = captured.chunks_exact(CELL_LEN);
        let mut next = Some((from, CellContent::EMPTY));
        let mut is_next_moved = true;
        while let Some((cell, content)) = next {
            let before = std::mem::replace(board.get_mut(cell)?, content);
            change(cell, before, content);
            next = if std::mem::take(&mut is_next_moved) {
                Some((to, moved))
            } else {
                match captured.next().map(cell_of) {
                    Some(cell) => Some((cell, board.get(cell)?.captured())),
                    None => None,
                }
            };
        }
        Some(())
    }
}

/// The number of bytes of facts after the head of a ply.
static FACTS_LEN: [u8; 256] = facts_len(1);

/// The same in the first version, in which events always have four bytes.
static FIRST_FACTS_LEN: [u8; 256] = facts_len(4);

/// Returns the number of bytes of facts after each head: for events, and one for the status of each king.
const fn facts_len(events: u8) -> [u8; 256] {
    let mut lens = [0; 256];
    let mut head = 0;
    while head < lens.len() {
        let events = if head >> 7 == 1 { 4 } else { events * (head >> 4 & 1) as u8 };
        lens[head] = events + (head >> 5 & 1) as u8 + (head >> 6 & 1) as u8;
        head += 1;
    }
    lens
}

/// Returns the index of a cell of one or two bytes.
#[inline]
fn cell_of(bytes: &[u8]) -> usize {
    bytes.iter().rev().fold(0, |index, byte| index << 8 | usize::from(*byte))
}
