//! Options about the throne, corners, camps and the edge.

mod presets;

use tafl_rules::{Cell, Goal, PieceSet, RuleSet, Side};

use super::{Hints, ParameterSetting, PieceGroup, RuleParameter, choices, on_off, setting, yes_no};

pub(super) use self::presets::{copies, presets};

macro_rules! for_kind {
    ($name:literal, $key:literal, $about:literal, $kind:ident, $there:expr, $set:expr) => {
        RuleParameter {
            name: $name,
            key: $key,
            about: $about,
            settings: |rules, _| {
                if $there(rules) { yes_no(rules, PieceGroup::$kind, $set) } else { Vec::new() }
            },
        }
    };
}

pub(super) const PARAMETERS: &[RuleParameter] = &[
    RuleParameter { name: "throne", key: "cen", about: "the throne", settings: throne },
    for_kind!(
        "attackers-pass-throne",
        "cenp",
        "whether the attackers' men may pass over the empty throne",
        AttackersMen,
        has_throne,
        |rules| &mut rules.zones.throne.pass
    ),
    for_kind!(
        "defenders-pass-throne",
        "cenp",
        "whether the defenders' men may pass over the empty throne",
        DefendersMen,
        has_throne,
        |rules| &mut rules.zones.throne.pass
    ),
    for_kind!(
        "king-passes-throne",
        "cenp",
        "whether the king may pass over the empty throne",
        King,
        has_throne,
        |rules| &mut rules.zones.throne.pass
    ),
    RuleParameter {
        name: "throne-stop",
        key: "cens",
        about: "pieces that may stop on the throne",
        settings: throne_stop,
    },
    for_kind!(
        "king-reenters-throne",
        "cenre",
        "whether the king may return to the throne",
        King,
        king_stops,
        |rules| &mut rules.zones.throne.reenter
    ),
    for_kind!(
        "throne-hostile-attackers",
        "cenhe",
        "whether the empty throne is hostile to the attackers' men",
        AttackersMen,
        has_throne,
        |rules| &mut rules.zones.throne.hostile
    ),
    for_kind!(
        "throne-hostile-defenders",
        "cenhe",
        "whether the empty throne is hostile to the defenders' men",
        DefendersMen,
        has_throne,
        |rules| &mut rules.zones.throne.hostile
    ),
    for_kind!(
        "throne-hostile-king",
        "cenhe",
        "whether the empty throne counts against the king",
        King,
        has_throne,
        |rules| &mut rules.zones.throne.hostile
    ),
    for_kind!(
        "occupied-throne-hostile-attackers",
        "cenh",
        "whether the throne with the king on it is hostile to the attackers' men",
        AttackersMen,
        has_throne,
        |rules| &mut rules.throne_hostile_occupied
    ),
    for_kind!(
        "occupied-throne-hostile-defenders",
        "cenh",
        "whether the throne with the king on it is hostile to the defenders' men",
        DefendersMen,
        has_throne,
        |rules| &mut rules.throne_hostile_occupied
    ),
    RuleParameter { name: "corners", key: "cor", about: "corners as special cells", settings: corners },
    RuleParameter {
        name: "corner-stop",
        key: "cors",
        about: "pieces that may stop on corners",
        settings: corner_stop,
    },
    for_kind!(
        "corner-hostile-attackers",
        "corh",
        "whether corners are hostile to the attackers' men",
        AttackersMen,
        has_corners,
        |rules| &mut rules.zones.corners.hostile
    ),
    for_kind!(
        "corner-hostile-defenders",
        "corh",
        "whether corners are hostile to the defenders' men",
        DefendersMen,
        has_corners,
        |rules| &mut rules.zones.corners.hostile
    ),
    for_kind!(
        "corner-hostile-king",
        "corh",
        "whether corners count against the king",
        King,
        has_corners,
        |rules| &mut rules.zones.corners.hostile
    ),
    RuleParameter { name: "camps", key: "afor", about: "camps of the attackers", settings: camps },
    for_kind!(
        "attackers-pass-camps",
        "aforp",
        "whether the attackers' men may pass over camps from outside",
        AttackersMen,
        has_camps,
        |rules| &mut rules.zones.camps.pass
    ),
    for_kind!(
        "defenders-pass-camps",
        "aforp",
        "whether the defenders' men may pass over camps",
        DefendersMen,
        has_camps,
        |rules| &mut rules.zones.camps.pass
    ),
    for_kind!(
        "king-passes-camps",
        "aforp",
        "whether the king may pass over camps",
        King,
        has_camps,
        |rules| &mut rules.zones.camps.pass
    ),
    for_kind!(
        "defenders-stop-in-camps",
        "afors",
        "whether the defenders' men may stop in camps",
        DefendersMen,
        has_camps,
        |rules| &mut rules.zones.camps.stop
    ),
    for_kind!(
        "king-stops-in-camps",
        "afors",
        "whether the king may stop in camps",
        King,
        has_camps,
        |rules| &mut rules.zones.camps.stop
    ),
    for_kind!(
        "attackers-reenter-camps",
        "aforre",
        "whether the attackers' men may return to camps",
        AttackersMen,
        has_camps,
        |rules| &mut rules.zones.camps.reenter
    ),
    for_kind!(
        "defenders-enter-camps",
        "aforre",
        "whether the defenders' men may enter camps",
        DefendersMen,
        has_camps,
        |rules| &mut rules.zones.camps.reenter
    ),
    for_kind!("king-enters-camps", "aforre", "whether the king may enter camps", King, has_camps, |rules| {
        &mut rules.zones.camps.reenter
    }),
    for_kind!(
        "camp-hostile-attackers",
        "aforh",
        "whether camps are hostile to the attackers' men",
        AttackersMen,
        has_camps,
        |rules| &mut rules.zones.camps.hostile
    ),
    for_kind!(
        "camp-hostile-defenders",
        "aforh",
        "whether camps are hostile to the defenders' men",
        DefendersMen,
        has_camps,
        |rules| &mut rules.zones.camps.hostile
    ),
    for_kind!(
        "camp-hostile-king",
        "aforh",
        "whether camps count against the king",
        King,
        has_camps,
        |rules| &mut rules.zones.camps.hostile
    ),
    RuleParameter {
        name: "camps-apart",
        key: "xcamp",
        about: "whether a piece moves freely only in its own camp",
        settings: |rules, _| {
            if has_camps(rules) { on_off(rules, |rules| &mut rules.camps_apart) } else { Vec::new() }
        },
    },
    RuleParameter {
        name: "camps-spared",
        key: "xcampx",
        about: "camp cells that are not hostile to the attackers",
        settings: spared,
    },
    for_kind!(
        "edge-hostile-attackers",
        "xedge",
        "whether the edge is hostile to the attackers' men",
        AttackersMen,
        always,
        |rules| &mut rules.edge_hostile
    ),
    for_kind!(
        "edge-hostile-defenders",
        "xedge",
        "whether the edge is hostile to the defenders' men",
        DefendersMen,
        always,
        |rules| &mut rules.edge_hostile
    ),
    RuleParameter { name: "goal", key: "esc", about: "where the defenders' king wins", settings: goal },
    RuleParameter {
        name: "attackers-goal",
        key: "xgoal",
        about: "where the attackers' king wins",
        settings: other_goal,
    },
];

fn always(_: &RuleSet) -> bool {
    true
}

fn has_throne(rules: &RuleSet) -> bool {
    !rules.zones.throne.cells.is_empty()
}

fn has_corners(rules: &RuleSet) -> bool {
    !rules.zones.corners.cells.is_empty()
}

fn has_camps(rules: &RuleSet) -> bool {
    !rules.zones.camps.cells.is_empty()
}

fn king_stops(rules: &RuleSet) -> bool {
    has_throne(rules) && !rules.zones.throne.stop.intersection(PieceGroup::King.pieces()).is_empty()
}

fn throne(rules: &RuleSet, _: &Hints) -> Vec<ParameterSetting> {
    let Some(center) = rules.shape().center() else { return Vec::new() };
    choices(rules, &[("middle", vec![center]), ("none", Vec::new())], |rules, cells| {
        rules.zones.throne.cells = cells
    })
}

fn throne_stop(rules: &RuleSet, _: &Hints) -> Vec<ParameterSetting> {
    if !has_throne(rules) {
        return Vec::new();
    }
    let values = [("king", PieceGroup::King.pieces()), ("none", PieceSet::EMPTY), ("all", PieceSet::ALL)];
    choices(rules, &values, |rules, pieces| rules.zones.throne.stop = pieces)
}

fn corners(rules: &RuleSet, _: &Hints) -> Vec<ParameterSetting> {
    let values = [("corners", rules.shape().corners()), ("none", Vec::new())];
    choices(rules, &values, |rules, cells| rules.zones.corners.cells = cells)
}

fn corner_stop(rules: &RuleSet, _: &Hints) -> Vec<ParameterSetting> {
    if !has_corners(rules) {
        return Vec::new();
    }
    let values = [("king", PieceSet::DEFENDERS.intersection(PieceSet::KINGS)), ("all", PieceSet::ALL)];
    choices(rules, &values, |rules, pieces| {
        rules.zones.corners.stop = pieces;
        rules.zones.corners.pass = pieces;
    })
}

/// Returns the cells on which the attackers start.
fn attackers_cells(rules: &RuleSet) -> Vec<Cell> {
    rules.start.pieces().filter(|(_, piece)| piece.side == Side::Attackers).map(|(cell, _)| cell).collect()
}

fn camps(rules: &RuleSet, _: &Hints) -> Vec<ParameterSetting> {
    let none = setting("none", rules, |rules| rules.zones.camps.cells.clear());
    let start = setting("start", rules, |rules| rules.zones.camps.cells = attackers_cells(rules));
    vec![none, start]
}

/// Returns the camp cells on the edge with camp cells on both sides.
fn rim_centers(rules: &RuleSet) -> Vec<Cell> {
    let shape = rules.shape();
    let in_camp = |cell: &Cell| rules.zones.camps.cells.contains(cell);
    let is_center = |cell: &Cell| {
        let rim: Vec<Cell> = shape.neighbors(*cell).filter(|other| shape.is_edge(*other)).collect();
        shape.is_edge(*cell) && rim.len() == 2 && rim.iter().all(in_camp)
    };
    rules.zones.camps.cells.iter().copied().filter(is_center).collect()
}

fn spared(rules: &RuleSet, _: &Hints) -> Vec<ParameterSetting> {
    let centers = rim_centers(rules);
    if !has_camps(rules) || centers.is_empty() {
        return Vec::new();
    }
    let values = [("none", Vec::new()), ("rim centers", centers)];
    choices(rules, &values, |rules, cells| rules.camps_spared = cells)
}

fn goals(rules: &RuleSet) -> Vec<(&'static str, Goal)> {
    let mut goals = vec![("corners", Goal::Corners), ("edge", Goal::Edge), ("none", Goal::None)];
    if has_camps(rules) {
        let shape = rules.shape();
        let cells =
            shape.cells().filter(|cell| shape.is_edge(*cell) && !rules.zones.camps.cells.contains(cell));
        goals.insert(2, ("edge but camps", Goal::Cells(cells.collect())));
    }
    goals
}

fn goal(rules: &RuleSet, _: &Hints) -> Vec<ParameterSetting> {
    if !PieceGroup::King.is_in_play(rules) {
        return Vec::new();
    }
    choices(rules, &goals(rules), |rules, goal| rules.goals.defenders = goal)
}

fn other_goal(rules: &RuleSet, _: &Hints) -> Vec<ParameterSetting> {
    if !PieceGroup::AttackersKing.is_in_play(rules) {
        return Vec::new();
    }
    choices(rules, &goals(rules), |rules, goal| rules.goals.attackers = goal)
}
