//! Validation: which records are sound, and what is wrong with the others.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;
use tafl_parser::reader::Batch;
use tafl_parser::record::tag;
use tafl_parser::replay::Soundness;
use tafl_parser::{Format, Severity};

use super::{
    Finding, FindingLine, FindingLocator, FindingRecord, GameCheck, RecordAt, RecordWorker, ReplayConfig,
    ReplayWorker,
};

/// The version of the answers.
const VERSION: u32 = 1;

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
    /// What is wrong or worth knowing, in the order of the text.
    pub findings: Vec<Finding>,
    /// What is counted.
    #[serde(skip)]
    pub check: GameCheck,
    /// The notation.
    #[serde(skip)]
    pub notation: Format,
    /// The text of a record with errors or warnings, if it was asked for.
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
pub struct ValidateWorker {
    replay: ReplayWorker,
    keeps_bad: bool,
    format: Format,
}

impl ValidateWorker {
    /// Creates a worker. `keeps_bad` asks for the texts of bad records.
    pub fn new(config: &Arc<ReplayConfig>, keeps_bad: bool) -> ValidateWorker {
        ValidateWorker { replay: ReplayWorker::new(config), keeps_bad, format: Format::MoveList }
    }
}

impl RecordWorker for ValidateWorker {
    type Answer = ValidatedRecord;

    fn enter(&mut self, batch: &Batch) {
        self.format = batch.format().unwrap_or(self.format);
        self.replay.enter(batch);
    }

    fn record(&mut self, at: RecordAt<'_>) -> ValidatedRecord {
        let (source, parsed) = at.parse();
        let replayed = self.replay.replay(parsed);
        let check = replayed.check();
        let worst = check.worst();
        let is_bad = worst >= Some(Severity::Warning);
        ValidatedRecord {
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
            worst: worst.map(Severity::word),
            findings: FindingLocator::all(source, &replayed.record, &replayed.diagnostics),
            check,
            notation: self.format,
            bad_text: (self.keeps_bad && is_bad).then(|| source.text.to_owned()),
        }
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
