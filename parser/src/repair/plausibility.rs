//! The plausibility of repairs: among repairs that agree with the whole record, those in which no player
//! misses an immediate win are more probable.

use tafl_rules::{Game, Move, RepetitionMode, Role};

use super::{Repair, prior};

/// The maximum number of repairs that are examined. A choice: looking for missed wins replays the whole game, and a
/// repair this far down does not become the best one.
const MOST: usize = 12;
/// The maximum number of missed wins that are counted; further ones carry no information.
const MOST_MISSED: usize = 4;

/// Increases the costs of repairs with implausible games.
pub(super) fn refine(repairs: &mut [Repair]) {
    let missed: Vec<usize> = repairs.iter().take(MOST).map(missed_wins).collect();
    for (repair, missed) in repairs.iter_mut().zip(&missed) {
        repair.cost += prior::MISSED_WIN * (*missed).min(MOST_MISSED) as f64;
    }
}

/// Returns the number of times that a player missed a win with the next move.
fn missed_wins(repair: &Repair) -> usize {
    let book = &repair.rules.book;
    let to_move = repair.record.first_mover.unwrap_or(book.rules().first_mover);
    let start = repair.record.start_on(book.shape());
    let mut game = match start.map(|start| Game::from_setup(book, start, to_move, RepetitionMode::Report)) {
        Some(Ok(game)) => game,
        Some(Err(_)) | None => Game::with_mode(book, RepetitionMode::Report),
    };
    let n_plies = repair.replay.plies.len();
    let mut missed = 0;
    for (nth, ply) in repair.replay.plies.iter().enumerate() {
        let is_last = nth + 1 == n_plies;
        if !is_last && missed < MOST_MISSED && can_win(&game) {
            missed += 1;
        }
        game.clear_outcome();
        if game.play(ply.mv).is_err() {
            break;
        }
    }
    missed
}

/// Returns whether the side to move has an immediate win that involves a king: a king that reaches its goal,
/// or a piece that moves next to the enemy king and captures it.
fn can_win(game: &Game) -> bool {
    let side = game.to_move();
    let shape = game.shape();
    let setup = game.setup();
    let kings = || setup.pieces().filter(|(_, piece)| piece.role == Role::King);
    let own = kings().filter(|(_, king)| king.side == side).map(|(cell, _)| cell);
    let escapes = own.flat_map(|from| {
        let targets: Vec<Move> = game.targets(from).iter().map(|to| Move::new(from, to)).collect();
        targets
    });
    let beside: Vec<_> = kings()
        .filter(|(_, king)| king.side != side)
        .flat_map(|(cell, _)| shape.neighbors(cell).collect::<Vec<_>>())
        .filter(|cell| setup.piece(*cell).is_none())
        .collect();
    let strikes = if beside.is_empty() {
        Vec::new()
    } else {
        game.moves().into_iter().filter(|mv| beside.contains(&mv.to)).collect()
    };
    let wins = |mv: Move| {
        game.clone().play(mv).is_ok_and(|ply| ply.outcome.is_some_and(|end| end.winner == Some(side)))
    };
    escapes.chain(strikes).any(wins)
}
