//! Finds out how a record can be played that cannot be played as it is written.
//!
//! The search goes through the written moves, depth first. Where one of them is not possible, or its captures differ, it
//! goes back to the last place where something else could have happened: an unwritten further step of a turn, a move
//! taken back. It is bounded and has no randomness, so the same record always comes to the same plan.

use tafl_rules::game::CellSet;
use tafl_rules::{AnyRulebook, BySide, Game, Move, Shape, Side};

use super::plan::{Plan, Step};
use super::ways::{Ways, men_among};
use crate::record::{Record, WrittenMove};

/// How far back players took moves, in plies.
const MOST_TAKEN_BACK: usize = 24;

/// What may have happened besides what is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Allowance {
    /// How many positions may be looked at.
    pub(super) budget: usize,
    /// Further steps of a turn that are not written.
    pub(super) unwritten: bool,
    /// Captures that are marked and not made.
    pub(super) strays: bool,
    /// How many moves may not have captured what they capture by the rules.
    pub(super) unmade: u8,
    /// Captures that differ in any way.
    pub(super) differences: bool,
    /// How often moves may have been taken back.
    pub(super) take_backs: u8,
    /// How many moves may stand twice or be missing.
    pub(super) slips: u8,
    /// Play after an end.
    pub(super) after_end: bool,
    /// What the end must agree with.
    pub(super) end: EndCheck,
}

/// What the end of a game must agree with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum EndCheck {
    /// Nothing.
    Nothing,
    /// The winner that is written.
    Winner,
    /// The winner, and that a game which the last mover won ends on the board.
    Sight,
    /// All that, and the counts of captures.
    Counts,
}

/// How far a search came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    /// What to do.
    pub(super) plan: Plan,
    /// Whether that leads to the end of the record; else it leads as far as anything does.
    pub(super) is_whole: bool,
    /// How many written moves it accounts for.
    pub(super) reach: usize,
}

/// A position on the way.
pub(super) struct Frame {
    pub(super) game: Game,
    /// The written move to be played here.
    pub(super) index: usize,
    /// The frame before the written move that led here, so that moves can be taken back.
    parent: Option<usize>,
    /// How long the plan was.
    n_steps: usize,
    /// The captures so far: those marked, those of unwritten steps.
    pub(super) fell: BySide<u32>,
    take_backs: u8,
    slips: u8,
    unmade: u8,
    stage: Stage,
    /// Whether the written move could be played here.
    has_played: bool,
    /// Whether the ways are those of a turn that is written as one move.
    is_merged: bool,
    /// Ways to go on with the turn after the written move.
    ways: Vec<Way>,
}

/// What is to be tried next in a frame.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    AsWritten,
    FurtherSteps,
    Merged,
    WithoutCapture,
    TakeBack(usize),
    LeaveOut,
    PassTurn,
    Done,
}

struct Way {
    /// What to do, beginning with the written move.
    steps: Plan,
    game: Game,
    n_captured: u32,
}

pub(super) struct Search<'r> {
    pub(super) record: &'r Record,
    book: &'r AnyRulebook,
    pub(super) shape: Shape,
    pub(super) allow: Allowance,
    left: usize,
    frames: Vec<Frame>,
    plan: Plan,
    best: Option<Found>,
}

impl<'r> Search<'r> {
    /// Looks for a plan for a record from its start.
    pub(super) fn run(record: &'r Record, book: &'r AnyRulebook, allow: Allowance) -> Option<Found> {
        // What is wrong with the start is said by the walk.
        let start = super::walk::start(record, book, None, &mut Vec::new());
        let shape = start.shape();
        let left = allow.budget;
        let mut search =
            Search { record, book, shape, allow, left, frames: Vec::new(), plan: Vec::new(), best: None };
        search.push(start, 0, None);
        search.go()
    }

    fn go(mut self) -> Option<Found> {
        let n_moves = self.record.main().moves.len();
        while let Some(top) = self.frames.len().checked_sub(1) {
            if self.left == 0 {
                break;
            }
            self.plan.truncate(self.frames[top].n_steps);
            if self.frames[top].index == n_moves {
                if self.is_end_right(&self.frames[top]) {
                    return Some(Found { plan: self.plan, is_whole: true, reach: n_moves });
                }
                self.frames.pop();
            } else if !self.advance(top) {
                self.frames.pop();
            }
        }
        self.best
    }

    /// Tries what is next in a frame; returns whether there is anything left to try.
    fn advance(&mut self, top: usize) -> bool {
        match self.frames[top].stage {
            Stage::AsWritten => {
                self.frames[top].stage = Stage::FurtherSteps;
                self.play_as_written(top);
            }
            Stage::FurtherSteps => {
                if let Some(way) = self.frames[top].ways.pop() {
                    self.plan.extend(way.steps);
                    let by = self.frames[top].game.to_move();
                    let n_marks = self.marks(self.frames[top].index);
                    self.follow(top, way.game, by, n_marks + way.n_captured);
                } else {
                    let has_played = self.frames[top].has_played;
                    let is_open = !has_played && !self.frames[top].is_merged && self.allow.unwritten;
                    self.frames[top].stage = if is_open { Stage::Merged } else { Stage::WithoutCapture };
                }
            }
            Stage::Merged => {
                self.frames[top].stage = Stage::FurtherSteps;
                self.frames[top].is_merged = true;
                self.merge(top);
            }
            Stage::WithoutCapture => {
                let has_played = self.frames[top].has_played;
                self.frames[top].stage = if has_played { Stage::Done } else { Stage::TakeBack(1) };
                self.without_capture(top);
            }
            Stage::TakeBack(plies) => self.take_back(top, plies),
            Stage::LeaveOut => {
                self.frames[top].stage = Stage::PassTurn;
                self.leave_out(top);
            }
            Stage::PassTurn => {
                self.frames[top].stage = Stage::Done;
                self.pass_turn(top);
            }
            Stage::Done => return false,
        }
        true
    }

    fn play_as_written(&mut self, top: usize) {
        let index = self.frames[top].index;
        let written = &self.record.main().moves[index];
        let Some(mv) = self.cells(written) else { return };
        let mut game = self.frames[top].game.clone();
        let Ok(ply) = game.play(mv) else { return };
        self.frames[top].has_played = true;
        if !self.captures_agree(&game, written, ply.captured, ply.side) {
            self.frames[top].has_played = false;
            return;
        }
        if self.allow.unwritten && ply.goes_on {
            let mut ways = Ways::default();
            ways.collect(&game, &mut Vec::new(), 0);
            let steps = |steps: &[Move]| {
                std::iter::once(Step::Written).chain(steps.iter().map(|mv| Step::Unwritten(*mv))).collect()
            };
            let all = ways.0.into_iter().rev();
            self.frames[top].ways = all
                .map(|way| Way {
                    steps: steps(&way.steps),
                    game: way.game,
                    n_captured: way.fell.len() as u32,
                })
                .collect();
        }
        self.plan.push(Step::Written);
        self.follow(top, game, ply.side, self.marks(index));
    }

    /// Finds the turns of several steps that the written move of a frame may stand for.
    fn merge(&mut self, top: usize) {
        let written = &self.record.main().moves[self.frames[top].index];
        let Some(mv) = self.cells(written) else { return };
        let start = &self.frames[top].game;
        let side = start.to_move();
        if start.piece(mv.from).is_none_or(|piece| piece.side != side) {
            return;
        }
        let mut found = Vec::new();
        for to in start.targets(mv.from).iter() {
            let mut game = start.clone();
            let first = Move::new(mv.from, to);
            let Ok(ply) = game.play(first) else { continue };
            let mut ways = Ways::default();
            ways.collect(&game, &mut Vec::new(), 0);
            let fell = men_among(&game, ply.captured);
            for way in ways.0.into_iter().filter(|way| way.steps.last().is_some_and(|last| last.to == mv.to))
            {
                let all: CellSet = fell.iter().chain(way.fell.iter()).copied().collect();
                if self.is_marked_as(written, all) {
                    let inner = &way.steps[..way.steps.len() - 1];
                    let last = way.steps[way.steps.len() - 1];
                    let steps = std::iter::once(first).chain(inner.iter().copied()).map(Step::Within);
                    let steps = steps.chain([Step::LastWithin(last)]).collect();
                    found.push(Way { steps, game: way.game, n_captured: 0 });
                }
            }
        }
        found.reverse();
        self.frames[top].ways = found;
    }

    /// Plays the written move of a frame without the captures that are not marked.
    fn without_capture(&mut self, top: usize) {
        if self.frames[top].unmade >= self.allow.unmade {
            return;
        }
        let index = self.frames[top].index;
        let written = &self.record.main().moves[index];
        let Some(mv) = self.cells(written) else { return };
        let mut game = self.frames[top].game.clone();
        let Ok(ply) = game.play(mv) else { return };
        let left = ply.captured.without(self.marked(written));
        if left.is_empty() || index + 1 == self.record.main().moves.len() {
            return;
        }
        let Some(game) = super::reason::put_back(&game, self.book, left, ply.side) else { return };
        self.plan.push(Step::WithoutCapture);
        let n_frames = self.frames.len();
        self.follow(top, game, ply.side, self.marks(index));
        if self.frames.len() > n_frames {
            self.last().unmade += 1;
        }
    }

    /// Goes on behind the written move of a frame.
    fn follow(&mut self, top: usize, game: Game, by: Side, n_captured: u32) {
        let mut fell = self.frames[top].fell;
        fell[by] += n_captured;
        if self.allow.end >= EndCheck::Counts
            && self.record.capture_counts.is_some_and(|counts| fell[by] > counts.by[by])
        {
            return;
        }
        let index = self.frames[top].index + 1;
        if self.push(game, index, Some(top)) {
            self.inherit(top);
            self.last().fell = fell;
        }
    }

    fn take_back(&mut self, top: usize, plies: usize) {
        let frame = &mut self.frames[top];
        frame.stage = if plies < MOST_TAKEN_BACK { Stage::TakeBack(plies + 1) } else { Stage::LeaveOut };
        let index = frame.index;
        if frame.take_backs >= self.allow.take_backs {
            self.frames[top].stage = Stage::LeaveOut;
            return;
        }
        let mut back = Some(top);
        for _ in 0..plies {
            back = back.and_then(|at| self.frames[at].parent);
        }
        let Some(back) = back else {
            self.frames[top].stage = Stage::LeaveOut;
            return;
        };
        let game = &self.frames[back].game;
        let is_possible =
            self.cells(&self.record.main().moves[index]).is_some_and(|mv| game.check(mv).is_ok());
        if is_possible {
            let (game, parent) = (game.clone(), self.frames[back].parent);
            self.plan.push(Step::TakeBack { plies });
            self.frames[top].take_backs += 1;
            self.aside(top, game, index, parent);
            self.frames[top].take_backs -= 1;
        }
    }

    fn leave_out(&mut self, top: usize) {
        let frame = &self.frames[top];
        let moves = &self.record.main().moves;
        let same = |nth: usize| {
            frame.index.checked_sub(nth).is_some_and(|before| {
                let (one, other) = (&moves[before], &moves[frame.index]);
                (one.from, one.to) == (other.from, other.to)
            })
        };
        if frame.slips < self.allow.slips && (same(1) || same(2)) {
            let (game, index, parent) = (frame.game.clone(), frame.index + 1, frame.parent);
            self.plan.push(Step::LeaveOut);
            self.frames[top].slips += 1;
            self.aside(top, game, index, parent);
            self.frames[top].slips -= 1;
        }
    }

    fn pass_turn(&mut self, top: usize) {
        let frame = &self.frames[top];
        let Some(mv) = self.cells(&self.record.main().moves[frame.index]) else { return };
        let side = frame.game.to_move();
        if frame.slips >= self.allow.slips || frame.game.piece(mv.from).is_none_or(|piece| piece.side == side)
        {
            return;
        }
        let mut game = frame.game.clone();
        game.set_to_move(side.other());
        if game.check(mv).is_ok() {
            let (index, parent) = (frame.index, frame.parent);
            self.plan.push(Step::PassTurn);
            self.frames[top].slips += 1;
            self.aside(top, game, index, parent);
            self.frames[top].slips -= 1;
        }
    }

    /// Goes on in another way than behind the written move of a frame.
    fn aside(&mut self, top: usize, game: Game, index: usize, parent: Option<usize>) {
        if self.push(game, index, parent) {
            self.inherit(top);
        }
    }

    /// Takes over into the last frame what was counted so far.
    fn inherit(&mut self, top: usize) {
        let Frame { fell, take_backs, slips, unmade, .. } = self.frames[top];
        let new = self.last();
        (new.fell, new.take_backs, new.slips, new.unmade) = (fell, take_backs, slips, unmade);
    }

    fn last(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a frame was pushed just before")
    }

    /// Adds a frame, unless moves are left after the end of the game.
    fn push(&mut self, mut game: Game, index: usize, parent: Option<usize>) -> bool {
        self.left = self.left.saturating_sub(1);
        if game.outcome().is_some() && index < self.record.main().moves.len() {
            if !self.allow.after_end {
                return false;
            }
            game.resume();
        }
        if self.best.as_ref().is_none_or(|best| index > best.reach) {
            self.best = Some(Found { plan: self.plan.clone(), is_whole: false, reach: index });
        }
        self.frames.push(Frame {
            game,
            index,
            parent,
            n_steps: self.plan.len(),
            fell: BySide::default(),
            take_backs: 0,
            slips: 0,
            unmade: 0,
            stage: Stage::AsWritten,
            has_played: false,
            is_merged: false,
            ways: Vec::new(),
        });
        true
    }

    fn cells(&self, written: &WrittenMove) -> Option<Move> {
        Some(Move::new(self.shape.cell(written.from)?, self.shape.cell(written.to)?))
    }
}
