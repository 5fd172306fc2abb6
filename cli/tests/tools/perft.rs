//! `tafl perft`.

use serde_json::json;
use tafl_cli::Exit;

use super::run;

#[test]
fn positions_are_counted_in_total_and_by_move() {
    let output = run(&["perft", "brandubh7", "3", "--quiet"]);
    assert_eq!((output.text(), output.exit, output.stderr.as_str()), ("39512\n", Exit::Ok, ""));
    let divided = run(&["perft", "brandubh7", "2", "--divide", "--quiet"]);
    let lines: Vec<&str> = divided.text().lines().collect();
    assert_eq!((lines.len(), lines[0], lines[40]), (41, "d1-b1 24", "960"));
    assert_eq!(run(&["perft", "brandubh7", "0"]).text(), "1\n");
}

#[test]
fn playing_the_last_ply_gives_the_same_count() {
    let counted = run(&["perft", "hexentafl4", "3"]);
    let played = run(&["perft", "hexentafl4", "3", "--played"]);
    assert_eq!(counted.text(), played.text());
}

#[test]
fn a_position_and_a_side_can_be_given() {
    let start = "/t2t/5/3T2/t1TK2t/3T2/5/t2t/";
    let args = ["perft", "hexentafl4", "1", "--position", start, "--format", "json", "--side"];
    for (side, nodes) in [("attackers", 33), ("defenders", 36)] {
        let result = run(&[&args[..], &[side]].concat()).json();
        assert_eq!((&result["nodes"], &result["side"]), (&json!(nodes), &json!(side)));
        assert_eq!(result["position"], json!(start));
    }
}
