//! Options about the end of games.

use tafl_rules::RuleSet;
use tafl_rules::ruleset::{Encirclement, NoMoves, Repetition, RepetitionEffect, RepetitionScope};

use super::{Dial, Setting, choices, setting};

pub(super) const DIALS: &[Dial] = &[
    Dial {
        name: "exit-fort",
        key: "efe",
        about: "whether an exit fort wins",
        settings: |rules, _| {
            choices(rules, &[("no", false), ("yes", true)], |rules, yes| rules.exit_fort = yes)
        },
    },
    Dial {
        name: "encirclement",
        key: "xenc",
        about: "whether enclosing all defenders wins",
        settings: |rules, _| {
            let values = [
                ("plain", Encirclement::Plain),
                ("none", Encirclement::None),
                ("secure", Encirclement::Secure),
            ];
            choices(rules, &values, |rules, value| rules.encirclement = value)
        },
    },
    Dial {
        name: "no-moves",
        key: "xnom",
        about: "what happens to a side without a legal move",
        settings: |rules, _| {
            let values = [("lose", NoMoves::Lose), ("draw", NoMoves::Draw), ("none", NoMoves::Ignore)];
            choices(rules, &values, |rules, value| rules.no_moves = value)
        },
    },
    Dial {
        name: "repetition",
        key: "xrep",
        about: "what happens when play repeats itself",
        settings: |rules, _| repetition(rules),
    },
    Dial {
        name: "ply-limit",
        key: "xlim",
        about: "the limit of plies",
        settings: |rules, hints| {
            let known = rules.ply_limit.into_iter();
            limits(rules, known.chain(hints.limits.iter().copied()), |rules, limit| rules.ply_limit = limit)
        },
    },
    Dial {
        name: "captureless-limit",
        key: "xlimc",
        about: "the limit of plies without a capture",
        settings: |rules, hints| {
            let known = rules.captureless_limit.into_iter();
            limits(rules, known.chain(hints.captureless.iter().copied()), |rules, limit| {
                rules.captureless_limit = limit;
            })
        },
    },
];

fn repetition(rules: &RuleSet) -> Vec<Setting> {
    use RepetitionEffect::{DefendersLose, DefendersMayNot, Draw, MoverLoses, MoverWins};
    use RepetitionScope::{Board, DefenderConfiguration, Position};
    let lists: [&[(RepetitionScope, u8, RepetitionEffect)]; 12] = [
        &[],
        &[(Position, 3, Draw)],
        &[(Position, 3, DefendersLose)],
        &[(Position, 3, MoverLoses)],
        &[(Position, 3, MoverWins)],
        &[(Position, 2, Draw)],
        &[(Position, 2, DefendersLose)],
        &[(Position, 2, MoverLoses)],
        &[(Position, 4, Draw)],
        &[(Position, 4, DefendersLose)],
        &[(DefenderConfiguration, 4, DefendersLose)],
        &[(Board, 2, DefendersMayNot)],
    ];
    let settings = lists.into_iter().map(|list| {
        let list: Vec<Repetition> = list
            .iter()
            .map(|(scope, count, effect)| Repetition { scope: *scope, count: *count, effect: *effect })
            .collect();
        let words: Vec<String> = list.iter().map(Repetition::word).collect();
        let word = if words.is_empty() { "none".to_owned() } else { words.join("+") };
        setting(&word, rules, |rules| rules.repetition = list)
    });
    settings.collect()
}

fn limits(
    rules: &RuleSet,
    known: impl Iterator<Item = u32>,
    set: fn(&mut RuleSet, Option<u32>),
) -> Vec<Setting> {
    let mut limits: Vec<u32> = known.collect();
    limits.sort_unstable();
    limits.dedup();
    if limits.is_empty() {
        return Vec::new();
    }
    let mut settings = vec![setting("none", rules, |rules| set(rules, None))];
    settings.extend(
        limits.into_iter().map(|limit| setting(&limit.to_string(), rules, |rules| set(rules, Some(limit)))),
    );
    settings
}
