//! The comparison of a record with the rules, move by move.
//!
//! A [`Reconciler`] holds the game and the current turn. Each written move yields [`Discrepancy`]s, and a
//! [`Policy`] decides how to continue after each of them: continue by the rules, force the board described by
//! the record, or stop. Replay reports discrepancies, repair stops at the first one, inference forces the
//! written board, and the search for unwritten steps goes back to an earlier position.

mod captures;

use tafl_rules::{
    AnyRulebook, BySide, CellSet, Game, IllegalMove, Move, Outcome, Ply, RepetitionMode, Setup, Shape, Side,
    Span,
};

use self::captures::Turn;
pub(crate) use self::captures::is_listed;
use super::Discrepancy;
use super::policy::{Policy, ReplayStop, Response, WrittenStep};
use crate::record::{CaptureStyle, Record, WrittenBoard};

/// The state of a comparison: a game and the record of it.
#[derive(Debug, Clone)]
pub(crate) struct Reconciler<'b> {
    book: &'b AnyRulebook,
    style: CaptureStyle,
    shape: Shape,
    pub(crate) game: Game,
    turn: Turn,
    /// The first end by the rules.
    pub(crate) end: Option<Outcome>,
    /// The outcome given by a repetition rule after the last written move.
    pub(crate) repetition: Option<Outcome>,
    /// The number of captures listed with the moves of each side; for moves with unknown captures, the number
    /// that the record would list.
    pub(crate) n_written: BySide<u32>,
}

impl<'b> Reconciler<'b> {
    pub(crate) fn new(book: &'b AnyRulebook, game: Game, style: CaptureStyle) -> Reconciler<'b> {
        Reconciler {
            book,
            style,
            shape: game.shape(),
            game,
            turn: Turn::default(),
            end: None,
            repetition: None,
            n_written: BySide::default(),
        }
    }

    /// Returns the same state with another position.
    pub(crate) fn at(&self, game: Game) -> Reconciler<'b> {
        Reconciler { game, turn: self.turn.clone(), ..*self }
    }

    /// Continues by other rules of the same board. Earlier occurrences of a position don't count from here on.
    ///
    /// # Errors
    ///
    /// Returns [`ReplayStop`] if the position is not possible under these rules.
    pub(super) fn change_rules(&mut self, book: &'b AnyRulebook) -> Result<(), ReplayStop> {
        self.book = book;
        let (setup, to_move) = (self.game.setup(), self.game.to_move());
        self.put(&setup, to_move)
    }

    /// Starts over from the position of the game, without any findings.
    pub(crate) fn restart(&mut self, style: CaptureStyle) {
        self.style = style;
        self.turn.clear();
        self.end = None;
        self.repetition = None;
        self.n_written = BySide::default();
    }

    /// Plays a written move.
    ///
    /// # Errors
    ///
    /// Returns [`ReplayStop`] if the policy stops, or if play cannot continue from a forced board.
    #[inline]
    pub(crate) fn step<P: Policy>(
        &mut self,
        step: WrittenStep<'_>,
        policy: &mut P,
    ) -> Result<(), ReplayStop> {
        let mv = self.prepare(&step, policy)?;
        self.play(mv, &step, policy)
    }

    /// Checks the piece and the turn of a written move. Returns the move on the board.
    #[inline]
    pub(crate) fn prepare<P: Policy>(
        &mut self,
        step: &WrittenStep<'_>,
        policy: &mut P,
    ) -> Result<Move, ReplayStop> {
        let WrittenStep { mv: written, is_first, .. } = *step;
        self.pass_end(written.span, policy)?;
        let shape = self.shape;
        let (Some(from), Some(to)) = (shape.cell(written.from), shape.cell(written.to)) else {
            let cell = if shape.has(written.from) { written.to } else { written.from };
            self.handle(policy, written.span, Discrepancy::OffBoard { cell })?;
            return Err(ReplayStop);
        };
        if let Some(role) = written.letter.role()
            && let Some(piece) = self.game.piece(from).filter(|piece| piece.role != role)
        {
            self.handle(policy, written.span, Discrepancy::WrongLetter { piece })?;
        }
        if is_first
            && let Some(piece) = self.game.piece(from).filter(|piece| piece.side != self.game.to_move())
            && self.handle(policy, written.span, Discrepancy::FirstMover { piece })? == Response::Force
        {
            self.game.set_to_move(piece.side);
        }
        if written.chained && !is_first && self.game.chain() != Some(from) {
            self.handle(policy, written.span, Discrepancy::BrokenChain)?;
        }
        Ok(Move::new(from, to))
    }

    /// Lets play continue as in the record although the rules have ended the game.
    #[inline]
    fn pass_end<P: Policy>(&mut self, span: Span, policy: &mut P) -> Result<(), ReplayStop> {
        if let Some(outcome) = self.game.outcome() {
            self.handle(policy, span, Discrepancy::AfterEnd(outcome))?;
            self.game.clear_outcome();
        } else if P::RULES_IN_QUESTION
            && let Some(outcome) = self.repetition.take()
        {
            self.handle(policy, span, Discrepancy::AfterEnd(outcome))?;
        }
        Ok(())
    }

    /// Plays a prepared move and compares its captures.
    ///
    /// The ply is passed to the policy rather than returned, because copying it takes 7 % of the time of a
    /// replay.
    #[inline]
    pub(crate) fn play<P: Policy>(
        &mut self,
        mv: Move,
        step: &WrittenStep<'_>,
        policy: &mut P,
    ) -> Result<(), ReplayStop> {
        match &self.game.play(mv) {
            Ok(ply) => self.played(ply, step, policy),
            Err(why) => self.forbidden(mv, *why, step, policy),
        }
    }

    #[inline]
    fn played<P: Policy>(
        &mut self,
        ply: &Ply,
        step: &WrittenStep<'_>,
        policy: &mut P,
    ) -> Result<(), ReplayStop> {
        self.repetition = ply.repetition.and_then(|hit| hit.rule.outcome(ply.side));
        if self.end.is_none() {
            self.end = ply.outcome;
        }
        self.take(ply, step, policy)?;
        policy.played(&self.game, ply);
        Ok(())
    }

    /// Plays a step of a turn that has no written move. `starts_turn`: whether it is the first one of the
    /// turn.
    ///
    /// # Errors
    ///
    /// Returns the reason if the step is illegal.
    pub(crate) fn play_unwritten(&mut self, mv: Move, starts_turn: bool) -> Result<Ply, IllegalMove> {
        let ply = self.game.play(mv)?;
        if starts_turn {
            self.turn.clear();
        }
        self.add_captured(&ply);
        if self.end.is_none() {
            self.end = ply.outcome;
        }
        Ok(ply)
    }

    /// Handles a move that the rules forbid.
    #[cold]
    fn forbidden<P: Policy>(
        &mut self,
        mv: Move,
        why: IllegalMove,
        step: &WrittenStep<'_>,
        policy: &mut P,
    ) -> Result<(), ReplayStop> {
        if let IllegalMove::NotYourPiece { piece } = why {
            self.handle(policy, step.mv.span, Discrepancy::WrongSide { mv, piece })?;
            self.game.set_to_move(piece.side);
            return self.play(mv, step, policy);
        }
        let piece = self.game.piece(mv.from);
        let lists_captures = self.style != CaptureStyle::NotWritten;
        let is_impossible = (piece.is_none() && lists_captures)
            || matches!(why, IllegalMove::Occupied { .. })
            || mv.from == mv.to;
        let found = if is_impossible {
            Discrepancy::Impossible { mv, why }
        } else {
            Discrepancy::Illegal { mv, why }
        };
        let response = self.handle(policy, step.mv.span, found)?;
        let (Response::Force, Some(piece), false) = (response, piece, is_impossible) else {
            return Err(ReplayStop);
        };
        let mut setup = self.game.setup();
        setup.put(mv.from, None);
        setup.put(mv.to, Some(piece));
        let written = step.captures.unwrap_or(&[]).iter();
        for cell in written.filter_map(|capture| self.shape.cell(capture.cell)) {
            if setup.piece(cell).is_some_and(|victim| victim.side != piece.side) {
                setup.put(cell, None);
            }
        }
        self.repetition = None;
        self.put(&setup, piece.side.other())
    }

    /// Continues from another board.
    fn put(&mut self, setup: &Setup, to_move: Side) -> Result<(), ReplayStop> {
        self.turn.clear();
        self.game =
            Game::from_setup(self.book, setup, to_move, RepetitionMode::Report).map_err(|_| ReplayStop)?;
        Ok(())
    }

    /// Puts back pieces captured by the last ply, and lets the other side move. Returns whether play can
    /// continue.
    pub(crate) fn put_back(&mut self, cells: CellSet, by: Side) -> bool {
        let mut setup = self.game.setup();
        for cell in cells.iter() {
            setup.put(cell, self.game.captured_piece(cell));
        }
        self.put(&setup, by.other()).is_ok()
    }

    /// Compares the boards written before a move with the game.
    pub(crate) fn compare_boards<P: Policy>(
        &self,
        record: &Record,
        index: usize,
        policy: &mut P,
    ) -> Result<(), ReplayStop> {
        let first = record.boards.partition_point(|board| (board.after as usize) < index);
        let here = record.boards[first..].iter().take_while(|board| board.after as usize == index);
        for board in here {
            if let Some(found) = compare_board(&self.game, board) {
                self.handle(policy, board.span, found)?;
            }
        }
        Ok(())
    }

    /// Passes a discrepancy to the policy.
    #[cold]
    #[inline(never)]
    pub(super) fn handle<P: Policy>(
        &self,
        policy: &mut P,
        span: Span,
        found: Discrepancy,
    ) -> Result<Response, ReplayStop> {
        match policy.on(&self.game, span, found) {
            Response::Stop => Err(ReplayStop),
            response => Ok(response),
        }
    }
}

/// Compares a written board with that of the game.
fn compare_board(game: &Game, board: &WrittenBoard) -> Option<Discrepancy> {
    let shape = game.shape();
    if board.setup.shape() == shape
        && let Some(cell) = shape.cells().find(|cell| game.piece(*cell) != board.setup.piece(*cell))
    {
        return Some(Discrepancy::Board { cell });
    }
    let is_other = board.to_move.is_some_and(|side| side != game.to_move());
    (is_other && game.outcome().is_none()).then_some(Discrepancy::SideToMove { found: game.to_move() })
}
