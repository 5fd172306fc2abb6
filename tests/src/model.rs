//! The interface of a model of the rules under test.

use tafl_rules::{Cell, Move, Outcome, RuleSet, Setup, Side};

/// A move that the rules do not allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotLegal;

/// An implementation of the rules, playing one game.
pub trait RulesModel: Sized + Clone {
    /// Returns a game that begins with an arrangement of pieces, which counts as the first occurrence of its position.
    fn at(rules: &RuleSet, board: &Setup, side: Side) -> Self;

    /// Returns whether the model supports the rules.
    fn can_play(_rules: &RuleSet) -> bool {
        true
    }

    /// Returns a game from the start of its rules.
    fn start(rules: &RuleSet) -> Self {
        Self::at(rules, &rules.start, rules.first_mover)
    }

    /// Returns the board.
    fn board(&self) -> Setup;

    /// Returns the side to move; in a chain of captures, the side that continues it.
    fn side_to_move(&self) -> Side;

    /// Returns the legal moves in rising order, as if the game had not ended.
    fn moves(&self) -> Vec<Move>;

    /// Makes a move and returns the cells of captured pieces, kings among them, in rising order.
    ///
    /// # Errors
    ///
    /// Returns an error and changes nothing if the move is illegal.
    fn play(&mut self, mv: Move) -> Result<Vec<Cell>, NotLegal>;

    /// Returns the outcome after the last move, if the game has ended.
    fn outcome(&self) -> Option<Outcome>;
}
