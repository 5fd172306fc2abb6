//! The path to a position in the search, for the rules that depend on it.

use tafl_rules::{Outcome, Position, Reason, RepetitionRule, Side};

use super::path_rules::PathState;
use super::searcher::SearchWorker;

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
        if next.chain().is_some() {
            return None;
        }
        let rules = self.path_rules;
        let mut outcome = None;
        if !rules.configuration_rules.is_empty() && (side == Side::Defenders || is_capture) {
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
