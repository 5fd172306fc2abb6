//! Shieldwalls: captures of rows of men on the edge.
//!
//! ```text
//! . x x x .    attackers (x) face the men on the edge (o); a move to `*` closes the end:
//! * o o o x    all three `o` are captured; a king among them would stay.
//! ```
//!
//! Source: Copenhagen rules 5b (aagenielsen.dk/copenhagen_rules.php).

use crate::bitboard::Bitboard;
use crate::piece::Piece;
use crate::position::Position;
use crate::rulebook::Rulebook;
use crate::ruleset::Shieldwall;
use crate::shape::{Cell, Coord, Step};
use crate::side::Side;

/// A row of men on the edge that is captured by a move.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wall<const N: usize> {
    /// The whole row, kings and guards included.
    pub(crate) row: Bitboard<N>,
    /// The men that are captured.
    pub(crate) men: Bitboard<N>,
    /// The pieces in front of the row.
    pub(crate) front: Bitboard<N>,
    /// The cells that close the ends of the row.
    pub(crate) ends: Bitboard<N>,
}

/// The pieces that can close a wall, and the rule.
struct WallClosers<const N: usize> {
    /// The pieces that can take part, including the piece that moved.
    friends: Bitboard<N>,
    enemy: Side,
    rule: Shieldwall,
}

impl<const N: usize> Rulebook<N> {
    /// Returns the men captured by shieldwalls that the piece on `to` has closed with its move.
    #[inline]
    pub(crate) fn shieldwalls(&self, pos: &Position<N>, to: Cell, mover: Piece) -> Bitboard<N> {
        // At least one man of the row is on the edge next to the piece that closes it. This quick
        // test excludes most moves.
        if self.rules().shieldwall.is_some_and(|rule| rule.flank_move) && !self.topology.edge.contains(to) {
            return Bitboard::EMPTY;
        }
        let near = self.topology.neighbors(to) & pos.side(mover.side.other());
        if !near.meets(&self.topology.edge) {
            return Bitboard::EMPTY;
        }
        self.walls(pos, to, mover).into_iter().fold(Bitboard::EMPTY, |men, wall| men | wall.men)
    }

    /// Returns the shieldwalls closed by the piece on `to`, rows along ranks first, rising ends
    /// first.
    #[cold]
    pub(crate) fn walls(&self, pos: &Position<N>, to: Cell, mover: Piece) -> Vec<Wall<N>> {
        let Some(rule) = self.rules().shieldwall else { return Vec::new() };
        let friends = self.anvils_of(pos, mover.side) | Bitboard::of(to);
        let closing = WallClosers { friends, enemy: mover.side.other(), rule };
        let shape = self.shape();
        let here = shape.coord(to);
        let mut walls = Vec::new();
        for axis in shape.axes() {
            let across = Step { file: axis.rank, rank: axis.file };
            for inward in [across, across.back()] {
                if !shape.has(here.plus(inward.back())) {
                    for step in [*axis, axis.back()] {
                        walls.extend(self.wall(pos, here.plus(step), step, inward, &closing));
                    }
                }
            }
        }
        // All 59 shieldwalls of the archive are closed by the move on the edge. Relaxed rules also let the last
        // piece in front of the row close it.
        if !rule.flank_move {
            for axis in shape.axes() {
                let across = Step { file: axis.rank, rank: axis.file };
                for outward in [across, across.back()] {
                    let faced = here.plus(outward);
                    if shape.has(faced) && !shape.has(faced.plus(outward)) {
                        walls.extend(self.wall_faced(pos, faced, *axis, outward.back(), &closing));
                    }
                }
            }
        }
        // A move can close two rows. The text does not mention it, and no game has it; most programs capture
        // both rows, some only the first.
        let mut kept: Vec<Wall<N>> = Vec::new();
        for wall in walls {
            let is_new = kept.iter().all(|other| other.row != wall.row);
            if wall.men.any() && is_new && (rule.both_ways || kept.is_empty()) {
                kept.push(wall);
            }
        }
        kept
    }

    /// Returns the wall that begins at `start` and extends in the direction of `step`, if it is
    /// complete.
    fn wall(
        &self,
        pos: &Position<N>,
        start: Coord,
        step: Step,
        inward: Step,
        closing: &WallClosers<N>,
    ) -> Option<Wall<N>> {
        let shape = self.shape();
        let enemies = pos.side(closing.enemy);
        let mut wall = Wall {
            row: Bitboard::EMPTY,
            men: Bitboard::EMPTY,
            front: Bitboard::EMPTY,
            ends: Bitboard::EMPTY,
        };
        let mut coord = start;
        while let Some(cell) = shape.cell(coord).filter(|cell| enemies.contains(*cell)) {
            wall.front
                .insert(shape.cell(coord.plus(inward)).filter(|front| closing.friends.contains(*front))?);
            wall.row.insert(cell);
            if self.men.contains(self.piece_of(pos, closing.enemy, cell)) {
                wall.men.insert(cell);
            }
            coord = coord.plus(step);
        }
        // "A corner square may stand in for one of the bracketing pieces at one end" (5b); 33 of the 59
        // shieldwalls of the archive need it. Only an empty corner does, because only the king may enter it.
        for end in [start.plus(step.back()), coord] {
            let end = shape.cell(end)?;
            let is_empty_corner = self.corners.contains(end) && !pos.occupied().contains(end);
            let is_closed = closing.friends.contains(end) || (closing.rule.corner_closes && is_empty_corner);
            wall.ends.insert(Some(end).filter(|_| is_closed)?);
        }
        // "A row of two or more taflmen" (5b). The king counts, but is not captured: "the attack will capture
        // the defenders but not the king".
        (wall.row.count() >= 2).then_some(wall)
    }

    /// Returns the wall that contains the piece at `faced` on the edge, if it is complete.
    fn wall_faced(
        &self,
        pos: &Position<N>,
        faced: Coord,
        along: Step,
        inward: Step,
        closing: &WallClosers<N>,
    ) -> Option<Wall<N>> {
        let is_enemy = |coord: Coord| {
            self.shape().cell(coord).is_some_and(|cell| pos.side(closing.enemy).contains(cell))
        };
        if !is_enemy(faced) {
            return None;
        }
        let mut start = faced;
        while is_enemy(start.plus(along.back())) {
            start = start.plus(along.back());
        }
        self.wall(pos, start, along, inward, closing)
    }
}
