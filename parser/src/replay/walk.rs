//! Plays the moves of a record, as written or by a plan.

use std::sync::Arc;

use tafl_rules::{AnyRulebook, CellSet, Game, Move, Ply, RepetitionMode};

use super::plan::{Plan, PlanStep};
use super::policy::{ReplayStop, WrittenStep};
use super::reconciler::Reconciler;
use super::report::FindingReport;
use super::{ChosenRules, Replay, before_play, reason, variations};
use crate::diagnostic::{Diagnostic, EndFinding, PlayFinding};
use crate::record::Record;

/// A record during replay.
pub(super) struct Walk<'r> {
    record: &'r Record,
    pub(super) reconciler: Reconciler<'r>,
    pub(super) report: FindingReport<'r>,
    /// The game before the first move, kept for variations.
    start: Option<Game>,
    pub(super) count_moves: bool,
    /// The number of written legal move counts consumed so far.
    counts_seen: usize,
    /// The rules from a written move on, if they change.
    pub(super) later_rules: Option<(usize, &'r AnyRulebook)>,
}

impl<'r> Walk<'r> {
    pub(super) fn new(
        record: &'r Record,
        chosen: &'r ChosenRules,
        reusable: Option<Game>,
        mut findings: Vec<Diagnostic>,
    ) -> Walk<'r> {
        let game = start(record, &chosen.book, reusable, &mut findings);
        before_play::check(record, chosen.book.rules(), &mut findings);
        Walk {
            record,
            start: (!record.variations.is_empty()).then(|| game.clone()),
            report: FindingReport::new(record, game.shape(), &chosen.book.rules().start, findings),
            reconciler: Reconciler::new(&chosen.book, game, record.capture_style),
            count_moves: false,
            counts_seen: 0,
            later_rules: None,
        }
    }

    /// Plays the game: first the steps of a plan, then the remaining moves as written. Then compares its end,
    /// and returns the replay, and the game for reuse.
    pub(super) fn run(mut self, plan: &Plan, chosen: &Arc<ChosenRules>) -> (Replay, Game) {
        let is_complete = self.main_line(plan).is_ok();
        if let Some(start) = self.start.take() {
            variations::check(self.record, &start, &mut self.report.findings);
        }
        self.finish(is_complete, chosen)
    }

    fn main_line(&mut self, plan: &Plan) -> Result<(), ReplayStop> {
        let mut next = 0;
        for (nth, step) in plan.iter().enumerate() {
            self.step(*step, &plan[nth..], &mut next)?;
        }
        let n_moves = self.record.main().moves.len();
        for index in next..n_moves {
            self.written(index)?;
        }
        self.reconciler.compare_boards(self.record, n_moves, &mut self.report)?;
        self.count(n_moves);
        Ok(())
    }

    /// Executes one step of a plan; `rest` is the plan from that step on.
    fn step(&mut self, step: PlanStep, rest: &[PlanStep], next: &mut usize) -> Result<(), ReplayStop> {
        let moves = &self.record.main().moves;
        match step {
            PlanStep::Written => {
                *next += 1;
                self.written(*next - 1)
            }
            PlanStep::Unwritten(mv) => {
                let legal_moves = self.count_moves.then(|| self.reconciler.game.count_moves() as u32);
                let ply = self.reconciler.game.play(mv).map_err(|_| ReplayStop)?;
                self.report.push_ply(&self.reconciler.game, &ply, None, legal_moves);
                if !matches!(rest.get(1), Some(PlanStep::Unwritten(_))) {
                    let steps = reason::steps_of_turn(&self.report.plies, self.report.shape);
                    self.report.report(&moves[*next - 1], PlayFinding::UnwrittenSteps { steps });
                }
                Ok(())
            }
            PlanStep::Within(mv) => self.play_step(mv, *next, false),
            PlanStep::LastWithin(mv) => {
                *next += 1;
                self.play_step(mv, *next - 1, true)
            }
            PlanStep::WithoutCapture => {
                *next += 1;
                self.without_capture(*next - 1)
            }
            PlanStep::TakeBack { plies } => self.take_back(plies, *next),
            PlanStep::SkipMove => {
                self.report.report(&moves[*next], PlayFinding::Doubled);
                *next += 1;
                Ok(())
            }
            PlanStep::PassTurn => {
                let side = self.reconciler.game.to_move();
                self.reconciler.game.set_to_move(side.other());
                self.report.report(&moves[*next], PlayFinding::MissingMove { by: side });
                Ok(())
            }
        }
    }

    fn take_back(&mut self, plies: usize, next: usize) -> Result<(), ReplayStop> {
        let moves = &self.record.main().moves;
        let report = &mut self.report;
        let kept = report.past.len().checked_sub(plies).ok_or(ReplayStop)?;
        let (game, n_plies) = report.past[kept].clone();
        let first = reason::first_taken_back(&report.plies, n_plies);
        report.past.truncate(kept);
        report.plies.truncate(n_plies);
        report.end = report.end.filter(|(_, ply)| *ply < n_plies);
        let first = first.and_then(|first| moves.get(first)).unwrap_or(&moves[next]);
        report.report(&moves[next], PlayFinding::TakenBack { plies, first: (first.from, first.to) });
        self.reconciler.end = report.end.map(|(outcome, _)| outcome);
        self.reconciler.game = game;
        Ok(())
    }

    /// Plays a step of a turn that is written as one move, `index`. `is_last`: whether it is the last step of
    /// the turn.
    fn play_step(&mut self, mv: Move, index: usize, is_last: bool) -> Result<(), ReplayStop> {
        let report = &mut self.report;
        report.index = index;
        let is_first = report.plies.last().is_none_or(|ply| ply.written.is_some());
        if is_first {
            report.past.push((self.reconciler.game.clone(), report.plies.len()));
        }
        let legal_moves = self.count_moves.then(|| self.reconciler.game.count_moves() as u32);
        let ply = self.reconciler.play_unwritten(mv, is_first).map_err(|_| ReplayStop)?;
        report.push_ply(&self.reconciler.game, &ply, is_last.then_some(index as u32), legal_moves);
        if is_last {
            let written = step(self.record, index);
            let steps = reason::steps_of_turn(&report.plies, report.shape);
            report.report(written.mv, PlayFinding::UnwrittenSteps { steps });
            self.reconciler.compare_merged(ply.side, &written, report)?;
        }
        Ok(())
    }

    /// Plays a move without its unmarked captures.
    fn without_capture(&mut self, index: usize) -> Result<(), ReplayStop> {
        self.report.index = index;
        let written = step(self.record, index);
        let mv = self.reconciler.prepare(&written, &mut self.report)?;
        let legal_moves = self.count(index);
        self.report.past.push((self.reconciler.game.clone(), self.report.plies.len()));
        let ply = self.reconciler.game.play(mv).map_err(|_| ReplayStop)?;
        let marks = self.record.captures_of(written.mv).iter();
        let marked: CellSet = marks.filter_map(|capture| self.report.shape.cell(capture.cell)).collect();
        let left = ply.captured.without(marked);
        self.report.report_not_made(&self.reconciler.game, left);
        if !self.reconciler.put_back(left, ply.side) {
            return Err(ReplayStop);
        }
        let ply = Ply { captured: ply.captured.without(left), goes_on: false, outcome: None, ..ply };
        self.report.push_ply(&self.reconciler.game, &ply, Some(index as u32), legal_moves);
        Ok(())
    }

    /// Plays a move as written.
    fn written(&mut self, index: usize) -> Result<(), ReplayStop> {
        self.report.index = index;
        if let Some((_, book)) = self.later_rules.take_if(|(from, _)| *from == index) {
            self.reconciler.change_rules(book)?;
        }
        let written = step(self.record, index);
        if !self.record.boards.is_empty() {
            self.reconciler.compare_boards(self.record, index, &mut self.report)?;
        }
        if self.record.ending.is_some_and(|ending| ending.after as usize == index) {
            self.report.report(written.mv, EndFinding::AfterEnding);
        }
        let mv = self.reconciler.prepare(&written, &mut self.report)?;
        let legal_moves = self.count(index);
        if self.report.looks_back {
            self.report.past.push((self.reconciler.game.clone(), self.report.plies.len()));
        }
        self.report.legal_moves = legal_moves;
        self.reconciler.play(mv, &written, &mut self.report)
    }

    /// Counts the legal moves if requested, and compares the number with the written one.
    #[inline]
    fn count(&mut self, index: usize) -> Option<u32> {
        if self.count_moves || !self.record.move_counts.is_empty() {
            self.count_and_compare(index)
        } else {
            None
        }
    }

    fn count_and_compare(&mut self, index: usize) -> Option<u32> {
        let counts = &self.record.move_counts;
        while counts.get(self.counts_seen).is_some_and(|count| (count.after as usize) < index) {
            self.counts_seen += 1;
        }
        let written = counts.get(self.counts_seen).filter(|count| count.after as usize == index);
        if !self.count_moves && written.is_none() {
            return None;
        }
        let found = self.reconciler.game.count_moves() as u32;
        if let Some(written) = written {
            self.counts_seen += 1;
            if written.count != found && self.reconciler.game.outcome().is_none() {
                let kind = PlayFinding::MoveCount { written: written.count, found };
                self.report.report_at(written.span, kind);
            }
        }
        self.count_moves.then_some(found)
    }
}

fn step(record: &Record, index: usize) -> WrittenStep<'_> {
    WrittenStep::of(&record.main().moves, &record.captures, index)
}

/// Returns the game before its first move, from the start given by the record or by the rules.
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
                // Replay does not get here: it checks the board first, see `board_conflict`.
                Err(_) => {
                    findings.extend(super::choose::board_conflict(record, book, None));
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
