//! Conversion: records in another notation, with a list of what it can't express.

mod losses;
mod played;

use std::fmt;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_parser::{
    Batch, Diagnostic, Format, Parsed, Record, Severity, Source, WriteGame, Written, tag, write_record,
};
use tafl_rules::Span;

use super::{
    Finding, FindingLine, FindingLocator, FindingRecord, ReadCounts, RecordAt, RecordEvent, RecordInputs,
    RecordRequest, RecordSource, RecordWorker, ReplayConfig, ReplayWorker,
};
use crate::escape::escape;
use crate::{Error, Job, Named, WritableNotation};

pub use losses::{ConvertSummary, LossCounts, LossKind, RecordLoss};
pub use played::PlayedBuilder;

/// The maximum number of errors that are kept of a record that is left out.
const MAX_ERRORS: usize = 100;

/// Write records in another notation
///
/// # Examples
///
/// ```no_run
/// use taflbase::records::{ConvertRequest, HeaderFilter, RecordEvent, RecordInputs};
/// use taflbase::{App, Job, StreamRequest};
///
/// let input = RecordInputs::of(["games.csv"]).by("copenhagen11");
/// let request = ConvertRequest { input, to: "pgn".parse().unwrap(), ..ConvertRequest::default() };
/// let mut headers = HeaderFilter::new(request.to.0.0);
/// let summary = request.run(&App::new(), &Job::default(), &mut |item| {
///     if let RecordEvent::Record(record) = item.event {
///         print!("{}", headers.filter(0, &record.text));
///     }
///     Ok(())
/// })?;
/// eprintln!("{} games written, {} kinds of losses", summary.games, summary.losses.len());
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct ConvertRequest {
    /// The records.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub input: RecordInputs,
    /// The notation to write
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FORMAT"))]
    pub to: Named<WritableNotation>,
    /// List every loss with its place
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(skip))]
    pub list_losses: bool,
}

impl RecordRequest for ConvertRequest {
    type Answer = ConvertedRecord;
    type Summary = ConvertSummary;

    fn inputs(&self) -> &RecordInputs {
        &self.input
    }

    fn process<T: Send, E: From<Error> + Send>(
        &self,
        source: &RecordSource<'_>,
        job: &Job,
        map: impl Fn(ConvertedRecord) -> T + Sync,
        mut take: impl FnMut(usize, RecordEvent<T>) -> Result<(), E> + Send,
    ) -> Result<(ConvertSummary, ReadCounts), E> {
        let mut summary = ConvertSummary::default();
        let worker = || {
            ConvertWorker::new(&source.config, self).map(|record| {
                let losses = record.losses.clone();
                (record.left_out.is_some(), losses, map(record))
            })
        };
        let counts = source.reader.process(job, worker, |nth, event| {
            let event = event.map(|(is_left_out, losses, answer)| {
                summary.left_out += u64::from(is_left_out);
                summary.games += u64::from(!is_left_out);
                losses.into_iter().for_each(|loss| summary.add(loss.kind, loss.count));
                answer
            });
            take(nth, event)
        })?;
        Ok((summary, counts))
    }
}

/// A record in another notation, or why it was left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ConvertedRecord {
    /// The file, as it was named.
    pub file: String,
    /// The number of the record in it, from 1.
    pub game: u64,
    /// The record's own name.
    pub id: Option<String>,
    /// The record in the notation, with a header line in `csv`; empty if it was left out.
    pub text: String,
    /// The variant by which it was replayed, or what the record calls it.
    #[serde(skip)]
    pub variant: Option<String>,
    /// The reason why the record was left out.
    pub left_out: Option<NotConverted>,
    /// The losses and unread parts, each kind once.
    pub losses: Vec<RecordLoss>,
    /// The losses with their places, if [`ConvertRequest::list_losses`] is set.
    pub findings: Vec<Finding>,
}

/// The reason why a record is not written in another notation. It is displayed with one error per line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NotConverted {
    /// The record is unreadable.
    Unreadable {
        /// The first errors.
        errors: Vec<Finding>,
        /// The number of the other errors.
        more: u64,
    },
    /// The notation can't express the record.
    NotExpressible(String),
}

impl fmt::Display for NotConverted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotConverted::NotExpressible(message) => f.write_str(message),
            NotConverted::Unreadable { errors, more } => {
                for Finding { severity, code, line, column, message, .. } in errors {
                    writeln!(f, "{severity}[{code}] {line}:{column}: {}", escape(message))?;
                }
                match more {
                    0 => Ok(()),
                    1 => f.write_str("and 1 more error of the same record"),
                    _ => write!(f, "and {more} more errors of the same record"),
                }
            }
        }
    }
}

impl ConvertedRecord {
    /// Returns findings of the record as objects of their own.
    pub fn lines<'f>(&'f self, findings: &'f [Finding]) -> impl Iterator<Item = FindingLine<'f>> {
        let at = FindingRecord {
            file: &self.file,
            game: Some(self.game),
            id: self.id.as_deref(),
            variant: self.variant.as_deref(),
        };
        findings.iter().map(move |finding| finding.line(at))
    }
}

/// Writes records in another notation.
struct ConvertWorker {
    replay: ReplayWorker,
    played: PlayedBuilder,
    to: Format,
    list_losses: bool,
}

impl ConvertWorker {
    fn new(config: &Arc<ReplayConfig>, request: &ConvertRequest) -> ConvertWorker {
        ConvertWorker {
            replay: ReplayWorker::new(config),
            played: PlayedBuilder::default(),
            to: request.to.0.0,
            list_losses: request.list_losses,
        }
    }
}

impl RecordWorker for ConvertWorker {
    type Answer = ConvertedRecord;

    fn enter(&mut self, batch: &Batch) {
        self.replay.enter(batch);
    }

    fn record(&mut self, at: RecordAt<'_>) -> ConvertedRecord {
        let (source, parsed) = at.parse();
        let is_unreadable = parsed.is_unreadable();
        let Parsed { value: mut record, diagnostics } = parsed;
        let mut converted = ConvertedRecord {
            file: source.name.to_owned(),
            game: source.ordinal,
            id: record.tag(tag::ID).map(str::to_owned),
            text: String::new(),
            variant: record.variant.as_ref().map(|variant| variant.text.to_string()),
            left_out: None,
            losses: Vec::new(),
            findings: Vec::new(),
        };
        if is_unreadable {
            converted.left_out = Some(unreadable(source, &record, &diagnostics));
            return converted;
        }
        name_variant(&mut record, self.replay.expected());
        // In its own notation, and in ours, a record is written as it is, but with its rules if the notation has them.
        let is_translated = self.to != record.format && self.to != Format::Jsonl;
        let lacks_rules = self.to.has_rules_tag() && record.rules.is_none();
        let replayed = (is_translated || lacks_rules || self.list_losses)
            .then(|| self.replay.replay(Parsed::clean(record.clone())));
        let mut played = replayed.as_ref().and_then(|replayed| self.played.played(replayed));
        if !is_translated {
            let rules = played.take().filter(|_| lacks_rules).map(|played| played.rules);
            record.rules = record.rules.or(rules.map(|text| Written { text, span: Span::default() }));
        }
        converted.variant = replayed.map(|replayed| replayed.variant().to_owned()).or(converted.variant);
        let game = WriteGame { record: &record, played: played.as_ref() };
        match write_record(game, self.to, &mut converted.text) {
            Ok(lost) => {
                let bad = |diagnostic: &&Diagnostic| diagnostic.severity() > Severity::Note;
                let lost: Vec<&Diagnostic> = diagnostics.iter().chain(&lost).filter(bad).collect();
                lost.iter().for_each(|diagnostic| RecordLoss::add(&mut converted.losses, diagnostic));
                if self.list_losses && !lost.is_empty() {
                    let locator = FindingLocator::new(source, &record);
                    converted.findings = lost.iter().map(|diagnostic| locator.find(diagnostic)).collect();
                }
            }
            Err(error) => {
                converted.text.clear();
                let message = format!("{}: {error}", escape(source.name));
                converted.left_out = Some(NotConverted::NotExpressible(message));
            }
        }
        converted
    }
}

/// Returns the errors of an unreadable record.
fn unreadable(source: Source<'_>, record: &Record, diagnostics: &[Diagnostic]) -> NotConverted {
    let locator = FindingLocator::new(source, record);
    let errors = || diagnostics.iter().filter(|diagnostic| diagnostic.severity() == Severity::Error);
    NotConverted::Unreadable {
        errors: errors().take(MAX_ERRORS).map(|diagnostic| locator.find(diagnostic)).collect(),
        more: errors().skip(MAX_ERRORS).count() as u64,
    }
}

/// Writes the variant that the request or the file's name gives into a record that names neither rules nor a variant: what
/// is written will have another file name.
fn name_variant(record: &mut Record, expected: Option<&'static str>) {
    if let (None, None, Some(name)) = (&record.rules, &record.variant, expected) {
        record.variant = Some(Written { text: name.into(), span: Span::default() });
    }
}
