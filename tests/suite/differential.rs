//! Two models of the rules must agree on random rule sets: on legal moves, captures, boards and ends of every ply.

use std::collections::BTreeMap;
use std::env;

use tafl_rules::RuleSet;
use tafl_tests::compare::playout;
use tafl_tests::fast::Fast;
use tafl_tests::model::RulesModel;
use tafl_tests::naive::Naive;
use tafl_tests::random::{Rng, random_rules};

/// Plays random games of random rules in both models and compares every ply.
///
/// `TAFL_DIFF_CASES` sets how many rule sets are made, `TAFL_DIFF_SEED` the first seed.
fn compare<A: RulesModel, B: RulesModel>(default_cases: u64) {
    let number = |name: &str| env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let first = number("TAFL_DIFF_SEED").unwrap_or(0);
    let n_cases = number("TAFL_DIFF_CASES").unwrap_or(default_cases);
    let (mut n_plies, mut n_captured) = (0, 0);
    let mut ends: BTreeMap<String, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for seed in first..first + n_cases {
        let mut rng = Rng::new(seed);
        let rules = random_rules(&mut rng);
        match playout::<A, B>(&rules, &mut rng, 80) {
            Ok(game) => {
                n_plies += game.n_plies;
                n_captured += game.n_captured;
                let end = game.outcome.map_or("none".to_owned(), |outcome| outcome.to_string());
                *ends.entry(end).or_default() += 1;
            }
            Err(difference) => wrong.push(format!("seed {seed}\n{difference}\n")),
        }
        if wrong.len() >= 10 {
            break;
        }
    }
    println!("{n_cases} rule sets, {n_plies} plies, {n_captured} pieces captured, ends {ends:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(n_cases < default_cases || n_plies > 30_000, "only {n_plies} plies");
}

#[test]
fn engine_agrees_with_the_naive_model() {
    compare::<Naive, Fast>(1500);
}

#[test]
fn random_rules_survive_their_text() {
    for seed in 0..2000 {
        let rules = random_rules(&mut Rng::new(seed));
        let text = rules.to_string();
        let read: RuleSet = text.parse().unwrap_or_else(|error| panic!("seed {seed}: {error}: {text}"));
        assert_eq!(read, rules, "seed {seed}: {text}");
    }
}
