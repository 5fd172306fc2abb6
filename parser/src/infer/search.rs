//! The search for the rules that explain games best, from rules that are known.
//!
//! From a rule set every option is turned alone, and the turns that explain more are kept, the best first, until none is
//! left; then every turn that is not needed is taken back. Options that explain nothing alone are turned together, see
//! [`parameter::presets`](super::parameter::presets).

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use tafl_rules::ruleset::Berserk;
use tafl_rules::{AnyRulebook, RuleSet};

use super::game::GameEvidence;
use super::parameter::{self, Hints, RuleParameter, Setting};
use super::score::{CHAINS, CHANGE, FaultCounts};
use super::trial::{Bench, Trial};

/// Changes are made at most so often before the search stops.
const MOST_ROUNDS: usize = 12;

/// Games on one board from one start, and how to look at them.
pub(super) struct RuleSearch<'e> {
    pub(super) games: Vec<&'e GameEvidence>,
    pub(super) hints: Hints,
    pub(super) threads: NonZeroUsize,
}

/// A rule set with what every game comes to under it.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) rules: RuleSet,
    pub(super) trials: Vec<Trial>,
    pub(super) price: f64,
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
    /// The price with that of the changes.
    pub(super) price: f64,
}

impl<'e> RuleSearch<'e> {
    /// Returns what the games come to under rules, or nothing where these cannot be played.
    pub(super) fn rate(&self, rules: &RuleSet) -> Option<Candidate> {
        let book = AnyRulebook::compile(rules).ok()?;
        let mut bench = Bench::new(&book);
        let trials: Vec<Trial> = self.games.iter().map(|game| bench.trial(game)).collect();
        let price = FaultCounts::of(&trials).price() + self.price_of_chains(rules);
        Some(Candidate { rules: rules.clone(), trials, price })
    }

    /// Returns the price of turns whose steps need not be written: they explain many a wrong record, too.
    fn price_of_chains(&self, rules: &RuleSet) -> f64 {
        match rules.berserk {
            Berserk::None => 0.0,
            Berserk::Capture | Berserk::AnyMove => {
                CHAINS * self.games.iter().filter(|game| game.may_lack_steps).count() as f64
            }
        }
    }

    /// Returns what the games come to under each of several rule sets.
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
        if self.threads.get() == 1 || all.len() < 2 {
            work();
        } else {
            std::thread::scope(|scope| {
                for _ in 0..self.threads.get().min(all.len()) {
                    scope.spawn(work);
                }
            });
        }
        rated.into_iter().map(|slot| slot.into_inner().unwrap_or_default()).collect()
    }

    /// Returns the rules that explain the games best among those that are reached from a rule set.
    pub(super) fn descend(&self, base: &RuleSet) -> Option<Reached> {
        let mut base = base.clone();
        base.canonicalize();
        let mut found = self.rate(&base)?;
        for _ in 0..MOST_ROUNDS {
            if found.price == 0.0 {
                break;
            }
            let Some(next) = self.improve(&found) else { break };
            found = next;
        }
        let found = self.simplify(&base, found);
        let n_changes = changes(&base, &found.rules, &self.hints).len();
        let price = found.price + CHANGE * n_changes as f64;
        Some(Reached { base, found, price })
    }

    /// Returns better rules: reached by turning single options, the most useful first, or, where no single option helps,
    /// by turning several at once.
    fn improve(&self, from: &Candidate) -> Option<Candidate> {
        let turns = self.turns(&from.rules);
        let sets: Vec<RuleSet> = turns.iter().map(|(_, setting)| setting.rules.clone()).collect();
        let mut rated = self.better(from, &sets).into_iter();
        let Some((_, mut best)) = rated.next() else {
            let presets: Vec<RuleSet> =
                parameter::presets(&from.rules).into_iter().filter(|rules| *rules != from.rules).collect();
            return self.better(from, &presets).into_iter().next().map(|(_, found)| found);
        };
        for (nth, _) in rated.take(8) {
            let (parameter, setting) = &turns[nth];
            let again = parameter.settings(&best.rules, &self.hints);
            let Some(turned) = again.into_iter().skip(1).find(|other| other.word == setting.word) else {
                continue;
            };
            if let Some(next) = self.rate(&turned.rules).filter(|next| next.price + CHANGE < best.price) {
                best = next;
            }
        }
        Some(best)
    }

    /// Returns those of some rule sets that explain more, with their numbers, the best first.
    fn better(&self, from: &Candidate, sets: &[RuleSet]) -> Vec<(usize, Candidate)> {
        let rated = self.rate_all(sets).into_iter().enumerate();
        let mut better: Vec<(usize, Candidate)> = rated
            .filter_map(|(nth, found)| Some((nth, found?)))
            .filter(|(_, found)| found.price + CHANGE < from.price)
            .collect();
        better.sort_by(|(_, one), (_, other)| one.price.total_cmp(&other.price));
        better
    }

    /// Returns every rule set that differs in one option.
    pub(super) fn turns(&self, rules: &RuleSet) -> Vec<(&'static RuleParameter, Setting)> {
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

    /// Takes back the turns that explain too little.
    fn simplify(&self, base: &RuleSet, mut found: Candidate) -> Candidate {
        for change in changes(base, &found.rules, &self.hints) {
            let settings = change.parameter.settings(&found.rules, &self.hints);
            let Some(back) = settings.into_iter().skip(1).find(|setting| setting.word == change.from) else {
                continue;
            };
            if let Some(simple) = self.rate(&back.rules).filter(|simple| simple.price < found.price + CHANGE)
            {
                found = simple;
            }
        }
        let total =
            |found: &Candidate| found.price + CHANGE * changes(base, &found.rules, &self.hints).len() as f64;
        // What is said about a throne, corners and camps hangs together, so it is also taken back together.
        for zones in parameter::zones_of(base, &found.rules) {
            if let Some(simple) = self.rate(&zones).filter(|simple| total(simple) < total(&found)) {
                found = simple;
            }
        }
        found
    }
}

/// A turned option.
pub(super) struct Turned {
    pub(super) parameter: &'static RuleParameter,
    pub(super) from: String,
    pub(super) to: String,
}

/// Returns the options that two rule sets on the same board have differently. An option that cannot matter in one of them
/// is not counted: it follows from another.
pub(super) fn changes(from: &RuleSet, to: &RuleSet, hints: &Hints) -> Vec<Turned> {
    let turned = parameter::all().filter_map(|parameter| {
        let (before, after) = (parameter.settings(from, hints), parameter.settings(to, hints));
        let (before, after) = (before.first()?, after.first()?);
        (before.word != after.word).then(|| Turned {
            parameter,
            from: before.word.clone(),
            to: after.word.clone(),
        })
    });
    turned.collect()
}
