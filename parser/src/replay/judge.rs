//! The end of a game: what the record says, what the board shows, and whether they agree.

use std::sync::Arc;

use tafl_rules::ruleset::Berserk;
use tafl_rules::{Coord, Game, Outcome, Reason, Side, Span};

use super::walk::Walk;
use super::{Chosen, Replay};
use crate::diagnostic::{Capture, Diagnostic, End, Play};
use crate::record::{CaptureStyle, EndingKind, Record, Verdict, WrittenCapture};

/// How many captures of a side a record may count.
struct Captured {
    least: u32,
    most: u32,
    /// The marks as they stand.
    marks: u32,
}

/// Returns how many cells are marked; one that is marked twice counts once.
fn n_distinct(marks: &[WrittenCapture]) -> u32 {
    // Nearly every list has one mark. A hostile one has thousands, so they are not held against each other.
    if let [] | [_] = marks {
        return marks.len() as u32;
    }
    let mut cells: Vec<Coord> = marks.iter().map(|mark| mark.cell).collect();
    cells.sort_unstable();
    cells.dedup();
    cells.len() as u32
}

/// Returns whether Cyngesheall's notation marks such an end.
pub(super) const fn is_marked(reason: Reason) -> bool {
    matches!(reason, Reason::KingCaptured | Reason::KingReachedGoal)
}

/// Returns the replay of a record whose rules are not known: nothing is said to be right or wrong.
pub(super) fn undecided(record: &Record, mut findings: Vec<Diagnostic>) -> Replay {
    let span = record.main().moves.first().map_or(Span::at(0), |mv| mv.span);
    findings.push(Diagnostic::new(span, Play::Undecided));
    let recorded = record.result.and_then(|result| match result.verdict {
        Verdict::Win(side) => Some(Outcome::win(side, result.reason.unwrap_or(Reason::Unknown))),
        Verdict::Draw => Some(Outcome::draw(result.reason.unwrap_or(Reason::Unknown))),
        Verdict::Ongoing | Verdict::Unknown => None,
    });
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

/// Returns the side whose turn it is at the end of a record: whoever may decline to go on with a chain has done so.
pub(crate) fn next_to_move(game: &Game) -> Side {
    let side = game.to_move();
    if game.chain().is_some() && game.rules().chain.may_decline { side.other() } else { side }
}

impl Walk<'_> {
    /// Returns the replay, with what is to be said about the end, and the game to be used again.
    pub(super) fn finish(mut self, chosen: &Arc<Chosen>) -> (Replay, Game) {
        self.check_variations();
        let recorded = if self.is_complete { self.judge_end() } else { self.plain_result() };
        if self.is_complete {
            self.compare_counts();
        }
        self.findings.sort_by_key(|finding| finding.span.start);
        let replay = Replay {
            rules: Some(Arc::clone(chosen)),
            plies: self.plies,
            outcome: self.end.map(|(outcome, _)| outcome),
            recorded,
            last: Some(self.game.setup()),
            to_move: Some(self.game.to_move()),
            diagnostics: self.findings,
        };
        (replay, self.game)
    }

    /// Returns the result that the record names, with what its last word says, without a look at the board.
    fn plain_result(&self) -> Option<Outcome> {
        let ending = self.record.ending;
        let result = self.record.result;
        let reason = result.and_then(|result| result.reason).or(ending.map(|ending| ending.kind.reason()));
        match result.map(|result| result.verdict) {
            Some(Verdict::Win(side)) => Some(Outcome::win(side, reason.unwrap_or(Reason::Unknown))),
            Some(Verdict::Draw) => Some(Outcome::draw(reason.unwrap_or(Reason::Unknown))),
            Some(Verdict::Ongoing | Verdict::Unknown) | None => None,
        }
    }

    /// Compares the end of a game that was played to its last move with what the record says, and returns the
    /// record's result with its reason.
    fn judge_end(&mut self) -> Option<Outcome> {
        let span = self.result_span();
        let ended = self.ending_result();
        let verdict = self.record.result.map(|result| result.verdict);
        // Where play went on after an end, that end still says why who won won.
        let winner = verdict.and_then(Verdict::winner);
        let earlier =
            self.end.map(|(outcome, _)| outcome).filter(|end| winner.is_some() && end.winner == winner);
        let board = self.game.outcome().or(earlier);
        let recorded = match verdict {
            Some(Verdict::Win(winner)) => Outcome::win(winner, self.reason_of_win(winner, board, ended)),
            Some(Verdict::Draw) => Outcome::draw(self.reason_of_draw(board)),
            Some(Verdict::Ongoing | Verdict::Unknown) | None => {
                match (board, ended) {
                    (Some(board), _) => self.find_at(span, End::Unrecorded { board }),
                    (None, Some(_)) => {}
                    (None, None) => self.find_at(span, End::Unfinished),
                }
                // Where nobody moved, nobody lost, whatever the last word says.
                return ended.filter(|_| !self.plies.is_empty());
            }
        };
        match board {
            Some(board) if board.winner != recorded.winner => self.find_at(span, End::Mismatch { board }),
            Some(_) => {}
            None => self.say_why(recorded, ended, span),
        }
        Some(recorded)
    }

    /// Says what a game without an end on the board came to.
    fn say_why(&mut self, recorded: Outcome, ended: Option<Outcome>, span: Span) {
        match (recorded.winner, ended) {
            (Some(winner), Some(ended)) if ended.winner != Some(winner) && ended.winner.is_some() => {
                self.find_at(span, End::Contradiction { by: winner });
            }
            (_, Some(_)) => {}
            (Some(winner), None) => match recorded.reason {
                Reason::Resignation if self.record.result.is_some_and(|result| result.reason.is_none()) => {
                    self.find_at(span, End::SilentResignation { by: winner.other() });
                }
                Reason::Adjudication if self.record.result.is_some_and(|result| result.reason.is_none()) => {
                    self.find_at(span, End::Adjudication { winner: Some(winner) });
                }
                reason if reason.is_on_board() => self.find_at(span, End::NotOnBoard { claimed: recorded }),
                _ => {}
            },
            (None, None) => {}
        }
    }

    /// Returns the result that the last word among the moves means.
    fn ending_result(&self) -> Option<Outcome> {
        let ending = self.record.ending?;
        let reason = ending.kind.reason();
        match ending.kind {
            EndingKind::Agreed => Some(Outcome::draw(reason)),
            EndingKind::Adjudicated => None,
            EndingKind::Resigned | EndingKind::Timeout => {
                // A game without moves that ran out of time has no loser that its record names.
                let by = ending.side.unwrap_or(next_to_move(&self.game));
                Some(Outcome::win(by.other(), reason))
            }
        }
    }

    fn reason_of_win(&self, winner: Side, board: Option<Outcome>, ended: Option<Outcome>) -> Reason {
        if let Some(board) = board.filter(|board| board.winner == Some(winner)) {
            return board.reason;
        }
        let written = self.record.result.and_then(|result| result.reason);
        if let Some(reason) = written.or(ended.map(|ended| ended.reason)) {
            return reason;
        }
        match self.by_repetition {
            Some(outcome) if outcome.winner == Some(winner) => Reason::Repetition,
            // Who stops and loses gave up; who was to move and won was given the game.
            Some(_) | None if next_to_move(&self.game) != winner => Reason::Resignation,
            Some(_) | None => Reason::Adjudication,
        }
    }

    fn reason_of_draw(&self, board: Option<Outcome>) -> Reason {
        if let Some(board) = board.filter(|board| board.winner.is_none()) {
            return board.reason;
        }
        let written = self.record.result.and_then(|result| result.reason);
        written.or(self.record.ending.map(|ending| ending.kind.reason())).unwrap_or(if self.is_repeated {
            Reason::Repetition
        } else {
            Reason::Unknown
        })
    }

    /// Compares the counts of captures with what is written and with what happened.
    ///
    /// The counts of aagenielsen.dk have marks, without kings and without marks of captures that did not happen. Of marks
    /// that stand twice, those of a wall of one count twice, those of a move that was tried twice once. Captures of
    /// unwritten steps are in the counts of some variants; those of a turn that ends the game may be left out where
    /// turns have several steps. Old records without marks count nothing, or what was captured.
    fn compare_counts(&mut self) {
        let Some(counts) = self.record.capture_counts else { return };
        for side in Side::ALL {
            let Captured { least, most, marks } = self.captured_by(side);
            let written = counts.by[side];
            let are_marked = self.record.capture_style != CaptureStyle::NotWritten;
            if !(least..=most).contains(&written) && (are_marked || written != 0) {
                let kind = match are_marked {
                    true => Capture::Count { by: side, written, marks },
                    false => Capture::CountOfMade { by: side, written, made: most },
                };
                self.find_at(counts.spans[side], kind);
            }
        }
    }

    fn captured_by(&self, side: Side) -> Captured {
        let mut all = Captured { least: 0, most: 0, marks: 0 };
        let has_chains = self.game.rules().berserk != Berserk::None;
        for (nth, ply) in self.plies.iter().enumerate().filter(|(_, ply)| ply.side == side) {
            let is_quiet = ply.captured.is_empty()
                && ply.written.is_some_and(|index| self.record.main().moves[index as usize].n_captures == 0);
            if is_quiet {
                continue;
            }
            let fell = ply.captured.len() as u32;
            let is_last = self.end.is_some_and(|(_, last)| last == nth);
            let kings = match self.end {
                Some((Outcome { reason: Reason::KingCaptured, .. }, _)) if is_last => 1,
                Some(_) | None => 0,
            };
            let written =
                ply.written.map(|index| (index as usize, &self.record.main().moves[index as usize]));
            let (least, most) = match written {
                None => (0, fell),
                Some(_) if self.record.capture_style == CaptureStyle::NotWritten => (fell - kings, fell),
                Some((index, mv)) => {
                    let strays = self.strays.iter().filter(|stray| **stray == index).count() as u32;
                    let marks = self.record.captures_of(mv);
                    (n_distinct(marks).saturating_sub(strays), u32::from(mv.n_captures) - strays)
                }
            };
            let may_be_left_out = has_chains && nth + 2 >= self.plies.len();
            all.least += if may_be_left_out { 0 } else { least };
            all.most += most;
            all.marks += written.map_or(0, |(_, mv)| u32::from(mv.n_captures));
        }
        all
    }

    fn find_at(&mut self, span: Span, kind: impl Into<crate::diagnostic::DiagnosticKind>) {
        self.findings.push(Diagnostic::new(span, kind));
    }

    /// Returns the place of the result, or of the last move where no result is written.
    fn result_span(&self) -> Span {
        let last = || self.record.main().moves.last().map_or(Span::at(0), |mv| mv.span);
        self.record.result.map_or_else(last, |result| result.span)
    }
}
