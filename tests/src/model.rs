//! What a model of the rules must be able to do to be tested.

use tafl_rules::{Cell, Move, Outcome, RuleSet, Setup, Side};

/// A move that the rules do not allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotLegal;

/// An implementation of the rules, playing one game.
pub trait RulesModel: Sized + Clone {
    /// Returns a game that begins with an arrangement of pieces, which counts as the first occurrence of its position.
    fn at(rules: &RuleSet, board: &Setup, side: Side) -> Self;

    /// Returns whether the model plays such rules at all.
    fn can_play(_rules: &RuleSet) -> bool {
        true
    }

    /// Returns a game from the start of its rules.
    fn start(rules: &RuleSet) -> Self {
        Self::at(rules, &rules.start, rules.first_mover)
    }

    /// Returns what stands where.
    fn board(&self) -> Setup;

    /// Returns the side to move; in a chain of captures the side that goes on.
    fn side_to_move(&self) -> Side;

    /// Returns the legal moves in rising order, as if the game had not ended.
    fn moves(&self) -> Vec<Move>;

    /// Makes a move and returns the cells of captured pieces, kings among them, in rising order.
    ///
    /// # Errors
    ///
    /// Fails when the move is not legal, and changes nothing then.
    fn play(&mut self, mv: Move) -> Result<Vec<Cell>, NotLegal>;

    /// Returns the end of the game that the last move brought.
    fn outcome(&self) -> Option<Outcome>;
}
