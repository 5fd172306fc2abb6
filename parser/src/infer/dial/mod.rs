//! The options of rules, each with the values that games can speak for or against.
//!
//! A [`Dial`] is one option. Its settings are whole rule sets, made from those at hand by turning that option alone, so
//! that whoever searches needs to know nothing of what an option is.

mod captures;
mod ends;
mod movement;
mod zones;

use tafl_rules::ruleset::{Jump, Movement};
use tafl_rules::{Piece, PieceSet, Role, RuleSet, Side};

/// One option of rules.
pub(super) struct Dial {
    /// The stable name, in words joined by hyphens.
    pub(super) name: &'static str,
    /// The key of rules strings that says it.
    pub(super) key: &'static str,
    /// What it is about, in words.
    pub(super) about: &'static str,
    /// Returns the settings, none where the option cannot matter.
    settings: fn(&RuleSet, &Hints) -> Vec<Setting>,
}

/// What games say about values that cannot be listed beforehand.
#[derive(Debug, Clone, Default)]
pub(super) struct Hints {
    /// The lengths of games that a limit of plies ended.
    pub(super) limits: Vec<u32>,
    /// The plies since the last capture in such games.
    pub(super) captureless: Vec<u32>,
}

/// A value of an option, with the rules that have it.
#[derive(Debug, Clone)]
pub(super) struct Setting {
    /// The value in a word or two.
    pub(super) word: String,
    /// The rules.
    pub(super) rules: RuleSet,
}

impl Dial {
    /// Returns the settings of the option, beginning with the one that the rules have. There are none where the option
    /// cannot matter, such as who may pass over a throne that is not there.
    pub(super) fn settings(&self, rules: &RuleSet, hints: &Hints) -> Vec<Setting> {
        let mut settings = (self.settings)(rules, hints);
        if settings.is_empty() {
            return settings;
        }
        for setting in &mut settings {
            tidy(&mut setting.rules);
        }
        let mut now = rules.clone();
        tidy(&mut now);
        match settings.iter().position(|setting| setting.rules == now) {
            Some(at) => settings[..=at].rotate_right(1),
            None => settings.insert(0, Setting { word: "as given".to_owned(), rules: now }),
        }
        settings
    }
}

/// Returns every option, in the order of a rules sheet.
pub(super) fn all() -> impl Iterator<Item = &'static Dial> {
    [movement::DIALS, zones::DIALS, captures::DIALS, ends::DIALS].into_iter().flatten()
}

/// The settings of a search that turn several options at once, because one of them alone explains nothing.
pub(super) fn leaps(rules: &RuleSet) -> Vec<RuleSet> {
    let mut leaps = captures::presets(rules);
    leaps.extend(zones::presets(rules));
    leaps.iter_mut().for_each(tidy);
    leaps
}

/// Returns rules with all that is said about a kind of special cells as other rules have it, for each kind.
pub(super) fn zones_of(base: &RuleSet, rules: &RuleSet) -> Vec<RuleSet> {
    let mut sets = zones::copies(base, rules);
    sets.iter_mut().for_each(tidy);
    sets
}

/// The pieces about which an option speaks as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    AttackersMen,
    DefendersMen,
    King,
    AttackersKing,
}

impl Kind {
    const ALL: [Kind; 4] = [Kind::AttackersMen, Kind::DefendersMen, Kind::King, Kind::AttackersKing];

    fn pieces(self) -> PieceSet {
        match self {
            Kind::AttackersMen => PieceSet::ATTACKERS.without(PieceSet::KINGS),
            Kind::DefendersMen => PieceSet::DEFENDERS.without(PieceSet::KINGS),
            Kind::King => PieceSet::DEFENDERS.intersection(PieceSet::KINGS),
            Kind::AttackersKing => PieceSet::ATTACKERS.intersection(PieceSet::KINGS),
        }
    }

    fn is_in_play(self, rules: &RuleSet) -> bool {
        !self.pieces().intersection(rules.pieces_in_play()).is_empty()
    }
}

/// Returns the settings of an option that holds for a kind of pieces or not.
fn yes_no(rules: &RuleSet, kind: Kind, set: fn(&mut RuleSet) -> &mut PieceSet) -> Vec<Setting> {
    if !kind.is_in_play(rules) {
        return Vec::new();
    }
    let turned = |word: &str, change: fn(PieceSet, PieceSet) -> PieceSet| {
        setting(word, rules, |rules| {
            let set = set(rules);
            *set = change(*set, kind.pieces());
        })
    };
    vec![turned("yes", PieceSet::union), turned("no", PieceSet::without)]
}

fn setting(word: &str, rules: &RuleSet, change: impl FnOnce(&mut RuleSet)) -> Setting {
    let mut rules = rules.clone();
    change(&mut rules);
    Setting { word: word.to_owned(), rules }
}

/// Returns a setting for each value.
fn choices<T: Clone>(
    rules: &RuleSet,
    values: &[(&str, T)],
    change: impl Fn(&mut RuleSet, T),
) -> Vec<Setting> {
    values.iter().map(|(word, value)| setting(word, rules, |rules| change(rules, value.clone()))).collect()
}

fn has(rules: &RuleSet, side: Side, role: Role) -> bool {
    rules.pieces_in_play().contains(Piece::new(side, role))
}

fn has_role(rules: &RuleSet, role: Role) -> bool {
    Side::ALL.into_iter().any(|side| has(rules, side, role))
}

/// The roles besides soldiers and kings that the game has.
fn special_roles(rules: &RuleSet) -> Vec<Role> {
    let ordinary = [Role::Soldier, Role::King];
    Role::ALL.into_iter().filter(|role| !ordinary.contains(role) && has_role(rules, *role)).collect()
}

fn movement_mut(rules: &mut RuleSet, side: Side, role: Role) -> &mut Movement {
    &mut rules.movement[Piece::new(side, role)]
}

/// Makes rule sets that play alike equal: what is said about pieces that the game does not have is set to what rules
/// strings say by default, and labels go.
pub(crate) fn tidy(rules: &mut RuleSet) {
    let default = RuleSet::with_defaults(rules.start.clone());
    let in_play = rules.pieces_in_play();
    rules.name = None;
    rules.unknown.clear();
    for piece in Piece::all().filter(|piece| !in_play.contains(*piece)) {
        rules.movement[piece] = default.movement[piece];
    }
    for role in Role::ALL {
        if in_play.iter().any(|piece| piece.role == role) {
            continue;
        }
        for side in Side::ALL {
            movement_mut(rules, side, role).jump = default.movement[Piece::new(side, role)].jump;
        }
    }
    if Piece::all().all(|piece| !in_play.contains(piece) || rules.movement[piece].jump == Jump::None) {
        (rules.jumped, rules.jump_own) = (default.jumped.clone(), default.jump_own);
    }
    let plain = |set: PieceSet, usual: PieceSet| {
        Kind::ALL.into_iter().fold(PieceSet::EMPTY, |tidied, kind| {
            let there = kind.pieces().intersection(in_play);
            let held = set.intersection(there);
            tidied.union(match (there.is_empty(), held.is_empty()) {
                (true, _) => usual.intersection(kind.pieces()),
                (false, true) => PieceSet::EMPTY,
                (false, false) if held == there => kind.pieces(),
                (false, false) => held,
            })
        })
    };
    zones::tidy(rules, &default, plain);
    captures::tidy(rules, &default, plain);
}

#[cfg(test)]
mod tests {
    use tafl_rules::{AnyRulebook, Game, catalog};

    use super::*;

    #[test]
    fn names_are_unique_and_every_option_has_its_value_first() {
        let mut names = std::collections::HashSet::new();
        for dial in all() {
            assert!(names.insert(dial.name), "{} stands twice", dial.name);
        }
        for variant in catalog::all() {
            let mut rules = variant.rules();
            tidy(&mut rules);
            for dial in all() {
                let settings = dial.settings(&rules, &Hints::default());
                assert!(settings.is_empty() || settings[0].rules == rules, "{} {}", variant.name, dial.name);
                let words: std::collections::HashSet<_> = settings.iter().map(|one| &one.word).collect();
                assert_eq!(words.len(), settings.len(), "{} {}", variant.name, dial.name);
                assert!(settings.len() != 1, "{} {} has one value", variant.name, dial.name);
            }
        }
    }

    #[test]
    fn what_is_said_about_chains_stays_where_pieces_go_on() {
        let start = "start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";
        for (keys, stays) in [("xber:free", false), ("ber:c xber:free", true), ("ber:m xber:free", true)] {
            let mut rules: RuleSet = format!("dim:7 {keys} {start}").parse().unwrap();
            tidy(&mut rules);
            assert_eq!(rules.chain.may_decline, stays, "{keys}");
            let dial = all().find(|dial| dial.name == "chain-declined").unwrap();
            assert_eq!(dial.settings(&rules, &Hints::default()).is_empty(), !stays, "{keys}");
        }
    }

    #[test]
    fn tidy_rules_play_alike() {
        for variant in catalog::all() {
            let mut rules = variant.rules();
            tidy(&mut rules);
            let [mut one, mut other] =
                [variant.rules(), rules].map(|rules| Game::new(&AnyRulebook::compile(&rules).unwrap()));
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
