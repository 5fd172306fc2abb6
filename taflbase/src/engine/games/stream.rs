//! A stream of games: each is replayed and answered on a thread of its own, and the answers keep the order of the games.
//!
//! The unit of work is a game. [`RecordReader::process`] hands out batches of many records, which would leave threads idle:
//! the searches of one game take longer than reading a thousand.

use std::collections::{HashSet, VecDeque};
use std::iter::Zip;
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, RangeFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tafl_parser::{Batch, Diagnostic, DiagnosticKind, Parsed, Record, Severity, TextFinding, in_order};

use super::{GameFailure, PlayedGame};
use crate::escape::escape;
use crate::records::{
    BatchStream, FAILED, Finding, Input, Inputs, RecordReader, ReplayConfig, ReplayWorker, RequestedRules,
    error_line, failure_line,
};
use crate::stored::{StoredReader, StoredReplayer, StoredRow, StoredSelection};
use crate::{Error, Job, Result};

/// The maximum time for counting games before the first one is searched.
const COUNTING_TIMEOUT: Duration = Duration::from_secs(2);

/// Games that are open to be read.
pub struct GameStream<'i> {
    pub(super) source: StreamSource<'i>,
    pub(super) config: Arc<ReplayConfig>,
    pub(super) threads: NonZeroUsize,
    /// The error that a second game causes, if only one is allowed.
    pub(super) second_game_error: Option<Error>,
}

/// The source of games.
pub(super) enum StreamSource<'i> {
    Files(Box<RecordReader<'i>>),
    Corpus(Box<StoredSelection>),
}

/// A game that was read and not yet replayed.
struct FoundGame {
    parsed: Parsed<Record>,
    file: String,
    ordinal: u64,
    /// The line of the file in which it begins, from 1.
    line: u64,
    /// The rules that its file requests.
    requested: RequestedRules,
    text_error: Option<String>,
    stored: Option<Box<StoredRow>>,
}

#[expect(clippy::large_enum_variant, reason = "nearly all of them are games")]
enum GameJob {
    Game(FoundGame),
    Failed(GameFailure),
}

impl<'i> GameStream<'i> {
    /// Returns the files that are read; none if the games are those of a corpus.
    pub fn inputs(&self) -> Option<&Inputs> {
        match &self.source {
            StreamSource::Files(reader) => Some(&reader.inputs),
            StreamSource::Corpus(_) => None,
        }
    }

    /// Returns the games of a corpus, if they come from one.
    pub(crate) fn stored(&self) -> Option<&StoredSelection> {
        match &self.source {
            StreamSource::Files(_) => None,
            StreamSource::Corpus(selection) => Some(selection),
        }
    }

    /// Returns possible reasons why a query found no game of a corpus; empty if it did, or without one.
    pub fn notes(&self) -> &[String] {
        self.stored().map_or(&[], StoredSelection::notes)
    }

    /// Returns whether something that was named is missing.
    pub fn is_incomplete(&self) -> bool {
        self.inputs().is_some_and(Inputs::is_incomplete)
    }

    /// Allows only one game. If there is a second one, `error` is returned before any game is searched.
    #[must_use]
    pub fn with_only_game(self, error: Error) -> GameStream<'i> {
        GameStream { second_game_error: Some(error), ..self }
    }

    /// Counts the games for the progress of a job; `None` if the job reports no progress, an input can be read only once, such
    /// as a pipe, or counting takes longer than [`COUNTING_TIMEOUT`].
    pub(crate) fn count_for_progress(&self, job: &Job) -> Option<u64> {
        if !job.has_progress() {
            return None;
        }
        match &self.source {
            StreamSource::Files(reader) => {
                let is_file = |input: &Input| input.path().is_some_and(Path::is_file);
                if !reader.inputs.list.iter().all(is_file) {
                    return None;
                }
                let end = Instant::now() + COUNTING_TIMEOUT;
                let mut n_games = 0;
                for (_, batch) in reader.batches() {
                    if job.is_over() || Instant::now() >= end {
                        return None;
                    }
                    n_games += batch.map_or(0, |batch| batch.len() as u64);
                }
                Some(n_games)
            }
            StreamSource::Corpus(games) => Some(games.len() as u64),
        }
    }

    /// Returns the names of the inputs.
    pub(crate) fn names(&self) -> String {
        match &self.source {
            StreamSource::Files(reader) => {
                let base = |input: &Input| input.relative().display().to_string();
                reader.inputs.list.iter().map(base).collect::<Vec<_>>().join(" ")
            }
            StreamSource::Corpus(games) => {
                games.path().file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
            }
        }
    }

    fn jobs(&self) -> GameJobs<'_, 'i> {
        match &self.source {
            StreamSource::Files(reader) => {
                let ambiguous = reader.inputs.ambiguous_names();
                let stream = Box::new(reader.batches());
                GameJobs::Files { reader, stream, ambiguous, waiting: VecDeque::new() }
            }
            StreamSource::Corpus(games) => GameJobs::Stored(games.reader().zip(1..)),
        }
    }

    /// Replays the games, answers each of them by `work` on several threads, and passes the answers to `take` in the order
    /// of the games.
    ///
    /// # Errors
    ///
    /// Fails if the job is stopped, the corpus is damaged, or `work` or `take` fails. Nothing is read afterwards.
    pub(crate) fn each<T: Send, E: From<Error> + Send>(
        &self,
        job: &Job,
        work: impl Fn(PlayedGame) -> Result<T> + Sync,
        mut take: impl FnMut(Result<T, GameFailure>) -> Result<(), E> + Send,
    ) -> Result<(), E> {
        let jobs = self.jobs();
        let mut jobs: Box<dyn Iterator<Item = Result<GameJob>> + Send + '_> = match &self.second_game_error {
            None => Box::new(jobs),
            Some(error) => Box::new(at_most_one_game(jobs, error)?.into_iter()),
        };
        let idle: Mutex<Vec<StreamReplayer>> = Mutex::new(Vec::new());
        let lock = || idle.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = |next: Result<GameJob>| {
            job.check()?;
            let game = match next? {
                GameJob::Failed(failure) => return Ok(Err(failure)),
                GameJob::Game(game) => game,
            };
            let free = lock().pop();
            let mut replayer = free.unwrap_or_else(|| StreamReplayer::new(&self.config));
            let failed = GameFailure::of_panic(&game);
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
        let sink = |answer: Result<Result<T, GameFailure>>| {
            result = answer.map_err(E::from).and_then(&mut take);
            if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        in_order(self.threads, || jobs.next(), answer, sink);
        result
    }
}

/// Reads all jobs: at most one game, and any failures before and after it.
///
/// # Errors
///
/// Returns `error` if there is a second game.
fn at_most_one_game(
    jobs: impl Iterator<Item = Result<GameJob>>,
    error: &Error,
) -> Result<Vec<Result<GameJob>>> {
    let (mut found, mut n_games) = (Vec::new(), 0);
    for job in jobs {
        n_games += usize::from(matches!(job, Ok(GameJob::Game(_))));
        if n_games > 1 {
            return Err(error.clone());
        }
        found.push(job);
    }
    Ok(found)
}

/// The games of a source, one after another; few are in memory at a time.
enum GameJobs<'s, 'i> {
    Files {
        reader: &'s RecordReader<'i>,
        stream: Box<BatchStream<'s, 'i>>,
        /// The short names of several files.
        ambiguous: HashSet<&'s Path>,
        waiting: VecDeque<GameJob>,
    },
    Stored(Zip<StoredReader<'s>, RangeFrom<u64>>),
}

impl Iterator for GameJobs<'_, '_> {
    /// The error is one of the corpus.
    type Item = Result<GameJob>;

    fn next(&mut self) -> Option<Result<GameJob>> {
        match self {
            GameJobs::Files { reader, stream, ambiguous, waiting } => loop {
                if let Some(job) = waiting.pop_front() {
                    return Some(Ok(job));
                }
                let (nth, batch) = stream.next()?;
                let input = &reader.inputs.list[nth];
                match batch {
                    Ok(batch) => waiting.extend(of_batch(input, &batch, ambiguous)),
                    Err(error) => {
                        let message = format!("{}: {error}", escape(&input.name()));
                        waiting.push_back(GameJob::Failed(GameFailure {
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
    fn stored(parsed: Parsed<Record>, row: StoredRow, ordinal: u64) -> FoundGame {
        let text_error = text_error(&parsed.diagnostics, None);
        FoundGame {
            parsed,
            text_error,
            file: row.source.as_deref().unwrap_or("-").to_owned(),
            ordinal,
            line: row.place.map_or(1, u64::from),
            requested: RequestedRules::default(),
            stored: Some(Box::new(row)),
        }
    }
}

fn of_batch(input: &Input, batch: &Batch, ambiguous: &HashSet<&Path>) -> Vec<GameJob> {
    let name = input.name();
    let requested = RequestedRules::of(batch);
    let file = if batch.is_wrapped() {
        Input::Named(batch.name().into()).relative().display().to_string()
    } else if ambiguous.contains(input.relative()) {
        name.clone()
    } else {
        input.relative().display().to_string()
    };
    let games = batch.parse().map(|(source, parsed)| {
        GameJob::Game(FoundGame {
            text_error: text_error(&parsed.diagnostics, Some(source.text)),
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
            jobs.push(GameJob::Failed(GameFailure {
                message: format!("{}: {}", escape(&name), Finding::of_file(found).message),
                error: Some(error_line(&name, batch, found)),
                is_file: !batch.is_wrapped(),
            }));
        }
    }
    jobs
}

/// Returns the first error in the text of a game, apart from its variations. If `text` is `None`, the name of the error replaces
/// its message.
fn text_error(diagnostics: &[Diagnostic], text: Option<&str>) -> Option<String> {
    let is_error = |found: &&Diagnostic| {
        found.severity() == Severity::Error
            && matches!(&found.kind, DiagnosticKind::Text(kind) if *kind != TextFinding::BadMoveAside)
    };
    let found = diagnostics.iter().find(is_error)?;
    let message = text.map_or_else(|| found.code().name().to_owned(), |text| found.message(text));
    Some(format!("{message} ({})", found.code().as_str()))
}

impl GameFailure {
    /// Returns the report that the program itself failed at a game.
    fn of_panic(game: &FoundGame) -> GameFailure {
        GameFailure {
            message: format!("{}:{}: {}", escape(&game.file), game.ordinal, FAILED),
            error: Some(failure_line(&game.file, game.line)),
            is_file: false,
        }
    }
}

/// Replays games. One serves one thread.
struct StreamReplayer {
    worker: ReplayWorker,
    stored: StoredReplayer,
}

impl StreamReplayer {
    fn new(config: &Arc<ReplayConfig>) -> StreamReplayer {
        StreamReplayer { worker: ReplayWorker::new(config), stored: StoredReplayer::default() }
    }

    fn replay(&mut self, game: FoundGame) -> Result<PlayedGame> {
        let FoundGame { parsed, file, ordinal, line: _, requested, text_error, stored } = game;
        let id = stored.as_ref().map(|row| row.game);
        let replayed = match &stored {
            None => {
                self.worker.prepare(requested);
                self.worker.replay(parsed)
            }
            Some(row) => self.stored.replay(row, parsed)?,
        };
        Ok(PlayedGame { replayed, id, text_error, file, ordinal })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{AnnotateRequest, GameInput};
    use crate::{App, RulesRequest, Threads};

    /// Annotates games with few nodes, and returns the number of games and the proportion of each report of progress.
    fn progress_of(games: &GameStream<'_>) -> Vec<(u64, Option<f64>)> {
        let reports = Arc::new(Mutex::new(Vec::new()));
        let job = Job::default().with_progress({
            let reports = Arc::clone(&reports);
            move |progress| reports.lock().unwrap().push((progress.done, progress.proportion))
        });
        let mut request = AnnotateRequest::default();
        request.evaluation.limits.nodes = Some(10);
        let run = request.begin(games, &App::new(), &job).unwrap();
        run.run::<_, Error>(games, &job, |_| (), |_, _| Ok(())).unwrap();
        reports.lock().unwrap().clone()
    }

    #[test]
    fn progress_counts_games_not_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.csv");
        let text = "d2-c2 e4-e1 b4-b2\n".repeat(4);
        std::fs::write(&path, &text).unwrap();
        let input = |path| GameInput {
            paths: vec![path],
            rules: RulesRequest::of("brandubh7"),
            threads: Threads::ONE,
            ..GameInput::default()
        };
        let open = |path, stdin| input(path).open(&App::new(), &Job::default(), stdin).unwrap();
        let of_file = progress_of(&open(path, None));
        assert_eq!(of_file, [(1, Some(0.25)), (2, Some(0.5)), (3, Some(0.75)), (4, Some(1.0))]);
        let of_stream = progress_of(&open("-".into(), Some(Box::new(std::io::Cursor::new(text)))));
        assert_eq!(of_stream, [1, 2, 3, 4].map(|done| (done, None)), "the number of games is unknown");
    }
}
