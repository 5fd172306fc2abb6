//! Canonical rule sets: rules that describe the same game become equal.

use super::{Berserk, ChainRules, Jump, KingCapture, RuleSet, Zone, ZoneKind};
use crate::piece::{Piece, PieceSet, Role};
use crate::side::Side;

/// The classes of pieces that rules usually treat alike.
const CLASSES: [PieceSet; 4] = [
    PieceSet::ATTACKERS.without(PieceSet::KINGS),
    PieceSet::DEFENDERS.without(PieceSet::KINGS),
    PieceSet::DEFENDERS.intersection(PieceSet::KINGS),
    PieceSet::ATTACKERS.intersection(PieceSet::KINGS),
];

impl RuleSet {
    /// Returns canonical rules, which make rule sets for the same game equal: options of absent
    /// pieces and zones get the defaults of rules strings, zones without effect are dropped, and
    /// the label and unknown words are removed.
    ///
    /// Equal canonical rules describe the same game. The converse is not guaranteed, because
    /// different options can have the same effect.
    ///
    /// # Examples
    ///
    /// ```
    /// use tafl_rules::{RuleSet, catalog};
    ///
    /// let named = catalog::find("brandubh7").unwrap().rules();
    /// let mut other = named.clone();
    /// other.name = None;
    /// // There are no fortresses, so their hostility does not matter.
    /// other.zones.forts.hostile = tafl_rules::PieceSet::ALL;
    /// assert_ne!(other, named);
    /// assert_eq!(other.canonical(), named.canonical());
    /// ```
    #[must_use]
    pub fn canonical(&self) -> RuleSet {
        let mut rules = self.clone();
        rules.canonicalize();
        rules
    }

    /// Makes the rules canonical in place, see [`RuleSet::canonical`].
    pub fn canonicalize(&mut self) {
        let default = RuleSet::with_defaults(self.start.clone());
        let in_play = self.pieces_in_play();
        self.name = None;
        self.unknown.clear();
        canonicalize_movement(self, &default, in_play);
        canonicalize_zones(self, &default, in_play);
        canonicalize_captures(self, &default, in_play);
    }
}

/// Returns the canonical form of a set of pieces: the usual members of classes that are not in
/// play, and whole classes if the set contains all their pieces in play.
fn canonical_set(set: PieceSet, usual: PieceSet, in_play: PieceSet) -> PieceSet {
    CLASSES.into_iter().fold(PieceSet::EMPTY, |canonical, class| {
        let present = class.intersection(in_play);
        let held = set.intersection(present);
        canonical.union(if present.is_empty() {
            usual.intersection(class)
        } else if held == present {
            class
        } else {
            held
        })
    })
}

fn canonicalize_movement(rules: &mut RuleSet, default: &RuleSet, in_play: PieceSet) {
    for piece in Piece::all().filter(|piece| !in_play.contains(*piece)) {
        rules.movement[piece] = default.movement[piece];
    }
    if in_play.iter().all(|piece| rules.movement[piece].jump == Jump::None) {
        (rules.jumped, rules.jump_own) = (default.jumped.clone(), default.jump_own);
    }
    if rules.berserk == Berserk::None {
        rules.chain = ChainRules::default();
    }
}

fn canonicalize_zones(rules: &mut RuleSet, default: &RuleSet, in_play: PieceSet) {
    drop_idle_zones(rules, in_play);
    for kind in ZoneKind::ALL {
        let (zone, usual) = (&mut rules.zones[kind], &default.zones[kind]);
        if zone.is_empty() {
            *zone = Zone { cells: Vec::new(), ..usual.clone() };
        }
        zone.hostile = canonical_set(zone.hostile, usual.hostile, in_play);
        zone.pass = canonical_set(zone.pass, usual.pass, in_play);
        zone.stop = canonical_set(zone.stop, usual.stop, in_play);
        zone.reenter = canonical_set(zone.reenter, usual.reenter, in_play);
    }
    let occupied = if rules.zones.throne.is_empty() { default } else { &*rules }.throne_hostile_occupied;
    rules.throne_hostile_occupied = canonical_set(occupied, default.throne_hostile_occupied, in_play);
    if rules.zones.camps.is_empty() {
        rules.camps_apart = false;
        rules.camps_spared.clear();
    }
    rules.edge_hostile = canonical_set(rules.edge_hostile, default.edge_hostile, in_play);
}

/// Removes a throne or corners without effect: every piece may pass, stop, and enter, they are
/// hostile to no piece, and no other rule refers to them.
fn drop_idle_zones(rules: &mut RuleSet, in_play: PieceSet) {
    let all = |set: PieceSet| in_play.without(set).is_empty();
    let none = |set: PieceSet| in_play.intersection(set).is_empty();
    let is_idle = |zone: &Zone| all(zone.pass) && all(zone.stop) && all(zone.reenter) && none(zone.hostile);
    // Restricted jumps begin or end on the throne or a corner.
    let has_restricted_jumps = in_play.iter().any(|piece| rules.movement[piece].jump == Jump::Restricted);
    if is_idle(&rules.zones.throne)
        && none(rules.throne_hostile_occupied)
        && is_captured_as_without_throne(rules, in_play)
        && !rules.linnaean
        && !has_restricted_jumps
    {
        rules.zones.throne.cells.clear();
    }
    // Without corner cells, a goal in the corners means the physical ones.
    if is_idle(&rules.zones.corners)
        && rules.zones.corners.cells == rules.shape().corners()
        && rules.shieldwall.is_none()
        && !has_restricted_jumps
    {
        rules.zones.corners.cells.clear();
    }
}

/// Returns whether a king on the throne or next to it is captured as if there were no throne.
fn is_captured_as_without_throne(rules: &RuleSet, in_play: PieceSet) -> bool {
    let (shape, throne) = (rules.shape(), &rules.zones.throne.cells);
    let KingCapture { on_throne, next_to_throne, on_edge, elsewhere } = rules.king_capture;
    let is_on_edge =
        throne.iter().flat_map(|cell| shape.neighbors(*cell).chain([*cell])).any(|cell| shape.is_edge(cell));
    // Commanders pierce no king on the throne.
    let is_pierced = !in_play.intersection(rules.piercing).is_empty();
    on_throne == elsewhere
        && next_to_throne == elsewhere
        && (on_edge == elsewhere || !is_on_edge)
        && !is_pierced
}

fn canonicalize_captures(rules: &mut RuleSet, default: &RuleSet, in_play: PieceSet) {
    if !Side::ALL.into_iter().any(|side| in_play.contains(Piece::new(side, Role::Commander))) {
        rules.piercing = default.piercing;
    }
    rules.royal = canonical_set(rules.royal, default.royal, in_play);
    rules.dux = rules.dux.intersection(in_play);
    if rules.zones.throne.is_empty() {
        rules.linnaean = false;
        rules.king_capture.on_throne = rules.king_capture.elsewhere;
        rules.king_capture.next_to_throne = rules.king_capture.elsewhere;
    }
}

#[cfg(test)]
mod tests {
    use crate::{AnyRulebook, Game, RuleSet, catalog};

    #[test]
    fn canonical_berserk_rules_have_chain_options() {
        let start = "start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";
        for (keys, stays) in [("xber:free", false), ("ber:c xber:free", true), ("ber:m xber:free", true)] {
            let rules: RuleSet = format!("dim:7 {keys} {start}").parse().unwrap();
            assert_eq!(rules.canonical().chain.may_decline, stays, "{keys}");
        }
    }

    #[test]
    fn zones_that_another_rule_needs_are_kept() {
        let all = "tcnkmgTCNKMG";
        let idle = format!("cenp:{all} cens:{all} cenh: cenhe: corp:{all} cors:{all} corh:");
        let game = |rules: &RuleSet| Game::new(&AnyRulebook::compile(rules).unwrap());
        let play = |keys: &str, position: &str, text: &str| {
            let rules: RuleSet = format!("dim:7 {idle} {keys} start:{position}").parse().unwrap();
            let canonical = rules.canonical();
            let [mut one, mut other] = [&rules, &canonical].map(game);
            assert_eq!(one.moves(), other.moves(), "{rules}");
            let mv = one.parse_move(text).unwrap();
            assert_eq!(one.play(mv), other.play(mv), "{rules}");
            canonical.zones
        };
        // A restricted jump onto the throne, and one into a corner.
        play("ks:w kj:r atkf:n cor:", "/7/3K3/3t3/7/7/7/T5t/", "d2-d4");
        play("ks:w kj:r atkf:n cen:", "/1tK4/7/7/7/7/7/T5t/", "c1-a1");
        // Commanders beside a king on the throne, and a throne beside the edge.
        play("cor:", "/4c2/7/7/2cK3/7/7/T6/", "e1-e4");
        play("cor: cen:d2 xking:confine/confine/custodian/confine", "/2tK3/7/7/4t2/7/7/T6/", "e4-e1");
        // Without such a rule, they are dropped.
        let zones = play("ks:w", "/7/3K3/3t3/7/7/7/T5t/", "d3-e3");
        assert!(zones.throne.is_empty() && zones.corners.is_empty());
    }

    #[test]
    fn canonical_rules_play_alike() {
        for variant in catalog::all() {
            let rules = variant.rules();
            let canonical = rules.canonical();
            assert_eq!(canonical.canonical(), canonical, "{}", variant.name);
            let [mut one, mut other] =
                [rules, canonical].map(|rules| Game::new(&AnyRulebook::compile(&rules).unwrap()));
            for nth in 0..60 {
                let moves = one.moves();
                assert_eq!(moves, other.moves(), "{} at ply {nth}", variant.name);
                if moves.is_empty() || one.outcome().is_some() {
                    break;
                }
                let mv = moves[nth * 7919 % moves.len()];
                assert_eq!(one.play(mv), other.play(mv), "{} at ply {nth}", variant.name);
            }
        }
    }
}
