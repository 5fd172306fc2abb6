//! Record lines: files split into lines with one record and its place each.

use std::borrow::Cow;
use std::num::NonZeroU64;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_parser::{Batch, RecordLine};

use super::{
    ReadCounts, ReadSettings, RecordAt, RecordEvent, RecordInputs, RecordRequest, RecordSource, RecordWorker,
};
use crate::{Error, Job};

/// Split files into lines with one record each
///
/// # Examples
///
/// ```no_run
/// use taflbase::records::{LinesRequest, RecordEvent, RecordInputs};
/// use taflbase::{App, Job, StreamRequest};
///
/// let request = LinesRequest { input: RecordInputs::of(["games/"]), ..LinesRequest::default() };
/// request.run(&App::new(), &Job::default(), &mut |item| {
///     if let RecordEvent::Record(line) = item.event {
///         println!("{}, line {}: {} bytes", line.source, line.place, line.text.len());
///     }
///     Ok(())
/// })?;
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct LinesRequest {
    /// The records.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub input: RecordInputs,
    /// The name of standard input; its notation is detected as of a file with this name
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME"))]
    pub name: Option<String>,
    /// The number of the first input in the field `input` of the lines, so that the lines of
    /// several runs can be sorted
    #[serde(default = "one")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = one()))]
    pub source_number: NonZeroU64,
    /// Skip named files without records, instead of reporting them, as for files found in folders
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub found: bool,
}

const fn one() -> NonZeroU64 {
    NonZeroU64::MIN
}

impl Default for LinesRequest {
    fn default() -> LinesRequest {
        LinesRequest { input: RecordInputs::default(), name: None, source_number: one(), found: false }
    }
}

impl RecordRequest for LinesRequest {
    type Answer = RecordLine<'static>;
    type Summary = ();

    fn inputs(&self) -> &RecordInputs {
        &self.input
    }

    fn settings(&self) -> ReadSettings {
        ReadSettings {
            stdin_name: self.name.clone(),
            all_found: self.found,
            needs_moves: true,
            ..self.input.settings()
        }
    }

    fn process<T: Send, E: From<Error> + Send>(
        &self,
        source: &RecordSource<'_>,
        job: &Job,
        map: impl Fn(RecordLine<'static>) -> T + Sync,
        take: impl FnMut(usize, RecordEvent<T>) -> Result<(), E> + Send,
    ) -> Result<((), ReadCounts), E> {
        let rules = source.config.rules.as_ref().map(|rules| match source.config.variant {
            Some(name) => name.to_owned(),
            None => rules.chosen().book.rules().to_string(),
        });
        let first = self.source_number.get();
        let worker = || LineWorker { rules: rules.as_deref(), first, has_moves: true }.map(&map);
        Ok(((), source.reader.process(job, worker, take)?))
    }
}

/// Creates record lines.
struct LineWorker<'v> {
    /// The rules in the lines.
    rules: Option<&'v str>,
    /// The number of the first input.
    first: u64,
    /// Whether the last record has moves, which only matters for files that may be something else.
    has_moves: bool,
}

impl RecordWorker for LineWorker<'_> {
    type Answer = RecordLine<'static>;

    fn enter(&mut self, _: &Batch) {}

    fn record(&mut self, at: RecordAt<'_>) -> RecordLine<'static> {
        self.has_moves = !at.is_found || !at.parse().1.value.main().moves.is_empty();
        owned(RecordLine::of(at.batch, at.nth, self.first + at.input as u64, self.rules))
    }

    fn has_moves(&self) -> bool {
        self.has_moves
    }
}

fn owned(line: RecordLine<'_>) -> RecordLine<'static> {
    let text = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
    RecordLine {
        source: text(line.source),
        format: line.format.map(text),
        variant: line.variant.map(text),
        text: text(line.text),
        taflbase_record: line.taflbase_record,
        input: line.input,
        place: line.place,
        offset: line.offset,
        column: line.column,
        ordinal: line.ordinal,
        replaced: line.replaced,
    }
}
