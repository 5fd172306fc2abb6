//! `tafl explore`.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tafl_cli::Exit;
use tafl_parser::{Format, Source};
use tempfile::TempDir;

use super::{RunOutput, run};

/// Games of Brandubh. The first moves of the first three are symmetric: the second game is mirrored left to right.
const GAMES: &str = "\
d2-c2 e4-e1 b4-b2 d4-e4 c2-c1 e4-e3,0,0,Black
d2-e2 c4-c1 f4-f2 d4-c4,0,0,White
d6-c6 e4-e7 b4-b6,0,0,Black
d2-b2 e4-e1 b4-b3,0,0,Draw
";

/// Returns a folder with a corpus of the games, and the path of the corpus.
fn corpus() -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let (games, corpus) = (folder.path().join("games.csv"), folder.path().join("corpus"));
    fs::write(&games, GAMES).unwrap();
    let [games, corpus] = [games, corpus].map(|path| path.to_str().unwrap().to_owned());
    let output = run(&["--quiet", "import", &corpus, &games, "--variant", "brandubh7"]);
    assert_eq!(output.exit, Exit::Ok, "{}", output.stderr);
    (folder, corpus)
}

fn explore(corpus: &str, args: &[&str]) -> RunOutput {
    run(&[&["explore", corpus, "--variant", "brandubh7"], args].concat())
}

/// Returns the numbers of games by result.
fn counts(value: &Value) -> Value {
    let names = ["games", "attackers", "defenders", "draw", "unfinished"];
    names.map(|name| value[name].clone()).to_vec().into()
}

#[test]
fn mirrored_games_are_counted_together() {
    let (_folder, corpus) = corpus();
    let result = explore(&corpus, &["--format", "json"]).json();
    assert_eq!(counts(&result), json!([4, 2, 1, 1, 0]));
    let moves = result["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 2, "{moves:?}");
    assert_eq!(counts(&moves[0]), json!([3, 2, 1, 0, 0]));
    assert_eq!(moves[0]["alike"].as_array().unwrap().len(), 7);
    // Any symmetric first move finds all three games.
    for first in ["d2-c2", "d2-e2", "b4-b5", "d6-e6"] {
        let result = explore(&corpus, &["--moves", first, "--format", "json"]).json();
        assert_eq!(counts(&result), json!([3, 2, 1, 0, 0]), "{first}");
        assert_eq!(result["moves"].as_array().unwrap().len(), 1, "{first}: {result:#}");
    }
    let result = explore(&corpus, &["--moves", "d2-e2", "--as-it-stands", "--format", "json"]).json();
    assert_eq!(counts(&result), json!([1, 0, 1, 0, 0]));
    assert_eq!(result["moves"][0]["move"], "c4-c1");
}

#[test]
fn a_position_is_found_by_any_move_order() {
    let (_folder, corpus) = corpus();
    let position = "/2t4/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";
    let args = ["--position", "/3t3/2t4/3T3/ttTKTtt/3T3/3t3/3t3/", "--side", "defenders", "--format", "json"];
    let result = explore(&corpus, &args).json();
    assert_eq!(counts(&result), json!([3, 2, 1, 0, 0]));
    let output = explore(&corpus, &["--position", position, "--side", "defenders"]);
    assert_eq!(output.exit, Exit::Findings);
    assert!(output.stderr.contains("no game of brandubh7 has this position"), "{}", output.stderr);
}

#[test]
fn games_are_selected_by_a_query() {
    let (_folder, corpus) = corpus();
    let result = explore(&corpus, &["--query", "result:attackers", "--format", "json"]).json();
    assert_eq!(counts(&result), json!([2, 2, 0, 0, 0]));
    let output = explore(&corpus, &["--query", "player:unknown"]);
    assert_eq!(output.exit, Exit::Findings);
    assert!(output.stderr.contains("no game has `player:\"unknown\"`"), "{}", output.stderr);
    let output = explore(&corpus, &["--query", "reslt:attackers"]);
    assert_eq!(output.exit, Exit::Error);
    assert!(output.stderr.contains("^"), "{}", output.stderr);
}

#[test]
fn the_text_output_is_a_table() {
    let (_folder, corpus) = corpus();
    let output = explore(&corpus, &[]);
    assert_eq!(output.exit, Exit::Ok, "{}", output.stderr);
    let text = output.text();
    assert!(text.starts_with("brandubh7: attackers to move\n"), "{text}");
    assert!(text.contains("4 games: attackers won 50.0% (15.0 to 85.0)"), "{text}");
    assert!(text.contains("75.0%") && text.contains("top games"), "{text}");
}

/// Returns the number of games in each comment of a record, with its line and ply, sorted.
fn games_in_comments(path: &Path) -> Vec<(usize, u32, u32)> {
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
    assert_eq!(games.len(), record.lines().map(|line| line.moves.len()).sum::<usize>());
    games
}

#[test]
fn a_tree_is_written_as_a_record_with_variations() {
    let (folder, corpus) = corpus();
    let path = folder.path().join("tree.otg");
    let args = ["--tree", "3", "--min-games", "1", "--format", "opentafl", "-o", path.to_str().unwrap()];
    assert_eq!(explore(&corpus, &args).exit, Exit::Ok);
    let tree = explore(&corpus, &["--tree", "3", "--min-games", "1", "--format", "json"]).json();
    assert_eq!((&tree["counted_by"], &tree["games"]), (&json!("position"), &json!(4)));
    fn size(tree: &Value) -> usize {
        1 + tree["children"].as_array().map_or(0, |children| children.iter().map(size).sum())
    }
    let games = games_in_comments(&path);
    assert_eq!(games.len(), size(&tree) - 1);
    let first = &tree["children"][0];
    assert_eq!(games[0], (0, 1, first["games"].as_u64().unwrap() as u32));
    // The main line and the variations are legal.
    let output = run(&["validate", path.to_str().unwrap()]);
    assert_eq!(output.exit, Exit::Ok, "{}{}", output.text(), output.stderr);
}

#[test]
fn a_tree_is_drawn_as_svg() {
    let (_folder, corpus) = corpus();
    let output = explore(&corpus, &["--tree", "2", "--min-games", "1", "--format", "svg"]);
    assert!(output.text().starts_with("<svg ") && output.text().contains(">4 games</text>"));
    let output = explore(&corpus, &["--tree", "2"]);
    assert!(output.text().ends_with("games counted by position\n"), "{}", output.text());
    assert_eq!(explore(&corpus, &["--format", "svg"]).exit, Exit::Error);
}

#[test]
fn invalid_requests_are_errors() {
    let (folder, corpus) = corpus();
    let output = explore(&corpus, &["--moves", "d2-c2 d1-d7"]);
    assert_eq!(output.exit, Exit::Error);
    assert!(output.stderr.contains("ply 2, d1-d7"), "{}", output.stderr);
    let output = run(&["explore", &corpus, "--variant", "copenhagen11"]);
    assert_eq!(output.exit, Exit::Findings);
    assert!(output.stderr.contains("no games of copenhagen11"), "{}", output.stderr);
    let output = run(&["explore", &corpus]);
    assert!(output.stderr.contains("no rules are given"), "{}", output.stderr);
    let nowhere = folder.path().join("nowhere");
    let output = explore(nowhere.to_str().unwrap(), &[]);
    assert!(output.stderr.contains("no such corpus"), "{}", output.stderr);
}
