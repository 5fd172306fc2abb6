//! Compares what a record says besides its moves with what the rules do: captures, marks, boards, numbers of legal moves.

use tafl_rules::game::CellSet;
use tafl_rules::{Cell, Move, Ply, Role};

use super::walk::Walk;
use super::{judge, reason};
use crate::diagnostic::{Capture, Diagnostic, End, Play};
use crate::record::{CaptureStyle, Mark, WrittenMove};

impl Walk<'_> {
    /// Counts the legal moves where that is asked for, and compares the count with what is written.
    #[inline]
    pub(super) fn count(&mut self, index: usize) -> Option<u32> {
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
        let found = self.game.count_moves() as u32;
        if let Some(written) = written {
            self.counts_seen += 1;
            if written.count != found && self.game.outcome().is_none() {
                let kind = Play::MoveCount { written: written.count, found };
                self.findings.push(Diagnostic::new(written.span, kind));
            }
        }
        self.count_moves.then_some(found)
    }

    /// Compares the captures of a turn once its last step is played.
    #[inline]
    pub(super) fn compare_captures(&mut self, ply: &Ply, index: usize) {
        let moves = &self.record.main().moves;
        let is_silent = ply.captured.is_empty() && moves[index].n_captures == 0 && self.turn.first == index;
        if is_silent || self.record.capture_style == CaptureStyle::NotWritten {
            return;
        }
        for cell in ply.captured.iter() {
            self.turn.fallen.extend(self.game.fallen(cell).map(|piece| (cell, piece)));
        }
        if !moves.get(index + 1).is_some_and(|next| next.chained) {
            self.compare_turn(index);
        }
    }

    pub(super) fn compare_turn(&mut self, index: usize) {
        let record = self.record;
        let moves = &record.main().moves[self.turn.first..=index];
        let mut written = CellSet::default();
        for capture in moves.iter().flat_map(|mv| record.captures_of(mv)) {
            let fallen = |cell: Cell| self.turn.fallen.iter().find(|(fallen, _)| *fallen == cell);
            let finding = match self.shape.cell(capture.cell) {
                None => Some(Capture::OffBoard { cell: capture.cell }),
                Some(cell) if written.contains(cell) => Some(Capture::Doubled { cell: capture.cell }),
                Some(cell) => {
                    written.insert(cell);
                    match (fallen(cell), capture.letter.role()) {
                        (None, _) => Some(self.unreal(cell, index)),
                        (Some((_, found)), Some(role)) if found.role != role => {
                            Some(Capture::WrongLetter { found: *found })
                        }
                        (Some(_), _) => None,
                    }
                }
            };
            if let Some(kind) = finding {
                self.findings.push(Diagnostic::new(capture.span, kind));
            }
        }
        let span = moves[moves.len() - 1].span;
        for (cell, piece) in std::mem::take(&mut self.turn.fallen) {
            let may_be_left_out =
                piece.role == Role::King && record.capture_style == CaptureStyle::ListedButKings;
            if !written.contains(cell) && !may_be_left_out {
                let kind = Capture::Missing { cell: self.shape.coord(cell), piece };
                self.findings.push(Diagnostic::new(span, kind));
            }
        }
    }

    /// Returns what a capture is that is written with a move and does not happen.
    #[cold]
    fn unreal(&mut self, cell: Cell, index: usize) -> Capture {
        let written = &self.record.main().moves[index];
        let mv = self.shape.cell(written.from).zip(self.shape.cell(written.to));
        let name = self.shape.coord(cell);
        let elsewhere = self
            .past
            .last()
            .zip(mv)
            .and_then(|((before, _), (from, to))| reason::would_fall(before, Move::new(from, to), cell));
        match elsewhere {
            Some(to) => {
                self.strays.push(index);
                Capture::Stray { cell: name, to: self.shape.coord(to) }
            }
            None => Capture::Unreal { cell: name },
        }
    }

    pub(super) fn compare_mark(&mut self, ply: &Ply, written: &WrittenMove) {
        let wins = ply.outcome.is_some_and(|outcome| judge::is_marked(outcome.reason));
        match (wins, written.mark == Mark::Bang) {
            (true, false) => self.find(written, End::NoWinMark),
            (false, true) => self.find(written, End::FalseWinMark),
            (true, true) | (false, false) => {}
        }
    }

    pub(super) fn compare_boards(&mut self, after: usize) {
        while let Some(board) = self.record.boards.get(self.boards_seen) {
            if board.after as usize > after {
                return;
            }
            self.boards_seen += 1;
            if (board.after as usize) < after {
                continue;
            }
            let setup = self.game.setup();
            let differs = |cell: &Cell| setup.piece(*cell) != board.setup.piece(*cell);
            if setup.shape() == board.setup.shape()
                && let Some(cell) = self.shape.cells().find(differs)
            {
                let kind = Play::BoardDiffers { cell: self.shape.coord(cell) };
                self.findings.push(Diagnostic::new(board.span, kind));
            } else if board.to_move.is_some_and(|side| side != self.game.to_move())
                && self.game.outcome().is_none()
            {
                self.findings
                    .push(Diagnostic::new(board.span, Play::SideToMove { found: self.game.to_move() }));
            }
        }
    }
}
