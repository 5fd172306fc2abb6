//! Options about who moves and how.

use tafl_rules::{Berserk, Directions, Jump, Piece, Role, RuleSet, Side};

use super::{
    ParameterSetting, RuleParameter, choices, has, has_role, movement_mut, on_off, setting, special_roles,
};

pub(super) const PARAMETERS: &[RuleParameter] = &[
    RuleParameter {
        name: "first-mover",
        key: "atkf",
        about: "side that moves first",
        settings: |rules, _| {
            let sides = [("attackers", Side::Attackers), ("defenders", Side::Defenders)];
            choices(rules, &sides, |rules, side| rules.first_mover = side)
        },
    },
    RuleParameter {
        name: "swap",
        key: "xswap",
        about: "number of plies after which the players may exchange sides",
        settings: |rules, hints| {
            let mut plies: Vec<u32> = hints.swaps.iter().copied().chain(rules.swap).collect();
            plies.sort_unstable();
            plies.dedup();
            if plies.is_empty() {
                return Vec::new();
            }
            let allowed = plies.into_iter().map(|plies| (plies.to_string(), Some(plies)));
            let values = std::iter::once(("not allowed".to_owned(), None)).chain(allowed);
            values.map(|(word, swap)| setting(&word, rules, |rules| rules.swap = swap)).collect()
        },
    },
    RuleParameter {
        name: "king-speed",
        key: "spd",
        about: "how far a king moves",
        settings: |rules, _| speed(rules, &Side::ALL, Role::King),
    },
    RuleParameter {
        name: "attackers-speed",
        key: "spd",
        about: "how far the attackers' men move",
        settings: |rules, _| speed(rules, &[Side::Attackers], Role::Soldier),
    },
    RuleParameter {
        name: "defenders-speed",
        key: "spd",
        about: "how far the defenders' men move",
        settings: |rules, _| speed(rules, &[Side::Defenders], Role::Soldier),
    },
    RuleParameter {
        name: "king-directions",
        key: "xmove",
        about: "in which directions a king moves",
        settings: |rules, _| directions(rules, Role::King),
    },
    RuleParameter {
        name: "men-directions",
        key: "xmove",
        about: "in which directions men move",
        settings: |rules, _| directions(rules, Role::Soldier),
    },
    RuleParameter {
        name: "commander-directions",
        key: "xmove",
        about: "in which directions commanders move",
        settings: |rules, _| directions(rules, Role::Commander),
    },
    RuleParameter {
        name: "king-jumps",
        key: "kj",
        about: "jumps of kings",
        settings: |rules, _| jumps(rules, Role::King),
    },
    RuleParameter {
        name: "knight-jumps",
        key: "nj",
        about: "jumps of knights",
        settings: |rules, _| jumps(rules, Role::Knight),
    },
    RuleParameter {
        name: "commander-jumps",
        key: "cj",
        about: "jumps of commanders",
        settings: |rules, _| jumps(rules, Role::Commander),
    },
    RuleParameter {
        name: "mercenary-jumps",
        key: "mj",
        about: "jumps of mercenaries",
        settings: |rules, _| jumps(rules, Role::Mercenary),
    },
    RuleParameter {
        name: "guard-jumps",
        key: "gj",
        about: "jumps of guards",
        settings: |rules, _| jumps(rules, Role::Guard),
    },
    RuleParameter {
        name: "jumps-over",
        key: "xover",
        about: "pieces that jumps may cross",
        settings: |rules, _| over(rules),
    },
    RuleParameter {
        name: "berserk",
        key: "ber",
        about: "whether a capture lets a piece move again",
        settings: |rules, _| {
            let values =
                [("no", Berserk::None), ("capture", Berserk::Capture), ("any move", Berserk::AnyMove)];
            choices(rules, &values, |rules, value| rules.berserk = value)
        },
    },
    RuleParameter {
        name: "chain-declined",
        key: "xber",
        about: "whether a player may end a chain early",
        settings: |rules, _| match rules.berserk {
            Berserk::None => Vec::new(),
            Berserk::Capture | Berserk::AnyMove => on_off(rules, |rules| &mut rules.chain.may_decline),
        },
    },
    RuleParameter {
        name: "chain-after-jumps",
        key: "xber",
        about: "whether a jump without a capture also lets a piece move again",
        settings: |rules, _| match rules.berserk {
            Berserk::Capture | Berserk::AnyMove if has_jumps(rules) => {
                on_off(rules, |rules| &mut rules.chain.after_jumps)
            }
            Berserk::None | Berserk::Capture | Berserk::AnyMove => Vec::new(),
        },
    },
];

fn has_jumps(rules: &RuleSet) -> bool {
    rules.pieces_in_play().iter().any(|piece| rules.movement[piece].jump != Jump::None)
}

fn speed(rules: &RuleSet, sides: &[Side], role: Role) -> Vec<ParameterSetting> {
    if sides.iter().all(|side| !has(rules, *side, role)) {
        return Vec::new();
    }
    let values = [("any", None), ("1", Some(1)), ("2", Some(2)), ("3", Some(3))];
    choices(rules, &values, |rules, max| {
        for side in sides.iter().filter(|side| has(rules, **side, role)).copied().collect::<Vec<_>>() {
            movement_mut(rules, side, role).max = max;
        }
    })
}

fn directions(rules: &RuleSet, role: Role) -> Vec<ParameterSetting> {
    if rules.shape().is_hex() || !has_role(rules, role) {
        return Vec::new();
    }
    choices(rules, &[("axes", Directions::Axes), ("queen", Directions::Queen)], |rules, value| {
        for side in Side::ALL.into_iter().filter(|side| has(rules, *side, role)).collect::<Vec<_>>() {
            movement_mut(rules, side, role).directions = value;
        }
    })
}

fn jumps(rules: &RuleSet, role: Role) -> Vec<ParameterSetting> {
    if !has_role(rules, role) {
        return Vec::new();
    }
    let values = [
        ("none", Jump::None),
        ("special cells", Jump::Restricted),
        ("plain", Jump::Plain),
        ("capturing", Jump::Capturing),
    ];
    choices(rules, &values, |rules, jump| {
        for side in Side::ALL {
            // The jumps of both sides are the same in rules strings.
            movement_mut(rules, side, role).jump = jump;
        }
    })
}

fn over(rules: &RuleSet) -> Vec<ParameterSetting> {
    if !has_jumps(rules) {
        return Vec::new();
    }
    let men = vec![Role::Soldier];
    let mut all = men.clone();
    all.extend(special_roles(rules));
    all.sort_by_key(|role| Piece::new(Side::Attackers, *role).index());
    let mut lists = vec![("men", men.clone(), false), ("men of both sides", men, true)];
    if all.len() > 1 {
        lists.extend([("all but kings", all.clone(), false), ("all but kings of both sides", all, true)]);
    }
    lists
        .into_iter()
        .map(|(word, roles, own)| setting(word, rules, |rules| (rules.jumped, rules.jump_own) = (roles, own)))
        .collect()
}
