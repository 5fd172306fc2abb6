//! Repair: small changes after which a broken record can be played and agrees with its own result.
//!
//! A [`Repairer`] takes a record that contradicts the rules and searches for edits - one character of a cell,
//! an exchange of start and destination, a missing ply, a different variant - after which the rest of the
//! record can be played and its captures, boards, and result agree. Each [`Repair`] has a cost, the negative
//! logarithm of the probability of the fault, and a confidence, its proportion of the probability of all
//! repairs found. The original is never modified: a repair is another record.

mod candidate;
mod edit;
mod edit_words;
mod evidence;
mod local;
mod move_model;
mod patch;
mod plausibility;
mod play_model;
mod played_moves;
mod ply_budget;
mod popularity;
mod prior;
mod relabel;
mod search;
mod strict_replay;
mod turn_layout;
mod whole;
mod word_distance;

#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::sync::Arc;

use tafl_rules::Span;

use crate::diagnostic::{
    CaptureFinding, Code, Diagnostic, DiagnosticKind, EndFinding, HeaderFinding, Parsed, PlayFinding,
    Severity, TextFinding,
};
use crate::record::{CaptureStyle, Record};
use crate::replay::{ChosenRules, Replay, ReplayOptions, Replayer, Soundness};
use crate::source::Source;

pub use edit::{CaptureChange, Edit, EditScope, MoveCaptures, WritingError};
pub use edit_words::EditWords;
pub use evidence::RepairEvidence;
pub use patch::{Patch, PatchError, convert_repair, patch_record};
pub use relabel::Relabel;

use candidate::{RepairCandidate, UnreadWord};
use ply_budget::PlyBudget;
use prior::RulesOrigin;
use search::RepairSearch;

/// Longer records are skipped, because every position of a record is kept in memory. No human game is that
/// long.
const MAX_MOVES: usize = 1500;
/// The number of moves that a record must have for each further edit. A choice: with fewer, edits can turn a short
/// record into almost any game.
const MOVES_OF_AN_EDIT: usize = 3;

/// Options for repair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RepairOptions {
    /// The maximum number of edits of one record. An [`Edit::AllCaptures`] is not counted.
    pub max_edits: usize,
    /// The maximum number of plies played for one record.
    pub budget: u64,
    /// The minimum confidence, from 0 to 1, of a repair that counts as decided.
    pub confidence: f64,
}

impl Default for RepairOptions {
    /// Returns the defaults: up to 3 edits, 2 million plies, a confidence of 0.95.
    fn default() -> Self {
        RepairOptions { max_edits: 3, budget: 2_000_000, confidence: 0.95 }
    }
}

/// Searches for repairs. It caches compiled rules, so reuse one repairer for many records.
#[derive(Debug)]
pub struct Repairer {
    replayer: Replayer,
    options: RepairOptions,
}

/// The state of a record, and its possible repairs.
#[derive(Debug, Clone)]
pub struct Diagnosis {
    /// The status of the record.
    pub status: RepairStatus,
    /// The replay of the original record.
    pub replay: Replay,
    /// The repairs of the record, most probable first.
    pub repairs: Vec<Repair>,
    /// The number of further repairs with a higher cost.
    pub n_more: usize,
    /// If the options require rules: the variants by which the record as it is agrees with itself, most probable first. They
    /// are not repairs.
    pub other_variants: Vec<&'static str>,
}

/// The status of a record.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RepairStatus {
    /// Nothing needs repair.
    Sound,
    /// There are errors, but their reason is known and they are not writing errors.
    Explained(Code),
    /// The first repair is much more probable than all others.
    Decided,
    /// Several repairs explain the record about equally well.
    Ambiguous,
    /// No repair was found.
    Undecidable(Undecidable),
}

/// The reason why no repair can be given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Undecidable {
    /// The record has errors, but no moves and no words in their place.
    Unreadable,
    /// The rules are unknown.
    NoRules,
    /// No move of the record can be played.
    NothingPlays,
    /// The limit of plies was reached.
    Budget,
    /// No small change leads to the end of the record.
    NoChange {
        /// The number of moves that can be played without a change.
        played: usize,
        /// The number of moves that can be played after the best change.
        furthest: usize,
        /// The number of moves in the record.
        moves: usize,
    },
}

/// A set of changes after which a record can be played.
#[derive(Debug, Clone)]
pub struct Repair {
    /// The edits, in order of application.
    pub edits: Vec<Edit>,
    /// The span of each edit.
    pub places: Vec<Span>,
    /// The negative natural logarithm of the probability of these faults.
    pub cost: f64,
    /// The proportion of this repair in the probability of all repairs found, from 0 to 1.
    pub confidence: f64,
    /// The evidence for the repair.
    pub evidence: RepairEvidence,
    /// The repaired record.
    pub record: Record,
    /// The rules by which it is played.
    pub rules: Arc<ChosenRules>,
    /// The replay of the repaired record.
    pub replay: Replay,
}

impl Repairer {
    /// Creates a repairer.
    pub fn new(replay: ReplayOptions, options: RepairOptions) -> Repairer {
        Repairer { replayer: Replayer::new(replay), options }
    }

    /// Searches for repairs of a record that was read from `source`.
    ///
    /// # Examples
    ///
    /// ```
    /// use tafl_parser::{Format, RepairOptions, RepairStatus, Repairer, ReplayOptions, RuleChoice, Source};
    /// use tafl_rules::catalog;
    ///
    /// // The king moves to d1 on the fourth move and continues from there; d4-d2 leads nowhere.
    /// let source = Source::new("d1-f1 d3-a3 d2-e2 d4-d2 a4-a6 d1-a1,0,0,White");
    /// let rules = catalog::find("brandubh7").map(RuleChoice::named);
    /// let options = ReplayOptions { rules, ..ReplayOptions::default() };
    /// let mut repairer = Repairer::new(options, RepairOptions::default());
    /// let diagnosis = repairer.repair(&source, &Format::MoveList.parse(&source));
    /// assert_eq!(diagnosis.status, RepairStatus::Decided);
    /// assert_eq!(diagnosis.repairs[0].edits[0].to_string(), "ply 4: d4-d1 instead of d4-d2");
    /// ```
    pub fn repair(&mut self, source: &Source<'_>, parsed: &Parsed<Record>) -> Diagnosis {
        let record = &parsed.value;
        let replay = self.replayer.replay(record);
        let words = unread_words(parsed);
        let unrepaired = |status, replay| {
            let (repairs, other_variants) = (Vec::new(), Vec::new());
            Diagnosis { status, replay, repairs, n_more: 0, other_variants }
        };
        if words.is_empty() && parsed.is_unreadable() {
            return unrepaired(RepairStatus::Undecidable(Undecidable::Unreadable), replay);
        }
        if let Some(status) = unbroken(record, &replay).filter(|_| words.is_empty()) {
            return unrepaired(status, replay);
        }
        if record.main().moves.len() > MAX_MOVES {
            return unrepaired(RepairStatus::Undecidable(Undecidable::Budget), replay);
        }
        let Some(rules) = self.rules(record, &replay) else {
            return unrepaired(RepairStatus::Undecidable(Undecidable::NoRules), replay);
        };
        let is_guess = replay.rules.is_none()
            || replay
                .diagnostics
                .iter()
                .any(|found| matches!(found.kind, DiagnosticKind::Header(HeaderFinding::Guessed { .. })));
        let is_counted = record.capture_style != CaptureStyle::NotWritten
            && replay
                .diagnostics
                .iter()
                .any(|found| matches!(found.kind, DiagnosticKind::Capture(CaptureFinding::Count { .. })));
        let candidate = RepairCandidate { record: record.clone(), words, rules, is_counted };
        let named = match (self.replayer.has_required_rules(), is_guess) {
            (true, _) => RulesOrigin::User,
            (false, true) => RulesOrigin::Guess,
            (false, false) => RulesOrigin::Record,
        };
        let search = RepairSearch {
            replayer: &mut self.replayer,
            source: *source,
            unknown: unknown_name(record, &replay),
            named,
            max_edits: max_edits_of(&candidate).min(self.options.max_edits),
            budget: PlyBudget::new(self.options.budget),
            unrepaired: 0.0,
        };
        let found = search.run(candidate, &replay.diagnostics);
        let status = self.status(record, &replay, &found);
        let search::RepairSearchResult { repairs, n_more, other_variants, .. } = found;
        Diagnosis { status, replay, repairs, n_more, other_variants }
    }

    /// Returns the rules to begin with: those of the replay, or any rules with the right board.
    fn rules(&mut self, record: &Record, replay: &Replay) -> Option<Arc<ChosenRules>> {
        if let Some(rules) = &replay.rules {
            return Some(Arc::clone(rules));
        }
        // The record begins on another board than its rules.
        let is_other_board = |found: &Diagnostic| {
            matches!(found.kind, DiagnosticKind::Header(HeaderFinding::OtherBoard { .. }))
        };
        if replay.diagnostics.iter().any(is_other_board) {
            return None;
        }
        let written = record.variant.as_ref()?;
        let similar = tafl_rules::catalog::similar(&written.text);
        similar.into_iter().next().and_then(|name| self.replayer.by_name(name))
    }

    fn status(&self, record: &Record, replay: &Replay, found: &search::RepairSearchResult) -> RepairStatus {
        let (played, moves) = (replay.plies.len(), record.main().moves.len());
        let Some(first) = found.repairs.first() else {
            return RepairStatus::Undecidable(match (found.is_given_up, played) {
                (true, _) => Undecidable::Budget,
                (false, 0) if found.furthest == 0 => Undecidable::NothingPlays,
                (false, _) => Undecidable::NoChange { played, furthest: found.furthest, moves },
            });
        };
        if first.confidence >= self.options.confidence {
            RepairStatus::Decided
        } else {
            RepairStatus::Ambiguous
        }
    }
}

/// Returns the status of a record that needs no repair.
fn unbroken(record: &Record, replay: &Replay) -> Option<RepairStatus> {
    // Nothing was checked.
    replay.rules.as_ref()?;
    if let (true, Soundness::Explained(code)) = (record.format.is_lossy(), replay.soundness())
        && !defects(record, replay).any(is_writing_error)
    {
        return Some(RepairStatus::Explained(code));
    }
    let mut late = None;
    for found in defects(record, replay) {
        // An end that the players missed is more probable than any writing error that produces one.
        if !is_late(found) {
            return None;
        }
        late = Some(found.code());
    }
    Some(late.map_or(RepairStatus::Sound, RepairStatus::Explained))
}

/// Returns whether a diagnostic reports an impossible, doubled, or missing move: a writing error.
fn is_writing_error(found: &Diagnostic) -> bool {
    match &found.kind {
        DiagnosticKind::Legality(_) => true,
        DiagnosticKind::Play(kind) => matches!(kind, PlayFinding::Doubled | PlayFinding::MissingMove { .. }),
        DiagnosticKind::Text(_)
        | DiagnosticKind::Header(_)
        | DiagnosticKind::Rules(_)
        | DiagnosticKind::Capture(_)
        | DiagnosticKind::End(_)
        | DiagnosticKind::Loss(_) => false,
    }
}

/// Returns whether a diagnostic reports play after an end.
fn is_late(found: &Diagnostic) -> bool {
    matches!(found.kind, DiagnosticKind::End(EndFinding::AfterEnd { .. }))
}

/// Returns the maximum number of edits, beyond which the result would be a different record.
fn max_edits_of(candidate: &RepairCandidate) -> usize {
    ((candidate.record.main().moves.len() + candidate.words.len()) / MOVES_OF_AN_EDIT).max(1)
}

/// Returns the variant name of a record if it is unknown.
fn unknown_name<'r>(record: &'r Record, replay: &Replay) -> Option<&'r str> {
    let is_unknown =
        |found: &Diagnostic| matches!(found.kind, DiagnosticKind::Header(HeaderFinding::UnknownVariant));
    let written = record.variant.as_ref().filter(|_| replay.rules.is_none())?;
    replay.diagnostics.iter().any(is_unknown).then_some(&*written.text)
}

/// Returns the diagnostics about the main line that an edit could fix: contradictions of its moves, captures,
/// boards, or result. Variations are not repaired.
fn defects<'r>(record: &'r Record, replay: &'r Replay) -> impl Iterator<Item = &'r Diagnostic> {
    let of_variations: HashSet<Span> =
        record.variations.iter().flat_map(|line| line.moves).map(|mv| mv.span).collect();
    replay.diagnostics.iter().filter(move |found| {
        let is_meant = match &found.kind {
            DiagnosticKind::Legality(_) | DiagnosticKind::Capture(_) | DiagnosticKind::End(_) => true,
            DiagnosticKind::Play(kind) => !matches!(kind, PlayFinding::Undecided { .. }),
            DiagnosticKind::Header(kind) => matches!(
                kind,
                HeaderFinding::Contradiction { .. }
                    | HeaderFinding::BeginningMissing
                    | HeaderFinding::UnknownVariant
            ),
            DiagnosticKind::Text(_) | DiagnosticKind::Rules(_) | DiagnosticKind::Loss(_) => false,
        };
        is_meant && found.severity() > Severity::Note && !of_variations.contains(&found.span)
    })
}

/// Returns the unreadable words in the main line; variations are not repaired.
fn unread_words(parsed: &Parsed<Record>) -> Vec<UnreadWord> {
    let moves = &parsed.value.main().moves;
    let is_word = |found: &&Diagnostic| matches!(found.kind, DiagnosticKind::Text(TextFinding::BadMove));
    let place = |found: &Diagnostic| UnreadWord {
        after: moves.partition_point(|mv| mv.span.start < found.span.start),
        span: found.span,
    };
    parsed.diagnostics.iter().filter(is_word).map(place).collect()
}
