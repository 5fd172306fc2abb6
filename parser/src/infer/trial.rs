//! One record under one rule set.
//!
//! A trial goes on after a discrepancy, on the board that the record describes: so each one speaks about its own rule, and
//! a wrong rule at the beginning hides nothing of what comes later. Where captures are not written, the board is known
//! only as long as nothing differs, and the trial stops there.

use tafl_rules::ruleset::Berserk;
use tafl_rules::{AnyRulebook, Game, Reason, RepetitionMode, Span};

use super::game::GameEvidence;
use super::kind::kind;
use crate::record::{CaptureStyle, Verdict};
use crate::replay::{ChainLimits, Discrepancy, Policy, Reconciler, Response, chain_steps};

/// The number of written moves that may be played for a record with unwritten steps, for each move that it has.
const EFFORT: usize = 12;
/// The continuations of a turn that are tried. The true rules explain fewer games where each step is followed up before
/// the next one is tried: the bound is spent on long turns.
const LIMITS: ChainLimits = ChainLimits { continuations: 24, steps: 3, siblings_first: true };

/// What a trial came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Trial {
    /// The kinds of discrepancies, a bit for each.
    pub(super) kinds: u32,
    /// The number of discrepancies.
    pub(super) n_faults: u16,
    /// The first discrepancy that contradicts the rules, else the first of any kind, and the index of its move.
    pub(super) first: Option<(u32, Discrepancy)>,
    /// The end on the board that the record agrees with.
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

/// Returns whether a discrepancy contradicts the rules; a game may also stop in silence for other reasons.
const fn contradicts(found: &Discrepancy) -> bool {
    !matches!(
        found,
        Discrepancy::SilentWin { .. } | Discrepancy::SilentStop { .. } | Discrepancy::EndedBefore(_)
    )
}

/// Plays records under one rule set.
#[derive(Debug, Clone)]
pub(super) struct Bench<'b> {
    book: &'b AnyRulebook,
    reconciler: Reconciler<'b>,
}

/// A record on its way.
struct Run<'r, 'b> {
    reconciler: &'r mut Reconciler<'b>,
    policy: Force<'r>,
}

/// The policy of inference: it notes each discrepancy, and goes on with the board that the record describes.
struct Force<'r> {
    evidence: &'r GameEvidence,
    /// The number of the move that is being played.
    index: usize,
    trial: Trial,
}

impl Policy for Force<'_> {
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
            | Discrepancy::EndedBefore(_)
            | Discrepancy::SilentWin { .. }
            | Discrepancy::SilentStop { .. } => true,
            Discrepancy::Unrecorded(board) => {
                let is_doubtful = board.reason == Reason::Repetition && game.outcome().is_none();
                claim.verdict == Verdict::Ongoing && (!is_doubtful || claim.reason.is_none())
            }
            // Slips of the writer say nothing about rules.
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

    /// Only the end is looked at after the last move, and another board would forget it.
    fn forces_captures(&self) -> bool {
        self.index + 1 < self.evidence.steps.len()
    }

    fn next_move(&mut self) {
        self.index += 1;
    }
}

impl<'b> Bench<'b> {
    pub(super) fn new(book: &'b AnyRulebook) -> Bench<'b> {
        let game = Game::with_mode(book, RepetitionMode::Report);
        Bench { book, reconciler: Reconciler::new(book, game, CaptureStyle::NotWritten) }
    }

    /// Returns what a record comes to.
    pub(super) fn trial(&mut self, evidence: &GameEvidence) -> Trial {
        let reconciler = &mut self.reconciler;
        reconciler.game.restart();
        if let Some(side) = evidence.first_mover {
            reconciler.game.set_to_move(side);
        }
        reconciler.restart(evidence.style);
        let mut run = Run { reconciler, policy: Force { evidence, index: 0, trial: Trial::default() } };
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

/// A turn that could have gone on.
struct ForkedTurn {
    /// The written move that comes next.
    index: usize,
    trial: Trial,
    /// The games that are left to be tried, the likeliest last.
    ways: Vec<Game>,
}

impl Run<'_, '_> {
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

    /// Plays a record whose turns may have further steps that are not written.
    ///
    /// Where a move does not fit, the last turn that could have gone on goes on in another way. The search is bounded; what
    /// came furthest counts.
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
                    let ways = chain_steps(&self.reconciler.game, LIMITS).into_iter().rev();
                    let ways = ways.map(|way| way.game).collect();
                    forks.push(ForkedTurn { index, trial: self.policy.trial, ways });
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
            // A game that only ends strangely would end well in some longer turn by almost any rules: that is no evidence.
            if self.policy.trial.agrees() || left == 0 {
                break;
            }
            while forks.last().is_some_and(|fork| fork.ways.is_empty()) {
                forks.pop();
            }
            let Some(fork) = forks.last_mut() else { break };
            let Some(way) = fork.ways.pop() else { break };
            self.reconciler.game = way;
            self.reconciler.restart(evidence.style);
            index = fork.index;
            self.policy.trial = fork.trial;
        }
        best.map(|(_, trial)| trial).unwrap_or_default()
    }
}
