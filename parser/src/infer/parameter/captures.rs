//! Options about captures.

use tafl_rules::{Arming, CaptureMode, Goal, KingCapture, Piece, PieceSet, Role, RuleSet, Shieldwall, Side};

use super::{
    Hints, ParameterSetting, PieceGroup, RuleParameter, choices, has_role, on_off, setting, special_roles,
};

pub(super) const PARAMETERS: &[RuleParameter] = &[
    RuleParameter {
        name: "forced-capture",
        key: "xforce",
        about: "whether a player who can capture must capture",
        settings: |rules, _| on_off(rules, |rules| &mut rules.forced_capture),
    },
    RuleParameter { name: "king-arming", key: "ka", about: "a king's part in captures", settings: arming },
    RuleParameter {
        name: "king-on-throne",
        key: "xking",
        about: "capture of a king on the throne",
        settings: |rules, _| {
            if rules.zones.throne.cells.is_empty() {
                Vec::new()
            } else {
                modes(rules, |capture, mode| capture.on_throne = mode)
            }
        },
    },
    RuleParameter {
        name: "king-next-to-throne",
        key: "xking",
        about: "capture of a king next to the throne",
        settings: |rules, _| {
            if rules.zones.throne.cells.is_empty() {
                Vec::new()
            } else {
                modes(rules, |capture, mode| capture.next_to_throne = mode)
            }
        },
    },
    RuleParameter {
        name: "king-on-edge",
        key: "xking",
        about: "capture of a king on the edge",
        settings: |rules, _| match rules.goals.defenders {
            // He won when he reached the edge.
            Goal::Edge => Vec::new(),
            Goal::Corners | Goal::None | Goal::Cells(_) => {
                modes(rules, |capture, mode| capture.on_edge = mode)
            }
        },
    },
    RuleParameter {
        name: "king-elsewhere",
        key: "xking",
        about: "capture of a king elsewhere",
        settings: |rules, _| modes(rules, |capture, mode| capture.elsewhere = mode),
    },
    RuleParameter { name: "royal", key: "xroyal", about: "the kings whose capture loses", settings: royal },
    RuleParameter { name: "shieldwall", key: "sw", about: "capture of rows on the edge", settings: wall },
    RuleParameter {
        name: "shieldwall-flank",
        key: "swf",
        about: "whether the move must close an end of the row",
        settings: |rules, _| wall_detail(rules, |wall, yes| wall.flank_move = yes),
    },
    RuleParameter {
        name: "shieldwall-both-ways",
        key: "xsw",
        about: "whether one move may close two rows",
        settings: |rules, _| wall_detail(rules, |wall, yes| wall.both_ways = yes),
    },
    RuleParameter {
        name: "linnaean",
        key: "linc",
        about: "Linnaean capture",
        settings: |rules, _| {
            if rules.zones.throne.cells.is_empty() {
                Vec::new()
            } else {
                on_off(rules, |rules| &mut rules.linnaean)
            }
        },
    },
    RuleParameter {
        name: "hex-corner-capture",
        key: "xhcc",
        about: "capture on a corner of a hexagonal board",
        settings: |rules, _| {
            if rules.shape().is_hex() {
                on_off(rules, |rules| &mut rules.hex_corner_capture)
            } else {
                Vec::new()
            }
        },
    },
    RuleParameter {
        name: "piercing",
        key: "xpierce",
        about: "commanders that pierce a king",
        settings: piercing,
    },
    RuleParameter {
        name: "dux",
        key: "xdux",
        about: "pieces captured only by three hostile neighbors",
        settings: dux,
    },
];

fn arming(rules: &RuleSet, _: &Hints) -> Vec<ParameterSetting> {
    if !has_role(rules, Role::King) {
        return Vec::new();
    }
    let values = [
        ("armed", Arming::Armed),
        ("unarmed", Arming::Unarmed),
        ("anvil", Arming::Anvil),
        ("hammer", Arming::Hammer),
    ];
    choices(rules, &values, |rules, value| rules.king_arming = value)
}

fn modes(rules: &RuleSet, set: fn(&mut KingCapture, CaptureMode)) -> Vec<ParameterSetting> {
    if !has_role(rules, Role::King) {
        return Vec::new();
    }
    let modes = [
        CaptureMode::Custodian,
        CaptureMode::All,
        CaptureMode::Confine,
        CaptureMode::Never,
        CaptureMode::Alternate3,
        CaptureMode::Any3,
    ];
    let hex = rules.shape().is_hex();
    let fitting = modes.into_iter().filter(|mode| hex || !mode.is_for_hexes());
    fitting.map(|mode| setting(mode.as_str(), rules, |rules| set(&mut rules.king_capture, mode))).collect()
}

fn royal(rules: &RuleSet, _: &Hints) -> Vec<ParameterSetting> {
    if !PieceGroup::AttackersKing.is_in_play(rules) {
        return Vec::new();
    }
    let kings = |side| PieceSet::of(Piece::new(side, Role::King));
    let values = [
        ("defenders'", kings(Side::Defenders)),
        ("both", PieceSet::KINGS),
        ("attackers'", kings(Side::Attackers)),
        ("none", PieceSet::EMPTY),
    ];
    choices(rules, &values, |rules, pieces| rules.royal = pieces)
}

fn wall(rules: &RuleSet, _: &Hints) -> Vec<ParameterSetting> {
    if rules.shape().is_hex() {
        return Vec::new();
    }
    let usual =
        rules.shieldwall.unwrap_or(Shieldwall { corner_closes: true, flank_move: true, both_ways: true });
    let with = |corner_closes| Some(Shieldwall { corner_closes, ..usual });
    let values = [("none", None), ("corners close", with(true)), ("corners do not close", with(false))];
    choices(rules, &values, |rules, wall| rules.shieldwall = wall)
}

fn wall_detail(rules: &RuleSet, set: fn(&mut Shieldwall, bool)) -> Vec<ParameterSetting> {
    if rules.shieldwall.is_none() {
        return Vec::new();
    }
    choices(rules, &[("yes", true), ("no", false)], |rules, yes| {
        if let Some(wall) = &mut rules.shieldwall {
            set(wall, yes);
        }
    })
}

fn piercing(rules: &RuleSet, _: &Hints) -> Vec<ParameterSetting> {
    if !has_role(rules, Role::Commander) {
        return Vec::new();
    }
    choices(rules, &[("yes", PieceSet::COMMANDERS), ("no", PieceSet::EMPTY)], |rules, set| {
        rules.piercing = set
    })
}

fn dux(rules: &RuleSet, _: &Hints) -> Vec<ParameterSetting> {
    let special = special_roles(rules);
    if special.is_empty() {
        return Vec::new();
    }
    let mut settings = vec![setting("none", rules, |rules| rules.dux = PieceSet::EMPTY)];
    for side in Side::ALL {
        for role in special.iter().filter(|role| rules.pieces_in_play().contains(Piece::new(side, **role))) {
            let piece = Piece::new(side, *role);
            let word = piece.letter().to_string();
            settings.push(setting(&word, rules, |rules| rules.dux = PieceSet::of(piece)));
        }
    }
    settings
}

/// The king captures that have a letter in rules strings, and a few other common ones.
pub(super) fn presets(rules: &RuleSet) -> Vec<RuleSet> {
    let mut known = vec![
        KingCapture::STRONG,
        KingCapture::STRONG_AT_THRONE,
        KingCapture::CONFINED,
        KingCapture::WEAK,
        KingCapture { on_throne: CaptureMode::All, ..KingCapture::WEAK },
    ];
    if rules.shape().is_hex() {
        known.push(KingCapture { on_throne: CaptureMode::Alternate3, ..KingCapture::WEAK });
    }
    known.into_iter().map(|king_capture| RuleSet { king_capture, ..rules.clone() }).collect()
}
