//! The search for the rules that explain games best, starting from known rules.
//!
//! From a rule set, every option is changed separately. Changes that explain more games are kept, best first,
//! until none is left; then every unnecessary change is reverted. Options that explain nothing on their own
//! are changed together, see [`parameter::presets`](super::parameter::presets).

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use tafl_rules::{AnyRulebook, Berserk, RuleSet};

use super::InferOptions;
use super::game::GameEvidence;
use super::parameter::{self, Hints, ParameterSetting, RuleParameter};
use super::score::{CHAINS, CHANGE, KindCounts};
use super::trial::{RuleTester, Trial};

/// The maximum number of rounds of changes.
const MAX_ROUNDS: usize = 12;

/// Games on one board from one start, and the search settings.
pub(super) struct RuleSearch<'e> {
    pub(super) games: Vec<&'e GameEvidence>,
    pub(super) hints: Hints,
    /// The number of threads, and when to stop.
    pub(super) options: &'e InferOptions,
}

/// A rule set with the result of every game under it.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) rules: RuleSet,
    pub(super) trials: Vec<Trial>,
    pub(super) cost: f64,
}

impl Candidate {
    pub(super) fn n_agreeing(&self) -> usize {
        self.trials.iter().filter(|trial| trial.agrees()).count()
    }
}

/// A candidate, and the rule set from which it was reached.
#[derive(Debug, Clone)]
pub(super) struct Reached {
    pub(super) base: RuleSet,
    pub(super) found: Candidate,
    /// The cost including that of the changes.
    pub(super) cost: f64,
}

impl<'e> RuleSearch<'e> {
    /// Returns the results of the games under rules, or `None` if these cannot be compiled or the inference
    /// should stop.
    pub(super) fn rate(&self, rules: &RuleSet) -> Option<Candidate> {
        let book = AnyRulebook::compile(rules).ok()?;
        let mut tester = RuleTester::new(&book);
        let trial = |game: &&GameEvidence| (!self.options.is_over()).then(|| tester.trial(game));
        let trials: Vec<Trial> = self.games.iter().map(trial).collect::<Option<_>>()?;
        let cost = KindCounts::of(&trials).cost() + self.chain_cost(rules);
        Some(Candidate { rules: rules.clone(), trials, cost })
    }

    /// Returns the cost of chains whose steps need not be written, because they also explain many incorrect
    /// records.
    fn chain_cost(&self, rules: &RuleSet) -> f64 {
        match rules.berserk {
            Berserk::None => 0.0,
            Berserk::Capture | Berserk::AnyMove => {
                CHAINS * self.games.iter().filter(|game| game.may_lack_steps).count() as f64
            }
        }
    }

    /// Returns the results of the games under each of several rule sets.
    pub(super) fn rate_all(&self, all: &[RuleSet]) -> Vec<Option<Candidate>> {
        let next = AtomicUsize::new(0);
        let rated: Vec<Mutex<Option<Candidate>>> = all.iter().map(|_| Mutex::new(None)).collect();
        let work = || {
            while let Some(nth) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|nth| *nth < all.len()) {
                let found = self.rate(&all[nth]);
                if let Ok(mut slot) = rated[nth].lock() {
                    *slot = found;
                }
            }
        };
        if self.options.threads.get() == 1 || all.len() < 2 {
            work();
        } else {
            std::thread::scope(|scope| {
                for _ in 0..self.options.threads.get().min(all.len()) {
                    scope.spawn(work);
                }
            });
        }
        rated.into_iter().map(|slot| slot.into_inner().unwrap_or_default()).collect()
    }

    /// Returns the rules with the best explanation of the games that the search reaches from a rule set.
    pub(super) fn descend(&self, base: &RuleSet) -> Option<Reached> {
        let mut base = base.clone();
        base.canonicalize();
        let mut found = self.rate(&base)?;
        for _ in 0..MAX_ROUNDS {
            if found.cost == 0.0 {
                break;
            }
            let Some(next) = self.improve(&found) else { break };
            found = next;
        }
        let found = self.simplify(&base, found);
        let n_changes = changes(&base, &found.rules, &self.hints).len();
        let cost = found.cost + CHANGE * n_changes as f64;
        Some(Reached { base, found, cost })
    }

    /// Returns better rules: by changing single options, the most useful first, or several at once if no
    /// single option helps.
    fn improve(&self, from: &Candidate) -> Option<Candidate> {
        let changes_by_one = self.changes_by_one(&from.rules);
        let sets: Vec<RuleSet> = changes_by_one.iter().map(|(_, setting)| setting.rules.clone()).collect();
        let mut rated = self.better(from, &sets).into_iter();
        let Some((_, mut best)) = rated.next() else {
            let presets: Vec<RuleSet> =
                parameter::presets(&from.rules).into_iter().filter(|rules| *rules != from.rules).collect();
            return self.better(from, &presets).into_iter().next().map(|(_, found)| found);
        };
        for (nth, _) in rated.take(8) {
            let (parameter, setting) = &changes_by_one[nth];
            let again = parameter.settings(&best.rules, &self.hints);
            let Some(changed) = again.into_iter().skip(1).find(|other| other.word == setting.word) else {
                continue;
            };
            if let Some(next) = self.rate(&changed.rules).filter(|next| next.cost + CHANGE < best.cost) {
                best = next;
            }
        }
        Some(best)
    }

    /// Returns the rule sets that explain more, with their indices, best first.
    fn better(&self, from: &Candidate, sets: &[RuleSet]) -> Vec<(usize, Candidate)> {
        let rated = self.rate_all(sets).into_iter().enumerate();
        let mut better: Vec<(usize, Candidate)> = rated
            .filter_map(|(nth, found)| Some((nth, found?)))
            .filter(|(_, found)| found.cost + CHANGE < from.cost)
            .collect();
        better.sort_by(|(_, one), (_, other)| one.cost.total_cmp(&other.cost));
        better
    }

    /// Returns every rule set that differs in one option.
    pub(super) fn changes_by_one(&self, rules: &RuleSet) -> Vec<(&'static RuleParameter, ParameterSetting)> {
        parameter::all()
            .flat_map(|parameter| {
                parameter
                    .settings(rules, &self.hints)
                    .into_iter()
                    .skip(1)
                    .map(move |setting| (parameter, setting))
            })
            .collect()
    }

    /// Reverts the changes that explain too little.
    fn simplify(&self, base: &RuleSet, mut found: Candidate) -> Candidate {
        for change in changes(base, &found.rules, &self.hints) {
            let settings = change.parameter.settings(&found.rules, &self.hints);
            let Some(back) = settings.into_iter().skip(1).find(|setting| setting.word == change.from) else {
                continue;
            };
            if let Some(simple) = self.rate(&back.rules).filter(|simple| simple.cost < found.cost + CHANGE) {
                found = simple;
            }
        }
        let total =
            |found: &Candidate| found.cost + CHANGE * changes(base, &found.rules, &self.hints).len() as f64;
        // The options of a throne, of corners, or of camps depend on each other, so they are also reverted
        // together.
        for zones in parameter::zones_of(base, &found.rules) {
            if let Some(simple) = self.rate(&zones).filter(|simple| total(simple) < total(&found)) {
                found = simple;
            }
        }
        found
    }
}

/// A changed option.
pub(super) struct ParameterChange {
    pub(super) parameter: &'static RuleParameter,
    pub(super) from: String,
    pub(super) to: String,
}

/// Returns the options in which two rule sets on the same board differ. An option that is irrelevant in one
/// of them is not counted, because it follows from another one.
pub(super) fn changes(from: &RuleSet, to: &RuleSet, hints: &Hints) -> Vec<ParameterChange> {
    let changed = parameter::all().filter_map(|parameter| {
        let (before, after) = (parameter.settings(from, hints), parameter.settings(to, hints));
        let (before, after) = (before.first()?, after.first()?);
        (before.word != after.word).then(|| ParameterChange {
            parameter,
            from: before.word.clone(),
            to: after.word.clone(),
        })
    });
    changed.collect()
}
