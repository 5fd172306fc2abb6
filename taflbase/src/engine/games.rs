//! Games one after another, from files or from a corpus, for requests that search each of them.
//!
//! The unit of work is a game. [`RecordReader::process`] hands out batches of many records, which would leave threads idle:
//! the searches of one game take longer than reading a thousand.

use std::collections::VecDeque;
use std::io::BufRead;
use std::iter::Zip;
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, RangeFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_parser::{Batch, ErrorLine, Format, Parsed, Record, RuleChoice, Severity, in_order};

use crate::records::{
    BatchStream, FAILED, Finding, Input, Inputs, ReadSettings, RecordReader, ReplayConfig, ReplayWorker,
    ReplayedRecord, RequestedRules, error_line, failure_line,
};
use crate::stored::{GameId, GameRow, StoredReader, StoredReplayer, StoredSelection, is_corpus};
use crate::{App, Error, ErrorKind, Job, Named, Result, RulesRequest, Threads, Variant};

/// The games of a request: those of files, or of one corpus.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default)]
pub struct GameInput {
    /// Files, folders, globs, `-` for standard input, or the folder of a corpus; .gz and .zst are read as they are
    #[cfg_attr(feature = "clap", arg(value_name = "PATH", required = true))]
    pub paths: Vec<PathBuf>,
    /// Read every file in this notation instead of finding out
    #[serde(rename = "as", alias = "notation")]
    #[cfg_attr(feature = "clap", arg(long = "as", alias = "notation", value_name = "FORMAT"))]
    pub notation: Option<Named<Format>>,
    /// The rules for all records.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub rules: RulesRequest,
    /// Only these games of a corpus
    #[cfg_attr(feature = "clap", arg(long, value_name = "QUERY", hide = !cfg!(feature = "database")))]
    pub query: Option<String>,
    /// The number of threads.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub threads: Threads,
    /// Take every line for a record line, and answer it whatever it holds
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
pub struct OnGames<R> {
    /// The games.
    #[serde(flatten)]
    pub games: GameInput,
    /// The request.
    #[serde(flatten)]
    pub request: R,
}

/// Games that are open to be read.
pub struct GameStream<'i> {
    games: Games<'i>,
    config: Arc<ReplayConfig>,
    threads: NonZeroUsize,
}

enum Games<'i> {
    Files(Box<RecordReader<'i>>),
    Corpus(Box<StoredSelection>),
}

/// A game as it was replayed, and where it was found.
#[derive(Debug)]
pub struct PlayedGame {
    /// The record and its replay.
    pub replayed: ReplayedRecord,
    /// The number in the corpus.
    pub(crate) id: Option<GameId>,
    /// The file, as it is named.
    pub file: String,
    /// The number of the game in the file, from 1.
    pub ordinal: u64,
}

/// A file or a record that can't be read.
#[derive(Debug)]
pub struct GameTrouble {
    /// What is wrong, with the name of the file.
    pub message: String,
    /// What stands in the place of the record, if it is one.
    pub error: Option<ErrorLine<'static>>,
    /// Whether a file can't be read, or not to its end; otherwise it is one record.
    pub is_file: bool,
}

/// A game that was read and not yet replayed.
struct FoundGame {
    parsed: Parsed<Record>,
    file: String,
    ordinal: u64,
    /// The line of the file in which it begins, from 1.
    line: u64,
    /// The rules that its file asks for.
    requested: RequestedRules,
    stored: Option<Box<GameRow>>,
}

#[expect(clippy::large_enum_variant, reason = "nearly all of them are games")]
enum GameJob {
    Game(FoundGame),
    Trouble(GameTrouble),
}

impl GameInput {
    /// Opens the games. `stdin` is what `-` reads instead of the standard input of the process.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with the rules or the query, or that the corpus can't be opened.
    pub fn open<'i>(
        &self,
        app: &App,
        job: &Job,
        stdin: Option<Box<dyn BufRead + Send + 'i>>,
    ) -> Result<GameStream<'i>> {
        let config = Arc::new(replay_config(self.rules.variant(app)?.as_ref())?);
        let threads = self.threads.get();
        let games = match &self.paths[..] {
            [path] if is_corpus(path) => {
                if self.rules != RulesRequest::default() {
                    let message =
                        "games of a corpus have their own rules; --variant and --rule are for files";
                    return Err(Error::parameter("variant", message));
                }
                Games::Corpus(Box::new(StoredSelection::open(path, self.query.as_deref(), job)?))
            }
            _ if self.query.is_some() => {
                let message = "--query asks a corpus; `tafl import` makes one of files";
                return Err(Error::parameter("query", message));
            }
            paths => {
                let settings = ReadSettings {
                    format: self.notation.map(|Named(format)| format),
                    threads: self.threads,
                    record_lines: self.record_lines,
                    ..ReadSettings::default()
                };
                let reader = RecordReader::new(paths, settings);
                Games::Files(Box::new(match stdin {
                    Some(stdin) => reader.with_stdin(stdin),
                    None => reader,
                }))
            }
        };
        Ok(GameStream { games, config, threads })
    }
}

impl GameInput {
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

/// Returns how to replay by rules that were chosen, or by those that records name.
fn replay_config(variant: Option<&Variant>) -> Result<ReplayConfig> {
    let rules = match variant {
        Some(Variant { named: Some(named), .. }) => Some(RuleChoice::named(named)),
        Some(variant) => Some(RuleChoice::own(&variant.rules)?),
        None => None,
    };
    let variant = variant.and_then(|variant| variant.named).map(|named| named.name);
    Ok(ReplayConfig { rules, variant, ..ReplayConfig::default() })
}

impl<'i> GameStream<'i> {
    /// Returns the files that are read; none if the games are those of a corpus.
    pub fn inputs(&self) -> Option<&Inputs> {
        match &self.games {
            Games::Files(reader) => Some(&reader.inputs),
            Games::Corpus(_) => None,
        }
    }

    /// Returns the games of a corpus, if they come from one.
    pub(crate) fn stored(&self) -> Option<&StoredSelection> {
        match &self.games {
            Games::Files(_) => None,
            Games::Corpus(selection) => Some(selection),
        }
    }

    /// Returns whether something that was named is missing.
    pub fn is_incomplete(&self) -> bool {
        self.inputs().is_some_and(Inputs::is_incomplete)
    }

    /// Returns the proportion of the games that the first `done` are, if it is known.
    pub fn proportion(&self, done: u64) -> Option<f64> {
        match &self.games {
            Games::Files(reader) => reader.proportion(),
            Games::Corpus(games) => Some(done as f64 / games.len().max(1) as f64),
        }
    }

    /// Returns the names of what is read.
    pub(crate) fn names(&self) -> String {
        match &self.games {
            Games::Files(reader) => {
                let base = |input: &Input| input.relative().display().to_string();
                reader.inputs.list.iter().map(base).collect::<Vec<_>>().join(" ")
            }
            Games::Corpus(games) => {
                games.path().file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
            }
        }
    }

    fn jobs(&self) -> GameJobs<'_, 'i> {
        match &self.games {
            Games::Files(reader) => {
                GameJobs::Files { reader, stream: Box::new(reader.batches()), waiting: VecDeque::new() }
            }
            Games::Corpus(games) => GameJobs::Stored(games.reader().zip(1..)),
        }
    }

    /// Replays the games, answers each of them by `work` on several threads, and passes the answers to `take` in the order
    /// of the games.
    ///
    /// # Errors
    ///
    /// Returns that the job is over, or the first error of `work`, of the corpus, or of `take`, after which nothing is read.
    pub(crate) fn each<T: Send, E: From<Error> + Send>(
        &self,
        job: &Job,
        work: impl Fn(PlayedGame) -> Result<T> + Sync,
        mut take: impl FnMut(Result<T, GameTrouble>) -> Result<(), E> + Send,
    ) -> Result<(), E> {
        let mut jobs = self.jobs();
        let idle: Mutex<Vec<GameReplayer>> = Mutex::new(Vec::new());
        let lock = || idle.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = |next: Result<GameJob>| {
            job.check()?;
            let game = match next? {
                GameJob::Trouble(trouble) => return Ok(Err(trouble)),
                GameJob::Game(game) => game,
            };
            let free = lock().pop();
            let mut replayer = free.unwrap_or_else(|| GameReplayer::new(&self.config));
            let failed = GameTrouble::of_failure(&game);
            // A replayer that failed is not used again.
            match catch_unwind(AssertUnwindSafe(|| work(replayer.replay(game)?))) {
                Ok(answer) => {
                    lock().push(replayer);
                    answer.map(Ok)
                }
                Err(_) => Ok(Err(failed)),
            }
        };
        let mut result = Ok(());
        let sink = |answer: Result<Result<T, GameTrouble>>| {
            result = answer.map_err(E::from).and_then(&mut take);
            if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        in_order(self.threads, || jobs.next(), answer, sink);
        result
    }
}

/// The games of a source, one after another; few are in memory at a time.
enum GameJobs<'s, 'i> {
    Files { reader: &'s RecordReader<'i>, stream: Box<BatchStream<'s, 'i>>, waiting: VecDeque<GameJob> },
    Stored(Zip<StoredReader<'s>, RangeFrom<u64>>),
}

impl Iterator for GameJobs<'_, '_> {
    /// The error is one of the corpus.
    type Item = Result<GameJob>;

    fn next(&mut self) -> Option<Result<GameJob>> {
        match self {
            GameJobs::Files { reader, stream, waiting } => loop {
                if let Some(job) = waiting.pop_front() {
                    return Some(Ok(job));
                }
                let (nth, batch) = stream.next()?;
                let input = &reader.inputs.list[nth];
                match batch {
                    Ok(batch) => waiting.extend(of_batch(input, &batch)),
                    Err(error) => {
                        let message = format!("{}: {error}", input.name());
                        waiting.push_back(GameJob::Trouble(GameTrouble {
                            message,
                            error: None,
                            is_file: true,
                        }));
                    }
                }
            },
            GameJobs::Stored(games) => {
                let (game, ordinal) = games.next()?;
                Some(game.map(|(parsed, row)| GameJob::Game(FoundGame::stored(parsed, row, ordinal))))
            }
        }
    }
}

impl FoundGame {
    fn stored(parsed: Parsed<Record>, row: GameRow, ordinal: u64) -> FoundGame {
        FoundGame {
            parsed,
            file: row.source.as_deref().unwrap_or("-").to_owned(),
            ordinal,
            line: row.place.map_or(1, u64::from),
            requested: RequestedRules::default(),
            stored: Some(Box::new(row)),
        }
    }
}

fn of_batch(input: &Input, batch: &Batch) -> Vec<GameJob> {
    let name = input.name();
    let requested = RequestedRules::of(batch);
    let file = match batch.is_wrapped() {
        true => Input::Named(batch.name().into()).relative().display().to_string(),
        false => input.relative().display().to_string(),
    };
    let games = batch.parse().map(|(source, parsed)| {
        GameJob::Game(FoundGame {
            parsed,
            file: file.clone(),
            ordinal: source.ordinal,
            line: source.line,
            requested: requested.clone(),
            stored: None,
        })
    });
    let mut jobs: Vec<GameJob> = games.collect();
    for found in batch.findings() {
        let code = found.kind.code();
        if code.severity() == Severity::Error && !input.is_skipped_for(code) {
            jobs.push(GameJob::Trouble(GameTrouble {
                message: format!("{name}: {}", Finding::of_file(found).message),
                error: Some(error_line(&name, batch, found)),
                is_file: !batch.is_wrapped(),
            }));
        }
    }
    jobs
}

impl GameTrouble {
    /// Returns the report that the program itself failed at a game.
    fn of_failure(game: &FoundGame) -> GameTrouble {
        GameTrouble {
            message: format!("{}:{}: {}", game.file, game.ordinal, FAILED),
            error: Some(failure_line(&game.file, game.line)),
            is_file: false,
        }
    }
}

/// Replays games. One serves one thread.
struct GameReplayer {
    worker: ReplayWorker,
    stored: StoredReplayer,
}

impl GameReplayer {
    fn new(config: &Arc<ReplayConfig>) -> GameReplayer {
        GameReplayer { worker: ReplayWorker::new(config), stored: StoredReplayer::default() }
    }

    fn replay(&mut self, game: FoundGame) -> Result<PlayedGame> {
        let FoundGame { parsed, file, ordinal, line: _, requested, stored } = game;
        let id = stored.as_ref().map(|row| row.game);
        let replayed = match &stored {
            None => {
                self.worker.prepare(requested);
                self.worker.replay(parsed)
            }
            Some(row) => self.stored.replay(row, parsed)?,
        };
        Ok(PlayedGame { replayed, id, file, ordinal })
    }
}

impl PlayedGame {
    /// Returns the place of the game: `games.csv:12`.
    pub fn name(&self) -> String {
        format!("{}:{}", self.file, self.ordinal)
    }
}
