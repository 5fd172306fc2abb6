//! Games of a corpus as input of requests, replayed by the rules that they were stored with.
//!
//! A build without the feature `database` has `stored/without.rs` in its place, where no corpus can be opened.

mod eval_rows;

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};

use tafl_corpus::{Corpus, EVALS_FOLDER, GameAt, RulesId};
use tafl_parser::{Parsed, Record, ReplayOptions, Replayer, RuleChoice};
use tafl_rules::RuleSet;

use crate::database::{CorpusSnapshot, GameSelection};
use crate::records::ReplayedRecord;
use crate::{Error, ErrorKind, Job, Result};

pub(crate) use eval_rows::{EvalRows, EvalTable, eval_rows};
pub(crate) use tafl_corpus::GameId;
pub(crate) use tafl_corpus::GameRow as StoredRow;

/// Games of a corpus that a request chose.
pub(crate) struct StoredSelection {
    corpus: Corpus,
    /// The games, in the order of the corpus.
    games: Vec<GameAt>,
    /// Possible reasons why a query found no games.
    notes: Vec<String>,
}

impl StoredSelection {
    /// Opens a corpus and chooses games of it.
    pub(crate) fn open(path: &Path, select: &GameSelection, job: &Job) -> Result<StoredSelection> {
        let snapshot = CorpusSnapshot::open(path, None)?;
        let games = select.find(&snapshot, job)?;
        let notes = select.no_match_notes(&snapshot, &games)?;
        Ok(StoredSelection { corpus: snapshot.corpus().clone(), games, notes })
    }

    /// Opens a corpus and chooses the games that match a query, or all of them.
    pub(crate) fn of_query(path: &Path, query: Option<&str>, job: &Job) -> Result<StoredSelection> {
        let select = GameSelection { query: query.map(ToOwned::to_owned), game: Vec::new() };
        StoredSelection::open(path, &select, job)
    }

    /// Returns possible reasons why a query found no games; empty if it did, or without one.
    pub(crate) fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Returns the folder of the corpus.
    pub(crate) fn path(&self) -> &Path {
        self.corpus.path()
    }

    /// Returns the folder for evaluations of its games.
    pub(crate) fn evals_folder(&self) -> PathBuf {
        self.corpus.path().join(EVALS_FOLDER)
    }

    /// Returns the number of games.
    pub(crate) fn len(&self) -> usize {
        self.games.len()
    }

    /// Returns the games, one after another.
    pub(crate) fn reader(&self) -> StoredReader<'_> {
        StoredReader { selection: self, next: 0, rows: None }
    }
}

/// The games of a selection, one after another; those of one segment are in memory at a time.
pub(crate) struct StoredReader<'s> {
    selection: &'s StoredSelection,
    next: usize,
    /// The rows of the segment that was read last.
    rows: Option<(usize, Vec<Option<StoredRow>>)>,
}

impl StoredReader<'_> {
    fn read(&mut self, at: GameAt) -> Result<(Parsed<Record>, StoredRow)> {
        let corpus = &self.selection.corpus;
        if self.rows.as_ref().is_none_or(|(segment, _)| *segment != at.segment) {
            let rows = corpus.segments()[at.segment].games()?;
            self.rows = Some((at.segment, rows.into_iter().map(Some).collect()));
        }
        let taken = self.rows.as_mut().and_then(|(_, rows)| rows[at.row as usize].take());
        let twice = || Error::new(ErrorKind::Internal, "a game of the corpus was requested twice");
        let row = taken.ok_or_else(twice)?;
        Ok((corpus.record(at, &row)?, row))
    }
}

impl Iterator for StoredReader<'_> {
    type Item = Result<(Parsed<Record>, StoredRow)>;

    fn next(&mut self) -> Option<Self::Item> {
        let at = *self.selection.games.get(self.next)?;
        self.next += 1;
        Some(self.read(at))
    }
}

/// Replays games of corpora, and keeps the rules that it compiled. One serves one thread.
#[derive(Debug, Default)]
pub struct StoredReplayer {
    replayers: HashMap<RulesId, Replayer>,
}

impl StoredReplayer {
    /// Replays the record of a stored game.
    ///
    /// # Errors
    ///
    /// Fails if its rules can't be read.
    pub fn replay(&mut self, row: &StoredRow, parsed: Parsed<Record>) -> Result<ReplayedRecord> {
        let Parsed { value: record, mut diagnostics } = parsed;
        let replay = self.replayer(row)?.replay(&record);
        let verdict = replay.soundness_with(&diagnostics);
        diagnostics.extend_from_slice(&replay.diagnostics);
        Ok(ReplayedRecord { record, replay, verdict, diagnostics })
    }

    fn replayer(&mut self, row: &StoredRow) -> Result<&mut Replayer> {
        match self.replayers.entry(row.rules_id) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(new) => {
                let rules: RuleSet = row.rules.parse().map_err(|error| {
                    let message = format!("the rules of a stored game cannot be read: {error}");
                    Error::new(ErrorKind::CorpusDamaged, message)
                })?;
                let options =
                    ReplayOptions { rules: Some(RuleChoice::own(&rules)?), ..ReplayOptions::default() };
                Ok(new.insert(Replayer::new(options)))
            }
        }
    }
}
