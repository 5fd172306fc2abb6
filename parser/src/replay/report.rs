//! The policy of replay: each discrepancy becomes a diagnostic, and play continues as long as possible.

use tafl_rules::{Cell, CellSet, Game, IllegalMove, Move, Outcome, Ply, Reason, Setup, Shape, Side, Span};

use super::policy::{Policy, Response};
use super::{Discrepancy, ReplayPly, contradiction, reason};
use crate::diagnostic::{
    CaptureFinding, Diagnostic, DiagnosticKind, EndFinding, HeaderFinding, LegalityFinding, PlayFinding,
};
use crate::record::{CaptureStyle, Format, MoveMark, Record, WrittenMove};

/// The diagnostics of a replay, and its plies.
pub(super) struct FindingReport<'r> {
    pub(super) record: &'r Record,
    pub(super) shape: Shape,
    /// The start by the rules.
    start: &'r Setup,
    /// The index of the current written move.
    pub(super) index: usize,
    /// The number of legal moves before it, if requested.
    pub(super) legal_moves: Option<u32>,
    /// Whether to keep every position, to find reasons and to take moves back.
    pub(super) looks_back: bool,
    /// The game before each played written move, and the number of plies at that point.
    pub(super) past: Vec<(Game, usize)>,
    /// The written moves with a capture that would have happened elsewhere, once for each such capture.
    pub(super) unreal_captures: Vec<usize>,
    pub(super) plies: Vec<ReplayPly>,
    pub(super) findings: Vec<Diagnostic>,
    /// The first end by the rules, and the index of its ply.
    pub(super) end: Option<(Outcome, usize)>,
    /// Whether the position after the last ply has occurred three times.
    pub(super) is_repeated: bool,
    repetition_is_reported: bool,
}

impl<'r> FindingReport<'r> {
    pub(super) fn new(
        record: &'r Record,
        shape: Shape,
        start: &'r Setup,
        findings: Vec<Diagnostic>,
    ) -> FindingReport<'r> {
        FindingReport {
            record,
            shape,
            start,
            index: 0,
            legal_moves: None,
            looks_back: false,
            past: Vec::new(),
            unreal_captures: Vec::new(),
            plies: Vec::with_capacity(record.main().moves.len()),
            findings,
            end: None,
            is_repeated: false,
            repetition_is_reported: false,
        }
    }

    pub(super) fn report(&mut self, written: &WrittenMove, kind: impl Into<DiagnosticKind>) {
        self.report_at(written.span, kind);
    }

    pub(super) fn report_at(&mut self, span: Span, kind: impl Into<DiagnosticKind>) {
        self.findings.push(Diagnostic::new(span, kind));
    }

    fn written(&self) -> &'r WrittenMove {
        &self.record.main().moves[self.index]
    }

    /// Reports that a move cannot be played, and the reason if the record contradicts itself.
    #[cold]
    fn report_illegal(&mut self, game: &Game, mv: Move, why: IllegalMove) {
        let written = self.written();
        let is_second = |found: &Diagnostic| {
            matches!(found.kind, DiagnosticKind::Play(PlayFinding::MissingMove { .. }))
                && found.span == self.record.main().moves[0].span
        };
        let is_soon = self.index <= 1 || (self.index < 8 && self.findings.iter().any(is_second));
        if self.looks_back && is_soon {
            self.report(written, HeaderFinding::BeginningMissing);
            return;
        }
        self.findings.push(illegal(game, mv, why, written));
        // Capture marks are needed because they show what left the board, and unwritten steps would be
        // invisible.
        let shows_captures = self.record.capture_style != CaptureStyle::NotWritten
            || self.plies.iter().all(|ply| ply.captured.is_empty());
        let is_simple = self.plies.iter().all(|ply| !ply.goes_on && ply.written.is_some());
        if self.looks_back && shows_captures && is_simple && self.record.start.is_none() {
            let found = contradiction::contradiction(self.record, self.start, game, self.index, mv, why);
            if let Some(kind) = found {
                self.report(written, kind);
            }
        }
    }

    /// Returns the diagnostic for a listed capture that does not happen.
    fn unreal_capture(&mut self, cell: Cell) -> CaptureFinding {
        let written = self.written();
        let mv = self.shape.cell(written.from).zip(self.shape.cell(written.to));
        let name = self.shape.coord(cell);
        let elsewhere = self
            .past
            .last()
            .zip(mv)
            .and_then(|((before, _), (from, to))| reason::would_fall(before, Move::new(from, to), cell));
        match elsewhere {
            Some(to) => {
                self.unreal_captures.push(self.index);
                CaptureFinding::Stray { cell: name, to: self.shape.coord(to) }
            }
            None => CaptureFinding::Unreal { cell: name },
        }
    }

    #[inline]
    pub(super) fn push_ply(
        &mut self,
        game: &Game,
        ply: &Ply,
        written: Option<u32>,
        legal_moves: Option<u32>,
    ) {
        let Ply { mv, side, captured, goes_on, .. } = *ply;
        self.plies.push(ReplayPly { mv, side, captured, goes_on, key: game.key(), legal_moves, written });
        if let (None, Some(outcome)) = (self.end, ply.outcome) {
            self.end = Some((outcome, self.plies.len() - 1));
        }
    }

    /// Reports the captures required by the rules that `ply` did not make.
    pub(super) fn report_not_made(&mut self, game: &Game, cells: CellSet) {
        for cell in cells.iter() {
            if let Some(piece) = game.captured_piece(cell) {
                self.report(self.written(), CaptureFinding::NotMade { cell: self.shape.coord(cell), piece });
            }
        }
    }

    #[cold]
    fn report_repetition(&mut self, ply: &Ply) {
        if !self.repetition_is_reported {
            self.repetition_is_reported = true;
            let count = ply.repetition.map_or(ply.occurrences, |hit| hit.occurrences);
            self.report(self.written(), PlayFinding::Repetition { count });
        }
    }

    /// Compares the win mark of Cyngesheall's notation with the effect of the move.
    fn compare_mark(&mut self, ply: &Ply) {
        let written = self.written();
        let wins = ply.outcome.is_some_and(|outcome| is_marked(outcome.reason));
        match (wins, written.mark == MoveMark::Bang) {
            (true, false) => self.report(written, EndFinding::NoWinMark),
            (false, true) => self.report(written, EndFinding::FalseWinMark),
            (true, true) | (false, false) => {}
        }
    }

    fn report_first_mover(&mut self, side: Side) {
        if self.record.format.is_lossy() {
            self.report(self.written(), PlayFinding::MissingMove { by: side.other() })
        } else {
            self.report(self.written(), HeaderFinding::Contradiction { about: first_move_of(side) })
        }
    }
}

/// Returns the contradiction of a first move by this side to the header or the rules.
const fn first_move_of(side: Side) -> &'static str {
    match side {
        Side::Attackers => "a move of the attackers, but the defenders move first",
        Side::Defenders => "a move of the defenders, but the attackers move first",
    }
}

impl Policy for FindingReport<'_> {
    #[inline]
    fn played(&mut self, game: &Game, ply: &Ply) {
        if self.record.format == Format::Cyngesheall {
            self.compare_mark(ply);
        }
        self.push_ply(game, ply, Some(self.index as u32), self.legal_moves);
        self.is_repeated = ply.occurrences >= 3;
        if ply.repetition.is_some() || self.is_repeated {
            self.report_repetition(ply);
        }
    }

    fn on(&mut self, game: &Game, span: Span, found: Discrepancy) -> Response {
        let shape = self.shape;
        let kind: DiagnosticKind = match found {
            Discrepancy::OffBoard { cell } => {
                self.report_at(span, LegalityFinding::UnknownCell { cell });
                return Response::Stop;
            }
            Discrepancy::BrokenChain => {
                self.report_at(span, LegalityFinding::BrokenChain);
                return Response::Stop;
            }
            Discrepancy::WrongSide { mv, piece } => {
                self.report_illegal(game, mv, IllegalMove::NotYourPiece { piece });
                return Response::Stop;
            }
            Discrepancy::Illegal { mv, why } | Discrepancy::Impossible { mv, why } => {
                self.report_illegal(game, mv, why);
                return Response::Stop;
            }
            Discrepancy::FirstMover { piece } => {
                self.report_first_mover(piece.side);
                return Response::Force;
            }
            // Only the first end is reported.
            Discrepancy::AfterEnd(_) if self.end.is_none_or(|(_, ply)| ply + 1 != self.plies.len()) => {
                return Response::GoOn;
            }
            Discrepancy::AfterEnd(outcome) => EndFinding::AfterEnd { outcome }.into(),
            Discrepancy::WrongLetter { piece } => LegalityFinding::WrongLetter { found: piece }.into(),
            Discrepancy::MissingCapture { cell, piece } => {
                CaptureFinding::Missing { cell: shape.coord(cell), piece }.into()
            }
            Discrepancy::UnrealCapture { cell } => self.unreal_capture(cell).into(),
            Discrepancy::CaptureOffBoard { cell } => CaptureFinding::OffBoard { cell }.into(),
            Discrepancy::DoubledCapture { cell } => {
                CaptureFinding::Doubled { cell: shape.coord(cell) }.into()
            }
            Discrepancy::CaptureLetter { piece } => CaptureFinding::WrongLetter { found: piece }.into(),
            Discrepancy::Board { cell } => PlayFinding::BoardDiffers { cell: shape.coord(cell) }.into(),
            Discrepancy::SideToMove { found } => PlayFinding::SideToMove { found }.into(),
            Discrepancy::Result { board, .. } => EndFinding::Mismatch { board }.into(),
            Discrepancy::Unrecorded(board) => EndFinding::Unrecorded { board }.into(),
            Discrepancy::Unfinished => EndFinding::Unfinished.into(),
            Discrepancy::Swap { after, allowed } => HeaderFinding::SwapNotAllowed { after, allowed }.into(),
            Discrepancy::LastWord { recorded, stated } => {
                EndFinding::Contradiction { by: stated.other(), is_draw: recorded.is_none() }.into()
            }
            Discrepancy::NotOnBoard { claimed } => EndFinding::NotOnBoard { claimed }.into(),
            Discrepancy::SilentWin { winner } => EndFinding::SilentResignation { by: winner.other() }.into(),
            Discrepancy::SilentStop { winner: Some(winner) } => EndFinding::Adjudication { winner }.into(),
            // A draw needs no reason, and `compare_counts` compares the counts of a whole record with more
            // tolerance.
            Discrepancy::SilentStop { winner: None } | Discrepancy::EndedBefore(_) | Discrepancy::Counts => {
                return Response::GoOn;
            }
        };
        self.report_at(span, kind);
        Response::GoOn
    }
}

/// Returns whether Cyngesheall's notation marks this kind of end.
const fn is_marked(reason: Reason) -> bool {
    matches!(reason, Reason::KingCaptured | Reason::KingReachedGoal)
}

/// Returns the diagnostic that a move cannot be played.
pub(super) fn illegal(game: &Game, mv: Move, why: IllegalMove, written: &WrittenMove) -> Diagnostic {
    let shape = game.shape();
    let kind = match why {
        IllegalMove::NoPiece => LegalityFinding::NoPiece { cell: shape.coord(mv.from) },
        IllegalMove::NotYourPiece { piece } => LegalityFinding::WrongSide { piece, to_move: game.to_move() },
        why => LegalityFinding::Illegal { mv, shape, why },
    };
    Diagnostic::new(written.span, kind)
}
