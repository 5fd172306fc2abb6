//! Positions that cannot be searched.

use tafl_rules::{AnyRulebook, Game, NoMoves, Outcome, Piece, Reason, Role, RuleSet, Side, with_rulebook};

/// The reason why a position cannot be searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PositionError {
    /// The game has ended.
    #[error("the game is over: {0}")]
    GameOver(Outcome),
    /// A royal king of the start position is missing.
    #[error("the {0} have no king")]
    NoKing(Side),
    /// A king is already on one of his goals.
    #[error("the game is over: the king of the {0} has reached his goal")]
    KingAtGoal(Side),
    /// The side to move has no legal move.
    #[error("the {0} have no legal move")]
    NoMove(Side),
}

impl PositionError {
    /// Returns the outcome of a game in such a position, or `None` if the rules give none.
    pub fn outcome(&self, rules: &RuleSet) -> Option<Outcome> {
        match *self {
            PositionError::GameOver(outcome) => Some(outcome),
            PositionError::KingAtGoal(side) => Some(Outcome::win(side, Reason::KingReachedGoal)),
            PositionError::NoMove(side) => match rules.no_moves {
                NoMoves::Lose => Some(Outcome::win(side.other(), Reason::NoLegalMove)),
                NoMoves::Draw => Some(Outcome::draw(Reason::NoLegalMove)),
                NoMoves::Ignore => None,
            },
            PositionError::NoKing(_) => None,
        }
    }
}

/// Checks that the current position of a game can be searched.
///
/// Games played from the start of the rules end by the rules, but positions set up by a user may be
/// past the end.
///
/// # Errors
///
/// Returns the reason why the position cannot be searched.
pub fn check_position(book: &AnyRulebook, game: &Game) -> Result<(), PositionError> {
    if let Some(outcome) = game.outcome() {
        return Err(PositionError::GameOver(outcome));
    }
    let (rules, setup) = (game.rules(), game.setup());
    for side in Side::ALL {
        let king = Piece::new(side, Role::King);
        if !rules.royal.contains(king) || rules.start.count(king) == 0 {
            continue;
        }
        if setup.count(king) == 0 {
            return Err(PositionError::NoKing(side));
        }
        if game.n_plies() > 0 {
            continue;
        }
        let is_at_goal = with_rulebook!(book, book => {
            let kings = book.position(&setup, game.to_move()).pieces(king);
            let at_start = book.start().pieces(king);
            kings.without(at_start).meets(&book.goals(side))
        });
        if is_at_goal {
            return Err(PositionError::KingAtGoal(side));
        }
    }
    if game.count_moves() == 0 { Err(PositionError::NoMove(game.to_move())) } else { Ok(()) }
}
