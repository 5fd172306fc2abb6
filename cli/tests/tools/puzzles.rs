//! `tafl puzzles`: puzzles as text and records, and in a corpus.

use std::fs;

use serde_json::Value;
use tafl_cli::Exit;

use super::test_folder::TestFolder;

#[test]
fn a_puzzle_is_found_once_and_is_a_valid_record() {
    let folder = TestFolder::new();
    // The same position twice, the second time mirrored. After the first ply, only d2-d1 wins.
    let game =
        |position: &str, moves: &str| format!("[variant:brandubh7]\n[position:{position}]\n\n1. {moves}\n\n");
    let text =
        game("/7/2tK1t1/3t3/7/T6/7/5t1/", "f7-f6 d2-d1") + &game("/7/1t1Kt2/3t3/7/6T/7/1t5/", "b7-b6 d2-d1");
    folder.file("puzzles.otg", &text);
    let find = |format: &str, threads: &str| {
        let args = ["puzzles", "@puzzles.otg", "--nodes", "2000", "--format", format, "-j", threads];
        let output = folder.run(&args);
        assert_eq!(output.exit, Exit::Ok, "{}", output.stderr);
        output.text().to_owned()
    };
    let lines = find("jsonl", "1");
    assert_eq!(lines, find("jsonl", "2"));
    let puzzles: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(puzzles.len(), 1, "{lines}");
    assert_eq!(puzzles[0]["solution"][0], "d2-d1");
    assert_eq!(puzzles[0]["verified"]["by"], "solver");
    assert!(puzzles[0]["themes"].as_array().unwrap().contains(&"run-to-corner".into()), "{lines}");
    assert!(find("text", "1").contains("defenders win in 3: d2-d1"));
    let record = find("opentafl", "1");
    folder.file("found.otg", &record);
    let validated = folder.run(&["validate", "@found.otg"]);
    assert_eq!(validated.exit, Exit::Ok, "{record}\n{}", validated.text());
}

#[test]
fn puzzles_are_stored_in_a_corpus() {
    let folder = TestFolder::new();
    folder.file(
        "puzzles.otg",
        "[variant:brandubh7]\n[position:/7/2tK1t1/3t3/7/T6/7/5t1/]\n\n1. f7-f6 d2-d1\n\n",
    );
    assert_eq!(folder.run(&["import", "@games.corpus", "@puzzles.otg"]).exit, Exit::Ok);
    let store = ["puzzles", "@games.corpus", "--nodes", "2000"];
    let printed = folder.run(&[&store[..], &["--format", "jsonl"]].concat());
    for _ in 0..2 {
        let output = folder.run(&[&store[..], &["--store"]].concat());
        assert_eq!((output.exit, output.text()), (Exit::Ok, ""), "{}", output.stderr);
        let stored = fs::read_to_string(folder.path("games.corpus/puzzles.jsonl")).unwrap();
        assert!(stored == printed.text() && stored.contains("d2-d1"), "{stored}");
    }
    let files = folder.run(&["puzzles", "@puzzles.otg", "--nodes", "2000", "--store"]);
    assert_eq!(files.exit, Exit::Error);
    assert!(files.stderr.contains("--store needs one corpus"), "{}", files.stderr);
    assert_eq!(folder.run(&["verify", "@games.corpus"]).exit, Exit::Ok);
}
