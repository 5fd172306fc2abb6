//! Games one after another, from files or from a corpus, for commands that search each of them.

use std::collections::VecDeque;
use std::iter::Zip;
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, RangeFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::bail;
use tafl_parser::parallel;
use tafl_parser::reader::{Batch, ErrorLine};
use tafl_parser::{Parsed, Record, Severity};
use tafl_rules::{Move, Setup, Side};
use taflbase::records::{
    BatchStream, FAILED, Finding, Input, RecordReader, ReplayConfig, ReplayWorker, ReplayedRecord,
    RequestedRules, error_line, failure_line,
};

use crate::args::records::InputArgs;
use crate::features::is_corpus;
use crate::stored::{GameId, GameRow, Reader, Selection, StoredGames};
use crate::{Exit, Io, records};

/// Where games come from.
pub(in crate::command) enum Source<'i> {
    /// Files and what `-` stands for.
    Files(RecordReader<'i>),
    /// Games of a corpus.
    Corpus(Selection),
}

/// A game that was found, or what is to be said instead.
#[expect(clippy::large_enum_variant, reason = "nearly all of them are games")]
pub(in crate::command) enum Job {
    /// A game.
    Game(FoundGame),
    /// A file, or a part of it, that cannot be read.
    Trouble(Trouble),
}

/// A file or a record that cannot be read.
pub(in crate::command) struct Trouble {
    /// What is to be said.
    pub(in crate::command) text: String,
    /// What stands in the place of the record, if it is one.
    pub(in crate::command) error: Option<ErrorLine<'static>>,
    /// How the run ends with it at best.
    pub(in crate::command) exit: Exit,
}

/// A game with where it was found.
pub(in crate::command) struct FoundGame {
    parsed: Parsed<Record>,
    /// The file, as it is named.
    pub(in crate::command) file: String,
    /// The number of the game in the file, from 1.
    pub(in crate::command) ordinal: u64,
    /// The line of the file in which it begins, from 1.
    place: u64,
    /// The rules that its file asks for.
    asked: RequestedRules,
    stored: Option<Box<GameRow>>,
}

/// A game as it was played.
pub(in crate::command) struct Played {
    pub(in crate::command) judged: ReplayedRecord,
    /// The number in the corpus.
    pub(in crate::command) id: Option<GameId>,
    pub(in crate::command) file: String,
    pub(in crate::command) ordinal: u64,
}

impl Trouble {
    /// Returns what is to be said where the program itself fails at a game.
    fn of_failure(game: &FoundGame) -> Trouble {
        let text = format!("{}:{}: {}", game.file, game.ordinal, FAILED);
        let error = failure_line(&game.file, game.place);
        Trouble { text, error: Some(error), exit: Exit::Findings }
    }
}

impl<'i> Source<'i> {
    /// Finds out where games come from; what is missing has been said on standard error.
    pub(in crate::command) fn new(
        args: &InputArgs,
        query: Option<&str>,
        io: &mut Io<'i>,
    ) -> anyhow::Result<Source<'i>> {
        match &args.paths[..] {
            [path] if is_corpus(path) => {
                if args.rules.variant.is_some() || args.rules.rules.is_some() {
                    bail!("games of a corpus have their rules; --variant and --rules are for files");
                }
                Ok(Source::Corpus(Selection::open(path, query)?))
            }
            _ if query.is_some() => bail!("--query asks a corpus; `tafl import` makes one of files"),
            _ => Ok(Source::Files(records::open(args, io))),
        }
    }

    /// Returns the games of a corpus, if they come from one.
    pub(in crate::command) fn stored(&self) -> Option<&Selection> {
        match self {
            Source::Files(_) => None,
            Source::Corpus(selection) => Some(selection),
        }
    }

    /// Returns whether something that was named is not there.
    pub(in crate::command) fn is_incomplete(&self) -> bool {
        match self {
            Source::Files(reader) => reader.inputs.is_incomplete(),
            Source::Corpus(_) => false,
        }
    }

    /// Returns the share of the games that `done` games are, if that is known.
    pub(in crate::command) fn share(&self, done: u64) -> Option<f64> {
        match self {
            Source::Files(reader) => reader.proportion(),
            Source::Corpus(games) => Some(done as f64 / games.len().max(1) as f64),
        }
    }

    /// Returns the names of what is read.
    pub(in crate::command) fn names(&self) -> String {
        match self {
            Source::Files(reader) => {
                let base = |input: &Input| input.relative().display().to_string();
                reader.inputs.list.iter().map(base).collect::<Vec<_>>().join(" ")
            }
            Source::Corpus(games) => {
                games.path().file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
            }
        }
    }

    /// Returns the games, in order.
    pub(in crate::command) fn jobs(&self) -> Jobs<'_, 'i> {
        match self {
            Source::Files(reader) => {
                Jobs::Files { reader, stream: reader.batches(), waiting: VecDeque::new() }
            }
            Source::Corpus(games) => Jobs::Stored(games.reader().zip(1..)),
        }
    }
}

/// Takes the games of a source through the hands of several threads and gives the answers to `sink` in the order of the games.
///
/// # Errors
///
/// Returns the first error of the sink, or of the corpus; nothing is begun after it.
pub(in crate::command) fn each<Worker: Send, Answer: Send>(
    (source, threads): (&Source<'_>, NonZeroUsize),
    io: &mut Io<'_>,
    worker: impl Fn() -> Worker + Sync,
    work: impl Fn(&mut Worker, FoundGame) -> anyhow::Result<Answer> + Sync,
    mut sink: impl FnMut(&mut Io<'_>, Result<Answer, Trouble>) -> anyhow::Result<()> + Send,
) -> anyhow::Result<()> {
    let mut jobs = source.jobs();
    let idle: Mutex<Vec<Worker>> = Mutex::new(Vec::new());
    let lock = || idle.lock().unwrap_or_else(PoisonError::into_inner);
    let answer = |job: anyhow::Result<Job>| match job? {
        Job::Trouble(trouble) => Ok(Err(trouble)),
        Job::Game(game) => {
            let free = lock().pop();
            let mut worker = free.unwrap_or_else(&worker);
            let failed = Trouble::of_failure(&game);
            // A worker that failed is not used again.
            match catch_unwind(AssertUnwindSafe(|| work(&mut worker, game))) {
                Ok(answer) => {
                    lock().push(worker);
                    answer.map(Ok)
                }
                Err(_) => Ok(Err(failed)),
            }
        }
    };
    let mut result = Ok(());
    let take = |answer: anyhow::Result<Result<Answer, Trouble>>| {
        result = answer.and_then(|answer| sink(io, answer));
        if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    parallel::in_order(threads, || jobs.next(), answer, take);
    io.end_progress();
    result
}

/// Returns how many threads work: as many as were asked for, else as there are cores.
pub(in crate::command) fn threads(args: &InputArgs) -> NonZeroUsize {
    args.threads.unwrap_or_else(|| std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN))
}

/// The games of a source, one after another; few are in memory at a time.
#[expect(clippy::large_enum_variant, reason = "there is one at a time")]
pub(in crate::command) enum Jobs<'s, 'i> {
    /// Those of files.
    Files {
        /// What to read.
        reader: &'s RecordReader<'i>,
        /// What is read.
        stream: BatchStream<'s, 'i>,
        /// What was read and not yet taken.
        waiting: VecDeque<Job>,
    },
    /// Those of a corpus, with their numbers.
    Stored(Zip<Reader<'s>, RangeFrom<u64>>),
}

impl Iterator for Jobs<'_, '_> {
    /// The error is one of the corpus.
    type Item = anyhow::Result<Job>;

    fn next(&mut self) -> Option<anyhow::Result<Job>> {
        match self {
            Jobs::Files { reader, stream, waiting } => next_of_files(reader, stream, waiting).map(Ok),
            Jobs::Stored(games) => {
                let (game, ordinal) = games.next()?;
                Some(game.map(|(parsed, row)| Job::Game(FoundGame::stored(parsed, row, ordinal))))
            }
        }
    }
}

fn next_of_files(
    reader: &RecordReader<'_>,
    stream: &mut BatchStream<'_, '_>,
    waiting: &mut VecDeque<Job>,
) -> Option<Job> {
    loop {
        if let Some(job) = waiting.pop_front() {
            return Some(job);
        }
        let (nth, batch) = stream.next()?;
        let input = &reader.inputs.list[nth];
        match batch {
            Ok(batch) => waiting.extend(of_batch(input, &batch)),
            Err(error) => {
                let text = format!("{}: {error}", input.name());
                waiting.push_back(Job::Trouble(Trouble { text, error: None, exit: Exit::Error }));
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
            place: row.place.map_or(1, u64::from),
            asked: RequestedRules::default(),
            stored: Some(Box::new(row)),
        }
    }
}

fn of_batch(input: &Input, batch: &Batch) -> Vec<Job> {
    let name = input.name();
    let asked = RequestedRules::of(batch);
    let file = match batch.is_wrapped() {
        true => Input::Named(batch.name().into()).relative().display().to_string(),
        false => input.relative().display().to_string(),
    };
    let games = batch.parse().map(|(source, parsed)| {
        let (file, asked) = (file.clone(), asked.clone());
        Job::Game(FoundGame {
            parsed,
            file,
            ordinal: source.ordinal,
            place: source.line,
            asked,
            stored: None,
        })
    });
    let mut jobs: Vec<Job> = games.collect();
    for found in batch.findings() {
        let code = found.kind.code();
        if code.severity() == Severity::Error && !input.is_skipped_for(code) {
            let text = format!("{name}: {}", Finding::of_file(found).message);
            let exit = if batch.is_wrapped() { Exit::Findings } else { Exit::Error };
            let error = Some(error_line(&name, batch, found));
            jobs.push(Job::Trouble(Trouble { text, error, exit }));
        }
    }
    jobs
}

/// Replays games; one serves one thread.
pub(in crate::command) struct GameReplayWorker {
    worker: ReplayWorker,
    stored: StoredGames,
}

impl GameReplayWorker {
    pub(in crate::command) fn new(config: &Arc<ReplayConfig>) -> GameReplayWorker {
        GameReplayWorker { worker: ReplayWorker::new(config), stored: StoredGames::default() }
    }

    /// Replays a game.
    ///
    /// # Errors
    ///
    /// Fails when the rules of a stored game cannot be read.
    pub(in crate::command) fn replay(&mut self, game: FoundGame) -> anyhow::Result<Played> {
        let FoundGame { parsed, file, ordinal, place: _, asked, stored } = game;
        let id = stored.as_ref().map(|row| row.game);
        let judged = match &stored {
            None => {
                self.worker.prepare(asked);
                self.worker.replay(parsed)
            }
            Some(row) => self.stored.judge(row, parsed)?,
        };
        Ok(Played { judged, id, file, ordinal })
    }
}

impl Played {
    /// Returns the plies, with who made them.
    pub(in crate::command) fn plies(&self) -> Vec<(Move, Side)> {
        self.judged.plies()
    }

    /// Returns the arrangement with which the game began; nothing where the rules are not known.
    pub(in crate::command) fn start(&self) -> Option<Setup> {
        self.judged.start()
    }

    /// Returns who moved first; nothing where the rules are not known.
    pub(in crate::command) fn first(&self) -> Option<Side> {
        self.judged.first()
    }

    /// Returns how the game is called: `games.csv:12`.
    pub(in crate::command) fn name(&self) -> String {
        format!("{}:{}", self.file, self.ordinal)
    }
}
