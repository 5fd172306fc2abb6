//! The search for a plan that plays a record that cannot be played as written.
//!
//! The search is depth first over the written moves. If a move is impossible, or its captures differ, it
//! backtracks to the last alternative: an unwritten step of a turn, or moves taken back. It is bounded and
//! deterministic, so a record always yields the same plan.

mod conflict;
mod deviations;

use tafl_rules::{AnyRulebook, CellSet, Move, Shape, Side, Span};

use super::chain_steps::{ChainLimits, Continuation, chain_steps, men_among};
use super::end::Claim;
use super::fork::{Allowance, EndCheck, Fork};
use super::plan::{Plan, PlanStep};
use super::policy::WrittenStep;
use super::reconciler::Reconciler;
use crate::record::{CaptureStyle, Record, WrittenMove};

/// The maximum number of plies that players may have taken back at once. A bound on the work for each frame, far above
/// the few plies that players take back.
const MAX_TAKEN_BACK: usize = 24;

/// The limits of the continuations of a turn that are tried.
const LIMITS: ChainLimits = ChainLimits { continuations: 60, steps: 6, siblings_first: false };

/// The same for a directed search, which tries few of them.
const DIRECTED_LIMITS: ChainLimits = ChainLimits { continuations: 200, steps: 9, siblings_first: false };

/// The number of continuations of a directed search that count as a frame. All of them are made at once, so they take time
/// even if the first one succeeds.
const CONTINUATIONS_PER_FRAME: usize = 10;

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FoundPlan {
    /// The plan.
    pub(super) plan: Plan,
    /// Whether the plan reaches the end of the record; otherwise it is the one that goes furthest.
    pub(super) explains_all: bool,
    /// The number of written moves that it explains.
    pub(super) reach: usize,
}

/// A position in the search.
struct PlanFrame<'r> {
    /// The game with the captures so far: the marked ones, and those of unwritten steps.
    state: Reconciler<'r>,
    /// The index of the next written move.
    index: usize,
    /// The frame before the written move that led here, for taking moves back.
    parent: Option<usize>,
    /// The length of the plan at this point.
    n_steps: usize,
    take_backs: u8,
    miswritten: u8,
    unmade: u8,
    stage: PlanStage,
    /// Whether the written move could be played here.
    has_played: bool,
    /// Whether the branches are those of a turn written as one move.
    is_merged: bool,
    /// Branches that continue the turn after the written move.
    branches: Vec<PlanBranch<'r>>,
    /// The cells on which the failures of its branches depend, in a directed search.
    conflict: CellSet,
}

/// The alternatives that a frame tries next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PlanStage {
    AsWritten,
    FurtherSteps,
    Merged,
    WithoutCapture,
    TakeBack(usize),
    SkipRepeated,
    PassTurn,
    Done,
}

struct PlanBranch<'r> {
    /// The steps of the plan, beginning with the written move.
    steps: Plan,
    state: Reconciler<'r>,
    /// The cells of its unwritten steps and their captures.
    touched: CellSet,
}

pub(super) struct PlanSearch<'r> {
    record: &'r Record,
    claim: Claim,
    shape: Shape,
    allow: Allowance,
    left: usize,
    frames: Vec<PlanFrame<'r>>,
    plan: Plan,
    best: Option<FoundPlan>,
}

impl<'r> PlanSearch<'r> {
    /// Searches for a plan for a record from its start.
    pub(super) fn run(record: &'r Record, book: &'r AnyRulebook, allow: Allowance) -> Option<FoundPlan> {
        // Problems with the start are reported by the walk.
        let start = super::walk::start(record, book, None, &mut Vec::new());
        let shape = start.shape();
        let mut search = PlanSearch {
            record,
            claim: Claim::of(record),
            shape,
            allow,
            left: allow.budget,
            frames: Vec::new(),
            plan: Vec::new(),
            best: None,
        };
        search.push(Reconciler::new(book, start, record.capture_style), 0, None);
        search.go()
    }

    fn go(mut self) -> Option<FoundPlan> {
        let n_moves = self.record.main().moves.len();
        while let Some(top) = self.frames.len().checked_sub(1) {
            if self.left == 0 {
                break;
            }
            self.plan.truncate(self.frames[top].n_steps);
            if self.frames[top].index == n_moves {
                if self.is_end_right(top) {
                    return Some(FoundPlan { plan: self.plan, explains_all: true, reach: n_moves });
                }
                self.note_any_conflict(top);
                self.pop();
            } else if !self.advance(top) {
                self.pop();
            }
        }
        self.best
    }

    /// Tries the next alternative of a frame; returns whether any are left.
    fn advance(&mut self, top: usize) -> bool {
        match self.frames[top].stage {
            PlanStage::AsWritten => {
                self.frames[top].stage = PlanStage::FurtherSteps;
                self.play_as_written(top);
            }
            PlanStage::FurtherSteps => {
                if let Some(branch) = self.next_branch(top) {
                    self.plan.extend(branch.steps);
                    let mover = self.mover(top);
                    self.follow(top, branch.state, mover);
                } else {
                    let has_played = self.frames[top].has_played;
                    let is_open = !has_played && !self.frames[top].is_merged && self.allow.unwritten;
                    self.frames[top].stage =
                        if is_open { PlanStage::Merged } else { PlanStage::WithoutCapture };
                }
            }
            PlanStage::Merged => {
                self.frames[top].stage = PlanStage::FurtherSteps;
                self.frames[top].is_merged = true;
                self.merge(top);
            }
            PlanStage::WithoutCapture => {
                let is_over = self.frames[top].has_played && !self.allow.late_take_backs;
                self.frames[top].stage = if is_over { PlanStage::Done } else { PlanStage::TakeBack(1) };
                self.without_capture(top);
            }
            PlanStage::TakeBack(plies) => self.take_back(top, plies),
            PlanStage::SkipRepeated => {
                self.frames[top].stage = PlanStage::PassTurn;
                self.skip_repeated(top);
            }
            PlanStage::PassTurn => {
                self.frames[top].stage = PlanStage::Done;
                self.pass_turn(top);
            }
            PlanStage::Done => return false,
        }
        true
    }

    fn play_as_written(&mut self, top: usize) {
        let index = self.frames[top].index;
        let game = &self.frames[top].state.game;
        let is_impossible = |mv: Move| game.outcome().is_none() && !game.is_legal(mv);
        if self.cells(&self.record.main().moves[index]).is_none_or(is_impossible) {
            // Saves a copy of the game.
            self.note_failed_move(top);
            return;
        }
        let written = WrittenStep::of(&self.record.main().moves, &self.record.captures, index);
        let mut state = self.frames[top].state.clone();
        let side = self.mover(top);
        if state.step(written, &mut Fork { allow: self.allow, side }).is_err() {
            self.note_failed_move(top);
            return;
        }
        self.frames[top].has_played = true;
        if self.allow.unwritten && state.game.chain().is_some() {
            let branch = |found: Continuation| {
                let further = found.steps.iter().map(|mv| PlanStep::Unwritten(*mv));
                let cells = found.steps.iter().flat_map(|mv| [mv.from, mv.to]);
                let touched = cells.chain(found.captured.iter().copied()).collect();
                let mut state = state.at(found.game);
                state.n_written[side] += found.captured.len() as u32;
                PlanBranch {
                    steps: std::iter::once(PlanStep::Written).chain(further).collect(),
                    state,
                    touched,
                }
            };
            let limits = if self.allow.is_directed { DIRECTED_LIMITS } else { LIMITS };
            let mut continuations = chain_steps(&state.game, limits);
            if self.allow.is_directed {
                self.left = self.left.saturating_sub(continuations.len() / CONTINUATIONS_PER_FRAME);
                // Pieces that jump without capturing have long ways to the same place.
                continuations.sort_by_key(|found| found.steps.len());
            }
            self.frames[top].branches = continuations.into_iter().rev().map(branch).collect();
        }
        self.plan.push(PlanStep::Written);
        self.follow(top, state, side);
    }

    /// Finds the turns of several steps that the written move of a frame may stand for: turns that end where it ends, then
    /// those that continue from there with unwritten steps.
    fn merge(&mut self, top: usize) {
        let written = &self.record.main().moves[self.frames[top].index];
        let Some(mv) = self.cells(written) else { return };
        let start = &self.frames[top].state;
        // A turn goes on only after a capture or, by some rules, a jump.
        let may_jump = start.game.rules().chain.after_jumps;
        let has_marks = self.record.capture_style != CaptureStyle::NotWritten;
        if has_marks && written.n_captures == 0 && !may_jump {
            return;
        }
        let targets =
            if may_jump { start.game.targets(mv.from) } else { start.game.capturing_targets(mv.from) };
        let side = self.mover(top);
        let mut found = Vec::new();
        let mut longer = Vec::new();
        for to in targets.iter() {
            let mut game = start.game.clone();
            let first = Move::new(mv.from, to);
            let Ok(ply) = game.play(first) else { continue };
            let captured = men_among(&game, ply.captured);
            let continuations = chain_steps(&game, LIMITS).into_iter();
            for branch in
                continuations.filter(|branch| branch.steps.last().is_some_and(|last| last.to == mv.to))
            {
                let all: CellSet = captured.iter().chain(branch.captured.iter()).copied().collect();
                if self.is_marked_as(written, all) {
                    let inner = &branch.steps[..branch.steps.len() - 1];
                    let last = branch.steps[branch.steps.len() - 1];
                    let steps = std::iter::once(first).chain(inner.iter().copied()).map(PlanStep::Within);
                    let steps: Plan = steps.chain([PlanStep::LastWithin(last)]).collect();
                    let mut state = start.at(branch.game);
                    state.n_written[side] += u32::from(written.n_captures);
                    for further in chain_steps(&state.game, LIMITS) {
                        let unwritten = further.steps.iter().map(|mv| PlanStep::Unwritten(*mv));
                        let mut state = state.at(further.game);
                        state.n_written[side] += further.captured.len() as u32;
                        longer.push(PlanBranch {
                            steps: steps.iter().copied().chain(unwritten).collect(),
                            state,
                            touched: CellSet::default(),
                        });
                    }
                    found.push(PlanBranch { steps, state, touched: CellSet::default() });
                }
            }
        }
        found.extend(longer);
        found.reverse();
        self.frames[top].branches = found;
    }

    /// Continues after the written move of a frame, made by `by`.
    fn follow(&mut self, top: usize, state: Reconciler<'r>, by: Side) {
        let n_written = state.n_written[by];
        if self.allow.end >= EndCheck::Counts
            && self.record.capture_counts.is_some_and(|counts| n_written > counts.by[by])
        {
            self.note_any_conflict(top);
            return;
        }
        let index = self.frames[top].index + 1;
        let n_frames = self.frames.len();
        self.branch(top, state, index, Some(top));
        if self.frames.len() == n_frames {
            self.note_failed_move(top);
        }
    }

    /// Returns whether the end of the game agrees with the record as far as required.
    fn is_end_right(&self, top: usize) -> bool {
        let PlanFrame { state, index, .. } = &self.frames[top];
        let counts = self.record.capture_counts.filter(|_| self.allow.end >= EndCheck::Counts);
        let agrees = counts
            .is_none_or(|counts| Side::ALL.iter().all(|side| counts.by[*side] == state.n_written[*side]));
        let mut policy = Fork { allow: self.allow, side: state.game.to_move() };
        agrees && (*index == 0 || state.compare_end(&self.claim, Span::default(), &mut policy).is_ok())
    }

    /// Adds a frame with the current counts.
    fn branch(&mut self, top: usize, state: Reconciler<'r>, index: usize, parent: Option<usize>) {
        if self.push(state, index, parent) {
            self.inherit(top);
        }
    }

    /// Copies the current counts to the last frame.
    fn inherit(&mut self, top: usize) {
        let PlanFrame { take_backs, miswritten, unmade, .. } = self.frames[top];
        let new = self.last();
        (new.take_backs, new.miswritten, new.unmade) = (take_backs, miswritten, unmade);
    }

    fn last(&mut self) -> &mut PlanFrame<'r> {
        self.frames.last_mut().expect("a frame was pushed just before")
    }

    /// Adds a frame, unless moves remain after the end of the game.
    fn push(&mut self, mut state: Reconciler<'r>, index: usize, parent: Option<usize>) -> bool {
        self.left = self.left.saturating_sub(1);
        if state.game.outcome().is_some() && index < self.record.main().moves.len() {
            if !self.allow.after_end {
                return false;
            }
            state.game.clear_outcome();
        }
        if self.best.as_ref().is_none_or(|best| index > best.reach) {
            self.best = Some(FoundPlan { plan: self.plan.clone(), explains_all: false, reach: index });
        }
        self.frames.push(PlanFrame {
            state,
            index,
            parent,
            n_steps: self.plan.len(),
            take_backs: 0,
            miswritten: 0,
            unmade: 0,
            stage: PlanStage::AsWritten,
            has_played: false,
            is_merged: false,
            branches: Vec::new(),
            conflict: CellSet::default(),
        });
        true
    }

    /// Returns the side that makes the next written move of a frame.
    ///
    /// This is the owner of the piece, not the side to move: if a player may decline to continue a chain, the
    /// chain remains open, and its side remains the side to move, until the other side has moved.
    fn mover(&self, top: usize) -> Side {
        let PlanFrame { state, index, .. } = &self.frames[top];
        let from = self.shape.cell(self.record.main().moves[*index].from);
        from.and_then(|from| state.game.piece(from)).map_or(state.game.to_move(), |piece| piece.side)
    }

    fn cells(&self, written: &WrittenMove) -> Option<Move> {
        Some(Move::new(self.shape.cell(written.from)?, self.shape.cell(written.to)?))
    }

    fn marked(&self, written: &WrittenMove) -> CellSet {
        let marks = self.record.captures_of(written).iter();
        marks.filter_map(|capture| self.shape.cell(capture.cell)).collect()
    }

    /// Returns whether these are the captures marked with a move, or the whole record has no marks.
    fn is_marked_as(&self, written: &WrittenMove, captured: CellSet) -> bool {
        self.record.capture_style == CaptureStyle::NotWritten || self.marked(written) == captured
    }
}
