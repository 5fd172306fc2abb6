//! Attribution: rules under which a single record that contradicts its rules would be sound.

use std::collections::HashSet;
use std::fmt;

use tafl_rules::{RuleSet, catalog};

use super::InferOptions;
use super::answer::OptionChange;
use super::evidence::{hints, listed};
use super::game::GameEvidence;
use super::search::{Candidate, RuleSearch};
use crate::record::Record;

/// The maximum number of answers.
const MOST: usize = 3;
/// The number of promising single changes that are combined with every other one.
const PROMISING: usize = 6;

/// Rules under which a record is sound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribution {
    /// The changes of the rules; empty if another variant applies without changes.
    pub changes: Vec<OptionChange>,
    /// The catalog variants with these rules.
    pub variants: Vec<&'static str>,
    /// The rules.
    pub rules: RuleSet,
}

/// Returns the closest rules under which a record is sound: rules with a single option changed, otherwise
/// with two, otherwise catalog variants with the same start. Returns an empty list if the record is sound, if
/// no such rules make it sound, or if it contradicts itself.
pub fn attribute(record: &Record, rules: &RuleSet) -> Vec<Attribution> {
    let mut rules = rules.clone();
    rules.canonicalize();
    if let Some(start) = &record.start {
        // No change of an option changes the board.
        if start.setup.shape() != rules.shape() {
            return Vec::new();
        }
        rules.start = start.setup.clone();
    }
    let games = [GameEvidence::new(0, record, rules.shape())];
    let hints = hints(&games);
    let options = InferOptions::default();
    let search = RuleSearch { games: games.iter().collect(), hints, options: &options };
    let Some(now) = search.rate(&rules) else { return Vec::new() };
    if now.trials[0].agrees() || games[0].steps.len() < record.main().moves.len() {
        return Vec::new();
    }
    let single: Vec<Candidate> = search
        .changes_by_one(&rules)
        .into_iter()
        .filter_map(|(_, setting)| search.rate(&setting.rules))
        .collect();
    let right = |found: &Candidate| found.trials[0].agrees();
    let mut found: Vec<RuleSet> =
        single.iter().filter(|one| right(one)).map(|one| one.rules.clone()).collect();
    if found.is_empty() {
        found = pairs(&search, &now, single);
    }
    if found.is_empty() {
        let all = catalog::all().map(|variant| variant.rules()).filter(|other| other.start == rules.start);
        found = all.filter(|other| search.rate(other).is_some_and(|one| right(&one))).collect();
        found.iter_mut().for_each(RuleSet::canonicalize);
        remove_copies(&mut found);
    }
    found.truncate(MOST);
    found
        .into_iter()
        .map(|other| Attribution {
            changes: listed(&rules, &other, &search.hints),
            variants: named(&other),
            rules: other,
        })
        .collect()
}

/// Writes the changes on one line: `capture of a king on the edge: never, not custodian (xking)`.
impl fmt::Display for Attribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = self
            .changes
            .iter()
            .map(|change| format!("{}: {}, not {} (`{}`)", change.about, change.to, change.from, change.key));
        f.write_str(&words.collect::<Vec<_>>().join("; "))
    }
}

/// Returns suitable rules with two options changed, one of which alone removes a fault or moves it to a later
/// ply.
fn pairs(search: &RuleSearch<'_>, now: &Candidate, single: Vec<Candidate>) -> Vec<RuleSet> {
    let progress = |found: &Candidate| {
        let trial = found.trials[0];
        let ply = trial.first.map_or(u32::MAX, |(ply, _)| ply);
        (u16::MAX - trial.n_faults, ply)
    };
    let mut promising: Vec<Candidate> =
        single.into_iter().filter(|one| progress(one) > progress(now)).collect();
    promising.sort_by_key(|one| std::cmp::Reverse(progress(one)));
    promising.truncate(PROMISING);
    let changed = promising.iter().flat_map(|one| search.changes_by_one(&one.rules));
    let mut found: Vec<RuleSet> = changed
        .filter_map(|(_, setting)| search.rate(&setting.rules))
        .filter(|two| two.trials[0].agrees())
        .map(|two| two.rules)
        .collect();
    remove_copies(&mut found);
    found
}

/// Removes all but the first of equal rules. Variants with the same rules need not be neighbors in the catalog.
fn remove_copies(rules: &mut Vec<RuleSet>) {
    let mut seen = HashSet::new();
    rules.retain(|one| seen.insert(one.clone()));
}

/// Returns the catalog variants with these rules.
fn named(rules: &RuleSet) -> Vec<&'static str> {
    let same = |variant: &&catalog::NamedRules| {
        let mut other = variant.rules();
        other.canonicalize();
        other == *rules
    };
    catalog::all().filter(same).map(|variant| variant.name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_rules_are_listed_once_in_any_order() {
        let named = |name: &str| RuleSet::named(name).unwrap();
        let mut rules = vec![named("brandubh7"), named("ardri7"), named("brandubh7")];
        remove_copies(&mut rules);
        assert_eq!(rules, [named("brandubh7"), named("ardri7")]);
    }
}
