//! In which order moves are tried.

use tafl_rules::bitboard::Bitboard;
use tafl_rules::position::Position;
use tafl_rules::rulebook::Rulebook;
use tafl_rules::{Move, Piece, Role, Side};

use super::history::{Continuation, History};
use super::threat::Threats;

/// A move with what speaks for trying it early.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ranked {
    pub(super) mv: Move,
    pub(super) rank: i32,
    /// Whether it seems to do nothing but move: no capture, no answer to a threat, no threat.
    pub(super) is_quiet: bool,
}

const TAKES_KING: i32 = 1 << 27;
const ANSWERS: i32 = 1 << 26;
const CAPTURES: i32 = 1 << 25;
const THREATENS: i32 = 1 << 24;
const KILLER: i32 = 1 << 23;
const REFUTES: i32 = 1 << 22;

/// What is known before the moves of a node are ranked.
pub(super) struct Hints<'h> {
    pub(super) killers: [Option<Move>; 2],
    pub(super) refutation: Option<Move>,
    /// The move before.
    pub(super) before: Option<Move>,
    pub(super) history: &'h History,
    pub(super) continuation: &'h Continuation,
}

impl Hints<'_> {
    /// Returns the rank of a quiet move.
    #[inline]
    fn rank(&self, side: Side, mv: Move) -> i32 {
        let rank = self.history.value(side, mv) + self.continuation.value(side, self.before, mv);
        if self.killers.contains(&Some(mv)) {
            rank + KILLER
        } else if self.refutation == Some(mv) {
            rank + REFUTES
        } else {
            rank
        }
    }
}

/// Returns what a move gains in rank by what it seems to do; nothing for quiet ones.
#[inline]
pub(super) fn deed<const N: usize>(pos: &Position<N>, threats: &Threats<N>, mv: Move) -> Option<i32> {
    if threats.king_captures.contains(mv.to) {
        Some(TAKES_KING)
    } else if threats.answers.contains(mv.to) {
        Some(ANSWERS)
    } else if threats.captures.contains(mv.to) {
        Some(CAPTURES)
    } else if threats.runs.contains(mv.to) && pos.kings().contains(mv.from) {
        Some(THREATENS)
    } else {
        None
    }
}

/// Fills `moves` with all legal moves and their ranks, in the order of generation.
pub(super) fn rank_all<const N: usize>(
    book: &Rulebook<N>,
    pos: &Position<N>,
    threats: &Threats<N>,
    hints: &Hints<'_>,
    moves: &mut Vec<Ranked>,
) {
    let side = pos.to_move();
    moves.clear();
    for from in book.movers(pos) {
        for to in book.targets(pos, from) {
            let mv = Move::new(from, to);
            let (rank, is_quiet) = match deed(pos, threats, mv) {
                Some(gain) => (gain + hints.history.value(side, mv), false),
                None => (hints.rank(side, mv), true),
            };
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
