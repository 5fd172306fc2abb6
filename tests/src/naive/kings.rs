//! Captures of royal kings.

use tafl_rules::{CaptureMode, Cell, Piece, Role, Step};

use super::board::{Place, axis_steps, helps_against, look_from, step_between};
use super::captures::Trap;

/// Returns whether the move captures the royal king on `cell`, a neighbor of its destination.
pub(super) fn falls(trap: &Trap<'_>, cell: Cell, king: Piece) -> bool {
    let shape = trap.board.shape();
    let Some(step) = step_between(shape, trap.to, cell) else { return false };
    by_mode(trap, cell, king, step) || pierced(trap, cell, king, step)
}

/// Returns the capture mode of the king's cell.
pub(super) fn mode_at(trap: &Trap<'_>, cell: Cell) -> CaptureMode {
    let shape = trap.board.shape();
    let throne = &trap.rules.zones.throne.cells;
    let modes = trap.rules.king_capture;
    if throne.contains(&cell) {
        modes.on_throne
    } else if shape.neighbors(cell).any(|neighbor| throne.contains(&neighbor)) {
        modes.next_to_throne
    } else if shape.is_edge(cell) {
        modes.on_edge
    } else {
        modes.elsewhere
    }
}

/// Returns whether the king is captured by the mode of his cell. `step` is the direction from the mover to him.
pub(super) fn by_mode(trap: &Trap<'_>, cell: Cell, king: Piece, step: Step) -> bool {
    let board = trap.board;
    let place = |step: Step| look_from(board, cell, step);
    let helps = |place: Place| place.cell() == Some(trap.to) || helps_against(trap.rules, king, place);
    let around: Vec<Place> = axis_steps(board.shape()).into_iter().map(place).collect();
    match mode_at(trap, cell) {
        CaptureMode::Never => false,
        CaptureMode::Custodian => helps(place(step)),
        CaptureMode::All => around.iter().all(|place| *place != Place::Off && helps(*place)),
        CaptureMode::Confine => around.iter().all(|place| *place == Place::Off || helps(*place)),
        CaptureMode::Any3 => {
            around.iter().filter(|place| **place != Place::Off && helps(**place)).count() >= 3
        }
        CaptureMode::Alternate3 => {
            let [left, right] = thirds(step.back());
            [left, right]
                .into_iter()
                .all(|step| matches!(place(step), Place::Taken(..)) && enemy_helps(trap, king, place(step)))
        }
    }
}

/// Returns whether an enemy on a cell helps to capture the king.
fn enemy_helps(trap: &Trap<'_>, king: Piece, place: Place) -> bool {
    match place {
        Place::Taken(cell, piece) => {
            piece.side != king.side && (cell == trap.to || super::board::is_anvil(trap.rules, piece))
        }
        Place::Off | Place::Empty(_) => false,
    }
}

/// Returns the steps at 120 degrees to a step on a hexagonal board.
fn thirds(step: Step) -> [Step; 2] {
    // The six steps in the order of a walk around a cell.
    const ROUND: [(i16, i16); 6] = [(1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1)];
    let at = ROUND.iter().position(|way| *way == (step.file, step.rank)).expect("a step along an axis");
    [2, 4].map(|turn| {
        let (file, rank) = ROUND[(at + turn) % 6];
        Step { file, rank }
    })
}

/// Returns whether commanders pierce the king: the mover, and opposite it another commander or an empty corner hostile to him.
pub(super) fn pierced(trap: &Trap<'_>, cell: Cell, king: Piece, step: Step) -> bool {
    let rules = trap.rules;
    let pierces = |piece: Piece| piece.role == Role::Commander && rules.piercing.contains(piece);
    if !pierces(trap.mover) || rules.zones.throne.cells.contains(&cell) {
        return false;
    }
    match look_from(trap.board, cell, step) {
        Place::Taken(_, piece) => piece.side != king.side && pierces(piece),
        Place::Empty(corner) => {
            rules.zones.corners.cells.contains(&corner) && rules.zones.corners.hostile.contains(king)
        }
        Place::Off => false,
    }
}
