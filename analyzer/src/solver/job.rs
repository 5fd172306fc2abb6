//! The alternating search for a win of either side, and the verdict that follows from it.

use tafl_rules::{
    AnyRulebook, BySide, CompileError, Game, Move, NoMoves, Position, RepetitionEffect, RepetitionRule,
    RuleSet, Rulebook, Side,
};

use super::check::{check_from, needs_whole_tree};
use super::dfpn::{GoalSearch, NO_BOUND};
use super::keys::{CanonicalKeys, Symmetries};
use super::path_history::PathHistory;
use super::proof::{NoProof, Proof, ProofExtractor};
use super::proof_table::{ProofNumbers, ProofTable};
use super::{GoalReport, GoalState, ProofVerdict, Solution, SolveBudget};
use crate::limits::{Instant, Nodes};

/// The number of nodes visited for one goal before the search switches to the other goal. It
/// doubles each time, so that the goal that fails costs about as much as the one that succeeds. The first size is a
/// choice: small enough that short wins of either side are found at once.
const FIRST_SLICE: u64 = 1 << 13;
/// The maximum number of nodes visited for one goal before the search switches to the other goal.
const LAST_SLICE: u64 = 1 << 24;

/// The maximum number of plies played by a check of a proof in which every line must be played to
/// its end.
const WHOLE_TREE: Nodes = Nodes(20_000_000);

/// A position to solve, with its budget.
pub(super) struct SolveJob<'w, const N: usize> {
    pub(super) any: &'w AnyRulebook,
    pub(super) book: &'w Rulebook<N>,
    pub(super) game: &'w Game,
    pub(super) budget: &'w SolveBudget,
    pub(super) started: Instant,
}

impl<const N: usize> SolveJob<'_, N> {
    /// Searches for a win of either side alternately, starting with the side to move.
    pub(super) fn run(
        &self,
        on_progress: &mut dyn FnMut(&BySide<GoalReport>),
    ) -> Result<Solution, CompileError> {
        let pos = self.position();
        let bound = self.budget.plies.unwrap_or(NO_BOUND);
        let mover = self.game.to_move();
        let sides: Vec<Side> = match self.budget.goal {
            Some(side) => vec![side],
            None => vec![mover, mover.other()],
        };
        let mut searches: Vec<GoalSearch<'_, N>> =
            sides.iter().map(|side| self.search(*side, pos, sides.len())).collect();
        let unasked = GoalReport { state: GoalState::Unasked, nodes: Nodes(0), hashfull: 0, forgotten: 0 };
        let mut goals = BySide { attackers: unasked, defenders: unasked };
        let most = self.budget.limits.nodes.map_or(u64::MAX, |nodes| nodes.0);
        let (mut slice, mut proof) = (FIRST_SLICE, None);
        'turns: loop {
            let mut goes_on = false;
            for search in &mut searches {
                let state = goals[search.goal].state;
                if !matches!(state, GoalState::Unasked | GoalState::Open { .. }) {
                    continue;
                }
                let spent = goals.attackers.nodes.0 + goals.defenders.nodes.0;
                let left = most.saturating_sub(spent);
                if left == 0 || search.is_over_time() {
                    break 'turns;
                }
                search.until = search.nodes.saturating_add(slice.min(left));
                search.is_stopped = false;
                let value = search.run(&pos, bound);
                goals[search.goal] = report(search, value);
                if value.is_proven() {
                    let spent = goals.attackers.nodes.0 + goals.defenders.nodes.0;
                    proof = self.extract_proof(search, &pos, bound, most.saturating_sub(spent));
                    goals[search.goal] = report(search, value);
                    if proof.is_some() {
                        break 'turns;
                    }
                    goals[search.goal].state = GoalState::Unwritten;
                }
                goes_on |= matches!(goals[search.goal].state, GoalState::Open { .. });
                on_progress(&goals);
            }
            if !goes_on {
                break;
            }
            slice = (slice * 2).min(LAST_SLICE);
        }
        if let Some(proof) = &proof {
            goals[proof.side].state = GoalState::Proven(proof.plies);
        }
        Ok(Solution {
            verdict: self.verdict(&goals, proof.as_ref()),
            nodes: Nodes(goals.attackers.nodes.0 + goals.defenders.nodes.0),
            goals,
            proof,
            time: self.started.elapsed(),
        })
    }

    pub(super) fn position(&self) -> Position<N> {
        let pos = self.book.position(&self.game.setup(), self.game.to_move());
        match self.game.chain() {
            Some(cell) => pos.with_chain(cell),
            None => pos,
        }
    }

    /// Returns the moves forbidden by repetition rules in the current position.
    fn forbidden(&self, pos: &Position<N>) -> Vec<Move> {
        let legal = self.game.moves();
        self.book.moves(pos).filter(|mv| !legal.contains(mv)).collect()
    }

    /// Returns the symmetries under which positions share a key: none if the history distinguishes
    /// mirror images.
    fn symmetries(&self, history: &PathHistory, forbidden: &[Move]) -> Symmetries {
        if history.is_empty() && forbidden.is_empty() { Symmetries::OfRules } else { Symmetries::None }
    }

    pub(super) fn search(&self, goal: Side, pos: Position<N>, goals: usize) -> GoalSearch<'_, N> {
        let history = PathHistory::of(self.game);
        let forbidden = self.forbidden(&pos);
        let keys = CanonicalKeys::new(self.book, self.symmetries(&history, &forbidden));
        let nodes = self.budget.limits.nodes.map_or(u64::MAX, |nodes| nodes.0);
        GoalSearch {
            book: self.book,
            goal,
            keys,
            history,
            // About one in twenty visited positions is stored, so a quarter is ample.
            table: ProofTable::new(self.budget.mebibytes / goals, nodes / 4),
            nodes: 0,
            until: 0,
            limits: self.budget.limits.clone(),
            started: self.started,
            is_stopped: false,
            root: pos,
            forbidden,
            path: Vec::new(),
            path_filter: vec![0; 1 << 12],
            buffers: Vec::new(),
        }
    }

    /// Extracts the proof of a proven position, and checks it if positions alone do not determine
    /// the outcome. Visits at most `left` nodes to recover overwritten parts.
    fn extract_proof(
        &self,
        search: &mut GoalSearch<'_, N>,
        pos: &Position<N>,
        bound: u16,
        left: u64,
    ) -> Option<Proof> {
        let symmetries = self.symmetries(&search.history, &search.forbidden);
        let proof = match ProofExtractor::extract(search, pos, bound, symmetries, left) {
            Ok(proof) => proof,
            Err(NoProof::Forgotten | NoProof::TooLarge) => return None,
        };
        let must_check = needs_whole_tree(self.game, proof.side, proof.plies);
        let (limits, started) = (&self.budget.limits, self.started);
        let is_over = || limits.is_over(started);
        (!must_check || check_from(self.game, self.any, &proof, WHOLE_TREE, &is_over).is_ok())
            .then_some(proof)
    }

    fn verdict(&self, goals: &BySide<GoalReport>, proof: Option<&Proof>) -> ProofVerdict {
        if let Some(proof) = proof {
            return ProofVerdict::Win { side: proof.side, plies: proof.plies };
        }
        let is_refuted = |side: Side| self.budget.plies.is_none() && goals[side].state == GoalState::Refuted;
        if needs_whole_tree(self.game, Side::Attackers, 0) || needs_whole_tree(self.game, Side::Defenders, 0)
        {
            return ProofVerdict::Unknown;
        }
        match infinite_play(self.game.rules()) {
            InfinitePlay::Draw if is_refuted(Side::Attackers) && is_refuted(Side::Defenders) => {
                ProofVerdict::Draw
            }
            InfinitePlay::Wins(side) if is_refuted(side.other()) => ProofVerdict::WinByRepetition(side),
            InfinitePlay::Draw | InfinitePlay::Wins(_) | InfinitePlay::Unclear => ProofVerdict::Unknown,
        }
    }
}

/// The outcome of play without end.
enum InfinitePlay {
    Draw,
    Wins(Side),
    Unclear,
}

fn infinite_play(rules: &RuleSet) -> InfinitePlay {
    if rules.ply_limit.is_some() || rules.captureless_limit.is_some() {
        return InfinitePlay::Unclear;
    }
    let deciding: Vec<&RepetitionRule> = rules.repetition.iter().filter(|rule| !rule.is_claim()).collect();
    match deciding[..] {
        [] => InfinitePlay::Draw,
        [RepetitionRule::Counted { effect, .. }] if deciding[0].position_occurrences().is_some() => {
            match effect {
                RepetitionEffect::Draw => InfinitePlay::Draw,
                // A side without moves must not be able to escape into a draw.
                RepetitionEffect::DefendersLose if rules.no_moves == NoMoves::Lose => {
                    InfinitePlay::Wins(Side::Attackers)
                }
                RepetitionEffect::DefendersLose
                | RepetitionEffect::MoverLoses
                | RepetitionEffect::MoverWins
                | RepetitionEffect::Claim => InfinitePlay::Unclear,
            }
        }
        _ => InfinitePlay::Unclear,
    }
}

fn report<const N: usize>(search: &GoalSearch<'_, N>, value: ProofNumbers) -> GoalReport {
    let state = if value.is_proven() {
        GoalState::Proven(value.plies)
    } else if value.is_disproven() {
        if value.path_dependent { GoalState::Exhausted } else { GoalState::Refuted }
    } else {
        GoalState::Open { proof_number: value.pn, disproof_number: value.dn }
    };
    GoalReport {
        state,
        nodes: Nodes(search.nodes),
        hashfull: search.table.hashfull(),
        forgotten: search.table.lost_proofs(),
    }
}
