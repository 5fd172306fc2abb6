//! Selections of games: `--query` and `--game`.

use tafl_cli::Exit;

use super::test_folder::TestFolder;
use super::test_server::GAMES;

/// A file of three games.
const FILES: &[(&str, &str)] = &[("games.otg", GAMES)];

/// The commands with a selection, without the query.
const SELECTIONS: [&str; 8] = [
    "remove @corpus --query",
    "export @corpus --to opentafl --query",
    "tag @corpus --add x --query",
    "report balance @corpus --query",
    "report compare @corpus --query plies>0 --query",
    "explore @corpus --variant brandubh7 --query",
    "annotate @corpus --nodes 10 --query",
    "puzzles @corpus --nodes 10 --query",
];

#[test]
fn a_query_without_games_is_a_finding_that_names_similar_words() {
    let folder = TestFolder::with_corpus(FILES, &[]);
    for command in SELECTIONS.into_iter().chain(["search @corpus"]) {
        let words: Vec<&str> = command.split(' ').collect();
        let run = |query: &str| folder.run(&[&words[..], &[query]].concat());
        let output = run("player:swen");
        assert_eq!(output.exit, Exit::Findings, "{command}: {}", output.stderr);
        assert!(output.stderr.contains("did you mean `player:\"sven\"`?"), "{command}: {}", output.stderr);
        let output = run("plies>1000");
        assert_eq!(output.exit, Exit::Findings, "{command}: {}", output.stderr);
        // What is only denied, or one of two alternatives, is not the reason.
        for query in ["plies>1000 not player:swen", "plies>1000 (player:sven or player:swen)"] {
            let output = run(query);
            assert!(output.exit == Exit::Findings && !output.stderr.contains("swen"), "{}", output.stderr);
        }
        let is_explained = command.starts_with("search") || output.stderr.contains("no game");
        assert!(is_explained, "{command}: {}", output.stderr);
    }
    // Without games there are no conditions to plan with.
    let plan = folder.run(&["report", "plan", "@corpus", "--query", "player:swen"]);
    assert_eq!(plan.exit, Exit::Error);
    assert!(plan.stderr.contains("did you mean `player:\"sven\"`?"), "{}", plan.stderr);
    let table = folder.run(&["search", "@corpus", "plies>1000", "--format", "csv"]);
    assert_eq!((table.exit, table.stderr.as_str()), (Exit::Findings, "nothing matches the query\n"));
    let removed = folder.run(&["remove", "@corpus", "--query", "player:swen", "--format", "json"]).json();
    assert_eq!(removed["notes"][0], "no game has `player:\"swen\"`; did you mean `player:\"sven\"`?");
    assert_eq!(folder.run(&["info", "@corpus", "--format", "json"]).json()["games"], 3);
}

#[test]
fn a_selection_has_a_query_or_ids() {
    let folder = TestFolder::with_corpus(FILES, &[]);
    let games = folder.run(&["search", "@corpus", "player:sven", "--format", "json"]).json();
    let game = games["hits"][0]["game"].as_str().unwrap();
    for command in &SELECTIONS[..3] {
        let words: Vec<&str> = command.split(' ').collect();
        let output = folder.run(&[&words[..], &["plies>0", "--game", game]].concat());
        assert_eq!((output.exit, output.text()), (Exit::Error, ""), "{command}");
        assert!(output.stderr.contains("cannot be used with"), "{command}: {}", output.stderr);
        let help = folder.run(&[words[0], "--help"]);
        let is_choice = help.text().contains("<--query <QUERY>|--game <ID>>");
        assert!(is_choice || words[0] == "export", "{}", help.text());
    }
    let short = folder.run(&["export", "@corpus", "--to", "opentafl", "--game", "123"]);
    assert_eq!(short.exit, Exit::Error);
    assert!(short.stderr.contains("expected 16 hexadecimal digits, found 3"), "{}", short.stderr);
    let again = folder.run(&["remove", "@corpus", "--game", game, "--game", game]);
    assert_eq!(again.text(), "1 game removed\n", "{}", again.stderr);
}
