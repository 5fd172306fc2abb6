//! The common parts of requests over records: inputs, rules, and the processing loop.

use std::io::BufRead;
use std::path::PathBuf;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_parser::Format;

use super::{InputProblem, Inputs, ReadCounts, ReadSettings, RecordEvent, RecordReader, ReplayConfig};
use crate::{App, Error, ErrorKind, Job, Named, Result, RulesRequest, StreamRequest, Threads};

/// The inputs, and their settings
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct RecordInputs {
    /// Files, folders, globs, or `-` for standard input; FILE:GAME selects a game by number
    /// or ID, and FILE:L12 the one in line 12; .gz and .zst files are unpacked
    #[cfg_attr(feature = "clap", arg(value_name = "PATH", required = true))]
    pub paths: Vec<PathBuf>,
    /// Read every file in this notation instead of detecting it
    #[serde(default, rename = "as", alias = "notation")]
    #[cfg_attr(feature = "clap", arg(long = "as", alias = "notation", value_name = "FORMAT"))]
    pub notation: Option<Named<Format>>,
    /// The rules of all records; without them, those that records, record lines, or file names request.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub rules: RulesRequest,
    /// The number of threads.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub threads: Threads,
    /// Read each input line as a record line (the JSON that `tafl lines` writes), and write one
    /// answer per line
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub record_lines: bool,
}

impl RecordInputs {
    /// Returns inputs that are read by default settings.
    pub fn of(paths: impl IntoIterator<Item = impl Into<PathBuf>>) -> RecordInputs {
        RecordInputs { paths: paths.into_iter().map(Into::into).collect(), ..RecordInputs::default() }
    }

    /// Returns the same inputs, replayed by the rules of a variant.
    #[must_use]
    pub fn by(self, variant: &str) -> RecordInputs {
        RecordInputs { rules: RulesRequest::of(variant), ..self }
    }

    /// Returns how the inputs are read.
    pub fn settings(&self) -> ReadSettings {
        ReadSettings {
            format: self.notation.map(|Named(format)| format),
            threads: self.threads,
            record_lines: self.record_lines,
            ..ReadSettings::default()
        }
    }
}

/// The source of records, and the rules by which they are replayed.
pub struct RecordSource<'i> {
    /// Reads the records.
    pub reader: RecordReader<'i>,
    /// The rules.
    pub config: Arc<ReplayConfig>,
}

impl<'i> RecordSource<'i> {
    /// Opens inputs. Unlike a command, which reports missing files and reads the others, this reads all inputs or none.
    ///
    /// # Errors
    ///
    /// Returns the first input that doesn't exist, or what is wrong with the rules.
    pub fn open(inputs: &RecordInputs, settings: ReadSettings, app: &App) -> Result<RecordSource<'static>> {
        let config = ReplayConfig::by(&inputs.rules, app)?;
        let reader = RecordReader::new(&inputs.paths, settings);
        match reader.inputs.problems.iter().find(|problem| problem.is_error()) {
            Some(problem @ InputProblem::Corpus { .. }) => {
                Err(Error::parameter("paths", problem.to_string()))
            }
            Some(problem) => Err(Error::new(ErrorKind::Io, problem.to_string()).of("paths")),
            None => Ok(RecordSource { reader, config: config.into() }),
        }
    }

    /// Returns the records of a stream, such as a text in memory. Findings repeat its name, which may mention a notation and
    /// a variant; no file of this name is opened.
    ///
    /// # Examples
    ///
    /// ```
    /// use taflbase::records::{RecordEvent, RecordRequest, RecordSource, ReplayConfig, ValidateRequest};
    /// use taflbase::{Error, Job};
    ///
    /// let text = "d2-c2 e4-e9\n";
    /// let source = RecordSource::of_stream("brandubh.csv", Box::new(text.as_bytes()), ReplayConfig::default());
    /// let mut n_findings = 0;
    /// let take = |_, event| {
    ///     if let RecordEvent::Record(n) = event {
    ///         n_findings += n;
    ///     }
    ///     Ok::<(), Error>(())
    /// };
    /// let request = ValidateRequest::default();
    /// let (summary, _) = request.process(&source, &Job::default(), |record| record.findings.len(), take)?;
    /// assert_eq!((summary.games.games, n_findings), (1, 1));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn of_stream(
        name: &str,
        stream: Box<dyn BufRead + Send + 'i>,
        config: impl Into<Arc<ReplayConfig>>,
    ) -> RecordSource<'i> {
        let reader = RecordReader::of_stream(name, stream, ReadSettings::default());
        RecordSource { reader, config: config.into() }
    }
}

/// A request that answers every record of its inputs.
///
/// [`StreamRequest::run`] is the simple way to run one: it opens the inputs and delivers the answers one at a time.
/// [`RecordRequest::process`] also reads streams, and applies a function to each answer on the thread that made it.
pub trait RecordRequest: Sized + Sync {
    /// The answer about a record.
    type Answer: Send;
    /// The sums over all records.
    type Summary: Send;

    /// Returns the inputs.
    fn inputs(&self) -> &RecordInputs;

    /// Returns how it is read.
    fn settings(&self) -> ReadSettings {
        self.inputs().settings()
    }

    /// Answers all records of a source. `map` is applied to each answer on the thread that made it; `take` gets the events
    /// one at a time, in the order of the inputs, each with the number of its input.
    ///
    /// A fault in a record, or a bug that a record triggers, costs this record and no other.
    ///
    /// # Errors
    ///
    /// Fails if the job is stopped or `take` fails. Nothing is read afterwards.
    fn process<T: Send, E: From<Error> + Send>(
        &self,
        source: &RecordSource<'_>,
        job: &Job,
        map: impl Fn(Self::Answer) -> T + Sync,
        take: impl FnMut(usize, RecordEvent<T>) -> Result<(), E> + Send,
    ) -> Result<(Self::Summary, ReadCounts), E>;

    /// Returns the filter that applies the request's limits to answers.
    fn limiter(&self) -> impl FnMut(&mut Self::Answer) + Send {
        |_| {}
    }
}

/// An event and its input.
#[derive(Debug)]
pub struct StreamItem<T> {
    /// The name of the input: a path, or `-`.
    pub input: Arc<str>,
    /// The event.
    pub event: RecordEvent<T>,
}

impl<R: RecordRequest> StreamRequest for R {
    type Item = StreamItem<R::Answer>;
    type Summary = R::Summary;

    fn run(
        self,
        app: &App,
        job: &Job,
        take: &mut (dyn FnMut(Self::Item) -> Result<()> + Send),
    ) -> Result<R::Summary> {
        let source = RecordSource::open(self.inputs(), self.settings(), app)?;
        let mut limit = self.limiter();
        let mut name = input_names(&source.reader.inputs);
        let deliver = |nth, mut event| {
            if let RecordEvent::Record(answer) = &mut event {
                limit(answer);
            }
            take(StreamItem { input: name(nth), event })
        };
        Ok(self.process(&source, job, |answer| answer, deliver)?.0)
    }
}

/// Returns a lookup of input names by number, which keeps the last one.
pub(super) fn input_names(inputs: &Inputs) -> impl FnMut(usize) -> Arc<str> + Send {
    let mut last: Option<(usize, Arc<str>)> = None;
    move |nth| {
        if last.as_ref().is_none_or(|(known, _)| *known != nth) {
            last = Some((nth, inputs.list[nth].name().into()));
        }
        last.as_ref().map_or_else(|| "".into(), |(_, name)| Arc::clone(name))
    }
}
