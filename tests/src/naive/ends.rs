//! Ends by forts and encirclements.

use std::collections::BTreeSet;

use tafl_rules::{Cell, Encirclement, Piece, Role, RuleSet, Setup, Side};

use super::board::{Place, axis_steps, hostile, is_dux, look_from};
use super::moves::may_stop;
use super::walls::{corner_closes, edges_of, row_through};

/// Returns whether a king of the defenders is in a fort at the edge that cannot be broken.
pub(super) fn has_exit_fort(rules: &RuleSet, board: &Setup) -> bool {
    board
        .pieces()
        .filter(|(_, piece)| piece.side == Side::Defenders && piece.role == Role::King)
        .any(|(cell, king)| is_exit_fort(rules, board, cell, king))
}

fn is_exit_fort(rules: &RuleSet, board: &Setup, king_cell: Cell, king: Piece) -> bool {
    let shape = board.shape();
    let can_move = shape
        .neighbors(king_cell)
        .any(|cell| board.piece(cell).is_none() && may_stop(rules, king, king_cell, cell));
    if !shape.is_edge(king_cell) || !can_move {
        return false;
    }
    let room = flood(board, [king_cell].into());
    let around: BTreeSet<Cell> =
        room.iter().flat_map(|cell| shape.neighbors(*cell)).filter(|cell| !room.contains(cell)).collect();
    let wall = safe_wall(rules, board, &room);
    around.into_iter().all(|cell| {
        let piece = board.piece(cell).expect("the room ends at pieces");
        match piece.side {
            Side::Attackers => false,
            Side::Defenders => piece.role == Role::King || wall.contains(&cell),
        }
    })
}

/// Returns the cells of `start` and every empty cell that can be reached from there through empty cells.
fn flood(board: &Setup, start: BTreeSet<Cell>) -> BTreeSet<Cell> {
    let mut queue: Vec<Cell> = start.iter().copied().collect();
    let mut seen = start;
    while let Some(cell) = queue.pop() {
        for neighbor in board.shape().neighbors(cell) {
            if board.piece(neighbor).is_none() && seen.insert(neighbor) {
                queue.push(neighbor);
            }
        }
    }
    seen
}

/// Returns the greatest set of defenders, kings aside, none of whom can be captured while attackers stay out of `room`.
fn safe_wall(rules: &RuleSet, board: &Setup, room: &BTreeSet<Cell>) -> BTreeSet<Cell> {
    let mut wall: BTreeSet<Cell> = board
        .pieces()
        .filter(|(_, piece)| piece.side == Side::Defenders && piece.role != Role::King)
        .map(|(cell, _)| cell)
        .collect();
    loop {
        let safe: BTreeSet<Cell> =
            wall.iter().copied().filter(|cell| is_safe(rules, board, room, &wall, *cell)).collect();
        if safe == wall {
            return wall;
        }
        wall = safe;
    }
}

/// Returns whether a member of the wall cannot be captured, given that the other members stay.
fn is_safe(rules: &RuleSet, board: &Setup, room: &BTreeSet<Cell>, wall: &BTreeSet<Cell>, cell: Cell) -> bool {
    let man = board.piece(cell).expect("members of the wall are pieces");
    if man.role == Role::Guard {
        return true;
    }
    let safe_side = |place: Place| {
        let kept_free = place.cell().is_none_or(|cell| room.contains(&cell) || wall.contains(&cell));
        kept_free && !hostile(rules, man, place)
    };
    if is_dux(rules, man) {
        let around = axis_steps(board.shape()).into_iter().map(|step| look_from(board, cell, step));
        return around.filter(|place| *place != Place::Off && !safe_side(*place)).count() < 3;
    }
    let axes_safe = board
        .shape()
        .axes()
        .iter()
        .all(|step| [*step, step.back()].into_iter().any(|step| safe_side(look_from(board, cell, step))));
    axes_safe && rows_safe(rules, board, room, wall, cell)
}

/// Returns whether no shieldwall can take a member of the wall.
fn rows_safe(
    rules: &RuleSet,
    board: &Setup,
    room: &BTreeSet<Cell>,
    wall: &BTreeSet<Cell>,
    cell: Cell,
) -> bool {
    let Some(rule) = rules.shieldwall else { return true };
    edges_of(board.shape(), cell).into_iter().all(|edge| {
        let row = row_through(board, Side::Defenders, cell, edge);
        let front_safe = row.fronts.iter().any(|front| room.contains(front) || wall.contains(front));
        let end_safe = row.ends.into_iter().any(|end| match end {
            Place::Off => true,
            Place::Empty(cell) => room.contains(&cell) && !corner_closes(rules, rule, end),
            Place::Taken(..) => false,
        });
        row.cells.len() < 2 || front_safe || end_safe
    })
}

/// Returns whether the attackers have enclosed all defenders.
pub(super) fn is_encircled(rules: &RuleSet, board: &Setup) -> bool {
    let secure_needed = match rules.encirclement {
        Encirclement::None => return false,
        Encirclement::Plain => false,
        Encirclement::Secure => true,
    };
    let shape = board.shape();
    let edge: Vec<Cell> = shape.cells().filter(|cell| shape.is_edge(*cell)).collect();
    let open = edge.iter().copied().filter(|cell| board.piece(*cell).is_none());
    let outside = flood(board, open.collect());
    let touched: BTreeSet<Cell> =
        outside.iter().flat_map(|cell| shape.neighbors(*cell)).chain(edge).collect();
    let defends = |cell: Cell| board.piece(cell).is_some_and(|piece| piece.side == Side::Defenders);
    let some = shape.cells().any(defends);
    some && !touched.into_iter().any(defends) && (!secure_needed || is_secure(rules, board, &outside))
}

/// Returns whether no attacker can be captured from within what is enclosed.
fn is_secure(rules: &RuleSet, board: &Setup, outside: &BTreeSet<Cell>) -> bool {
    let enclosed = |place: Place| match place {
        Place::Off => false,
        Place::Empty(cell) => !outside.contains(&cell),
        Place::Taken(_, piece) => piece.side == Side::Defenders,
    };
    let helps = |man: Piece, place: Place| enclosed(place) || hostile(rules, man, place);
    let can_fall = |cell: Cell, man: Piece| {
        if is_dux(rules, man) {
            let around = axis_steps(board.shape()).into_iter().map(|step| look_from(board, cell, step));
            let near: Vec<Place> =
                around.filter(|place| *place != Place::Off && helps(man, *place)).collect();
            return near.len() >= 3 && near.into_iter().any(enclosed);
        }
        board.shape().axes().iter().any(|step| {
            let sides = [*step, step.back()].map(|step| look_from(board, cell, step));
            sides.into_iter().any(enclosed) && sides.into_iter().all(|place| helps(man, place))
        })
    };
    !board.pieces().any(|(cell, piece)| {
        piece.side == Side::Attackers && piece.role != Role::Guard && can_fall(cell, piece)
    })
}
