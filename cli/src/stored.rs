//! Games of a corpus as input of other commands, and replayed by the rules that they were stored with.
//!
//! A build without the database has `stored/without.rs` in its place, where no corpus can be opened.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};

use anyhow::Context;
use tafl_corpus::Corpus;
use tafl_corpus::evals::EVALS_FOLDER;
use tafl_corpus::folder::GameAt;
use tafl_corpus::id::RulesId;
use tafl_parser::replay::{Choice, ReplayOptions, Replayer};
use tafl_parser::{Parsed, Record};
use tafl_rules::RuleSet;
use taflbase::Job;
use taflbase::database::{CorpusSnapshot, GameSelection};

use taflbase::records::ReplayedRecord;

pub(crate) use tafl_corpus::id::GameId;
pub(crate) use tafl_corpus::row::GameRow;

/// Games of a corpus, chosen by a question.
pub(crate) struct Selection {
    corpus: Corpus,
    /// The games, in order.
    games: Vec<GameAt>,
}

impl Selection {
    /// Opens a corpus and chooses games of it: all of them where nothing is asked.
    ///
    /// # Errors
    ///
    /// Fails when the corpus cannot be opened, or the query is wrong.
    pub(crate) fn open(path: &Path, query: Option<&str>) -> anyhow::Result<Selection> {
        let snapshot = CorpusSnapshot::open(path, None)?;
        let select = GameSelection { query: query.map(ToOwned::to_owned), game: Vec::new() };
        let games = select.find(&snapshot, &Job::default())?;
        Ok(Selection { corpus: snapshot.corpus().clone(), games })
    }

    /// Returns the folder of the corpus.
    pub(crate) fn path(&self) -> &Path {
        self.corpus.path()
    }

    /// Returns the folder for evaluations of its games.
    pub(crate) fn evals_folder(&self) -> PathBuf {
        self.corpus.path().join(EVALS_FOLDER)
    }

    /// Returns how many games were chosen.
    pub(crate) fn len(&self) -> usize {
        self.games.len()
    }

    /// Returns what reads the games.
    pub(crate) fn reader(&self) -> Reader<'_> {
        Reader { selection: self, next: 0, rows: None }
    }
}

/// The games of a selection, one after another; those of a segment are in memory at a time.
pub(crate) struct Reader<'s> {
    selection: &'s Selection,
    next: usize,
    /// The rows of the segment that was read last.
    rows: Option<(usize, Vec<Option<GameRow>>)>,
}

impl Reader<'_> {
    fn read(&mut self, at: GameAt) -> anyhow::Result<(Parsed<Record>, GameRow)> {
        let corpus = &self.selection.corpus;
        if self.rows.as_ref().is_none_or(|(segment, _)| *segment != at.segment) {
            let rows = corpus.segments()[at.segment].games()?;
            self.rows = Some((at.segment, rows.into_iter().map(Some).collect()));
        }
        let taken = self.rows.as_mut().and_then(|(_, rows)| rows[at.row as usize].take());
        let row = taken.context("a game of the corpus was asked for twice")?;
        Ok((corpus.record(at, &row)?, row))
    }
}

impl Iterator for Reader<'_> {
    type Item = anyhow::Result<(Parsed<Record>, GameRow)>;

    fn next(&mut self) -> Option<Self::Item> {
        let at = *self.selection.games.get(self.next)?;
        self.next += 1;
        Some(self.read(at))
    }
}

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
    pub(crate) fn judge(&mut self, row: &GameRow, parsed: Parsed<Record>) -> anyhow::Result<ReplayedRecord> {
        let Parsed { value: record, mut diagnostics } = parsed;
        let mut replay = self.replayer(row)?.replay(&record);
        diagnostics.append(&mut replay.diagnostics);
        let verdict = replay.verdict();
        Ok(ReplayedRecord { record, replay, verdict, diagnostics })
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

#[cfg(test)]
mod tests {
    #[test]
    fn a_corpus_is_known_by_its_manifest() {
        assert_eq!(crate::features::CORPUS_MARK, tafl_corpus::manifest::MANIFEST);
    }
}
