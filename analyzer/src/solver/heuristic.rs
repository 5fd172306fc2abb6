//! The heuristics of the proof-number search: immediate wins, and initial proof and disproof
//! numbers.

use tafl_rules::{Bitboard, Move, Position, Rulebook, Side};

use super::proof_table::ProofNumbers;
use crate::facts::RoyalKing;

/// Returns a move that wins immediately by the escape of the own king or the capture of the enemy
/// king.
///
/// Other immediate wins are found when the moves are made.
#[inline]
pub(super) fn immediate_win<const N: usize>(book: &Rulebook<N>, pos: &Position<N>) -> Option<Move> {
    if pos.chain().is_some() {
        return None;
    }
    let king = RoyalKing::of(book, pos, pos.to_move());
    king.and_then(|king| king.winning_escape(book, pos)).or_else(|| king_capture(book, pos))
}

fn king_capture<const N: usize>(book: &Rulebook<N>, pos: &Position<N>) -> Option<Move> {
    let side = pos.to_move();
    let fatal = book.king_capture_cells(pos, side.other());
    if fatal.is_empty() {
        return None;
    }
    pos.side(side).into_iter().find_map(|from| {
        (book.targets(pos, from) & fatal).into_iter().map(|to| Move::new(from, to)).find(|mv| {
            let mut next = *pos;
            book.play(&mut next, *mv).outcome.is_some_and(|outcome| outcome.winner == Some(side))
        })
    })
}

/// Returns initial estimates of the effort to prove and to disprove that `goal` wins.
///
/// A threat to win immediately leaves few replies, so the search prefers lines of threats.
#[inline]
pub(super) fn estimate<const N: usize>(book: &Rulebook<N>, pos: &Position<N>, goal: Side) -> ProofNumbers {
    let replies = if pos.chain().is_some() { None } else { count_parries(book, pos) };
    let effort = replies.unwrap_or_else(|| book.count_moves(pos) as u32).max(1);
    if pos.to_move() == goal { ProofNumbers::open(1, effort) } else { ProofNumbers::open(effort, 1) }
}

/// Returns the approximate number of moves that parry a threat of an immediate win, or `None` if
/// there is no threat.
fn count_parries<const N: usize>(book: &Rulebook<N>, pos: &Position<N>) -> Option<u32> {
    let null_move = pos.after_null_move();
    let threat = immediate_win(book, &null_move)?;
    let side = pos.to_move();
    let enemy = side.other();
    let is_escape = book.goals(enemy).contains(threat.to) && book.royal_king(pos, enemy) == Some(threat.from);
    if !is_escape {
        let king = book.royal_king(pos, side)?;
        return Some(book.targets(pos, king).count() + EXPECTED_BLOCKS);
    }
    let path = book.topology().slide(threat.from, pos.occupied())
        & (book.topology().slide(threat.to, pos.occupied()) | Bitboard::of(threat.to));
    let blocks = pos.side(side).into_iter().map(|from| (book.targets(pos, from) & path).count()).sum::<u32>();
    Some(blocks + 1)
}

/// The expected number of captures and blocks by men that parry a threat to capture the king. An
/// estimate.
const EXPECTED_BLOCKS: u32 = 2;
