//! The games of requests that search each of them: from files or from a corpus.

mod stream;

use std::io::BufRead;
use std::path::PathBuf;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_parser::{ErrorLine, Format};

use crate::records::{ReadSettings, RecordReader, ReplayConfig, ReplayedRecord, sole_corpus};
use crate::stored::{GameId, StoredSelection};
use crate::{App, Error, ErrorKind, Job, Named, Result, RulesRequest, Threads};

pub use stream::GameStream;
use stream::StreamSource;

/// The games of a request: those of files, or of one corpus.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct GameInput {
    /// Files, folders, globs, `-` for standard input, or the folder of a corpus; FILE:GAME
    /// selects a game by number or ID, and FILE:L12 the one in line 12; .gz and .zst
    /// files are unpacked
    #[cfg_attr(feature = "clap", arg(value_name = "PATH", required = true))]
    pub paths: Vec<PathBuf>,
    /// Read every file in this notation instead of detecting it
    #[serde(rename = "as", alias = "notation")]
    #[cfg_attr(feature = "clap", arg(long = "as", alias = "notation", value_name = "FORMAT"))]
    pub notation: Option<Named<Format>>,
    /// The rules for all records.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub rules: RulesRequest,
    /// Only the games of a corpus that match this query, or have a position that matches it (see
    /// `tafl search --help`)
    #[cfg_attr(feature = "clap", arg(long, value_name = "QUERY", hide = !cfg!(feature = "database")))]
    pub query: Option<String>,
    /// The number of threads.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub threads: Threads,
    /// Read each input line as a record line (the JSON that `tafl lines` writes), and write one
    /// answer per line
    #[cfg_attr(feature = "clap", arg(long))]
    pub record_lines: bool,
}

/// A request about games, and the games.
///
/// # Examples
///
/// ```no_run
/// use taflbase::engine::{AnnotateItem, AnnotateRequest, GameInput, OnGames};
/// use taflbase::{App, Job, StreamRequest};
///
/// let games = GameInput { paths: vec!["games.otg".into()], ..GameInput::default() };
/// let request = OnGames { games, request: AnnotateRequest::default() };
/// let totals = request.run(&App::new(), &Job::default(), &mut |item| {
///     if let AnnotateItem::Game(game) = item {
///         println!("{}: {} plies", game.game.name(), game.notes.plies.len());
///     }
///     Ok(())
/// })?;
/// println!("{} games", totals.games);
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "{R}")]
pub struct OnGames<R> {
    /// The games.
    #[serde(flatten)]
    pub games: GameInput,
    /// The request.
    #[serde(flatten)]
    pub request: R,
}

/// A replayed game and its origin.
#[derive(Debug)]
pub struct PlayedGame {
    /// The record and its replay.
    pub replayed: ReplayedRecord,
    /// The number in the corpus.
    pub(crate) id: Option<GameId>,
    /// The first error in the text of the game, apart from its variations, with its code.
    pub(crate) text_error: Option<String>,
    /// The file, as it is named.
    pub file: String,
    /// The number of the game in the file, from 1.
    pub ordinal: u64,
}

/// A file or a record that can't be read.
#[derive(Debug)]
pub struct GameFailure {
    /// The problem, with the name of the file.
    pub message: String,
    /// The line in place of the record, if it is one.
    pub error: Option<ErrorLine<'static>>,
    /// Whether a file can't be read, or not to its end; otherwise it is one record.
    pub is_file: bool,
}

impl GameInput {
    /// Opens the games. `stdin` is what `-` reads instead of the standard input of the process.
    ///
    /// # Errors
    ///
    /// Returns the mistake in the rules or the query, or that the corpus can't be opened or is not the only path.
    pub fn open<'i>(
        &self,
        app: &App,
        job: &Job,
        stdin: Option<Box<dyn BufRead + Send + 'i>>,
    ) -> Result<GameStream<'i>> {
        let config = Arc::new(ReplayConfig::by(&self.rules, app)?);
        let threads = self.threads.get();
        let source = match sole_corpus(&self.paths)? {
            Some(path) => {
                if self.rules != RulesRequest::default() {
                    let message =
                        "games of a corpus have their own rules; use --variant and --rule only with files";
                    return Err(Error::parameter("variant", message));
                }
                StreamSource::Corpus(Box::new(StoredSelection::of_query(path, self.query.as_deref(), job)?))
            }
            None if self.query.is_some() => {
                let message = "--query needs a corpus; create one with `tafl import`";
                return Err(Error::parameter("query", message));
            }
            None => {
                let settings = ReadSettings {
                    format: self.notation.map(|Named(format)| format),
                    threads: self.threads,
                    record_lines: self.record_lines,
                    ..ReadSettings::default()
                };
                let reader = RecordReader::new(&self.paths, settings);
                StreamSource::Files(Box::new(match stdin {
                    Some(stdin) => reader.with_stdin(stdin),
                    None => reader,
                }))
            }
        };
        Ok(GameStream { source, config, threads, second_game_error: None })
    }

    /// Opens the games, all of which must be there.
    ///
    /// # Errors
    ///
    /// As [`GameInput::open`]; and which file is missing.
    pub(super) fn open_all(&self, app: &App, job: &Job) -> Result<GameStream<'static>> {
        let games = self.open(app, job, None)?;
        match games.inputs().and_then(|inputs| inputs.problems.iter().find(|problem| problem.is_error())) {
            Some(problem) => Err(Error::new(ErrorKind::Io, problem.to_string())),
            None => Ok(games),
        }
    }
}

impl PlayedGame {
    /// Returns the place of the game: `games.csv:12`.
    pub fn name(&self) -> String {
        format!("{}:{}", self.file, self.ordinal)
    }

    /// Returns whether anything of the game could be read. A record without moves whose text has an error is not a game, so that
    /// knowing its rules would not help.
    pub fn is_readable(&self) -> bool {
        self.text_error.is_none() || !self.replayed.record.main().moves.is_empty()
    }

    /// Returns the reason why the game can't be searched if its rules are unknown.
    pub fn obstacle(&self) -> &str {
        let error = self.text_error.as_deref().filter(|_| !self.is_readable());
        error.unwrap_or("the rules are not known")
    }
}
