//! Options about the end of games.

use tafl_rules::{Encirclement, NoMoves, RepetitionRule, RuleSet};

use super::{ParameterSetting, RuleParameter, choices, on_off, setting};

pub(super) const PARAMETERS: &[RuleParameter] = &[
    RuleParameter {
        name: "exit-fort",
        key: "efe",
        about: "whether an exit fort wins",
        settings: |rules, _| on_off(rules, |rules| &mut rules.exit_fort),
    },
    RuleParameter {
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
    RuleParameter {
        name: "no-moves",
        key: "xnom",
        about: "result of having no legal move",
        settings: |rules, _| {
            let values = [("lose", NoMoves::Lose), ("draw", NoMoves::Draw), ("none", NoMoves::Ignore)];
            choices(rules, &values, |rules, value| rules.no_moves = value)
        },
    },
    RuleParameter {
        name: "repetition",
        key: "xrep",
        about: "result of repetitions",
        settings: |rules, _| repetition(rules),
    },
    RuleParameter {
        name: "ply-limit",
        key: "xlim",
        about: "the limit of plies",
        settings: |rules, hints| {
            let known = rules.ply_limit.into_iter();
            limits(rules, known.chain(hints.limits.iter().copied()), |rules, limit| rules.ply_limit = limit)
        },
    },
    RuleParameter {
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

fn repetition(rules: &RuleSet) -> Vec<ParameterSetting> {
    let lists = [
        "none", "pos3draw", "pos3def", "pos3lose", "pos3win", "pos2draw", "pos2def", "pos2lose", "pos4draw",
        "pos4def", "cfg4def", "defko",
    ];
    let settings = lists.into_iter().map(|word| {
        // The word `none` stands for an empty list.
        let list: Vec<RepetitionRule> = word.parse().into_iter().collect();
        setting(word, rules, |rules| rules.repetition = list)
    });
    settings.collect()
}

fn limits(
    rules: &RuleSet,
    known: impl Iterator<Item = u32>,
    set: fn(&mut RuleSet, Option<u32>),
) -> Vec<ParameterSetting> {
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
