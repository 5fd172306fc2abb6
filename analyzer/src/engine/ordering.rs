//! Move ordering: ranks moves and picks the best one.

use tafl_rules::{Bitboard, Move, Piece, Position, Role, Rulebook};

use super::Params;
use super::history::{ContinuationHistory, History};
use super::static_order::StaticOrder;
use crate::facts::NodeFacts;

/// A move with its rank.
#[derive(Debug, Clone, Copy)]
pub(super) struct RankedMove {
    pub(super) mv: Move,
    pub(super) rank: i32,
    /// Whether the move is neither a capture, an evasion, nor a threat.
    pub(super) is_quiet: bool,
}

/// Moves with their ranks; moves with higher ranks are searched first. Ranks have a list of their own, so that several can be
/// compared at once.
#[derive(Debug, Default, Clone)]
pub(super) struct RankedMoves {
    moves: Vec<Move>,
    ranks: Vec<i32>,
}

impl RankedMoves {
    pub(super) fn clear(&mut self) {
        self.moves.clear();
        self.ranks.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.moves.len()
    }

    #[inline]
    fn push(&mut self, mv: Move, rank: i32) {
        self.moves.push(mv);
        self.ranks.push(rank);
    }

    /// Swaps the best of the moves from `at` on to index `at`, and returns it with its rank. Selection instead of sorting,
    /// because most nodes end early.
    ///
    /// # Panics
    ///
    /// Panics if there is no move at this index.
    #[inline]
    pub(super) fn pick(&mut self, at: usize) -> (Move, i32) {
        let best = at + first_of_highest(&self.ranks[at..]);
        self.moves.swap(at, best);
        self.ranks.swap(at, best);
        (self.moves[at], self.ranks[at])
    }
}

/// Returns the index of the first of the highest ranks.
fn first_of_highest(ranks: &[i32]) -> usize {
    /// The number of ranks that are compared at once.
    const LANES: usize = 16;
    let highest = ranks.iter().copied().fold(i32::MIN, i32::max);
    let has_none = |ranks: &&[i32; LANES]| !ranks.iter().fold(false, |any, rank| any | (*rank == highest));
    let skipped = LANES * ranks.as_chunks::<LANES>().0.iter().take_while(has_none).count();
    skipped + ranks[skipped..].iter().take_while(|rank| **rank != highest).count()
}

// The base ranks are farther apart than histories and static scores can move a rank: the sum of two history values is
// at most 2^15, and the static score, with its default parameters, below 2^14.
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

/// Generates the legal moves that are not quiet with their ranks into `moves`. Moves of the other side, which are legal in a chain
/// that may be declined, are left out here and below: the search declines the chain first.
pub(super) fn rank_noisy<const N: usize>(
    book: &Rulebook<N>,
    pos: &Position<N>,
    facts: &NodeFacts<N>,
    history: &History,
    moves: &mut RankedMoves,
) {
    moves.clear();
    let noisy = noisy_cells(facts);
    let must_capture = book.must_capture(pos);
    for from in book.movers_to(pos, noisy) & pos.side(pos.to_move()) {
        for to in book.targets_if(pos, from, must_capture) & noisy {
            let mv = Move::new(from, to);
            if let Some(class) = move_class(pos, facts, mv) {
                let rank = class + history.value(pos.to_move(), mv);
                moves.push(mv, rank);
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
    order: &mut StaticOrder,
    moves: &mut RankedMoves,
) {
    let side = pos.to_move();
    let first = moves.len();
    let must_capture = book.must_capture(pos);
    let noisy_for_kings = noisy_cells(facts);
    let noisy_for_men = facts.king_captures | facts.threat_evasions | facts.captures;
    let continuation = ordering.previous.map(|previous| ordering.continuation.row(side, previous));
    let static_order = ordering.params.static_order;
    let mut all_targets = Bitboard::EMPTY;
    for from in book.movers(pos) & pos.side(side) {
        let history = ordering.history.row(side, from);
        let targets = book.targets_if(pos, from, must_capture);
        all_targets |= targets;
        let is_king = pos.kings().contains(from);
        let has_killer = ordering.killers.iter().flatten().any(|killer| killer.from == from);
        for to in targets.without(if is_king { noisy_for_kings } else { noisy_for_men }) {
            let mv = Move::new(from, to);
            let by_history = i32::from(history[to.index()]);
            let by_previous = continuation.map_or(0, |row| i32::from(row[to.index()]));
            let mut rank = by_history + by_previous;
            if has_killer && ordering.killers.contains(&Some(mv)) {
                rank += KILLER;
            }
            if is_king {
                rank -= StaticOrder::man_value_gain(mv, ordering.man_values) * static_order;
            }
            moves.push(mv, rank);
        }
    }
    if static_order != 0 {
        order.compute(book, pos, facts, all_targets, ordering.params, ordering.man_values);
        for (mv, rank) in moves.moves[first..].iter().zip(&mut moves.ranks[first..]) {
            *rank += order.score(*mv) * static_order;
        }
    }
}

/// Generates the legal moves to the cells that `targets` returns for each kind of piece into
/// `moves`.
pub(super) fn rank_targets<const N: usize>(
    book: &Rulebook<N>,
    pos: &Position<N>,
    targets: impl Fn(Piece) -> Bitboard<N>,
    history: &History,
    moves: &mut RankedMoves,
) {
    let side = pos.to_move();
    let kings = pos.kings();
    moves.clear();
    let for_men = targets(Piece::new(side, Role::Soldier));
    let for_kings = targets(Piece::new(side, Role::King));
    let must_capture = book.must_capture(pos);
    for from in book.movers_to(pos, for_men | for_kings) & pos.side(side) {
        let cells = if kings.contains(from) { for_kings } else { for_men };
        for to in book.targets_if(pos, from, must_capture) & cells {
            let mv = Move::new(from, to);
            moves.push(mv, history.value(side, mv));
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
        moves: &mut RankedMoves,
    ) -> Option<RankedMove> {
        if self.stage == MoveStage::TtMove {
            // Once only: the move is repeated by no later stage.
            let mv = self.tt_move.filter(|_| self.at == 0)?;
            self.at = 1;
            return Some(RankedMove { mv, is_quiet: move_class(pos, facts, mv).is_none(), rank: 0 });
        }
        while self.at < moves.len() {
            let (mv, rank) = moves.pick(self.at);
            self.at += 1;
            if self.tt_move != Some(mv) {
                return Some(RankedMove { mv, rank, is_quiet: self.stage == MoveStage::Quiet });
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use tafl_rules::{Cell, Rng};

    use super::*;

    #[test]
    fn moves_are_picked_by_rank_and_then_by_place() {
        let mut rng = Rng::new(3);
        for n in 1..60 {
            let mut moves = RankedMoves::default();
            let mut expected: Vec<(Move, i32)> = Vec::new();
            for at in 0..n {
                let (mv, rank) = (Move::new(Cell::new(at), Cell::new(0)), rng.below(9) as i32 - 4);
                moves.push(mv, rank);
                expected.push((mv, rank));
            }
            for at in 0..n {
                let highest = expected[at..].iter().map(|(_, rank)| *rank).max().unwrap();
                let best = (at..n).find(|other| expected[*other].1 == highest).unwrap();
                expected.swap(at, best);
                assert_eq!(moves.pick(at), expected[at]);
            }
        }
    }
}
