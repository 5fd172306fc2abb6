//! Rows of pieces on the edge of a square board.

use std::collections::BTreeSet;

use tafl_rules::{Cell, RuleSet, Setup, Shape, Shieldwall, Side, Step};

use super::board::{Place, is_anvil, is_man, look_from};
use super::captures::Trap;

/// One of the four edges: the way along it that rises, and the way inward.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    along: Step,
    inward: Step,
}

/// Returns the edges on which a cell lies, those along ranks first. Hexagonal boards have none with a front.
pub(super) fn edges_of(shape: Shape, cell: Cell) -> Vec<Edge> {
    if shape.is_hex() {
        return Vec::new();
    }
    let (coord, last) = (shape.coord(cell), shape.n_ranks() - 1);
    let right = Step { file: 1, rank: 0 };
    let up = Step { file: 0, rank: 1 };
    let mut edges = Vec::new();
    if coord.rank == 0 {
        edges.push(Edge { along: right, inward: up });
    }
    if coord.rank == last {
        edges.push(Edge { along: right, inward: up.back() });
    }
    if coord.file == 0 {
        edges.push(Edge { along: up, inward: right });
    }
    if coord.file == last {
        edges.push(Edge { along: up, inward: right.back() });
    }
    edges
}

/// Pieces of one side without a gap along an edge, and the places at both ends.
pub(super) struct Row {
    /// The cells in rising order.
    pub(super) cells: Vec<Cell>,
    /// The cells in front of them, in the same order.
    pub(super) fronts: Vec<Cell>,
    /// The places before the first cell and after the last one.
    pub(super) ends: [Place; 2],
}

/// Returns the longest row of `side` along an edge that holds the piece on `cell`.
pub(super) fn row_through(board: &Setup, side: Side, cell: Cell, edge: Edge) -> Row {
    let mut cells = vec![cell];
    let mut end = |step: Step| {
        let mut at = cell;
        loop {
            match look_from(board, at, step) {
                Place::Taken(next, piece) if piece.side == side => {
                    cells.push(next);
                    at = next;
                }
                place => return place,
            }
        }
    };
    let ends = [end(edge.along.back()), end(edge.along)];
    cells.sort_unstable();
    let front = |cell: &Cell| look_from(board, *cell, edge.inward).cell().expect("a front lies on the board");
    let fronts = cells.iter().map(front).collect();
    Row { cells, fronts, ends }
}

/// Returns whether a corner cell that is empty closes a row at this end.
pub(super) fn corner_closes(rules: &RuleSet, wall: Shieldwall, end: Place) -> bool {
    match end {
        Place::Empty(cell) => wall.corner_closes && rules.zones.corners.cells.contains(&cell),
        Place::Off | Place::Taken(..) => false,
    }
}

/// Returns the men that are captured in shieldwalls that the move closes.
pub(super) fn shieldwall(trap: &Trap<'_>) -> BTreeSet<Cell> {
    let Some(wall) = trap.rules.shieldwall else { return BTreeSet::new() };
    let mut fallen = BTreeSet::new();
    for row in rows_at(trap, wall) {
        if !is_closed(trap, wall, &row) {
            continue;
        }
        let men: Vec<Cell> = row
            .cells
            .into_iter()
            .filter(|cell| trap.board.piece(*cell).is_some_and(|piece| is_man(trap.rules, piece)))
            .collect();
        let any = !men.is_empty();
        fallen.extend(men);
        if any && !wall.both_ways {
            break;
        }
    }
    fallen
}

/// Returns the rows of the enemy that the mover closes or faces: along ranks before along files, rising before falling.
fn rows_at(trap: &Trap<'_>, wall: Shieldwall) -> Vec<Row> {
    let board = trap.board;
    let enemy = trap.mover.side.other();
    let mut rows = Vec::new();
    // The mover is at an end of a row, on the same edge.
    for edge in edges_of(board.shape(), trap.to) {
        for step in [edge.along, edge.along.back()] {
            match look_from(board, trap.to, step) {
                Place::Taken(next, piece) if piece.side == enemy => {
                    rows.push((edge.along, row_through(board, enemy, next, edge)));
                }
                Place::Off | Place::Empty(_) | Place::Taken(..) => {}
            }
        }
    }
    // The mover is in front of a row.
    if !wall.flank_move {
        for neighbor in board.shape().neighbors(trap.to) {
            for edge in edges_of(board.shape(), neighbor) {
                let in_front = look_from(board, neighbor, edge.inward).cell() == Some(trap.to);
                let is_enemy = board.piece(neighbor).is_some_and(|piece| piece.side == enemy);
                if in_front && is_enemy {
                    rows.push((edge.along, row_through(board, enemy, neighbor, edge)));
                }
            }
        }
    }
    // A stable sort: rows along ranks keep their order and come first.
    rows.sort_by_key(|(along, _)| along.rank);
    rows.into_iter().map(|(_, row)| row).collect()
}

/// Returns whether a row is long enough, faced by friends of the mover everywhere, and closed at both ends.
fn is_closed(trap: &Trap<'_>, wall: Shieldwall, row: &Row) -> bool {
    let captor = |cell: Cell| {
        cell == trap.to
            || trap
                .board
                .piece(cell)
                .is_some_and(|piece| piece.side == trap.mover.side && is_anvil(trap.rules, piece))
    };
    let closes = |end: Place| end.cell().is_some_and(captor) || corner_closes(trap.rules, wall, end);
    row.cells.len() >= 2 && row.fronts.iter().all(|cell| captor(*cell)) && row.ends.into_iter().all(closes)
}
