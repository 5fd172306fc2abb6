//! Short wins proven by exhaustive search: every answer is tried by the rules, without any
//! evaluation.

use tafl_rules::{Game, Move, Side};

/// Returns a move that wins immediately.
///
/// # Examples
///
/// ```
/// use tafl_analyzer::immediate_win;
/// use tafl_rules::{AnyRulebook, Game, RuleSet};
///
/// let book = AnyRulebook::compile(&RuleSet::named("brandubh7")?)?;
/// assert_eq!(immediate_win(&Game::new(&book)), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn immediate_win(game: &Game) -> Option<Move> {
    let side = game.to_move();
    game.moves().into_iter().find(|mv| is_own(game, *mv) && wins(game, *mv, side))
}

/// Returns whether a move is one of the side to move. In a chain that may be declined, moves of the other side are also legal.
fn is_own(game: &Game, mv: Move) -> bool {
    game.piece(mv.from).is_some_and(|piece| piece.side == game.to_move())
}

fn wins(game: &Game, mv: Move, side: Side) -> bool {
    game.clone().play(mv).is_ok_and(|ply| ply.outcome.is_some_and(|outcome| outcome.winner == Some(side)))
}

/// Returns whether a move of the side to move wins within three plies: immediately, or with its
/// next move against every answer.
///
/// In a chain of captures, in which one side moves twice, each move counts as a ply.
pub fn wins_within_three_plies(game: &Game, mv: Move) -> bool {
    let side = game.to_move();
    if !is_own(game, mv) {
        return false;
    }
    let mut next = game.clone();
    let Ok(ply) = next.play(mv) else { return false };
    if let Some(outcome) = ply.outcome {
        return outcome.winner == Some(side);
    }
    if next.to_move() == side {
        return immediate_win(&next).is_some();
    }
    let answers = next.moves();
    !answers.is_empty()
        && answers.into_iter().all(|answer| {
            let mut after = next.clone();
            match after.play(answer) {
                Ok(ply) => match ply.outcome {
                    Some(outcome) => outcome.winner == Some(side),
                    None => after.to_move() == side && immediate_win(&after).is_some(),
                },
                Err(_) => true,
            }
        })
}
