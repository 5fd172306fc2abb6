//! A game of a file, by its number or its ID.

use std::borrow::Cow;
use std::fmt;
use std::fs::File;
use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use tafl_parser::{Format, Parsed, ReadOptions, Record, Records, tag};

use crate::records::{ReplayWorker, ReplayedRecord};
use crate::{Error, ErrorKind, Job, Result};

/// A game of a file: `games.otg:3`, or `games.otg` for its first one.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct GameFile(String);

impl GameFile {
    /// Returns the file, or `-` for standard input.
    pub fn file(&self) -> PathBuf {
        self.split().0
    }

    /// Splits `games.otg:3`. If a file has the whole name, it is that file.
    fn split(&self) -> (PathBuf, Option<&str>) {
        let is_game = |game: &str| !game.is_empty() && !game.contains(['/', '\\']);
        match self.0.rsplit_once(':') {
            Some((path, game)) if is_game(game) && !Path::new(&self.0).exists() => (path.into(), Some(game)),
            _ => (self.0.as_str().into(), None),
        }
    }

    /// Finds the game and replays it.
    pub(super) fn replay(
        &self,
        format: Option<Format>,
        worker: &mut ReplayWorker,
        stdin: Option<Box<dyn BufRead + Send + '_>>,
        job: &Job,
    ) -> Result<ReplayedRecord> {
        let (path, game) = self.split();
        let parsed = find((&path, game), format, worker, stdin, job)?;
        Ok(worker.replay(parsed))
    }
}

/// Finds the record of a game, and prepares the worker for it.
fn find(
    (path, game): (&Path, Option<&str>),
    format: Option<Format>,
    worker: &mut ReplayWorker,
    stdin: Option<Box<dyn BufRead + Send + '_>>,
    job: &Job,
) -> Result<Parsed<Record>> {
    let shown = path.display().to_string();
    let bytes: Box<dyn Read + Send + '_> = match stdin {
        _ if path != Path::new("-") => Box::new(File::open(path).map_err(|error| {
            Error::new(ErrorKind::Io, format!("{shown}: {error}{}", missing_file_help(&shown))).of("game")
        })?),
        Some(stdin) => Box::new(stdin),
        None => Box::new(std::io::stdin()),
    };
    let unreadable =
        |error: &dyn fmt::Display| Error::new(ErrorKind::Io, format!("{shown}: {error}")).of("game");
    let options = ReadOptions { format, ..ReadOptions::default() };
    let mut records = Records::new(&shown, bytes, options).map_err(|error| unreadable(&error))?;
    let mut count = 0;
    while let Some(batch) = records.next_batch().map_err(|error| unreadable(&error))? {
        job.check()?;
        for (source, parsed) in batch.parse() {
            count += 1;
            let is_it = game.is_none_or(|game| {
                game.parse() == Ok(source.ordinal) || parsed.value.tag(tag::ID) == Some(game)
            });
            if is_it {
                worker.enter(&batch);
                return Ok(parsed);
            }
        }
    }
    let message = match (game, count) {
        (_, 0) => format!("{shown}: no readable record"),
        (Some(game), 1) => format!("{shown} has no game `{game}`; it has one game"),
        (Some(game), _) => format!("{shown} has no game `{game}`; it has {count} games"),
        (None, _) => format!("{shown} has no game"),
    };
    Err(Error::new(ErrorKind::UnknownGame, message).of("game"))
}

/// Returns help for a missing file whose name without the part after the last colon is that of a file.
fn missing_file_help(shown: &str) -> &'static str {
    let has_file = shown.rsplit_once(':').is_some_and(|(file, _)| Path::new(file).exists());
    if has_file { "; FILE:GAME selects a game of the file, and --ply N a position of it" } else { "" }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_game_follows_the_last_colon() {
        let parts = |name: &str| {
            let file = GameFile(name.to_owned());
            let (path, game) = file.split();
            (path.display().to_string(), game.map(ToOwned::to_owned))
        };
        assert_eq!(parts("games.otg:3"), ("games.otg".into(), Some("3".into())));
        assert_eq!(parts("games.otg"), ("games.otg".into(), None));
        assert_eq!(parts("C:\\games.otg").1, None);
        assert_eq!(parts("a:b/games.otg").1, None);
    }
}
