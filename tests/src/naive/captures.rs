//! Captures of a move.

use std::collections::BTreeSet;

use tafl_rules::{Cell, Jump, Piece, Role, RuleSet, Setup, Side};

use super::board::{
    Place, axis_steps, helps_against, is_anvil, is_dux, is_hammer, is_man, is_royal, look_from, step_between,
};
use super::{kings, walls};

/// A move just made: the board after it, before anything is removed.
pub(super) struct Trap<'a> {
    pub(super) rules: &'a RuleSet,
    pub(super) board: &'a Setup,
    pub(super) mover: Piece,
    pub(super) from: Cell,
    pub(super) to: Cell,
}

/// Returns the cells of the pieces that the move captures; mercenaries among them change sides.
pub(super) fn captures(trap: &Trap<'_>) -> BTreeSet<Cell> {
    let mut fallen = BTreeSet::new();
    if !is_hammer(trap.rules, trap.mover) {
        return fallen;
    }
    let shape = trap.board.shape();
    for neighbor in shape.neighbors(trap.to) {
        let Some(piece) = trap.board.piece(neighbor) else { continue };
        if piece.side == trap.mover.side {
            continue;
        }
        let caught = if is_royal(trap.rules, piece) {
            kings::falls(trap, neighbor, piece)
        } else if is_dux(trap.rules, piece) {
            dux_falls(trap, neighbor, piece)
        } else {
            is_man(trap.rules, piece)
                && (custodian(trap, neighbor, piece)
                    || linnaean(trap, neighbor, piece)
                    || hex_corner(trap, neighbor))
        };
        if caught {
            fallen.insert(neighbor);
        }
    }
    fallen.extend(walls::shieldwall(trap));
    fallen.extend(jumped(trap));
    fallen
}

/// Returns whether the man on `cell` is between the mover and an anvil or hostile cell.
pub(super) fn custodian(trap: &Trap<'_>, cell: Cell, man: Piece) -> bool {
    helps_against(trap.rules, man, beyond(trap, cell))
}

/// Returns whether three neighbors of the dux on `cell`, the mover among them, are hostile to him.
fn dux_falls(trap: &Trap<'_>, cell: Cell, dux: Piece) -> bool {
    let steps = axis_steps(trap.board.shape());
    let around = steps.into_iter().map(|step| look_from(trap.board, cell, step));
    let hostile = around.filter(|place| {
        place.cell() == Some(trap.to) || *place != Place::Off && helps_against(trap.rules, dux, *place)
    });
    hostile.count() >= 3
}

/// Returns the cell beyond a neighbor of the mover.
pub(super) fn beyond(trap: &Trap<'_>, cell: Cell) -> Place {
    let step = step_between(trap.board.shape(), trap.to, cell).expect("a neighbor of the mover");
    look_from(trap.board, cell, step)
}

/// Returns whether the man on `cell` is between an attacker and the throne, on which attackers surround his king.
pub(super) fn linnaean(trap: &Trap<'_>, cell: Cell, man: Piece) -> bool {
    if !trap.rules.linnaean || trap.mover.side != Side::Attackers || man.side != Side::Defenders {
        return false;
    }
    let Place::Taken(throne, king) = beyond(trap, cell) else { return false };
    let is_his_king = king.side == Side::Defenders && king.role == Role::King;
    if !is_his_king || !trap.rules.zones.throne.cells.contains(&throne) {
        return false;
    }
    trap.board.shape().neighbors(throne).filter(|neighbor| *neighbor != cell).all(|neighbor| {
        trap.board
            .piece(neighbor)
            .is_some_and(|piece| piece.side == Side::Attackers && is_anvil(trap.rules, piece))
    })
}

/// Returns whether `cell` is a hexagonal corner whose two neighbors on the rim hold the mover and a friend.
pub(super) fn hex_corner(trap: &Trap<'_>, cell: Cell) -> bool {
    let shape = trap.board.shape();
    if !trap.rules.hex_corner_capture || !shape.is_hex() || !shape.corners().contains(&cell) {
        return false;
    }
    let rim: Vec<Cell> = shape.neighbors(cell).filter(|neighbor| shape.is_edge(*neighbor)).collect();
    let friend = |cell: Cell| {
        trap.board
            .piece(cell)
            .is_some_and(|piece| piece.side == trap.mover.side && is_anvil(trap.rules, piece))
    };
    rim.contains(&trap.to) && rim.iter().all(|cell| *cell == trap.to || friend(*cell))
}

/// Returns the enemy that the mover jumped over, if that captures it; guards and duces are exempt.
pub(super) fn jumped(trap: &Trap<'_>) -> Option<Cell> {
    if trap.rules.movement[trap.mover].jump != Jump::Capturing {
        return None;
    }
    let over = jumped_over(trap.board, trap.from, trap.to)?;
    let piece = trap.board.piece(over)?;
    let can_fall = is_man(trap.rules, piece) || is_royal(trap.rules, piece);
    (piece.side != trap.mover.side && can_fall).then_some(over)
}

/// Returns the occupied cell in the middle of a move of two cells along an axis: nothing slides over pieces.
pub(super) fn jumped_over(board: &Setup, from: Cell, to: Cell) -> Option<Cell> {
    let shape = board.shape();
    shape.neighbors(from).filter(|middle| board.piece(*middle).is_some()).find(|middle| {
        step_between(shape, from, *middle)
            .is_some_and(|step| look_from(board, *middle, step).cell() == Some(to))
    })
}
