//! Where pieces may stop, what they may pass, how far they go.

use crate::bitboard::Bitboard;
use crate::piece::{ByPiece, Piece};
use crate::ruleset::{Directions, Jump, RuleSet, Zone, ZoneKind};
use crate::shape::Cell;
use crate::topology::Topology;

/// How a piece moves from a cell that lies in no zone.
#[derive(Debug, Clone)]
pub(crate) struct Way<const N: usize> {
    /// Cells it may end its move on.
    pub(crate) stop: Bitboard<N>,
    /// Empty cells it may not pass.
    pub(crate) block: Bitboard<N>,
    /// Whether it slides along the axes as far as it likes and does nothing else.
    pub(crate) is_plain: bool,
    /// Whether it slides along the diagonals, too.
    pub(crate) is_queen: bool,
    /// For each cell, the cells within its longest move, where there is one.
    pub(crate) leash: Option<Vec<Bitboard<N>>>,
    /// The jumps it may make.
    pub(crate) jump: Jump,
    /// Cells from or to which it may jump where jumps are restricted.
    pub(crate) springboards: Bitboard<N>,
}

impl<const N: usize> Way<N> {
    pub(crate) fn of(rules: &RuleSet, topology: &Topology<N>, piece: Piece) -> Way<N> {
        let movement = rules.movement[piece];
        let is_queen = movement.directions == Directions::Queen;
        let leash = movement.max.map(|max| leash(topology, max, is_queen));
        let springboards = [ZoneKind::Throne, ZoneKind::Corner, ZoneKind::fortress_of(piece.side)];
        let Inside { stop, block } = Inside::of(&areas(rules, topology, None), topology, piece);
        Way {
            stop,
            block,
            is_plain: !is_queen && leash.is_none() && movement.jump == Jump::None,
            is_queen,
            leash,
            jump: movement.jump,
            springboards: springboards
                .iter()
                .flat_map(|kind| rules.zones[*kind].cells.iter().copied())
                .collect(),
        }
    }
}

/// Where a piece may stop and what it may not pass, from a cell inside a zone or from outside all zones.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Inside<const N: usize> {
    pub(crate) stop: Bitboard<N>,
    pub(crate) block: Bitboard<N>,
}

impl<const N: usize> Inside<N> {
    fn of(areas: &[Area<'_, N>], topology: &Topology<N>, piece: Piece) -> Inside<N> {
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
        Inside { stop: topology.all.without(shut), block }
    }
}

/// A zone for pieces that start on a cell: its cells, and those that count as inside with that one.
struct Area<'r, const N: usize> {
    kind: ZoneKind,
    zone: &'r Zone,
    cells: Bitboard<N>,
    inside: Bitboard<N>,
}

/// Returns the zones for pieces that start on a cell, or outside all zones.
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

/// The cells from which pieces have other ways than from outside all zones.
#[derive(Debug, Clone)]
pub(crate) struct Exception<const N: usize> {
    /// The cells.
    pub(crate) cells: Bitboard<N>,
    ways: Vec<Option<Box<ByPiece<Inside<N>>>>>,
}

impl<const N: usize> Exception<N> {
    pub(crate) fn table(rules: &RuleSet, topology: &Topology<N>) -> Exception<N> {
        let shape = topology.shape();
        let mut table = Exception { cells: Bitboard::EMPTY, ways: vec![None; shape.n_cells()] };
        for zone in rules.zones.values().filter(|zone| zone.cells.len() > 1) {
            for from in &zone.cells {
                let areas = areas(rules, topology, Some(*from));
                let ways = ByPiece::from_fn(|piece| Inside::of(&areas, topology, piece));
                table.cells.insert(*from);
                table.ways[from.index()] = Some(Box::new(ways));
            }
        }
        table
    }

    /// Returns the ways of a piece from one of the cells.
    #[cold]
    pub(crate) fn from(&self, cell: Cell, piece: Piece) -> Option<Inside<N>> {
        self.ways[cell.index()].as_ref().map(|ways| ways[piece])
    }
}

/// Returns for each cell the cells at most `max` steps away along the axes, and along the diagonals for queens.
fn leash<const N: usize>(topology: &Topology<N>, max: u8, is_queen: bool) -> Vec<Bitboard<N>> {
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
    fn camps_on_nearly_all_of_the_largest_board_are_compiled_at_once() {
        let shape = Shape::Square { side: 21 };
        let cell = |file, rank| shape.cell(Coord::new(file, rank)).unwrap();
        let mut start = Setup::empty(shape);
        start.put(cell(0, 0), Piece::from_letter('t'));
        start.put(cell(10, 10), Piece::from_letter('K'));
        let mut rules = RuleSet::with_defaults(start);
        rules.zones.throne.cells.clear();
        rules.zones.corners.cells.clear();
        // Two camps, to the left and to the right of the file in the middle.
        rules.zones.camps.cells = shape.cells().filter(|cell| shape.coord(*cell).file != 10).collect();
        (rules.zones.camps.pass, rules.zones.camps.reenter) = (PieceSet::EMPTY, PieceSet::EMPTY);
        rules.camps_apart = true;
        let game = Game::new(&AnyRulebook::compile(&rules).unwrap());
        // Up its own file, and along its rank as far as the other camp.
        assert_eq!(game.targets(cell(0, 0)).len(), 20 + 10);
    }
}
