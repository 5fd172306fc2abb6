//! Captor sets: the cells that must be hostile to capture a royal king.

use crate::bitboard::Bitboard;
use crate::piece::{Piece, PieceSet, Role};
use crate::ruleset::{CaptureMode, RuleSet};
use crate::shape::{Cell, Coord, Shape};
use crate::side::Side;
use crate::topology::Topology;

/// Cells around a king. He is captured when the piece that moved is on one of them and all the
/// others are covered.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CaptorSet<const N: usize> {
    pub(crate) cells: Bitboard<N>,
    pub(crate) cover: Cover,
}

/// The pieces and cells that cover the cells of a captor set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cover {
    /// Enemies of the king and cells hostile to him.
    Hostile,
    /// Enemies of the king only.
    Pieces,
    /// Piercing commanders, and empty corners hostile to the king. The piece that moved must also
    /// be a commander.
    Piercing,
}

/// Returns the captor sets for a side's king on each cell; empty if he is not royal.
pub(crate) fn table<const N: usize>(
    rules: &RuleSet,
    topology: &Topology<N>,
    pieces: PieceSet,
    side: Side,
) -> Vec<Vec<CaptorSet<N>>> {
    let king = Piece::new(side, Role::King);
    if !rules.royal.contains(king) {
        return vec![Vec::new(); topology.shape().n_cells()];
    }
    let commander = Piece::new(side.other(), Role::Commander);
    let pierced = rules.piercing.contains(commander) && pieces.contains(commander);
    let shape = topology.shape();
    shape
        .cells()
        .map(|cell| {
            let mut sets = sets(rules, topology, king, cell);
            // The text does not exclude the throne, but no program lets commanders pierce a king on it.
            if pierced && !rules.zones.throne.cells.contains(&cell) {
                let pairs =
                    topology.across(cell).iter().filter_map(|across| opposite_pair(shape, cell, across.near));
                sets.extend(pairs.map(|cells| CaptorSet { cells, cover: Cover::Piercing }));
            }
            sets
        })
        .collect()
}

fn sets<const N: usize>(
    rules: &RuleSet,
    topology: &Topology<N>,
    king: Piece,
    cell: Cell,
) -> Vec<CaptorSet<N>> {
    let shape = topology.shape();
    let around = topology.neighbors(cell);
    let hostile = |cells| CaptorSet { cells, cover: Cover::Hostile };
    match mode(rules, cell) {
        CaptureMode::Never => Vec::new(),
        // "Surround him in all four cardinal points" (Fetlar rules) is impossible on the edge.
        CaptureMode::All if topology.edge.contains(cell) => Vec::new(),
        CaptureMode::All | CaptureMode::Confine => vec![hostile(around)],
        CaptureMode::Custodian => around
            .iter()
            .filter_map(|near| match opposite_pair(shape, cell, near) {
                None if rules.edge_hostile.contains(king) => Some(Bitboard::of(near)),
                pair => pair,
            })
            .map(hostile)
            .collect(),
        // The figure of the heXentafl rules shows three neighbors that do not touch each other; four
        // consecutive attackers do not capture.
        CaptureMode::Alternate3 => triples(around)
            .filter(|[a, b, c]| {
                let touch = |one: &Cell, other: &Cell| shape.neighbors(*one).any(|near| near == *other);
                !touch(a, b) && !touch(b, c) && !touch(a, c)
            })
            .map(|cells| CaptorSet { cells: cells.into_iter().collect(), cover: Cover::Pieces })
            .collect(),
        CaptureMode::Any3 => triples(around).map(|cells| hostile(cells.into_iter().collect())).collect(),
    }
}

/// Returns the way in which a king on a cell is captured: on the throne, next to it, on the edge,
/// or elsewhere; the first that applies.
pub(crate) fn mode(rules: &RuleSet, cell: Cell) -> CaptureMode {
    let shape = rules.shape();
    let modes = rules.king_capture;
    if rules.zones.throne.cells.contains(&cell) {
        modes.on_throne
    } else if shape.neighbors(cell).any(|near| rules.zones.throne.cells.contains(&near)) {
        modes.next_to_throne
    } else if shape.is_edge(cell) {
        modes.on_edge
    } else {
        modes.elsewhere
    }
}

/// Returns a neighbor of a cell and the cell opposite it, or `None` if the latter is off the board.
fn opposite_pair<const N: usize>(shape: Shape, cell: Cell, near: Cell) -> Option<Bitboard<N>> {
    let (here, there) = (shape.coord(cell), shape.coord(near));
    let far = Coord::new(2 * here.file - there.file, 2 * here.rank - there.rank);
    shape.cell(far).map(|far| [near, far].into_iter().collect())
}

fn triples<const N: usize>(around: Bitboard<N>) -> impl Iterator<Item = [Cell; 3]> {
    let cells: Vec<Cell> = around.iter().collect();
    let n = cells.len();
    (0..n)
        .flat_map(move |a| (a + 1..n).flat_map(move |b| (b + 1..n).map(move |c| [a, b, c])))
        .map(move |indexes| indexes.map(|index| cells[index]))
}
