//! A game of a file, by its number or its ID.

use std::borrow::Cow;
use std::fmt;
use std::io::BufRead;
use std::path::PathBuf;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use tafl_parser::{Format, Source};

use super::UnplayedPlies;
use crate::escape::escape;
use crate::records::{NoSuchGame, ReadSettings, RecordReader, ReplayWorker, ReplayedRecord};
use crate::{Error, ErrorKind, Job, Result};

/// A game of a file: `games.otg:3`, or `games.otg` for its first one.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct GameFile(String);

impl GameFile {
    /// Returns the input that the name means: a file, with or without a game, or `-` for standard input.
    pub fn path(&self) -> PathBuf {
        PathBuf::from(&self.0)
    }

    /// Finds the game and replays it.
    pub(super) fn replay(
        &self,
        format: Option<Format>,
        worker: &mut ReplayWorker,
        stdin: Option<Box<dyn BufRead + Send + '_>>,
        job: &Job,
    ) -> Result<ShownGame> {
        let settings = ReadSettings { format, ..ReadSettings::default() };
        let mut reader = RecordReader::new(&[self.path()], settings);
        if let Some(problem) = reader.inputs.problems.first() {
            return Err(Error::new(ErrorKind::Io, problem.to_string()).of("game"));
        }
        if let Some(stdin) = stdin {
            reader = reader.with_stdin(stdin);
        }
        for (nth, batch) in reader.batches() {
            job.check()?;
            let batch = batch.map_err(|error| {
                let is_missing = error.get_ref().is_some_and(|inner| inner.is::<NoSuchGame>());
                let kind = if is_missing { ErrorKind::UnknownGame } else { ErrorKind::Io };
                Error::new(kind, format!("{}: {error}", escape(&reader.inputs.list[nth].name()))).of("game")
            })?;
            if let Some((source, parsed)) = batch.parse().next() {
                worker.enter(&batch);
                return Ok(ShownGame::new(source, worker.replay(parsed)));
            }
        }
        Err(Error::new(ErrorKind::UnknownGame, format!("{}: no readable record", escape(&self.to_string())))
            .of("game"))
    }
}

/// A replayed game of a file, and the plies that can't be played.
pub(super) struct ShownGame {
    pub(super) replayed: ReplayedRecord,
    pub(super) unplayed: Option<UnplayedPlies>,
}

impl ShownGame {
    fn new(source: Source<'_>, replayed: ReplayedRecord) -> ShownGame {
        let unplayed = UnplayedPlies::of(source, &replayed);
        ShownGame { replayed, unplayed }
    }
}

impl FromStr for GameFile {
    type Err = String;

    fn from_str(text: &str) -> Result<GameFile, String> {
        Ok(GameFile(text.to_owned()))
    }
}

impl fmt::Display for GameFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl JsonSchema for GameFile {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "GameFile".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }
}
