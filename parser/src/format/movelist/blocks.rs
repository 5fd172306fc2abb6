//! The decision whether moves without numbers after a blank line belong to the same game.

use std::collections::HashSet;

use tafl_rules::Coord;

use crate::record::WrittenMove;

/// The number of moves from which a block is long enough to be a game of its own.
const MIN_GAME: usize = 6;

/// The cells that moves have left and entered, as far as they are known without rules.
#[derive(Debug, Clone, Default)]
pub(crate) struct CellTrace {
    n_moves: usize,
    /// The cells that are empty after the moves.
    left: HashSet<Coord>,
    /// The cells that were empty at the start.
    empty_at_start: HashSet<Coord>,
    /// The cells that were occupied at the start.
    seen: HashSet<Coord>,
}

/// The kind of a block of moves after a blank line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BlockKind {
    /// Another game.
    NewGame,
    /// The same game, and it cannot be another one.
    SameGame,
    /// Either; taken as the same game.
    Doubtful,
}

impl CellTrace {
    /// Adds a move.
    pub(crate) fn push(&mut self, mv: &WrittenMove) {
        self.n_moves += 1;
        if !self.empty_at_start.contains(&mv.from) {
            self.seen.insert(mv.from);
        }
        self.left.insert(mv.from);
        self.left.remove(&mv.to);
        if !self.seen.contains(&mv.to) {
            self.empty_at_start.insert(mv.to);
        }
    }

    /// Returns what a block of moves after these is.
    ///
    /// A block cannot go on with the game if it moves a piece from a cell that is empty by then, and it cannot be a
    /// game of its own if it moves a piece from a cell that was empty at the start. If neither decides, long blocks
    /// are games, because people part whole games by blank lines more often than halves.
    pub(crate) fn kind_of(&self, block: &[WrittenMove]) -> BlockKind {
        let mut left = self.left.clone();
        let mut entered = HashSet::new();
        let (mut against_same, mut against_new) = (0, 0);
        for mv in block {
            against_same += usize::from(left.contains(&mv.from));
            against_new += usize::from(self.empty_at_start.contains(&mv.from) && !entered.contains(&mv.from));
            left.insert(mv.from);
            left.remove(&mv.to);
            entered.remove(&mv.from);
            entered.insert(mv.to);
        }
        let is_long = self.n_moves >= MIN_GAME && block.len() >= MIN_GAME;
        match (against_same, against_new) {
            (0, 0) if is_long => BlockKind::NewGame,
            (0, 0) => BlockKind::Doubtful,
            (same, new) if same > new => BlockKind::NewGame,
            (0, _) => BlockKind::SameGame,
            _ => BlockKind::Doubtful,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;

    fn kind(first: &str, second: &str) -> BlockKind {
        let moves = |text| super::super::parse(&Source::new(text)).value.main().moves.clone();
        let mut trace = CellTrace::default();
        moves(first).iter().for_each(|mv| trace.push(mv));
        trace.kind_of(&moves(second))
    }

    #[test]
    fn a_piece_that_has_left_its_cell_cannot_move_from_there_again() {
        assert_eq!(kind("d2-f2 d3-d2", "d3-g3 d2-c2"), BlockKind::NewGame);
        assert_eq!(kind("d2-f2 d3-g3", "d2-c2 d3-a3"), BlockKind::NewGame);
        assert_eq!(kind("d2-f2 d3-g3", "f2-f1 g3-g1"), BlockKind::SameGame);
        assert_eq!(kind("d2-f2 d3-g3", "d6-f6 d5-g5"), BlockKind::Doubtful);
    }
}
