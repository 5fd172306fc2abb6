//! In which order moves are tried.

use tafl_rules::bitboard::Bitboard;
use tafl_rules::position::Position;
use tafl_rules::rulebook::Rulebook;
use tafl_rules::{Move, Piece, Role};

use super::history::History;
use super::threat::Threats;

/// A move with what speaks for trying it early.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ranked {
    pub(super) mv: Move,
    pub(super) rank: i32,
    /// Whether it seems to do nothing but move: no capture, no answer to a threat, no threat.
    pub(super) is_quiet: bool,
}

const FROM_TABLE: i32 = 1 << 28;
const TAKES_KING: i32 = 1 << 27;
const ANSWERS: i32 = 1 << 26;
const CAPTURES: i32 = 1 << 25;
const THREATENS: i32 = 1 << 24;
const KILLER: i32 = 1 << 23;

/// What is known before the moves of a node are ranked.
pub(super) struct Hints {
    pub(super) table: Option<Move>,
    pub(super) killers: [Option<Move>; 2],
}

/// Fills `moves` with all legal moves and their ranks, in the order of generation.
pub(super) fn rank_all<const N: usize>(
    book: &Rulebook<N>,
    pos: &Position<N>,
    threats: &Threats<N>,
    context: (&Hints, &History),
    moves: &mut Vec<Ranked>,
) {
    let (hints, history) = context;
    let side = pos.to_move();
    let kings = pos.kings();
    moves.clear();
    for from in book.movers(pos) {
        let is_king = kings.contains(from);
        for to in book.targets(pos, from) {
            let mv = Move::new(from, to);
            let mut rank = history.value(side, mv);
            let mut is_quiet = true;
            if threats.king_captures.contains(to) {
                (rank, is_quiet) = (rank + TAKES_KING, false);
            } else if threats.answers.contains(to) {
                (rank, is_quiet) = (rank + ANSWERS, false);
            } else if threats.captures.contains(to) {
                (rank, is_quiet) = (rank + CAPTURES, false);
            } else if is_king && threats.runs.contains(to) {
                (rank, is_quiet) = (rank + THREATENS, false);
            } else if hints.killers.contains(&Some(mv)) {
                rank += KILLER;
            }
            if hints.table == Some(mv) {
                rank = FROM_TABLE;
            }
            moves.push(Ranked { mv, rank, is_quiet });
        }
    }
}

/// Fills `moves` with the moves of a side's pieces to some cells.
pub(super) fn rank_some<const N: usize>(
    book: &Rulebook<N>,
    pos: &Position<N>,
    wanted: impl Fn(Piece) -> Bitboard<N>,
    history: &History,
    moves: &mut Vec<Ranked>,
) {
    let side = pos.to_move();
    let kings = pos.kings();
    moves.clear();
    let soldier = Piece::new(side, Role::Soldier);
    let for_men = wanted(soldier);
    let for_kings = wanted(Piece::new(side, Role::King));
    for from in book.movers(pos) {
        let cells = if kings.contains(from) { for_kings } else { for_men };
        for to in book.targets(pos, from) & cells {
            let mv = Move::new(from, to);
            moves.push(Ranked { mv, rank: history.value(side, mv), is_quiet: false });
        }
    }
}

/// Brings the best of the moves from `at` on to the place `at`.
#[inline]
pub(super) fn pick(moves: &mut [Ranked], at: usize) -> Ranked {
    let mut best = at;
    for other in at + 1..moves.len() {
        if moves[other].rank > moves[best].rank {
            best = other;
        }
    }
    moves.swap(at, best);
    moves[at]
}
