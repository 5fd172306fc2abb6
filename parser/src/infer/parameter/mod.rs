//! The options of the rules, with the values that games can support or contradict.
//!
//! A [`RuleParameter`] is one option. Its settings are complete rule sets that differ from the current one in this
//! option, so the search does not depend on the meaning of options.

mod captures;
mod ends;
mod movement;
mod zones;

use tafl_rules::{Movement, Piece, PieceSet, Role, RuleSet, Side};

/// One option of rules.
pub(super) struct RuleParameter {
    /// The stable name, in words joined by hyphens.
    pub(super) name: &'static str,
    /// Its key in rules strings.
    pub(super) key: &'static str,
    /// Its subject, in words.
    pub(super) about: &'static str,
    /// Returns the settings; empty if the option is irrelevant.
    settings: fn(&RuleSet, &Hints) -> Vec<ParameterSetting>,
}

/// Values that only the games reveal.
#[derive(Debug, Clone, Default)]
pub(super) struct Hints {
    /// The lengths of games ended by a ply limit.
    pub(super) limits: Vec<u32>,
    /// The number of plies since the last capture in such games.
    pub(super) captureless: Vec<u32>,
    /// The numbers of plies after which players exchanged sides.
    pub(super) swaps: Vec<u32>,
}

/// A value of an option, with the resulting rules.
#[derive(Debug, Clone)]
pub(super) struct ParameterSetting {
    /// The value in one or two words.
    pub(super) word: String,
    /// The rules.
    pub(super) rules: RuleSet,
}

impl RuleParameter {
    /// Returns the settings of the option, current value first. The list is empty if the option is
    /// irrelevant, for example movement over a throne that the board does not have.
    pub(super) fn settings(&self, rules: &RuleSet, hints: &Hints) -> Vec<ParameterSetting> {
        let mut settings = (self.settings)(rules, hints);
        if settings.is_empty() {
            return settings;
        }
        for setting in &mut settings {
            setting.rules.canonicalize();
        }
        let now = rules.canonical();
        match settings.iter().position(|setting| setting.rules == now) {
            Some(at) => settings[..=at].rotate_right(1),
            None => settings.insert(0, ParameterSetting { word: "as given".to_owned(), rules: now }),
        }
        settings
    }
}

/// Returns all options, in the order of a rules sheet.
pub(super) fn all() -> impl Iterator<Item = &'static RuleParameter> {
    [movement::PARAMETERS, zones::PARAMETERS, captures::PARAMETERS, ends::PARAMETERS].into_iter().flatten()
}

/// Settings that change several options at once, for options that explain nothing on their own.
pub(super) fn presets(rules: &RuleSet) -> Vec<RuleSet> {
    let mut presets = captures::presets(rules);
    presets.extend(zones::presets(rules));
    presets.iter_mut().for_each(RuleSet::canonicalize);
    presets
}

/// Returns the base with all options of one kind of zone replaced by those of other rules, for each kind.
pub(super) fn zones_of(base: &RuleSet, rules: &RuleSet) -> Vec<RuleSet> {
    let mut sets = zones::copies(base, rules);
    sets.iter_mut().for_each(RuleSet::canonicalize);
    sets
}

/// A group of pieces to which an option applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PieceGroup {
    AttackersMen,
    DefendersMen,
    King,
    AttackersKing,
}

impl PieceGroup {
    fn pieces(self) -> PieceSet {
        match self {
            PieceGroup::AttackersMen => PieceSet::ATTACKERS.without(PieceSet::KINGS),
            PieceGroup::DefendersMen => PieceSet::DEFENDERS.without(PieceSet::KINGS),
            PieceGroup::King => PieceSet::DEFENDERS.intersection(PieceSet::KINGS),
            PieceGroup::AttackersKing => PieceSet::ATTACKERS.intersection(PieceSet::KINGS),
        }
    }

    fn is_in_play(self, rules: &RuleSet) -> bool {
        !self.pieces().intersection(rules.pieces_in_play()).is_empty()
    }
}

/// Returns the settings of an option that either applies to a group of pieces or does not.
fn yes_no(
    rules: &RuleSet,
    kind: PieceGroup,
    set: fn(&mut RuleSet) -> &mut PieceSet,
) -> Vec<ParameterSetting> {
    if !kind.is_in_play(rules) {
        return Vec::new();
    }
    let changed = |word: &str, change: fn(PieceSet, PieceSet) -> PieceSet| {
        setting(word, rules, |rules| {
            let set = set(rules);
            *set = change(*set, kind.pieces());
        })
    };
    vec![changed("yes", PieceSet::union), changed("no", PieceSet::without)]
}

/// Returns the settings of an option that applies or does not.
fn on_off(rules: &RuleSet, field: fn(&mut RuleSet) -> &mut bool) -> Vec<ParameterSetting> {
    choices(rules, &[("no", false), ("yes", true)], |rules, value| *field(rules) = value)
}

fn setting(word: &str, rules: &RuleSet, change: impl FnOnce(&mut RuleSet)) -> ParameterSetting {
    let mut rules = rules.clone();
    change(&mut rules);
    ParameterSetting { word: word.to_owned(), rules }
}

/// Returns a setting for each value.
fn choices<T: Clone>(
    rules: &RuleSet,
    values: &[(&str, T)],
    change: impl Fn(&mut RuleSet, T),
) -> Vec<ParameterSetting> {
    values.iter().map(|(word, value)| setting(word, rules, |rules| change(rules, value.clone()))).collect()
}

fn has(rules: &RuleSet, side: Side, role: Role) -> bool {
    rules.pieces_in_play().contains(Piece::new(side, role))
}

fn has_role(rules: &RuleSet, role: Role) -> bool {
    Side::ALL.into_iter().any(|side| has(rules, side, role))
}

/// Returns the roles in the game other than soldiers and kings.
fn special_roles(rules: &RuleSet) -> Vec<Role> {
    let ordinary = [Role::Soldier, Role::King];
    Role::ALL.into_iter().filter(|role| !ordinary.contains(role) && has_role(rules, *role)).collect()
}

fn movement_mut(rules: &mut RuleSet, side: Side, role: Role) -> &mut Movement {
    &mut rules.movement[Piece::new(side, role)]
}

#[cfg(test)]
mod tests {
    use tafl_rules::catalog;

    use super::*;

    #[test]
    fn names_are_unique_and_every_option_has_its_value_first() {
        let mut names = std::collections::HashSet::new();
        for parameter in all() {
            assert!(names.insert(parameter.name), "{} is used twice", parameter.name);
        }
        for variant in catalog::all() {
            let rules = variant.rules().canonical();
            for parameter in all() {
                let settings = parameter.settings(&rules, &Hints::default());
                assert!(
                    settings.is_empty() || settings[0].rules == rules,
                    "{} {}",
                    variant.name,
                    parameter.name
                );
                let words: std::collections::HashSet<_> = settings.iter().map(|one| &one.word).collect();
                assert_eq!(words.len(), settings.len(), "{} {}", variant.name, parameter.name);
                assert!(settings.len() != 1, "{} {} has one value", variant.name, parameter.name);
            }
        }
    }

    #[test]
    fn declining_chains_is_an_option_of_berserk_rules() {
        let start = "start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";
        for (keys, stays) in [("xber:free", false), ("ber:c xber:free", true), ("ber:m xber:free", true)] {
            let rules: RuleSet = format!("dim:7 {keys} {start}").parse().unwrap();
            let rules = rules.canonical();
            let parameter = all().find(|parameter| parameter.name == "chain-declined").unwrap();
            assert_eq!(parameter.settings(&rules, &Hints::default()).is_empty(), !stays, "{keys}");
        }
    }
}
