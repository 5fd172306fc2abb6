//! Stand-ins for games of a corpus in builds without the feature `database`: types without values.

use std::path::{Path, PathBuf};

use tafl_parser::{Parsed, Record};

use crate::engine::{AnnotatedGame, AnnotationProvenance};
use crate::escape::escape_path;
use crate::records::ReplayedRecord;
use crate::{Error, ErrorKind, Job, Result};

/// The ID of a game of a corpus, and the evaluations of one.
pub(crate) use std::convert::Infallible as GameId;
pub(crate) use std::convert::Infallible as EvalRows;

/// Games of a corpus that a request chose.
pub(crate) enum StoredSelection {}

/// The games of a selection, one after another.
pub(crate) struct StoredReader<'s> {
    nothing: &'s GameId,
}

/// The row of a game in a corpus.
pub(crate) struct StoredRow {
    pub(crate) game: GameId,
    pub(crate) source: Option<String>,
    pub(crate) place: Option<u32>,
}

/// Replays games of corpora.
#[derive(Debug, Default)]
pub(crate) struct StoredReplayer {}

/// Evaluations that are still to be written into a corpus.
pub(crate) struct EvalTable;

impl StoredSelection {
    pub(crate) fn of_query(path: &Path, _: Option<&str>, _: &Job) -> Result<StoredSelection> {
        let message = format!(
            "{}: a corpus needs the database, which was left out when this tafl was built; `cargo install --path cli` \
             builds one that has it",
            escape_path(path)
        );
        Err(Error::new(ErrorKind::BadParameter, message))
    }

    pub(crate) fn notes(&self) -> &[String] {
        match *self {}
    }

    pub(crate) fn path(&self) -> &Path {
        match *self {}
    }

    pub(crate) fn evals_folder(&self) -> PathBuf {
        match *self {}
    }

    pub(crate) fn len(&self) -> usize {
        match *self {}
    }

    pub(crate) fn reader(&self) -> StoredReader<'_> {
        match *self {}
    }
}

impl Iterator for StoredReader<'_> {
    type Item = Result<(Parsed<Record>, StoredRow)>;

    fn next(&mut self) -> Option<Self::Item> {
        match *self.nothing {}
    }
}

impl StoredReplayer {
    pub(crate) fn replay(&mut self, row: &StoredRow, _: Parsed<Record>) -> Result<ReplayedRecord> {
        match row.game {}
    }
}

/// Returns the rows of a game.
pub(crate) fn eval_rows(_: &AnnotatedGame) -> Option<EvalRows> {
    None
}

impl EvalTable {
    pub(crate) fn new(_: Option<&StoredSelection>, _: &AnnotationProvenance) -> EvalTable {
        EvalTable
    }

    pub(crate) fn add(&mut self, rows: Option<EvalRows>) -> Result<()> {
        match rows {
            None => Ok(()),
            Some(rows) => match rows {},
        }
    }

    pub(crate) fn write(&mut self) -> Result<()> {
        Ok(())
    }
}
