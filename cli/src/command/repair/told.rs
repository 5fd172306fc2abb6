//! What is said about a broken record: for people with the places in the text, for programs as a JSON object.

use std::fmt::Write as _;

use serde::Serialize;
use tafl_parser::record::tag;
use tafl_parser::repair::{Edit, Evidence, Repair, Standing, Undecidable};
use tafl_parser::{Diagnostic, LineIndex, Severity, Source};
use tafl_rules::Span;
use taflbase::records::{FindingLine, FindingLocator, FindingRecord};

use super::Job;
use super::mend::{Done, Mended};
use crate::args::records::FindingFormat;
use crate::io::Style;
use crate::number::counted;
use crate::records::write_finding;
use crate::snippet::{Place, Snippet};
use taflbase::escape::escape;

/// How sure a repair must be to be worth a line when another one is shown already.
const WORTH_A_LINE: f64 = 0.005;

impl Mended<'_> {
    /// Returns what is said about the record on standard output.
    pub(super) fn told(&self, job: Job) -> String {
        match job.format {
            FindingFormat::Text => self.text(job),
            FindingFormat::Json => self.json(job),
            FindingFormat::Jsonl => self.json(job) + "\n",
        }
    }

    /// Returns the finding that says best what is wrong: the first of the gravest.
    fn finding(&self) -> Option<&Diagnostic> {
        let all = self.parsed.diagnostics.iter().chain(&self.diagnosis.replay.diagnostics);
        let bad = all.filter(|found| found.severity() > Severity::Note);
        bad.min_by_key(|found| (std::cmp::Reverse(found.severity()), found.span.start))
    }

    fn variant(&self) -> Option<&str> {
        let rules = self.diagnosis.replay.rules.as_ref();
        rules.and_then(|rules| rules.variant).or(self.parsed.value.variant.as_ref().map(|name| &*name.text))
    }

    fn text(&self, job: Job) -> String {
        let mut out = String::new();
        if let Some(found) = self.finding() {
            let at = FindingRecord::of(self.source, &self.parsed.value);
            let finding = FindingLocator::new(self.source, &self.parsed.value).find(found);
            write_finding(&finding.line(at), job.style, &mut out);
        }
        if let Standing::Undecidable(why) = self.diagnosis.standing {
            let _ = writeln!(out, "  no repair: {}", reason(why));
        }
        for (nth, repair) in self.diagnosis.repairs.iter().take(job.limit.max(1)).enumerate() {
            match nth {
                0 => self.first(repair, job.style, &mut out),
                _ if repair.confidence < WORTH_A_LINE => break,
                _ => {
                    let _ = writeln!(out, "  or {}: {}", percent(repair.confidence), line(repair));
                }
            }
        }
        let n_others = self.n_others(job);
        if self.diagnosis.standing == Standing::Ambiguous && n_others > 0 {
            let _ = writeln!(out, "  and {}", counted(n_others as u64, "more repair", "more repairs"));
        }
        match self.done {
            Done::Nothing => {}
            Done::Repaired => out.push_str("  written repaired\n"),
            Done::NotWritable(error) => {
                let _ = writeln!(out, "  left as it is: {error}");
            }
        }
        out.push('\n');
        out
    }

    /// Adds the first repair with the place of each change.
    fn first(&self, repair: &Repair, style: Style, out: &mut String) {
        let index = LineIndex::new(self.source);
        let last = repair.edits.len() - 1;
        for (nth, (edit, span)) in repair.edits.iter().zip(&repair.places).enumerate() {
            let at = index.line_col(span.start);
            let line = index.line_span(span.start);
            let within = |offset: u32| (offset.clamp(line.start, line.end) - line.start) as usize;
            let help = format!(
                "{}{}",
                edit.reason(),
                if nth == last {
                    format!("; {} ({})", repair.evidence.words(), percent(repair.confidence))
                } else {
                    String::new()
                }
            );
            let label = match (self.diagnosis.standing, nth) {
                (Standing::Ambiguous, 0) => "perhaps ",
                (_, 0) => "repair, ",
                (_, _) => "and ",
            };
            let snippet = Snippet {
                severity: Severity::Note,
                code: Some(edit.name()),
                message: &format!("{label}{}", edit.words()),
                place: Some(Place {
                    name: self.source.name,
                    line: at.line,
                    column: at.column,
                    text: self.source.at(line),
                    part: (within(span.start), within(span.end)),
                    within: "",
                }),
                help: Some(&help),
            };
            snippet.write(style, out);
        }
    }

    /// Returns the record and its repairs as a JSON object, without a line feed.
    pub(super) fn json(&self, job: Job) -> String {
        let index = LineIndex::new(self.source);
        let shown = self.diagnosis.repairs.iter().take(job.limit.max(1));
        let at = FindingRecord::of(self.source, &self.parsed.value);
        let locator = FindingLocator::new(self.source, &self.parsed.value);
        let finding = self.finding().map(|found| locator.find(found));
        let (standing, why) = match self.diagnosis.standing {
            Standing::Sound => ("sound", None),
            Standing::Explained(_) => ("explained", None),
            Standing::Decided => ("decided", None),
            Standing::Ambiguous => ("ambiguous", None),
            Standing::Undecidable(why) => ("undecidable", Some(reason(why))),
        };
        let told = Told {
            r#type: "record",
            file: self.source.name,
            game: self.source.ordinal,
            id: self.parsed.value.tag(tag::ID),
            variant: self.variant(),
            line: self.source.line,
            offset: self.source.base,
            finding: finding.as_ref().map(|finding| finding.line(at)),
            standing,
            why,
            repairs: shown.map(|repair| ToldRepair::new(self.source, &index, repair)).collect(),
            more: self.n_others(job),
            applied: self.patch.is_some(),
            noted: self.patch.as_ref().is_some_and(|patch| patch.is_noted),
            why_not: match self.done {
                Done::Nothing | Done::Repaired => None,
                Done::NotWritable(error) => Some(error.to_string()),
            },
        };
        serde_json::to_string(&told).expect("there are only strings and numbers")
    }

    fn n_others(&self, job: Job) -> usize {
        self.diagnosis.repairs.len().saturating_sub(job.limit.max(1)) + self.diagnosis.n_more
    }
}

/// A broken record. The fields in this order are the JSON object; their names are an interface.
#[derive(Debug, Serialize)]
struct Told<'a> {
    /// Always `record`, to tell it from a summary.
    r#type: &'static str,
    file: &'a str,
    /// The number of the record in its file, from 1.
    game: u64,
    id: Option<&'a str>,
    /// The variant by which the record was played, or what it calls it.
    variant: Option<&'a str>,
    /// The line in which the record begins, from 1.
    line: u64,
    /// The place in the unpacked file, in bytes from 0.
    offset: u64,
    /// What is wrong: the first of the gravest findings.
    finding: Option<FindingLine<'a>>,
    /// `decided`, `ambiguous` or `undecidable`.
    standing: &'static str,
    /// Why there is no repair.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    repairs: Vec<ToldRepair>,
    /// How many more repairs there are.
    more: usize,
    /// Whether the record was written repaired.
    applied: bool,
    /// Whether the repair is noted in the record.
    noted: bool,
    /// Why the repair was not written, where it was wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    why_not: Option<String>,
}

/// A repair.
#[derive(Debug, Serialize)]
struct ToldRepair {
    /// The share in the probability of all repairs, from 0 to 1.
    confidence: f64,
    /// A negative natural logarithm of a probability.
    cost: f64,
    edits: Vec<ToldEdit>,
    agree: Agree,
}

/// What agrees behind the first change.
#[derive(Debug, Serialize)]
struct Agree {
    moves: usize,
    captures: usize,
    boards: usize,
    /// Whether the board shows the result.
    result: bool,
}

/// A change.
#[derive(Debug, Serialize)]
struct ToldEdit {
    kind: &'static str,
    /// The number of the written move, from 1, after the changes before this one.
    ply: Option<usize>,
    change: String,
    reason: &'static str,
    line: u64,
    column: u64,
    offset: u64,
    length: usize,
}

impl ToldRepair {
    fn new(source: Source<'_>, index: &LineIndex<'_>, repair: &Repair) -> ToldRepair {
        let edit = |(edit, span): (&Edit, &Span)| {
            let at = index.line_col(span.start);
            ToldEdit {
                kind: edit.name(),
                ply: edit.at().map(|at| at + 1),
                change: edit.words(),
                reason: edit.reason(),
                line: at.line,
                column: at.column,
                offset: source.base + u64::from(span.start),
                length: span.len(),
            }
        };
        let Evidence { moves, captures, boards, shows_result } = repair.evidence;
        ToldRepair {
            confidence: rounded(repair.confidence, 1e4),
            cost: rounded(repair.cost, 1e2),
            edits: repair.edits.iter().zip(&repair.places).map(edit).collect(),
            agree: Agree { moves, captures, boards, result: shows_result },
        }
    }
}

fn rounded(number: f64, digits: f64) -> f64 {
    (number * digits).round() / digits
}

fn percent(confidence: f64) -> String {
    match confidence {
        0.995.. => "over 99 %".to_owned(),
        _ => format!("{:.0} %", 100.0 * confidence),
    }
}

/// Returns a repair on one line: changes, and why.
fn line(repair: &Repair) -> String {
    let changes: Vec<String> = repair.edits.iter().map(|edit| escape(&edit.words())).collect();
    let reasons: Vec<&str> = repair.edits.iter().map(|edit| edit.reason()).collect();
    format!("{} ({})", changes.join("; "), reasons.join("; "))
}

fn reason(why: Undecidable) -> String {
    match why {
        Undecidable::NoRules => "the rules are not known; name them with --variant".to_owned(),
        Undecidable::NothingPlays => {
            "nothing of the record can be played, by no variant of the catalog".to_owned()
        }
        Undecidable::Budget => "the search was given up; the record is too long or too broken".to_owned(),
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
