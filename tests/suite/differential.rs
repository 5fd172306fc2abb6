//! Two models of the rules must agree for random rule sets: on legal moves, captures, boards, and endings after each ply.

use std::collections::{BTreeMap, BTreeSet};
use std::env;

use tafl_rules::{Berserk, Cell, Rng, RuleSet};
use tafl_tests::compare::playout;
use tafl_tests::fast::Fast;
use tafl_tests::model::RulesModel;
use tafl_tests::naive::Naive;
use tafl_tests::oracle;
use tafl_tests::random::random_rules;

/// Plays random games of random rules in both models and compares every ply.
///
/// `TAFL_DIFF_CASES` sets the number of rule sets, `TAFL_DIFF_SEED` the first seed.
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
fn random_rules_equal_those_read_from_their_text() {
    for seed in 0..2000 {
        let rules = random_rules(&mut Rng::new(seed));
        let text = rules.to_string();
        let read: RuleSet = text.parse().unwrap_or_else(|error| panic!("seed {seed}: {error}: {text}"));
        assert_eq!(read, rules, "seed {seed}: {text}");
    }
}

/// Guards capture nothing, so the position history is never cleared.
#[test]
fn boards_must_not_recur_after_any_number_of_turns() {
    let text = "dim:9 surf:n cor: cen: ka:n xgoal:d=none xrep:defko \
                start:/2g3g2/9/9/3G1G3/4K4/3G1G3/9/9/2g3g2/";
    let rules: RuleSet = text.parse().unwrap();
    for seed in 0..3 {
        let game = playout::<Naive, Fast>(&rules, &mut Rng::new(seed), 120)
            .unwrap_or_else(|difference| panic!("seed {seed}\n{difference}"));
        assert_eq!((game.n_plies, game.n_captured), (120, 0), "seed {seed}");
    }
}

/// Plays the first move of a chain and returns the cells from which the next move may start.
fn starts_after<M: RulesModel>(rules: &RuleSet, first: &str) -> BTreeSet<Cell> {
    let mut model = M::start(rules);
    let side = model.side_to_move();
    model.play(oracle::mv(rules.shape(), first)).expect("the move is legal");
    assert_eq!(model.side_to_move(), side, "the chain continues");
    model.moves().into_iter().map(|mv| mv.from).collect()
}

#[test]
fn chains_of_any_moves_can_be_declined_or_begun_by_jumps_like_chains_of_captures() {
    let rules = |keys: &str, row: &str| -> RuleSet {
        format!("dim:7 surf:n cor: cen: {keys} start:/7/7/{row}/7/7/3K3/7/").parse().unwrap()
    };
    let cells = |rules: &RuleSet, names: &[&str]| -> BTreeSet<Cell> {
        names.iter().map(|name| oracle::cell(rules.shape(), name)).collect()
    };
    for (keys, row, first, next) in [
        ("ber:m", "1t1Tt2", "b3-c3", &["c3"][..]),
        ("ber:m xber:free", "1t1Tt2", "b3-c3", &["c3", "d6"][..]),
        ("ber:m cj:j xber:jump", "1cT4", "b3-d3", &["d3"][..]),
        ("ber:m cj:j xber:free+jump", "1cT4", "b3-d3", &["c3", "d3", "d6"][..]),
    ] {
        let rules = rules(keys, row);
        let expected = cells(&rules, next);
        assert_eq!(starts_after::<Naive>(&rules, first), expected, "{keys}");
        assert_eq!(starts_after::<Fast>(&rules, first), expected, "{keys}");
    }
}

#[test]
fn random_rules_include_chains_of_any_moves_that_can_be_declined_or_continued_by_jumps() {
    let chains = (0..1500)
        .map(|seed| random_rules(&mut Rng::new(seed)))
        .filter(|rules| rules.berserk == Berserk::AnyMove);
    let (mut free, mut jumps) = (0, 0);
    for rules in chains {
        free += usize::from(rules.chain.may_decline);
        jumps += usize::from(rules.chain.after_jumps);
    }
    assert!(free > 5 && jumps > 5, "{free} can be declined, {jumps} can be continued by jumps");
}
