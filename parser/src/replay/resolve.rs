//! Resolution of archive records that cannot be played as written.

use std::sync::Arc;

use tafl_rules::{Berserk, Span};

use super::fork::{Allowance, EndCheck};
use super::plan::{Plan, PlanStep};
use super::search::{FoundPlan, PlanSearch};
use super::walk::Walk;
use super::{ChosenRules, Replay};
use crate::diagnostic::{
    CaptureFinding, Diagnostic, DiagnosticKind, EndFinding, HeaderFinding, LegalityFinding,
};
use crate::record::Record;

/// Longer records are skipped. No human game is that long.
const MAX_MOVES: usize = 2000;

/// The allowances for the records of one archive, from frequent to rare deviations. The first allowance that
/// explains a record wins, so the order prefers the most common explanation.
///
/// The budgets and counts are choices, made on the archive of aagenielsen.dk. A change of any of them changes the games
/// that remain unexplained, which `tests/fixtures/unexplained.tsv` lists, or the time for records that have no plan.
const PLAIN: Allowance = Allowance {
    budget: 3000,
    unwritten: false,
    unreal_captures: true,
    unmade: 0,
    differences: false,
    take_backs: 6,
    late_take_backs: false,
    is_directed: false,
    miswritten: 0,
    after_end: false,
    end: EndCheck::Winner,
};
const LATE: Allowance =
    Allowance { budget: 20_000, take_backs: 1, late_take_backs: true, unreal_captures: false, ..PLAIN };
const WITHOUT_CHAINS: [Allowance; 8] = [
    PLAIN,
    Allowance { unmade: 2, ..PLAIN },
    Allowance { after_end: true, ..PLAIN },
    Allowance { after_end: true, miswritten: 2, ..PLAIN },
    LATE,
    Allowance { miswritten: 1, ..LATE },
    Allowance { after_end: true, miswritten: 2, end: EndCheck::Nothing, ..PLAIN },
    Allowance { after_end: true, miswritten: 2, differences: true, end: EndCheck::Nothing, ..PLAIN },
];

const CHAINS: Allowance = Allowance {
    budget: 1500,
    unwritten: true,
    unreal_captures: false,
    unmade: 0,
    differences: false,
    take_backs: 0,
    late_take_backs: false,
    is_directed: false,
    miswritten: 0,
    after_end: false,
    end: EndCheck::Counts,
};
const WITH_CHAINS: [Allowance; 15] = [
    Allowance { budget: 600, ..CHAINS },
    Allowance { end: EndCheck::OnBoard, budget: 5000, ..CHAINS },
    Allowance { end: EndCheck::Winner, ..CHAINS },
    Allowance { budget: 4000, is_directed: true, ..CHAINS },
    Allowance { budget: 4000, is_directed: true, end: EndCheck::OnBoard, ..CHAINS },
    Allowance { budget: 4000, is_directed: true, end: EndCheck::Winner, ..CHAINS },
    Allowance { budget: 600, unreal_captures: true, take_backs: 3, ..CHAINS },
    Allowance { end: EndCheck::Winner, unreal_captures: true, take_backs: 3, ..CHAINS },
    Allowance { end: EndCheck::Winner, unreal_captures: true, unmade: 1, ..CHAINS },
    Allowance { end: EndCheck::Winner, unreal_captures: true, take_backs: 3, after_end: true, ..CHAINS },
    Allowance {
        end: EndCheck::Winner,
        budget: 4000,
        is_directed: true,
        unreal_captures: true,
        take_backs: 3,
        ..CHAINS
    },
    Allowance {
        end: EndCheck::Winner,
        budget: 6000,
        is_directed: true,
        unreal_captures: true,
        take_backs: 20,
        after_end: true,
        ..CHAINS
    },
    Allowance { end: EndCheck::Winner, take_backs: 1, late_take_backs: true, budget: 20_000, ..CHAINS },
    Allowance { end: EndCheck::Nothing, unreal_captures: true, take_backs: 3, after_end: true, ..CHAINS },
    Allowance {
        end: EndCheck::Nothing,
        unreal_captures: true,
        take_backs: 3,
        after_end: true,
        miswritten: 2,
        ..CHAINS
    },
];

/// A record with diagnostics, and the means to replay it.
pub(super) struct Resolver<'r> {
    pub(super) record: &'r Record,
    /// The diagnostics about the header.
    pub(super) header: &'r [Diagnostic],
    pub(super) count_moves: bool,
}

/// A replay, and whether it explains every move.
struct Ranked {
    replay: Replay,
    explains_all: bool,
}

impl Resolver<'_> {
    /// Returns the replay that explains the most; `plain` is the one by the written moves.
    #[cold]
    pub(super) fn resolve(&self, chosen: &Arc<ChosenRules>, plain: Replay) -> Replay {
        let moves = &self.record.main().moves;
        let is_chained = moves.iter().any(|mv| mv.chained);
        if !needs_reasons(&plain, chosen) || is_chained || moves.len() > MAX_MOVES {
            return plain;
        }
        // With a look back at earlier moves, a mark of a capture that another move would have made has its reason already.
        // In a turn of several steps, that other move may be a step of it.
        let looked_back = self.walk(chosen, &Plan::new());
        let has_chains = chosen.book.rules().berserk != Berserk::None;
        if self.has_all_moves(&looked_back)
            && !needs_reasons(&looked_back, chosen)
            && !(has_chains && has_stray_marks(&looked_back))
        {
            return looked_back;
        }
        for (differs, other) in &chosen.other_editions {
            let replay = self.walk(other, &Plan::new());
            if !needs_reasons(&replay, other) && !has_stray_marks(&replay) {
                return by_edition(replay, self.record, differs);
            }
        }
        if let Some(replay) = self.with_changed_edition(chosen, &looked_back) {
            return replay;
        }
        let mut best = self.improve(chosen, Ranked { replay: plain, explains_all: false });
        if best.explains_all && self.has_all_moves(&best.replay) && best.replay.unexplained().next().is_none()
        {
            return best.replay;
        }
        for (differs, other) in &chosen.other_editions {
            let plain = Ranked { replay: self.walk(other, &Plan::new()), explains_all: false };
            let next = self.improve(other, plain);
            if next.is_better_than(&best) {
                best = Ranked { replay: by_edition(next.replay, self.record, differs), ..next };
            }
        }
        best.replay
    }

    /// Returns the replay of a game that begins by the rules of another edition and ends by those of the catalog, given its
    /// replay by the latter alone.
    fn with_changed_edition(&self, chosen: &Arc<ChosenRules>, by_catalog: &Replay) -> Option<Replay> {
        let moves = &self.record.main().moves;
        let first_conflict = |replay: &Replay| {
            let conflicts = replay.diagnostics.iter().filter(|found| is_conflict_of_moves(found));
            let of_span = |span: Span| moves.partition_point(|mv| mv.span.end <= span.start);
            conflicts.map(|found| of_span(found.span)).min()
        };
        let catalog_conflict = first_conflict(by_catalog)?;
        for (differs, other) in &chosen.other_editions {
            if other.book.rules().start != chosen.book.rules().start {
                continue;
            }
            let Some(from) = first_conflict(&self.walk(other, &Plan::new())) else { continue };
            if from <= catalog_conflict || from >= moves.len() {
                continue;
            }
            let mut walk = self.new_walk(other);
            walk.later_rules = Some((from, &chosen.book));
            let mut replay = walk.run(&Plan::new(), chosen).0;
            if !needs_reasons(&replay, chosen) && !has_stray_marks(&replay) {
                let kind = HeaderFinding::EditionChanged { differs };
                replay.diagnostics.insert(0, Diagnostic::new(moves[from].span, kind));
                replay.diagnostics.sort_by_key(|found| found.span.start);
                return Some(replay);
            }
        }
        None
    }

    /// Returns the replay by a plan that explains more than the given one, if any, otherwise the given one.
    fn improve(&self, chosen: &Arc<ChosenRules>, plain: Ranked) -> Ranked {
        let Some(found) = plan_for(self.record, chosen, &plain.replay) else { return plain };
        let next = Ranked { replay: self.walk(chosen, &found.plan), explains_all: found.explains_all };
        if next.is_better_than(&plain) { next } else { plain }
    }

    /// Returns whether a replay has every written move.
    fn has_all_moves(&self, replay: &Replay) -> bool {
        let n_played = replay.plies.iter().filter(|ply| !ply.is_unwritten()).count();
        n_played == self.record.main().moves.len()
    }

    fn walk(&self, chosen: &Arc<ChosenRules>, plan: &Plan) -> Replay {
        self.new_walk(chosen).run(plan, chosen).0
    }

    fn new_walk<'w>(&'w self, chosen: &'w ChosenRules) -> Walk<'w> {
        let mut walk = Walk::new(self.record, chosen, None, self.header.to_vec());
        walk.count_moves = self.count_moves;
        walk.report.looks_back = true;
        walk
    }
}

impl Ranked {
    fn is_better_than(&self, other: &Ranked) -> bool {
        let rank = |ranked: &Ranked| {
            (
                !ranked.explains_all,
                ranked.replay.unexplained().count(),
                usize::MAX - ranked.replay.plies.len(),
            )
        };
        rank(self) < rank(other)
    }
}

/// Searches for a plan for a record whose written moves lead to the replay `plain`.
fn plan_for(record: &Record, chosen: &ChosenRules, plain: &Replay) -> Option<FoundPlan> {
    let rules = chosen.book.rules();
    let are_moves_wrong = are_moves_wrong(plain);
    let attempts: &[Allowance] = if rules.berserk == Berserk::None { &WITHOUT_CHAINS } else { &WITH_CHAINS };
    let mut best: Option<FoundPlan> = None;
    // A result that does not fit the last position says nothing about moves that were taken back.
    for allow in attempts.iter().filter(|allow| are_moves_wrong || !allow.late_take_backs) {
        let Some(found) = PlanSearch::run(record, &chosen.book, *allow) else { continue };
        if found.explains_all {
            return Some(found);
        }
        if best.as_ref().is_none_or(|best| found.reach > best.reach) {
            best = Some(found);
        }
    }
    // A plan that does not reach the end explains nothing, but it is kept up to the point where it stops.
    best.filter(|found| {
        found.plan.iter().all(|step| {
            matches!(
                step,
                PlanStep::Written | PlanStep::Unwritten(_) | PlanStep::Within(_) | PlanStep::LastWithin(_)
            )
        })
    })
    .or_else(|| Some(FoundPlan { plan: Vec::new(), explains_all: false, reach: 0 }))
}

fn by_edition(mut replay: Replay, record: &Record, differs: &'static str) -> Replay {
    let span = record.main().moves.first().map_or(Span::at(0), |mv| mv.span);
    replay.diagnostics.insert(0, Diagnostic::new(span, HeaderFinding::OtherEdition { differs }));
    replay
}

/// Returns whether a replay has moves that cannot be played, or captures that differ.
fn are_moves_wrong(replay: &Replay) -> bool {
    replay.diagnostics.iter().any(is_conflict_of_moves)
}

/// Returns whether a diagnostic reports a move that cannot be played, or captures that differ.
fn is_conflict_of_moves(found: &Diagnostic) -> bool {
    matches!(
        found.kind,
        DiagnosticKind::Legality(_)
            | DiagnosticKind::Capture(CaptureFinding::Missing { .. } | CaptureFinding::Unreal { .. })
    )
}

/// Returns whether a replay has marks of captures that another move would have made.
fn has_stray_marks(replay: &Replay) -> bool {
    let is_stray =
        |found: &Diagnostic| matches!(found.kind, DiagnosticKind::Capture(CaptureFinding::Stray { .. }));
    replay.diagnostics.iter().any(is_stray)
}

/// Returns whether a replay contains anything that needs an explanation.
fn needs_reasons(replay: &Replay, chosen: &ChosenRules) -> bool {
    let has_chains = chosen.book.rules().berserk != Berserk::None;
    replay.diagnostics.iter().any(|found| match &found.kind {
        DiagnosticKind::Legality(kind) => !matches!(kind, LegalityFinding::WrongLetter { .. }),
        DiagnosticKind::Capture(CaptureFinding::Missing { .. } | CaptureFinding::Unreal { .. }) => true,
        DiagnosticKind::Capture(CaptureFinding::Count { .. } | CaptureFinding::CountOfMade { .. }) => {
            has_chains
        }
        DiagnosticKind::End(EndFinding::Mismatch { .. } | EndFinding::Contradiction { .. }) => true,
        DiagnosticKind::End(EndFinding::AfterEnd { .. } | EndFinding::SilentResignation { .. }) => has_chains,
        DiagnosticKind::Text(_)
        | DiagnosticKind::Header(_)
        | DiagnosticKind::Rules(_)
        | DiagnosticKind::Capture(_)
        | DiagnosticKind::End(_)
        | DiagnosticKind::Play(_)
        | DiagnosticKind::Loss(_) => false,
    })
}
