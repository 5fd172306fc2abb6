//! What stands in the place of games of a corpus where the database is left out: types that nothing is of.

use std::convert::Infallible;
use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::bail;
use tafl_parser::{Parsed, Record};

use crate::features::needs_database;
use taflbase::records::ReplayedRecord;

/// Games of a corpus, chosen by a question.
pub(crate) enum Selection {}

/// The games of a selection, one after another.
pub(crate) struct Reader<'s> {
    nothing: &'s Infallible,
}

/// What a corpus says of a game.
pub(crate) struct GameRow {
    /// Its number.
    pub(crate) game: GameId,
    /// The file it was in.
    pub(crate) source: Option<String>,
    /// The line of the file.
    pub(crate) place: Option<u32>,
}

/// The number of a game of a corpus.
#[derive(Clone, Copy)]
pub(crate) enum GameId {}

/// Replays stored games.
#[derive(Default)]
pub(crate) struct StoredGames {}

impl Selection {
    /// Refuses the corpus at a path.
    ///
    /// # Errors
    ///
    /// Fails always, and says how to get the database.
    pub(crate) fn open(path: &Path, _: Option<&str>) -> anyhow::Result<Selection> {
        bail!("{}: {}", path.display(), needs_database("a corpus"))
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

    pub(crate) fn reader(&self) -> Reader<'_> {
        match *self {}
    }
}

impl Iterator for Reader<'_> {
    type Item = anyhow::Result<(Parsed<Record>, GameRow)>;

    fn next(&mut self) -> Option<Self::Item> {
        match *self.nothing {}
    }
}

impl StoredGames {
    pub(crate) fn judge(&mut self, row: &GameRow, _: Parsed<Record>) -> anyhow::Result<ReplayedRecord> {
        match row.game {}
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}
