//! Perft: counting the sequences of legal moves, the classic test of move generation.

use crate::any::AnyRulebook;
use crate::moves::Move;
use crate::position::Position;
use crate::rulebook::Rulebook;
use crate::setup::Setup;
use crate::side::Side;
use crate::with_rulebook;

/// The method of counting the last ply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaves {
    /// Counts the targets without playing the moves.
    Bulk,
    /// Plays every move, including captures and ends.
    Played,
}

/// The number of plies below which a count is too short to be interrupted: milliseconds at most.
const CHECK_DEPTH: u32 = 3;

impl<const N: usize> Rulebook<N> {
    /// Returns the number of sequences of exactly `depth` plies.
    ///
    /// A finished game has no continuation. Repetition rules and ply limits are ignored.
    pub fn perft(&self, pos: &Position<N>, depth: u32, leaves: Leaves) -> u64 {
        match (depth, leaves) {
            (0, _) => 1,
            (1, Leaves::Bulk) => self.count_moves(pos),
            _ => {
                let must_capture = self.must_capture(pos);
                let mut sum = 0;
                for from in self.movers(pos) {
                    for to in self.targets_if(pos, from, must_capture) {
                        sum += self.perft_after(pos, Move::new(from, to), depth, leaves);
                    }
                }
                sum
            }
        }
    }

    /// Returns the number of sequences of `depth` plies for each legal first move.
    pub fn divide(&self, pos: &Position<N>, depth: u32, leaves: Leaves) -> Vec<(Move, u64)> {
        self.moves(pos).map(|mv| (mv, self.perft_after(pos, mv, depth.max(1), leaves))).collect()
    }

    /// Returns the number of sequences of `depth` plies for each legal first move, or `None` as soon as `is_over` returns true.
    fn divide_until(
        &self,
        pos: &Position<N>,
        depth: u32,
        leaves: Leaves,
        is_over: &dyn Fn() -> bool,
    ) -> Option<Vec<(Move, u64)>> {
        let count = |mv| {
            let mut next = *pos;
            let has_ended = self.play(&mut next, mv).outcome.is_some();
            match depth.max(1) - 1 {
                0 => Some(1),
                _ if has_ended => Some(0),
                depth if depth < CHECK_DEPTH => Some(self.perft(&next, depth, leaves)),
                _ if is_over() => None,
                depth => Some(self.divide_until(&next, depth, leaves, is_over)?.iter().map(|(_, n)| n).sum()),
            }
        };
        self.moves(pos).map(|mv| Some((mv, count(mv)?))).collect()
    }

    fn perft_after(&self, pos: &Position<N>, mv: Move, depth: u32, leaves: Leaves) -> u64 {
        let mut next = *pos;
        let effects = self.play(&mut next, mv);
        match effects.outcome {
            _ if depth == 1 => 1,
            Some(_) => 0,
            None => self.perft(&next, depth - 1, leaves),
        }
    }
}

// These wrappers compile the hot loops in this crate. Through `with_rulebook!` they would be
// compiled in the caller's crate, which the dev profile does not optimize: a perft of a million
// nodes took 0.5 s there and takes 0.01 s here.
impl AnyRulebook {
    /// Returns the number of sequences of exactly `depth` plies from an arrangement, see
    /// [`Rulebook::perft`].
    ///
    /// # Panics
    ///
    /// Panics if the arrangement is for a board of another shape.
    pub fn perft(&self, setup: &Setup, to_move: Side, depth: u32, leaves: Leaves) -> u64 {
        with_rulebook!(self, book => book.perft(&book.position(setup, to_move), depth, leaves))
    }

    /// Returns the number of sequences of `depth` plies for each legal first move.
    ///
    /// # Panics
    ///
    /// Panics if the arrangement is for a board of another shape.
    pub fn divide(&self, setup: &Setup, to_move: Side, depth: u32, leaves: Leaves) -> Vec<(Move, u64)> {
        with_rulebook!(self, book => book.divide(&book.position(setup, to_move), depth, leaves))
    }

    /// Returns the number of sequences of `depth` plies for each legal first move, or `None` as soon as
    /// `is_over` returns true.
    ///
    /// # Panics
    ///
    /// Panics if the arrangement is for a board of another shape.
    ///
    /// # Examples
    ///
    /// ```
    /// use tafl_rules::Leaves;
    /// use tafl_rules::{AnyRulebook, Side, catalog};
    ///
    /// let rules = catalog::find("brandubh7").expect("it is in the catalog").rules();
    /// let book = AnyRulebook::compile(&rules)?;
    /// let count = |is_over: bool| {
    ///     book.divide_until(&rules.start, Side::Attackers, 4, Leaves::Bulk, &|| is_over)
    /// };
    /// assert_eq!(count(false).map(|moves| moves.len()), Some(40));
    /// assert_eq!(count(true), None);
    /// # Ok::<(), tafl_rules::CompileError>(())
    /// ```
    pub fn divide_until(
        &self,
        setup: &Setup,
        to_move: Side,
        depth: u32,
        leaves: Leaves,
        is_over: &dyn Fn() -> bool,
    ) -> Option<Vec<(Move, u64)>> {
        with_rulebook!(self, book => book.divide_until(&book.position(setup, to_move), depth, leaves, is_over))
    }
}
