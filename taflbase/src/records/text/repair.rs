//! Repairs of the records of a text.

use std::num::NonZeroU64;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_rules::counted;

use super::{TextInput, TextRequest, is_late, unreadable};
use crate::records::repair::ChosenRepair;
use crate::records::{
    BrokenRecord, RecordEvent, RecordRequest, RepairAnswer, RepairChoice, RepairRequest, RepairSummary,
};
use crate::{App, Bounded, Error, ErrorKind, Job, Result};

/// The maximum number of broken records in an answer.
const MAX_BROKEN: usize = 200;

/// Suggest corrections of the broken records of a text, and apply one or all
///
/// # Examples
///
/// ```
/// use std::num::NonZeroU64;
///
/// use taflbase::records::{RepairTextRequest, TextRequest};
/// use taflbase::{App, Job};
///
/// let text = b"[variant:brandubh7]\n\n1. d2-c2 e4-e1\n2. b4-b9 d4-e4\n3. d1-b1 d5-c5\n";
/// let answer = RepairTextRequest::default().run_on(text, &App::new(), &Job::default())?;
/// assert_eq!(answer.records.len(), 1);
/// let chosen = RepairTextRequest { record: NonZeroU64::new(1), ..RepairTextRequest::default() };
/// let repaired = chosen.run_on(text, &App::new(), &Job::default())?.text.unwrap();
/// assert!(repaired.contains("2. b4-b3"), "{repaired}");
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RepairTextRequest {
    /// The input settings.
    #[serde(flatten)]
    pub input: TextInput,
    /// Return the text with repairs: the unambiguous ones (`sure`), or the first one of each record (`first`).
    pub apply: Option<RepairChoice>,
    /// Return the text with a repair of this record only, which is counted from 1.
    pub record: Option<NonZeroU64>,
    /// The repair of that record to apply, counted from 1.
    #[serde(default)]
    pub repair: Bounded<1, 5, 1>,
}

/// The broken records of a text.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RepairTextAnswer {
    /// The notation of the text, if it is recognized.
    pub format: Option<&'static str>,
    /// The broken records with their repairs; at most 200.
    pub records: Vec<BrokenRecord>,
    /// The text with the repairs, if some are applied.
    pub text: Option<String>,
    /// The numbers of records.
    pub summary: RepairSummary,
    /// Whether not everything was read: the text is too long, or the time was over.
    pub truncated: bool,
}

impl TextRequest for RepairTextRequest {
    type Answer = RepairTextAnswer;

    fn run_on(self, text: &[u8], app: &App, job: &Job) -> Result<RepairTextAnswer> {
        if self.record.is_some() && self.apply.is_some() {
            let message = "`record` chooses the only repair, so `apply` has no effect";
            return Err(Error::parameter("apply", message).with_help("give only one of them"));
        }
        let source = self.input.open(text, app)?;
        let repair = self.repair.size();
        let chosen = self.record.map(|record| ChosenRepair { record: record.get(), repair });
        let apply = self.apply.or(chosen.map(|_| RepairChoice::First));
        let request = RepairRequest { apply, chosen, ..RepairRequest::default() };
        let mut records = Vec::new();
        let mut repaired = apply.map(|_| String::new());
        let mut summary = RepairSummary::default();
        let mut is_full = false;
        let take = |_, event| {
            match event {
                RecordEvent::Record(RepairAnswer::Broken(record)) if records.len() < MAX_BROKEN => {
                    records.push(*record)
                }
                RecordEvent::Record(RepairAnswer::Broken(_)) => is_full = true,
                RecordEvent::Record(RepairAnswer::Text(part)) => {
                    if let Some(repaired) = &mut repaired {
                        repaired.push_str(&part.text);
                    }
                }
                RecordEvent::Unreadable(error) => return Err(unreadable(&error)),
                RecordEvent::Record(RepairAnswer::Intact)
                | RecordEvent::Finding(_)
                | RecordEvent::Failed(..)
                | RecordEvent::Skipped(_)
                | RecordEvent::Awaited => {}
            }
            Ok::<_, Error>(())
        };
        let result = request.process(&source, job, |answer| answer, take).map(|(found, _)| summary = found);
        let is_cut = is_late(result)? || source.reader.is_cut_off();
        if is_cut && repaired.is_some() {
            return Err(Error::new(ErrorKind::TimedOut, "the text is too long to be repaired at once")
                .with_help("send fewer records, or use `tafl repair`"));
        }
        if let Some(chosen) = chosen.filter(|_| summary.repaired + summary.not_writable == 0) {
            return Err(nothing_chosen(chosen, &summary));
        }
        let format = source.reader.format().map(|format| format.name());
        Ok(RepairTextAnswer { format, records, text: repaired, summary, truncated: is_cut || is_full })
    }
}

/// Returns the error of a choice that names no repair.
fn nothing_chosen(ChosenRepair { record, repair }: ChosenRepair, summary: &RepairSummary) -> Error {
    if record > summary.games {
        let records = counted(summary.games, "record", "records");
        return Error::parameter("record", format!("there is no record {record}; the text has {records}"));
    }
    let parameter = if repair > 1 { "repair" } else { "record" };
    Error::parameter(parameter, format!("record {record} has no repair {repair}"))
        .with_help("without `record`, the answer lists the repairs of each broken record")
}
