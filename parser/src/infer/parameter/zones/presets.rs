//! Rules that change all options of a kind of zone at once.

use tafl_rules::{Goal, KingCapture, PieceSet, RuleSet, ZoneKind};

use super::{attackers_cells, rim_centers};

/// Returns rules with and without special cells, and with camps that no piece may enter.
pub(in crate::infer::parameter) fn presets(rules: &RuleSet) -> Vec<RuleSet> {
    let bare = |rules: &mut RuleSet| {
        rules.zones.throne.cells.clear();
        rules.zones.corners.cells.clear();
        rules.zones.camps.cells.clear();
    };
    let mut presets = Vec::new();
    for goal in [Goal::Edge, Goal::Corners] {
        let mut bare_board = rules.clone();
        bare(&mut bare_board);
        bare_board.goals.defenders = goal.clone();
        presets.push(bare_board);
        let mut with_throne = rules.clone();
        bare(&mut with_throne);
        with_throne.zones.throne.cells = rules.shape().center().into_iter().collect();
        with_throne.goals.defenders = goal.clone();
        if goal == Goal::Corners {
            with_throne.zones.corners.cells = rules.shape().corners();
        }
        presets.push(with_throne);
    }
    let mut closed = rules.clone();
    closed.zones.camps.cells = attackers_cells(rules);
    closed.zones.camps.hostile = PieceSet::ALL;
    closed.zones.camps.pass = PieceSet::EMPTY;
    closed.zones.camps.reenter = PieceSet::EMPTY;
    closed.zones.camps.stop = PieceSet::ALL;
    closed.zones.corners.cells.clear();
    closed.goals.defenders = Goal::Edge;
    presets.push(closed.clone());
    closed.camps_apart = true;
    closed.camps_spared = rim_centers(&closed);
    presets.push(closed);
    presets
}

/// Returns rules with the throne, the corners, or the camps of other rules.
pub(in crate::infer::parameter) fn copies(base: &RuleSet, rules: &RuleSet) -> Vec<RuleSet> {
    let with = |kind: ZoneKind| {
        let mut zones = rules.zones.clone();
        zones[kind] = base.zones[kind].clone();
        zones
    };
    let throne = RuleSet {
        zones: with(ZoneKind::Throne),
        throne_hostile_occupied: base.throne_hostile_occupied,
        king_capture: KingCapture {
            on_throne: base.king_capture.on_throne,
            next_to_throne: base.king_capture.next_to_throne,
            ..rules.king_capture
        },
        ..rules.clone()
    };
    let corners = RuleSet { zones: with(ZoneKind::Corner), ..rules.clone() };
    let camps = RuleSet {
        zones: with(ZoneKind::Camp),
        camps_apart: base.camps_apart,
        camps_spared: base.camps_spared.clone(),
        ..rules.clone()
    };
    vec![throne, corners, camps]
}
