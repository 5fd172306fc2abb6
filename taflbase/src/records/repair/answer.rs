//! Broken records and their possible repairs.

use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use tafl_parser::{
    Diagnosis, Diagnostic, Edit, EditWords, Format, LineIndex, Parsed, Record, Repair, RepairEvidence,
    RepairStatus, Severity, Source, Undecidable, tag,
};
use tafl_rules::Span;

use super::PatchOutcome;
use crate::records::{Excerpt, FindingLine, FindingLocator, FindingRecord};

/// The maximum number of other variants that are named.
const MAX_VARIANTS: usize = 5;

/// A broken record. The names and the order of the fields are an interface.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct BrokenRecord {
    /// Always `record`, which distinguishes it from a summary.
    r#type: &'static str,
    /// The file, as it was named.
    pub file: String,
    /// The number of the record in it, from 1.
    pub game: u64,
    /// The record's own name.
    pub id: Option<String>,
    /// The variant by which the record was played, or what the record calls it.
    pub variant: Option<String>,
    /// The line in which the record begins, from 1.
    pub line: u64,
    /// The place in the unpacked file, in bytes from 0.
    pub offset: u64,
    /// The first of the worst findings.
    pub finding: Option<FindingLine<'static>>,
    /// Whether there is a repair.
    pub standing: RepairStanding,
    /// The reason why the record can't be repaired.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The repairs of the record, the most probable one first. (The table `repairs` of a balance report has another subject:
    /// arrangements that make a game even.)
    pub repairs: Vec<RecordRepair>,
    /// The number of other repairs.
    pub more: usize,
    /// If the request names rules: the other variants of the catalog by which the record is right as it is, the most probable
    /// one first. They are not repairs.
    pub other_variants: Vec<&'static str>,
    /// Whether the record was written repaired.
    pub applied: bool,
    /// Whether the repair is noted in the record.
    pub noted: bool,
    /// The notation in which the record was written repaired, if it is not its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written_as: Option<&'static str>,
    /// The reason why the repair was not written, although requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why_not: Option<String>,
}

/// Whether a broken record has a repair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum RepairStanding {
    /// The first repair is far more probable than all others.
    Decided,
    /// Several repairs explain the record about equally well.
    Ambiguous,
    /// No repair was found.
    Undecidable,
}

/// Changes after which a record can be played.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RecordRepair {
    /// The share in the probability of all repairs, from 0 to 1. It is written with four decimal places.
    #[serde(serialize_with = "four_places")]
    pub confidence: f64,
    /// The negative natural logarithm of the probability of these errors. It is written with two decimal places.
    #[serde(serialize_with = "two_places")]
    pub cost: f64,
    /// The changes, in the order in which they are made.
    pub edits: Vec<RepairEdit>,
    /// The agreement after the first change.
    pub agree: RepairAgreement,
}

/// The agreement of the record after the first change of a repair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RepairAgreement {
    /// The number of moves that can be played.
    pub moves: usize,
    /// The number of written captures, all of which happen.
    pub captures: usize,
    /// The number of written boards that are right.
    pub boards: usize,
    /// Whether the board shows the result.
    pub result: bool,
}

/// A change of a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RepairEdit {
    /// The stable name of the kind of error.
    pub kind: &'static str,
    /// The number of the written move, from 1, after the changes before this one.
    pub ply: Option<usize>,
    /// The change, in words.
    pub change: String,
    /// The parts of these words.
    #[serde(skip)]
    pub words: EditWords,
    /// The possible cause of the error, in a few words.
    pub reason: &'static str,
    /// The line, from 1.
    pub line: u64,
    /// The column, from 1, in characters.
    pub column: u64,
    /// The place in the unpacked file, in bytes from 0.
    pub offset: u64,
    /// The length of the part that is changed, in bytes.
    pub length: usize,
    /// The source line.
    #[serde(skip)]
    pub excerpt: Excerpt,
}

impl BrokenRecord {
    pub(super) fn new(
        source: Source<'_>,
        parsed: &Parsed<Record>,
        diagnosis: &Diagnosis,
        outcome: &PatchOutcome,
        limit: usize,
    ) -> BrokenRecord {
        let record = &parsed.value;
        let (standing, why) = match diagnosis.status {
            RepairStatus::Decided => (RepairStanding::Decided, None),
            RepairStatus::Ambiguous => (RepairStanding::Ambiguous, None),
            RepairStatus::Undecidable(why) => (RepairStanding::Undecidable, Some(reason(why))),
            RepairStatus::Sound | RepairStatus::Explained(_) => {
                unreachable!("only broken records have such an answer")
            }
        };
        let index = LineIndex::new(source);
        let worst = worst(parsed, diagnosis).map(|found| FindingLocator::new(source, record).find(found));
        let rules = diagnosis.replay.rules.as_ref();
        let written = || record.variant.as_ref().map(|name| &*name.text);
        let variant = rules.and_then(|rules| rules.variant).or_else(written);
        let at = FindingRecord { variant, ..FindingRecord::of(source, record) };
        let shown = diagnosis.repairs.iter().take(limit);
        BrokenRecord {
            r#type: "record",
            file: source.name.to_owned(),
            game: source.ordinal,
            id: record.tag(tag::ID).map(str::to_owned),
            variant: variant.map(str::to_owned),
            line: source.line,
            offset: source.base,
            finding: worst.map(|finding| finding.line(at).into_owned()),
            standing,
            why,
            repairs: shown.map(|repair| RecordRepair::new(source, &index, repair)).collect(),
            more: diagnosis.repairs.len().saturating_sub(limit) + diagnosis.n_more,
            other_variants: diagnosis.other_variants.iter().take(MAX_VARIANTS).copied().collect(),
            applied: matches!(outcome, PatchOutcome::Repaired { .. }),
            noted: matches!(outcome, PatchOutcome::Repaired { patch, .. } if patch.is_noted),
            written_as: match outcome {
                PatchOutcome::Repaired { converted, .. } => converted.map(Format::name),
                PatchOutcome::Unchanged | PatchOutcome::NotExpressible(_) => None,
            },
            why_not: match outcome {
                PatchOutcome::NotExpressible(error) => Some(error.to_string()),
                PatchOutcome::Unchanged | PatchOutcome::Repaired { .. } => None,
            },
        }
    }
}

impl RecordRepair {
    fn new(source: Source<'_>, index: &LineIndex<'_>, repair: &Repair) -> RecordRepair {
        let edit = |(edit, span): (&Edit, &Span)| {
            let at = index.line_col(span.start);
            let line = index.line_span(span.start);
            let within = |offset: u32| (offset.clamp(line.start, line.end) - line.start) as usize;
            RepairEdit {
                kind: edit.name(),
                ply: edit.at().map(|at| at + 1),
                change: edit.to_string(),
                words: edit.words(),
                reason: edit.reason(),
                line: at.line,
                column: at.column,
                offset: source.offset(span.start),
                length: span.len(),
                excerpt: Excerpt::around(source.at(line), within(span.start)..within(span.end)),
            }
        };
        let RepairEvidence { moves, captures, boards, shows_result } = repair.evidence;
        RecordRepair {
            confidence: repair.confidence,
            cost: repair.cost,
            edits: repair.edits.iter().zip(&repair.places).map(edit).collect(),
            agree: RepairAgreement { moves, captures, boards, result: shows_result },
        }
    }
}

impl From<RepairAgreement> for RepairEvidence {
    fn from(agree: RepairAgreement) -> RepairEvidence {
        let RepairAgreement { moves, captures, boards, result } = agree;
        RepairEvidence { moves, captures, boards, shows_result: result }
    }
}

/// Returns the finding that describes the record best: the first of the worst ones.
fn worst<'d>(parsed: &'d Parsed<Record>, diagnosis: &'d Diagnosis) -> Option<&'d Diagnostic> {
    let all = parsed.diagnostics.iter().chain(&diagnosis.replay.diagnostics);
    let bad = all.filter(|found| found.severity() > Severity::Note);
    bad.min_by_key(|found| (std::cmp::Reverse(found.severity()), found.span.start))
}

fn four_places<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((number * 1e4).round() / 1e4)
}

fn two_places<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((number * 1e2).round() / 1e2)
}

/// Returns the reason why a record has no repair.
fn reason(why: Undecidable) -> String {
    match why {
        Undecidable::Unreadable => {
            "no move of the record can be read; `tafl validate` names the errors".to_owned()
        }
        Undecidable::NoRules => "the rules are not known; name them with --variant".to_owned(),
        Undecidable::NothingPlays => {
            "no part of the record can be played by any variant of the catalog".to_owned()
        }
        Undecidable::Budget => {
            "the search was stopped; the record is too long or has too many faults".to_owned()
        }
        Undecidable::NoChange { played, furthest, moves } if furthest > played => {
            format!(
                "{played} of {moves} moves can be played, {furthest} after the change that leads furthest"
            )
        }
        Undecidable::NoChange { played, moves, .. } => {
            format!("{played} of {moves} moves can be played, and no change leads further")
        }
    }
}
