//! The course of a game as it is written, and what becomes of it when a part of it is changed: the inner loop of repair.
//!
//! The course is played strictly: it stops at the first thing that the record and the rules do not agree on. Every
//! position on the way is kept, so that a change at any move is tried from there.

use std::cell::Cell as Counter;

use tafl_rules::game::CellSet;
use tafl_rules::{Cell, Coord, Game, IllegalMove, Move, Outcome, Piece, Role, Shape, Side};

use super::draft::{Draft, Word};
use super::prior;
use crate::record::{CaptureStyle, EndingKind, Record, Verdict, WrittenCapture, WrittenMove};
use crate::replay;

/// How many plies may still be played for a record.
#[derive(Debug)]
pub(super) struct Budget(Counter<u64>);

impl Budget {
    pub(super) fn new(plies: u64) -> Budget {
        Budget(Counter::new(plies))
    }

    pub(super) fn is_spent(&self) -> bool {
        self.0.get() == 0
    }

    fn spend(&self) {
        self.0.set(self.0.get().saturating_sub(1));
    }
}

/// Why a course stops.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Trouble {
    /// A word cannot be read.
    Unread(Word),
    /// A cell is on no board.
    OffBoard,
    /// The first move is one of the other side.
    FirstMover(Side),
    /// The letter is that of another piece.
    Letter,
    /// A later step of a turn that is none.
    Chain,
    /// The rules do not allow the move.
    Illegal(IllegalMove),
    /// Other pieces fell than those that are written.
    Captures {
        /// What fell, as the record lists it.
        fallen: Vec<Coord>,
    },
    /// A board that is written differs.
    Board,
    /// The board shows another result than the record.
    End(Option<Outcome>),
    /// The captures are not those that the record counts.
    Counts,
    /// So many plies were played for the record that it is enough.
    Budget,
}

/// A move to be tried.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step<'s> {
    pub(super) mv: WrittenMove,
    /// What it is said to capture; nothing where that is whatever the rules make of it.
    pub(super) captures: Option<&'s [WrittenCapture]>,
}

/// A game on its way.
#[derive(Debug, Clone)]
pub(super) struct State {
    pub(super) game: Game,
    fallen: Vec<(Cell, Piece)>,
    marked: Vec<WrittenCapture>,
    /// Whether any step of the turn has unknown captures.
    is_free: bool,
    /// How many captures are written with the moves of each side.
    n_marked: [u32; 2],
    /// The first end on the board.
    end: Option<Outcome>,
    /// The costs of what is improbable and yet possible.
    pub(super) cost: f64,
}

/// What is behind a change: moves that stay as they are written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tail<'t> {
    pub(super) moves: &'t [WrittenMove],
    pub(super) captures: &'t [WrittenCapture],
    /// The first of them.
    pub(super) from: usize,
    /// The first word that is not read yet.
    pub(super) word: usize,
    /// Whether to pass over a board that stands before the first of them.
    pub(super) skips_board: bool,
}

/// How far a change leads.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Fit {
    /// To a trouble; so many moves are left behind it.
    Broken {
        /// The moves that are not played.
        left: usize,
    },
    /// To the end, which agrees with the record.
    Through {
        /// The costs of what is improbable on the way.
        cost: f64,
    },
}

/// A record that is played, with every position on the way to its first trouble.
pub(super) struct Course<'d> {
    pub(super) draft: &'d Draft,
    pub(super) shape: Shape,
    /// The game before each move that could be played, and before the one that could not.
    pub(super) states: Vec<State>,
    /// Where the course stops, and why; nothing for a record that is played to its end.
    pub(super) trouble: Option<(usize, Trouble)>,
    /// The costs of what is improbable in a game that is played to its end.
    pub(super) cost: f64,
    budget: &'d Budget,
    /// The boards that are written, by the number of moves before them.
    boards: Vec<(usize, usize)>,
}

impl<'d> Course<'d> {
    /// Plays a record up to its first trouble.
    pub(super) fn new(draft: &'d Draft, budget: &'d Budget) -> Course<'d> {
        let record = &draft.record;
        // A start that the board does not take is said by the replay.
        let game = replay::start(&draft.record, &draft.rules.book, None, &mut Vec::new());
        let boards = record.boards.iter().enumerate().map(|(nth, board)| (board.after as usize, nth));
        let mut course = Course {
            draft,
            shape: game.shape(),
            states: Vec::with_capacity(record.main().moves.len() + 1),
            trouble: None,
            cost: 0.0,
            budget,
            boards: boards.collect(),
        };
        course.play(game);
        course
    }

    fn record(&self) -> &'d Record {
        &self.draft.record
    }

    /// Returns the number of moves of the game.
    pub(super) fn n_moves(&self) -> usize {
        self.record().main().moves.len()
    }

    /// Returns what a move of the record is, as a step.
    pub(super) fn step(&self, at: usize) -> Step<'d> {
        let mv = self.record().main().moves[at];
        Step { mv, captures: Some(self.record().captures_of(&self.record().main().moves[at])) }
    }

    /// Returns the moves from one on, as they are written.
    pub(super) fn tail(&self, from: usize) -> Tail<'d> {
        let word = self.draft.words.partition_point(|word| word.after < from);
        let record = self.record();
        Tail { moves: &record.main().moves, captures: &record.captures, from, word, skips_board: false }
    }

    fn play(&mut self, game: Game) {
        let n_moves = self.n_moves();
        let mut state = State {
            game,
            fallen: Vec::new(),
            marked: Vec::new(),
            is_free: false,
            n_marked: [0; 2],
            end: None,
            cost: 0.0,
        };
        let tail = self.tail(0);
        for at in 0..=n_moves {
            self.states.push(state.clone());
            let result = match at == n_moves {
                true => self.before(&state, tail, at).and_then(|()| self.finish(&mut state)),
                false => {
                    let is_last = tail.moves.get(at + 1).is_none_or(|next| !next.chained);
                    self.before(&state, tail, at)
                        .and_then(|()| self.advance(&mut state, self.step(at), (at == 0, is_last)))
                }
            };
            if let Err(trouble) = result {
                self.trouble = Some((at, trouble));
                return;
            }
        }
        self.cost = state.cost;
    }

    /// Returns how far the record leads as it is.
    pub(super) fn fit(&self) -> Fit {
        match &self.trouble {
            Some((at, _)) => Fit::Broken { left: self.n_moves() - at },
            None => Fit::Through { cost: self.cost },
        }
    }

    /// Plays from a state: first other moves, then a tail of written ones, up to the end or the first trouble.
    pub(super) fn run(&self, from: usize, first: &[Step<'_>], tail: Tail<'_>) -> Fit {
        let mut state = self.states[from].clone();
        for (nth, step) in first.iter().enumerate() {
            let next_is_chained = match first.get(nth + 1) {
                Some(next) => next.mv.chained,
                None => tail.moves.get(tail.from).is_some_and(|next| next.chained),
            };
            let is_first = from == 0 && nth == 0;
            if self.advance(&mut state, *step, (is_first, !next_is_chained)).is_err() {
                return Fit::Broken { left: tail.moves.len() - tail.from + first.len() - nth };
            }
        }
        self.follow(state, tail, from == 0 && first.is_empty())
    }

    fn follow(&self, mut state: State, tail: Tail<'_>, is_first: bool) -> Fit {
        for at in tail.from..tail.moves.len() {
            let left = tail.moves.len() - at;
            if self.before(&state, tail, at).is_err() {
                return Fit::Broken { left };
            }
            let mv = tail.moves[at];
            let first = mv.first_capture as usize;
            let captures = tail.captures.get(first..first + usize::from(mv.n_captures));
            let is_last = tail.moves.get(at + 1).is_none_or(|next| !next.chained);
            let step = Step { mv, captures: Some(captures.unwrap_or(&[])) };
            if self.advance(&mut state, step, (is_first && at == tail.from, is_last)).is_err() {
                return Fit::Broken { left };
            }
        }
        let end = self.before(&state, tail, tail.moves.len()).and_then(|()| self.finish(&mut state));
        match end {
            Ok(()) => Fit::Through { cost: state.cost },
            Err(_) => Fit::Broken { left: 0 },
        }
    }

    /// Looks at what stands before a move: words that could not be read, boards.
    fn before(&self, state: &State, tail: Tail<'_>, at: usize) -> Result<(), Trouble> {
        if let Some(word) = self.draft.words.get(tail.word).filter(|word| word.after <= at) {
            return Err(Trouble::Unread(*word));
        }
        let is_passed = tail.skips_board && at == tail.from;
        if self.boards.is_empty() || is_passed {
            return Ok(());
        }
        let Ok(nth) = self.boards.binary_search_by_key(&at, |(after, _)| *after) else { return Ok(()) };
        let board = &self.record().boards[self.boards[nth].1];
        if board.setup.shape() != self.shape {
            return Ok(());
        }
        let differs = self.shape.cells().any(|cell| state.game.piece(cell) != board.setup.piece(cell));
        let to_move = board.to_move.filter(|_| state.game.outcome().is_none());
        match differs || to_move.is_some_and(|side| side != state.game.to_move()) {
            true => Err(Trouble::Board),
            false => Ok(()),
        }
    }

    /// Plays a move and compares what it does with what is written.
    fn advance(
        &self,
        state: &mut State,
        step: Step<'_>,
        (is_first, is_last): (bool, bool),
    ) -> Result<(), Trouble> {
        if self.budget.is_spent() {
            return Err(Trouble::Budget);
        }
        self.budget.spend();
        let Step { mv: written, captures } = step;
        let (Some(from), Some(to)) = (self.shape.cell(written.from), self.shape.cell(written.to)) else {
            return Err(Trouble::OffBoard);
        };
        if state.game.outcome().is_some() {
            state.cost += prior::AFTER_END;
            state.game.resume();
        }
        let piece = state.game.piece(from);
        if let (Some(role), Some(piece)) = (written.letter.role(), piece)
            && piece.role != role
        {
            return Err(Trouble::Letter);
        }
        if is_first && let Some(piece) = piece.filter(|piece| piece.side != state.game.to_move()) {
            return Err(Trouble::FirstMover(piece.side));
        }
        if written.chained && state.game.chain() != Some(from) && !is_first {
            return Err(Trouble::Chain);
        }
        let ply = state.game.play(Move::new(from, to)).map_err(Trouble::Illegal)?;
        if state.end.is_none() {
            state.end = ply.outcome;
        }
        if self.record().capture_style == CaptureStyle::NotWritten {
            return Ok(());
        }
        if !written.chained {
            state.fallen.clear();
            state.marked.clear();
            state.is_free = false;
        }
        for cell in ply.captured.iter() {
            state.fallen.extend(state.game.fallen(cell).map(|piece| (cell, piece)));
        }
        match captures {
            Some(captures) => {
                state.n_marked[ply.side.index()] += captures.len() as u32;
                state.marked.extend_from_slice(captures);
            }
            None => {
                let fallen = ply.captured.iter().filter_map(|cell| state.game.fallen(cell));
                state.n_marked[ply.side.index()] +=
                    fallen.filter(|piece| self.is_listed(*piece)).count() as u32;
                state.is_free = true;
            }
        }
        if is_last { self.compare(state) } else { Ok(()) }
    }

    /// Compares the captures of a turn.
    fn compare(&self, state: &State) -> Result<(), Trouble> {
        if state.is_free || (state.fallen.is_empty() && state.marked.is_empty()) {
            return Ok(());
        }
        let mut marked = CellSet::default();
        let fell = |cell: Cell| state.fallen.iter().find(|(fallen, _)| *fallen == cell).map(|(_, p)| *p);
        let mut is_right = true;
        for capture in &state.marked {
            let cell = self.shape.cell(capture.cell);
            let piece = cell.and_then(fell);
            let is_it =
                piece.is_some_and(|piece| capture.letter.role().is_none_or(|role| role == piece.role));
            is_right &= is_it;
            if let Some(cell) = cell {
                marked.insert(cell);
            }
        }
        let is_missing = |(cell, piece): &(Cell, Piece)| !marked.contains(*cell) && self.is_listed(*piece);
        match is_right && !state.fallen.iter().any(is_missing) {
            true => Ok(()),
            false => Err(Trouble::Captures { fallen: self.fallen(state) }),
        }
    }

    /// Returns what fell in the turn, as the record lists it.
    fn fallen(&self, state: &State) -> Vec<Coord> {
        let marks = |cell: Coord| state.marked.iter().any(|capture| capture.cell == cell);
        let listed = state
            .fallen
            .iter()
            .filter(|(cell, piece)| self.is_listed(*piece) || marks(self.shape.coord(*cell)));
        listed.map(|(cell, _)| self.shape.coord(*cell)).collect()
    }

    /// Returns whether the record lists the capture of such a piece.
    fn is_listed(&self, piece: Piece) -> bool {
        match self.record().capture_style {
            CaptureStyle::Listed => true,
            CaptureStyle::ListedButKings => piece.role != Role::King,
            CaptureStyle::NotWritten => false,
        }
    }

    /// Compares the end of the game with the result of the record.
    fn finish(&self, state: &mut State) -> Result<(), Trouble> {
        let record = self.record();
        let counts = record.capture_counts.filter(|_| self.draft.is_counted);
        if counts.is_some_and(|counts| [counts.by.attackers, counts.by.defenders] != state.n_marked) {
            return Err(Trouble::Counts);
        }
        let verdict = record.result.map(|result| result.verdict);
        let winner = verdict.and_then(Verdict::winner);
        let earlier = state.end.filter(|end| winner.is_some() && end.winner == winner);
        let board = state.game.outcome().or(earlier);
        let last_word = ending_winner(record, &state.game);
        let is_shown = record.result.and_then(|result| result.reason).is_some_and(|r| r.is_on_board());
        match (verdict, board) {
            (Some(Verdict::Win(winner)), Some(board)) if board.winner != Some(winner) => {
                return Err(Trouble::End(Some(board)));
            }
            (Some(Verdict::Draw), Some(board)) if board.winner.is_some() => {
                return Err(Trouble::End(Some(board)));
            }
            (Some(Verdict::Win(winner)), None) => match last_word {
                Some(Some(other)) if other != winner => return Err(Trouble::End(None)),
                Some(_) => {}
                None if is_shown => return Err(Trouble::End(None)),
                None if replay::next_to_move(&state.game) != winner => state.cost += prior::GIVES_UP,
                None => state.cost += prior::ADJUDICATED,
            },
            (Some(Verdict::Ongoing | Verdict::Unknown) | None, Some(_)) => state.cost += prior::UNTOLD_END,
            (Some(Verdict::Win(_) | Verdict::Draw), Some(_))
            | (Some(Verdict::Draw | Verdict::Ongoing | Verdict::Unknown) | None, None) => {}
        }
        Ok(())
    }

    /// Returns what falls when a step is played from a state, as the record lists it; nothing where it is illegal.
    ///
    /// Cells of `marked` are listed in any case where a piece fell on them.
    pub(super) fn falls(
        &self,
        from: usize,
        (start, target): (Coord, Coord),
        marked: &[WrittenCapture],
    ) -> Option<Vec<Coord>> {
        let mut game = self.states[from].game.clone();
        let mv = Move::new(self.shape.cell(start)?, self.shape.cell(target)?);
        let ply = game.play(mv).ok()?;
        let named = ply.captured.iter().map(|cell| (cell, self.shape.coord(cell)));
        let listed = named.filter(|(cell, name)| {
            game.fallen(*cell).is_some_and(|piece| self.is_listed(piece))
                || marked.iter().any(|capture| capture.cell == *name)
        });
        Some(listed.map(|(_, name)| name).collect())
    }
}

/// Returns who won by the last word among the moves: nobody where it says a draw.
fn ending_winner(record: &Record, game: &Game) -> Option<Option<Side>> {
    let ending = record.ending?;
    match ending.kind {
        EndingKind::Agreed => Some(None),
        EndingKind::Adjudicated => None,
        EndingKind::Resigned | EndingKind::Timeout => {
            Some(Some(ending.side.unwrap_or(replay::next_to_move(game)).other()))
        }
    }
}
