//! The soundness of a record: sound, with explained errors, or with unexplained errors.

use tafl_rules::{Outcome, Reason};

use super::Replay;
use crate::diagnostic::{
    CaptureFinding, Code, Diagnostic, DiagnosticKind, EndFinding, HeaderFinding, LegalityFinding,
    PlayFinding, RulesFinding, Severity,
};

/// The soundness of a record after replay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Soundness {
    /// The record can be played as written without contradictions: there are only notes.
    Sound,
    /// The record has errors or reconstructed steps, and each diagnostic explains what happened. The code is
    /// that of the most severe diagnostic, or the first one among equals.
    Explained(Code),
    /// A diagnostic reports a difference between the record and the rules without an explanation. The code is
    /// that of the first such diagnostic.
    Unexplained(Code),
}

impl Replay {
    /// Returns the soundness of the record.
    ///
    /// # Examples
    ///
    /// ```
    /// use tafl_parser::{Format, ReplayOptions, Replayer, Soundness, Source};
    ///
    /// let text = r#"{"AageGameTypeKey": 129, "Moves": ["d2-a2", "d1-d2xd3", "resigned"], "WhoWon": "White"}"#;
    /// let record = Format::AageNielsen.parse(&Source::new(text)).value;
    /// let replay = Replayer::new(ReplayOptions::default()).replay(&record);
    /// assert!(matches!(replay.soundness(), Soundness::Unexplained(_)));
    /// ```
    pub fn soundness(&self) -> Soundness {
        self.soundness_with(&[])
    }

    /// Returns the soundness of the record together with the diagnostics about its text: a record that was not
    /// read completely is not sound, even if the moves that were read can be played.
    pub fn soundness_with(&self, of_text: &[Diagnostic]) -> Soundness {
        if let Some(found) = self.unexplained().next() {
            return Soundness::Unexplained(found.code());
        }
        let gravest = of_text
            .iter()
            .chain(&self.diagnostics)
            .filter(|found| found.severity() > Severity::Note || is_reconstruction(found))
            .rev()
            .max_by_key(|found| found.severity());
        gravest.map_or(Soundness::Sound, |found| Soundness::Explained(found.code()))
    }

    /// Returns the diagnostics that only report a difference between record and rules and are not explained
    /// by another one.
    pub(super) fn unexplained(&self) -> impl Iterator<Item = &Diagnostic> {
        let starts_elsewhere = self
            .diagnostics
            .iter()
            .any(|found| matches!(found.kind, DiagnosticKind::Header(HeaderFinding::BeginningMissing)));
        let is_open = move |found: &Diagnostic| {
            !starts_elsewhere && !is_explanation(found) && !self.is_accounted_for(found)
        };
        self.diagnostics.iter().filter(move |found| is_open(found))
    }

    /// Returns whether the players agreed to a draw because neither they nor the site noticed the end on the board: a fort
    /// or a ring, which only a search of the whole board finds.
    fn is_drawn_unnoticed(&self, board: Outcome) -> bool {
        let is_hidden = matches!(board.reason, Reason::ExitFort | Reason::Encirclement);
        is_hidden && self.recorded.is_some_and(|recorded| recorded.outcome.winner.is_none())
    }

    fn is_accounted_for(&self, found: &Diagnostic) -> bool {
        match found.kind {
            // No rules make the move possible, or the game was over before it.
            DiagnosticKind::Legality(_) => self.diagnostics.iter().any(|other| {
                let is_reason = matches!(
                    other.kind,
                    DiagnosticKind::Play(PlayFinding::ContradictsItself { .. })
                        | DiagnosticKind::End(EndFinding::AfterEnd { .. } | EndFinding::AfterEnding)
                );
                other.span == found.span && is_reason
            }),
            // The site did not recognize the end, so the players continued to a different one.
            DiagnosticKind::End(EndFinding::Mismatch { board }) => {
                self.is_drawn_unnoticed(board)
                    || self.diagnostics.iter().any(|other| {
                        matches!(
                            &other.kind,
                            DiagnosticKind::End(EndFinding::AfterEnd { outcome }) if *outcome == board
                        )
                    })
            }
            DiagnosticKind::Text(_)
            | DiagnosticKind::Header(_)
            | DiagnosticKind::Rules(_)
            | DiagnosticKind::Capture(_)
            | DiagnosticKind::End(_)
            | DiagnosticKind::Play(_)
            | DiagnosticKind::Loss(_) => false,
        }
    }
}

/// Returns whether a diagnostic reports something that was added to the written moves.
fn is_reconstruction(found: &Diagnostic) -> bool {
    matches!(found.kind, DiagnosticKind::Play(PlayFinding::UnwrittenSteps { .. }))
}

/// Returns whether a diagnostic explains a difference instead of only reporting it.
fn is_explanation(found: &Diagnostic) -> bool {
    match &found.kind {
        // The text itself is malformed, and the diagnostic names the part.
        DiagnosticKind::Text(_) | DiagnosticKind::Loss(_) => true,
        DiagnosticKind::Header(kind) => !matches!(kind, HeaderFinding::UnknownVariant),
        DiagnosticKind::Rules(kind) => {
            !matches!(kind, RulesFinding::Unplayable(_) | RulesFinding::Unreadable(_))
        }
        DiagnosticKind::Legality(kind) => {
            // A cell that does not exist is a writing error, but the move that was meant remains unknown.
            matches!(kind, LegalityFinding::WrongLetter { .. })
        }
        DiagnosticKind::Capture(kind) => {
            !matches!(kind, CaptureFinding::Missing { .. } | CaptureFinding::Unreal { .. })
        }
        DiagnosticKind::End(kind) => {
            !matches!(kind, EndFinding::Mismatch { .. } | EndFinding::NotOnBoard { .. })
        }
        DiagnosticKind::Play(kind) => !matches!(
            kind,
            PlayFinding::BoardDiffers { .. }
                | PlayFinding::MoveCount { .. }
                | PlayFinding::SideToMove { .. }
                | PlayFinding::Undecided { .. }
        ),
    }
}
