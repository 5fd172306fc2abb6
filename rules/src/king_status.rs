//! The situation of kings: distance to a goal, danger of capture, and cordons.
//!
//! Uses the move generation and captures of play itself, applied to hypothetical moves.

use crate::bitboard::Bitboard;
use crate::facts::KingStatus;
use crate::moves::Move;
use crate::piece::{Piece, Role};
use crate::position::Position;
use crate::rulebook::{CaptorSet, Cover, Rulebook};
use crate::ruleset::Jump;
use crate::shape::Cell;
use crate::side::{BySide, Side};

impl<const N: usize> Rulebook<N> {
    /// Returns the situation of each side's royal king.
    #[inline]
    pub(crate) fn king_statuses(&self, pos: &Position<N>) -> BySide<Option<KingStatus>> {
        BySide::from_fn(|side| {
            let king = Piece::new(side, Role::King);
            if !self.rules().royal.contains(king) {
                return None;
            }
            pos.pieces(king).first().map(|cell| self.king_status(pos, cell, king))
        })
    }

    fn king_status(&self, pos: &Position<N>, cell: Cell, king: Piece) -> KingStatus {
        let in_danger = self.is_in_danger(pos, cell, king);
        let goals = self.goals[king.side];
        if goals.is_empty() {
            return KingStatus { distance: KingStatus::FAR, lines: 0, in_danger, cordoned: false };
        }
        let first = self.free_targets(pos, cell, king);
        let lines = (first & goals).count().min(u32::from(KingStatus::MANY)) as u8;
        let distance = if goals.contains(cell) {
            0
        } else if lines > 0 {
            1
        } else {
            self.king_distance(pos, cell, king, first)
        };
        // A king who slides only passes cells that a cordon leaves open, so a way to a goal
        // disproves a cordon cheaply.
        let is_free = distance == 0 || (distance < KingStatus::FAR && self.movement_masks[king].is_plain);
        let cordoned = !is_free && self.is_cordoned(pos, cell, king);
        KingStatus { distance, lines, in_danger, cordoned }
    }

    /// Returns the number of moves that the king needs to reach a goal, at least two; `first` holds
    /// the targets of his first move.
    fn king_distance(&self, pos: &Position<N>, cell: Cell, king: Piece, first: Bitboard<N>) -> u8 {
        // Without the king, his own cell does not block the later moves.
        let mut bare = *pos;
        bare.take(cell, king);
        let (mut seen, mut last) = (first | Bitboard::of(cell), first);
        for distance in 2..KingStatus::FAR {
            if last.is_empty() {
                break;
            }
            let next = self.targets_of_all(&bare, last, king).without(seen);
            if next.meets(&self.goals[king.side]) {
                return distance;
            }
            seen |= next;
            last = next;
        }
        KingStatus::FAR
    }

    /// Returns the union of the targets of a piece from each of the given empty cells.
    pub(crate) fn targets_of_all(&self, pos: &Position<N>, from: Bitboard<N>, piece: Piece) -> Bitboard<N> {
        let masks = &self.movement_masks[piece];
        let (mut targets, mut one_by_one) = (Bitboard::EMPTY, from);
        if !masks.is_queen && masks.max_step.is_none() && !self.shape().is_hex() {
            one_by_one = from & self.zone_rules.cells;
            let (occupied, from) = (pos.occupied(), from.without(one_by_one));
            targets = self.topology.slide_all(from, self.topology.all.without(occupied | masks.block));
            if masks.jump != Jump::None {
                let beside = from & self.topology.spread(occupied);
                targets = beside.iter().fold(targets, |all, cell| all | self.jump_targets(pos, cell, piece));
            }
            targets = (targets & masks.stop).without(occupied);
        }
        one_by_one.iter().fold(targets, |targets, cell| targets | self.free_targets(pos, cell, piece))
    }

    /// Returns whether no path leads the king to a goal through cells that hold no enemy and that
    /// he may enter or pass. His own men are ignored.
    pub(crate) fn is_cordoned(&self, pos: &Position<N>, cell: Cell, king: Piece) -> bool {
        let masks = &self.movement_masks[king];
        let mut walls = masks.block.without(masks.stop);
        if self.zone_rules.cells.contains(cell)
            && let Some(access) = self.zone_rules.from(cell, king)
        {
            walls &= access.block.without(access.stop);
        }
        let open = self.topology.all.without(walls | pos.side(king.side.other()));
        let enemies = (masks.jump != Jump::None).then(|| pos.only(king.side.other()));
        let beside_enemies = self.topology.spread(pos.side(king.side.other()));
        let goals = self.goals[king.side] & open;
        let mut reached = Bitboard::of(cell);
        let mut last = reached;
        while last.any() {
            if last.meets(&goals) {
                return false;
            }
            let mut next = self.topology.spread(last);
            if masks.is_queen {
                next |= self.topology.spread_diagonally(last);
            }
            if let Some(enemies) = &enemies {
                let landings = |from: Cell| {
                    self.jump_targets(enemies, from, king) & self.free_steps(enemies, from, king)
                };
                let from = last & beside_enemies;
                next = from.iter().fold(next, |next, cell| next | landings(cell));
            }
            last = (next & open).without(reached);
            reached |= last;
        }
        true
    }

    /// Returns whether the enemy could capture the royal king on a cell with one move if it were the
    /// enemy's turn.
    fn is_in_danger(&self, pos: &Position<N>, king: Cell, victim: Piece) -> bool {
        let enemy = victim.side.other();
        if self.king_attackers.capture_by_jump[enemy] && self.can_be_jumped(pos, king, enemy) {
            return true;
        }
        let places = self.fatal_cells(pos, king, victim).without(pos.occupied());
        places.iter().any(|to| {
            let in_line = self.topology.slide(to, pos.occupied()) & pos.side(enemy);
            let roamers = self.king_attackers.roamers[enemy].iter();
            let sources = roamers.fold(in_line, |sources, piece| sources | pos.pieces(*piece));
            sources.iter().any(|from| {
                let piece = self.piece_of(pos, enemy, from);
                self.hammers.contains(piece)
                    && self.free_targets(pos, from, piece).contains(to)
                    && self.captures_king(pos, Move::new(from, to), piece, king)
            })
        })
    }

    /// Returns the cells on which an arriving enemy might capture a king: a superset, to be checked
    /// by playing the move.
    pub(crate) fn fatal_cells(&self, pos: &Position<N>, king: Cell, victim: Piece) -> Bitboard<N> {
        let sets = &self.captors[victim.side][king.index()];
        if sets.is_empty() {
            return Bitboard::EMPTY;
        }
        let enemy = victim.side.other();
        let anvils = self.anvils_of(pos, enemy);
        // Cells that are hostile now or may become hostile when the moving piece leaves them.
        let mut ground = self.hostile_empty[victim] | self.hostile_always[victim];
        if self.rules().throne_hostile_occupied.contains(victim) {
            ground |= self.throne;
        }
        let missing = |set: &CaptorSet<N>| match set.cover {
            Cover::Hostile => set.cells.without(anvils | ground),
            Cover::Pieces => set.cells.without(anvils),
            Cover::Piercing => {
                set.cells.without((pos.role(Role::Commander) & pos.side(enemy)) | self.corners)
            }
        };
        sets.iter().fold(Bitboard::EMPTY, |cells, set| {
            let missing = missing(set);
            match missing.count() {
                // A complete set does not capture by itself: an enemy still has to move to one of its cells.
                0 => cells | set.cells,
                1 => cells | missing,
                _ => cells,
            }
        })
    }

    /// Returns whether a piece of `by` next to the king could capture him by jumping over him.
    #[cold]
    fn can_be_jumped(&self, pos: &Position<N>, king: Cell, by: Side) -> bool {
        let beside = self.topology.neighbors(king) & pos.side(by);
        beside.iter().any(|from| {
            let piece = self.piece_of(pos, by, from);
            self.movement_masks[piece].jump == Jump::Capturing
                && self
                    .free_targets(pos, from, piece)
                    .iter()
                    .any(|to| self.captures_king(pos, Move::new(from, to), piece, king))
        })
    }

    /// Returns whether a move that is possible for the piece captures the king on a cell.
    fn captures_king(&self, pos: &Position<N>, mv: Move, piece: Piece, king: Cell) -> bool {
        let jumped = self.jumped(pos, mv, piece);
        let mut after = *pos;
        after.shift(mv.from, mv.to, piece);
        self.captures(&after, mv, piece, jumped).contains(king)
    }
}
