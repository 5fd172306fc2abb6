//! The program `tafl` with archives and oracles that are not in the repository.

use std::fs;

use serde_json::{Value, json};
use tafl_cli::Exit;
use tafl_tests::data;

use crate::in_process::{tafl, tafl_with};

/// The maximum number of nodes; larger counts are tested by the tests of the rules, which read the same file.
const MAX_NODES: u64 = 2_000_000;

/// Returns the conformance cases, as text and as values.
fn cases() -> (String, Vec<Value>) {
    let text = fs::read_to_string(data::oracle().join("cases.json")).unwrap();
    let cases = serde_json::from_str(&text).unwrap();
    (text, cases)
}

#[test]
#[cfg_attr(not(has_oracle), ignore = "TAFL_ORACLE is not set")]
fn all_conformance_cases_in_one_run() {
    let (text, cases) = cases();
    let ran = tafl_with(&["move", "-"], &text);
    let answers: Vec<Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((answers.len(), ran.exit), (91, Exit::Ok));
    for (case, answer) in cases.iter().zip(&answers) {
        let expected = case["expected"].as_str().unwrap();
        assert_eq!(answer["id"], case["id"]);
        assert_eq!(answer["legal"], json!(expected != "illegal"), "{case}");
        let Some((captured, end)) = expected.split_once(" ; ") else { continue };
        let mut found: Vec<&str> =
            answer["captured"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        found.sort_unstable();
        let captured = captured.trim_start_matches(['x', '-']);
        assert_eq!(found.join("/"), captured, "{case}");
        assert_eq!(answer["after"], case["after"], "{case}");
        let outcome = match end.split_once(" wins (") {
            Some((winner, reason)) => json!({"winner": winner, "reason": reason.trim_end_matches(')')}),
            None => Value::Null,
        };
        assert_eq!(answer["outcome"], outcome, "{case}");
    }
}

#[test]
#[cfg_attr(not(has_oracle), ignore = "TAFL_ORACLE is not set")]
fn conformance_cases_under_a_changed_rule() {
    let (_, cases) = cases();
    for (id, options, captured, end) in CHANGED {
        let mut case = cases.iter().find(|case| case["id"] == **id).unwrap().clone();
        case["options"] = serde_json::from_str(options).unwrap();
        let answer = tafl_with(&["move", "-"], &case.to_string());
        let answer: Value = serde_json::from_str(&answer.stdout).unwrap();
        if *end == "illegal" {
            assert_eq!(answer["legal"], json!(false), "{id} {options}: {answer}");
            continue;
        }
        let mut found: Vec<&str> =
            answer["captured"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        found.sort_unstable();
        assert_eq!(found.join(" "), *captured, "{id} {options}");
        let outcome = match end.split_once(": ") {
            Some((winner, reason)) => json!({"winner": winner, "reason": reason}),
            None => Value::Null,
        };
        assert_eq!(answer["outcome"], outcome, "{id} {options}");
    }
}

/// Cases with a changed rule: ID, options, captured cells, and the ending, if any.
const CHANGED: &[(&str, &str, &str, &str)] = &[
    ("C02", r#"{"sw": "w"}"#, "g11", ""),
    ("C03", r#"{"xsw": "one"}"#, "f1 g1", ""),
    ("F21", r#"{"xenc": "secure"}"#, "", ""),
    ("S02", r#"{"king_h_corner": true}"#, "b1", "attackers: king captured"),
    ("S03", r#"{"h_throne": "on"}"#, "f5", ""),
    ("F05", r#"{"h_throne_occupied": "on"}"#, "f5", ""),
    ("F05", r#"["cenh=tcnkmTCNKM"]"#, "f5", ""),
    ("F18", r#"{"no_moves": "draw"}"#, "", "draw: no legal move"),
    ("H11", r#"{"xnom": "draw"}"#, "", "draw: no legal move"),
    ("F19", r#"{"surf": "n"}"#, "", ""),
    ("C10", r#"{"xenc": "secure"}"#, "", ""),
    ("C12", r#"{"encirclement": "secure"}"#, "", ""),
    ("B04", r#"{"xkh": "t"}"#, "", ""),
    ("B04", r#"{"king_h_corner": false}"#, "", ""),
    ("B06", r#"{"men_pass_throne": "off"}"#, "", "illegal"),
    ("H07", r#"{"cenp": "K"}"#, "", "illegal"),
    ("N01", r#"{"ka": "y"}"#, "d5", ""),
    ("N01", r#"{"king_armed": true}"#, "d5", ""),
    ("T01", r#"{"linc": false}"#, "", ""),
];

#[test]
#[cfg_attr(not(has_oracle), ignore = "TAFL_ORACLE is not set")]
fn perft_of_the_program_gives_the_known_counts() {
    let text = fs::read_to_string(data::oracle().join("perft.tsv")).unwrap();
    let mut checked = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let [variant, depth, nodes, ..] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("a line of another kind: {line}");
        };
        if nodes.parse::<u64>().unwrap() <= MAX_NODES {
            assert_eq!(tafl(&["perft", variant, depth]).stdout.trim(), nodes, "{line}");
            checked += 1;
        }
    }
    assert!(checked > 50, "only {checked} counts were checked");
}

#[test]
#[cfg_attr(not(has_records), ignore = "TAFL_RECORDS is not set")]
fn real_games_are_stored_or_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let corpus = folder.path().join("corpus").display().to_string();
    let csv = data::records("csv").display().to_string();
    let import = ["import", &corpus, &csv, "--format", "json"];
    let first: Value = serde_json::from_str(&tafl(&import).stdout).unwrap();
    let number = |name: &str| first[name].as_u64().unwrap();
    assert_eq!(number("added") + number("doubled") + number("rejected"), 2277, "{first}");
    assert_eq!(first["codes"].as_object().unwrap().keys().collect::<Vec<_>>(), ["T011"], "{first}");
    assert_eq!(tafl(&["verify", &corpus, "--deep"]).exit, Exit::Ok);
    let again: Value = serde_json::from_str(&tafl(&import).stdout).unwrap();
    assert_eq!(again["added"], 0);
}

/// The first move of a puzzle's solution: the one after the move in its tag.
fn first_ply(record: &str) -> Option<usize> {
    let (_, rest) = record.split_once("[puzzle-start:")?;
    let (address, _) = rest.split_once(']')?;
    let (turn, letter) = address.split_at(address.len() - 1);
    let turn: usize = turn.parse().ok()?;
    Some(if turn == 0 { 0 } else { 2 * (turn - 1) + usize::from(letter == "b") + 1 })
}

/// The puzzle whose published solution is refuted: the king does not escape within its number of plies (`docs/solver.md`).
/// One of its moves loses slightly more than the threshold of an inaccuracy.
const COOKED: &str = "Ard-Ri-Escape-Puzzle-cooked.otg";

#[test]
#[cfg_attr(not(has_records), ignore = "TAFL_RECORDS is not set")]
fn the_written_solutions_of_puzzles_lose_nothing() {
    let mut n_solved = 0;
    for path in data::record_files("otg", ".otg") {
        let Some(first) = first_ply(&fs::read_to_string(&path).unwrap()) else { continue };
        let name = path.display().to_string();
        let ran = tafl(&["annotate", &name, "--nodes", "50000", "--format", "jsonl"]);
        let game: Value = serde_json::from_str(ran.stdout.lines().next().unwrap()).unwrap();
        let (plies, winner) = (game["plies"].as_array().unwrap(), game["winner"].as_str().unwrap());
        for ply in plies.iter().skip(first).filter(|ply| ply["side"] == winner) {
            let is_sound =
                ply["judgement"] == "good" || (name.ends_with(COOKED) && ply["judgement"] == "inaccuracy");
            assert!(is_sound, "{name}: {ply}");
        }
        assert_eq!(game["positions"][plies.len()]["wins"], winner, "{name}");
        n_solved += 1;
    }
    assert!(n_solved >= 5, "{n_solved} puzzles");
}
