//! The comparison of a record with the rules, move by move.
//!
//! A [`Reconciler`] holds the game and the current turn. Each written move yields [`Discrepancy`]s, and a
//! [`Policy`] decides how to continue after each of them: continue by the rules, force the board described by
//! the record, or stop. Replay reports discrepancies, repair stops at the first one, inference forces the
//! written board, and the search for unwritten steps goes back to an earlier position.

use tafl_rules::{
    AnyRulebook, BySide, Cell, CellSet, Game, IllegalMove, Move, Outcome, Piece, Ply, RepetitionMode, Role,
    Setup, Shape, Side, Span,
};

use super::Discrepancy;
use crate::record::{CaptureStyle, Record, WrittenBoard, WrittenCapture, WrittenMove};

/// The response to a discrepancy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Response {
    /// The game continues by the rules.
    GoOn,
    /// The game continues as written in the record.
    Force,
    /// The comparison ends here.
    Stop,
}

/// The error that ends a comparison: the policy stopped it, or no further move can be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ReplayStop;

/// Decides how to continue after each discrepancy.
pub(crate) trait Policy {
    /// Whether the rules are being tested rather than the record. In this case repetition rules end the game
    /// as soon as they apply, every end named in the record must occur on the board, and a resignation or
    /// timeout after an end counts.
    const RULES_IN_QUESTION: bool = false;

    /// Handles a discrepancy in the text at `span`; `game` is the position where it was found.
    fn on(&mut self, game: &Game, span: Span, found: Discrepancy) -> Response;

    /// Handles a written move that was played and compared.
    fn played(&mut self, _: &Game, _: &Ply) {}

    /// Returns whether the captures on the board are changed to those of the record, including unlisted
    /// kings.
    fn forces_captures(&self) -> bool {
        false
    }

    /// Announces that the following discrepancies belong to the next move.
    fn next_move(&mut self) {}
}

/// A written move, and its position in the game and the turn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WrittenStep<'s> {
    pub(crate) mv: &'s WrittenMove,
    /// The captures listed with it; `None` if they are unknown, so that any captures agree.
    pub(crate) captures: Option<&'s [WrittenCapture]>,
    pub(crate) is_first: bool,
    /// Whether the turn ends with this move, as written.
    pub(crate) ends_turn: bool,
}

impl<'s> WrittenStep<'s> {
    /// Returns the move with an index in a list of moves and their captures.
    #[inline]
    pub(crate) fn of(
        moves: &'s [WrittenMove],
        captures: &'s [WrittenCapture],
        index: usize,
    ) -> WrittenStep<'s> {
        let mv = &moves[index];
        let first = mv.first_capture as usize;
        WrittenStep {
            mv,
            captures: Some(captures.get(first..first + usize::from(mv.n_captures)).unwrap_or(&[])),
            is_first: index == 0,
            ends_turn: moves.get(index + 1).is_none_or(|next| !next.chained),
        }
    }
}

/// The captures of the current turn.
#[derive(Debug, Clone, Default)]
struct Turn {
    captured: Vec<(Cell, Piece)>,
    written: Vec<WrittenCapture>,
    /// Whether the captures of any of its moves are unknown.
    is_unknown: bool,
}

impl Turn {
    fn is_empty(&self) -> bool {
        self.captured.is_empty() && self.written.is_empty() && !self.is_unknown
    }

    fn clear(&mut self) {
        self.captured.clear();
        self.written.clear();
        self.is_unknown = false;
    }
}

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

    /// Adds the captures of a move to those of the turn, and compares them at the end of the turn.
    #[inline]
    fn take<P: Policy>(
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

    fn add_captured(&mut self, ply: &Ply) {
        let game = &self.game;
        let captured = ply.captured.iter().filter_map(|cell| Some((cell, game.fallen(cell)?)));
        self.turn.captured.extend(captured);
    }

    fn add_written(&mut self, ply: &Ply, captures: Option<&[WrittenCapture]>) {
        match captures {
            Some(captures) => {
                self.n_written[ply.side] += captures.len() as u32;
                self.turn.written.extend_from_slice(captures);
            }
            None => {
                let captured = ply.captured.iter().filter_map(|cell| self.game.fallen(cell));
                let listed = captured.filter(|piece| is_listed(self.style, *piece)).count();
                self.n_written[ply.side] += listed as u32;
                self.turn.is_unknown = true;
            }
        }
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
            return self.force_captures((side, span), written, captured, policy);
        }
        Ok(())
    }

    /// Puts back captured pieces that the record does not list, and removes those that it lists.
    #[cold]
    fn force_captures<P: Policy>(
        &mut self,
        (side, span): (Side, Span),
        written: CellSet,
        captured: CellSet,
        policy: &mut P,
    ) -> Result<(), ReplayStop> {
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
        let is_told = self.style != CaptureStyle::NotWritten;
        let is_impossible =
            (piece.is_none() && is_told) || matches!(why, IllegalMove::Occupied { .. }) || mv.from == mv.to;
        let found = match is_impossible {
            true => Discrepancy::Impossible { mv, why },
            false => Discrepancy::Illegal { mv, why },
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
            setup.put(cell, self.game.fallen(cell));
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

/// Returns whether records of a style list the capture of this piece.
pub(crate) fn is_listed(style: CaptureStyle, piece: Piece) -> bool {
    match style {
        CaptureStyle::Listed => true,
        CaptureStyle::ListedButKings => piece.role != Role::King,
        CaptureStyle::NotWritten => false,
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
