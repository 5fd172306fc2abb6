//! Move ordering: ranks moves and picks the best one.

use tafl_rules::{Bitboard, Move, Piece, Position, Role, Rulebook};

use super::Params;
use super::history::{ContinuationHistory, History};
use super::static_order::StaticOrder;
use crate::facts::NodeFacts;

/// A move with its rank; moves with higher ranks are searched first.
#[derive(Debug, Clone, Copy)]
pub(super) struct RankedMove {
    pub(super) mv: Move,
    pub(super) rank: i32,
    /// Whether the move is neither a capture, an evasion, nor a threat.
    pub(super) is_quiet: bool,
}

// The base ranks are farther apart than histories and static scores can move a rank: the sum of two history values is
// below 2^15, and the static score, with its default parameters, below 2^14.
const KING_CAPTURE: i32 = 1 << 27;
const EVASION: i32 = 1 << 26;
const CAPTURE: i32 = 1 << 25;
const ESCAPE_THREAT: i32 = 1 << 24;
pub(super) const KILLER: i32 = 1 << 23;

/// The heuristics that order the quiet moves of a node.
pub(super) struct Ordering<'h> {
    pub(super) killers: [Option<Move>; 2],
    /// The previous move.
    pub(super) previous: Option<Move>,
    pub(super) history: &'h History,
    pub(super) continuation: &'h ContinuationHistory,
    pub(super) params: &'h Params,
    /// The value of a man of the side to move on each cell, in hundredths.
    pub(super) man_values: &'h [i32],
}

/// Returns the base rank of a move that captures, evades, or threatens; `None` for quiet moves.
#[inline]
fn move_class<const N: usize>(pos: &Position<N>, facts: &NodeFacts<N>, mv: Move) -> Option<i32> {
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

/// Returns the cells on which a move is not quiet, at least if the right piece makes it.
#[inline]
fn noisy_cells<const N: usize>(facts: &NodeFacts<N>) -> Bitboard<N> {
    facts.king_captures | facts.threat_evasions | facts.captures | facts.king_escape_threats
}

/// Generates the legal moves that are not quiet with their ranks into `moves`.
pub(super) fn rank_noisy<const N: usize>(
    book: &Rulebook<N>,
    pos: &Position<N>,
    facts: &NodeFacts<N>,
    history: &History,
    moves: &mut Vec<RankedMove>,
) {
    moves.clear();
    let noisy = noisy_cells(facts);
    let must_capture = book.must_capture(pos);
    for from in book.movers_to(pos, noisy) {
        for to in book.targets_if(pos, from, must_capture) & noisy {
            let mv = Move::new(from, to);
            if let Some(class) = move_class(pos, facts, mv) {
                let rank = class + history.value(pos.to_move(), mv);
                moves.push(RankedMove { mv, rank, is_quiet: false });
            }
        }
    }
}

/// Appends the quiet legal moves with their ranks to `moves`.
pub(super) fn rank_quiets<const N: usize>(
    book: &Rulebook<N>,
    pos: &Position<N>,
    facts: &NodeFacts<N>,
    ordering: &Ordering<'_>,
    moves: &mut Vec<RankedMove>,
) {
    let side = pos.to_move();
    let first = moves.len();
    let must_capture = book.must_capture(pos);
    let noisy = noisy_cells(facts);
    let continuation = ordering.previous.map(|previous| ordering.continuation.row(side, previous));
    let mut all_targets = Bitboard::EMPTY;
    for from in book.movers(pos) {
        let history = ordering.history.row(side, from);
        let targets = book.targets_if(pos, from, must_capture);
        all_targets |= targets;
        for to in targets {
            let mv = Move::new(from, to);
            // Most moves are quiet, and one test shows it.
            if noisy.contains(to) && move_class(pos, facts, mv).is_some() {
                continue;
            }
            let by_history = i32::from(history[to.index()]);
            let by_previous = continuation.map_or(0, |row| i32::from(row[to.index()]));
            let killer = if ordering.killers.contains(&Some(mv)) { KILLER } else { 0 };
            moves.push(RankedMove { mv, rank: by_history + by_previous + killer, is_quiet: true });
        }
    }
    if ordering.params.static_order != 0 {
        let order = StaticOrder::new(book, pos, facts, all_targets, ordering.params, ordering.man_values);
        moves[first..].iter_mut().for_each(|ranked| ranked.rank += order.score(ranked.mv));
    }
}

/// Generates the legal moves to the cells that `targets` returns for each kind of piece into
/// `moves`.
pub(super) fn rank_targets<const N: usize>(
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
    for from in book.movers_to(pos, for_men | for_kings) {
        let cells = if kings.contains(from) { for_kings } else { for_men };
        for to in book.targets_if(pos, from, must_capture) & cells {
            let mv = Move::new(from, to);
            moves.push(RankedMove { mv, rank: history.value(side, mv), is_quiet: false });
        }
    }
}

/// The stages in which the moves of a node are generated. A cutoff in one stage saves the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MoveStage {
    TtMove,
    Noisy,
    Quiet,
}

/// The selection of a node's next move.
#[derive(Debug)]
pub(super) struct MovePicker {
    pub(super) tt_move: Option<Move>,
    pub(super) stage: MoveStage,
    /// The number of generated moves that have been picked.
    pub(super) at: usize,
}

impl MovePicker {
    /// Returns the next move of the stage, best first; `None` at the end of the stage.
    #[inline]
    pub(super) fn pick<const N: usize>(
        &mut self,
        pos: &Position<N>,
        facts: &NodeFacts<N>,
        moves: &mut [RankedMove],
    ) -> Option<RankedMove> {
        if self.stage == MoveStage::TtMove {
            // Once only: the move is repeated by no later stage.
            let mv = self.tt_move.filter(|_| self.at == 0)?;
            self.at = 1;
            return Some(RankedMove { mv, is_quiet: move_class(pos, facts, mv).is_none(), rank: 0 });
        }
        while self.at < moves.len() {
            let ranked = pick(moves, self.at);
            self.at += 1;
            if self.tt_move != Some(ranked.mv) {
                return Some(ranked);
            }
        }
        None
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
