//! Destinations of pieces.

use std::collections::BTreeSet;

use tafl_rules::{Cell, Directions, Jump, Piece, RuleSet, Setup, Shape, Side, Step, Zone};

use super::board::{Place, axis_steps, look_from};

/// Returns the cells to which the piece on `from` may move; chains and repetition are ignored.
///
/// # Panics
///
/// Panics if the cell is empty.
pub(super) fn destinations(rules: &RuleSet, board: &Setup, from: Cell) -> BTreeSet<Cell> {
    let piece = board.piece(from).expect("a piece moves");
    let movement = rules.movement[piece];
    let shape = board.shape();
    let mut found = BTreeSet::new();
    let mut ways = axis_steps(shape);
    if movement.directions == Directions::Queen {
        ways.extend(shape.diagonals().iter().flat_map(|step| [*step, step.back()]));
    }
    for step in ways {
        found.extend(slide(rules, board, from, step));
    }
    for step in axis_steps(shape) {
        found.extend(jump(rules, board, from, step));
    }
    found
}

/// Walks from a cell in one direction and returns the cells on which the piece may stop.
fn slide(rules: &RuleSet, board: &Setup, from: Cell, step: Step) -> Vec<Cell> {
    let piece = board.piece(from).expect("a piece moves");
    let mut found = Vec::new();
    let mut at = from;
    let mut walked = 0;
    while rules.movement[piece].max.is_none_or(|max| walked < max) {
        let Place::Empty(next) = look_from(board, at, step) else { break };
        if may_stop(rules, piece, from, next) {
            found.push(next);
        }
        if !may_pass(rules, piece, from, next) {
            break;
        }
        at = next;
        walked += 1;
    }
    found
}

/// Returns the landing cell of a jump from `from` in one direction, if it is allowed.
pub(super) fn jump(rules: &RuleSet, board: &Setup, from: Cell, step: Step) -> Option<Cell> {
    let piece = board.piece(from).expect("a piece moves");
    let Place::Taken(over, jumped) = look_from(board, from, step) else { return None };
    let may_cross = jumped.side != piece.side || rules.jump_own;
    if !may_cross || !rules.jumped.contains(&jumped.role) {
        return None;
    }
    let Place::Empty(landing) = look_from(board, over, step) else { return None };
    let allowed = match rules.movement[piece].jump {
        Jump::None => false,
        Jump::Restricted => [from, landing].into_iter().any(|cell| is_restricted(rules, piece, cell)),
        Jump::Plain | Jump::Capturing => true,
    };
    (allowed && may_stop(rules, piece, from, landing)).then_some(landing)
}

/// Returns whether a restricted jump may start or end on a cell.
fn is_restricted(rules: &RuleSet, piece: Piece, cell: Cell) -> bool {
    let own_fortresses = match piece.side {
        Side::Attackers => &rules.zones.camps,
        Side::Defenders => &rules.zones.forts,
    };
    [&rules.zones.throne, &rules.zones.corners, own_fortresses]
        .into_iter()
        .any(|zone| zone.cells.contains(&cell))
}

/// The kinds of special cells, with their rules.
fn zones(rules: &RuleSet) -> [(&Zone, Kind); 4] {
    [
        (&rules.zones.throne, Kind::Castle),
        (&rules.zones.corners, Kind::Castle),
        (&rules.zones.camps, Kind::Camps),
        (&rules.zones.forts, Kind::Forts),
    ]
}

/// The rule for moves inside of a zone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Throne and corners: moves inside need no re-entry.
    Castle,
    /// Camps: moves inside are free, and "inside" may mean the same camp.
    Camps,
    /// Fortresses of the defenders: moves inside are free.
    Forts,
}

/// Returns whether a move from `from` to `cell` stays inside of the zone.
fn stays_inside(rules: &RuleSet, kind: Kind, zone: &Zone, from: Cell, cell: Cell) -> bool {
    if !zone.cells.contains(&from) {
        return false;
    }
    match kind {
        Kind::Camps if rules.camps_apart => camp_around(rules.shape(), zone, from).contains(&cell),
        Kind::Camps | Kind::Castle | Kind::Forts => true,
    }
}

/// Returns the cells of a zone that are connected to one of its cells.
fn camp_around(shape: Shape, zone: &Zone, cell: Cell) -> BTreeSet<Cell> {
    let mut camp = BTreeSet::from([cell]);
    let mut queue = vec![cell];
    while let Some(next) = queue.pop() {
        for neighbor in shape.neighbors(next) {
            if zone.cells.contains(&neighbor) && camp.insert(neighbor) {
                queue.push(neighbor);
            }
        }
    }
    camp
}

/// Returns whether a piece that starts on `from` may end its move on an empty cell.
pub(super) fn may_stop(rules: &RuleSet, piece: Piece, from: Cell, cell: Cell) -> bool {
    zones(rules).into_iter().filter(|(zone, _)| zone.cells.contains(&cell)).all(|(zone, kind)| {
        zone.stop.contains(piece)
            && (zone.reenter.contains(piece) || stays_inside(rules, kind, zone, from, cell))
    })
}

/// Returns whether a piece that starts on `from` may pass over an empty cell.
pub(super) fn may_pass(rules: &RuleSet, piece: Piece, from: Cell, cell: Cell) -> bool {
    zones(rules).into_iter().filter(|(zone, _)| zone.cells.contains(&cell)).all(|(zone, kind)| {
        zone.pass.contains(piece)
            || kind != Kind::Castle
                && zone.stop.contains(piece)
                && stays_inside(rules, kind, zone, from, cell)
    })
}

/// Returns the cells of a side's pieces.
pub(super) fn cells_of(board: &Setup, side: Side) -> Vec<Cell> {
    board.pieces().filter(|(_, piece)| piece.side == side).map(|(cell, _)| cell).collect()
}
