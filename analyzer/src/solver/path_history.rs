//! The history of a game for proofs: positions that end the game when they occur once more.

use std::collections::HashMap;

use tafl_rules::{Game, Outcome, PositionKey, RepetitionRule, Side};

/// The positions of a game's history whose next occurrence triggers a rule.
#[derive(Debug, Default)]
pub(super) struct PathHistory {
    /// The rules triggered by the next occurrence of each position, in their order.
    triggered_rules: HashMap<PositionKey, Vec<RepetitionRule>>,
}

impl PathHistory {
    /// Collects the positions from the history of a game.
    pub(super) fn of(game: &Game) -> PathHistory {
        let mut counts: HashMap<PositionKey, u32> = HashMap::new();
        for key in game.turn_keys() {
            *counts.entry(key).or_default() += 1;
        }
        let rules = &game.rules().repetition;
        let triggered = |count: u32| -> Vec<RepetitionRule> {
            let by =
                |rule: &RepetitionRule| rule.position_occurrences().is_some_and(|needed| count + 1 >= needed);
            rules.iter().copied().filter(by).collect()
        };
        let triggered_rules = counts.into_iter().map(|(key, count)| (key, triggered(count)));
        PathHistory { triggered_rules: triggered_rules.filter(|(_, rules)| !rules.is_empty()).collect() }
    }

    /// Returns whether no position of the history triggers a rule.
    pub(super) fn is_empty(&self) -> bool {
        self.triggered_rules.is_empty()
    }

    /// Returns the outcome if a move of `mover` to a position triggers a rule.
    pub(super) fn end(&self, key: PositionKey, mover: Side) -> Option<Outcome> {
        let triggered = self.triggered_rules.get(&key)?.iter().copied();
        RepetitionRule::deciding(triggered, mover).map(|(_, outcome)| outcome)
    }
}
