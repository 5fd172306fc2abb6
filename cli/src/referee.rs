//! Replay of records, as the commands need it.

use std::sync::Arc;

use tafl_parser::{Diagnostic, Parsed, Record, Source};

use crate::args::rules::VariantArgs;
use crate::tally::GameTally;

/// Replays records by the rules that the command line or the records name.
#[derive(Debug, Clone)]
pub(crate) struct Referee {}

/// A record with everything that is to be said about it.
pub(crate) struct Judged {
    /// What was written.
    pub(crate) record: Record,
    /// What is wrong, or worth knowing: about the text first, then about the game.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl Referee {
    pub(crate) fn new(_variant: &VariantArgs) -> anyhow::Result<Referee> {
        Ok(Referee {})
    }

    pub(crate) fn judge(&mut self, _source: &Source<'_>, parsed: Parsed<Record>) -> Judged {
        Judged { record: parsed.value, diagnostics: parsed.diagnostics }
    }
}

impl Judged {
    pub(crate) fn tally(&self) -> GameTally {
        GameTally {
            variant: "unknown".into(),
            plies: 0,
            moves: self.record.main().moves.len() as u64,
            codes: self.diagnostics.iter().map(Diagnostic::code).collect(),
        }
    }
}
