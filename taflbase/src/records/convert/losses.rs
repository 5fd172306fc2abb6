//! The losses of conversions between notations, counted by kind.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use tafl_parser::{Code, Diagnostic, DiagnosticKind, LossFinding, Severity};

/// A kind of loss in a summary.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct LossKind {
    /// The code of the finding.
    #[serde(serialize_with = "code_text")]
    #[schemars(with = "String")]
    pub code: Code,
    /// The loss, in words.
    pub what: String,
}

fn code_text<S: Serializer>(code: &Code, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(code.as_str())
}

impl LossKind {
    /// Returns the kind of a finding, and the number of things that it is about.
    pub fn of(diagnostic: &Diagnostic) -> (LossKind, u64) {
        let code = diagnostic.code();
        let (what, count) = match &diagnostic.kind {
            DiagnosticKind::Loss(LossFinding::NotExpressible { what, count, .. }) => {
                (format!("left out: {what}"), u64::from(*count))
            }
            DiagnosticKind::Loss(LossFinding::Changed { what, count, .. }) => {
                (format!("changed: {what}"), u64::from(*count))
            }
            DiagnosticKind::Loss(LossFinding::NeedsRules { what, .. }) => {
                (format!("not known without the rules: {what}"), 1)
            }
            DiagnosticKind::Loss(LossFinding::IllegalTail { count }) => {
                ("copied unchanged: moves that replay did not reach".to_owned(), u64::from(*count))
            }
            // Losses may get more kinds.
            DiagnosticKind::Loss(_)
            | DiagnosticKind::Text(_)
            | DiagnosticKind::Header(_)
            | DiagnosticKind::Rules(_)
            | DiagnosticKind::Legality(_)
            | DiagnosticKind::Capture(_)
            | DiagnosticKind::End(_)
            | DiagnosticKind::Play(_) => (code.name().to_owned(), 1),
        };
        (LossKind { code, what }, count)
    }
}

/// A loss of a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RecordLoss {
    /// The loss.
    #[serde(flatten)]
    pub kind: LossKind,
    /// The number of things that were lost, such as comments.
    pub count: u64,
}

impl RecordLoss {
    /// Adds a finding to the losses of a record, which have each kind once. Notes aren't losses.
    pub(crate) fn add(losses: &mut Vec<RecordLoss>, diagnostic: &Diagnostic) {
        let (kind, count) = LossKind::of(diagnostic);
        match losses.iter_mut().find(|loss| loss.kind == kind) {
            Some(loss) => loss.count += count,
            None => losses.push(RecordLoss { kind, count }),
        }
    }
}

/// The counts of a kind of loss.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LossCounts {
    /// The number of things that were lost.
    pub count: u64,
    /// The number of games with such a loss.
    pub games: u64,
}

/// The counts of a run of conversions, with losses.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConvertSummary {
    /// The number of games that were written.
    pub games: u64,
    /// The number of records that were left out.
    pub left_out: u64,
    /// The losses by kind.
    pub losses: BTreeMap<LossKind, LossCounts>,
}

impl ConvertSummary {
    /// Counts a loss of a game.
    pub fn add(&mut self, kind: LossKind, count: u64) {
        let sum = self.losses.entry(kind).or_default();
        sum.count += count;
        sum.games += 1;
    }

    /// Returns whether something couldn't be read or written that should have been.
    pub fn has_errors(&self) -> bool {
        self.left_out > 0 || self.losses.keys().any(|kind| kind.code.severity() == Severity::Error)
    }
}
