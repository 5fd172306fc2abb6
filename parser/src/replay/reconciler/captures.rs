//! The captures of a turn, compared with those of the record.

use tafl_rules::{Cell, CellSet, Piece, Ply, Role, Side, Span};

use super::Reconciler;
use crate::record::{CaptureStyle, WrittenCapture};
use crate::replay::Discrepancy;
use crate::replay::policy::{Policy, ReplayStop, WrittenStep};

/// The captures of the current turn.
#[derive(Debug, Clone, Default)]
pub(super) struct Turn {
    captured: Vec<(Cell, Piece)>,
    written: Vec<WrittenCapture>,
    /// Whether the captures of any of its moves are unknown.
    is_unknown: bool,
}

impl Turn {
    fn is_empty(&self) -> bool {
        self.captured.is_empty() && self.written.is_empty() && !self.is_unknown
    }

    pub(super) fn clear(&mut self) {
        self.captured.clear();
        self.written.clear();
        self.is_unknown = false;
    }
}

impl Reconciler<'_> {
    /// Adds the captures of a move to those of the turn, and compares them at the end of the turn.
    #[inline]
    pub(super) fn take<P: Policy>(
        &mut self,
        ply: &Ply,
        step: &WrittenStep<'_>,
        policy: &mut P,
    ) -> Result<(), ReplayStop> {
        if !step.mv.chained {
            self.turn.clear();
        }
        let is_silent = ply.captured.is_empty() && step.captures.is_some_and(<[_]>::is_empty);
        if (is_silent && self.turn.is_empty()) || self.style == CaptureStyle::NotWritten {
            return Ok(());
        }
        self.add_captured(ply);
        self.add_written(ply, step.captures);
        if step.ends_turn { self.compare_turn(ply.side, step.mv.span, policy) } else { Ok(()) }
    }

    pub(super) fn add_captured(&mut self, ply: &Ply) {
        let game = &self.game;
        let captured = ply.captured.iter().filter_map(|cell| Some((cell, game.captured_piece(cell)?)));
        self.turn.captured.extend(captured);
    }

    fn add_written(&mut self, ply: &Ply, captures: Option<&[WrittenCapture]>) {
        match captures {
            Some(captures) => {
                self.n_written[ply.side] += captures.len() as u32;
                self.turn.written.extend_from_slice(captures);
            }
            None => {
                let captured = ply.captured.iter().filter_map(|cell| self.game.captured_piece(cell));
                let listed = captured.filter(|piece| is_listed(self.style, *piece)).count();
                self.n_written[ply.side] += listed as u32;
                self.turn.is_unknown = true;
            }
        }
    }

    /// Compares the captures of all steps of a turn with those listed by its single written move.
    pub(crate) fn compare_merged<P: Policy>(
        &mut self,
        side: Side,
        step: &WrittenStep<'_>,
        policy: &mut P,
    ) -> Result<(), ReplayStop> {
        if self.style == CaptureStyle::NotWritten {
            return Ok(());
        }
        self.turn.written.extend_from_slice(step.captures.unwrap_or(&[]));
        self.compare_turn(side, step.mv.span, policy)
    }

    /// Compares the captures of a turn with the written ones.
    fn compare_turn<P: Policy>(&mut self, side: Side, span: Span, policy: &mut P) -> Result<(), ReplayStop> {
        if self.turn.is_unknown {
            return Ok(());
        }
        let shape = self.shape;
        let written: CellSet =
            self.turn.written.iter().filter_map(|capture| shape.cell(capture.cell)).collect();
        let mut differs = false;
        for nth in 0..self.turn.captured.len() {
            let (cell, piece) = self.turn.captured[nth];
            if !written.contains(cell) {
                differs = true;
                if is_listed(self.style, piece) {
                    self.handle(policy, span, Discrepancy::MissingCapture { cell, piece })?;
                }
            }
        }
        let captured: CellSet = self.turn.captured.iter().map(|(cell, _)| *cell).collect();
        let mut seen = CellSet::default();
        for nth in 0..self.turn.written.len() {
            let WrittenCapture { cell: name, letter, span } = self.turn.written[nth];
            let Some(cell) = shape.cell(name) else {
                self.handle(policy, span, Discrepancy::CaptureOffBoard { cell: name })?;
                continue;
            };
            if seen.contains(cell) {
                self.handle(policy, span, Discrepancy::DoubledCapture { cell })?;
                continue;
            }
            seen.insert(cell);
            if !captured.contains(cell) {
                differs = true;
                self.handle(policy, span, Discrepancy::UnrealCapture { cell })?;
            } else if let Some(role) = letter.role()
                && let Some((_, piece)) = self.turn.captured.iter().find(|(other, _)| *other == cell)
                && piece.role != role
            {
                self.handle(policy, span, Discrepancy::CaptureLetter { piece: *piece })?;
            }
        }
        if differs && policy.forces_captures() {
            return self.force_captures(TurnCaptures { side, span, written, captured }, policy);
        }
        Ok(())
    }

    /// Puts back captured pieces that the record does not list, and removes those that it lists.
    #[cold]
    fn force_captures<P: Policy>(&mut self, turn: TurnCaptures, policy: &mut P) -> Result<(), ReplayStop> {
        let TurnCaptures { side, span, written, captured } = turn;
        let mut setup = self.game.setup();
        for (cell, piece) in self.turn.captured.iter().filter(|(cell, _)| !written.contains(*cell)) {
            setup.put(*cell, Some(*piece));
        }
        for cell in written.without(captured).iter() {
            match setup.piece(cell) {
                Some(Piece { role: Role::Mercenary, side: owner }) if owner != side => {
                    setup.put(cell, Some(Piece::new(side, Role::Mercenary)));
                }
                Some(piece) if piece.side != side => setup.put(cell, None),
                Some(_) | None => {}
            }
        }
        // The new game has no outcome, so it is kept separately.
        if let Some(outcome) = self.game.outcome() {
            policy.next_move();
            self.handle(policy, span, Discrepancy::AfterEnd(outcome))?;
        }
        self.put(&setup, side.other())
    }
}

/// The captures of a turn, as written and by the rules.
struct TurnCaptures {
    /// The side that captures.
    side: Side,
    /// The last move of the turn.
    span: Span,
    written: CellSet,
    captured: CellSet,
}

/// Returns whether records of a style list the capture of this piece.
pub(crate) fn is_listed(style: CaptureStyle, piece: Piece) -> bool {
    match style {
        CaptureStyle::Listed => true,
        CaptureStyle::ListedButKings => piece.role != Role::King,
        CaptureStyle::NotWritten => false,
    }
}
