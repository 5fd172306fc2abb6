//! Encirclements and exit forts, found by flood fills.
//!
//! Sources: the Fetlar rules, "If the attackers surround the king and ALL remaining
//! defenders, then they win"; Copenhagen rules 7b for exit forts. The texts leave details open. They were
//! settled with the 1,752 Copenhagen games of aagenielsen.dk, where the site ended the game: the definitions
//! below match all 24 encirclements and all 48 exit forts, and fire in no other position of these games.

use crate::bitboard::Bitboard;
use crate::piece::{Piece, Role};
use crate::position::Position;
use crate::rulebook::Rulebook;
use crate::ruleset::Encirclement;
use crate::shape::{Cell, Coord, Shape, Step};
use crate::side::Side;

/// An exit fort: the king on the edge, safe behind defenders.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fort<const N: usize> {
    /// The king's cell and the empty cells reachable from it.
    pub(crate) inside: Bitboard<N>,
    /// The defenders around the inside, none of whom can be captured.
    pub(crate) wall: Bitboard<N>,
}

/// A row of defenders on the edge.
#[derive(Debug, Clone, Copy)]
struct EdgeRow {
    /// A cell of the row.
    coord: Coord,
    /// The direction along the edge.
    axis: Step,
    /// The direction toward the middle of the board.
    inward: Step,
}

impl<const N: usize> Rulebook<N> {
    /// Returns whether the attackers' move to `to` enclosed all defenders.
    ///
    /// `may_be_enclosed` is false if the position before was not enclosed and nothing was captured. Then
    /// only a move that separates the free cells around it can close a ring, unless
    /// [`Rulebook::rings_close_anywhere`]; this test is much cheaper than a flood fill.
    #[inline]
    pub(crate) fn closes_ring(&self, pos: &Position<N>, to: Cell, may_be_enclosed: bool) -> bool {
        (may_be_enclosed || self.rings_close_anywhere || self.cuts(pos, to)) && self.is_enclosed(pos)
    }

    /// Returns whether the attackers enclose all defenders: no path from the edge to a defender
    /// avoids attackers.
    ///
    /// This is equivalent to the usual rule, a flood fill from the empty edge cells through empty
    /// cells: it touches the first defender on any such path.
    #[cold]
    pub(crate) fn is_enclosed(&self, pos: &Position<N>) -> bool {
        let defenders = pos.side(Side::Defenders);
        // A defender on the edge is outside of every ring, because a ring has to separate him from the edge.
        if defenders.is_empty() || defenders.meets(&self.topology.edge) {
            return false;
        }
        let open = self.topology.all.without(pos.side(Side::Attackers));
        let mut outside = self.topology.edge & open;
        loop {
            let next = (self.topology.spread(outside) & open) | outside;
            if next.meets(&defenders) {
                return false;
            }
            if next == outside {
                break;
            }
            outside = next;
        }
        match self.rules().encirclement {
            Encirclement::None => false,
            Encirclement::Plain => true,
            Encirclement::Secure => self.ring_is_secure(pos, open.without(outside)),
        }
    }

    /// Returns the ring of attackers around the enclosed cells, for use in explanations.
    pub(crate) fn ring(&self, pos: &Position<N>) -> Bitboard<N> {
        let open = self.topology.all.without(pos.side(Side::Attackers));
        let outside = self.topology.flood(self.topology.edge, open);
        self.topology.spread(open.without(outside)) & pos.side(Side::Attackers)
    }

    /// Returns whether no attacker can be captured from the enclosed cells.
    ///
    /// Some programs require such a ring. The games of aagenielsen.dk contradict it: the site ended 3 of its
    /// 24 encirclements with rings that could still be broken. It is therefore an option, and the published
    /// rules use [`Encirclement::Plain`].
    fn ring_is_secure(&self, pos: &Position<N>, enclosed: Bitboard<N>) -> bool {
        let shape = self.shape();
        !pos.side(Side::Attackers).iter().any(|cell| {
            let piece = self.piece_of(pos, Side::Attackers, cell);
            let ground = self.hostile_ground(pos, piece);
            let is_enclosed = |coord: Coord| shape.cell(coord).is_some_and(|cell| enclosed.contains(cell));
            let is_hostile = |coord: Coord| match shape.cell(coord) {
                Some(cell) => enclosed.contains(cell) || ground.contains(cell),
                None => self.rules().edge_hostile.contains(piece),
            };
            let coord = shape.coord(cell);
            if self.dux.contains(piece) {
                let places =
                    || shape.axes().iter().flat_map(|step| [coord.plus(*step), coord.plus(step.back())]);
                return places().filter(|place| is_hostile(*place)).count() >= 3 && places().any(is_enclosed);
            }
            piece.role != Role::Guard
                && shape.axes().iter().any(|step| {
                    let (one, other) = (coord.plus(*step), coord.plus(step.back()));
                    (is_enclosed(one) && is_hostile(other)) || (is_enclosed(other) && is_hostile(one))
                })
        })
    }

    /// Returns whether an attacker on `to` may separate the free cells around it; cells outside the
    /// board count as free.
    ///
    /// Counts the groups of free neighbors (the Yokoi connectivity number). Returns true for every
    /// hexagonal board.
    #[inline]
    fn cuts(&self, pos: &Position<N>, to: Cell) -> bool {
        let Shape::Square { side } = self.shape() else { return true };
        // Three ranks of the widest board fit into one word.
        let window = pos.side_ref(Side::Attackers).window(to.index() as i32 - i32::from(side) - 1);
        let columns = self.topology.columns_around(to);
        let [below, beside, above] = [0, side, 2 * side].map(|low| window >> low & columns);
        CUTS[(below | (beside & 1) << 3 | (beside & 4) << 2 | above << 5) as usize]
    }

    /// Returns the fort in which a defenders' king on the edge is safe, or `None`.
    ///
    /// The king must be on an edge cell and have a free neighbor (Copenhagen rules 7b, "able to move"). A
    /// king who can only reach the edge has no fort yet: counting him ends 8 of the 1,752 games too early.
    #[cold]
    pub(crate) fn exit_fort(&self, pos: &Position<N>) -> Option<Fort<N>> {
        let kings = pos.kings() & pos.side(Side::Defenders) & self.topology.edge;
        kings.iter().find_map(|king| self.fort_of(pos, king))
    }

    fn fort_of(&self, pos: &Position<N>, king: Cell) -> Option<Fort<N>> {
        let empty = self.topology.all.without(pos.occupied());
        let piece = Piece::new(Side::Defenders, Role::King);
        let near = self.topology.neighbors(king);
        if !near.meets(&self.free_steps(pos, king, piece)) {
            return None;
        }
        let attackers = pos.side(Side::Attackers);
        let mut inside = Bitboard::of(king);
        let around = loop {
            let around = self.topology.spread(inside);
            if around.meets(&attackers) {
                return None;
            }
            let next = (around & empty) | inside;
            if next == inside {
                break around;
            }
            inside = next;
        };
        let wall = around & pos.side(Side::Defenders).without(pos.kings());
        let safe = self.safe_defenders(pos, inside);
        wall.is_subset(&safe).then_some(Fort { inside, wall })
    }

    /// Returns the empty cells on which a piece coming from `from` may stop.
    pub(crate) fn free_steps(&self, pos: &Position<N>, from: Cell, piece: Piece) -> Bitboard<N> {
        self.ground(from, piece).stop.without(pos.occupied())
    }

    /// Returns the largest set of defenders other than kings none of whom can be captured as long
    /// as all of them stay and attackers cannot enter `inside`.
    ///
    /// A greatest fixed point: starts with all defenders and removes those that can be captured
    /// until nothing changes.
    fn safe_defenders(&self, pos: &Position<N>, inside: Bitboard<N>) -> Bitboard<N> {
        let mut safe = pos.side(Side::Defenders).without(pos.kings());
        loop {
            let kept: Bitboard<N> =
                safe.iter().filter(|cell| self.is_safe(pos, *cell, inside, safe)).collect();
            if kept == safe {
                return safe;
            }
            safe = kept;
        }
    }

    fn is_safe(&self, pos: &Position<N>, cell: Cell, inside: Bitboard<N>, safe: Bitboard<N>) -> bool {
        let shape = self.shape();
        let piece = self.piece_of(pos, Side::Defenders, cell);
        if piece.role == Role::Guard {
            return true;
        }
        let harmless = (inside | safe).without(self.hostile_ground(pos, piece));
        let coord = shape.coord(cell);
        let is_harmless = |coord: Coord| match shape.cell(coord) {
            Some(cell) => harmless.contains(cell),
            None => !self.rules().edge_hostile.contains(piece),
        };
        if self.dux.contains(piece) {
            // A dux falls to three hostile neighbors, other men to two opposite ones.
            let steps = shape.axes().iter().flat_map(|step| [*step, step.back()]);
            return steps.filter(|step| !is_harmless(coord.plus(*step))).count() < 3;
        }
        shape.axes().iter().all(|step| is_harmless(coord.plus(*step)) || is_harmless(coord.plus(step.back())))
            && (self.rules().shieldwall.is_none() || self.rows_are_safe(pos, coord, inside, safe))
    }

    /// Returns whether a shieldwall can capture none of the rows of defenders on the edge through
    /// `coord`.
    fn rows_are_safe(&self, pos: &Position<N>, coord: Coord, inside: Bitboard<N>, safe: Bitboard<N>) -> bool {
        let shape = self.shape();
        shape.axes().iter().all(|axis| {
            let across = Step { file: axis.rank, rank: axis.file };
            [across, across.back()]
                .into_iter()
                .filter(|inward| !shape.has(coord.plus(inward.back())))
                .all(|inward| self.row_is_safe(pos, EdgeRow { coord, axis: *axis, inward }, inside, safe))
        })
    }

    fn row_is_safe(&self, pos: &Position<N>, row: EdgeRow, inside: Bitboard<N>, safe: Bitboard<N>) -> bool {
        let EdgeRow { coord, axis, inward } = row;
        let shape = self.shape();
        let is_defender =
            |coord: Coord| shape.cell(coord).is_some_and(|cell| pos.side(Side::Defenders).contains(cell));
        let held = |coord: Coord| shape.cell(coord).is_some_and(|cell| (inside | safe).contains(cell));
        let mut length = 1;
        let mut faced_by_friend = held(coord.plus(inward));
        let mut end_is_safe = false;
        for step in [axis, axis.back()] {
            let mut place = coord.plus(step);
            while is_defender(place) {
                length += 1;
                faced_by_friend |= held(place.plus(inward));
                place = place.plus(step);
            }
            end_is_safe |= match shape.cell(place) {
                None => true,
                Some(end) => inside.contains(end) && !self.closes_as_corner(pos, end),
            };
        }
        length < 2 || faced_by_friend || end_is_safe
    }

    /// Returns whether a cell is an empty corner that closes a shieldwall.
    fn closes_as_corner(&self, pos: &Position<N>, cell: Cell) -> bool {
        self.rules().shieldwall.is_some_and(|wall| wall.corner_closes)
            && self.corners.contains(cell)
            && !pos.occupied().contains(cell)
    }
}

/// Whether blocking a cell may separate the free cells around it, indexed by the pattern of blocked
/// neighbors.
///
/// Bits 0 to 2 are the cells below from left to right, bits 3 and 4 are left and right, and bits 5
/// to 7 are the cells above.
static CUTS: [bool; 256] = {
    // The eight neighbors in circular order: below, below right, right, above right, above, above
    // left, left, below left.
    const CIRCLE: [u32; 8] = [1, 2, 4, 7, 6, 5, 3, 0];
    let mut cuts = [false; 256];
    let mut blocked: u32 = 0;
    while blocked < 256 {
        let mut groups = 0;
        let mut i = 0;
        while i < 8 {
            let here = (blocked >> CIRCLE[i] & 1) ^ 1;
            let diagonal = (blocked >> CIRCLE[(i + 1) % 8] & 1) ^ 1;
            let next = (blocked >> CIRCLE[(i + 2) % 8] & 1) ^ 1;
            groups += here - here * diagonal * next;
            i += 2;
        }
        cuts[blocked as usize] = groups > 1;
        blocked += 1;
    }
    cuts
};
