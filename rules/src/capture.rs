//! The pieces captured by a move.
//!
//! All captures are found on the board after the move, before any captured piece is removed. No rule text
//! states an order, and none is needed: in the 2,277 games of the csv archives of aagenielsen.dk, removing
//! the pieces one by one would never have made a difference.
//!
//! Captures are active: a piece "is only captured if the trap is closed by a move of the opponent" (Fetlar
//! rules). Every test therefore starts from the cell of the piece that moved, and a piece that enters a trap
//! by itself is safe.

use crate::bitboard::Bitboard;
use crate::moves::Move;
use crate::piece::{Piece, Role};
use crate::position::Position;
use crate::rulebook::{CaptorSet, Cover, Rulebook};
use crate::ruleset::Jump;
use crate::shape::Cell;
use crate::side::Side;

impl<const N: usize> Rulebook<N> {
    /// Returns the pieces captured by the move that led to `pos`, in which they are still on the
    /// board and the side to move has not changed yet.
    ///
    /// `jumped` is the cell that the move jumped over, if any.
    #[inline(always)]
    pub(crate) fn captures(
        &self,
        pos: &Position<N>,
        mv: Move,
        piece: Piece,
        jumped: Option<Cell>,
    ) -> Bitboard<N> {
        // Sea battle tafl: "The king may not take part in captures".
        if !self.hammers.contains(piece) {
            return Bitboard::EMPTY;
        }
        let enemy = pos.side(piece.side.other());
        let mut captured = Bitboard::EMPTY;
        if self.topology.neighbors(mv.to).meets(&enemy) {
            captured = self.captures_by_neighbors(pos, mv.to, piece);
        }
        if let Some(cell) = jumped.filter(|cell| enemy.contains(*cell))
            && self.movement_masks[piece].jump == Jump::Capturing
            && self.falls_when_jumped(pos, piece.side.other(), cell)
        {
            captured.insert(cell);
        }
        captured
    }

    /// Returns whether a piece falls when it is jumped over: all pieces do, except guards and
    /// duces.
    #[cold]
    fn falls_when_jumped(&self, pos: &Position<N>, side: Side, cell: Cell) -> bool {
        let victim = self.piece_of(pos, side, cell);
        self.men.contains(victim) || victim.role == Role::King
    }

    #[inline(never)]
    fn captures_by_neighbors(&self, pos: &Position<N>, to: Cell, piece: Piece) -> Bitboard<N> {
        let enemy_side = piece.side.other();
        let mut enemy = pos.side(enemy_side);
        let anvils = self.anvils_of(pos, piece.side);
        let mut captured = Bitboard::EMPTY;
        if self.has_plain_soldiers {
            // Without branches, because no branch predictor knows on which sides there are enemies.
            let soldiers = enemy.without(pos.kings());
            let hostile = anvils | self.hostile_ground(pos, Piece::new(enemy_side, Role::Soldier));
            captured = self.topology.flanked(to, soldiers, hostile);
            enemy &= pos.kings();
        }
        if self.topology.neighbors(to).meets(&enemy) {
            for across in self.topology.across(to) {
                if !enemy.contains(across.near) {
                    continue;
                }
                let victim = self.piece_of(pos, enemy_side, across.near);
                let falls = if self.men.contains(victim) {
                    match across.far {
                        Some(far) if anvils.contains(far) => true,
                        Some(far) => self.hostile_ground(pos, victim).contains(far),
                        None => self.rules().edge_hostile.contains(victim),
                    }
                } else if self.dux.contains(victim) {
                    self.dux_captors(pos, across.near, to, piece).is_some()
                } else {
                    victim.role == Role::King && self.king_captors(pos, across.near, to, piece).is_some()
                };
                if falls {
                    captured.insert(across.near);
                }
            }
        }
        if self.has_rare_captures { captured | self.rare_captures(pos, to, piece) } else { captured }
    }

    /// Returns the captures that few rules have. They have a function of their own, so that the common case
    /// is a single test of `has_rare_captures`.
    #[inline]
    fn rare_captures(&self, pos: &Position<N>, to: Cell, piece: Piece) -> Bitboard<N> {
        let mut captured = Bitboard::EMPTY;
        if self.rules().shieldwall.is_some() {
            captured |= self.shieldwalls(pos, to, piece);
        }
        if self.rules().linnaean {
            captured |= self.linnaean(pos, to, piece);
        }
        if self.rules().hex_corner_capture {
            captured |= self.on_hex_corners(pos, to, piece);
        }
        captured
    }

    /// Returns the hostile neighbors of the dux on `dux` if the piece that has just moved to `to`
    /// brings their number to three or more.
    #[cold]
    pub(crate) fn dux_captors(
        &self,
        pos: &Position<N>,
        dux: Cell,
        to: Cell,
        mover: Piece,
    ) -> Option<Bitboard<N>> {
        let victim = self.piece_of(pos, mover.side.other(), dux);
        let hostile = self.anvils_of(pos, mover.side) | self.hostile_ground(pos, victim) | Bitboard::of(to);
        let captors = self.topology.neighbors(dux) & hostile;
        (captors.count() >= 3).then_some(captors)
    }

    /// Returns the captor set that captures the royal king on `king`, if the piece that has just
    /// moved to `to` completes one.
    pub(crate) fn king_captors(
        &self,
        pos: &Position<N>,
        king: Cell,
        to: Cell,
        mover: Piece,
    ) -> Option<&CaptorSet<N>> {
        let victim = Piece::new(mover.side.other(), Role::King);
        let anvils = self.anvils_of(pos, mover.side);
        self.captors[victim.side][king.index()].iter().filter(|set| set.cells.contains(to)).find(|set| {
            let others = set.cells.without(Bitboard::of(to));
            match set.cover {
                Cover::Hostile => others.is_subset(&(anvils | self.hostile_ground(pos, victim))),
                Cover::Pieces => others.is_subset(&anvils),
                // Berserk rules: two commanders on opposite sides, or a commander and an empty corner. The
                // text names no other piece that could close or hold the trap.
                Cover::Piercing => {
                    let is_hostile = self.rules().zones.corners.hostile.contains(victim);
                    let corners =
                        if is_hostile { self.corners.without(pos.occupied()) } else { Bitboard::EMPTY };
                    let commanders = pos.role(Role::Commander) & pos.side(mover.side);
                    mover.role == Role::Commander && others.is_subset(&(commanders | corners))
                }
            }
        })
    }

    /// Returns the defenders captured by Linnaean captures: a defender between an attacker and the
    /// throne falls if the king on the throne has attackers on his other three sides.
    ///
    /// Source: Linnaeus, Iter Lapponicum (1732): the fourth Swede can be killed against the king in the
    /// castle.
    pub(crate) fn linnaean(&self, pos: &Position<N>, to: Cell, mover: Piece) -> Bitboard<N> {
        // The text gives this capture to the Muscovites only.
        if mover.side != Side::Attackers {
            return Bitboard::EMPTY;
        }
        let thrones = self.throne & pos.kings() & pos.side(Side::Defenders);
        let anvils = self.anvils_of(pos, Side::Attackers);
        let falls = |near: &Cell, far: Cell| {
            pos.side(Side::Defenders).contains(*near)
                && thrones.contains(far)
                && self.men.contains(self.piece_of(pos, Side::Defenders, *near))
                && self.topology.neighbors(far).without(Bitboard::of(*near)).is_subset(&anvils)
        };
        self.topology
            .across(to)
            .iter()
            .filter(|across| across.far.is_some_and(|far| falls(&across.near, far)))
            .map(|across| across.near)
            .collect()
    }

    /// Returns the men on corners of a hexagonal board that are captured by pieces on the two
    /// neighboring rim cells.
    ///
    /// Source: the figure of the heXentafl rules. A corner has no pair of opposite neighbors, so the two
    /// neighbors on the rim take their place; the inward neighbor never captures.
    pub(crate) fn on_hex_corners(&self, pos: &Position<N>, to: Cell, mover: Piece) -> Bitboard<N> {
        let anvils = self.anvils_of(pos, mover.side);
        let enemy = mover.side.other();
        let falls = |corner: Cell| {
            pos.side(enemy).contains(corner) && self.men.contains(self.piece_of(pos, enemy, corner))
        };
        self.rim_pairs[to.index()]
            .iter()
            .filter(|(corner, other)| anvils.contains(*other) && falls(*corner))
            .map(|(corner, _)| *corner)
            .collect()
    }
}
