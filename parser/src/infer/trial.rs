//! A trial: one record under one rule set.
//!
//! A trial continues after a discrepancy with the board described by the record, so that each discrepancy is
//! evidence about its own rule, and a wrong rule early in the game does not hide later ones. If captures are
//! not written, the board is known only up to the first discrepancy, and the trial stops there.

use tafl_rules::{AnyRulebook, Berserk, Game, Reason, RepetitionMode, Span};

use super::game::GameEvidence;
use super::kind::kind;
use crate::record::{CaptureStyle, WrittenVerdict};
use crate::replay::{ChainLimits, Discrepancy, Policy, Reconciler, Response, chain_steps};

/// The limit of played moves for a record with unwritten steps, per written move. A choice: it bounds the time of
/// records that fit no rules; a lower limit leaves more long turns unexplained.
const EFFORT: usize = 12;
/// The limits of the continuations of a turn. With depth-first order the true rules explain fewer games,
/// because long turns use up the limit.
const LIMITS: ChainLimits = ChainLimits { continuations: 24, steps: 3, siblings_first: true };

/// The result of a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Trial {
    /// The kinds of discrepancies as a bit set.
    pub(super) kinds: u32,
    /// The number of discrepancies.
    pub(super) n_faults: u16,
    /// The first discrepancy that contradicts the rules, otherwise the first of any kind, with the index of
    /// its move.
    pub(super) first: Option<(u32, Discrepancy)>,
    /// The end on the board, if the record agrees.
    pub(super) ended: Option<Reason>,
}

impl Trial {
    /// Returns whether nothing contradicts the rules.
    pub(super) fn agrees(&self) -> bool {
        self.first.is_none_or(|(_, found)| !contradicts(&found))
    }

    fn note(&mut self, index: usize, found: Discrepancy) {
        self.n_faults = self.n_faults.saturating_add(1);
        self.kinds |= kind(&found).map_or(0, |kind| 1 << kind);
        if self.agrees() && (contradicts(&found) || self.first.is_none()) {
            self.first = Some((index as u32, found));
        }
    }
}

/// Returns whether a discrepancy contradicts the rules; a game may stop without a reason for other causes.
const fn contradicts(found: &Discrepancy) -> bool {
    !matches!(
        found,
        Discrepancy::SilentWin { .. } | Discrepancy::SilentStop { .. } | Discrepancy::EndedBefore(_)
    )
}

/// Plays records under one rule set.
#[derive(Debug, Clone)]
pub(super) struct RuleTester<'b> {
    book: &'b AnyRulebook,
    reconciler: Reconciler<'b>,
}

/// The state of one record.
struct TrialRun<'r, 'b> {
    reconciler: &'r mut Reconciler<'b>,
    policy: InferencePolicy<'r>,
}

/// The policy of inference: it records each discrepancy, and continues with the board described by the
/// record.
struct InferencePolicy<'r> {
    evidence: &'r GameEvidence,
    /// The index of the current move.
    index: usize,
    trial: Trial,
}

impl Policy for InferencePolicy<'_> {
    const RULES_IN_QUESTION: bool = true;

    fn on(&mut self, game: &Game, _: Span, found: Discrepancy) -> Response {
        let claim = &self.evidence.claim;
        let is_noted = match found {
            Discrepancy::WrongSide { .. }
            | Discrepancy::Illegal { .. }
            | Discrepancy::Impossible { .. }
            | Discrepancy::AfterEnd(_)
            | Discrepancy::MissingCapture { .. }
            | Discrepancy::UnrealCapture { .. }
            | Discrepancy::Result { .. }
            | Discrepancy::NotOnBoard { .. }
            | Discrepancy::Swap { .. }
            | Discrepancy::EndedBefore(_)
            | Discrepancy::SilentWin { .. }
            | Discrepancy::SilentStop { .. } => true,
            Discrepancy::Unrecorded(board) => {
                let is_doubtful = board.reason == Reason::Repetition && game.outcome().is_none();
                claim.verdict == WrittenVerdict::Ongoing && (!is_doubtful || claim.reason.is_none())
            }
            // Writing errors carry no information about the rules.
            Discrepancy::OffBoard { .. }
            | Discrepancy::WrongLetter { .. }
            | Discrepancy::FirstMover { .. }
            | Discrepancy::BrokenChain
            | Discrepancy::CaptureOffBoard { .. }
            | Discrepancy::DoubledCapture { .. }
            | Discrepancy::CaptureLetter { .. }
            | Discrepancy::Board { .. }
            | Discrepancy::SideToMove { .. }
            | Discrepancy::Counts
            | Discrepancy::LastWord { .. }
            | Discrepancy::Unfinished => return Response::GoOn,
        };
        if is_noted {
            self.trial.note(self.index, found);
        }
        let is_unknown =
            matches!(found, Discrepancy::Illegal { .. }) && self.evidence.style == CaptureStyle::NotWritten;
        if is_unknown { Response::Stop } else { Response::Force }
    }

    /// Only the end is compared after the last move, and changing the board would discard it.
    fn forces_captures(&self) -> bool {
        self.index + 1 < self.evidence.steps.len()
    }

    fn next_move(&mut self) {
        self.index += 1;
    }
}

impl<'b> RuleTester<'b> {
    pub(super) fn new(book: &'b AnyRulebook) -> RuleTester<'b> {
        let game = Game::with_mode(book, RepetitionMode::Report);
        RuleTester { book, reconciler: Reconciler::new(book, game, CaptureStyle::NotWritten) }
    }

    /// Returns the result of a record.
    pub(super) fn trial(&mut self, evidence: &GameEvidence) -> Trial {
        let mut trial = self.play(evidence);
        let allowed = self.book.rules().swap;
        if let Some(after) = evidence.swap.filter(|after| allowed != Some(*after)) {
            trial.note(0, Discrepancy::Swap { after, allowed });
        }
        trial
    }

    fn play(&mut self, evidence: &GameEvidence) -> Trial {
        let reconciler = &mut self.reconciler;
        reconciler.game.restart();
        if let Some(side) = evidence.first_mover {
            reconciler.game.set_to_move(side);
        }
        reconciler.restart(evidence.style);
        let policy = InferencePolicy { evidence, index: 0, trial: Trial::default() };
        let mut run = TrialRun { reconciler, policy };
        if evidence.may_lack_steps && self.book.rules().berserk != Berserk::None {
            return run.with_chains();
        }
        for index in 0..evidence.steps.len() {
            if !run.step(index) {
                return run.policy.trial;
            }
        }
        run.end();
        run.policy.trial
    }
}

/// A turn with alternative continuations.
struct ForkedTurn {
    /// The index of the next written move.
    index: usize,
    trial: Trial,
    /// The remaining games to be tried, likeliest last.
    branches: Vec<Game>,
}

impl TrialRun<'_, '_> {
    /// Plays a move; returns whether the board is still known.
    fn step(&mut self, index: usize) -> bool {
        self.policy.index = index;
        self.reconciler.step(self.policy.evidence.written(index), &mut self.policy).is_ok()
    }

    /// Compares the end with the record.
    fn end(&mut self) {
        let evidence = self.policy.evidence;
        let Some(last) = evidence.steps.len().checked_sub(1) else { return };
        self.policy.index = last;
        let agreed = self.reconciler.compare_end(&evidence.claim, Span::at(0), &mut self.policy);
        self.policy.trial.ended = agreed.ok().flatten().map(|outcome| outcome.reason);
    }

    /// Plays a record whose turns may have unwritten steps.
    ///
    /// If a move does not fit, the last turn with alternatives is continued in another way. The search is
    /// bounded; the trial that goes furthest counts.
    fn with_chains(&mut self) -> Trial {
        let evidence = self.policy.evidence;
        let n_steps = evidence.steps.len();
        let mut forks: Vec<ForkedTurn> = Vec::new();
        let mut best: Option<(usize, Trial)> = None;
        let mut left = EFFORT * n_steps + 50;
        let mut index = 0;
        loop {
            while index < n_steps && self.policy.trial.agrees() {
                left = left.saturating_sub(1);
                if !self.step(index) {
                    break;
                }
                index += 1;
                if self.policy.trial.agrees() && self.reconciler.game.chain().is_some() {
                    let branches = chain_steps(&self.reconciler.game, LIMITS).into_iter().rev();
                    let branches = branches.map(|continuation| continuation.game).collect();
                    forks.push(ForkedTurn { index, trial: self.policy.trial, branches });
                }
            }
            if index == n_steps && self.policy.trial.agrees() {
                self.end();
            }
            let rank = |(reach, trial): &(usize, Trial)| (trial.agrees(), *reach, u16::MAX - trial.n_faults);
            let found = (index, self.policy.trial);
            if best.as_ref().is_none_or(|best| rank(best) < rank(&found)) {
                best = Some(found);
            }
            // A game that only ends unexpectedly would end as recorded with some longer turn under almost any
            // rules, so this is not evidence.
            if self.policy.trial.agrees() || left == 0 {
                break;
            }
            while forks.last().is_some_and(|fork| fork.branches.is_empty()) {
                forks.pop();
            }
            let Some(fork) = forks.last_mut() else { break };
            let Some(game) = fork.branches.pop() else { break };
            self.reconciler.game = game;
            self.reconciler.restart(evidence.style);
            index = fork.index;
            self.policy.trial = fork.trial;
        }
        best.map(|(_, trial)| trial).unwrap_or_default()
    }
}
