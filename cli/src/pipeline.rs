//! The way of the records: inputs are cut into batches, batches worked on by several threads, answers given in order.

use std::fs::File;
use std::io::{self, BufRead, Read};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use tafl_parser::parallel;
use tafl_parser::reader::{Batch, Container, ReadOptions, Records};

use crate::Io;
use crate::args::records::InputArgs;
use crate::input::{Input, Inputs};

/// The most bytes that a record may have. The largest real ones, logs with a board after every ply, have some 100 KB;
/// in memory a record takes several times its text.
const LARGEST: usize = 16 << 20;

/// What to read, and how.
pub(crate) struct Plan {
    /// The inputs, in order.
    pub(crate) inputs: Inputs,
    options: ReadOptions,
    threads: NonZeroUsize,
    /// How many bytes of the files were read, packed ones as they are.
    read: AtomicU64,
    /// How many bytes they have, asked once: there may be as many files as there are batches.
    size: OnceLock<Option<u64>>,
    /// What standard input is called.
    stdin: Option<String>,
}

/// What the consumer gets, in the order of the inputs.
pub(crate) struct Step<Answer> {
    /// The number of the input in the plan.
    pub(crate) input: usize,
    /// The answer for a batch, or why the input cannot be read, or not to the end.
    pub(crate) answer: io::Result<Answer>,
}

impl Plan {
    /// Finds the inputs; says on standard error which are missing.
    pub(crate) fn new(args: &InputArgs, io: &mut Io<'_>) -> Plan {
        let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Plan {
            inputs: Inputs::find(&args.paths, io),
            options: ReadOptions {
                format: args.notation,
                largest: LARGEST,
                container: if args.record_lines { Container::RecordLines } else { Container::FindOut },
                ..ReadOptions::default()
            },
            threads: args.threads.unwrap_or_else(cores),
            read: AtomicU64::new(0),
            size: OnceLock::new(),
            stdin: None,
        }
    }

    /// Gives standard input the name of a file.
    pub(crate) fn calling_stdin(self, name: Option<String>) -> Plan {
        Plan { stdin: name, ..self }
    }

    /// Returns which part of the inputs was read; nothing where their size is not known.
    pub(crate) fn share_read(&self) -> Option<f64> {
        let size = |input: &Input| std::fs::metadata(input.path()?).ok().map(|data| data.len());
        let all = (*self.size.get_or_init(|| self.inputs.list.iter().map(size).sum()))?;
        (all > 0).then(|| self.read.load(Ordering::Relaxed) as f64 / all as f64)
    }

    /// Reads all inputs and gives the consumer an answer for each batch, always in the same order.
    ///
    /// `worker` makes what a thread needs for itself, `work` answers a batch with it.
    ///
    /// # Errors
    ///
    /// Returns the consumer's first error; nothing is read after it.
    pub(crate) fn read<Worker, Answer>(
        &self,
        io: &mut Io<'_>,
        worker: impl Fn() -> Worker + Sync,
        work: impl Fn(&mut Worker, &Input, &Batch) -> Answer + Sync,
        consume: impl FnMut(&mut Io<'_>, Step<Answer>) -> anyhow::Result<()> + Send,
    ) -> anyhow::Result<()>
    where
        Worker: Send,
        Answer: Send,
    {
        self.read_numbered(io, worker, |worker, (_, input), batch| work(worker, input, batch), consume)
    }

    /// As [`Plan::read`]; `work` also gets the number of the input in the plan.
    ///
    /// # Errors
    ///
    /// As [`Plan::read`].
    pub(crate) fn read_numbered<Worker, Answer>(
        &self,
        io: &mut Io<'_>,
        worker: impl Fn() -> Worker + Sync,
        work: impl Fn(&mut Worker, (usize, &Input), &Batch) -> Answer + Sync,
        mut consume: impl FnMut(&mut Io<'_>, Step<Answer>) -> anyhow::Result<()> + Send,
    ) -> anyhow::Result<()>
    where
        Worker: Send,
        Answer: Send,
    {
        let mut stream = Stream::new(self, io.take_stdin());
        // A worker is used by one thread at a time; there are never more of them than threads.
        let idle: Mutex<Vec<Worker>> = Mutex::new(Vec::new());
        let lock = || idle.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = |step: Step<Batch>| {
            let answer = step.answer.map(|batch| {
                let free = lock().pop();
                let mut worker = free.unwrap_or_else(&worker);
                let answer = work(&mut worker, (step.input, &self.inputs.list[step.input]), &batch);
                lock().push(worker);
                answer
            });
            Step { input: step.input, answer }
        };
        let mut result = Ok(());
        let sink = |step| {
            result = consume(io, step);
            if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        parallel::in_order(self.threads, || stream.next(), answer, sink);
        io.end_progress();
        result
    }
}

/// The batches of all inputs, one after another.
pub(crate) struct Stream<'p, 'i> {
    inputs: &'p [Input],
    read: &'p AtomicU64,
    options: ReadOptions,
    /// What standard input is called.
    stdin_name: Option<&'p str>,
    stdin: Option<Box<dyn BufRead + Send + 'i>>,
    /// The number of the input that is read, or comes next.
    nth: usize,
    open: Option<Records<'i>>,
}

impl<'p: 'i, 'i> Stream<'p, 'i> {
    /// Returns the batches of a plan.
    pub(crate) fn new(plan: &'p Plan, stdin: Box<dyn BufRead + Send + 'i>) -> Stream<'p, 'i> {
        Stream {
            inputs: &plan.inputs.list,
            read: &plan.read,
            options: plan.options,
            stdin_name: plan.stdin.as_deref(),
            stdin: Some(stdin),
            nth: 0,
            open: None,
        }
    }

    /// Returns the next batch, or why an input cannot be read, or not to the end.
    pub(crate) fn next(&mut self) -> Option<Step<Batch>> {
        loop {
            let input = self.nth;
            if self.open.is_none() {
                match self.open_next(self.inputs.get(input)?) {
                    Ok(records) => self.open = Some(records),
                    Err(error) => {
                        self.nth += 1;
                        return Some(Step { input, answer: Err(error) });
                    }
                }
            }
            match self.open.as_mut().map(Records::next_batch) {
                Some(Ok(Some(batch))) => return Some(Step { input, answer: Ok(batch) }),
                Some(Ok(None)) | None => {
                    self.open = None;
                    self.nth += 1;
                }
                Some(Err(error)) => {
                    self.open = None;
                    self.nth += 1;
                    return Some(Step { input, answer: Err(error) });
                }
            }
        }
    }

    fn open_next(&mut self, input: &Input) -> io::Result<Records<'i>> {
        let bytes: Box<dyn Read + Send + 'i> = match input.path() {
            Some(path) => Box::new(Counted { file: File::open(path)?, read: self.read }),
            None => Box::new(self.stdin.take().unwrap_or_else(|| Box::new(io::empty()))),
        };
        let name = match (input, self.stdin_name) {
            (Input::Stdin, Some(name)) => name.to_owned(),
            (Input::Stdin | Input::Named(_) | Input::Found { .. }, _) => input.name(),
        };
        Records::new(&name, bytes, self.options)
    }
}

/// A file whose bytes are counted while they are read.
struct Counted<'p> {
    file: File,
    read: &'p AtomicU64,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}
