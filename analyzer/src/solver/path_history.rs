//! The history of a game in a proof: positions that end the game when they are repeated once more.

use std::collections::HashMap;

use tafl_rules::ruleset::{Repetition, RepetitionEffect, RepetitionScope};
use tafl_rules::zobrist::Key;
use tafl_rules::{Game, Side};

/// How a game ends by a rule about repetition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Win(Side),
    Draw,
}

/// The positions of a game's history whose next occurrence triggers a rule.
#[derive(Debug, Default)]
pub(super) struct PathHistory {
    /// The effects that the next occurrence of a position triggers, in the order of the rules.
    spent: HashMap<Key, Vec<RepetitionEffect>>,
}

impl PathHistory {
    /// Collects them from the history of a game.
    pub(super) fn of(game: &Game) -> PathHistory {
        let mut counts: HashMap<Key, u32> = HashMap::new();
        for key in game.turn_keys() {
            *counts.entry(key).or_default() += 1;
        }
        let rules = &game.rules().repetition;
        let effects = |count: u32| -> Vec<RepetitionEffect> {
            let counted = |rule: &&Repetition| needed(rule).is_some_and(|needed| count + 1 >= needed);
            rules.iter().filter(counted).map(|rule| rule.effect).collect()
        };
        let spent = counts.into_iter().map(|(key, count)| (key, effects(count)));
        PathHistory { spent: spent.filter(|(_, effects)| !effects.is_empty()).collect() }
    }

    /// Returns whether no position of the history triggers a rule.
    pub(super) fn is_empty(&self) -> bool {
        self.spent.is_empty()
    }

    /// Returns how the game ends when a move of `mover` repeats a position, if it does.
    ///
    /// As in games, the first rule that decides counts, else the first that draws.
    pub(super) fn end(&self, key: Key, mover: Side) -> Option<End> {
        let mut drawn = None;
        for effect in self.spent.get(&key)? {
            match effect {
                RepetitionEffect::MoverLoses => return Some(End::Win(mover.other())),
                RepetitionEffect::MoverWins => return Some(End::Win(mover)),
                RepetitionEffect::DefendersLose if mover == Side::Defenders => {
                    return Some(End::Win(Side::Attackers));
                }
                RepetitionEffect::Draw => drawn = Some(End::Draw),
                RepetitionEffect::DefendersLose
                | RepetitionEffect::DefendersMayNot
                | RepetitionEffect::Claim => {}
            }
        }
        drawn
    }
}

/// Returns at which occurrence of a position a rule is triggered; nothing for rules that count something else.
fn needed(rule: &Repetition) -> Option<u32> {
    match rule.scope {
        RepetitionScope::Position => Some(rule.count.into()),
        RepetitionScope::Sequence => Some(u32::from(rule.count) + 1),
        RepetitionScope::DefenderConfiguration | RepetitionScope::Board => None,
    }
}
