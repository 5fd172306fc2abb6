//! `tafl explore`.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tafl_cli::Exit;
use tafl_parser::{Format, Source};
use tempfile::TempDir;

use super::{RunOutput, run};

/// Games of Brandubh that begin alike: the second one mirrored left to right, the third one by another order of moves.
const GAMES: &str = "\
d2-c2 e4-e1 b4-b2 d4-e4 c2-c1 e4-e3,0,0,Black
d2-e2 c4-c1 f4-f2 d4-c4,0,0,White
d6-c6 e4-e7 b4-b6,0,0,Black
d2-b2 e4-e1 b4-b3,0,0,Draw
";

fn corpus() -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let (games, corpus) = (folder.path().join("games.csv"), folder.path().join("corpus"));
    fs::write(&games, GAMES).unwrap();
    let [games, corpus] = [games, corpus].map(|path| path.to_str().unwrap().to_owned());
    let ran = run(&["--quiet", "import", &corpus, &games, "--variant", "brandubh7"]);
    assert_eq!(ran.exit, Exit::Ok, "{}", ran.stderr);
    (folder, corpus)
}

fn explore(corpus: &str, words: &[&str]) -> RunOutput {
    run(&[&["explore", corpus, "--variant", "brandubh7"], words].concat())
}

fn counts(value: &Value) -> Value {
    let names = ["games", "attackers", "defenders", "draw", "unfinished"];
    names.map(|name| value[name].clone()).to_vec().into()
}

#[test]
fn mirrored_games_are_one_line() {
    let (_folder, corpus) = corpus();
    let answer = explore(&corpus, &["--format", "json"]).json();
    assert_eq!(counts(&answer), json!([4, 2, 1, 1, 0]));
    let moves = answer["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 2, "{moves:?}");
    assert_eq!(counts(&moves[0]), json!([3, 2, 1, 0, 0]));
    assert_eq!(moves[0]["alike"].as_array().unwrap().len(), 7);
    // The asker holds the board as he likes; the games follow him.
    for first in ["d2-c2", "d2-e2", "b4-b5", "d6-e6"] {
        let answer = explore(&corpus, &["--moves", first, "--format", "json"]).json();
        assert_eq!(counts(&answer), json!([3, 2, 1, 0, 0]), "{first}");
        assert_eq!(answer["moves"].as_array().unwrap().len(), 1, "{first}: {answer:#}");
    }
    let answer = explore(&corpus, &["--moves", "d2-e2", "--as-it-stands", "--format", "json"]).json();
    assert_eq!(counts(&answer), json!([1, 0, 1, 0, 0]));
    assert_eq!(answer["moves"][0]["move"], "c4-c1");
}

#[test]
fn a_position_is_found_without_its_moves() {
    let (_folder, corpus) = corpus();
    let position = "/2t4/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";
    let words =
        ["--position", "/3t3/2t4/3T3/ttTKTtt/3T3/3t3/3t3/", "--side", "defenders", "--format", "json"];
    let answer = explore(&corpus, &words).json();
    assert_eq!(counts(&answer), json!([3, 2, 1, 0, 0]));
    let ran = explore(&corpus, &["--position", position, "--side", "defenders"]);
    assert_eq!(ran.exit, Exit::Findings);
    assert!(ran.stderr.contains("no game of brandubh7 has this position"), "{}", ran.stderr);
}

#[test]
fn games_can_be_chosen() {
    let (_folder, corpus) = corpus();
    let answer = explore(&corpus, &["--query", "result:attackers", "--format", "json"]).json();
    assert_eq!(counts(&answer), json!([2, 2, 0, 0, 0]));
    let ran = explore(&corpus, &["--query", "player:nobody"]);
    assert_eq!(ran.exit, Exit::Findings);
    assert!(ran.stderr.contains("no game found by --query"), "{}", ran.stderr);
    let ran = explore(&corpus, &["--query", "reslt:attackers"]);
    assert_eq!(ran.exit, Exit::Error);
    assert!(ran.stderr.contains("^"), "{}", ran.stderr);
}

#[test]
fn the_text_is_a_table() {
    let (_folder, corpus) = corpus();
    let ran = explore(&corpus, &[]);
    assert_eq!(ran.exit, Exit::Ok, "{}", ran.stderr);
    let text = ran.text();
    assert!(text.starts_with("brandubh7: attackers to move\n"), "{text}");
    assert!(text.contains("4 games: attackers won 50.0% (15.0 to 85.0)"), "{text}");
    assert!(text.contains("75.0%") && text.contains("top games"), "{text}");
}

/// Returns how many games each comment of a record names, line by line.
fn games_of(path: &Path) -> Vec<(usize, u32, u32)> {
    let text = fs::read_to_string(path).unwrap();
    let parsed = Format::OpenTafl.parse(&Source::new(&text));
    assert!(parsed.diagnostics.is_empty(), "{:?}\n{text}", parsed.diagnostics);
    let record = parsed.value;
    let mut games: Vec<_> = (record.comments.iter())
        .map(|comment| {
            let number = comment.text.split(' ').next().unwrap().parse().unwrap();
            (comment.place.line.index(), comment.place.after, number)
        })
        .collect();
    games.sort_unstable();
    assert_eq!(games.len(), record.lines.iter().map(|line| line.moves.len()).sum::<usize>());
    games
}

#[test]
fn a_tree_is_a_record_with_variations() {
    let (folder, corpus) = corpus();
    let path = folder.path().join("tree.otg");
    let words = ["--tree", "3", "--min-games", "1", "--format", "opentafl", "-o", path.to_str().unwrap()];
    assert_eq!(explore(&corpus, &words).exit, Exit::Ok);
    let tree = explore(&corpus, &["--tree", "3", "--min-games", "1", "--format", "json"]).json();
    assert_eq!((&tree["counted_by"], &tree["games"]), (&json!("position"), &json!(4)));
    fn size(tree: &Value) -> usize {
        1 + tree["children"].as_array().map_or(0, |children| children.iter().map(size).sum())
    }
    let games = games_of(&path);
    assert_eq!(games.len(), size(&tree) - 1);
    let first = &tree["children"][0];
    assert_eq!(games[0], (0, 1, first["games"].as_u64().unwrap() as u32));
    // The record is a game that can be played, variations and all.
    let ran = run(&["validate", path.to_str().unwrap()]);
    assert_eq!(ran.exit, Exit::Ok, "{}{}", ran.text(), ran.stderr);
}

#[test]
fn a_tree_is_a_picture() {
    let (_folder, corpus) = corpus();
    let ran = explore(&corpus, &["--tree", "2", "--min-games", "1", "--format", "svg"]);
    assert!(ran.text().starts_with("<svg ") && ran.text().contains(">4 games</text>"));
    let ran = explore(&corpus, &["--tree", "2"]);
    assert!(ran.text().ends_with("games counted by position\n"), "{}", ran.text());
    assert_eq!(explore(&corpus, &["--format", "svg"]).exit, Exit::Error);
}

#[test]
fn wrong_requests_are_errors() {
    let (folder, corpus) = corpus();
    let ran = explore(&corpus, &["--moves", "d2-c2 d1-d7"]);
    assert_eq!(ran.exit, Exit::Error);
    assert!(ran.stderr.contains("ply 2, d1-d7"), "{}", ran.stderr);
    let ran = run(&["explore", &corpus, "--variant", "copenhagen11"]);
    assert_eq!(ran.exit, Exit::Findings);
    assert!(ran.stderr.contains("no games of copenhagen11"), "{}", ran.stderr);
    let ran = run(&["explore", &corpus]);
    assert!(ran.stderr.contains("no rules are given"), "{}", ran.stderr);
    let nowhere = folder.path().join("nowhere");
    let ran = explore(nowhere.to_str().unwrap(), &[]);
    assert!(ran.stderr.contains("no such corpus"), "{}", ran.stderr);
}
