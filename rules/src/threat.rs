//! What engines ask of a position besides its legal moves: where captures are, where a king can go, who stands by.

use crate::bitboard::Bitboard;
use crate::moves::Move;
use crate::piece::{Piece, Role};
use crate::position::Position;
use crate::rulebook::Rulebook;
use crate::setup::Setup;
use crate::shape::{Cell, Shape};
use crate::side::Side;
use crate::topology::Topology;

impl<const N: usize> Rulebook<N> {
    /// Returns the tables of the board's shape.
    #[inline]
    pub fn topology(&self) -> &Topology<N> {
        &self.topology
    }

    /// Returns the cells on which a side's king wins.
    #[inline]
    pub fn goals(&self, side: Side) -> Bitboard<N> {
        self.goals[side]
    }

    /// Returns the cell of a side's king whose capture loses, if it has one on the board.
    #[inline]
    pub fn royal_king(&self, pos: &Position<N>, side: Side) -> Option<Cell> {
        let king = Piece::new(side, Role::King);
        if self.rules().royal.contains(king) { pos.pieces(king).first() } else { None }
    }

    /// Returns the cells that a piece on a cell could move to if it were its side's turn, chains aside.
    #[inline]
    pub fn reach(&self, pos: &Position<N>, from: Cell, piece: Piece) -> Bitboard<N> {
        self.free_targets(pos, from, piece)
    }

    /// Returns the cells that a piece could move to from any of some empty cells if it were its side's turn.
    #[inline]
    pub fn reach_of_all(&self, pos: &Position<N>, from: Bitboard<N>, piece: Piece) -> Bitboard<N> {
        self.targets_of_all(pos, from, piece)
    }

    /// Returns the cells that pieces of a kind could step to from `seeds`, one after another, if all men of their own side
    /// stepped aside: through cells without enemies that such pieces may enter or pass. The seeds are among them; jumps
    /// are not looked for.
    #[inline]
    pub fn room(&self, pos: &Position<N>, seeds: Bitboard<N>, piece: Piece) -> Bitboard<N> {
        let way = &self.movement_masks[piece];
        let walls = way.block.without(way.stop) | pos.side(piece.side.other());
        let open = self.topology.all.without(walls) | seeds;
        if way.is_queen {
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

    /// Returns empty cells on which a piece of a side would capture men: between it and an anvil across, whether or not
    /// a piece can come there.
    ///
    /// Kings, shieldwalls, Linnaean captures, duces and jumps are not looked for.
    pub fn capture_cells(&self, pos: &Position<N>, by: Side) -> Bitboard<N> {
        let victim = Piece::new(by.other(), Role::Soldier);
        let victims = pos.side(by.other()).without(pos.kings());
        let anvils = self.anvils_of(pos, by) | self.hostile_ground(pos, victim);
        let empty = self.topology.all.without(pos.occupied());
        match self.shape() {
            Shape::Square { .. } => self.topology.sandwich(victims, anvils) & empty,
            Shape::Hex { .. } => {
                let falls = |near: Cell| {
                    let free = self.topology.across(near).iter().filter(|across| empty.contains(across.near));
                    free.filter(|across| {
                        let back = self.topology.across(across.near);
                        let behind = back.iter().find(|back| back.near == near).and_then(|back| back.far);
                        behind.is_some_and(|far| anvils.contains(far))
                    })
                    .map(|across| across.near)
                    .collect::<Bitboard<N>>()
                };
                victims.iter().fold(Bitboard::EMPTY, |cells, near| cells | falls(near))
            }
        }
    }

    /// Returns empty cells on which one more enemy could complete a set that captures the king of a side, whether or not
    /// an enemy can come there.
    #[inline]
    pub fn king_capture_cells(&self, pos: &Position<N>, side: Side) -> Bitboard<N> {
        match self.royal_king(pos, side) {
            Some(king) => self.fatal_cells(pos, king, Piece::new(side, Role::King)).without(pos.occupied()),
            None => Bitboard::EMPTY,
        }
    }

    /// Returns whether no way leads the king of a side to a goal through cells without enemies, even if all his own men
    /// stepped aside; also where there is no such king.
    #[inline]
    pub fn is_king_cordoned(&self, pos: &Position<N>, side: Side) -> bool {
        self.royal_king(pos, side)
            .is_none_or(|king| self.is_cordoned(pos, king, Piece::new(side, Role::King)))
    }

    /// Returns the position of pieces on different cells, with a side to move: as [`Rulebook::position`], without a setup.
    pub fn arranged(&self, pieces: impl IntoIterator<Item = (Cell, Piece)>, to_move: Side) -> Position<N> {
        let mut pos = Position::new(&Setup::empty(self.shape()), to_move);
        pieces.into_iter().for_each(|(cell, piece)| pos.put(cell, piece));
        pos.enclosed = self.is_enclosed(&pos);
        pos
    }

    /// Returns the position in which the side that is not to move has not yet moved a piece from `mv.from` to `mv.to`, where
    /// it captured nothing. Whether the move is legal there is not asked.
    pub fn taken_back(&self, pos: &Position<N>, mv: Move) -> Position<N> {
        let mut before = pos.passed();
        let piece = Piece::new(before.to_move(), before.role_at(mv.to));
        before.shift(mv.to, mv.from, piece);
        before.enclosed = self.is_enclosed(&before);
        before
    }
}

impl<const N: usize> Position<N> {
    /// Returns the position with the other side to move and no chain, as if the side to move had passed.
    #[inline]
    pub fn passed(&self) -> Position<N> {
        let mut next = *self;
        next.set_to_move(self.to_move().other());
        next
    }

    /// Returns the position in the middle of a chain: the piece on `cell` goes on, in its side's turn.
    pub fn going_on(&self, cell: Cell) -> Position<N> {
        let mut next = *self;
        next.end_ply(Some(cell));
        next
    }
}
