//! Node counts: sequences of plies from the start of a variant, or from a position.
//!
//! A file of `fixtures/perft` has a line `rules:` with a variant and changed keys, optionally `position:` and `side:`, and
//! lines with a depth and a number of nodes; another `rules:` starts a new list. Lines with `#` are comments.

use std::fs;
use std::path::Path;

use tafl_rules::{RuleSet, Setup, Side};
use tafl_tests::data;
use tafl_tests::fast::Fast;
use tafl_tests::model::RulesModel;
use tafl_tests::naive::Naive;
use tafl_tests::oracle;
use tafl_tests::variants;

/// A known number of nodes.
struct Count {
    place: String,
    rules: RuleSet,
    board: Setup,
    side: Side,
    depth: u32,
    nodes: u64,
}

impl Count {
    fn of_variant(words: &str, place: String) -> Count {
        let rules = without_history(words);
        let (board, side) = (rules.start.clone(), rules.first_mover);
        Count { place, rules, board, side, depth: 0, nodes: 0 }
    }

    fn is_right<M: RulesModel>(&self) -> Result<(), String> {
        let found = perft(&M::at(&self.rules, &self.board, self.side), self.depth);
        let Count { place, depth, nodes, .. } = self;
        if found == *nodes {
            Ok(())
        } else {
            Err(format!("{place}: depth {depth}: {found}, expected {nodes}"))
        }
    }
}

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

/// Returns the rules without those that depend on history.
fn without_history(words: &str) -> RuleSet {
    let rules = variants::with_keys(words);
    RuleSet { repetition: Vec::new(), ply_limit: None, captureless_limit: None, ..rules }
}

/// Reads the counts of `fixtures/perft`.
fn fixtures() -> Vec<Count> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/perft");
    let mut paths: Vec<_> =
        fs::read_dir(folder).expect("the folder is there").map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let mut counts = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let mut now: Option<Count> = None;
        for (n, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
            let place = format!("{name}:{}", n + 1);
            match (line.split_once(": "), &mut now) {
                (Some(("rules", words)), _) => now = Some(Count::of_variant(words, place)),
                (Some(("position", record)), Some(now)) => {
                    now.board = Setup::parse(now.rules.shape(), record).unwrap();
                }
                (Some(("side", word)), Some(now)) => now.side = oracle::side(word),
                (None, Some(now)) => {
                    let (depth, nodes) = line.split_once(' ').unwrap();
                    let (rules, board) = (now.rules.clone(), now.board.clone());
                    let (depth, nodes) = (depth.parse().unwrap(), nodes.parse().unwrap());
                    counts.push(Count { place, rules, board, side: now.side, depth, nodes });
                }
                _ => panic!("{place}: `{line}` is not understood"),
            }
        }
    }
    counts
}

/// Reads the counts of the oracle's `perft.tsv`.
fn oracle_counts() -> Vec<Count> {
    let folder = data::oracle();
    let text = fs::read_to_string(folder.join("perft.tsv")).unwrap();
    let count = |(variant, depth, nodes): (String, u32, u64)| Count {
        depth,
        nodes,
        ..Count::of_variant(&variant, format!("perft.tsv {variant}"))
    };
    oracle::node_counts(&text).into_iter().map(count).collect()
}

/// Checks every count of at most `limit` nodes, and that these are at least `n_least`.
fn check<M: RulesModel>(counts: &[Count], limit: u64, n_least: usize) {
    let small: Vec<&Count> = counts.iter().filter(|count| count.nodes <= limit).collect();
    let wrong: Vec<String> = small.iter().filter_map(|count| count.is_right::<M>().err()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(small.len() >= n_least, "only {} counts", small.len());
}

#[test]
fn naive_model_counts_nodes() {
    check::<Naive>(&fixtures(), 60_000, 40);
}

#[test]
fn engine_counts_nodes() {
    check::<Fast>(&fixtures(), 1_200_000, 50);
}

#[test]
#[cfg_attr(not(has_oracle), ignore = "TAFL_ORACLE is not set")]
fn engine_counts_nodes_of_the_oracle() {
    check::<Fast>(&oracle_counts(), 1_200_000, 45);
}
