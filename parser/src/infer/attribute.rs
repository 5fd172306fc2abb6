//! A single record whose rules are known and which contradicts them: under which rules would it be right?

use std::num::NonZeroUsize;

use tafl_rules::{RuleSet, catalog};

use super::answer::Change;
use super::evidence::{hints, listed};
use super::game::GameEvidence;
use super::search::{Candidate, RuleSearch};
use crate::record::Record;

/// So many answers are given.
const MOST: usize = 3;
/// So many single changes are tried together with every other one.
const PROMISING: usize = 6;

/// Rules under which a record is right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribution {
    /// What has to be changed in the rules; nothing where another variant is meant as it stands.
    pub changes: Vec<Change>,
    /// Variants of the catalog that have these rules.
    pub variants: Vec<&'static str>,
    /// The rules.
    pub rules: RuleSet,
}

impl Attribution {
    /// Returns the changes in words, on one line: `how a king falls on the edge: never, not custodian (xking)`.
    pub fn words(&self) -> String {
        let words = self
            .changes
            .iter()
            .map(|change| format!("{}: {}, not {} (`{}`)", change.about, change.to, change.from, change.key));
        words.collect::<Vec<_>>().join("; ")
    }
}

/// Returns the rules nearest to given ones under which a record is right: those with a single option changed, else those
/// with two, else variants of the catalog from the same start. Returns nothing for a record that is right, for one that
/// no such rules make right, and for one that contradicts itself.
pub fn attribute(record: &Record, rules: &RuleSet) -> Vec<Attribution> {
    let mut rules = rules.clone();
    rules.canonicalize();
    if let Some(start) = &record.start {
        rules.start = start.setup.clone();
    }
    let games = [GameEvidence::new(0, record, rules.shape())];
    let hints = hints(&games);
    let search = RuleSearch { games: games.iter().collect(), hints, threads: NonZeroUsize::MIN };
    let Some(now) = search.rate(&rules) else { return Vec::new() };
    if now.trials[0].agrees() || games[0].steps.len() < record.main().moves.len() {
        return Vec::new();
    }
    let single: Vec<Candidate> =
        search.turns(&rules).into_iter().filter_map(|(_, setting)| search.rate(&setting.rules)).collect();
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
        found.dedup();
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

/// Returns right rules with two options changed, one of which alone removes a fault or brings it later.
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
    let turned = promising.iter().flat_map(|one| search.turns(&one.rules));
    let mut found: Vec<RuleSet> = turned
        .filter_map(|(_, setting)| search.rate(&setting.rules))
        .filter(|two| two.trials[0].agrees())
        .map(|two| two.rules)
        .collect();
    let mut seen = std::collections::HashSet::new();
    found.retain(|rules| seen.insert(rules.clone()));
    found
}

/// Returns the variants of the catalog that have rules, whatever they are called.
fn named(rules: &RuleSet) -> Vec<&'static str> {
    let same = |variant: &&catalog::NamedRules| {
        let mut other = variant.rules();
        other.canonicalize();
        other == *rules
    };
    catalog::all().filter(same).map(|variant| variant.name).collect()
}
