//! Facts about a position and a ply, by exhaustive trial.
//!
//! # Interpretations
//!
//! - A king's distance is the number of his own moves if no other piece moves; chains and repetition are ignored.
//! - A king is in danger if any move of any enemy captures him; chains and repetition are ignored.
//! - A cordon is closed if no walk of steps (and jumps, for a king who jumps) leads from the king to a goal of his over
//!   cells without enemies; his own men are removed. A cell on which he may neither stop nor pass is a wall, unless he may do
//!   so from his present cell.
//! - If a capture has several causes, the first of these counts: custodian capture by a piece or by hostile ground
//!   (throne, corner, others), Linnaean capture, the edge, shieldwall, hexagonal corner, jump.

use std::collections::BTreeSet;

use tafl_rules::{
    CaptureMode, Cell, Coord, Directions, Event, Events, Jump, KingStatus, Move, Outcome, Piece, Reason,
    Role, Setup, Side,
};

use super::board::{Place, axis_steps, hostile, is_anvil, is_dux, is_royal};
use super::captures::{Trap, beyond, captures, custodian, hex_corner, linnaean};
use super::game::Naive;
use super::moves::{cells_of, destinations, jump, may_pass, may_stop};
use super::{kings, walls};
use crate::model::RulesModel;

impl Naive {
    /// Returns the status of a side's royal king, if it has one.
    pub fn king_status(&self, side: Side) -> Option<KingStatus> {
        let king = Piece::new(side, Role::King);
        let (cell, _) =
            self.board.pieces().find(|(_, piece)| *piece == king && is_royal(&self.rules, king))?;
        let goals: BTreeSet<Cell> = self.rules.goal_cells(side).into_iter().collect();
        let open = destinations(&self.rules, &self.board, cell).intersection(&goals).count();
        Some(KingStatus {
            distance: self.distance(cell, king, &goals),
            lines: open.min(usize::from(KingStatus::MANY)) as u8,
            in_danger: self.is_in_danger(cell, side.other()),
            cordoned: !goals.is_empty() && self.is_cordoned(cell, king, &goals),
        })
    }

    fn distance(&self, cell: Cell, king: Piece, goals: &BTreeSet<Cell>) -> u8 {
        let mut bare = self.board.clone();
        bare.put(cell, None);
        let mut reached = BTreeSet::from([cell]);
        for moves in 0..KingStatus::FAR {
            if !reached.is_disjoint(goals) {
                return moves;
            }
            for from in reached.clone() {
                let mut board = bare.clone();
                board.put(from, Some(king));
                reached.extend(destinations(&self.rules, &board, from));
            }
        }
        KingStatus::FAR
    }

    fn is_in_danger(&self, king: Cell, enemy: Side) -> bool {
        cells_of(&self.board, enemy).into_iter().any(|from| {
            destinations(&self.rules, &self.board, from)
                .into_iter()
                .any(|to| self.after(Move::new(from, to)).1.contains(&king))
        })
    }

    fn is_cordoned(&self, cell: Cell, king: Piece, goals: &BTreeSet<Cell>) -> bool {
        let rules = &self.rules;
        let shape = self.board.shape();
        let mut enemies = self.board.clone();
        cells_of(&self.board, king.side).into_iter().for_each(|cell| enemies.put(cell, None));
        // A cell in no zone, so that a path from it starts outside of all zones.
        let outside = shape
            .cells()
            .find(|cell| !rules.zones.values().any(|zone| zone.cells.len() > 1 && zone.contains(*cell)));
        let starts: Vec<Cell> = [Some(cell), outside].into_iter().flatten().collect();
        let is_open = |to: Cell| {
            let allowed = |from: Cell| may_stop(rules, king, from, to) || may_pass(rules, king, from, to);
            enemies.piece(to).is_none() && starts.iter().any(|from| allowed(*from))
        };
        let mut steps = axis_steps(shape);
        if rules.movement[king].directions == Directions::Queen {
            steps.extend(shape.diagonals().iter().flat_map(|step| [*step, step.back()]));
        }
        let mut reached = BTreeSet::from([cell]);
        let mut queue = vec![cell];
        while let Some(at) = queue.pop() {
            let coord: Coord = shape.coord(at);
            let near = steps.iter().filter_map(|step| shape.cell(coord.plus(*step)));
            let jumps = self.landings(&enemies, king, at);
            for next in near.chain(jumps).filter(|next| is_open(*next)) {
                if reached.insert(next) {
                    queue.push(next);
                }
            }
        }
        reached.is_disjoint(goals)
    }

    /// Returns the landing cells of a king that jumps over enemies.
    fn landings(&self, enemies: &Setup, king: Piece, from: Cell) -> Vec<Cell> {
        if self.rules.movement[king].jump == Jump::None {
            return Vec::new();
        }
        let mut board = enemies.clone();
        board.put(from, Some(king));
        let shape = board.shape();
        axis_steps(shape).into_iter().filter_map(|step| jump(&self.rules, &board, from, step)).collect()
    }

    /// Returns the facts about a legal move, from the position before it and the game after it.
    pub fn events(&self, mv: Move, after: &Naive) -> Events {
        let mover = self.board.piece(mv.from).expect("a piece moves");
        let mut board = self.board.clone();
        board.put(mv.from, None);
        board.put(mv.to, Some(mover));
        let trap = Trap { rules: &self.rules, board: &board, mover, from: mv.from, to: mv.to };
        let fallen = captures(&trap);
        let mut events: Events = fallen.iter().filter_map(|cell| cause(&trap, *cell)).collect();
        let mut add = |is: bool, event: Event| {
            if is {
                events.insert(event);
            }
        };
        let is_king = |cell: &Cell| board.piece(*cell).is_some_and(|piece| piece.role == Role::King);
        add(!fallen.is_empty(), Event::Capture);
        add(fallen.len() > 1, Event::ManyCaptured);
        add(fallen.iter().any(is_king), Event::KingCaptured);
        add(mover.role == Role::King, Event::KingMoved);
        let ended = |reason: Reason| after.outcome().is_some_and(|outcome: Outcome| outcome.reason == reason);
        add(after.outcome().is_none() && after.side_to_move() == mover.side, Event::ChainGoesOn);
        add(ended(Reason::KingReachedGoal), Event::KingEscaped);
        add(ended(Reason::ExitFort), Event::ExitFort);
        add(ended(Reason::Encirclement), Event::Encirclement);
        add(ended(Reason::NoLegalMove), Event::NoLegalMove);
        add(ended(Reason::AllCaptured), Event::AllCaptured);
        add(ended(Reason::Repetition), Event::Repetition);
        events
    }
}

/// Returns the cause of the capture on a cell; `None` for a dux among three enemies.
fn cause(trap: &Trap<'_>, cell: Cell) -> Option<Event> {
    let victim = trap.board.piece(cell).expect("pieces fall");
    let is_beside = trap.board.shape().neighbors(trap.to).any(|near| near == cell);
    let step = super::board::step_between(trap.board.shape(), trap.to, cell);
    if is_beside && is_royal(trap.rules, victim) {
        let step = step.expect("a neighbor of the mover");
        let by_mode = kings::by_mode(trap, cell, victim, step);
        if by_mode && kings::mode_at(trap, cell) != CaptureMode::Custodian {
            return Some(Event::KingSurrounded);
        }
        if !by_mode && kings::pierced(trap, cell, victim, step) {
            return Some(Event::KingPierced);
        }
        return Some(if by_mode { ground(trap, victim, beyond(trap, cell)) } else { Event::Jumped });
    }
    if is_beside && is_dux(trap.rules, victim) {
        return None;
    }
    if is_beside {
        let place = beyond(trap, cell);
        if place != Place::Off && custodian(trap, cell, victim) {
            return Some(ground(trap, victim, place));
        }
        if linnaean(trap, cell, victim) {
            return Some(Event::Linnaean);
        }
        if custodian(trap, cell, victim) {
            return Some(Event::AgainstEdge);
        }
    }
    if walls::shieldwall(trap).contains(&cell) {
        return Some(Event::Shieldwall);
    }
    Some(if is_beside && hex_corner(trap, cell) { Event::HexCorner } else { Event::Jumped })
}

/// Returns the cause of a custodial capture: the anvil opposite the mover.
fn ground(trap: &Trap<'_>, victim: Piece, place: Place) -> Event {
    let rules = trap.rules;
    match place {
        Place::Off => Event::AgainstEdge,
        Place::Taken(_, piece) if piece.side != victim.side && is_anvil(rules, piece) => Event::Custodial,
        Place::Taken(cell, piece) => {
            let throned = piece.role == Role::King && rules.zones.throne.cells.contains(&cell);
            let by_throne = throned && rules.throne_hostile_occupied.contains(victim);
            if by_throne { Event::AgainstThrone } else { Event::AgainstCamp }
        }
        Place::Empty(cell) => {
            assert!(hostile(rules, victim, place), "nothing else helps to capture");
            let by = |zone: &tafl_rules::Zone| zone.cells.contains(&cell) && zone.hostile.contains(victim);
            match (by(&rules.zones.throne), by(&rules.zones.corners)) {
                (true, _) => Event::AgainstThrone,
                (false, true) => Event::AgainstCorner,
                (false, false) => Event::AgainstCamp,
            }
        }
    }
}
