//! The evidence of games about each option of the rules.

use std::num::NonZeroUsize;

use tafl_rules::RuleSet;

use super::InferOptions;
use super::answer::{OptionChange, OptionEvidence, OptionStatus, OtherValue};
use super::chances;
use super::game::GameEvidence;
use super::parameter::{self, Hints};
use super::score::{CHANGE, DECIDES};
use super::search::{Candidate, RuleSearch, changes};
use super::trial::Trial;
use crate::record::Record;

/// The maximum number of changes to the rules when all games are examined.
const MAX_REPAIRS: usize = 4;
/// The maximum number of all changes, including those that forbid unused permissions.
const MAX_CHANGES: usize = 16;

/// Returns the evidence of the games of a search about each option of the best rules. The rules are changed
/// first if games that the search did not use explain another value better, or if the rules allow moves that
/// no player made although they were expected.
pub(super) fn weigh(search: &RuleSearch<'_>, mut best: Candidate) -> (Candidate, Vec<OptionEvidence>) {
    let mut nth = 0;
    loop {
        nth += 1;
        let changes_by_one = search.changes_by_one(&best.rules);
        let sets: Vec<RuleSet> = changes_by_one.iter().map(|(_, setting)| setting.rules.clone()).collect();
        let rated = search.rate_all(&sets);
        let better = rated.iter().flatten().min_by(|one, other| one.cost.total_cmp(&other.cost));
        if let Some(better) = better.filter(|better| nth < MAX_REPAIRS && better.cost + CHANGE < best.cost) {
            best = better.clone();
            continue;
        }
        let stricter = rated.iter().flatten().find(|other| {
            other.trials == best.trials
                && chances::unused(search, &best.rules, &other.rules) >= chances::STRICT
        });
        if let Some(stricter) = stricter.filter(|_| nth < MAX_CHANGES) {
            best = stricter.clone();
            continue;
        }
        let options = collect(search, &best, rated);
        return (best, options);
    }
}

fn collect(search: &RuleSearch<'_>, best: &Candidate, rated: Vec<Option<Candidate>>) -> Vec<OptionEvidence> {
    let mut rated = rated.into_iter();
    let mut options = Vec::new();
    for parameter in parameter::all() {
        let settings = parameter.settings(&best.rules, &search.hints);
        let Some((now, others)) = settings.split_first() else { continue };
        let others: Vec<OtherValue> = others
            .iter()
            .zip(rated.by_ref())
            .filter_map(|(setting, found)| {
                let found = found?;
                let mut other = compare(&best.trials, &found, best.cost);
                other.value.clone_from(&setting.word);
                if found.trials == best.trials {
                    other.unused = chances::unused(search, &setting.rules, &best.rules);
                }
                Some(other)
            })
            .collect();
        if others.is_empty() {
            continue;
        }
        let status = match others.iter().all(|other| other.is_excluded) {
            false => OptionStatus::Undecided,
            true if others.iter().any(|other| other.games_for > 0) => OptionStatus::Contradicted,
            true => OptionStatus::Decided,
        };
        options.push(OptionEvidence {
            option: parameter.name,
            about: parameter.about,
            key: parameter.key,
            value: now.word.clone(),
            status,
            others,
        });
    }
    options
}

fn compare(best: &[Trial], other: &Candidate, cost: f64) -> OtherValue {
    let mut found = OtherValue {
        value: String::new(),
        games_against: 0,
        plies_against: 0,
        games_for: 0,
        is_excluded: other.cost - cost >= DECIDES,
        unused: 0.0,
    };
    for (with, without) in best.iter().zip(&other.trials) {
        found.games_against += usize::from(without.kinds & !with.kinds != 0);
        found.games_for += usize::from(with.kinds & !without.kinds != 0);
        found.plies_against += usize::from(without.n_faults.saturating_sub(with.n_faults));
    }
    found
}

/// Returns the changes between two rule sets for display.
pub(super) fn listed(from: &RuleSet, to: &RuleSet, hints: &Hints) -> Vec<OptionChange> {
    let changed = changes(from, to, hints).into_iter();
    changed
        .map(|changed| OptionChange {
            option: changed.parameter.name,
            about: changed.parameter.about,
            key: changed.parameter.key,
            from: changed.from,
            to: changed.to,
        })
        .collect()
}

/// The power of records to distinguish values of an option when the rules are known: an upper bound for
/// inference.
#[derive(Debug, Clone, PartialEq)]
pub struct Probe {
    /// The stable name of the option.
    pub option: &'static str,
    /// The value in the rules.
    pub value: String,
    /// The other values, with the numbers of games whose replay differs.
    pub others: Vec<ProbedValue>,
}

/// Another value of an option, compared with the true one.
#[derive(Debug, Clone, PartialEq)]
pub struct ProbedValue {
    /// The value.
    pub value: String,
    /// The number of games that differ in their contradictions or in their end.
    pub games: usize,
    /// The number of games that contradict the other value and not the rules.
    pub against: usize,
    /// The number of games that contradict the rules and not the other value.
    pub in_favor: usize,
}

/// Returns the power of the records to distinguish the values of each option of known rules, and the number
/// of records that agree with the rules.
pub fn probe(records: &[&Record], rules: &RuleSet, threads: NonZeroUsize) -> (Vec<Probe>, usize) {
    let mut rules = rules.clone();
    rules.canonicalize();
    let shape = rules.shape();
    let games: Vec<GameEvidence> =
        records.iter().enumerate().map(|(nth, record)| GameEvidence::new(nth, record, shape)).collect();
    let options = InferOptions { threads, ..InferOptions::default() };
    let search = RuleSearch { games: games.iter().collect(), hints: hints(&games), options: &options };
    let Some(truth) = search.rate(&rules) else { return (Vec::new(), 0) };
    let changes_by_one = search.changes_by_one(&rules);
    let sets: Vec<RuleSet> = changes_by_one.iter().map(|(_, setting)| setting.rules.clone()).collect();
    let mut probes: Vec<Probe> = Vec::new();
    for ((parameter, setting), found) in changes_by_one.into_iter().zip(search.rate_all(&sets)) {
        let Some(found) = found else { continue };
        let pairs = || truth.trials.iter().zip(&found.trials);
        let value = ProbedValue {
            value: setting.word,
            games: pairs()
                .filter(|(one, other)| (one.kinds, one.ended) != (other.kinds, other.ended))
                .count(),
            against: pairs().filter(|(one, other)| other.kinds & !one.kinds != 0).count(),
            in_favor: pairs().filter(|(one, other)| one.kinds & !other.kinds != 0).count(),
        };
        match probes.last_mut().filter(|probe| probe.option == parameter.name) {
            Some(probe) => probe.others.push(value),
            None => {
                let now = parameter.settings(&rules, &search.hints).swap_remove(0).word;
                probes.push(Probe { option: parameter.name, value: now, others: vec![value] });
            }
        }
    }
    (probes, truth.n_agreeing())
}

/// Returns the relevant options of rules, each with all values and the resulting rules, current value first.
/// Used to create random rules.
pub fn option_values(rules: &RuleSet) -> Vec<(&'static str, Vec<(String, RuleSet)>)> {
    let mut rules = rules.clone();
    rules.canonicalize();
    let of = |parameter: &'static parameter::RuleParameter| {
        let settings = parameter.settings(&rules, &Hints::default());
        (
            parameter.name,
            settings.into_iter().map(|setting| (setting.word, setting.rules)).collect::<Vec<_>>(),
        )
    };
    parameter::all().map(of).filter(|(_, values)| !values.is_empty()).collect()
}

/// Returns the values that only the games reveal, such as ply limits.
pub(super) fn hints(games: &[GameEvidence]) -> Hints {
    let mut hints = Hints::default();
    for game in games.iter().filter(|game| game.claim.reason == Some(tafl_rules::Reason::PlyLimit)) {
        hints.limits.push(game.steps.len() as u32);
        let since = game.steps.iter().rev().take_while(|step| step.marks.is_empty()).count();
        hints.captureless.push(since as u32);
    }
    hints.swaps = games.iter().filter_map(|game| game.swap).collect();
    for list in [&mut hints.limits, &mut hints.captureless, &mut hints.swaps] {
        list.sort_unstable();
        list.dedup();
        list.truncate(3);
    }
    hints
}
