//! Counting the ways a game can go, the classic test of move generation.

use crate::moves::Move;
use crate::position::Position;
use crate::rulebook::Rulebook;

/// How the last ply is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaves {
    /// By the size of target sets, without playing it.
    Bulk,
    /// By playing every move, with captures and ends.
    Played,
}

impl<const N: usize> Rulebook<N> {
    /// Returns the number of sequences of exactly `depth` plies.
    ///
    /// A finished game has no continuation; rules about repetition and limits of plies are off.
    pub fn perft(&self, pos: &Position<N>, depth: u32, leaves: Leaves) -> u64 {
        match (depth, leaves) {
            (0, _) => 1,
            (1, Leaves::Bulk) => self.count_moves(pos),
            _ => self.moves(pos).map(|mv| self.perft_after(pos, mv, depth, leaves)).sum(),
        }
    }

    /// Returns the number of sequences of `depth` plies that begin with each legal move.
    pub fn divide(&self, pos: &Position<N>, depth: u32, leaves: Leaves) -> Vec<(Move, u64)> {
        self.moves(pos).map(|mv| (mv, self.perft_after(pos, mv, depth.max(1), leaves))).collect()
    }

    fn perft_after(&self, pos: &Position<N>, mv: Move, depth: u32, leaves: Leaves) -> u64 {
        let mut next = *pos;
        let effects = self.play(&mut next, mv);
        match effects.outcome {
            Some(_) if depth > 1 => 0,
            Some(_) | None => self.perft(&next, depth - 1, leaves),
        }
    }
}
