//! Walks through the moves of a record, as they are written or as a plan says.

use tafl_rules::game::CellSet;
use tafl_rules::{AnyRulebook, Cell, Game, IllegalMove, Move, Outcome, Piece, Ply, RepetitionMode, Shape};

use super::plan::{Plan, Step};
use super::{Chosen, ReplayPly, account, reason, variations};
use crate::diagnostic::{Capture, Diagnostic, DiagnosticKind, End, Header, Legality, Play};
use crate::format::Format;
use crate::record::{CaptureStyle, Record, WrittenMove};

/// A record on its way through the rules.
pub(super) struct Walk<'r> {
    pub(super) record: &'r Record,
    book: &'r AnyRulebook,
    pub(super) game: Game,
    /// The game before the first move, kept where variations go back to it.
    start: Option<Game>,
    pub(super) shape: Shape,
    pub(super) count_moves: bool,
    /// Whether to keep every position, so that reasons can be found and moves taken back.
    pub(super) looks_back: bool,
    /// The game before each written move that was played, and how many plies there were.
    pub(super) past: Vec<(Game, usize)>,
    /// The written moves with a capture that would have happened elsewhere, once for each.
    pub(super) strays: Vec<usize>,
    pub(super) plies: Vec<ReplayPly>,
    pub(super) findings: Vec<Diagnostic>,
    /// The first end by the rules, and the index of the ply that brought it.
    pub(super) end: Option<(Outcome, usize)>,
    /// What a rule about repetition or a limit says after the last ply.
    pub(super) by_repetition: Option<Outcome>,
    /// Whether the position after the last ply has occurred three times.
    pub(super) is_repeated: bool,
    repetition_is_said: bool,
    /// Whether every move of the game was played.
    pub(super) is_complete: bool,
    /// The captures of the steps of the turn under way.
    pub(super) turn: Turn,
    pub(super) boards_seen: usize,
    pub(super) counts_seen: usize,
}

/// A turn under way: what really fell, and the first move that wrote it.
#[derive(Default)]
pub(super) struct Turn {
    pub(super) first: usize,
    pub(super) fallen: Vec<(Cell, Piece)>,
}

impl<'r> Walk<'r> {
    pub(super) fn new(
        record: &'r Record,
        chosen: &'r Chosen,
        reusable: Option<Game>,
        mut findings: Vec<Diagnostic>,
    ) -> Walk<'r> {
        let game = start(record, &chosen.book, reusable, &mut findings);
        Walk {
            record,
            book: &chosen.book,
            shape: game.shape(),
            start: (record.lines.len() > 1).then(|| game.clone()),
            game,
            count_moves: false,
            looks_back: false,
            past: Vec::new(),
            strays: Vec::new(),
            plies: Vec::with_capacity(record.main().moves.len()),
            findings,
            end: None,
            by_repetition: None,
            is_repeated: false,
            repetition_is_said: false,
            is_complete: false,
            turn: Turn::default(),
            boards_seen: 0,
            counts_seen: 0,
        }
    }

    /// Plays the game as it was played: first what a plan says, then the other moves as they are written.
    pub(super) fn main_line(&mut self, plan: &Plan) {
        let mut next = 0;
        for (nth, step) in plan.iter().enumerate() {
            if !self.step(*step, &plan[nth..], &mut next) {
                return;
            }
        }
        let n_moves = self.record.main().moves.len();
        for index in next..n_moves {
            if !self.written(index) {
                return;
            }
        }
        self.is_complete = true;
        self.compare_boards(n_moves);
        self.count(n_moves);
    }

    /// Does one thing of a plan; `rest` is the plan from there on. Returns whether it could be done.
    fn step(&mut self, step: Step, rest: &[Step], next: &mut usize) -> bool {
        let moves = &self.record.main().moves;
        match step {
            Step::Written => {
                *next += 1;
                self.written(*next - 1)
            }
            Step::Unwritten(mv) => {
                let legal_moves = self.count_moves.then(|| self.game.count_moves() as u32);
                let Ok(ply) = self.game.play(mv) else { return false };
                self.push_ply(&ply, None, legal_moves);
                if !matches!(rest.get(1), Some(Step::Unwritten(_))) {
                    let steps = reason::steps_of_turn(&self.plies, self.shape);
                    self.find(&moves[*next - 1], Play::UnwrittenSteps { steps });
                }
                true
            }
            Step::Within(mv) => self.within(mv, *next, None),
            Step::LastWithin(mv) => {
                *next += 1;
                self.within(mv, *next - 1, Some(*next - 1))
            }
            Step::WithoutCapture => {
                *next += 1;
                self.without_capture(*next - 1)
            }
            Step::TakeBack { plies } => {
                let Some(kept) = self.past.len().checked_sub(plies) else { return false };
                let first = reason::first_taken_back(&self.plies, self.past[kept].1);
                let (game, n_plies) = self.past[kept].clone();
                self.past.truncate(kept);
                self.plies.truncate(n_plies);
                self.game = game;
                self.end = self.end.filter(|(_, ply)| *ply < n_plies);
                let first = first.and_then(|first| moves.get(first)).unwrap_or(&moves[*next]);
                self.find(&moves[*next], Play::TakenBack { plies, first: (first.from, first.to) });
                true
            }
            Step::LeaveOut => {
                self.find(&moves[*next], Play::Doubled);
                *next += 1;
                true
            }
            Step::PassTurn => {
                let side = self.game.to_move();
                self.game.set_to_move(side.other());
                self.find(&moves[*next], Play::MissingMove { by: side });
                true
            }
        }
    }

    /// Says that a move cannot be played, and why if the record itself says so.
    #[cold]
    fn impossible(&mut self, mv: Move, why: IllegalMove, index: usize) {
        let written = &self.record.main().moves[index];
        self.findings.push(illegal(&self.game, mv, why, written));
        // Marks tell what was captured, but nothing tells of steps that are not written.
        let is_told = self.record.capture_style != CaptureStyle::NotWritten
            || self.plies.iter().all(|ply| ply.captured.is_empty());
        let is_simple = self.plies.iter().all(|ply| !ply.goes_on && ply.written.is_some());
        if self.looks_back && is_told && is_simple && self.record.start.is_none() {
            let start = &self.book.rules().start;
            let found = account::contradiction(self.record, start, &self.game, (index, mv, why));
            if let Some(kind) = found {
                self.find(written, kind);
            }
        }
    }

    /// Plays a step of a turn that is written as one move. `last`: the number of that move, with its last step.
    fn within(&mut self, mv: Move, index: usize, last: Option<usize>) -> bool {
        let is_first = self.plies.last().is_none_or(|ply| ply.written.is_some());
        if is_first {
            self.turn.first = index;
            self.turn.fallen.clear();
            self.past.push((self.game.clone(), self.plies.len()));
        }
        let legal_moves = self.count_moves.then(|| self.game.count_moves() as u32);
        let Ok(ply) = self.game.play(mv) else { return false };
        for cell in ply.captured.iter() {
            self.turn.fallen.extend(self.game.fallen(cell).map(|piece| (cell, piece)));
        }
        self.push_ply(&ply, last.map(|index| index as u32), legal_moves);
        if last.is_some() {
            let steps = reason::steps_of_turn(&self.plies, self.shape);
            self.find(&self.record.main().moves[index], Play::UnwrittenSteps { steps });
            match self.record.capture_style {
                CaptureStyle::NotWritten => {}
                CaptureStyle::Listed | CaptureStyle::ListedButKings => self.compare_turn(index),
            }
        }
        true
    }

    /// Plays a move without the captures that are not marked.
    fn without_capture(&mut self, index: usize) -> bool {
        let written = &self.record.main().moves[index];
        let Some(mv) = self.resolve(written, index) else { return false };
        let legal_moves = self.count(index);
        self.past.push((self.game.clone(), self.plies.len()));
        let Ok(ply) = self.game.play(mv) else { return false };
        let marks = self.record.captures_of(written).iter();
        let marked: CellSet = marks.filter_map(|capture| self.shape.cell(capture.cell)).collect();
        let left = ply.captured.without(marked);
        for cell in left.iter() {
            if let Some(piece) = self.game.fallen(cell) {
                self.find(written, Capture::NotMade { cell: self.shape.coord(cell), piece });
            }
        }
        let Some(game) = reason::put_back(&self.game, self.book, left, ply.side) else { return false };
        self.game = game;
        let ply = Ply { captured: ply.captured.without(left), goes_on: false, outcome: None, ..ply };
        self.push_ply(&ply, Some(index as u32), legal_moves);
        true
    }

    /// Plays a move as it is written; returns whether it could be played.
    fn written(&mut self, index: usize) -> bool {
        let written = &self.record.main().moves[index];
        if !self.record.boards.is_empty() {
            self.compare_boards(index);
        }
        if self.record.ending.is_some_and(|ending| ending.after as usize == index) {
            self.find(written, End::AfterEnding);
        }
        self.pass_end(written);
        let Some(mv) = self.resolve(written, index) else { return false };
        let legal_moves = self.count(index);
        if self.looks_back {
            self.past.push((self.game.clone(), self.plies.len()));
        }
        match self.game.play(mv) {
            Ok(ply) => {
                self.played(ply, written, index, legal_moves);
                true
            }
            Err(why) => {
                let is_second = |found: &Diagnostic| {
                    matches!(found.kind, DiagnosticKind::Play(Play::MissingMove { .. }))
                        && found.span == self.record.main().moves[0].span
                };
                let is_soon = index <= 1 || (index < 8 && self.findings.iter().any(is_second));
                match self.looks_back && is_soon {
                    true => self.find(written, Header::BeginningMissing),
                    false => self.impossible(mv, why, index),
                }
                false
            }
        }
    }

    /// Lets play go on where the record does, although the rules have ended the game.
    fn pass_end(&mut self, written: &WrittenMove) {
        if let Some(outcome) = self.game.outcome() {
            if self.end.is_some_and(|(_, ply)| ply + 1 == self.plies.len()) {
                self.find(written, End::AfterEnd { outcome });
            }
            self.game.resume();
        }
    }

    /// Returns the move between cells of the board that a written move names, and says what keeps it from being one.
    fn resolve(&mut self, written: &WrittenMove, index: usize) -> Option<Move> {
        let (Some(from), Some(to)) = (self.shape.cell(written.from), self.shape.cell(written.to)) else {
            let cell = if self.shape.has(written.from) { written.to } else { written.from };
            self.find(written, Legality::UnknownCell { cell });
            return None;
        };
        if let Some(role) = written.letter.role()
            && let Some(piece) = self.game.piece(from).filter(|piece| piece.role != role)
        {
            self.find(written, Legality::WrongLetter { found: piece });
        }
        if index == 0
            && let Some(piece) = self.game.piece(from).filter(|piece| piece.side != self.game.to_move())
        {
            match self.record.format.is_loose() {
                true => self.find(written, Play::MissingMove { by: piece.side.other() }),
                false => self.find(written, Header::Contradiction { about: "first mover" }),
            }
            self.game.set_to_move(piece.side);
        }
        if written.chained && self.game.chain() != Some(from) && index > 0 {
            self.find(written, Legality::BrokenChain);
            return None;
        }
        Some(Move::new(from, to))
    }

    fn played(&mut self, ply: Ply, written: &WrittenMove, index: usize, legal_moves: Option<u32>) {
        if !written.chained {
            self.turn.first = index;
            self.turn.fallen.clear();
        }
        self.compare_captures(&ply, index);
        if self.record.format == Format::Cyngesheall {
            self.compare_mark(&ply, written);
        }
        self.push_ply(&ply, Some(index as u32), legal_moves);
        self.is_repeated = ply.occurrences >= 3;
        self.by_repetition = None;
        if ply.repetition.is_some() || self.is_repeated {
            self.repeated(&ply, written);
        }
    }

    #[inline]
    fn push_ply(&mut self, ply: &Ply, written: Option<u32>, legal_moves: Option<u32>) {
        let Ply { mv, side, captured, goes_on, .. } = *ply;
        self.plies.push(ReplayPly {
            mv,
            side,
            captured,
            goes_on,
            key: self.game.key(),
            legal_moves,
            written,
        });
        if let (None, Some(outcome)) = (self.end, ply.outcome) {
            self.end = Some((outcome, self.plies.len() - 1));
        }
    }

    fn repeated(&mut self, ply: &Ply, written: &WrittenMove) {
        self.by_repetition = ply.repetition.and_then(|hit| hit.rule.outcome(ply.side));
        if !self.repetition_is_said {
            self.repetition_is_said = true;
            let count = ply.repetition.map_or(ply.occurrences, |hit| hit.occurrences);
            self.find(written, Play::Repetition { count });
        }
    }

    /// Plays the variations, too.
    pub(super) fn check_variations(&mut self) {
        if let Some(start) = self.start.take() {
            variations::check(self.record, &start, &mut self.findings);
        }
    }

    pub(super) fn find(&mut self, written: &WrittenMove, kind: impl Into<DiagnosticKind>) {
        self.findings.push(Diagnostic::new(written.span, kind));
    }
}

/// Returns the finding that a move cannot be played.
pub(super) fn illegal(game: &Game, mv: Move, why: IllegalMove, written: &WrittenMove) -> Diagnostic {
    let shape = game.shape();
    let kind = match why {
        IllegalMove::NoPiece => Legality::NoPiece { cell: shape.coord(mv.from) },
        IllegalMove::NotYourPiece { piece } => Legality::WrongSide { piece, to_move: game.to_move() },
        why => Legality::Illegal { mv, shape, why },
    };
    Diagnostic::new(written.span, kind)
}

/// Returns the game before its first move: the start that the record gives, or that of the rules.
pub(crate) fn start(
    record: &Record,
    book: &AnyRulebook,
    reusable: Option<Game>,
    findings: &mut Vec<Diagnostic>,
) -> Game {
    let mut game = match &record.start {
        Some(start) => {
            let to_move = record.first_mover.unwrap_or(book.rules().first_mover);
            match Game::from_setup(book, &start.setup, to_move, RepetitionMode::Report) {
                Ok(game) => return game,
                Err(_) => {
                    findings.push(Diagnostic::new(start.span, Header::Contradiction { about: "start" }));
                    Game::with_mode(book, RepetitionMode::Report)
                }
            }
        }
        None => match reusable {
            Some(mut game) => {
                game.restart();
                game
            }
            None => Game::with_mode(book, RepetitionMode::Report),
        },
    };
    if let Some(side) = record.first_mover {
        game.set_to_move(side);
    }
    game
}
