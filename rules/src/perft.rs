//! Counting the ways a game can go, the classic test of move generation.

use crate::any::AnyRulebook;
use crate::moves::Move;
use crate::position::Position;
use crate::rulebook::Rulebook;
use crate::setup::Setup;
use crate::side::Side;
use crate::with_rulebook;

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

// Without these, whoever counts through `with_rulebook!` compiles the hot loops in a crate of their own, where the dev
// profile does not optimize them: a perft of a million nodes took 0.5 s there and takes 0.01 s here.
impl AnyRulebook {
    /// Returns the number of sequences of exactly `depth` plies from an arrangement, as [`Rulebook::perft`] does.
    ///
    /// # Panics
    ///
    /// Panics if the arrangement is for another board.
    pub fn perft(&self, setup: &Setup, to_move: Side, depth: u32, leaves: Leaves) -> u64 {
        with_rulebook!(self, book => book.perft(&book.position(setup, to_move), depth, leaves))
    }

    /// Returns the number of sequences of `depth` plies that begin with each legal move.
    ///
    /// # Panics
    ///
    /// Panics if the arrangement is for another board.
    pub fn divide(&self, setup: &Setup, to_move: Side, depth: u32, leaves: Leaves) -> Vec<(Move, u64)> {
        with_rulebook!(self, book => book.divide(&book.position(setup, to_move), depth, leaves))
    }
}
