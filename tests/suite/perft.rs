//! Node counts: sequences of plies from the start of a variant.

use tafl_rules::RuleSet;
use tafl_tests::fast::Fast;
use tafl_tests::model::RulesModel;
use tafl_tests::naive::Naive;
use tafl_tests::oracle;
use tafl_tests::variants;

/// Counts the sequences of exactly `depth` plies; a finished game has no continuation.
fn perft<M: RulesModel>(model: &M, depth: u32) -> u64 {
    if model.outcome().is_some() {
        return 0;
    }
    let moves = model.moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    let after = |mv| {
        let mut next = model.clone();
        next.play(mv).expect("listed moves are legal");
        perft(&next, depth - 1)
    };
    moves.into_iter().map(after).sum()
}

/// Returns the rules of a variant without what depends on history.
fn without_history(name: &str) -> RuleSet {
    let rules = variants::rules(name);
    RuleSet { repetition: Vec::new(), ply_limit: None, captureless_limit: None, ..rules }
}

fn check<M: RulesModel>(limit: u64) {
    let Some(folder) = oracle::folder("perft") else { return };
    let text = std::fs::read_to_string(folder.join("perft.tsv")).expect("perft.tsv is there");
    let mut checked = 0;
    for (variant, depth, nodes) in oracle::node_counts(&text) {
        if nodes > limit {
            continue;
        }
        let found = perft(&M::start(&without_history(&variant)), depth);
        assert_eq!(found, nodes, "{variant} at depth {depth}");
        checked += 1;
    }
    assert!(checked > 30, "only {checked} counts");
}

#[test]
fn naive_model_counts_nodes() {
    check::<Naive>(100_000);
}

#[test]
fn engine_counts_nodes() {
    check::<Fast>(2_000_000);
}
