//! Movement masks: the cells on which pieces may stop, the cells they may not pass, and their
//! longest moves.

use crate::bitboard::Bitboard;
use crate::piece::{ByPiece, Piece};
use crate::ruleset::{Directions, Jump, RuleSet, Zone, ZoneKind};
use crate::shape::Cell;
use crate::topology::Topology;

/// The movement of a piece that starts outside of all zones.
#[derive(Debug, Clone)]
pub(crate) struct MovementMask<const N: usize> {
    /// The cells on which it may end its move.
    pub(crate) stop: Bitboard<N>,
    /// The empty cells that it may not pass.
    pub(crate) block: Bitboard<N>,
    /// Whether it only slides along the axes, without a limit. Move generation has a fast path for
    /// this case.
    pub(crate) is_plain: bool,
    /// Whether it also slides along the diagonals.
    pub(crate) is_queen: bool,
    /// The cells within its longest move, for each cell; `None` if moves are not limited.
    pub(crate) max_step: Option<Vec<Bitboard<N>>>,
    /// The jumps that it may make.
    pub(crate) jump: Jump,
    /// The cells from or to which it may jump if jumps are restricted.
    pub(crate) springboards: Bitboard<N>,
}

impl<const N: usize> MovementMask<N> {
    pub(crate) fn of(rules: &RuleSet, topology: &Topology<N>, piece: Piece) -> MovementMask<N> {
        let movement = rules.movement[piece];
        let is_queen = movement.directions == Directions::Queen;
        let max_step = movement.max.map(|max| max_step(topology, max, is_queen));
        let springboards = [ZoneKind::Throne, ZoneKind::Corner, ZoneKind::fortress_of(piece.side)];
        let ZoneAccess { stop, block } = ZoneAccess::of(&areas(rules, topology, None), topology, piece);
        MovementMask {
            stop,
            block,
            is_plain: !is_queen && max_step.is_none() && movement.jump == Jump::None,
            is_queen,
            max_step,
            jump: movement.jump,
            springboards: springboards
                .iter()
                .flat_map(|kind| rules.zones[*kind].cells.iter().copied())
                .collect(),
        }
    }
}

/// The cells on which a piece may stop and the cells it may not pass, starting from a cell inside a
/// zone or from outside all zones.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ZoneAccess<const N: usize> {
    pub(crate) stop: Bitboard<N>,
    pub(crate) block: Bitboard<N>,
}

impl<const N: usize> ZoneAccess<N> {
    fn of(areas: &[Area<'_, N>], topology: &Topology<N>, piece: Piece) -> ZoneAccess<N> {
        let (mut shut, mut block) = (Bitboard::<N>::EMPTY, Bitboard::<N>::EMPTY);
        for Area { kind, zone, cells, inside } in areas {
            let outside = cells.without(*inside);
            let may_stop = zone.stop.contains(piece);
            shut |= match (may_stop, zone.reenter.contains(piece)) {
                (false, _) => *cells,
                (true, false) => outside,
                (true, true) => Bitboard::EMPTY,
            };
            block |= match (zone.pass.contains(piece), kind.is_fortress() && may_stop) {
                (true, _) => Bitboard::EMPTY,
                (false, true) => outside,
                (false, false) => *cells,
            };
        }
        ZoneAccess { stop: topology.all.without(shut), block }
    }
}

/// A zone as seen by a piece that starts on a given cell: its cells, and those that count as inside
/// together with that cell.
struct Area<'r, const N: usize> {
    kind: ZoneKind,
    zone: &'r Zone,
    cells: Bitboard<N>,
    inside: Bitboard<N>,
}

/// Returns the zones as seen by a piece that starts on a cell, or outside all zones.
fn areas<'r, const N: usize>(
    rules: &'r RuleSet,
    topology: &Topology<N>,
    from: Option<Cell>,
) -> [Area<'r, N>; 4] {
    ZoneKind::ALL.map(|kind| {
        let zone = &rules.zones[kind];
        let cells: Bitboard<N> = zone.cells.iter().copied().collect();
        let inside = match from.filter(|from| cells.contains(*from)) {
            None => Bitboard::EMPTY,
            Some(from) if kind == ZoneKind::Camp && rules.camps_apart => {
                topology.flood(Bitboard::of(from), cells)
            }
            Some(_) => cells,
        };
        Area { kind, zone, cells, inside }
    })
}

/// The cells on which zones give pieces a different movement than outside. Kept apart from the
/// masks, so that rarely used rules stay off the hot path.
#[derive(Debug, Clone)]
pub(crate) struct ZoneRules<const N: usize> {
    /// The cells.
    pub(crate) cells: Bitboard<N>,
    access: Vec<Option<Box<ByPiece<ZoneAccess<N>>>>>,
}

impl<const N: usize> ZoneRules<N> {
    pub(crate) fn table(rules: &RuleSet, topology: &Topology<N>) -> ZoneRules<N> {
        let shape = topology.shape();
        let mut table = ZoneRules { cells: Bitboard::EMPTY, access: vec![None; shape.n_cells()] };
        for zone in rules.zones.values().filter(|zone| zone.cells.len() > 1) {
            for from in &zone.cells {
                let areas = areas(rules, topology, Some(*from));
                let access = ByPiece::from_fn(|piece| ZoneAccess::of(&areas, topology, piece));
                table.cells.insert(*from);
                table.access[from.index()] = Some(Box::new(access));
            }
        }
        table
    }

    /// Returns the zone access of a piece that starts on one of these cells; `None` for other
    /// cells.
    #[cold]
    pub(crate) fn from(&self, cell: Cell, piece: Piece) -> Option<ZoneAccess<N>> {
        self.access[cell.index()].as_ref().map(|access| access[piece])
    }
}

/// Returns, for each cell, the cells at most `max` steps away along the axes, and along the
/// diagonals for queens.
fn max_step<const N: usize>(topology: &Topology<N>, max: u8, is_queen: bool) -> Vec<Bitboard<N>> {
    let shape = topology.shape();
    let diagonals = if is_queen { shape.diagonals() } else { &[] };
    shape
        .cells()
        .map(|cell| {
            shape
                .axes()
                .iter()
                .chain(diagonals)
                .flat_map(|step| [*step, step.back()])
                .flat_map(|step| {
                    let mut coord = shape.coord(cell);
                    (0..max).map_while(move |_| {
                        coord = coord.plus(step);
                        shape.cell(coord)
                    })
                })
                .collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::shape::{Coord, Shape};
    use crate::{AnyRulebook, Game, Piece, PieceSet, RuleSet, Setup};

    #[test]
    fn large_camps_compile_quickly() {
        let shape = Shape::Square { side: 21 };
        let cell = |file, rank| shape.cell(Coord::new(file, rank)).unwrap();
        let mut start = Setup::empty(shape);
        start.put(cell(0, 0), Piece::from_letter('t'));
        start.put(cell(10, 10), Piece::from_letter('K'));
        let mut rules = RuleSet::with_defaults(start);
        rules.zones.throne.cells.clear();
        rules.zones.corners.cells.clear();
        // Two camps, to the left and to the right of the middle file.
        rules.zones.camps.cells = shape.cells().filter(|cell| shape.coord(*cell).file != 10).collect();
        (rules.zones.camps.pass, rules.zones.camps.reenter) = (PieceSet::EMPTY, PieceSet::EMPTY);
        rules.camps_apart = true;
        let game = Game::new(&AnyRulebook::compile(&rules).unwrap());
        // Along its own file, and along its rank up to the other camp.
        assert_eq!(game.targets(cell(0, 0)).len(), 20 + 10);
    }
}
