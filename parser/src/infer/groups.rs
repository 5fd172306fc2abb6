//! Inference as a whole: records by their starts, rules for each, and records of two games in one file told apart.

use tafl_rules::{RuleSet, Setup, catalog};

use super::answer::{Contradiction, Explanation, Group, Inference, StartOrigin};
use super::game::Evidence;
use super::search::{Candidate, Reached, Search};
use super::start::{self, Began, KNOWN};
use super::trial::Trial;
use super::{InferOptions, derive, dial, evidence};
use crate::record::Record;

/// So many games are looked at while rules are searched, and so many when options are weighed.
const SEARCHED: usize = 220;
const WEIGHED: usize = 2000;
/// From so many rule sets of the catalog a search begins.
const BASES: usize = 3;
/// Fewer games than this are no game of their own.
const FEWEST: usize = 4;

pub(super) fn infer(records: &[&Record], options: &InferOptions) -> Inference {
    let own: Vec<Setup> = options.hint.iter().map(|rules| rules.start.clone()).collect();
    let (began, mut undecidable) = start::group(records, &own);
    let mut groups = Vec::new();
    for began in began {
        let origin = origin_of(&began, records, options);
        match (origin, derived(&began, records)) {
            (StartOrigin::Catalog, Some((setup, origin))) => {
                groups.extend(split(records, options, &began.records, (setup, origin)));
            }
            (origin, _) => groups.extend(split(records, options, &began.records, (began.setup, origin))),
        }
    }
    match derive_all(&undecidable, records) {
        Some((setup, origin)) => {
            let numbers = std::mem::take(&mut undecidable);
            groups.extend(split(records, options, &numbers, (setup, origin)));
        }
        None => undecidable.sort_unstable(),
    }
    undecidable.extend((0..records.len()).filter(|nth| records[*nth].main().moves.is_empty()));
    undecidable.sort_unstable();
    undecidable.dedup();
    groups.sort_by_key(|group| std::cmp::Reverse(group.records.len()));
    Inference { n_records: records.len(), groups, undecidable }
}

fn origin_of(began: &Began, records: &[&Record], options: &InferOptions) -> StartOrigin {
    let is_given = options.hint.as_ref().is_some_and(|rules| rules.start == began.setup)
        || began.records.iter().any(|nth| records[*nth].start.is_some());
    if is_given { StartOrigin::Given } else { StartOrigin::Catalog }
}

/// Returns the start that moves tell of, where no known start fits.
fn derived(began: &Began, records: &[&Record]) -> Option<(Setup, StartOrigin)> {
    if began.share >= KNOWN || began.records.len() < FEWEST {
        return None;
    }
    let all: Vec<&Record> = began.records.iter().map(|nth| records[*nth]).collect();
    let found = derive::derive(&all)?;
    let share = all.iter().map(|record| start::share(record, &found.setup)).sum::<f64>() / all.len() as f64;
    (share > began.share + 0.05).then(|| {
        let derive::Derived { setup, seen, mirrored, unknown } = found;
        (setup, StartOrigin::Derived { seen, mirrored, unknown })
    })
}

fn derive_all(numbers: &[usize], records: &[&Record]) -> Option<(Setup, StartOrigin)> {
    if numbers.len() < FEWEST {
        return None;
    }
    let all: Vec<&Record> = numbers.iter().map(|nth| records[*nth]).collect();
    let derive::Derived { setup, seen, mirrored, unknown } = derive::derive(&all)?;
    let share = all.iter().map(|record| start::share(record, &setup)).sum::<f64>() / all.len() as f64;
    (share >= 0.5).then_some((setup, StartOrigin::Derived { seen, mirrored, unknown }))
}

/// Returns the answer for records from one start: one group, or more where no rules explain them all and two do.
fn split(
    records: &[&Record],
    options: &InferOptions,
    numbers: &[usize],
    (setup, origin): (Setup, StartOrigin),
) -> Vec<Group> {
    let shape = setup.shape();
    let games: Vec<Evidence> =
        numbers.iter().map(|nth| Evidence::new(*nth, records[*nth], shape)).collect();
    let case = Case { setup, origin, options, games };
    let all: Vec<usize> = (0..case.games.len()).collect();
    let Some(first) = case.search(&all) else { return Vec::new() };
    let bad: Vec<usize> = all.iter().copied().filter(|at| !first.found.trials[*at].agrees()).collect();
    if bad.len() >= FEWEST.max(all.len() / 12)
        && let Some(second) = case.search(&bad)
    {
        let fits = |reached: &Reached, at: usize| reached.found.trials[at].agrees();
        let other: Vec<usize> = bad.iter().copied().filter(|at| fits(&second, *at)).collect();
        if other.len() >= FEWEST && other.len() * 2 > bad.len() {
            let shared = all.iter().filter(|at| fits(&first, **at) && fits(&second, **at)).count();
            let own: Vec<usize> = all.iter().copied().filter(|at| !other.contains(at)).collect();
            let again = case.search(&own).unwrap_or(first);
            return vec![case.answer(again, &own, shared), case.answer(second, &other, shared)];
        }
    }
    vec![case.answer(first, &all, 0)]
}

/// Records from one start.
struct Case<'o> {
    setup: Setup,
    origin: StartOrigin,
    options: &'o InferOptions,
    games: Vec<Evidence>,
}

impl Case<'_> {
    fn search_of(&self, numbers: &[usize]) -> Search<'_> {
        Search {
            games: numbers.iter().map(|at| &self.games[*at]).collect(),
            hints: evidence::hints(&self.games),
            threads: self.options.threads,
        }
    }

    /// Returns the variants of the catalog with this start, by their rules; those that go by the same rules together.
    fn variants(&self) -> Vec<(Vec<&'static str>, RuleSet)> {
        let mut without = self.options.without.clone();
        without.iter_mut().for_each(dial::tidy);
        let mut all: Vec<(Vec<&'static str>, RuleSet)> = Vec::new();
        for variant in catalog::all() {
            let mut rules = variant.rules();
            dial::tidy(&mut rules);
            if rules.start != self.setup || without.as_ref() == Some(&rules) {
                continue;
            }
            match all.iter_mut().find(|(_, other)| *other == rules) {
                Some((names, _)) => names.push(variant.name),
                None => all.push((vec![variant.name], rules)),
            }
        }
        all
    }

    /// Returns the rules that explain some of the games best, with what all games come to under them.
    fn search(&self, numbers: &[usize]) -> Option<Reached> {
        let mut bases: Vec<RuleSet> = self.options.hint.iter().cloned().collect();
        bases.iter_mut().for_each(dial::tidy);
        bases.retain(|rules| rules.start == self.setup);
        bases.extend(self.variants().into_iter().map(|(_, rules)| rules));
        bases.push(RuleSet::with_defaults(self.setup.clone()));
        let sample = sample(numbers);
        let search = self.search_of(&sample);
        let mut rated: Vec<Candidate> = search.rate_all(&bases).into_iter().flatten().collect();
        // The sort is stable: among equals the first of the catalog counts.
        rated.sort_by(|one, other| one.price.total_cmp(&other.price));
        if self.options.hint.is_some() {
            rated.truncate(1);
        }
        let mut best: Option<Reached> = None;
        for base in rated.iter().take(BASES) {
            let Some(next) = search.descend(&base.rules) else { continue };
            if best.as_ref().is_none_or(|best| next.price + 1e-9 < best.price) {
                best = Some(next);
            }
            if best.as_ref().is_some_and(|best| best.price == 0.0) {
                break;
            }
        }
        let best = best?;
        let whole: Vec<usize> = (0..self.games.len()).collect();
        let found = self.search_of(&whole).rate(&best.found.rules)?;
        Some(Reached { found, ..best })
    }

    /// Returns the answer for some of the games.
    fn answer(&self, reached: Reached, numbers: &[usize], n_shared: usize) -> Group {
        let weighed: Vec<usize> = numbers.iter().copied().take(WEIGHED).collect();
        let search = self.search_of(&weighed);
        let pick = |trials: &[Trial], of: &[usize]| of.iter().map(|at| trials[*at]).collect::<Vec<_>>();
        let trials = pick(&reached.found.trials, &weighed);
        let price = super::score::Tally::of(&trials).price();
        let start = Candidate { rules: reached.found.rules.clone(), trials, price };
        let (best, options) = evidence::weigh(&search, start);
        let whole = self.search_of(numbers);
        let trials = whole.rate(&best.rules).map(|found| found.trials).unwrap_or_default();
        let n_agreeing = trials.iter().filter(|trial| trial.agrees()).count();
        let variants = self.variants();
        let base = variants.iter().find(|(_, rules)| *rules == reached.base).map(|(names, _)| names[0]);
        let mut records: Vec<usize> = numbers.iter().map(|at| self.games[*at].nth).collect();
        records.sort_unstable();
        Group {
            records,
            n_shared,
            start: self.origin.clone(),
            catalog: explanations(&whole, &variants),
            base,
            changes: evidence::listed(&reached.base, &best.rules, &search.hints),
            rules: best.rules,
            n_agreeing,
            options,
            contradictions: contradictions(&whole.games, &trials),
        }
    }
}

/// Returns what each variant explains, the best first.
fn explanations(search: &Search<'_>, variants: &[(Vec<&'static str>, RuleSet)]) -> Vec<Explanation> {
    let sets: Vec<RuleSet> = variants.iter().map(|(_, rules)| rules.clone()).collect();
    let rated = search.rate_all(&sets);
    let mut found: Vec<(f64, Explanation)> = variants
        .iter()
        .zip(rated)
        .filter_map(|((names, _), candidate)| {
            let candidate = candidate?;
            let n_agreeing = candidate.n_agreeing();
            let explanation = Explanation {
                variants: names.clone(),
                n_agreeing,
                n_contradicting: search.games.len() - n_agreeing,
                first: contradictions(&search.games, &candidate.trials).first().copied(),
            };
            Some((candidate.price, explanation))
        })
        .collect();
    found.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    found.into_iter().map(|(_, explanation)| explanation).collect()
}

fn contradictions(games: &[&Evidence], trials: &[Trial]) -> Vec<Contradiction> {
    let mut found: Vec<Contradiction> = games
        .iter()
        .zip(trials)
        .filter(|(_, trial)| !trial.agrees())
        .filter_map(|(game, trial)| {
            let (index, fault) = trial.first?;
            Some(Contradiction { record: game.nth, ply: index + 1, fault })
        })
        .collect();
    found.sort_by_key(|contradiction| contradiction.record);
    found
}

/// Returns some of the games, spread evenly.
fn sample(numbers: &[usize]) -> Vec<usize> {
    let n = numbers.len().min(SEARCHED);
    (0..n).map(|nth| numbers[nth * numbers.len() / n]).collect()
}
