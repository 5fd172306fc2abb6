//! Inference of the rules by which games were played.

mod answer;
mod input;

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_parser::{Format, InferOptions, infer};
use tafl_rules::RuleSet;

use super::request::input_names;
use super::{ReadCounts, ReadSettings, RecordEvent, RecordReader, StreamItem};
use crate::{App, Error, ErrorKind, Job, Named, Result, StreamRequest, Threads};

pub use answer::{
    ContradictingGame, ExplainedVariant, InferAnswer, InferredGroup, InferredOption, OtherOptionValue,
    RecordName, RuleChange, StartEvidence,
};
use input::{InferenceInput, KeepWorker};

/// Find out by which rules games were played
///
/// # Examples
///
/// ```no_run
/// use taflbase::records::InferRequest;
/// use taflbase::{App, Job, StreamRequest};
///
/// let request = InferRequest { paths: vec!["games.csv".into()], ..InferRequest::default() };
/// let answer = request.run(&App::new(), &Job::default(), &mut |_| Ok(()))?;
/// for group in &answer.groups {
///     println!("{} of {} games agree with {}", group.agreeing, group.records.len(), group.rules);
/// }
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct InferRequest {
    /// Files, folders, globs, or `-` for standard input; FILE:GAME selects a game by number
    /// or ID, and FILE:L12 the one in line 12; .gz and .zst files are unpacked
    #[cfg_attr(feature = "clap", arg(value_name = "PATH", required = true))]
    pub paths: Vec<PathBuf>,
    /// Read every file in this notation instead of detecting it
    #[serde(default, rename = "as", alias = "notation")]
    #[cfg_attr(feature = "clap", arg(long = "as", alias = "notation", value_name = "FORMAT"))]
    pub notation: Option<Named<Format>>,
    /// Search near the rules of this variant, rules string, or file with a rules string, instead of
    /// all variants of the catalog
    #[cfg_attr(feature = "clap", arg(long, value_name = "VARIANT"))]
    pub variant_hint: Option<String>,
    /// The number of threads.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub threads: Threads,
}

impl InferRequest {
    /// Returns how the inputs are read.
    pub fn settings(&self) -> ReadSettings {
        let format = self.notation.map(|Named(format)| format);
        ReadSettings { format, threads: self.threads, ..ReadSettings::default() }
    }

    /// Reads all records, and returns their evidence about the rules. `hint` are the rules of
    /// [`variant_hint`](InferRequest::variant_hint); `take` gets the events besides records.
    ///
    /// # Errors
    ///
    /// Fails if the job is stopped or `take` fails.
    pub fn process<E: From<Error> + Send>(
        &self,
        reader: &RecordReader<'_>,
        hint: Option<RuleSet>,
        job: &Job,
        mut take: impl FnMut(usize, RecordEvent<()>) -> std::result::Result<(), E> + Send,
    ) -> std::result::Result<(InferAnswer, ReadCounts), E> {
        let mut games = InferenceInput::of(reader);
        let counts = reader.process(
            job,
            || KeepWorker,
            |nth, event| take(nth, event.map(|record| games.add(nth, record))),
        )?;
        let options = InferOptions {
            hint,
            threads: reader.threads(),
            stop: Some(job.cancel_token().flag()),
            deadline: job.deadline(),
            ..InferOptions::default()
        };
        let found = infer(&games.records.iter().collect::<Vec<_>>(), &options);
        job.check()?;
        let answer = InferAnswer {
            r#type: "inference",
            records: found.n_records,
            groups: found.groups.into_iter().map(|group| games.group(group)).collect(),
            undecidable: found.undecidable.iter().map(|nth| games.name(*nth)).collect(),
            n_moves: games.records.iter().map(|record| record.main().moves.len()).sum(),
        };
        Ok((answer, counts))
    }
}

impl StreamRequest for InferRequest {
    type Item = StreamItem<()>;
    type Summary = InferAnswer;

    fn run(
        self,
        app: &App,
        job: &Job,
        take: &mut (dyn FnMut(Self::Item) -> Result<()> + Send),
    ) -> Result<InferAnswer> {
        let hint = self.variant_hint.as_deref().map(|text| app.variant(text, &[])).transpose();
        let hint = hint.map_err(|error| error.of("variant_hint"))?;
        let reader = RecordReader::new(&self.paths, self.settings());
        if let Some(problem) = reader.inputs.problems.iter().find(|problem| problem.is_error()) {
            return Err(Error::new(ErrorKind::Io, problem.to_string()).of("paths"));
        }
        let mut name = input_names(&reader.inputs);
        let deliver = |nth, event| take(StreamItem { input: name(nth), event });
        Ok(self.process(&reader, hint.map(|variant| variant.rules), job, deliver)?.0)
    }
}
