//! The events of a ply, found by the code that also explains captures.

use crate::explain::Cause;
use crate::facts::{Event, Events};
use crate::game::Ply;
use crate::moves::Move;
use crate::outcome::Reason;
use crate::piece::{Piece, Role};
use crate::position::Position;
use crate::rulebook::captors;
use crate::rulebook::{Cover, Rulebook};
use crate::ruleset::CaptureMode;
use crate::shape::Cell;

impl<const N: usize> Rulebook<N> {
    /// Returns the events of a ply, given the position before it.
    #[inline]
    pub(crate) fn events(&self, before: &Position<N>, ply: &Ply) -> Events {
        let mut events = Events::NONE;
        let piece = self.piece_of(before, ply.side, ply.mv.from);
        if piece.role == Role::King {
            events.insert(Event::KingMoved);
        }
        if !ply.captured.is_empty() {
            self.capture_events(before, ply, piece, &mut events);
        }
        if ply.goes_on {
            events.insert(Event::ChainGoesOn);
        }
        if ply.repetition.is_some() {
            events.insert(Event::Repetition);
        }
        if let Some(event) = ply.outcome.and_then(|outcome| end_event(outcome.reason)) {
            events.insert(event);
        }
        events
    }

    #[cold]
    fn capture_events(&self, before: &Position<N>, ply: &Ply, piece: Piece, events: &mut Events) {
        events.insert(Event::Capture);
        if ply.captured.len() > 1 {
            events.insert(Event::ManyCaptured);
        }
        let mut pos = *before;
        pos.shift(ply.mv.from, ply.mv.to, piece);
        for cell in ply.captured.iter() {
            let victim = self.piece_of(&pos, ply.side.other(), cell);
            if victim.role == Role::King {
                events.insert(Event::KingCaptured);
            }
            if let Some(event) = self.capture_event(&pos, ply.mv, piece, cell, victim) {
                events.insert(event);
            }
        }
    }

    /// Returns the kind of capture of each piece that a ply of the side to move captured, given the position before it, see
    /// [`AnyRulebook::capture_kinds`](crate::AnyRulebook::capture_kinds).
    pub(crate) fn capture_kinds(
        &self,
        before: &Position<N>,
        mv: Move,
        captured: &[Cell],
    ) -> Vec<Option<Event>> {
        let side = before.to_move();
        let piece = self.piece_of(before, side, mv.from);
        let mut pos = *before;
        pos.shift(mv.from, mv.to, piece);
        let kind = |cell: &Cell| {
            let is_enemy = pos.side(side.other()).contains(*cell);
            let victim = is_enemy.then(|| self.piece_of(&pos, side.other(), *cell))?;
            self.capture_event(&pos, mv, piece, *cell, victim)
        };
        captured.iter().map(kind).collect()
    }

    /// Returns the kind of capture by which a piece fell, or `None` for a dux, which falls to three
    /// neighbors.
    fn capture_event(
        &self,
        pos: &Position<N>,
        mv: Move,
        mover: Piece,
        cell: Cell,
        victim: Piece,
    ) -> Option<Event> {
        let Some(cause) = self.cause(pos, mv, mover, cell, victim) else { return Some(Event::Jumped) };
        if self.rules().royal.contains(victim) {
            let set = self.king_captors(pos, cell, mv.to, mover)?;
            let is_custodial = captors::mode(self.rules(), cell) == CaptureMode::Custodian;
            match set.cover {
                Cover::Piercing => return Some(Event::KingPierced),
                Cover::Hostile if is_custodial => {}
                Cover::Hostile | Cover::Pieces => return Some(Event::KingSurrounded),
            }
        }
        match cause {
            Cause::Custodial { across } => Some(self.ground_event(pos, mover, victim, across.cell)),
            Cause::Edge => Some(Event::AgainstEdge),
            Cause::Linnaean { .. } => Some(Event::Linnaean),
            Cause::HexCorner { .. } => Some(Event::HexCorner),
            Cause::Shieldwall { .. } => Some(Event::Shieldwall),
            Cause::Jumped => Some(Event::Jumped),
            Cause::Surrounded { .. } | Cause::Pierced { .. } => None,
        }
    }

    /// Returns the kind of a custodial capture: the cell opposite the piece that moved holds an
    /// enemy or is hostile itself.
    fn ground_event(&self, pos: &Position<N>, mover: Piece, victim: Piece, far: Cell) -> Event {
        let rules = self.rules();
        let is_empty = !pos.occupied().contains(far);
        let king_there = pos.kings().contains(far);
        let by_throne = (is_empty && rules.zones.throne.hostile.contains(victim))
            || (king_there && rules.throne_hostile_occupied.contains(victim));
        if self.anvils_of(pos, mover.side).contains(far) {
            Event::Custodial
        } else if self.throne.contains(far) && by_throne {
            Event::AgainstThrone
        } else if self.corners.contains(far) && is_empty && rules.zones.corners.hostile.contains(victim) {
            Event::AgainstCorner
        } else {
            Event::AgainstCamp
        }
    }
}

/// Returns the event of an end that is visible on the board.
fn end_event(reason: Reason) -> Option<Event> {
    match reason {
        Reason::KingReachedGoal => Some(Event::KingEscaped),
        Reason::ExitFort => Some(Event::ExitFort),
        Reason::Encirclement => Some(Event::Encirclement),
        Reason::NoLegalMove => Some(Event::NoLegalMove),
        Reason::AllCaptured => Some(Event::AllCaptured),
        Reason::KingCaptured
        | Reason::Repetition
        | Reason::Resignation
        | Reason::Timeout
        | Reason::Agreement
        | Reason::Adjudication
        | Reason::PlyLimit
        | Reason::Unfinished
        | Reason::Unknown => None,
    }
}
