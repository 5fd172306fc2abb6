//! `tafl move`.

use std::fs;

use serde_json::{Value, json};
use tafl_cli::Exit;

use super::{check, folder, run, run_with};

const CHAIN: &str = "/2t8/10T/11/6Tt3/2T8/2t8/11/11/5K5/11/11/";

#[test]
fn a_legal_move_is_answered_in_words() {
    let answer = "\
d1-c1 is legal
captures: nothing
the game goes on: the defenders move
after: /2t4/3t3/3T3/ttTKTtt/3T3/3t3/3t3/
";
    check(&["move", "--variant", "brandubh7", "d1-c1"], Exit::Ok, answer);
}

#[test]
fn an_illegal_move_is_answered_with_the_rule() {
    let answer = "d1-d5 is illegal: the attackers' man on `d2` stands in the way\n";
    check(&["move", "--variant", "brandubh7", "d1-d5"], Exit::Findings, answer);
    let ran = run(&["move", "--variant", "brandubh7", "d1-d5", "--format", "json"]);
    let answer = ran.json();
    assert_eq!((&answer["legal"], &answer["rule"]), (&json!(false), &json!("blocked")));
    assert_eq!((&answer["captured"], &answer["after"]), (&json!([]), &Value::Null));
}

#[test]
fn a_win_is_answered_with_its_reason_and_why() {
    let position = "/3t3/7/3T3/2t3t/5T1/3t3/1K1Tt2/";
    let words = ["move", "--variant", "brandubh7", "--position", position, "--side", "attackers"];
    let ran = run(&[&words[..], &["c4-c7", "--explain", "--format", "json"]].concat());
    let answer = ran.json();
    assert_eq!(answer["captured"], json!(["b7", "d7"]));
    assert_eq!(answer["outcome"], json!({"winner": "attackers", "reason": "king captured"}));
    assert_eq!(answer["to_move"], Value::Null);
    let lines = answer["explanation"].as_array().unwrap();
    assert!(lines[0].as_str().unwrap().contains("the empty corner `a7`"), "{lines:?}");
    assert_eq!(lines.len(), 3);
}

#[test]
fn steps_of_one_turn_are_one_answer() {
    let words =
        ["move", "--variant", "berserk11", "--position", CHAIN, "--side", "attackers", "--format", "json"];
    for turn in ["c1-c4xc5=f4xg4", "c1-c4 c4=f4", "c1-c4-f4"] {
        let answer = run(&[&words[..], &[turn]].concat()).json();
        assert_eq!(answer["captured"], json!(["g4", "c5"]), "{turn}");
        assert_eq!(answer["to_move"], json!("defenders"), "{turn}");
    }
    let half = run(&[&words[..], &["c1-c4xc5"]].concat()).json();
    assert_eq!((&half["goes_on"], &half["to_move"]), (&json!(true), &json!("attackers")));
}

#[test]
fn captures_and_letters_that_are_not_so_are_noted() {
    let words =
        ["move", "--variant", "berserk11", "--position", CHAIN, "--side", "attackers", "--format", "json"];
    let answer = run(&[&words[..], &["Kc1-c4xc6"]].concat()).json();
    let notes: Vec<&str> = answer["notes"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!(
        notes,
        [
            "`K` is written, but a man stands on c1",
            "a capture on c6 is written, but nothing is captured there",
            "the capture on c5 is not written"
        ]
    );
    assert_eq!(answer["legal"], json!(true));
}

#[test]
fn a_wrong_question_does_not_stop_the_next() {
    let long = format!("{{\"move\": \"{}\"}}", "x".repeat(2 << 20));
    let stdin = format!(
        "{{\"id\": 1, \"variant\": \"nope\", \"move\": \"a1-a2\"}}\nno JSON\n\n[]\n{long}\n{}\n{}",
        r#"{"id": 2, "variant": "brandubh7", "move": "a1-z9"}"#,
        r#"{"id": {"n": 3}, "variant": "brandubh7", "side": "attackers", "move": "d2-f2"}"#
    );
    let ran = run_with(&["move", "-"], &stdin);
    let answers: Vec<Value> = ran.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), 6);
    assert_eq!((&answers[0]["id"], &answers[4]["id"]), (&json!(1), &json!(2)));
    assert!(answers[..5].iter().all(|answer| answer["error"].is_string()));
    assert_eq!((&answers[5]["id"], &answers[5]["legal"]), (&json!({"n": 3}), &json!(true)));
    assert_eq!(ran.exit, Exit::Findings);
}

#[test]
fn the_command_line_fills_what_a_question_leaves_open() {
    let stdin = "{\"move\": \"d1-c1\"}\n{\"move\": \"d3-c3\", \"side\": \"defenders\"}\n";
    let ran = run_with(&["move", "--variant", "brandubh7", "-"], stdin);
    assert_eq!(ran.text().matches("\"legal\":true").count(), 2, "{}", ran.text());
    assert_eq!(ran.exit, Exit::Ok);
}

#[test]
fn all_conformance_cases_in_one_start() {
    let Some(folder) = folder("TAFL_ORACLE") else { return };
    let text = fs::read_to_string(folder.join("cases.json")).unwrap();
    let cases: Vec<Value> = serde_json::from_str(&text).unwrap();
    let ran = run_with(&["move", "-"], &text);
    let answers: Vec<Value> = ran.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
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
fn conformance_cases_under_a_changed_rule() {
    let Some(folder) = folder("TAFL_ORACLE") else { return };
    let text = fs::read_to_string(folder.join("cases.json")).unwrap();
    let cases: Vec<Value> = serde_json::from_str(&text).unwrap();
    for (id, options, captured, end) in CHANGED {
        let mut case = cases.iter().find(|case| case["id"] == **id).unwrap().clone();
        case["options"] = serde_json::from_str(options).unwrap();
        let answer = run_with(&["move", "-"], &case.to_string()).json();
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

/// Cases with a changed rule: id, options, captured cells, and the end or nothing.
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
