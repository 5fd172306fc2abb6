//! The contents of places, the kinds of pieces, and hostility.

use tafl_rules::{Cell, Coord, Piece, Role, RuleSet, Setup, Shape, Side, Step, Zone};

/// The content of a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Beyond the edge of the board.
    Off,
    /// An empty cell.
    Empty(Cell),
    /// A cell with a piece.
    Taken(Cell, Piece),
}

impl Place {
    /// Returns the cell; `None` beyond the edge.
    pub(super) fn cell(self) -> Option<Cell> {
        match self {
            Place::Off => None,
            Place::Empty(cell) | Place::Taken(cell, _) => Some(cell),
        }
    }
}

/// Returns the content of a place.
pub(super) fn look(board: &Setup, coord: Coord) -> Place {
    match board.shape().cell(coord) {
        None => Place::Off,
        Some(cell) => match board.piece(cell) {
            None => Place::Empty(cell),
            Some(piece) => Place::Taken(cell, piece),
        },
    }
}

/// Returns the content of the place one step away from a cell.
pub(super) fn look_from(board: &Setup, cell: Cell, step: Step) -> Place {
    look(board, board.shape().coord(cell).plus(step))
}

/// Returns the steps along the axes, in both directions.
pub(super) fn axis_steps(shape: Shape) -> Vec<Step> {
    shape.axes().iter().flat_map(|step| [*step, step.back()]).collect()
}

/// Returns the step from a cell to a neighbor along an axis; `None` if they are not such neighbors.
pub(super) fn step_between(shape: Shape, from: Cell, to: Cell) -> Option<Step> {
    let coord = shape.coord(from);
    axis_steps(shape).into_iter().find(|step| shape.cell(coord.plus(*step)) == Some(to))
}

/// Returns whether a piece can be the anvil of a capture.
pub(super) fn is_anvil(rules: &RuleSet, piece: Piece) -> bool {
    match piece.role {
        Role::Guard => false,
        Role::King => rules.king_arming.is_anvil(),
        Role::Soldier | Role::Commander | Role::Knight | Role::Mercenary => true,
    }
}

/// Returns whether a piece captures by moving.
pub(super) fn is_hammer(rules: &RuleSet, piece: Piece) -> bool {
    match piece.role {
        Role::Guard => false,
        Role::King => rules.king_arming.is_hammer(),
        Role::Soldier | Role::Commander | Role::Knight | Role::Mercenary => true,
    }
}

/// Returns whether a piece is a king whose capture loses.
pub(super) fn is_royal(rules: &RuleSet, piece: Piece) -> bool {
    piece.role == Role::King && rules.royal.contains(piece)
}

/// Returns whether a piece is captured only by three hostile neighbors.
pub(super) fn is_dux(rules: &RuleSet, piece: Piece) -> bool {
    piece.role != Role::Guard && piece.role != Role::King && rules.dux.contains(piece)
}

/// Returns whether a piece is captured like a man: it is not a royal king, a guard, or a dux.
pub(super) fn is_man(rules: &RuleSet, piece: Piece) -> bool {
    piece.role != Role::Guard && !is_royal(rules, piece) && !is_dux(rules, piece)
}

/// Returns whether a place is hostile to a piece by itself, not by an enemy on it.
pub(super) fn hostile(rules: &RuleSet, victim: Piece, place: Place) -> bool {
    let lies_in = |zone: &Zone, cell: Cell| zone.cells.contains(&cell);
    let by_zone = |zone: &Zone, cell: Cell| lies_in(zone, cell) && zone.hostile.contains(victim);
    // Camps and fortresses are hostile whether they are occupied or not.
    let fortress = |cell: Cell| {
        let spared = victim.side == Side::Attackers && rules.camps_spared.contains(&cell);
        by_zone(&rules.zones.forts, cell) || by_zone(&rules.zones.camps, cell) && !spared
    };
    match place {
        Place::Off => rules.edge_hostile.contains(victim),
        Place::Empty(cell) => {
            fortress(cell) || by_zone(&rules.zones.throne, cell) || by_zone(&rules.zones.corners, cell)
        }
        Place::Taken(cell, piece) => {
            let throned = piece.role == Role::King && lies_in(&rules.zones.throne, cell);
            fortress(cell) || throned && rules.throne_hostile_occupied.contains(victim)
        }
    }
}

/// Returns whether a place helps to capture `victim`: it has an anvil of the other side, or is hostile by itself.
pub(super) fn helps_against(rules: &RuleSet, victim: Piece, place: Place) -> bool {
    let enemy = match place {
        Place::Taken(_, piece) => piece.side != victim.side && is_anvil(rules, piece),
        Place::Off | Place::Empty(_) => false,
    };
    enemy || hostile(rules, victim, place)
}
