//! Repair: small changes after which a broken record can be played and agrees with its own result.
//!
//! A [`Repairer`] takes a record that the rules contradict and looks for changes - a character of a cell, from and to
//! exchanged, a ply that is missing, another variant - after which the whole rest of the record can be played, its
//! captures, boards and result agreeing. Each [`Repair`] has a cost, the negative logarithm of how probable the fault
//! is, and a confidence: its share of all repairs that were found. Nothing is ever changed in place: a repair is another
//! record.

mod candidate;
mod edit;
mod evidence;
mod local;
mod patch;
mod plausibility;
mod prior;
mod relabel;
mod search;
mod strict_replay;
mod whole;

#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::sync::Arc;

use tafl_rules::Span;

use crate::diagnostic::{
    Capture, Code, Diagnostic, DiagnosticKind, End, Header, Parsed, Play, Severity, Text,
};
use crate::record::{CaptureStyle, Record};
use crate::replay::{Chosen, Replay, ReplayOptions, Replayer, Soundness};
use crate::source::Source;

pub use edit::{CaptureChange, Edit, Scope, Slip};
pub use evidence::Evidence;
pub use patch::{Patch, PatchError, patch};
pub use relabel::Relabel;

use candidate::{RepairCandidate, UnreadWord};
use prior::RulesOrigin;
use search::RepairSearch;
use strict_replay::PlyBudget;

/// Longer records than any that people played are left alone: every position of a record is kept for a while.
const MOST_MOVES: usize = 1500;
/// How many moves a record must have for each further change.
const MOVES_OF_AN_EDIT: usize = 3;

/// How to look for repairs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RepairOptions {
    /// The most changes of one record.
    pub max_edits: usize,
    /// The most plies that are played for one record.
    pub budget: u64,
    /// The least confidence of a repair that is called unambiguous, from 0 to 1.
    pub confidence: f64,
}

impl Default for RepairOptions {
    /// Returns: up to 3 changes, 2 million plies, a confidence of 0.95.
    fn default() -> Self {
        RepairOptions { max_edits: 3, budget: 2_000_000, confidence: 0.95 }
    }
}

/// Looks for repairs; keeps what it compiled, so one serves for many records.
#[derive(Debug)]
pub struct Repairer {
    replayer: Replayer,
    options: RepairOptions,
}

/// What is known about a record, and how it may be repaired.
#[derive(Debug, Clone)]
pub struct Diagnosis {
    /// What the record comes to.
    pub standing: Standing,
    /// The record as it is, replayed.
    pub replay: Replay,
    /// The repairs, from the most probable to the least.
    pub repairs: Vec<Repair>,
    /// How many more repairs there are that cost more than these.
    pub n_more: usize,
}

/// What a record comes to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Standing {
    /// Nothing is to be repaired.
    Sound,
    /// Something is wrong, but its reason is known, and it is no fault of the writer.
    Explained(Code),
    /// The first repair is much more probable than all others.
    Decided,
    /// Several repairs explain the record about equally well.
    Ambiguous,
    /// No repair was found.
    Undecidable(Undecidable),
}

/// Why no repair can be named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Undecidable {
    /// The rules are not known.
    NoRules,
    /// Nothing of the record can be played.
    NothingPlays,
    /// The search was given up after so many plies.
    Budget,
    /// No small change leads to the end: so many moves of so many can be played, with a change at best.
    NoChange {
        /// The moves that can be played as the record is.
        played: usize,
        /// The moves that can be played after the change that leads furthest.
        furthest: usize,
        /// The moves of the record.
        moves: usize,
    },
}

/// Changes after which a record can be played.
#[derive(Debug, Clone)]
pub struct Repair {
    /// The changes, in the order in which they are made.
    pub edits: Vec<Edit>,
    /// The place in the text of each change.
    pub places: Vec<Span>,
    /// How improbable it is that these faults happened: a negative natural logarithm.
    pub cost: f64,
    /// The share of this repair in the probability of all repairs that were found, from 0 to 1.
    pub confidence: f64,
    /// What speaks for it.
    pub evidence: Evidence,
    /// The record after the changes.
    pub record: Record,
    /// The rules by which it is played.
    pub rules: Arc<Chosen>,
    /// The repaired record, replayed.
    pub replay: Replay,
}

impl Repairer {
    /// Returns a repairer.
    pub fn new(replay: ReplayOptions, options: RepairOptions) -> Repairer {
        Repairer { replayer: Replayer::new(replay), options }
    }

    /// Looks for the repairs of a record, which was read from `source`.
    ///
    /// # Examples
    ///
    /// ```
    /// use tafl_parser::repair::{RepairOptions, Repairer, Standing};
    /// use tafl_parser::replay::{Choice, ReplayOptions};
    /// use tafl_parser::{Format, Source};
    /// use tafl_rules::catalog;
    ///
    /// // The fourth move goes to d1, from where the king walks on; d4-d2 leads nowhere.
    /// let source = Source::new("d1-f1 d3-a3 d2-e2 d4-d2 a4-a6 d1-a1,0,0,White");
    /// let rules = catalog::find("brandubh7").map(Choice::named);
    /// let options = ReplayOptions { rules, ..ReplayOptions::default() };
    /// let mut repairer = Repairer::new(options, RepairOptions::default());
    /// let diagnosis = repairer.repair(&source, &Format::MoveList.parse(&source));
    /// assert_eq!(diagnosis.standing, Standing::Decided);
    /// assert_eq!(diagnosis.repairs[0].edits[0].words(), "ply 4: d4-d1 instead of d4-d2");
    /// ```
    pub fn repair(&mut self, source: &Source<'_>, parsed: &Parsed<Record>) -> Diagnosis {
        let record = &parsed.value;
        let replay = self.replayer.replay(record);
        let words = words(parsed);
        let unrepaired = |standing, replay| Diagnosis { standing, replay, repairs: Vec::new(), n_more: 0 };
        if let Some(standing) = unbroken(record, &replay).filter(|_| words.is_empty()) {
            return unrepaired(standing, replay);
        }
        if record.main().moves.len() > MOST_MOVES {
            return unrepaired(Standing::Undecidable(Undecidable::Budget), replay);
        }
        let Some(rules) = self.rules(record, &replay) else {
            return unrepaired(Standing::Undecidable(Undecidable::NoRules), replay);
        };
        let is_guess = replay.rules.is_none()
            || replay
                .diagnostics
                .iter()
                .any(|found| matches!(found.kind, DiagnosticKind::Header(Header::Guessed { .. })));
        let is_counted = record.capture_style != CaptureStyle::NotWritten
            && replay
                .diagnostics
                .iter()
                .any(|found| matches!(found.kind, DiagnosticKind::Capture(Capture::Count { .. })));
        let candidate = RepairCandidate { record: record.clone(), words, rules, is_counted };
        let search = RepairSearch {
            replayer: &mut self.replayer,
            source: *source,
            unknown: unknown_name(record, &replay),
            named: if is_guess { RulesOrigin::ByGuess } else { RulesOrigin::ByRecord },
            max_edits: most_edits(&candidate).min(self.options.max_edits),
            budget: PlyBudget::new(self.options.budget),
        };
        let found = search.run(candidate, &replay.diagnostics);
        let standing = self.standing(record, &replay, &found);
        Diagnosis { standing, replay, repairs: found.repairs, n_more: found.n_more }
    }

    /// Returns the rules to begin with: those of the replay, else any of the right board.
    fn rules(&mut self, record: &Record, replay: &Replay) -> Option<Arc<Chosen>> {
        if let Some(rules) = &replay.rules {
            return Some(Arc::clone(rules));
        }
        let written = record.variant.as_ref()?;
        let similar = tafl_rules::catalog::similar(&written.text);
        similar.into_iter().next().and_then(|name| self.replayer.by_name(name))
    }

    fn standing(&self, record: &Record, replay: &Replay, found: &search::RepairSearchResult) -> Standing {
        let (played, moves) = (replay.plies.len(), record.main().moves.len());
        let Some(first) = found.repairs.first() else {
            return Standing::Undecidable(match (found.is_given_up, played) {
                (true, _) => Undecidable::Budget,
                (false, 0) if found.furthest == 0 => Undecidable::NothingPlays,
                (false, _) => Undecidable::NoChange { played, furthest: found.furthest, moves },
            });
        };
        match first.confidence >= self.options.confidence {
            true => Standing::Decided,
            false => Standing::Ambiguous,
        }
    }
}

/// Returns what a record comes to that no change has to mend, if it is one.
fn unbroken(record: &Record, replay: &Replay) -> Option<Standing> {
    if let (true, Soundness::Explained(code)) = (record.format.is_lossy(), replay.verdict())
        && !defects(record, replay).any(is_slip)
    {
        return Some(Standing::Explained(code));
    }
    let mut late = None;
    for found in defects(record, replay) {
        // That nobody saw an end is more probable than any slip that makes one.
        if !is_late(found) {
            return None;
        }
        late = Some(found.code());
    }
    Some(late.map_or(Standing::Sound, Standing::Explained))
}

/// Returns whether a finding says that a move cannot be, stands twice or is missing: the reason is the writer.
fn is_slip(found: &Diagnostic) -> bool {
    match &found.kind {
        DiagnosticKind::Legality(_) => true,
        DiagnosticKind::Play(kind) => matches!(kind, Play::Doubled | Play::MissingMove { .. }),
        DiagnosticKind::Text(_)
        | DiagnosticKind::Header(_)
        | DiagnosticKind::Rules(_)
        | DiagnosticKind::Capture(_)
        | DiagnosticKind::End(_)
        | DiagnosticKind::Loss(_) => false,
    }
}

/// Returns whether a finding says that play goes on after an end.
fn is_late(found: &Diagnostic) -> bool {
    matches!(found.kind, DiagnosticKind::End(End::AfterEnd { .. }))
}

/// Returns how many changes a record bears before it is another one.
fn most_edits(candidate: &RepairCandidate) -> usize {
    ((candidate.record.main().moves.len() + candidate.words.len()) / MOVES_OF_AN_EDIT).max(1)
}

/// Returns the name of the variant that a record gives, if nobody knows it.
fn unknown_name<'r>(record: &'r Record, replay: &Replay) -> Option<&'r str> {
    let is_unknown =
        |found: &Diagnostic| matches!(found.kind, DiagnosticKind::Header(Header::UnknownVariant));
    let written = record.variant.as_ref().filter(|_| replay.rules.is_none())?;
    replay.diagnostics.iter().any(is_unknown).then_some(&*written.text)
}

/// Returns the findings about the game itself that a change could mend: what its moves, captures, boards or result
/// contradict. Variations are not repaired.
fn defects<'r>(record: &'r Record, replay: &'r Replay) -> impl Iterator<Item = &'r Diagnostic> {
    let of_variations: HashSet<Span> =
        record.lines.iter().skip(1).flat_map(|line| &line.moves).map(|mv| mv.span).collect();
    replay.diagnostics.iter().filter(move |found| {
        let is_meant = match &found.kind {
            DiagnosticKind::Legality(_) | DiagnosticKind::Capture(_) | DiagnosticKind::End(_) => true,
            DiagnosticKind::Play(kind) => !matches!(kind, Play::Undecided),
            DiagnosticKind::Header(kind) => matches!(
                kind,
                Header::Contradiction { .. } | Header::BeginningMissing | Header::UnknownVariant
            ),
            DiagnosticKind::Text(_) | DiagnosticKind::Rules(_) | DiagnosticKind::Loss(_) => false,
        };
        is_meant && found.severity() > Severity::Note && !of_variations.contains(&found.span)
    })
}

/// Returns the words among the moves of the game that could not be read; variations are not repaired.
fn words(parsed: &Parsed<Record>) -> Vec<UnreadWord> {
    let moves = &parsed.value.main().moves;
    let is_word = |found: &&Diagnostic| matches!(found.kind, DiagnosticKind::Text(Text::BadMove));
    let place = |found: &Diagnostic| UnreadWord {
        after: moves.partition_point(|mv| mv.span.start < found.span.start),
        span: found.span,
    };
    parsed.diagnostics.iter().filter(is_word).map(place).collect()
}
