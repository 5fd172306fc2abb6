//! Facts that engines need besides the legal moves: capture cells, the reach of kings, and cordons.

use crate::bitboard::Bitboard;
use crate::moves::Move;
use crate::piece::{Piece, Role};
use crate::position::Position;
use crate::rulebook::Rulebook;
use crate::ruleset::Berserk;
use crate::setup::Setup;
use crate::shape::Cell;
use crate::side::Side;
use crate::topology::Topology;

impl<const N: usize> Rulebook<N> {
    /// Returns the tables of the board's shape.
    #[inline]
    pub fn topology(&self) -> &Topology<N> {
        &self.topology
    }

    /// Returns the goal cells of a side's king.
    #[inline]
    pub fn goals(&self, side: Side) -> Bitboard<N> {
        self.goals[side]
    }

    /// Returns the cell of a side's royal king, or `None` if the board has none.
    #[inline]
    pub fn royal_king(&self, pos: &Position<N>, side: Side) -> Option<Cell> {
        let king = Piece::new(side, Role::King);
        if self.rules().royal.contains(king) { pos.pieces(king).first() } else { None }
    }

    /// Returns the cells to which a piece could move if it were its side's turn, ignoring chains.
    #[inline]
    pub fn reach(&self, pos: &Position<N>, from: Cell, piece: Piece) -> Bitboard<N> {
        self.free_targets(pos, from, piece)
    }

    /// Returns the cells to which a piece could move from any of the given empty cells if it were
    /// its side's turn.
    #[inline]
    pub fn reach_of_all(&self, pos: &Position<N>, from: Bitboard<N>, piece: Piece) -> Bitboard<N> {
        self.targets_of_all(pos, from, piece)
    }

    /// Returns the cells that pieces of a kind could reach from `seeds` by any number of steps if
    /// all men of their own side stepped aside: through cells without enemies that such pieces may
    /// enter or pass. Includes the seeds; ignores jumps.
    #[inline]
    pub fn room(&self, pos: &Position<N>, seeds: Bitboard<N>, piece: Piece) -> Bitboard<N> {
        let masks = &self.movement_masks[piece];
        let walls = masks.block.without(masks.stop) | pos.side(piece.side.other());
        let open = self.topology.all.without(walls) | seeds;
        if masks.is_queen {
            let mut reached = seeds;
            loop {
                let next = self.topology.spread(reached) | self.topology.spread_diagonally(reached);
                let next = (next & open) | reached;
                if next == reached {
                    return reached;
                }
                reached = next;
            }
        }
        self.topology.flood(seeds, open)
    }

    /// Returns the same as [`Rulebook::room`] from the cell of a piece, whose targets in one and two moves are known: if it only
    /// slides, these are in its room, and the rest is found sooner.
    #[inline]
    pub fn room_beyond(
        &self,
        pos: &Position<N>,
        cell: Cell,
        piece: Piece,
        known: Bitboard<N>,
    ) -> Bitboard<N> {
        let seeds = Bitboard::of(cell);
        let is_plain = self.movement_masks[piece].is_plain && !self.zone_rules.cells.meets(&(known | seeds));
        self.room(pos, if is_plain { seeds | known } else { seeds }, piece)
    }

    /// Returns the empty cells on which a piece of a side would capture men, between it and an
    /// anvil on the opposite side, whether or not a piece can move there.
    ///
    /// Counts every piece other than a king as a man. Ignores shieldwalls, Linnaean captures, captures
    /// against the edge or on corners of hexagonal boards, and jumps.
    pub fn capture_cells(&self, pos: &Position<N>, by: Side) -> Bitboard<N> {
        let victim = Piece::new(by.other(), Role::Soldier);
        let victims = pos.side(by.other()).without(pos.kings());
        let anvils = self.anvils_of(pos, by) | self.hostile_ground(pos, victim);
        self.topology.flanks(victims, anvils).without(pos.occupied())
    }

    /// Returns the cells on which a man of a side could be captured by a man that arrives on a cell of `arrivals`: those
    /// with an anvil on the opposite side, whether or not a man is on them.
    ///
    /// Ignores the same captures as [`Rulebook::capture_cells`].
    #[inline]
    pub fn exposed_cells(&self, pos: &Position<N>, side: Side, arrivals: Bitboard<N>) -> Bitboard<N> {
        let anvils =
            self.anvils_of(pos, side.other()) | self.hostile_ground(pos, Piece::new(side, Role::Soldier));
        self.topology.between(anvils, arrivals)
    }

    /// Returns whether only a move onto the line of a king to a goal, or onto a cell beside him, can prevent his escape:
    /// no piece jumps, moves diagonally, or moves twice in a turn, and no rule forces captures.
    #[inline]
    pub fn escapes_need_block(&self) -> bool {
        !self.forces_capture && self.slides_only && self.rules().berserk == Berserk::None
    }

    /// Returns the empty cells on which one more enemy could complete a captor set of a side's
    /// king, whether or not an enemy can move there.
    #[inline]
    pub fn king_capture_cells(&self, pos: &Position<N>, side: Side) -> Bitboard<N> {
        match self.royal_king(pos, side) {
            Some(king) => self.fatal_cells(pos, king, Piece::new(side, Role::King)).without(pos.occupied()),
            None => Bitboard::EMPTY,
        }
    }

    /// Returns whether no path leads a side's king to a goal through cells without enemies, even if
    /// all his own men stepped aside. True if there is no such king.
    #[inline]
    pub fn is_king_cordoned(&self, pos: &Position<N>, side: Side) -> bool {
        self.royal_king(pos, side)
            .is_none_or(|king| self.is_cordoned(pos, king, Piece::new(side, Role::King)))
    }

    /// Returns the position with pieces on distinct cells and a side to move; like
    /// [`Rulebook::position`], without a setup.
    pub fn position_of(&self, pieces: impl IntoIterator<Item = (Cell, Piece)>, to_move: Side) -> Position<N> {
        let mut pos = Position::new(&Setup::empty(self.shape()), to_move);
        pieces.into_iter().for_each(|(cell, piece)| pos.put(cell, piece));
        pos.enclosed = self.is_enclosed(&pos);
        pos
    }

    /// Returns the position before the side that is not to move moved a piece from `mv.from` to
    /// `mv.to` without a capture. Does not check whether the move is legal there.
    pub fn retract(&self, pos: &Position<N>, mv: Move) -> Position<N> {
        let mut before = pos.after_null_move();
        let piece = Piece::new(before.to_move(), before.role_at(mv.to));
        before.shift(mv.to, mv.from, piece);
        before.enclosed = self.is_enclosed(&before);
        before
    }
}

impl<const N: usize> Position<N> {
    /// Returns the position after a null move: the other side is to move, without a chain.
    #[inline]
    pub fn after_null_move(&self) -> Position<N> {
        let mut next = *self;
        next.set_to_move(self.to_move().other());
        next
    }

    /// Returns the position inside a chain, in which the piece on `cell` must move again.
    pub fn with_chain(&self, cell: Cell) -> Position<N> {
        let mut next = *self;
        next.end_ply(Some(cell));
        next
    }
}
