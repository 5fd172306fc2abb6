//! The history of a game in a proof: positions that end the game when they are repeated once more.

use std::collections::HashMap;

use tafl_rules::ruleset::RepetitionRule;
use tafl_rules::zobrist::Key;
use tafl_rules::{Game, Outcome, Side};

/// The positions of a game's history whose next occurrence triggers a rule.
#[derive(Debug, Default)]
pub(super) struct PathHistory {
    /// The rules that the next occurrence of a position triggers, in their order.
    spent: HashMap<Key, Vec<RepetitionRule>>,
}

impl PathHistory {
    /// Collects them from the history of a game.
    pub(super) fn of(game: &Game) -> PathHistory {
        let mut counts: HashMap<Key, u32> = HashMap::new();
        for key in game.turn_keys() {
            *counts.entry(key).or_default() += 1;
        }
        let rules = &game.rules().repetition;
        let triggered = |count: u32| -> Vec<RepetitionRule> {
            let by =
                |rule: &RepetitionRule| rule.position_occurrences().is_some_and(|needed| count + 1 >= needed);
            rules.iter().copied().filter(by).collect()
        };
        let spent = counts.into_iter().map(|(key, count)| (key, triggered(count)));
        PathHistory { spent: spent.filter(|(_, rules)| !rules.is_empty()).collect() }
    }

    /// Returns whether no position of the history triggers a rule.
    pub(super) fn is_empty(&self) -> bool {
        self.spent.is_empty()
    }

    /// Returns how the game ends when a move of `mover` repeats a position, if it does.
    pub(super) fn end(&self, key: Key, mover: Side) -> Option<Outcome> {
        let triggered = self.spent.get(&key)?.iter().copied();
        RepetitionRule::deciding(triggered, mover).map(|(_, outcome)| outcome)
    }
}
