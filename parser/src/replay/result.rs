//! The result of a replay: the recorded end with its reason, and the numbers of captures.

use std::sync::Arc;

use tafl_rules::{Berserk, Coord, Game, Outcome, Reason, Side, Span};

use super::end::{Claim, next_to_move};
use super::walk::Walk;
use super::{ChosenRules, ReasonSource, Replay, SourcedOutcome, sides};
use crate::diagnostic::{CaptureFinding, ClosestVariants, Diagnostic, PlayFinding};
use crate::record::{CaptureStyle, Record, WrittenCapture, WrittenVerdict};

/// The acceptable numbers of captures of a side.
struct CaptureBounds {
    least: u32,
    most: u32,
    /// The number of marks as written.
    marks: u32,
}

/// A reason of a result with its source.
#[derive(Clone, Copy)]
struct SourcedReason {
    reason: Reason,
    source: ReasonSource,
}

impl SourcedReason {
    const fn of(reason: Reason, source: ReasonSource) -> SourcedReason {
        SourcedReason { reason, source }
    }

    const fn written(reason: Reason) -> SourcedReason {
        SourcedReason::of(reason, ReasonSource::Record)
    }
}

/// Returns the number of distinct marked cells.
fn n_distinct(marks: &[WrittenCapture]) -> u32 {
    // Nearly every list has one mark. A malicious list may have thousands, so this avoids a quadratic
    // comparison.
    if let [] | [_] = marks {
        return marks.len() as u32;
    }
    let mut cells: Vec<Coord> = marks.iter().map(|mark| mark.cell).collect();
    cells.sort_unstable();
    cells.dedup();
    cells.len() as u32
}

/// Returns the replay of a record with unknown rules, which makes no statement about its moves.
///
/// `closest` are the variants that fit best, if they were tried.
pub(super) fn undecided(
    record: &Record,
    closest: Option<ClosestVariants>,
    mut findings: Vec<Diagnostic>,
) -> Replay {
    let span = record.main().moves.first().map_or(Span::at(0), |mv| mv.span);
    // In a file of positions without moves, there is nothing to check.
    let has_moves = !record.main().moves.is_empty();
    if has_moves || record.start.is_none() {
        findings.push(Diagnostic::new(span, PlayFinding::Undecided { closest, has_moves }));
    }
    let claim = Claim::of(record);
    let recorded = claimed(&claim, claim.reason.map(SourcedReason::written));
    Replay {
        rules: None,
        plies: Vec::new(),
        outcome: None,
        recorded,
        last: None,
        to_move: None,
        diagnostics: findings,
    }
}

impl Walk<'_> {
    /// Returns the replay with the diagnostics about the end, and the game for reuse.
    pub(super) fn finish(mut self, is_complete: bool, chosen: &Arc<ChosenRules>) -> (Replay, Game) {
        let record = self.report.record;
        let claim = Claim::of(record);
        self.compare_numbers();
        let recorded = if is_complete {
            let span = result_span(record);
            let _ = self.reconciler.compare_end(&claim, span, &mut self.report);
            self.compare_counts();
            self.recorded(&claim)
        } else {
            claimed(&claim, claim.written_reason().map(SourcedReason::written))
        };
        let mut report = self.report;
        report.findings.extend(sides::check(record, &report.plies));
        report.findings.sort_by_key(|finding| finding.span.start);
        let replay = Replay {
            rules: Some(Arc::clone(chosen)),
            plies: report.plies,
            outcome: report.end.map(|(outcome, _)| outcome),
            recorded,
            last: Some(self.reconciler.game.setup()),
            to_move: Some(self.reconciler.game.to_move()),
            diagnostics: report.findings,
        };
        (replay, self.reconciler.game)
    }

    /// Returns the result of a game that was played to its last move, with the reason as far as it is known.
    fn recorded(&self, claim: &Claim) -> Option<SourcedOutcome> {
        let reconciler = &self.reconciler;
        let board = reconciler.board_end(claim);
        let known = |winner: Option<Side>| {
            let shown = board.filter(|board| board.winner == winner);
            let shown = shown.map(|board| SourcedReason::of(board.reason, ReasonSource::Board));
            shown.or(claim.written_reason().map(SourcedReason::written))
        };
        let reason = match claim.verdict {
            WrittenVerdict::Win(winner) => {
                known(Some(winner)).unwrap_or_else(|| match reconciler.repetition {
                    Some(outcome) if outcome.winner == Some(winner) => {
                        SourcedReason::of(Reason::Repetition, ReasonSource::Board)
                    }
                    // A player who stops and loses has resigned; a win of the side to move was adjudicated.
                    Some(_) | None if next_to_move(&reconciler.game) != winner => {
                        SourcedReason::of(Reason::Resignation, ReasonSource::Inference)
                    }
                    Some(_) | None => SourcedReason::of(Reason::Adjudication, ReasonSource::Inference),
                })
            }
            WrittenVerdict::Draw => {
                let repeated = SourcedReason::of(Reason::Repetition, ReasonSource::Inference);
                return claimed(claim, known(None).or(self.report.is_repeated.then_some(repeated)));
            }
            // A game without moves has no loser, whatever the last statement.
            WrittenVerdict::Ongoing | WrittenVerdict::Unknown => {
                let last_word = claim.last_word(&reconciler.game).filter(|_| !self.report.plies.is_empty());
                return last_word
                    .map(|outcome| SourcedOutcome { outcome, source: Some(ReasonSource::Record) });
            }
        };
        claimed(claim, Some(reason))
    }

    /// Compares the written numbers of captures with the marks and with the captures made.
    ///
    /// The counts of aagenielsen.dk are those of the marks, without kings and without marks of captures that
    /// did not happen. Of duplicate marks, those of a one-piece shieldwall count twice, and those of a move
    /// that was tried twice count once. Captures of unwritten steps are counted in some variants; those of a
    /// turn that ends the game may be missing if turns have several steps. Old records without marks have
    /// zeros, or the numbers of captured pieces.
    fn compare_counts(&mut self) {
        let record = self.report.record;
        let Some(counts) = record.capture_counts else { return };
        for side in Side::ALL {
            let CaptureBounds { least, most, marks } = self.captured_by(side);
            let written = counts.by[side];
            let are_marked = record.capture_style != CaptureStyle::NotWritten;
            if !(least..=most).contains(&written) && (are_marked || written != 0) {
                let kind = if are_marked {
                    CaptureFinding::Count { by: side, written, marks }
                } else {
                    CaptureFinding::CountOfMade { by: side, written, made: most }
                };
                self.report.report_at(counts.spans[side], kind);
            }
        }
    }

    /// Compares the written numbers of captures of single moves with the captures made, without kings.
    fn compare_numbers(&mut self) {
        let record = self.report.record;
        for number in &record.move_capture_counts {
            let index = self.report.plies.partition_point(|ply| ply.written.is_none_or(|at| at < number.at));
            let Some(ply) = self.report.plies.get(index).filter(|ply| ply.written == Some(number.at)) else {
                continue;
            };
            let is_last = self
                .report
                .end
                .is_some_and(|(end, last)| last == index && end.reason == Reason::KingCaptured);
            let made = ply.captured.len() as u32 - u32::from(is_last && !ply.captured.is_empty());
            if made != number.count {
                let kind = CaptureFinding::CountOfMove { written: number.count, made };
                self.report.report_at(number.span, kind);
            }
        }
    }

    fn captured_by(&self, side: Side) -> CaptureBounds {
        let record = self.report.record;
        let mut all = CaptureBounds { least: 0, most: 0, marks: 0 };
        let has_chains = self.reconciler.game.rules().berserk != Berserk::None;
        for (nth, ply) in self.report.plies.iter().enumerate().filter(|(_, ply)| ply.side == side) {
            let is_quiet = ply.captured.is_empty()
                && ply.written.is_some_and(|index| record.main().moves[index as usize].n_captures == 0);
            if is_quiet {
                continue;
            }
            let n_captured = ply.captured.len() as u32;
            let is_last = self.report.end.is_some_and(|(_, last)| last == nth);
            let kings = match self.report.end {
                Some((Outcome { reason: Reason::KingCaptured, .. }, _)) if is_last => 1,
                Some(_) | None => 0,
            };
            let written = ply.written.map(|index| (index as usize, &record.main().moves[index as usize]));
            let (least, most) = match written {
                None => (0, n_captured),
                Some(_) if record.capture_style == CaptureStyle::NotWritten => {
                    (n_captured - kings, n_captured)
                }
                Some((index, mv)) => {
                    let n_unreal =
                        self.report.unreal_captures.iter().filter(|move_index| **move_index == index).count()
                            as u32;
                    let marks = record.captures_of(mv);
                    // Counts may leave out a king that is marked.
                    let kings = if marks.len() as u32 >= n_captured { kings } else { 0 };
                    let least = n_distinct(marks).saturating_sub(n_unreal + kings);
                    (least, u32::from(mv.n_captures) - n_unreal)
                }
            };
            let may_be_left_out = has_chains && nth + 2 >= self.report.plies.len();
            all.least += if may_be_left_out { 0 } else { least };
            all.most += most;
            all.marks += written.map_or(0, |(_, mv)| u32::from(mv.n_captures));
        }
        all
    }
}

/// Returns the result claimed by a record, with a reason.
fn claimed(claim: &Claim, reason: Option<SourcedReason>) -> Option<SourcedOutcome> {
    let winner = claim.winner()?;
    let (reason, source) = reason.map_or((Reason::Unknown, None), |known| (known.reason, Some(known.source)));
    // A record can state that the reason is unknown.
    let source = source.filter(|_| reason != Reason::Unknown);
    Some(SourcedOutcome { outcome: Outcome { winner, reason }, source })
}

/// Returns the span of the result, or of the last move if no result is written.
fn result_span(record: &Record) -> Span {
    let last = || record.main().moves.last().map_or(Span::at(0), |mv| mv.span);
    let ending = || record.ending.map(|ending| ending.span).filter(|span| !span.is_empty());
    record.result.map(|result| result.span).or_else(ending).unwrap_or_else(last)
}
