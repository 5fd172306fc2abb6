//! Short wins that are certain: every answer is tried by the rules, nothing is left out and nobody's opinion counts.

use tafl_rules::{Game, Move, Side};

/// Returns a move with which the side to move wins at once.
pub fn win_at_once(game: &Game) -> Option<Move> {
    let side = game.to_move();
    game.moves().into_iter().find(|mv| wins(game, *mv, side))
}

fn wins(game: &Game, mv: Move, side: Side) -> bool {
    game.clone().play(mv).is_ok_and(|ply| ply.outcome.is_some_and(|outcome| outcome.winner == Some(side)))
}

/// Returns whether the side to move wins within three plies if it begins with a move: at once, or against every answer
/// with the next move of its own.
///
/// Where chains of captures let a side move twice, a ply is a move all the same.
pub fn wins_by(game: &Game, mv: Move) -> bool {
    let side = game.to_move();
    let mut next = game.clone();
    let Ok(ply) = next.play(mv) else { return false };
    if let Some(outcome) = ply.outcome {
        return outcome.winner == Some(side);
    }
    if next.to_move() == side {
        return win_at_once(&next).is_some();
    }
    let answers = next.moves();
    !answers.is_empty()
        && answers.into_iter().all(|answer| {
            let mut after = next.clone();
            match after.play(answer) {
                Ok(ply) => match ply.outcome {
                    Some(outcome) => outcome.winner == Some(side),
                    None => after.to_move() == side && win_at_once(&after).is_some(),
                },
                Err(_) => true,
            }
        })
}
