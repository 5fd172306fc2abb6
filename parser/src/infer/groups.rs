//! The whole inference: groups records by start, finds the rules of each group, and separates records of two
//! games in one file.

use tafl_rules::{RuleSet, Setup, catalog};

use super::answer::{Contradiction, Inference, RulesGroup, StartOrigin, VariantFit};
use super::game::GameEvidence;
use super::search::{Candidate, Reached, RuleSearch};
use super::start::{self, KNOWN, StartGroup};
use super::trial::Trial;
use super::{InferOptions, derive, evidence};
use crate::record::Record;

/// The maximum number of games examined during the search for rules and the weighing of options. The search plays
/// every game once for each candidate, and 220 clean games already decide an option by a single fault. Choices: more
/// games take proportionally longer.
const SEARCHED: usize = 220;
const WEIGHED: usize = 2000;
/// The number of catalog rule sets from which a search begins. A choice: each one costs a whole search.
const BASES: usize = 3;
/// The minimum number of games in a separate group. A choice: fewer games may share the same writing errors.
const FEWEST: usize = 4;

pub(super) fn infer(records: &[&Record], options: &InferOptions) -> Inference {
    let own: Vec<Setup> = options.hint.iter().map(|rules| rules.start.clone()).collect();
    let (starts, without_start) = start::group(records, &own);
    let mut groups: Vec<RulesGroup> = Vec::new();
    let (known, doubtful): (Vec<StartGroup>, Vec<StartGroup>) =
        starts.into_iter().partition(|group| group.share >= KNOWN || is_given(group, records, options));
    for group in known {
        let origin =
            if is_given(&group, records, options) { StartOrigin::Given } else { StartOrigin::Catalog };
        groups.extend(split(records, options, &group.records, group.setups, origin));
    }
    // Games with an unknown start are spread over known starts that fit them badly.
    let mut rest: Vec<usize> = doubtful.iter().flat_map(|group| &group.records).copied().collect();
    rest.extend(without_start);
    rest.sort_unstable();
    let share = doubtful.iter().map(|group| group.share * group.records.len() as f64).sum::<f64>()
        / rest.len().max(1) as f64;
    match derived(&rest, records, share) {
        Some((setups, origin)) => groups.extend(split(records, options, &rest, setups, origin)),
        None => {
            for group in doubtful {
                groups.extend(split(records, options, &group.records, group.setups, StartOrigin::Catalog));
            }
        }
    }
    // If no game agrees with the best rules, they are not worth reporting.
    groups.retain(|group| group.n_agreeing > 0 || options.hint.is_some());
    groups.sort_by_key(|group| std::cmp::Reverse(group.records.len()));
    let mut is_decided = vec![false; records.len()];
    for nth in groups.iter().flat_map(|group| &group.records) {
        is_decided[*nth] = true;
    }
    let undecidable = (0..records.len()).filter(|nth| !is_decided[*nth]).collect();
    Inference { n_records: records.len(), groups, undecidable }
}

/// Returns whether the records or the user give the start.
fn is_given(group: &StartGroup, records: &[&Record], options: &InferOptions) -> bool {
    options.hint.as_ref().is_some_and(|rules| group.setups.contains(&rules.start))
        || group.records.iter().any(|nth| records[*nth].start.is_some())
}

/// Returns the start derived from the moves of some records, if it fits them better than the known starts.
fn derived(numbers: &[usize], records: &[&Record], known: f64) -> Option<(Vec<Setup>, StartOrigin)> {
    if numbers.len() < FEWEST {
        return None;
    }
    let all: Vec<&Record> = numbers.iter().map(|nth| records[*nth]).collect();
    let derive::DerivedStart { setup, seen, mirrored, unknown } = derive::derive(&all)?;
    let share = all.iter().map(|record| start::share(record, &setup)).sum::<f64>() / all.len() as f64;
    (share >= 0.5 && share > known + 0.05)
        .then_some((vec![setup], StartOrigin::Derived { seen, mirrored, unknown }))
}

/// Returns the answer for records with the same start: one group, or more if two rule sets explain all of
/// them and one does not.
fn split(
    records: &[&Record],
    options: &InferOptions,
    numbers: &[usize],
    setups: Vec<Setup>,
    origin: StartOrigin,
) -> Vec<RulesGroup> {
    let shape = setups[0].shape();
    let games: Vec<GameEvidence> =
        numbers.iter().map(|nth| GameEvidence::new(*nth, records[*nth], shape)).collect();
    let inference = StartInference { setups, origin, options, games };
    let all: Vec<usize> = (0..inference.games.len()).collect();
    let Some(first) = inference.search(&all) else { return Vec::new() };
    match inference.two_games(&all, &first) {
        Some(RulesPair { first, second, other, n_shared }) => {
            let own: Vec<usize> = all.iter().copied().filter(|at| other.binary_search(at).is_err()).collect();
            vec![inference.answer(first, &own, n_shared), inference.answer(second, &other, n_shared)]
        }
        None => vec![inference.answer(first, &all, 0)],
    }
}

/// Two rule sets that together explain games that one alone does not.
struct RulesPair {
    first: Reached,
    second: Reached,
    /// The games explained only by the second one.
    other: Vec<usize>,
    /// The number of games explained by both.
    n_shared: usize,
}

/// The inference for records with the same start.
struct StartInference<'o> {
    setups: Vec<Setup>,
    origin: StartOrigin,
    options: &'o InferOptions,
    games: Vec<GameEvidence>,
}

impl StartInference<'_> {
    fn search_of(&self, numbers: &[usize]) -> RuleSearch<'_> {
        RuleSearch {
            games: numbers.iter().map(|at| &self.games[*at]).collect(),
            hints: evidence::hints(&self.games),
            options: self.options,
        }
    }

    /// Returns the catalog variants with this start; variants with identical rules are combined.
    fn variants(&self) -> Vec<(Vec<&'static str>, RuleSet)> {
        let mut without = self.options.without.clone();
        without.iter_mut().for_each(RuleSet::canonicalize);
        let mut all: Vec<(Vec<&'static str>, RuleSet)> = Vec::new();
        for variant in catalog::all() {
            let mut rules = variant.rules();
            rules.canonicalize();
            if !self.setups.contains(&rules.start) || without.as_ref() == Some(&rules) {
                continue;
            }
            match all.iter_mut().find(|(_, other)| *other == rules) {
                Some((names, _)) => names.push(variant.name),
                None => all.push((vec![variant.name], rules)),
            }
        }
        all
    }

    /// Returns the rules that explain a sample of the games best, rated on all games.
    fn search(&self, numbers: &[usize]) -> Option<Reached> {
        let mut bases: Vec<RuleSet> = self.options.hint.iter().cloned().collect();
        bases.iter_mut().for_each(RuleSet::canonicalize);
        bases.retain(|rules| self.setups.contains(&rules.start));
        if bases.is_empty() {
            bases.extend(self.variants().into_iter().map(|(_, rules)| rules));
            bases.extend(self.setups.iter().map(|setup| RuleSet::with_defaults(setup.clone())));
        }
        let sample = sample(numbers);
        let search = self.search_of(&sample);
        let mut rated: Vec<Candidate> = search.rate_all(&bases).into_iter().flatten().collect();
        // The sort is stable, so among equals the first one in the catalog wins.
        rated.sort_by(|one, other| one.cost.total_cmp(&other.cost));
        let mut best: Option<Reached> = None;
        for base in rated.iter().take(BASES) {
            let Some(next) = search.descend(&base.rules) else { continue };
            if best.as_ref().is_none_or(|best| next.cost + 1e-9 < best.cost) {
                best = Some(next);
            }
            if best.as_ref().is_some_and(|best| best.cost == 0.0) {
                break;
            }
        }
        let best = best?;
        let whole: Vec<usize> = (0..self.games.len()).collect();
        let found = self.search_of(&whole).rate(&best.found.rules)?;
        Some(Reached { found, ..best })
    }

    /// Returns two rule sets if together they explain clearly more games than one: two catalog variants, or
    /// otherwise the best rules and those of the games that contradict them.
    fn two_games(&self, all: &[usize], single: &Reached) -> Option<RulesPair> {
        let n_needed = FEWEST.max(all.len() / 40);
        let n_bad = all.len() - single.found.n_agreeing();
        if n_bad < n_needed {
            return None;
        }
        let search = self.search_of(all);
        let sets: Vec<RuleSet> = self.variants().into_iter().map(|(_, rules)| rules).collect();
        let rated: Vec<Candidate> = search.rate_all(&sets).into_iter().flatten().collect();
        let fits = |found: &Candidate, at: usize| found.trials[at].agrees();
        let joint = |one: &Candidate, two: &Candidate| {
            all.iter().filter(|at| fits(one, **at) || fits(two, **at)).count()
        };
        let pairs = rated.iter().flat_map(|one| rated.iter().map(move |two| (one, two)));
        // Among equals the first pair in the catalog wins.
        let best =
            pairs.filter(|(one, two)| one.n_agreeing() >= two.n_agreeing()).min_by_key(|(one, two)| {
                std::cmp::Reverse((joint(one, two), one.n_agreeing(), two.n_agreeing()))
            });
        let seed = best.filter(|(one, two)| joint(one, two) >= single.found.n_agreeing() + n_needed);
        let rest = |first: &Reached| -> Vec<usize> {
            all.iter().copied().filter(|at| !fits(&first.found, *at)).collect()
        };
        let seeded = seed.and_then(|(one, two)| self.search(&only(all, one, two)));
        let starts = [Some(single.clone()), seeded];
        let (mut first, mut second) = starts
            .into_iter()
            .flatten()
            .filter_map(|first| {
                let second = self.search(&rest(&first))?;
                Some((first, second))
            })
            .max_by_key(|(first, second)| joint(&first.found, &second.found))?;
        if first.found.n_agreeing() < second.found.n_agreeing() {
            std::mem::swap(&mut first, &mut second);
        }
        let other = only(all, &second.found, &first.found);
        let n_shared = all.iter().filter(|at| fits(&first.found, **at) && fits(&second.found, **at)).count();
        let n_shared = n_shared.saturating_sub(other.iter().filter(|at| fits(&first.found, **at)).count());
        let is_enough = other.len() >= n_needed && other.len() * 2 > n_bad;
        is_enough.then_some(RulesPair { first, second, other, n_shared })
    }

    /// Returns the answer for some of the games.
    fn answer(&self, reached: Reached, numbers: &[usize], n_shared: usize) -> RulesGroup {
        let weighed: Vec<usize> = numbers.iter().copied().take(WEIGHED).collect();
        let search = self.search_of(&weighed);
        let start = search.rate(&reached.found.rules).unwrap_or(reached.found);
        let (best, options) = evidence::weigh(&search, start);
        let whole = self.search_of(numbers);
        let trials = whole.rate(&best.rules).map(|found| found.trials).unwrap_or_default();
        let n_agreeing = trials.iter().filter(|trial| trial.agrees()).count();
        let variants = self.variants();
        let base = variants.iter().find(|(_, rules)| *rules == reached.base).map(|(names, _)| names[0]);
        let mut records: Vec<usize> = numbers.iter().map(|at| self.games[*at].nth).collect();
        records.sort_unstable();
        RulesGroup {
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

/// Returns the games that agree with each variant, best first.
fn explanations(search: &RuleSearch<'_>, variants: &[(Vec<&'static str>, RuleSet)]) -> Vec<VariantFit> {
    let sets: Vec<RuleSet> = variants.iter().map(|(_, rules)| rules.clone()).collect();
    let rated = search.rate_all(&sets);
    let mut found: Vec<(f64, VariantFit)> = variants
        .iter()
        .zip(rated)
        .filter_map(|((names, _), candidate)| {
            let candidate = candidate?;
            let n_agreeing = candidate.n_agreeing();
            let explanation = VariantFit {
                variants: names.clone(),
                n_agreeing,
                n_contradicting: search.games.len() - n_agreeing,
                first: contradictions(&search.games, &candidate.trials).first().copied(),
            };
            Some((candidate.cost, explanation))
        })
        .collect();
    found.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    found.into_iter().map(|(_, explanation)| explanation).collect()
}

fn contradictions(games: &[&GameEvidence], trials: &[Trial]) -> Vec<Contradiction> {
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

/// Returns the games that agree with one candidate, but contradict the other or stop early under it.
fn only(all: &[usize], one: &Candidate, other: &Candidate) -> Vec<usize> {
    let explains = |at: &usize| {
        let (here, there) = (&one.trials[*at], &other.trials[*at]);
        here.agrees() && (!there.agrees() || (here.n_faults == 0 && there.n_faults > 0))
    };
    all.iter().copied().filter(explains).collect()
}

/// Returns an evenly spaced sample of the games.
fn sample(numbers: &[usize]) -> Vec<usize> {
    let n = numbers.len().min(SEARCHED);
    (0..n).map(|nth| numbers[nth * numbers.len() / n]).collect()
}

#[cfg(test)]
mod tests {
    use tafl_rules::{Coord, Piece, Role, Shape, Side, Span};

    use super::*;
    use crate::record::{Format, WrittenMove, WrittenStart};

    #[test]
    fn a_record_from_a_start_that_no_rules_can_play_is_undecidable() {
        let shape = Shape::square(7).unwrap();
        let (from, to) = (Coord::new(3, 0), Coord::new(3, 2));
        let mut setup = Setup::empty(shape);
        setup.put(shape.cell(from).unwrap(), Some(Piece::new(Side::Attackers, Role::Soldier)));
        for file in [2, 4] {
            let cell = shape.cell(Coord::new(file, 4)).unwrap();
            setup.put(cell, Some(Piece::new(Side::Defenders, Role::King)));
        }
        let mut record = Record::new(Format::MoveList);
        record.start = Some(WrittenStart { setup, span: Span::default() });
        record.main_mut().moves.push(WrittenMove::new(from, to, Span::default()));
        let found = infer(&[&record], &InferOptions::default());
        assert_eq!((found.groups.len(), found.undecidable), (0, vec![0]));
    }
}
