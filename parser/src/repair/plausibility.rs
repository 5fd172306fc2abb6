//! The plausibility of repairs: among repairs that agree with the whole record, those are more probable in which no
//! player misses an immediate win, and in which the attackers begin on the side of the board where people begin.

use tafl_rules::{Game, Move, RepetitionMode, Role, Side};

use super::{Repair, prior};

/// The maximum number of repairs that are examined. A choice: looking for missed wins replays the whole game, and a
/// repair this far down does not become the best one.
const MOST: usize = 12;
/// The maximum number of missed wins that are counted; further ones carry no information.
const MOST_MISSED: usize = 4;

/// Changes the costs of repairs by the plausibility of their games.
pub(super) fn refine(repairs: &mut [Repair]) {
    for repair in repairs.iter_mut() {
        repair.cost += first_move(repair);
    }
    repairs.sort_by(|one, other| one.cost.total_cmp(&other.cost));
    let missed: Vec<usize> = repairs.iter().take(MOST).map(missed_wins).collect();
    for (repair, missed) in repairs.iter_mut().zip(&missed) {
        repair.cost += prior::MISSED_WIN * (*missed).min(MOST_MISSED) as f64;
    }
}

/// Returns the cost of the place of the attackers' first move, compared with a place of mean probability.
fn first_move(repair: &Repair) -> f64 {
    let Some(ply) = repair.replay.plies.first().filter(|ply| ply.side == Side::Attackers) else { return 0.0 };
    let shape = repair.rules.book.shape();
    if shape.is_hex() {
        return 0.0;
    }
    // Twice the offset from the center.
    let middle = shape.n_ranks() - 1;
    let offset = |cell| {
        let coord = shape.coord(cell);
        (2 * coord.file - middle, 2 * coord.rank - middle)
    };
    let ((file, rank), (to_file, to_rank)) = (offset(ply.mv.from), offset(ply.mv.to));
    let half = |offset: i16, share: f64| match offset.signum() {
        0 => 1.0,
        1 => 2.0 * share,
        _ => 2.0 * (1.0 - share),
    };
    let ratio = if file.abs() > rank.abs() {
        let side = if file > 0 { prior::BEGIN_RIGHT } else { prior::BEGIN_LEFT };
        4.0 * side * half(to_rank, prior::BEGIN_UP)
    } else if file.abs() < rank.abs() {
        let side = if rank < 0 { prior::BEGIN_BOTTOM } else { prior::BEGIN_TOP };
        4.0 * side * half(to_file, prior::BEGIN_TO_RIGHT)
    } else {
        1.0
    };
    -ratio.ln()
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
