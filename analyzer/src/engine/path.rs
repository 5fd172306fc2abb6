//! The path to a position in the search, for the rules that depend on it.

use tafl_rules::{Outcome, Position, Reason, RepetitionRule, Side};

use super::path_rules::PathState;
use super::repetition::RepetitionResult;
use super::searcher::{SearchWorker, score_of};
use crate::score::Score;

impl<const N: usize> SearchWorker<'_, N> {
    /// Enters the position after a turn or a part of a chain, `ply` plies after the root: updates the state of the path and
    /// returns the outcome by the rules that depend on it. [`SearchWorker::leave_path`] undoes the update.
    pub(super) fn enter_path(
        &mut self,
        next: &Position<N>,
        ply: u16,
        side: Side,
        is_capture: bool,
    ) -> Option<Outcome> {
        let before = self.stack(ply - 1).path_state;
        let state = if is_capture {
            PathState { captureless: 0, first_configuration: self.configurations.len() }
        } else {
            PathState { captureless: before.captureless + 1, ..before }
        };
        self.stack(ply).path_state = state;
        if next.chain().is_some() { None } else { self.end_turn(next, ply, side) }
    }

    /// Returns whether a position has occurred since the last capture.
    #[inline]
    pub(super) fn is_on_path(&self, next: &Position<N>) -> bool {
        self.path.contains(&next.key().0)
    }

    /// Returns whether a turn of `side` leads to a position that has occurred since the last capture. If repetition is forbidden,
    /// the board counts, with either side to move.
    #[inline]
    pub(super) fn repeats(&self, next: &Position<N>, side: Side) -> bool {
        self.is_on_path(next)
            || (self.repetition[side] == RepetitionResult::Forbidden
                && self.path.contains(&next.key().with_other_side().0))
    }

    /// Enters a position inside a chain, and returns whether a jump leads back to a position of this chain that could have been
    /// declined instead.
    #[cold]
    pub(super) fn continues_in_a_cycle(
        &mut self,
        pos: &Position<N>,
        next: &Position<N>,
        ply: u16,
        is_capture: bool,
    ) -> bool {
        let n_before = self.path.len();
        let goes_on = pos.chain().is_some() && !is_capture;
        let start = if goes_on { self.stack(ply).chain_start } else { n_before };
        self.stack(ply + 1).chain_start = start;
        self.path[start..].contains(&next.key().0) && self.book.after_declining(pos).is_some()
    }

    /// Enters the position after `side` declined to continue a chain, and returns the score of the end of the game for that
    /// side; `None` if the game goes on. [`SearchWorker::leave_path`] undoes the update.
    #[cold]
    pub(super) fn end_by_declining(&mut self, declined: &Position<N>, ply: u16, side: Side) -> Option<Score> {
        let outcome = if self.path_rules.any() { self.end_turn(declined, ply, side) } else { None };
        let repetition = self.is_on_path(declined).then(|| self.repetition[side]);
        repetition
            .and_then(|repetition| repetition.score(ply + 1))
            .or_else(|| outcome.map(|outcome| score_of(outcome, side, ply + 1)))
    }

    /// Ends a turn of `side`, and returns the outcome by the rules that depend on the path.
    fn end_turn(&mut self, next: &Position<N>, ply: u16, side: Side) -> Option<Outcome> {
        let state = self.stack(ply).path_state;
        let rules = self.path_rules;
        let mut outcome = None;
        // After a capture, the first arrangement counts with either side to move.
        let is_first = self.configurations.len() == state.first_configuration;
        if !rules.configuration_rules.is_empty() && (side == Side::Defenders || is_first) {
            let key = next.defenders_key();
            self.configurations.push(key);
            let counted =
                self.configurations[state.first_configuration..].iter().filter(|other| **other == key);
            let occurrences = counted.count() as u32;
            if side == Side::Defenders && next.counts_defenders() {
                let hits = rules.configuration_rules.iter().filter(|rule| {
                    matches!(rule, RepetitionRule::Counted { count, .. } if occurrences >= u32::from(*count))
                });
                outcome = RepetitionRule::deciding(hits.copied(), side).map(|(_, outcome)| outcome);
            }
        }
        let is_over = |limit: Option<u32>, plies: u32| limit.is_some_and(|limit| plies >= limit);
        if outcome.is_none()
            && (is_over(rules.plies_left, ply.into()) || is_over(rules.captureless_limit, state.captureless))
        {
            outcome = Some(Outcome::draw(Reason::PlyLimit));
        }
        outcome
    }

    /// Leaves the positions after the one with the given number of arrangements.
    pub(super) fn leave_path(&mut self, n_configurations: usize) {
        self.configurations.truncate(n_configurations);
    }
}
