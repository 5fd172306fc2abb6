//! Strict replay: the inner loop of repair.
//!
//! A strict replay stops at the first discrepancy between the record and the rules. Every position on the way
//! is kept, so that an edit of any move can be tried from there.

use tafl_rules::{BySide, Coord, Game, Move, Shape, Span};

use super::candidate::{RepairCandidate, UnreadWord};
use super::ply_budget::PlyBudget;
use super::prior;
use crate::record::{Record, WrittenCapture, WrittenMove};
use crate::replay::{
    self, Claim, Discrepancy, Policy, Reconciler, ReplayStop, Response, WrittenStep, is_listed,
};

/// The reason why a strict replay stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Obstacle {
    /// An unreadable word.
    Unread(UnreadWord),
    /// A difference between the record and the rules.
    Differs(Discrepancy),
    /// The limit of plies was reached.
    Budget,
}

impl Obstacle {
    /// Returns whether every move was played and only the end differs.
    pub(super) fn is_at_end(self) -> bool {
        matches!(
            self,
            Obstacle::Differs(
                Discrepancy::Result { .. }
                    | Discrepancy::LastWord { .. }
                    | Discrepancy::NotOnBoard { .. }
                    | Discrepancy::Counts
            )
        )
    }
}

/// The policy of a strict replay: it stops at the first discrepancy, except for ends that are improbable but
/// possible.
#[derive(Default)]
struct Strict {
    found: Option<Discrepancy>,
    /// The sum of the costs of improbable events.
    cost: f64,
}

impl Policy for Strict {
    fn on(&mut self, _: &Game, _: Span, found: Discrepancy) -> Response {
        match found {
            Discrepancy::AfterEnd(_) => self.cost += prior::AFTER_END,
            Discrepancy::Unrecorded(_) => self.cost += prior::UNRECORDED_END,
            Discrepancy::SilentWin { .. } => self.cost += prior::GIVES_UP,
            Discrepancy::SilentStop { winner: Some(_) } => self.cost += prior::ADJUDICATED,
            Discrepancy::SilentStop { winner: None }
            | Discrepancy::Unfinished
            | Discrepancy::Swap { .. }
            | Discrepancy::EndedBefore(_)
            | Discrepancy::DoubledCapture { .. } => {}
            _ => {
                self.found = Some(found);
                return Response::Stop;
            }
        }
        Response::GoOn
    }
}

impl Strict {
    fn obstacle(&self) -> Obstacle {
        self.found.map_or(Obstacle::Budget, Obstacle::Differs)
    }
}

/// A move to be tried.
#[derive(Debug, Clone, Copy)]
pub(super) struct StrictStep<'s> {
    pub(super) mv: WrittenMove,
    /// The listed captures; `None` to accept the captures by the rules.
    pub(super) captures: Option<&'s [WrittenCapture]>,
}

/// The place of a step in its game and its turn.
#[derive(Debug, Clone, Copy)]
struct TurnPlace {
    /// Whether it is the first step of the game.
    is_first: bool,
    /// Whether it is the last step of its turn.
    ends_turn: bool,
}

/// The state of a game.
#[derive(Debug, Clone)]
pub(super) struct StrictState<'d> {
    reconciler: Reconciler<'d>,
    /// The sum of the costs of improbable but possible events.
    cost: f64,
}

impl StrictState<'_> {
    pub(super) fn game(&self) -> &Game {
        &self.reconciler.game
    }
}

/// The moves after an edit, which stay as written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tail<'t> {
    pub(super) moves: &'t [WrittenMove],
    pub(super) captures: &'t [WrittenCapture],
    /// The index of the first one.
    pub(super) from: usize,
    /// The index of the first unreadable word after the edit.
    pub(super) word: usize,
    /// Whether to skip a board before the first move.
    pub(super) skips_board: bool,
}

impl Tail<'_> {
    /// Returns whether a move is the last step of its turn.
    fn ends_turn(&self, at: usize) -> bool {
        self.moves.get(at + 1).is_none_or(|next| !next.chained)
    }
}

/// The reach of an edit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum ReplayReach {
    /// It stops at an obstacle.
    Broken {
        /// The number of moves that are not played.
        left: usize,
    },
    /// It leads to the end, which agrees with the record.
    Through {
        /// The sum of the costs of improbable events.
        cost: f64,
    },
}

/// A replayed record with every position up to its first obstacle.
pub(super) struct StrictReplay<'d> {
    pub(super) candidate: &'d RepairCandidate,
    pub(super) shape: Shape,
    /// The game before each move that could be played, and before the first one that could not.
    pub(super) states: Vec<StrictState<'d>>,
    /// The index and the reason where the replay stops; `None` if it reaches the end.
    pub(super) obstacle: Option<(usize, Obstacle)>,
    /// The sum of the costs of improbable events in a game that is played to its end.
    pub(super) cost: f64,
    budget: &'d PlyBudget,
}

impl<'d> StrictReplay<'d> {
    /// Plays a record up to its first obstacle.
    pub(super) fn new(candidate: &'d RepairCandidate, budget: &'d PlyBudget) -> StrictReplay<'d> {
        let record = &candidate.record;
        // A start that does not fit the board is reported by the normal replay.
        let game = replay::start(&candidate.record, &candidate.rules.book, None, &mut Vec::new());
        let mut replay = StrictReplay {
            candidate,
            shape: game.shape(),
            states: Vec::with_capacity(record.main().moves.len() + 1),
            obstacle: None,
            cost: 0.0,
            budget,
        };
        replay.play(game);
        replay
    }

    fn record(&self) -> &'d Record {
        &self.candidate.record
    }

    /// Returns the number of moves of the game.
    pub(super) fn n_moves(&self) -> usize {
        self.record().main().moves.len()
    }

    /// Returns the number of captures of each side that a record of this game lists, if it can be played to its end.
    pub(super) fn n_listed(&self) -> Option<BySide<u32>> {
        self.states.get(self.n_moves()).map(|state| state.reconciler.n_written)
    }

    /// Returns a move of the record as a step.
    pub(super) fn step(&self, at: usize) -> StrictStep<'d> {
        let mv = self.record().main().moves[at];
        StrictStep { mv, captures: Some(self.record().captures_of(&self.record().main().moves[at])) }
    }

    /// Returns the moves from one on, as written.
    pub(super) fn tail(&self, from: usize) -> Tail<'d> {
        let word = self.candidate.words.partition_point(|word| word.after < from);
        let record = self.record();
        Tail { moves: &record.main().moves, captures: &record.captures, from, word, skips_board: false }
    }

    fn play(&mut self, game: Game) {
        let n_moves = self.n_moves();
        let book = &self.candidate.rules.book;
        let reconciler = Reconciler::new(book, game, self.record().capture_style);
        let mut state = StrictState { reconciler, cost: 0.0 };
        let tail = self.tail(0);
        for at in 0..=n_moves {
            self.states.push(state.clone());
            let result = if at == n_moves {
                self.before(&state, tail, at).and_then(|()| self.finish(&mut state))
            } else {
                let place = TurnPlace { is_first: at == 0, ends_turn: tail.ends_turn(at) };
                self.before(&state, tail, at).and_then(|()| self.advance(&mut state, self.step(at), place))
            };
            if let Err(obstacle) = result {
                self.obstacle = Some((at, obstacle));
                return;
            }
        }
        self.cost = state.cost;
    }

    /// Returns the reach of the record without an edit.
    pub(super) fn fit(&self) -> ReplayReach {
        match &self.obstacle {
            Some((at, _)) => ReplayReach::Broken { left: self.n_moves() - at },
            None => ReplayReach::Through { cost: self.cost },
        }
    }

    /// Plays from a state: first other moves, then a tail of written ones, up to the end or the first
    /// obstacle.
    pub(super) fn run(&self, from: usize, first: &[StrictStep<'_>], tail: Tail<'_>) -> ReplayReach {
        let mut state = self.states[from].clone();
        for (nth, step) in first.iter().enumerate() {
            let next_is_chained = match first.get(nth + 1) {
                Some(next) => next.mv.chained,
                None => tail.moves.get(tail.from).is_some_and(|next| next.chained),
            };
            let place = TurnPlace { is_first: from == 0 && nth == 0, ends_turn: !next_is_chained };
            if self.advance(&mut state, *step, place).is_err() {
                return ReplayReach::Broken { left: tail.moves.len() - tail.from + first.len() - nth };
            }
        }
        self.follow(state, tail, from == 0 && first.is_empty())
    }

    fn follow(&self, mut state: StrictState<'d>, tail: Tail<'_>, is_first: bool) -> ReplayReach {
        for at in tail.from..tail.moves.len() {
            let left = tail.moves.len() - at;
            if self.before(&state, tail, at).is_err() {
                return ReplayReach::Broken { left };
            }
            let mv = tail.moves[at];
            let first = mv.first_capture as usize;
            let captures = tail.captures.get(first..first + usize::from(mv.n_captures));
            let step = StrictStep { mv, captures: Some(captures.unwrap_or(&[])) };
            let place = TurnPlace { is_first: is_first && at == tail.from, ends_turn: tail.ends_turn(at) };
            if self.advance(&mut state, step, place).is_err() {
                return ReplayReach::Broken { left };
            }
        }
        self.end(state, tail)
    }

    /// Returns the reach of a game of which all moves were played.
    fn end(&self, mut state: StrictState<'d>, tail: Tail<'_>) -> ReplayReach {
        let end = self.before(&state, tail, tail.moves.len()).and_then(|()| self.finish(&mut state));
        match end {
            Ok(()) => ReplayReach::Through { cost: state.cost },
            Err(_) => ReplayReach::Broken { left: 0 },
        }
    }

    /// Checks the unreadable words and the boards before a move.
    fn before(&self, state: &StrictState<'d>, tail: Tail<'_>, at: usize) -> Result<(), Obstacle> {
        if let Some(word) = self.candidate.words.get(tail.word).filter(|word| word.after <= at) {
            return Err(Obstacle::Unread(*word));
        }
        let is_skipped = tail.skips_board && at == tail.from;
        if self.record().boards.is_empty() || is_skipped {
            return Ok(());
        }
        let mut policy = Strict::default();
        let compared = state.reconciler.compare_boards(self.record(), at, &mut policy);
        compared.map_err(|ReplayStop| policy.obstacle())
    }

    /// Plays a move and compares its effect with the record.
    fn advance(
        &self,
        state: &mut StrictState<'d>,
        step: StrictStep<'_>,
        place: TurnPlace,
    ) -> Result<(), Obstacle> {
        if self.budget.is_spent() {
            return Err(Obstacle::Budget);
        }
        self.budget.spend();
        let written = WrittenStep {
            mv: &step.mv,
            captures: step.captures,
            is_first: place.is_first,
            ends_turn: place.ends_turn,
        };
        let mut policy = Strict::default();
        let played = state.reconciler.step(written, &mut policy);
        state.cost += policy.cost;
        played.map_err(|ReplayStop| policy.obstacle())
    }

    /// Compares the end of the game with the recorded result.
    fn finish(&self, state: &mut StrictState<'d>) -> Result<(), Obstacle> {
        let record = self.record();
        let counts = record.capture_counts.filter(|_| self.candidate.is_counted);
        if counts.is_some_and(|counts| counts.by != state.reconciler.n_written) {
            return Err(Obstacle::Differs(Discrepancy::Counts));
        }
        let mut policy = Strict::default();
        let compared = state.reconciler.compare_end(&Claim::of(record), Span::at(0), &mut policy);
        state.cost += policy.cost;
        compared.map(|_| ()).map_err(|ReplayStop| policy.obstacle())
    }

    /// Plays the moves from one on as written, with the captures that the rules make, up to the end or the first
    /// other obstacle. `see` gets each written move with its captures by the rules.
    pub(super) fn run_with_captures(
        &self,
        from: usize,
        mut see: impl FnMut(usize, &[WrittenCapture], Vec<Coord>),
    ) -> ReplayReach {
        let mut state = self.states[from].clone();
        let tail = self.tail(from);
        for at in from..self.n_moves() {
            let broken = ReplayReach::Broken { left: self.n_moves() - at };
            let step = self.step(at);
            let written = step.captures.unwrap_or(&[]);
            let Some(right) = self.listed_captures_in(state.game(), step.mv.from, step.mv.to, written) else {
                return broken;
            };
            // A list that is right stays as it is: it can name a cell twice, which counts.
            let is_right = right.iter().all(|cell| written.iter().any(|capture| capture.cell == *cell))
                && written.iter().all(|capture| right.contains(&capture.cell));
            let step = StrictStep { captures: step.captures.filter(|_| is_right), ..step };
            let place = TurnPlace { is_first: at == 0, ends_turn: tail.ends_turn(at) };
            let played = self.before(&state, tail, at).and_then(|()| self.advance(&mut state, step, place));
            if played.is_err() {
                return broken;
            }
            see(at, written, right);
        }
        self.end(state, tail)
    }

    /// Returns the captures of a step from a state, as the record lists them; `None` if the step is illegal.
    ///
    /// Cells in `marked` are listed in any case if a piece was captured there.
    pub(super) fn listed_captures(
        &self,
        at: usize,
        start: Coord,
        target: Coord,
        marked: &[WrittenCapture],
    ) -> Option<Vec<Coord>> {
        self.listed_captures_in(self.states[at].game(), start, target, marked)
    }

    fn listed_captures_in(
        &self,
        game: &Game,
        start: Coord,
        target: Coord,
        marked: &[WrittenCapture],
    ) -> Option<Vec<Coord>> {
        let mut game = game.clone();
        let mv = Move::new(self.shape.cell(start)?, self.shape.cell(target)?);
        let ply = game.play(mv).ok()?;
        let style = self.record().capture_style;
        let named = ply.captured.iter().map(|cell| (cell, self.shape.coord(cell)));
        let listed = named.filter(|(cell, name)| {
            game.captured_piece(*cell).is_some_and(|piece| is_listed(style, piece))
                || marked.iter().any(|capture| capture.cell == *name)
        });
        Some(listed.map(|(_, name)| name).collect())
    }
}
