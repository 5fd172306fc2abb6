//! Making moves, with all effects prescribed by the rules.

use crate::bitboard::Bitboard;
use crate::moves::Move;
use crate::outcome::{Outcome, Reason};
use crate::piece::{Piece, Role};
use crate::position::Position;
use crate::rulebook::Rulebook;
use crate::ruleset::{Berserk, Encirclement, NoMoves};
use crate::shape::Cell;
use crate::side::Side;

/// The effects of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effects<const N: usize> {
    /// The cells of the captured pieces, kings included. A captured mercenary stays on its cell and
    /// changes sides.
    pub captured: Bitboard<N>,
    /// The outcome if the move ended the game on the board; repetition rules and limits are
    /// ignored.
    pub outcome: Option<Outcome>,
}

impl<const N: usize> Rulebook<N> {
    /// Makes a move.
    ///
    /// Repetition rules and ply limits need the history of the game, see [`crate::Game`].
    ///
    /// # Panics
    ///
    /// May panic, or leave an inconsistent position, if the move is illegal.
    #[inline]
    pub fn play(&self, pos: &mut Position<N>, mv: Move) -> Effects<N> {
        self.play_with_captures(pos, mv, |_, _| {})
    }

    /// Returns the position after the side to move declines to continue a chain; `None` if it may not, or if the other side would
    /// have no move.
    pub fn after_declining(&self, pos: &Position<N>) -> Option<Position<N>> {
        if !self.may_decline(pos) {
            return None;
        }
        let mut next = *pos;
        next.end_ply(None);
        self.has_move(&next).then_some(next)
    }

    /// Makes a move and calls `on_capture` for every captured piece.
    #[inline(never)]
    pub(crate) fn play_with_captures(
        &self,
        pos: &mut Position<N>,
        mv: Move,
        on_capture: impl FnMut(Cell, Piece),
    ) -> Effects<N> {
        if pos.chain().is_some_and(|cell| cell != mv.from) && self.may_decline(pos) {
            pos.end_ply(None);
        }
        let side = pos.to_move();
        let piece = self.piece_of(pos, side, mv.from);
        let jumped = self.jumped(pos, mv, piece);
        pos.shift(mv.from, mv.to, piece);
        let captured = self.captures(pos, mv, piece, jumped);
        let mut captured_king = None;
        if captured.any() {
            captured_king = self.remove(pos, captured, side, on_capture);
        }
        // A player without a move loses only at the end of a turn: in a chain, the same piece moves again.
        let mut outcome = self.end_by_pieces(pos, side, mv.to, captured, captured_king);
        let opens = captured.any() || (jumped.is_some() && self.rules().chain.after_jumps);
        let goes_on = self.rules().berserk != Berserk::None
            && opens
            && outcome.is_none()
            && self.goes_on(pos, mv.to, piece);
        pos.end_ply(goes_on.then_some(mv.to));
        if outcome.is_none() && !goes_on && !self.has_move(pos) {
            outcome = self.end_without_moves(side);
        }
        Effects { captured, outcome }
    }

    /// Returns the outcome when the opponent of `mover` has no legal move.
    pub(crate) fn end_without_moves(&self, mover: Side) -> Option<Outcome> {
        match self.rules().no_moves {
            NoMoves::Lose => Some(Outcome::win(mover, Reason::NoLegalMove)),
            NoMoves::Draw => Some(Outcome::draw(Reason::NoLegalMove)),
            NoMoves::Ignore => None,
        }
    }

    /// Removes captured pieces, changes the side of mercenaries, and returns the royal king if he
    /// is among them.
    #[inline(never)]
    fn remove(
        &self,
        pos: &mut Position<N>,
        captured: Bitboard<N>,
        by: Side,
        mut on_capture: impl FnMut(Cell, Piece),
    ) -> Option<Piece> {
        let mut captured_king = None;
        for cell in captured {
            let victim = self.piece_of(pos, by.other(), cell);
            on_capture(cell, victim);
            pos.take(cell, victim);
            if victim.role == Role::Mercenary {
                pos.put(cell, Piece::new(by, Role::Mercenary));
            } else if victim.role == Role::King && self.rules().royal.contains(victim) {
                captured_king = Some(victim);
            }
        }
        captured_king
    }

    /// Returns the outcome shown by pieces and cells after a move of `side` to `to`.
    ///
    /// The first of these conditions decides. The order only matters if one move meets several of them, and
    /// then all rule texts agree that a capture of the king or his escape comes first. Repetition and limits
    /// come last: a decisive result outranks every draw counter.
    #[inline(always)]
    fn end_by_pieces(
        &self,
        pos: &mut Position<N>,
        side: Side,
        to: Cell,
        captured: Bitboard<N>,
        captured_king: Option<Piece>,
    ) -> Option<Outcome> {
        if captured_king.is_some() {
            return Some(Outcome::win(side, Reason::KingCaptured));
        }
        if pos.kings().meets(&self.king_ends)
            && let Some(outcome) = self.end_by_king(pos, side)
        {
            return Some(outcome);
        }
        // Only a move of the attackers can close a ring, or a capture, which may remove a defender outside it.
        if side == Side::Attackers && self.rules().encirclement != Encirclement::None {
            let may_be_enclosed = pos.enclosed || captured.any();
            pos.enclosed = self.closes_ring(pos, to, may_be_enclosed);
            if pos.enclosed {
                return Some(Outcome::win(Side::Attackers, Reason::Encirclement));
            }
        }
        if pos.side(side.other()).is_empty() {
            return Some(Outcome::win(side, Reason::AllCaptured));
        }
        None
    }

    /// Returns the outcome shown by the cells of the kings after a move of `side`.
    #[inline(never)]
    fn end_by_king(&self, pos: &Position<N>, side: Side) -> Option<Outcome> {
        if (pos.kings() & pos.side(side)).meets(&self.goals[side]) {
            return Some(Outcome::win(side, Reason::KingReachedGoal));
        }
        let is_in_fort = self.rules().exit_fort
            && (pos.kings() & pos.side(Side::Defenders)).meets(&self.topology.edge)
            && self.exit_fort(pos).is_some();
        is_in_fort.then(|| Outcome::win(Side::Defenders, Reason::ExitFort))
    }

    /// Returns whether the piece that moved to `to` continues a berserk chain.
    #[cold]
    fn goes_on(&self, pos: &Position<N>, to: Cell, piece: Piece) -> bool {
        let mut next = *pos;
        next.end_ply(Some(to));
        self.chain_targets(&next, to, piece).any()
    }
}
