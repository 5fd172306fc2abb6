//! One record under one rule set.
//!
//! A trial goes on after a fault, on the board that the record describes: so each fault speaks about its own rule, and a
//! wrong rule at the beginning hides nothing of what comes later. Where captures are not written, the board is known
//! only as long as nothing differs, and the trial stops there.

use tafl_rules::game::CellSet;
use tafl_rules::ruleset::Berserk;
use tafl_rules::{
    AnyRulebook, Cell, Game, IllegalMove, Outcome, Piece, Ply, Reason, RepetitionMode, Role, Side,
};

use super::chains;
use super::fault::Fault;
use super::game::{Evidence, Step};
use crate::record::{CaptureStyle, Verdict};

/// What a trial came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Trial {
    /// The kinds of faults, a bit for each.
    pub(super) kinds: u32,
    /// How many faults there were.
    pub(super) n_faults: u16,
    /// The first fault that contradicts the rules, else the first of any kind, and the index of its move.
    pub(super) first: Option<(u32, Fault)>,
    /// The end on the board that the record agrees with.
    pub(super) ended: Option<Reason>,
}

impl Trial {
    /// Returns whether nothing contradicts the rules.
    pub(super) fn agrees(&self) -> bool {
        self.first.is_none_or(|(_, fault)| !fault.is_hard())
    }

    pub(super) fn note(&mut self, index: usize, fault: Fault) {
        self.n_faults = self.n_faults.saturating_add(1);
        self.kinds |= 1 << fault.kind();
        if self.agrees() && (fault.is_hard() || self.first.is_none()) {
            self.first = Some((index as u32, fault));
        }
    }
}

/// Plays records under one rule set.
#[derive(Debug, Clone)]
pub(super) struct Bench<'b> {
    pub(super) book: &'b AnyRulebook,
    pub(super) game: Game,
}

/// A record on its way.
pub(super) struct Run<'r> {
    book: &'r AnyRulebook,
    pub(super) game: &'r mut Game,
    evidence: &'r Evidence,
    pub(super) trial: Trial,
    /// What fell in the turn under way.
    fallen: Vec<(Cell, Piece)>,
    marked: CellSet,
    /// What a rule about repetition makes of the game after the last ply.
    by_repetition: Option<Outcome>,
}

impl<'b> Bench<'b> {
    pub(super) fn new(book: &'b AnyRulebook) -> Bench<'b> {
        Bench { book, game: Game::with_mode(book, RepetitionMode::Report) }
    }

    /// Returns what a record comes to.
    pub(super) fn trial(&mut self, evidence: &Evidence) -> Trial {
        self.game.restart();
        if let Some(side) = evidence.first_mover {
            self.game.set_to_move(side);
        }
        if evidence.may_lack_steps && self.book.rules().berserk != Berserk::None {
            return chains::trial(self.book, &mut self.game, evidence);
        }
        let mut run = Run::new(self.book, &mut self.game, evidence, Trial::default());
        for (index, step) in evidence.steps.iter().enumerate() {
            if !run.step(index, step) {
                return run.trial;
            }
        }
        run.end();
        run.trial
    }
}

impl<'r> Run<'r> {
    pub(super) fn new(
        book: &'r AnyRulebook,
        game: &'r mut Game,
        evidence: &'r Evidence,
        trial: Trial,
    ) -> Run<'r> {
        let (fallen, marked) = (Vec::new(), CellSet::default());
        Run { book, game, evidence, trial, fallen, marked, by_repetition: None }
    }

    /// Goes on from another position, with what was found until then.
    pub(super) fn again(&mut self, trial: Trial) {
        self.trial = trial;
        self.fallen.clear();
        self.marked = CellSet::default();
        self.by_repetition = None;
    }

    /// Plays a move; returns whether the board is still known.
    pub(super) fn step(&mut self, index: usize, step: &Step) -> bool {
        self.pass_end(index);
        let mut played = self.game.play(step.mv);
        if let Err(IllegalMove::NotYourPiece { piece }) = played {
            self.note(index, Fault::WrongSide { piece });
            self.game.set_to_move(piece.side);
            played = self.game.play(step.mv);
        }
        match played {
            Ok(ply) => self.take(index, step, &ply),
            Err(why) => self.force(index, step, why),
        }
    }

    /// Goes on after an end.
    fn pass_end(&mut self, index: usize) {
        if let Some(outcome) = self.game.outcome() {
            self.note(index, Fault::PlaysOn(outcome));
            self.game.resume();
        } else if let Some(outcome) = self.by_repetition.take() {
            self.note(index, Fault::PlaysOn(outcome));
        }
    }

    /// Compares what fell with what is written.
    fn take(&mut self, index: usize, step: &Step, ply: &Ply) -> bool {
        self.by_repetition = ply.repetition.and_then(|hit| hit.rule.outcome(ply.side));
        if ply.captured.is_empty()
            && step.marks.is_empty()
            && self.fallen.is_empty()
            && self.marked.is_empty()
        {
            return true;
        }
        if self.evidence.style == CaptureStyle::NotWritten {
            return true;
        }
        let game = &*self.game;
        self.fallen.extend(ply.captured.iter().filter_map(|cell| Some((cell, game.fallen(cell)?))));
        self.marked = self.marked.iter().chain(step.marks.iter()).collect();
        if !step.ends_turn {
            return true;
        }
        self.compare(index, ply.side)
    }

    fn compare(&mut self, index: usize, side: Side) -> bool {
        let fallen = std::mem::take(&mut self.fallen);
        let marked = std::mem::take(&mut self.marked);
        let fell: CellSet = fallen.iter().map(|(cell, _)| *cell).collect();
        let is_last = index + 1 == self.evidence.steps.len();
        let mut setup = None;
        for (cell, piece) in &fallen {
            let king_is_silent =
                piece.role == Role::King && self.evidence.style == CaptureStyle::ListedButKings;
            if marked.contains(*cell) {
                continue;
            }
            if !king_is_silent {
                self.note(index, Fault::Unmarked { cell: *cell, piece: *piece });
            }
            if !is_last {
                setup.get_or_insert_with(|| self.game.setup()).put(*cell, Some(*piece));
            }
        }
        for cell in marked.without(fell).iter() {
            self.note(index, Fault::Unreal { cell });
            let setup = setup.get_or_insert_with(|| self.game.setup());
            match setup.piece(cell) {
                Some(Piece { role: Role::Mercenary, side: owner }) if owner != side => {
                    setup.put(cell, Some(Piece::new(side, Role::Mercenary)));
                }
                Some(piece) if piece.side != side => setup.put(cell, None),
                Some(_) | None => {}
            }
        }
        // Behind the last move only the end is looked at, and the board would forget it.
        let Some(setup) = setup.filter(|_| !is_last) else { return true };
        if let Some(outcome) = self.game.outcome() {
            self.note(index + 1, Fault::PlaysOn(outcome));
        }
        self.put(&setup, side.other())
    }

    /// Makes a move that the rules forbid.
    fn force(&mut self, index: usize, step: &Step, why: IllegalMove) -> bool {
        let mv = step.mv;
        let is_told = self.evidence.style != CaptureStyle::NotWritten;
        let Some(piece) = self.game.piece(mv.from) else {
            let fault = if is_told { Fault::Impossible { mv, why } } else { Fault::Illegal { mv, why } };
            self.note(index, fault);
            return false;
        };
        if matches!(why, IllegalMove::Occupied { .. }) || mv.from == mv.to {
            self.note(index, Fault::Impossible { mv, why });
            return false;
        }
        self.note(index, Fault::Illegal { mv, why });
        if !is_told {
            return false;
        }
        let mut setup = self.game.setup();
        setup.put(mv.from, None);
        setup.put(mv.to, Some(piece));
        for cell in step.marks.iter() {
            if setup.piece(cell).is_some_and(|victim| victim.side != piece.side) {
                setup.put(cell, None);
            }
        }
        self.fallen.clear();
        self.marked = CellSet::default();
        self.by_repetition = None;
        self.put(&setup, piece.side.other())
    }

    fn put(&mut self, setup: &tafl_rules::Setup, to_move: Side) -> bool {
        match Game::from_setup(self.book, setup, to_move, RepetitionMode::Report) {
            Ok(game) => {
                *self.game = game;
                true
            }
            Err(_) => false,
        }
    }

    fn note(&mut self, index: usize, fault: Fault) {
        self.trial.note(index, fault);
    }

    /// Compares the end with the record.
    pub(super) fn end(&mut self) {
        let Some(last) = self.evidence.steps.len().checked_sub(1) else { return };
        let mover = match self.game.chain() {
            Some(_) => self.game.to_move(),
            None => self.game.to_move().other(),
        };
        let by_rule = self.game.outcome().or(self.by_repetition);
        let (verdict, reason) = (self.evidence.verdict, self.evidence.reason);
        match by_rule {
            Some(board) => self.compare_end(last, board),
            None => match (verdict, reason) {
                (Verdict::Win(winner), Some(reason)) if is_by_rules(reason) => {
                    self.note(last, Fault::NotOnBoard(Outcome::win(winner, reason)));
                }
                (Verdict::Draw, Some(reason)) if is_by_rules(reason) => {
                    self.note(last, Fault::NotOnBoard(Outcome::draw(reason)));
                }
                (Verdict::Win(winner), None) if !self.evidence.is_given_up => {
                    let fault = match winner == mover {
                        true => Fault::Silent { winner },
                        false => Fault::Stopped { winner: Some(winner) },
                    };
                    self.note(last, fault);
                }
                (Verdict::Draw, None) if !self.evidence.is_given_up => {
                    self.note(last, Fault::Stopped { winner: None });
                }
                (Verdict::Win(_) | Verdict::Draw, _) | (Verdict::Ongoing | Verdict::Unknown, _) => {}
            },
        }
    }

    fn compare_end(&mut self, last: usize, board: Outcome) {
        let reason = self.evidence.reason;
        let is_doubtful = board.reason == Reason::Repetition && self.game.outcome().is_none();
        match self.evidence.verdict {
            Verdict::Win(side) if board.winner != Some(side) => {
                self.note(last, Fault::Result { board, winner: Some(side) });
            }
            Verdict::Draw if board.winner.is_some() => {
                self.note(last, Fault::Result { board, winner: None });
            }
            Verdict::Ongoing if !is_doubtful || reason.is_none() => {
                self.note(last, Fault::Result { board, winner: None });
            }
            Verdict::Win(_) | Verdict::Draw => match reason {
                Some(reason) if reason != board.reason && is_by_rules(reason) => {
                    let winner = board.winner;
                    self.note(last, Fault::NotOnBoard(Outcome { winner, reason }));
                }
                Some(reason) if reason != board.reason => self.note(last, Fault::EndedBefore(board)),
                None if self.evidence.is_given_up => self.note(last, Fault::EndedBefore(board)),
                Some(_) | None => self.trial.ended = Some(board.reason),
            },
            Verdict::Ongoing | Verdict::Unknown => {}
        }
    }
}

/// Returns whether rules end games for such a reason.
fn is_by_rules(reason: Reason) -> bool {
    reason.is_on_board() || matches!(reason, Reason::Repetition | Reason::PlyLimit)
}
