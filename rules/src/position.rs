//! Positions: pieces, side to move, and key.

use crate::bitboard::Bitboard;
use crate::piece::{Piece, Role};
use crate::setup::Setup;
use crate::shape::{Cell, Shape};
use crate::side::Side;
use crate::zobrist::{self, PositionKey};

/// The pieces on a board whose cells fit in `N` words, and the side to move. A position does not
/// know the rules.
///
/// # Examples
///
/// ```
/// use tafl_rules::{Position, RuleSet, Side};
///
/// let start = RuleSet::named("brandubh7").unwrap().start;
/// let position: Position<1> = Position::new(&start, Side::Attackers);
/// assert_eq!(position.side(Side::Attackers).count(), 8);
/// println!("{}", position.setup(start.shape()).diagram());
/// ```
///
/// Invariants: each cell holds at most one piece, and the key always matches the other fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position<const N: usize> {
    sides: [Bitboard<N>; 2],
    /// The pieces other than soldiers, by role in the order of [`Role::ALL`] without its first
    /// element. Most pieces are soldiers, so moving them touches no role board.
    roles: [Bitboard<N>; 5],
    to_move: Side,
    /// The piece that must move again in a berserk chain.
    chain: Option<Cell>,
    /// Whether the defenders were enclosed after the last move of the attackers, or at the start;
    /// false in positions made without rules. Not part of the key.
    pub(crate) enclosed: bool,
    key: u64,
}

impl<const N: usize> Position<N> {
    /// Returns the position with the given arrangement and side to move.
    ///
    /// # Panics
    ///
    /// Panics if the board of the arrangement does not fit in `N` words.
    pub fn new(setup: &Setup, to_move: Side) -> Position<N> {
        let mut pos = Position {
            sides: [Bitboard::EMPTY; 2],
            roles: [Bitboard::EMPTY; 5],
            to_move,
            chain: None,
            enclosed: false,
            key: zobrist::shape(setup.shape()) ^ zobrist::side_to_move(to_move),
        };
        for (cell, piece) in setup.pieces() {
            pos.put(cell, piece);
        }
        pos
    }

    /// Returns the arrangement.
    pub fn setup(&self, shape: Shape) -> Setup {
        let mut setup = Setup::empty(shape);
        for cell in self.occupied() {
            setup.put(cell, self.piece(cell));
        }
        setup
    }

    /// Returns the side to move.
    #[inline]
    pub fn to_move(&self) -> Side {
        self.to_move
    }

    /// Returns the cell of the piece that must move again in a berserk chain, or `None`.
    #[inline]
    pub fn chain(&self) -> Option<Cell> {
        self.chain
    }

    /// Returns the Zobrist key.
    #[inline]
    pub fn key(&self) -> PositionKey {
        PositionKey(self.key)
    }

    /// Returns the pieces of a side, kings included.
    #[inline]
    pub fn side(&self, side: Side) -> Bitboard<N> {
        self.sides[side.index()]
    }

    /// Returns the pieces of a side without a copy.
    #[inline]
    pub(crate) fn side_ref(&self, side: Side) -> &Bitboard<N> {
        &self.sides[side.index()]
    }

    /// Returns all pieces.
    #[inline]
    pub fn occupied(&self) -> Bitboard<N> {
        self.sides[0] | self.sides[1]
    }

    /// Returns the pieces of a role on both sides. Soldiers are the pieces that are on no role
    /// board.
    #[inline]
    pub fn role(&self, role: Role) -> Bitboard<N> {
        match role {
            Role::Soldier => {
                let others = self.roles.iter().fold(Bitboard::EMPTY, |all, role| all | *role);
                self.occupied().without(others)
            }
            Role::Commander | Role::Knight | Role::King | Role::Mercenary | Role::Guard => {
                self.roles[role as usize - 1]
            }
        }
    }

    /// Returns the pieces of one kind.
    #[inline]
    pub fn pieces(&self, piece: Piece) -> Bitboard<N> {
        self.role(piece.role) & self.side(piece.side)
    }

    /// Returns the kings of both sides.
    #[inline]
    pub fn kings(&self) -> Bitboard<N> {
        self.role(Role::King)
    }

    /// Returns the role of the piece on an occupied cell.
    #[inline]
    pub fn role_at(&self, cell: Cell) -> Role {
        for role in [Role::King, Role::Commander, Role::Knight, Role::Mercenary, Role::Guard] {
            if self.roles[role as usize - 1].contains(cell) {
                return role;
            }
        }
        Role::Soldier
    }

    /// Returns the piece on a cell.
    #[inline]
    pub fn piece(&self, cell: Cell) -> Option<Piece> {
        let side = if self.sides[0].contains(cell) {
            Side::Attackers
        } else if self.sides[1].contains(cell) {
            Side::Defenders
        } else {
            return None;
        };
        Some(Piece::new(side, self.role_at(cell)))
    }

    /// Returns the key computed from scratch; equals [`Position::key`] if the incremental updates
    /// are correct.
    pub fn recomputed_key(&self, shape: Shape) -> PositionKey {
        let chain = self.chain.map_or(0, zobrist::chain);
        let pieces = self.occupied().iter().filter_map(|cell| self.piece(cell).map(|piece| (cell, piece)));
        PositionKey(pieces.fold(
            zobrist::shape(shape) ^ zobrist::side_to_move(self.to_move) ^ chain,
            |key, (cell, piece)| key ^ zobrist::piece_on(piece, cell),
        ))
    }

    /// Returns the key of the position with the cells renumbered by `map`.
    pub(crate) fn mapped_key(&self, shape: Shape, map: &[Cell]) -> u64 {
        let chain = self.chain.map_or(0, |cell| zobrist::chain(map[cell.index()]));
        let mut key = zobrist::shape(shape) ^ zobrist::side_to_move(self.to_move) ^ chain;
        for side in Side::ALL {
            for cell in self.side(side) {
                key ^= zobrist::piece_on(Piece::new(side, self.role_at(cell)), map[cell.index()]);
            }
        }
        key
    }

    /// Returns the key of the defenders' pieces alone. See [`RepetitionScope::DefenderConfiguration`].
    ///
    /// [`RepetitionScope::DefenderConfiguration`]: crate::RepetitionScope::DefenderConfiguration
    pub fn defenders_key(&self) -> u64 {
        self.side(Side::Defenders).iter().fold(0, |key, cell| {
            key ^ zobrist::piece_on(Piece::new(Side::Defenders, self.role_at(cell)), cell)
        })
    }

    /// Returns whether occurrences of the defenders' arrangement count: with a king and at least four men.
    pub fn counts_defenders(&self) -> bool {
        // The older Copenhagen rules (8b, "Draw forts are forbidden") apply only to a king with at least four men.
        let (defenders, kings) =
            (self.side(Side::Defenders), self.pieces(Piece::new(Side::Defenders, Role::King)));
        kings.any() && defenders.without(kings).count() >= 4
    }

    /// Returns the cells on which the contents of two positions differ.
    #[inline]
    pub(crate) fn differences(&self, other: &Position<N>) -> Bitboard<N> {
        let sides = (self.sides[0] ^ other.sides[0]) | (self.sides[1] ^ other.sides[1]);
        let roles = self.roles.iter().zip(&other.roles);
        roles.fold(sides, |cells, (one, other)| cells | (*one ^ *other))
    }

    /// Returns the position without the pieces of the other side; its key is invalid.
    pub(crate) fn only(&self, side: Side) -> Position<N> {
        let mut pos = *self;
        pos.sides[side.other().index()] = Bitboard::EMPTY;
        pos.roles.iter_mut().for_each(|role| *role &= self.sides[side.index()]);
        pos
    }

    /// Puts a piece on an empty cell.
    #[inline]
    pub(crate) fn put(&mut self, cell: Cell, piece: Piece) {
        self.sides[piece.side.index()].insert(cell);
        if piece.role != Role::Soldier {
            self.roles[piece.role as usize - 1].insert(cell);
        }
        self.key ^= zobrist::piece_on(piece, cell);
    }

    /// Removes the piece on a cell.
    #[inline]
    pub(crate) fn take(&mut self, cell: Cell, piece: Piece) {
        let alone = Bitboard::of(cell);
        let side = &mut self.sides[piece.side.index()];
        *side = side.without(alone);
        if piece.role != Role::Soldier {
            let role = &mut self.roles[piece.role as usize - 1];
            *role = role.without(alone);
        }
        self.key ^= zobrist::piece_on(piece, cell);
    }

    /// Moves a piece to an empty cell.
    #[inline]
    pub(crate) fn shift(&mut self, from: Cell, to: Cell, piece: Piece) {
        let (from_cell, to_cell) = (Bitboard::of(from), Bitboard::of(to));
        let side = &mut self.sides[piece.side.index()];
        *side = side.without(from_cell) | to_cell;
        if piece.role != Role::Soldier {
            let role = &mut self.roles[piece.role as usize - 1];
            *role = role.without(from_cell) | to_cell;
        }
        self.key ^= zobrist::piece_on(piece, from) ^ zobrist::piece_on(piece, to);
    }

    /// Ends the ply: passes the turn to the other side, or records the piece that must move again.
    #[inline]
    pub(crate) fn end_ply(&mut self, goes_on: Option<Cell>) {
        if self.chain.is_some() || goes_on.is_some() {
            self.set_chain(goes_on);
        }
        if goes_on.is_none() {
            self.to_move = self.to_move.other();
            self.key ^= zobrist::DEFENDERS_TO_MOVE;
        }
    }

    #[cold]
    fn set_chain(&mut self, chain: Option<Cell>) {
        for cell in [self.chain, chain].into_iter().flatten() {
            self.key ^= zobrist::chain(cell);
        }
        self.chain = chain;
    }

    /// Sets the side to move, regardless of who moved last.
    pub(crate) fn set_to_move(&mut self, side: Side) {
        if let Some(cell) = self.chain.take() {
            self.key ^= zobrist::chain(cell);
        }
        if self.to_move != side {
            self.to_move = side;
            self.key ^= zobrist::DEFENDERS_TO_MOVE;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ending_a_chain_restores_the_key_of_the_board() {
        let shape = Shape::Square { side: 7 };
        let setup = Setup::parse(shape, "/3t3/7/7/3K3/7/7/7/").unwrap();
        let (cell, _) = setup.pieces().next().unwrap();
        let begun: Position<1> = Position::new(&setup, Side::Attackers);
        for side in Side::ALL {
            let mut pos = begun.with_chain(cell);
            pos.set_to_move(side);
            assert_eq!((pos.to_move(), pos.chain()), (side, None));
            assert_eq!(pos.key(), pos.recomputed_key(shape), "{side}");
        }
    }
}
