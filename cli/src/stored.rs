//! Games of a corpus, replayed by the rules that they were stored with.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use anyhow::Context;
use tafl_corpus::id::RulesId;
use tafl_corpus::row::GameRow;
use tafl_parser::replay::{Choice, ReplayOptions, Replayer};
use tafl_parser::{Parsed, Record};
use tafl_rules::RuleSet;

use crate::referee::Judged;

/// Replays stored games; keeps the rules that it compiled. One serves one thread.
#[derive(Debug, Default)]
pub(crate) struct StoredGames {
    replayers: HashMap<RulesId, Replayer>,
}

impl StoredGames {
    /// Replays the record of a stored game.
    ///
    /// # Errors
    ///
    /// Fails when its rules cannot be read.
    pub(crate) fn judge(&mut self, row: &GameRow, parsed: Parsed<Record>) -> anyhow::Result<Judged> {
        let Parsed { value: record, mut diagnostics } = parsed;
        let mut replay = self.replayer(row)?.replay(&record);
        diagnostics.append(&mut replay.diagnostics);
        let verdict = replay.verdict();
        Ok(Judged { record, replay, verdict, diagnostics })
    }

    fn replayer(&mut self, row: &GameRow) -> anyhow::Result<&mut Replayer> {
        match self.replayers.entry(row.rules_id) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(new) => {
                let rules: RuleSet =
                    row.rules.parse().context("the rules of a stored game cannot be read")?;
                let options = ReplayOptions { rules: Some(Choice::own(&rules)?), ..ReplayOptions::default() };
                Ok(new.insert(Replayer::new(options)))
            }
        }
    }
}
