//! Inputs are cut into batches, batches are answered by several threads, and answers are delivered in order.

use std::fs::File;
use std::io::{self, BufRead, Read};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use tafl_parser::{
    Batch, Code, Container, Format, LineCol, Parsed, ReadOptions, Record, Records, in_order, tag,
};

use super::input::is_foreign;
use super::{GameSelector, Input, Inputs};
use crate::{Error, Job, Threads};

/// The maximum size of a record, in bytes. The largest real ones, logs with a board after every ply, have some 100 KB; in
/// memory a record takes several times the size of its text.
const MAX_RECORD: usize = 16 << 20;

/// The settings for reading records.
#[derive(Debug, Clone)]
pub struct ReadSettings {
    /// The notation; none to find out.
    pub format: Option<Format>,
    /// The number of threads.
    pub threads: Threads,
    /// Whether every line is a record line, which is answered whatever it contains.
    pub record_lines: bool,
    /// The name of the content of standard input; none for `-`.
    pub stdin_name: Option<String>,
    /// Whether all inputs may contain no records, as files of folders may.
    pub all_found: bool,
    /// Whether a file of a folder that shows no move at all is skipped.
    pub needs_moves: bool,
    /// The maximum size of a record in bytes; larger ones are skipped with a finding.
    pub max_record: usize,
    /// The maximum number of bytes of an unpacked stream that are read.
    pub max_unpacked: u64,
}

impl Default for ReadSettings {
    fn default() -> ReadSettings {
        ReadSettings {
            format: None,
            threads: Threads::default(),
            record_lines: false,
            stdin_name: None,
            all_found: false,
            needs_moves: false,
            max_record: MAX_RECORD,
            max_unpacked: u64::MAX,
        }
    }
}

/// Reads the records of inputs.
pub struct RecordReader<'i> {
    /// The inputs, in order.
    pub inputs: Inputs,
    pub(super) settings: ReadSettings,
    options: ReadOptions,
    threads: NonZeroUsize,
    /// The number of bytes of the files that were read, packed ones as they are.
    read: AtomicU64,
    /// The size of the files in bytes, computed once: there may be as many files as batches.
    size: OnceLock<Option<u64>>,
    /// The stream that `-` reads, or the only input.
    stream: Mutex<Option<Box<dyn BufRead + Send + 'i>>>,
    /// The notation of the first input whose notation is known.
    format: OnceLock<Format>,
    is_cut_off: AtomicBool,
}

/// A message for the consumer, in the order of the inputs.
pub(super) struct ReadMessage<A> {
    /// The number of the input.
    pub(super) input: usize,
    /// The answer for a batch, or why the input can't be read, or not to its end.
    pub(super) answer: io::Result<A>,
}

impl<'i> RecordReader<'i> {
    /// Finds the inputs that paths mean. What is wrong with the paths is in [`Inputs::problems`].
    pub fn new(paths: &[PathBuf], settings: ReadSettings) -> RecordReader<'i> {
        RecordReader::of_inputs(Inputs::find(paths), settings)
    }

    /// Reads the records of a stream, such as a text in memory. Findings repeat its name, which may mention a notation and a
    /// variant; no file of this name is opened.
    pub fn of_stream(
        name: &str,
        stream: Box<dyn BufRead + Send + 'i>,
        settings: ReadSettings,
    ) -> RecordReader<'i> {
        let list = vec![Input::Stream(name.to_owned())];
        RecordReader::of_inputs(Inputs { list, problems: Vec::new() }, settings).with_stdin(stream)
    }

    fn of_inputs(inputs: Inputs, settings: ReadSettings) -> RecordReader<'i> {
        let container = if settings.record_lines { Container::RecordLines } else { Container::FindOut };
        RecordReader {
            inputs,
            options: ReadOptions {
                format: settings.format,
                largest: settings.max_record,
                unpacked: settings.max_unpacked,
                container,
                ..ReadOptions::default()
            },
            threads: settings.threads.get(),
            settings,
            read: AtomicU64::new(0),
            size: OnceLock::new(),
            stream: Mutex::new(None),
            format: OnceLock::new(),
            is_cut_off: AtomicBool::new(false),
        }
    }

    /// Sets what `-` reads instead of the standard input of the process.
    #[must_use]
    pub fn with_stdin(self, stdin: Box<dyn BufRead + Send + 'i>) -> RecordReader<'i> {
        RecordReader { stream: Mutex::new(Some(stdin)), ..self }
    }

    /// Returns the number of threads.
    pub fn threads(&self) -> NonZeroUsize {
        self.threads
    }

    /// Returns the notation of the first input that was read whose notation is known.
    pub fn format(&self) -> Option<Format> {
        self.format.get().copied()
    }

    /// Returns whether an input is longer than [`ReadSettings::max_unpacked`] allows, so that its end was not read.
    pub fn is_cut_off(&self) -> bool {
        self.is_cut_off.load(Ordering::Relaxed)
    }

    /// Returns the proportion of the inputs that was read; none if their size is unknown.
    pub fn proportion(&self) -> Option<f64> {
        let size = |input: &Input| std::fs::metadata(input.path()?).ok().map(|data| data.len());
        let all = (*self.size.get_or_init(|| self.inputs.list.iter().map(size).sum()))?;
        (all > 0).then(|| self.read.load(Ordering::Relaxed) as f64 / all as f64)
    }

    /// Returns the batches, one after another.
    pub fn batches(&self) -> BatchStream<'_, 'i> {
        BatchStream { reader: self, nth: 0, open: None }
    }

    /// Returns whether an input may contain no records.
    pub(super) fn is_found(&self, input: &Input) -> bool {
        self.settings.all_found || matches!(input, Input::Found { .. })
    }

    /// Returns whether a finding about an input means only that it contains no records.
    pub(super) fn is_skipped_for(&self, input: &Input, code: Code) -> bool {
        is_foreign(code) && self.is_found(input)
    }

    /// Reads all inputs and passes the answer for each batch to `take`, always in the same order. `worker` creates what a
    /// thread needs for itself; `work` answers a batch with it.
    ///
    /// # Errors
    ///
    /// Fails if the job is stopped or `take` fails. Nothing is read afterwards.
    pub(super) fn each_batch<W: Send, A: Send, E: From<Error> + Send>(
        &self,
        job: &Job,
        worker: impl Fn() -> W + Sync,
        work: impl Fn(&mut W, usize, &Batch) -> A + Sync,
        mut take: impl FnMut(ReadMessage<A>) -> Result<(), E> + Send,
    ) -> Result<(), E> {
        let mut stream = self.batches();
        // A worker is used by one thread at a time; there are never more of them than threads.
        let idle: Mutex<Vec<W>> = Mutex::new(Vec::new());
        let lock = || idle.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = |(input, batch): (usize, io::Result<Batch>)| {
            let answer = batch.map(|batch| {
                let free = lock().pop();
                let mut worker = free.unwrap_or_else(&worker);
                let answer = work(&mut worker, input, &batch);
                lock().push(worker);
                answer
            });
            ReadMessage { input, answer }
        };
        let mut result = Ok(());
        let sink = |step| {
            result = job.check().map_err(E::from).and_then(|()| take(step));
            if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        in_order(self.threads, || stream.next(), answer, sink);
        result
    }
}

/// The batches of all inputs, one after another, each with the number of its input.
pub struct BatchStream<'r, 'i> {
    reader: &'r RecordReader<'i>,
    /// The number of the input that is read, or comes next.
    nth: usize,
    open: Option<OpenInput<'r>>,
}

/// The records of an input, or only one of them.
struct OpenInput<'r> {
    records: Records<'r>,
    wanted: Option<WantedGame<'r>>,
}

/// The only game of an input to read.
struct WantedGame<'r> {
    game: &'r GameSelector,
    /// The number of games before the position of the stream.
    n_passed: u64,
    /// Whether the rest of the input is not read.
    is_over: bool,
}

/// The error for a game that an input does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}; the file has {}", no_game(.game), match .n_games { 1 => "one game".to_owned(), n => format!("{n} games") })]
pub(crate) struct NoSuchGame {
    game: GameSelector,
    n_games: u64,
}

fn no_game(game: &GameSelector) -> String {
    match game {
        GameSelector::Number(_) | GameSelector::Id(_) => format!("no game `{game}`"),
        GameSelector::Line(line) => format!("no game in line {line}"),
        GameSelector::Place(LineCol { line, column }) => format!("no game at line {line}, column {column}"),
    }
}

impl OpenInput<'_> {
    fn next_batch(&mut self) -> io::Result<Option<Batch>> {
        let Some(wanted) = &mut self.wanted else { return self.records.next_batch() };
        while !wanted.is_over {
            let Some(batch) = self.records.next_batch()? else {
                wanted.is_over = true;
                let missing = NoSuchGame { game: wanted.game.clone(), n_games: wanted.n_passed };
                return Err(io::Error::other(missing));
            };
            // A file that can't be read has one finding, and no game to look for.
            let is_unreadable = batch.format().is_none() && !batch.is_wrapped();
            let nth = wanted.find(&batch);
            wanted.is_over = is_unreadable || nth.is_some();
            wanted.n_passed += batch.len() as u64;
            match nth {
                Some(nth) => return Ok(Some(batch.only(nth))),
                None if is_unreadable => return Ok(Some(batch)),
                None => {}
            }
        }
        Ok(None)
    }
}

impl WantedGame<'_> {
    /// Returns the index of the game in a batch.
    fn find(&self, batch: &Batch) -> Option<usize> {
        let has_id = |parsed: &Parsed<Record>, id: &str| parsed.value.tag(tag::ID) == Some(id);
        match self.game {
            GameSelector::Line(line) => batch.sources().position(|source| source.is_in_line(*line)),
            // The end of a record can be the beginning of the next one.
            GameSelector::Place(place) => (0..batch.len())
                .zip(batch.sources())
                .filter(|(_, source)| source.has_place(*place))
                .map(|(nth, _)| nth)
                .last(),
            GameSelector::Id(id) => (0..batch.len()).find(|nth| has_id(&batch.parse_one(*nth).1, id)),
            GameSelector::Number(number) => {
                let id = number.to_string();
                (0..batch.len()).find(|nth| {
                    let (source, parsed) = batch.parse_one(*nth);
                    source.ordinal == *number || has_id(&parsed, &id)
                })
            }
        }
    }
}

impl Iterator for BatchStream<'_, '_> {
    /// The number of an input, and a batch of it or why it can't be read, or not to its end.
    type Item = (usize, io::Result<Batch>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let nth = self.nth;
            if self.open.is_none() {
                match self.open_next() {
                    None => return None,
                    Some(Ok(records)) => self.open = Some(records),
                    Some(Err(error)) => {
                        self.nth += 1;
                        return Some((nth, Err(error)));
                    }
                }
            }
            let batch = self.open.as_mut().and_then(|open| open.next_batch().transpose());
            if let Some(open) = &self.open {
                self.reader.is_cut_off.fetch_or(open.records.is_cut_off(), Ordering::Relaxed);
            }
            if !matches!(batch, Some(Ok(_))) {
                self.open = None;
                self.nth += 1;
            }
            if let Some(batch) = batch {
                return Some((nth, batch));
            }
        }
    }
}

impl<'r, 'i: 'r> BatchStream<'r, 'i> {
    fn open_next(&self) -> Option<io::Result<OpenInput<'r>>> {
        let reader = self.reader;
        let input = reader.inputs.list.get(self.nth)?;
        let name = match &reader.settings.stdin_name {
            Some(name) if input.is_stdin() => name.clone(),
            _ => input.name(),
        };
        let bytes: Box<dyn Read + Send + 'r> = match input.path() {
            Some(path) => match File::open(path) {
                Ok(file) => Box::new(CountedFile { file, read: &reader.read }),
                Err(error) => return Some(Err(error)),
            },
            None => match reader.stream.lock().unwrap_or_else(PoisonError::into_inner).take() {
                Some(stdin) => stdin,
                None => Box::new(io::stdin()),
            },
        };
        let records = Records::new(&name, bytes, reader.options);
        if let Some(format) = records.as_ref().ok().and_then(Records::format) {
            reader.format.get_or_init(|| format);
        }
        let wanted = input.game().map(|game| WantedGame { game, n_passed: 0, is_over: false });
        Some(records.map(|records| OpenInput { records, wanted }))
    }
}

/// A file whose bytes are counted while they are read.
struct CountedFile<'r> {
    file: File,
    read: &'r AtomicU64,
}

impl Read for CountedFile<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}
