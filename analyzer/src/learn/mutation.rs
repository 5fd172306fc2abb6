//! Random changes of rules, for training data from games that are in no catalog.

use tafl_rules::{
    AnyRulebook, Arming, Berserk, Encirclement, Goal, KingCapture, Piece, PieceSet, Rng, Role, RuleSet,
    Shieldwall, Side,
};

/// Returns rules with one to three random changes of the goals, of captures, of movement, or of hostile
/// zones. The board, the start, and the kinds of pieces stay the same.
///
/// Changes that cannot be compiled or after which the defenders cannot win are drawn again; after
/// many failures, the rules are returned unchanged.
pub(super) fn random_changes(rules: &RuleSet, rng: &mut Rng) -> RuleSet {
    for _ in 0..20 {
        let mut changed = rules.clone();
        for _ in 0..1 + rng.below(3) {
            change(&mut changed, rng);
        }
        let can_win = !changed.goal_cells(Side::Defenders).is_empty() || changed.goals == rules.goals;
        if changed != *rules && can_win && AnyRulebook::compile(&changed).is_ok() {
            changed.name = None;
            return changed;
        }
    }
    rules.clone()
}

fn change(rules: &mut RuleSet, rng: &mut Rng) {
    let king = PieceSet::of(Piece::new(Side::Defenders, Role::King));
    let any_pieces = [PieceSet::ALL, PieceSet::EMPTY, PieceSet::ATTACKERS, PieceSet::ALL.without(king)];
    let is_hex = rules.shape().is_hex();
    match rng.below(14) {
        0 | 1 => rules.goals.defenders = if rng.percent(50) { Goal::Corners } else { Goal::Edge },
        2 => rules.king_capture = KingCapture::STRONG,
        3 => rules.king_capture = KingCapture::STRONG_AT_THRONE,
        4 => rules.king_capture = KingCapture::WEAK,
        5 => rules.king_arming = pick(rng, &[Arming::Armed, Arming::Hammer, Arming::Unarmed]),
        6 => rules.zones.throne.hostile = pick(rng, &any_pieces),
        7 => rules.throne_hostile_occupied = pick(rng, &[PieceSet::EMPTY, PieceSet::ATTACKERS]),
        8 => rules.zones.corners.hostile = pick(rng, &any_pieces),
        9 => {
            let max = pick(rng, &[None, None, Some(1), Some(2), Some(3), Some(4)]);
            rules.movement[Piece::new(Side::Defenders, Role::King)].max = max;
        }
        10 if !is_hex => {
            let shieldwall = Shieldwall { corner_closes: true, flank_move: rng.percent(50), both_ways: true };
            rules.shieldwall = rng.percent(70).then_some(shieldwall);
        }
        11 => rules.exit_fort = !rules.exit_fort,
        12 => {
            rules.encirclement = pick(rng, &[Encirclement::None, Encirclement::Plain, Encirclement::Secure]);
        }
        13 if rng.percent(30) => rules.berserk = pick(rng, &[Berserk::None, Berserk::Capture]),
        _ => rules.first_mover = rules.first_mover.other(),
    }
}

fn pick<T: Clone>(rng: &mut Rng, values: &[T]) -> T {
    values[rng.below(values.len())].clone()
}

#[cfg(test)]
mod tests {
    use tafl_rules::catalog;

    use super::*;

    #[test]
    fn changed_rules_can_be_compiled_and_differ() {
        let mut rng = Rng::new(3);
        let mut distinct = std::collections::BTreeSet::new();
        for named in catalog::published() {
            let rules = named.rules();
            let changed = random_changes(&rules, &mut rng);
            assert!(AnyRulebook::compile(&changed).is_ok(), "{changed}");
            assert_eq!(changed.start, rules.start);
            distinct.insert(changed.to_string());
        }
        assert!(distinct.len() > 35, "{}", distinct.len());
    }
}
