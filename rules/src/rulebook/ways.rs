//! Where pieces may stop, what they may pass, how far they go.

use crate::bitboard::Bitboard;
use crate::piece::{ByPiece, Piece};
use crate::ruleset::{Directions, Jump, RuleSet, Zone};
use crate::shape::{Cell, Shape};
use crate::side::Side;
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
        let own_forts = match piece.side {
            Side::Attackers => &rules.camps,
            Side::Defenders => &rules.forts,
        };
        let springboards = [&rules.throne, &rules.corners, own_forts];
        Way {
            stop: topology.shape().cells().filter(|cell| may_stop(rules, piece, None, *cell)).collect(),
            block: topology.shape().cells().filter(|cell| !may_pass(rules, piece, None, *cell)).collect(),
            is_plain: !is_queen && leash.is_none() && movement.jump == Jump::None,
            is_queen,
            leash,
            jump: movement.jump,
            springboards: springboards.iter().flat_map(|zone| zone.cells.iter().copied()).collect(),
        }
    }
}

/// Where a piece may stop and what it may not pass, from a cell inside a zone.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Inside<const N: usize> {
    pub(crate) stop: Bitboard<N>,
    pub(crate) block: Bitboard<N>,
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
        for zone in zones(rules).into_iter().filter(|zone| zone.cells.len() > 1) {
            for from in &zone.cells {
                table.cells.insert(*from);
                table.ways[from.index()] = Some(Box::new(ByPiece::from_fn(|piece| Inside {
                    stop: shape.cells().filter(|cell| may_stop(rules, piece, Some(*from), *cell)).collect(),
                    block: shape.cells().filter(|cell| !may_pass(rules, piece, Some(*from), *cell)).collect(),
                })));
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

fn zones(rules: &RuleSet) -> [&Zone; 4] {
    [&rules.throne, &rules.corners, &rules.camps, &rules.forts]
}

/// Returns whether a cell from which a piece starts counts as inside the zone of another cell.
fn is_inside(rules: &RuleSet, zone: &Zone, from: Option<Cell>, cell: Cell) -> bool {
    let Some(from) = from.filter(|from| zone.cells.contains(from)) else {
        return false;
    };
    let is_camp = std::ptr::eq(zone, &rules.camps);
    !(is_camp && rules.camps_apart) || same_camp(rules.shape(), &zone.cells, from, cell)
}

/// Returns whether two cells of the camps are connected through the camps.
fn same_camp(shape: Shape, camps: &[Cell], one: Cell, other: Cell) -> bool {
    let mut reached = vec![one];
    let mut next = 0;
    while let Some(cell) = reached.get(next).copied() {
        let new: Vec<Cell> =
            shape.neighbors(cell).filter(|near| camps.contains(near) && !reached.contains(near)).collect();
        reached.extend(new);
        next += 1;
    }
    reached.contains(&other)
}

/// Returns whether a piece may end a move on a cell, coming from a cell of a zone or from outside all zones.
pub(crate) fn may_stop(rules: &RuleSet, piece: Piece, from: Option<Cell>, cell: Cell) -> bool {
    zones(rules).into_iter().filter(|zone| zone.cells.contains(&cell)).all(|zone| {
        zone.stop.contains(piece) && (zone.reenter.contains(piece) || is_inside(rules, zone, from, cell))
    })
}

/// Returns whether a piece may pass over a cell, coming from a cell of a zone or from outside all zones.
pub(crate) fn may_pass(rules: &RuleSet, piece: Piece, from: Option<Cell>, cell: Cell) -> bool {
    zones(rules).into_iter().filter(|zone| zone.cells.contains(&cell)).all(|zone| {
        let is_fortress = std::ptr::eq(zone, &rules.camps) || std::ptr::eq(zone, &rules.forts);
        zone.pass.contains(piece)
            || (is_fortress && zone.stop.contains(piece) && is_inside(rules, zone, from, cell))
    })
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
