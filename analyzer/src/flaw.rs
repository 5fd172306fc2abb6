//! Positions from which nobody can play on.

use tafl_rules::{AnyRulebook, Game, Outcome, Piece, Role, Side, with_rulebook};

/// Why there is nothing to play in a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Flaw {
    /// The game has ended.
    #[error("the game is over: {0}")]
    GameOver(Outcome),
    /// A royal king that the rules start with is missing.
    #[error("the king of the {0} is missing")]
    NoKing(Side),
    /// A king stands where he has won already.
    #[error("the game is over: the king of the {0} has reached his goal")]
    KingAtGoal(Side),
    /// The side to move has no legal move.
    #[error("the {0} have no legal move")]
    NoMove(Side),
}

/// Returns why there is nothing to play in the position in which a game stands, or nothing if there is.
///
/// Games that began at the start of the rules end by the rules; positions that somebody set up may be past the end.
pub fn flaw_of(book: &AnyRulebook, game: &Game) -> Option<Flaw> {
    if let Some(outcome) = game.outcome() {
        return Some(Flaw::GameOver(outcome));
    }
    let (rules, setup) = (game.rules(), game.setup());
    for side in Side::ALL {
        let king = Piece::new(side, Role::King);
        if !rules.royal.contains(king) || rules.start.count(king) == 0 {
            continue;
        }
        if setup.count(king) == 0 {
            return Some(Flaw::NoKing(side));
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
            return Some(Flaw::KingAtGoal(side));
        }
    }
    (game.count_moves() == 0).then(|| Flaw::NoMove(game.to_move()))
}
