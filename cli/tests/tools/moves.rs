//! `tafl move`.

use serde_json::{Value, json};
use tafl_cli::Exit;

use super::{check, run, run_with};

/// A position of Berserk in which a move can capture twice.
const CHAIN: &str = "/2t8/10T/11/6Tt3/2T8/2t8/11/11/5K5/11/11/";

#[test]
fn a_legal_move_is_described() {
    let expected = "\
d1-c1 is legal
captures: nothing
the game continues: defenders to move
after: /2t4/3t3/3T3/ttTKTtt/3T3/3t3/3t3/
";
    check(&["move", "--variant", "brandubh7", "d1-c1"], Exit::Ok, expected);
}

#[test]
fn an_illegal_move_is_reported_with_its_rule() {
    let expected = "d1-d5 is illegal: the attackers' man on `d2` is in the way\n";
    check(&["move", "--variant", "brandubh7", "d1-d5"], Exit::Findings, expected);
    let output = run(&["move", "--variant", "brandubh7", "d1-d5", "--format", "json"]);
    let result = output.json();
    assert_eq!((&result["legal"], &result["rule"]), (&json!(false), &json!("blocked")));
    assert_eq!((&result["captured"], &result["after"]), (&json!([]), &Value::Null));
}

#[test]
fn a_win_is_reported_with_its_reason() {
    let position = "/3t3/7/3T3/2t3t/5T1/3t3/1K1Tt2/";
    let args = ["move", "--variant", "brandubh7", "--position", position, "--side", "attackers"];
    let output = run(&[&args[..], &["c4-c7", "--explain", "--format", "json"]].concat());
    let result = output.json();
    assert_eq!(result["captured"], json!(["b7", "d7"]));
    assert_eq!(result["outcome"], json!({"winner": "attackers", "reason": "king captured"}));
    assert_eq!(result["to_move"], Value::Null);
    let lines = result["explanation"].as_array().unwrap();
    assert!(lines[0].as_str().unwrap().contains("the empty corner `a7`"), "{lines:?}");
    assert_eq!(lines.len(), 3);
}

#[test]
fn steps_of_one_turn_are_one_result() {
    let args =
        ["move", "--variant", "berserk11", "--position", CHAIN, "--side", "attackers", "--format", "json"];
    for turn in ["c1-c4xc5=f4xg4", "c1-c4 c4=f4", "c1-c4-f4"] {
        let result = run(&[&args[..], &[turn]].concat()).json();
        assert_eq!(result["captured"], json!(["g4", "c5"]), "{turn}");
        assert_eq!(result["to_move"], json!("defenders"), "{turn}");
    }
    let half = run(&[&args[..], &["c1-c4xc5"]].concat()).json();
    assert_eq!((&half["goes_on"], &half["to_move"]), (&json!(true), &json!("attackers")));
}

#[test]
fn wrong_captures_and_piece_letters_are_noted() {
    let args =
        ["move", "--variant", "berserk11", "--position", CHAIN, "--side", "attackers", "--format", "json"];
    let result = run(&[&args[..], &["Kc1-c4xc6"]].concat()).json();
    let notes: Vec<&str> = result["notes"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!(
        notes,
        [
            "the move is written with `K`, but a man is on c1",
            "a capture on c6 is written, but nothing is captured there",
            "the capture on c5 is not written"
        ]
    );
    assert_eq!(result["legal"], json!(true));
}

#[test]
fn the_moves_before_count_as_history() {
    let move_after = |variant: &str, moves: &str, mv: &str| {
        run(&["move", "--variant", variant, "--moves", moves, mv, "--format", "json"])
    };
    let cycle = "d1-c1 d3-c3 c1-d1 c3-d3";
    let before = format!("{cycle} d1-c1 d3-c3 c1-d1");
    let repeated = move_after("brandubh7", &before, "c3-d3").json();
    assert_eq!(repeated["outcome"], json!({"winner": "attackers", "reason": "repetition"}));
    assert_eq!(move_after("brandubh7", cycle, "d1-c1").json()["outcome"], Value::Null);
    let over = move_after("brandubh7", &format!("{before} c3-d3"), "d1-c1").json();
    assert_eq!((&over["legal"], &over["rule"]), (&json!(false), &json!("game-over")));
    // The piece that captured may continue.
    let chain = move_after("berserk-hnefatafl-11x11", "b6-c6 h6-i6 j6-h6", "h6-j6").json();
    assert_eq!(chain["legal"], json!(true), "{chain}");
    let wrong = move_after("brandubh7", "d1-d7", "d3-c3");
    assert_eq!(wrong.exit, Exit::Error);
    assert!(wrong.stderr.contains("ply 1, d1-d7: "), "{}", wrong.stderr);
}

#[test]
fn an_invalid_request_does_not_stop_the_next() {
    let long = format!("{{\"move\": \"{}\"}}", "x".repeat(2 << 20));
    let stdin = format!(
        "{{\"id\": 1, \"variant\": \"nope\", \"move\": \"a1-a2\"}}\nno JSON\n\n[]\n{long}\n{}\n{}",
        r#"{"id": 2, "variant": "brandubh7", "move": "a1-z9"}"#,
        r#"{"id": {"n": 3}, "variant": "brandubh7", "side": "attackers", "move": "d2-f2"}"#
    );
    let output = run_with(&["move", "-"], &stdin);
    let results: Vec<Value> = output.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(results.len(), 6);
    assert_eq!((&results[0]["id"], &results[4]["id"]), (&json!(1), &json!(2)));
    assert!(results[..5].iter().all(|result| result["error"].is_string()));
    assert_eq!((&results[5]["id"], &results[5]["legal"]), (&json!({"n": 3}), &json!(true)));
    assert_eq!(output.exit, Exit::Findings);
}

#[test]
fn requests_default_to_the_command_line_options() {
    let stdin = "{\"move\": \"d1-c1\"}\n{\"move\": \"d3-c3\", \"side\": \"defenders\"}\n";
    let output = run_with(&["move", "--variant", "brandubh7", "-"], stdin);
    assert_eq!(output.text().matches("\"legal\":true").count(), 2, "{}", output.text());
    assert_eq!(output.exit, Exit::Ok);
}
