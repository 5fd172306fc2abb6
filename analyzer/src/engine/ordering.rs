//! Move ordering: ranks moves and picks the best one.

use tafl_rules::{Bitboard, Move, Piece, Position, Role, Rulebook};

use super::history::{ContinuationHistory, History};
use crate::facts::NodeFacts;

/// A move with its rank; moves with higher ranks are searched first.
#[derive(Debug, Clone, Copy)]
pub(super) struct RankedMove {
    pub(super) mv: Move,
    pub(super) rank: i32,
    /// Whether the move is neither a capture, an evasion, nor a threat.
    pub(super) is_quiet: bool,
}

// The base ranks are farther apart than histories can move a rank, as a history value is below
// 2^15.
const KING_CAPTURE: i32 = 1 << 27;
const EVASION: i32 = 1 << 26;
const CAPTURE: i32 = 1 << 25;
const ESCAPE_THREAT: i32 = 1 << 24;
const KILLER: i32 = 1 << 23;

/// The heuristics that order the quiet moves of a node.
pub(super) struct Ordering<'h> {
    pub(super) killers: [Option<Move>; 2],
    /// The previous move.
    pub(super) previous: Option<Move>,
    pub(super) history: &'h History,
    pub(super) continuation: &'h ContinuationHistory,
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

/// Generates all legal moves with their ranks into `moves`.
pub(super) fn rank_all<const N: usize>(
    book: &Rulebook<N>,
    pos: &Position<N>,
    facts: &NodeFacts<N>,
    ordering: &Ordering<'_>,
    moves: &mut Vec<RankedMove>,
) {
    let side = pos.to_move();
    moves.clear();
    let must_capture = book.must_capture(pos);
    // Most moves are quiet, and one test of this set shows it.
    let noisy = facts.king_captures | facts.threat_evasions | facts.captures | facts.king_escape_threats;
    let continuation = ordering.previous.map(|previous| ordering.continuation.row(side, previous));
    for from in book.movers(pos) {
        let history = ordering.history.row(side, from);
        for to in book.targets_if(pos, from, must_capture) {
            let mv = Move::new(from, to);
            let by_history = i32::from(history[to.index()]);
            let class = if noisy.contains(to) { move_class(pos, facts, mv) } else { None };
            let (rank, is_quiet) = match class {
                Some(class) => (class + by_history, false),
                None => {
                    let by_previous = continuation.map_or(0, |row| i32::from(row[to.index()]));
                    let killer = if ordering.killers.contains(&Some(mv)) { KILLER } else { 0 };
                    (by_history + by_previous + killer, true)
                }
            };
            moves.push(RankedMove { mv, rank, is_quiet });
        }
    }
}

/// Generates the legal moves to the cells that `targets` returns for each kind of piece into
/// `moves`.
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
    let must_capture = book.must_capture(pos);
    for from in book.movers(pos) {
        let cells = if kings.contains(from) { for_kings } else { for_men };
        for to in book.targets_if(pos, from, must_capture) & cells {
            let mv = Move::new(from, to);
            moves.push(RankedMove { mv, rank: history.value(side, mv), is_quiet: false });
        }
    }
}

/// Swaps the best of the moves from `at` on to index `at`. Selection instead of sorting, because
/// most nodes end early.
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
