//! The plausibility of repairs: among repairs that agree with the whole record, those are more probable in which no
//! player misses an immediate win, and in which the attackers begin on the side of the board where people begin.

use tafl_rules::{Game, Move, Role, Side};

use super::play_model::can_capture;
use super::played_moves::{self, start_of};
use super::{Repair, prior};

/// The maximum number of repairs that are examined. A choice: looking for missed wins replays the whole game, and a
/// repair this far down does not become the best one.
const MAX_EXAMINED: usize = 12;
/// The maximum number of missed wins that are counted; further ones carry no information.
const MAX_MISSED: usize = 4;

/// Changes the costs of repairs by the plausibility of their games. `move_costs` are the parts of their costs for the
/// improbability of the proposed moves by the small model; the larger one replaces it.
pub(super) fn refine(repairs: &mut [Repair], move_costs: &[f64]) {
    let played = played_moves::costs(repairs, move_costs);
    for ((repair, small), large) in repairs.iter_mut().zip(move_costs).zip(played) {
        repair.cost += first_move(repair) + large.map_or(0.0, |large| large - small);
    }
    repairs.sort_by(|one, other| one.cost.total_cmp(&other.cost));
    let missed: Vec<MissedChances> = repairs.iter().take(MAX_EXAMINED).map(MissedChances::of).collect();
    // Compared with the best repair, so that the repairs after these remain comparable.
    let usual = missed.first().map_or(0, |missed| missed.captures) as f64;
    let most = MAX_MISSED as f64;
    for (repair, missed) in repairs.iter_mut().zip(&missed) {
        repair.cost += prior::MISSED_WIN * missed.wins.min(MAX_MISSED) as f64;
        repair.cost += prior::MISSED_CAPTURE * (missed.captures as f64 - usual).clamp(-most, most);
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

/// The chances that the players of a game did not take.
#[derive(Debug, Clone, Copy, Default)]
struct MissedChances {
    /// The number of moves that did not win although one did.
    wins: usize,
    /// The number of moves that did not capture although one did.
    captures: usize,
}

impl MissedChances {
    fn of(repair: &Repair) -> MissedChances {
        let mut game = start_of(repair);
        let plies = &repair.replay.plies;
        let mut missed = MissedChances::default();
        for (nth, ply) in plies.iter().enumerate() {
            let is_last = nth + 1 == plies.len();
            if !is_last && missed.wins < MAX_MISSED && can_win(&game) {
                missed.wins += 1;
            }
            game.clear_outcome();
            let can_capture = can_capture(&game);
            let Ok(played) = game.play(ply.mv) else { break };
            missed.captures += usize::from(can_capture && played.captured.is_empty());
        }
        missed
    }
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
