//! Repair: changes after which a broken record agrees with its rules, and records with these changes.

mod answer;

use std::collections::HashMap;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_parser::{
    Batch, Diagnosis, Format, Parsed, Patch, PatchError, PlayedMoves, Record, Repair, RepairOptions,
    RepairStatus, Repairer, Severity, Source, StreamEncoding, WriteGame, convert_repair, patch_record,
    write_record,
};

use super::{
    MAX_REPLAYERS, ReadCounts, RecordAt, RecordEvent, RecordInputs, RecordRequest, RecordSource,
    RecordWorker, ReplayConfig, RequestedRules, RequestedRulesKey,
};
use crate::{Bounded, Error, Job, Named, SummaryTag, WritableNotation};

pub use answer::{BrokenRecord, RecordRepair, RepairAgreement, RepairEdit, RepairStanding};

/// Suggest corrections of broken records, and apply them
///
/// # Examples
///
/// ```no_run
/// use taflbase::records::{RecordEvent, RecordInputs, RepairAnswer, RepairRequest};
/// use taflbase::{App, Job, StreamRequest};
///
/// let input = RecordInputs::of(["games.csv"]).by("copenhagen11");
/// let request = RepairRequest { input, ..RepairRequest::default() };
/// let summary = request.run(&App::new(), &Job::default(), &mut |item| {
///     if let RecordEvent::Record(RepairAnswer::Broken(record)) = item.event
///         && let Some(first) = record.repairs.first()
///     {
///         println!("game {}: {} ({:.0} %)", record.game, first.edits[0].change, 100.0 * first.confidence);
///     }
///     Ok(())
/// })?;
/// println!("{} of {} games can be repaired", summary.decided, summary.games);
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct RepairRequest {
    /// The records.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub input: RecordInputs,
    /// Write repaired records: those with an unambiguous repair, or with
    /// --apply=first all that have one
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "WHICH", num_args = 0..=1, require_equals = true))]
    #[cfg_attr(feature = "clap", arg(default_missing_value = "sure"))]
    pub apply: Option<RepairChoice>,
    /// Write repaired records in this notation, and all others of the same
    /// files too [default: their own notation; jsonl for records whose
    /// notation can only be read]
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FORMAT"))]
    pub to: Option<Named<WritableNotation>>,
    /// The maximum number of changes of one record, from 1 to 3; captures
    /// that a whole record lists in another way don't count
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t))]
    pub max_edits: Bounded<1, 3, 3>,
    /// Show at most N repairs per record
    #[serde(default, alias = "limit")]
    #[cfg_attr(feature = "clap", arg(long, alias = "limit", value_name = "N", default_value_t))]
    pub limit_per_record: Bounded<0, { u64::MAX }, 5>,
    /// The minimum probability of an unambiguous first repair, in percent
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "PERCENT", default_value_t))]
    pub sure: Bounded<50, 99, 95>,
    /// Only this repair is applied, if there is one.
    #[serde(skip)]
    #[cfg_attr(feature = "clap", arg(skip))]
    pub chosen: Option<ChosenRepair>,
}

/// A repair that a person chose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChosenRepair {
    /// The number of the record, from 1.
    pub record: u64,
    /// The number of its repair, from 1.
    pub repair: usize,
}

/// The repairs to apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum RepairChoice {
    /// The most probable repair, if its probability is at least --sure
    Sure,
    /// The most probable repair, even if it is ambiguous
    First,
}

/// The answer about a record, or about the text between records.
#[derive(Debug, Clone, PartialEq)]
pub enum RepairAnswer {
    /// The record needs no repair.
    Intact,
    /// A broken record.
    Broken(Box<BrokenRecord>),
    /// If repairs are applied: the next part of the input, after the records in it, with their repairs.
    Text(RepairedText),
}

/// A part of an input with repaired records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepairedText {
    /// The text. In notations with a header, it begins with one if all records are written in another notation.
    pub text: String,
    /// The encoding of the input, of which `text` is the UTF-8 text without compression.
    pub encoding: StreamEncoding,
}

/// Counts of records by outcome. The names and the order of the fields are an interface.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RepairSummary {
    /// Always `summary`, which distinguishes it from a record.
    pub r#type: SummaryTag,
    /// All records.
    pub games: u64,
    /// Records that need no repair.
    pub sound: u64,
    /// Records whose findings have another reason than a writing error.
    pub explained: u64,
    /// Records with one repair that is far more probable than all others.
    pub decided: u64,
    /// Records with several repairs of about the same probability.
    pub ambiguous: u64,
    /// Records without a repair.
    pub undecidable: u64,
    /// Records that were written repaired.
    pub repaired: u64,
    /// Records whose repair the notation can't express.
    pub not_writable: u64,
    /// Records that were written in another notation than their own, repaired or not.
    pub converted: u64,
    /// Findings about files that are not notes.
    #[serde(skip)]
    pub broken_files: u64,
}

impl RepairSummary {
    /// Returns whether a record stays broken, or something is wrong with a file.
    pub fn has_faults(&self) -> bool {
        self.decided + self.ambiguous + self.undecidable > self.repaired || self.broken_files > 0
    }

    fn add(&mut self, status: RepairStatus, outcome: &PatchOutcome) {
        self.games += 1;
        let count = match status {
            RepairStatus::Sound => &mut self.sound,
            RepairStatus::Explained(_) => &mut self.explained,
            RepairStatus::Decided => &mut self.decided,
            RepairStatus::Ambiguous => &mut self.ambiguous,
            RepairStatus::Undecidable(_) => &mut self.undecidable,
        };
        *count += 1;
        match outcome {
            PatchOutcome::Unchanged => {}
            PatchOutcome::Repaired { .. } => self.repaired += 1,
            PatchOutcome::NotExpressible(_) => self.not_writable += 1,
        }
    }

    fn join(&mut self, other: &RepairSummary) {
        self.games += other.games;
        self.sound += other.sound;
        self.explained += other.explained;
        self.decided += other.decided;
        self.ambiguous += other.ambiguous;
        self.undecidable += other.undecidable;
        self.repaired += other.repaired;
        self.not_writable += other.not_writable;
        self.converted += other.converted;
    }
}

impl RecordRequest for RepairRequest {
    type Answer = RepairAnswer;
    type Summary = RepairSummary;

    fn inputs(&self) -> &RecordInputs {
        &self.input
    }

    fn process<T: Send, E: From<Error> + Send>(
        &self,
        source: &RecordSource<'_>,
        job: &Job,
        map: impl Fn(RepairAnswer) -> T + Sync,
        mut take: impl FnMut(usize, RecordEvent<T>) -> Result<(), E> + Send,
    ) -> Result<(RepairSummary, ReadCounts), E> {
        let mut summary = RepairSummary::default();
        let worker = || RepairWorker::new(self, &source.config).map(|(counts, answer)| (counts, map(answer)));
        let read = source.reader.process(job, worker, |nth, event| {
            if let RecordEvent::Finding(found) = &event {
                summary.broken_files += u64::from(found.finding.level > Severity::Note);
            }
            let event = event.map(|(counts, answer)| {
                summary.join(&counts);
                answer
            });
            take(nth, event)
        })?;
        Ok((summary, read))
    }
}

/// The outcome for the text of a record.
enum PatchOutcome {
    /// It is unchanged.
    Unchanged,
    /// It is replaced.
    Repaired {
        patch: Patch,
        /// The notation of the new text, if it is another one.
        converted: Option<Format>,
    },
    /// It is unchanged, because its notation can't express the repair.
    NotExpressible(PatchError),
}

/// Repairs records, with one repairer for each rule set that files or record lines request.
struct RepairWorker<'r> {
    request: &'r RepairRequest,
    config: Arc<ReplayConfig>,
    repairers: HashMap<RequestedRulesKey, Repairer>,
    /// The rules that the present file requests.
    key: Option<RequestedRulesKey>,
    /// The notation in which the records of the present batch are written, if it is not their own.
    to: Option<Format>,
    /// The new texts of records of the present batch, by their numbers.
    patches: HashMap<usize, String>,
    /// The records of the present batch in the other notation.
    converted: String,
}

impl<'r> RepairWorker<'r> {
    fn new(request: &'r RepairRequest, config: &Arc<ReplayConfig>) -> RepairWorker<'r> {
        RepairWorker {
            request,
            config: Arc::clone(config),
            repairers: HashMap::new(),
            key: None,
            to: None,
            patches: HashMap::new(),
            converted: String::new(),
        }
    }

    /// Returns the notation in which the records of a batch are written, if it is not their own. Records of a read-only
    /// notation can't be replaced one by one, so all records of the file are written.
    fn other_notation(&self, batch: &Batch) -> Option<Format> {
        self.request.apply?;
        let own = batch.format().filter(|_| !batch.is_wrapped())?;
        match self.request.to {
            Some(Named(WritableNotation(to))) => Some(to).filter(|to| *to != own),
            None => Some(Format::Jsonl).filter(|_| !own.is_writable()),
        }
    }

    /// Adds a record in the other notation: repaired, or as it was read. Returns whether it was written.
    fn convert(
        &mut self,
        to: Format,
        parsed: &Parsed<Record>,
        diagnosis: &Diagnosis,
        outcome: &PatchOutcome,
    ) -> bool {
        if let PatchOutcome::Repaired { patch, .. } = outcome {
            self.add_converted(to, &patch.text);
            return true;
        }
        // A record of which nothing was read would be written as a game without moves.
        if parsed.is_unreadable() {
            return false;
        }
        let record = &parsed.value;
        let rules = diagnosis.replay.rules.as_ref().map(|rules| rules.book.rules().to_string());
        let played =
            rules.and_then(|rules| PlayedMoves::new(record, &diagnosis.replay, rules.into_boxed_str()));
        let mut text = String::new();
        let is_written = write_record(WriteGame { record, played: played.as_ref() }, to, &mut text).is_ok();
        self.add_converted(to, &text);
        is_written
    }

    /// Adds the text of a record in the other notation, without its header if a record with a header precedes it.
    fn add_converted(&mut self, to: Format, text: &str) {
        let has_header = to.has_header() && !self.converted.is_empty();
        let rows = text.split_once('\n').filter(|_| has_header);
        self.converted.push_str(rows.map_or(text, |(_, rows)| rows));
    }

    fn options(&self) -> RepairOptions {
        RepairOptions {
            max_edits: self.request.max_edits.size(),
            confidence: self.request.sure.get() as f64 / 100.0,
            ..RepairOptions::default()
        }
    }
}

impl RecordWorker for RepairWorker<'_> {
    type Answer = (RepairSummary, RepairAnswer);

    fn enter(&mut self, batch: &Batch) {
        let requested = self.config.requested(RequestedRules::of(batch));
        if self.repairers.len() >= MAX_REPLAYERS {
            self.repairers.clear();
        }
        let (key, options) = (requested.key(), self.options());
        self.repairers.entry(key).or_insert_with(|| Repairer::new(self.config.options(&requested), options));
        self.key = Some(key);
        self.to = self.other_notation(batch);
        self.patches.clear();
        self.converted.clear();
    }

    fn record(&mut self, at: RecordAt<'_>) -> (RepairSummary, RepairAnswer) {
        let (source, parsed) = at.parse();
        let repairer = self.key.and_then(|key| self.repairers.get_mut(&key)).expect("a batch was entered");
        let diagnosis = repairer.repair(&source, &parsed);
        let outcome = match self.request.repair_to_apply(source.ordinal, &diagnosis) {
            Some(repair) => PatchOutcome::new(source, &parsed, repair, self.to),
            None => PatchOutcome::Unchanged,
        };
        let mut counts = RepairSummary::default();
        counts.add(diagnosis.status, &outcome);
        if let Some(to) = self.to {
            let is_written = self.convert(to, &parsed, &diagnosis, &outcome);
            counts.converted += u64::from(is_written);
            counts.not_writable +=
                u64::from(!is_written && !matches!(outcome, PatchOutcome::NotExpressible(_)));
        }
        if matches!(diagnosis.status, RepairStatus::Sound | RepairStatus::Explained(_)) {
            return (counts, RepairAnswer::Intact);
        }
        let limit = self.request.limit_per_record.size();
        let broken = BrokenRecord::new(source, &parsed, &diagnosis, &outcome, limit);
        if let PatchOutcome::Repaired { patch, converted: None } = outcome {
            self.patches.insert(at.nth, patch.text);
        }
        (counts, RepairAnswer::Broken(Box::new(broken)))
    }

    fn end(&mut self, batch: &Batch) -> Option<(RepairSummary, RepairAnswer)> {
        self.request.apply?;
        let text = match self.to {
            Some(_) => std::mem::take(&mut self.converted),
            None => batch.rewritten(|nth| self.patches.remove(&nth)),
        };
        let text = RepairedText { text, encoding: batch.encoding() };
        Some((RepairSummary::default(), RepairAnswer::Text(text)))
    }
}

impl PatchOutcome {
    /// Applies a repair; `to` is the notation to write, if it is not that of the record.
    fn new(source: Source<'_>, parsed: &Parsed<Record>, repair: &Repair, to: Option<Format>) -> PatchOutcome {
        let patch = match to {
            Some(to) => convert_repair(repair, to),
            None => patch_record(&source, parsed, repair),
        };
        match patch {
            Ok(patch) => PatchOutcome::Repaired { patch, converted: to },
            Err(error) => PatchOutcome::NotExpressible(error),
        }
    }
}

impl RepairRequest {
    /// Returns the repair of a record that is to be applied.
    fn repair_to_apply<'d>(&self, record: u64, diagnosis: &'d Diagnosis) -> Option<&'d Repair> {
        if let Some(chosen) = self.chosen {
            return diagnosis.repairs.get(chosen.repair.checked_sub(1)?).filter(|_| chosen.record == record);
        }
        let is_wanted = match (self.apply, diagnosis.status) {
            (Some(_), RepairStatus::Decided) | (Some(RepairChoice::First), RepairStatus::Ambiguous) => true,
            (Some(RepairChoice::Sure) | None, RepairStatus::Ambiguous)
            | (None, RepairStatus::Decided)
            | (_, RepairStatus::Sound | RepairStatus::Explained(_) | RepairStatus::Undecidable(_)) => false,
        };
        diagnosis.repairs.first().filter(|_| is_wanted)
    }
}
