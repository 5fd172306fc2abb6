//! What the history of a game means for a proof: positions that end it when they come back once more.

use std::collections::HashMap;

use tafl_rules::ruleset::RepetitionRule;
use tafl_rules::zobrist::Key;
use tafl_rules::{Game, Outcome, Side};

/// Positions of a game's history whose next occurrence triggers a rule.
#[derive(Debug, Default)]
pub(super) struct Past {
    /// The rules that the next occurrence of a position triggers, in their order.
    spent: HashMap<Key, Vec<RepetitionRule>>,
}

impl Past {
    /// Looks at the history of a game.
    pub(super) fn of(game: &Game) -> Past {
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
        Past { spent: spent.filter(|(_, rules)| !rules.is_empty()).collect() }
    }

    /// Returns whether no position of the history matters.
    pub(super) fn is_empty(&self) -> bool {
        self.spent.is_empty()
    }

    /// Returns how the game ends when a move of `mover` brings a position back, if it does.
    pub(super) fn end(&self, key: Key, mover: Side) -> Option<Outcome> {
        let triggered = self.spent.get(&key)?.iter().copied();
        RepetitionRule::deciding(triggered, mover).map(|(_, outcome)| outcome)
    }
}
