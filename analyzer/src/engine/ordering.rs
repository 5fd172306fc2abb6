//! Move ordering: moves with their ranks, and the best of them first.

use tafl_rules::bitboard::Bitboard;
use tafl_rules::position::Position;
use tafl_rules::rulebook::Rulebook;
use tafl_rules::{Move, Piece, Role, Side};

use super::history::{ContinuationHistory, History};
use crate::facts::NodeFacts;

/// A move with its rank: the higher, the earlier it is searched.
#[derive(Debug, Clone, Copy)]
pub(super) struct RankedMove {
    pub(super) mv: Move,
    pub(super) rank: i32,
    /// Whether it seems to do nothing but move: no capture, no evasion, no threat.
    pub(super) is_quiet: bool,
}

// Classes lie further apart than histories can carry a move: a history is below 2^15 in absolute value.
const KING_CAPTURE: i32 = 1 << 27;
const EVASION: i32 = 1 << 26;
const CAPTURE: i32 = 1 << 25;
const ESCAPE_THREAT: i32 = 1 << 24;
const KILLER: i32 = 1 << 23;

/// What orders the quiet moves of a node.
pub(super) struct Ordering<'h> {
    pub(super) killers: [Option<Move>; 2],
    /// The move that led to the node.
    pub(super) previous: Option<Move>,
    pub(super) history: &'h History,
    pub(super) continuation: &'h ContinuationHistory,
}

impl Ordering<'_> {
    /// Returns the rank of a quiet move.
    #[inline]
    fn rank(&self, side: Side, mv: Move) -> i32 {
        let rank = self.history.value(side, mv) + self.continuation.value(side, self.previous, mv);
        if self.killers.contains(&Some(mv)) { rank + KILLER } else { rank }
    }
}

/// Returns the base rank of a move that captures, evades, or threatens; `None` for quiet moves.
#[inline]
pub(super) fn move_class<const N: usize>(pos: &Position<N>, facts: &NodeFacts<N>, mv: Move) -> Option<i32> {
    if facts.king_captures.contains(mv.to) {
        Some(KING_CAPTURE)
    } else if facts.threat_evasions.contains(mv.to) {
        Some(EVASION)
    } else if facts.captures.contains(mv.to) {
        Some(CAPTURE)
    } else if facts.king_escape_threats.contains(mv.to) && pos.kings().contains(mv.from) {
        Some(ESCAPE_THREAT)
    } else {
        None
    }
}

/// Fills `moves` with all legal moves and their ranks, in the order of generation.
pub(super) fn rank_all<const N: usize>(
    book: &Rulebook<N>,
    pos: &Position<N>,
    facts: &NodeFacts<N>,
    ordering: &Ordering<'_>,
    moves: &mut Vec<RankedMove>,
) {
    let side = pos.to_move();
    moves.clear();
    for from in book.movers(pos) {
        for to in book.targets(pos, from) {
            let mv = Move::new(from, to);
            let (rank, is_quiet) = match move_class(pos, facts, mv) {
                Some(class) => (class + ordering.history.value(side, mv), false),
                None => (ordering.rank(side, mv), true),
            };
            moves.push(RankedMove { mv, rank, is_quiet });
        }
    }
}

/// Fills `moves` with the legal moves of a side to some cells, which `targets` gives for each kind of piece.
pub(super) fn rank_noisy<const N: usize>(
    book: &Rulebook<N>,
    pos: &Position<N>,
    targets: impl Fn(Piece) -> Bitboard<N>,
    history: &History,
    moves: &mut Vec<RankedMove>,
) {
    let side = pos.to_move();
    let kings = pos.kings();
    moves.clear();
    let for_men = targets(Piece::new(side, Role::Soldier));
    let for_kings = targets(Piece::new(side, Role::King));
    for from in book.movers(pos) {
        let cells = if kings.contains(from) { for_kings } else { for_men };
        for to in book.targets(pos, from) & cells {
            let mv = Move::new(from, to);
            moves.push(RankedMove { mv, rank: history.value(side, mv), is_quiet: false });
        }
    }
}

/// Brings the best of the moves from `at` on to the place `at`. Selection instead of a sort, because most nodes end early.
#[inline]
pub(super) fn pick(moves: &mut [RankedMove], at: usize) -> RankedMove {
    let mut best = at;
    for other in at + 1..moves.len() {
        if moves[other].rank > moves[best].rank {
            best = other;
        }
    }
    moves.swap(at, best);
    moves[at]
}
