//! Validation of records.

use std::collections::BTreeMap;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_parser::{Batch, Code, Format, Severity, Soundness, tag};

use super::{
    Finding, FindingLine, FindingLocator, FindingRecord, GameCheck, ReadCounts, RecordAt, RecordEvent,
    RecordInputs, RecordRequest, RecordSource, RecordWorker, ReplayConfig, ReplayWorker, ValidationSummary,
};
use crate::{Error, Job};

/// The version of the answers.
const VERSION: u32 = 1;

/// Check records, and explain their errors
///
/// # Examples
///
/// ```no_run
/// use taflbase::records::{RecordEvent, RecordInputs, ValidateRequest};
/// use taflbase::{App, Job, StreamRequest};
///
/// let input = RecordInputs::of(["games.csv"]).by("copenhagen11");
/// let request = ValidateRequest { input, limit: Some(10), ..ValidateRequest::default() };
/// let summary = request.run(&App::new(), &Job::default(), &mut |item| {
///     if let RecordEvent::Record(record) = item.event {
///         record.findings.iter().for_each(|found| println!("{}:{}: {}", item.input, found.line, found.message));
///     }
///     Ok(())
/// })?;
/// println!("{} of {} games are sound", summary.games.sound, summary.games.games);
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct ValidateRequest {
    /// The records.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub input: RecordInputs,
    /// Show at most N findings [default: all]
    #[cfg_attr(feature = "clap", arg(long, short = 'n', value_name = "N"))]
    pub limit: Option<u64>,
    /// Show at most N findings per code [default: all]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub limit_per_code: Option<u64>,
    /// For a record that contradicts its own rules, name other rules that explain it
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub attribute: bool,
    /// Keep the texts of records with errors or warnings
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(skip))]
    pub keep_bad: bool,
}

impl RecordRequest for ValidateRequest {
    type Answer = ValidatedRecord;
    type Summary = ValidationSummary;

    fn inputs(&self) -> &RecordInputs {
        &self.input
    }

    fn process<T: Send, E: From<Error> + Send>(
        &self,
        source: &RecordSource<'_>,
        job: &Job,
        map: impl Fn(ValidatedRecord) -> T + Sync,
        mut take: impl FnMut(usize, RecordEvent<T>) -> Result<(), E> + Send,
    ) -> Result<(ValidationSummary, ReadCounts), E> {
        let config = Arc::new(ReplayConfig { attribute: self.attribute, ..(*source.config).clone() });
        let mut summary = ValidationSummary::default();
        let worker = || {
            ValidateWorker::new(&config, self.keep_bad)
                .map(|(record, check)| (record.notation, check, map(record)))
        };
        let counts = source.reader.process(job, worker, |nth, event| {
            if let RecordEvent::Finding(found) = &event
                && let Some(code) = Code::find(found.finding.code)
            {
                summary.add_finding(code);
            }
            let event = event.map(|(notation, check, answer)| {
                summary.add(notation, &check);
                answer
            });
            take(nth, event)
        })?;
        (summary.files, summary.skipped, summary.unreadable) =
            (counts.files, counts.skipped, counts.unreadable);
        Ok((summary, counts))
    }

    fn limiter(&self) -> impl FnMut(&mut ValidatedRecord) + Send {
        let mut limit = FindingLimit::new(self.limit, self.limit_per_code);
        move |record| record.findings.retain(|finding| limit.admit(finding.code))
    }
}

/// Admits a number of findings, and a number of findings per code.
#[derive(Debug, Clone)]
pub struct FindingLimit {
    left: u64,
    per_code: u64,
    admitted: BTreeMap<&'static str, u64>,
    hidden: u64,
}

impl FindingLimit {
    /// Creates a limit of the number of findings and of the number of findings per code; `None` admits all.
    pub fn new(total: Option<u64>, per_code: Option<u64>) -> FindingLimit {
        FindingLimit {
            left: total.unwrap_or(u64::MAX),
            per_code: per_code.unwrap_or(u64::MAX),
            admitted: BTreeMap::new(),
            hidden: 0,
        }
    }

    /// Returns whether one more finding of this code is shown.
    pub fn admit(&mut self, code: &'static str) -> bool {
        let admitted = self.admitted.entry(code).or_default();
        let is_shown = *admitted < self.per_code && self.left > 0;
        *admitted += u64::from(is_shown);
        self.left -= u64::from(is_shown);
        self.hidden += u64::from(!is_shown);
        is_shown
    }

    /// Returns the number of findings that were not admitted.
    pub fn hidden(&self) -> u64 {
        self.hidden
    }
}

/// The answer about a record. The names of the fields are an interface.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ValidatedRecord {
    /// The version, 1.
    taflbase_validation: u32,
    /// The file, as it was named.
    pub file: String,
    /// The number of the record in it, from 1.
    pub game: u64,
    /// The line of the file in which the record begins, from 1.
    pub place: u64,
    /// The record's own name.
    pub id: Option<String>,
    /// The notation.
    pub format: &'static str,
    /// The rules.
    pub variant: Box<str>,
    /// The number of moves that are written.
    pub moves: u64,
    /// The number of plies that could be played.
    pub plies: u64,
    /// `sound`, `explained` (every fault has a reason), or `unexplained`.
    pub verdict: &'static str,
    /// The worst severity among the findings.
    pub worst: Option<&'static str>,
    /// The findings, in the order of the text.
    pub findings: Vec<Finding>,
    /// The severity of the worst finding.
    #[serde(skip)]
    pub level: Option<Severity>,
    /// The notation of the input.
    #[serde(skip)]
    pub notation: Format,
    /// The text of a record with errors or warnings, if [`ValidateRequest::keep_bad`] is set.
    #[serde(skip)]
    pub bad_text: Option<String>,
}

impl ValidatedRecord {
    /// Returns the findings as objects of their own.
    pub fn lines(&self) -> impl Iterator<Item = FindingLine<'_>> {
        let at = FindingRecord {
            file: &self.file,
            game: Some(self.game),
            id: self.id.as_deref(),
            variant: Some(&self.variant),
        };
        self.findings.iter().map(move |finding| finding.line(at))
    }
}

/// Checks records.
#[derive(Debug)]
struct ValidateWorker {
    replay: ReplayWorker,
    keeps_bad: bool,
    format: Format,
}

impl ValidateWorker {
    fn new(config: &Arc<ReplayConfig>, keeps_bad: bool) -> ValidateWorker {
        ValidateWorker { replay: ReplayWorker::new(config), keeps_bad, format: Format::MoveList }
    }
}

impl RecordWorker for ValidateWorker {
    type Answer = (ValidatedRecord, GameCheck);

    fn enter(&mut self, batch: &Batch) {
        self.format = batch.format().unwrap_or(self.format);
        self.replay.enter(batch);
    }

    fn record(&mut self, at: RecordAt<'_>) -> (ValidatedRecord, GameCheck) {
        let (source, parsed) = at.parse();
        let replayed = self.replay.replay(parsed);
        let check = replayed.check();
        let worst = check.worst();
        let is_bad = worst >= Some(Severity::Warning);
        let record = ValidatedRecord {
            taflbase_validation: VERSION,
            file: source.name.to_owned(),
            game: source.ordinal,
            place: source.line,
            id: replayed.record.tag(tag::ID).map(str::to_owned),
            format: replayed.record.format.name(),
            variant: check.variant.clone(),
            moves: check.moves,
            plies: check.plies,
            verdict: verdict_name(&replayed.verdict),
            worst: worst.map(Severity::as_str),
            findings: FindingLocator::all(source, &replayed.record, &replayed.diagnostics),
            level: worst,
            notation: self.format,
            bad_text: (self.keeps_bad && is_bad).then(|| source.text.to_owned()),
        };
        (record, check)
    }
}

/// Returns the name of a verdict, which never changes.
fn verdict_name(verdict: &Soundness) -> &'static str {
    match verdict {
        Soundness::Sound => "sound",
        Soundness::Explained(_) => "explained",
        Soundness::Unexplained(_) => "unexplained",
    }
}
