//! The source of the reason of a result: the board, the record, or an inference.

use std::fmt;
use std::str::FromStr;

use tafl_rules::{Outcome, UnknownName};

/// The source of the reason of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReasonSource {
    /// The rules: they end the game for this reason, or a repetition rule gives the recorded result.
    Board,
    /// The record, in its result or among its moves.
    Record,
    /// A conclusion from a result without an end: a player who stops and loses has resigned, a win of the side to move
    /// was adjudicated, and a draw after a repeated position was one by repetition.
    Inference,
}

impl ReasonSource {
    /// Every source.
    pub const ALL: [ReasonSource; 3] = [ReasonSource::Board, ReasonSource::Record, ReasonSource::Inference];

    /// Returns the name in the JSON interface.
    pub const fn as_str(self) -> &'static str {
        match self {
            ReasonSource::Board => "board",
            ReasonSource::Record => "record",
            ReasonSource::Inference => "inference",
        }
    }
}

impl fmt::Display for ReasonSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for ReasonSource {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<ReasonSource, UnknownName> {
        let found = ReasonSource::ALL.into_iter().find(|source| source.as_str() == name);
        found.ok_or(UnknownName::new("the source of a reason"))
    }
}

/// An outcome with the source of its reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SourcedOutcome {
    /// The winner and the reason.
    pub outcome: Outcome,
    /// The source of the reason; `None` if the reason is unknown.
    pub source: Option<ReasonSource>,
}

impl SourcedOutcome {
    /// Returns an end on the board.
    pub const fn on_board(outcome: Outcome) -> SourcedOutcome {
        SourcedOutcome { outcome, source: Some(ReasonSource::Board) }
    }

    /// Returns whether the reason is a conclusion that neither the board nor the record states.
    pub fn is_inferred(&self) -> bool {
        self.source == Some(ReasonSource::Inference)
    }
}

/// Formats the outcome, such as `attackers win (king captured)`, or `attackers win (resignation, inferred)` if the reason
/// is a conclusion.
impl fmt::Display for SourcedOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SourcedOutcome { outcome, .. } = self;
        match outcome.winner {
            _ if !self.is_inferred() => outcome.fmt(f),
            Some(side) => write!(f, "{side} win ({}, inferred)", outcome.reason),
            None => write!(f, "draw ({}, inferred)", outcome.reason),
        }
    }
}
