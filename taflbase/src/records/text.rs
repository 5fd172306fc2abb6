//! Requests over records in one text, with one bounded answer: what a server does with an upload.

mod convert;
mod repair;
mod validate;

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    ReadSettings, RecordEvent, RecordReader, RecordSource, ReplayConfig, ReplayWorker, ReplayedRecord,
};
use crate::{App, Error, ErrorKind, InputNotation, Job, Named, Result, RulesRequest, Threads};

pub use convert::{ConvertTextAnswer, ConvertTextRequest, TextLoss};
pub use repair::{RepairTextAnswer, RepairTextRequest};
pub use validate::{GameOutline, OutlineEnd, ValidateTextAnswer, ValidateTextRequest};

/// The maximum size of a record in bytes: the largest real ones have a tenth of it.
const MAX_RECORD: usize = 1 << 20;

/// The maximum size of an unpacked text in bytes: a packed one may be a thousand times as long as it is sent.
const MAX_UNPACKED: u64 = 64 << 20;

/// The name of a text without a name.
const NO_NAME: &str = "upload";

/// The settings for reading a text with records
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TextInput {
    /// The notation; `auto` finds out.
    #[serde(default, rename = "as", alias = "notation")]
    pub notation: Named<InputNotation>,
    /// The rules by which the records are replayed; without them, those that each record names.
    #[serde(flatten)]
    pub rules: RulesRequest,
    /// The file's name: it helps to find out notation and variant.
    pub name: Option<String>,
}

/// A request over the records of one text, which may be packed by gzip or Zstandard.
pub trait TextRequest: Sized {
    /// The answer.
    type Answer;

    /// Runs the request over a text, on this thread.
    ///
    /// # Errors
    ///
    /// Fails if the text is empty, can't be unpacked, or a parameter is wrong. Findings about records are part of the
    /// answer, also if the job is over before the end of the text.
    fn run_on(self, text: &[u8], app: &App, job: &Job) -> Result<Self::Answer>;
}

impl TextInput {
    fn name(&self) -> &str {
        self.name.as_deref().unwrap_or(NO_NAME)
    }

    /// Opens a text.
    pub(crate) fn open<'t>(&self, text: &'t [u8], app: &App) -> Result<RecordSource<'t>> {
        if text.trim_ascii().is_empty() {
            return Err(Error::new(ErrorKind::BadRecord, "the text is empty")
                .with_help("send one or more records in any notation"));
        }
        let config = ReplayConfig::by(&self.rules, app)?.into();
        let settings = ReadSettings {
            format: self.notation.0.0,
            threads: Threads::ONE,
            max_record: MAX_RECORD,
            max_unpacked: MAX_UNPACKED,
            ..ReadSettings::default()
        };
        Ok(RecordSource { reader: RecordReader::of_stream(self.name(), Box::new(text), settings), config })
    }

    /// Returns the first record of a text, replayed by its rules.
    ///
    /// # Errors
    ///
    /// Fails if the text is empty, can't be unpacked, or has no record, if a parameter is wrong, or if the job is over.
    pub fn first_game(&self, text: &[u8], app: &App, job: &Job) -> Result<ReplayedRecord> {
        let source = self.open(text, app)?;
        let config = Arc::clone(&source.config);
        let mut first = None;
        source.reader.process(
            job,
            || ReplayWorker::new(&config),
            |_, event| {
                match event {
                    RecordEvent::Record(game) => _ = first.get_or_insert(game),
                    RecordEvent::Unreadable(error) => return Err(unreadable(&error)),
                    RecordEvent::Finding(_)
                    | RecordEvent::Failed(..)
                    | RecordEvent::Skipped(_)
                    | RecordEvent::Awaited => {}
                }
                Ok(())
            },
        )?;
        first.ok_or_else(|| Error::new(ErrorKind::BadRecord, "the text has no records"))
    }
}

/// Returns the error of a text that can't be read.
pub(crate) fn unreadable(error: &std::io::Error) -> Error {
    Error::new(ErrorKind::BadRecord, format!("the text cannot be read: {error}"))
        .with_help("send text, or text packed by gzip or Zstandard")
}

/// Returns whether a request ended because its job is over, and not for another reason.
///
/// # Errors
///
/// Returns the other reason.
fn is_late<T>(result: Result<T>) -> Result<bool> {
    match result {
        Ok(_) => Ok(false),
        Err(error) if matches!(error.kind, ErrorKind::TimedOut | ErrorKind::Canceled) => Ok(true),
        Err(error) => Err(error),
    }
}
