//! Attribution: rules under which a single record that contradicts its rules would be sound.

use std::collections::HashSet;
use std::fmt;

use tafl_rules::{
    AnyRulebook, RuleSet,
    catalog::{self, NamedRules},
};

use super::InferOptions;
use super::answer::OptionChange;
use super::evidence::{hints, listed};
use super::game::GameEvidence;
use super::search::{Candidate, RuleSearch};
use super::trial::RuleTester;
use crate::record::Record;
use crate::replay::by_popularity;

/// The maximum number of answers.
const MAX_ANSWERS: usize = 3;
/// The minimum number of moves of a record that is attributed to another start: fewer moves are legal from several starts
/// by chance. A choice.
const MIN_MOVES_OF_OTHER_START: usize = 6;
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

/// Returns the rules under which a record is sound: published variants with the start of the given rules, then rules
/// with a single option changed, otherwise with two; if there are none, any catalog variants with the same start, otherwise
/// published variants with another one. Returns an empty list if the record is sound, if no such rules make it sound, or if
/// it contradicts itself.
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
    let is_on_board = games[0].steps.len() == record.main().moves.len();
    if is_right(&now) && is_on_board {
        return Vec::new();
    }
    let mut found = if is_on_board { of_start(&search, &now) } else { Vec::new() };
    if found.is_empty() && record.start.is_none() {
        found = of_other_starts(record, &rules);
    }
    found.truncate(MAX_ANSWERS);
    found
        .into_iter()
        .map(|other| Attribution {
            // The options of another start are those of its variant.
            changes: if other.start == rules.start {
                listed(&rules, &other, &search.hints)
            } else {
                Vec::new()
            },
            variants: named(&other),
            rules: other,
        })
        .collect()
}

/// Returns the rules with the start of `now` under which its game is sound.
fn of_start(search: &RuleSearch<'_>, now: &Candidate) -> Vec<RuleSet> {
    let single: Vec<Candidate> = search
        .changes_by_one(&now.rules)
        .into_iter()
        .filter_map(|(_, setting)| search.rate(&setting.rules))
        .collect();
    let mut changed: Vec<RuleSet> =
        single.iter().filter(|one| is_right(one)).map(|one| one.rules.clone()).collect();
    if changed.is_empty() {
        changed = pairs(search, now, single);
    }
    // Players use published variants more often than rules that differ from one in an option.
    let mut found = variants_of_start(search, now, by_popularity());
    if !changed.is_empty() {
        found.truncate(MAX_ANSWERS - 1);
        found.append(&mut changed);
        remove_copies(&mut found);
    } else if found.is_empty() {
        found = variants_of_start(search, now, catalog::all());
    }
    found
}

/// Returns those variants with the start of `now` under which its game is sound.
fn variants_of_start(
    search: &RuleSearch<'_>,
    now: &Candidate,
    variants: impl Iterator<Item = &'static NamedRules>,
) -> Vec<RuleSet> {
    let of_start = variants.map(NamedRules::rules).filter(|other| other.start == now.rules.start);
    let mut found: Vec<RuleSet> =
        of_start.filter(|other| search.rate(other).is_some_and(|one| is_right(&one))).collect();
    found.iter_mut().for_each(RuleSet::canonicalize);
    remove_copies(&mut found);
    found
}

/// Returns whether the game of a candidate is sound.
fn is_right(found: &Candidate) -> bool {
    found.trials[0].agrees()
}

/// Returns the published variants with another start than the given rules under which a record is sound.
fn of_other_starts(record: &Record, rules: &RuleSet) -> Vec<RuleSet> {
    let n_moves = record.main().moves.len();
    if n_moves < MIN_MOVES_OF_OTHER_START {
        return Vec::new();
    }
    let fits = |other: &RuleSet| {
        let game = GameEvidence::new(0, record, other.shape());
        let is_on_board = game.steps.len() == n_moves;
        let book = AnyRulebook::compile(other).ok().filter(|_| is_on_board && other.start != rules.start);
        book.is_some_and(|book| RuleTester::new(&book).trial(&game).agrees())
    };
    let mut found: Vec<RuleSet> =
        by_popularity().map(NamedRules::rules).filter(fits).take(MAX_ANSWERS).collect();
    found.iter_mut().for_each(RuleSet::canonicalize);
    found
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
        .filter(is_right)
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
    let same = |variant: &&NamedRules| {
        let mut other = variant.rules();
        other.canonicalize();
        other == *rules
    };
    catalog::all().filter(same).map(|variant| variant.name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, Source};

    #[test]
    fn equal_rules_are_listed_once_in_any_order() {
        let named = |name: &str| RuleSet::named(name).unwrap();
        let mut rules = vec![named("brandubh7"), named("ardri7"), named("brandubh7")];
        remove_copies(&mut rules);
        assert_eq!(rules, [named("brandubh7"), named("ardri7")]);
    }

    /// Returns the variants to which a list of moves is attributed, given those that its record names.
    fn variants(moves: &str, named: &str) -> Vec<Vec<&'static str>> {
        let record = Format::MoveList.parse(&Source::new(moves)).value;
        let found = attribute(&record, &RuleSet::named(named).unwrap());
        found.into_iter().map(|one| one.variants).collect()
    }

    #[test]
    fn a_game_from_another_start_is_attributed_to_its_variant() {
        let moves = "d6-c6 e4-e6 d1-e1 d5-g5 f4-f5 d3-g3xg4";
        for named in ["tablut9_wtf", "tawlbwrdd11", "copenhagen11"] {
            assert_eq!(variants(moves, named)[0][0], "brandubh7", "{named}");
        }
        // Fewer moves prove too little.
        assert!(variants("d6-c6 e4-e6 d1-e1 d5-g5", "tablut9_wtf").is_empty());
        assert!(variants(moves, "brandubh7").is_empty());
        // A move off the board of its rules.
        assert_eq!(variants("f1-f2 f6-e6 f11-f10 g6-g7 a4-b4 e5-d5", "brandubh7").len(), 0);
    }

    #[test]
    fn published_variants_come_before_changed_options() {
        // A shieldwall, which Fetlar does not have.
        let moves = "h1-h3 d6-d3 f2-c2 f4-i4 g1-i1 e5-b5 b6-c6 f5-c5 a7-c7 f6-f2 j6-j2 f2-d2 d1-b1 b5-b2xc2 e1-c1 d2-c2 \
            a5-b5 d3-d1xc1xb1";
        let found = variants(moves, "fetlar11");
        assert_eq!(found[0][0], "copenhagen11");
        assert_eq!(found.len(), 3);
    }
}
