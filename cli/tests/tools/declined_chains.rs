//! Chains of captures that a player may decline to continue, in the commands and protocols of the engine.

use std::fs;

use serde_json::{Value, json};
use tafl_cli::Exit;

use super::test_folder::TestFolder;
use super::test_server::TestServer;
use super::{run, run_with};

/// After `a2-d2`, only the man on d2 stops the king: the attackers should not continue their chain with `d2-c2`.
const RULES: &str = "dim:7 esc:e ber:c xber:free start:/4t2/t3Tt1/t1T1t2/2tKt1t/2tTt2/4t2/1t4t/";

/// Returns a game in which they continue it.
fn record() -> String {
    format!("[rules:{RULES}]\n[attackers:A]\n[defenders:B]\n\n1. a2-d2xe2 d2-c2xc3 2. d4-d1\n")
}

/// Runs the engine with an input, and returns its output lines without those about a running search.
fn engine(protocol: &str, input: &str) -> Vec<String> {
    let args = ["engine", "--protocol", protocol, "--variant", RULES];
    let time: &[&str] = if protocol == "uci" { &[] } else { &["--time", "0.3"] };
    let output = run_with(&[&args[..], time].concat(), input);
    assert_eq!((output.exit, output.stderr.as_str()), (Exit::Ok, ""), "{input}");
    let is_answer = |line: &&str| !line.starts_with("info depth") && !line.starts_with("status ");
    output.text().lines().filter(is_answer).map(str::to_owned).collect()
}

#[test]
fn eval_writes_and_reads_that_a_chain_is_declined() {
    let args = ["eval", "--variant", RULES, "--depth", "4", "--lines", "2", "--moves"];
    let eval = |moves: &str, more: &[&str]| run(&[&args[..], &[moves], more].concat());
    let output = eval("a2-d2", &[]);
    let lines: Vec<&str> = output.text().lines().collect();
    assert!(lines[0].contains("  decline "), "{lines:?}");
    assert!(lines[1].ends_with("loss in 2 plies  d2-c2 d4-d1"), "{lines:?}");
    let answer = eval("a2-d2", &["--format", "json"]).json();
    assert_eq!((&answer["side"], &answer["lines"][0]["moves"][0]), (&json!("attackers"), &json!("decline")));
    let answer = eval("a2-d2 decline", &["--format", "json"]).json();
    assert_eq!(answer["side"], "defenders");
    let output = eval("decline", &[]);
    assert!(output.stderr.contains("the attackers have no chain that they may decline"), "{}", output.stderr);
    let output = run(&["move", "decline", "--variant", RULES, "--moves", "a2-d2", "--format", "json"]);
    let answer = output.json();
    assert_eq!((&answer["legal"], &answer["to_move"]), (&json!(true), &json!("defenders")));
}

#[test]
fn annotations_advise_to_decline_a_chain() {
    let folder = TestFolder::new();
    folder.file("game.otg", &record());
    let args = ["annotate", "@game.otg", "--nodes", "500"];
    let output = folder.run(&args);
    let ply = output.text().lines().find(|line| line.contains("d2-c2??")).unwrap();
    assert!(ply.contains("better to decline the chain"), "{ply}");
    let answer = folder.run(&[&args[..], &["--format", "jsonl"]].concat()).json();
    assert_eq!(answer["positions"][1]["best"][0], "decline");
    let output = folder.run(&[&args[..], &["--format", "html", "-o", "@game.html"]].concat());
    assert_eq!(output.exit, Exit::Ok, "{}", output.stderr);
    let page = fs::read_to_string(folder.path("game.html")).unwrap();
    let (_, data) = page.split_once("id=\"data\">").unwrap();
    let data: Value = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
    let blunder = &data["positions"][2];
    // No arrow shows the move of the other side as the better one.
    assert_eq!((&blunder["error"], &blunder["better"]), (&json!(true), &json!(null)));
    assert!(blunder["line"].as_str().unwrap().starts_with("decline "), "{blunder}");
    let output = folder.run(&[&args[..], &["--format", "opentafl"]].concat());
    assert!(output.text().contains("better to decline the chain"), "{}", output.text());
}

#[test]
fn stored_evaluations_know_that_declining_is_best() {
    let record = record();
    let server = TestServer::new(&[("game.otg", &record)], &|run| {
        let output = run(&["annotate", "@games.corpus", "--nodes", "500"]);
        assert_eq!(output.exit, Exit::Ok, "{}", output.stderr);
        assert_eq!(run(&["verify", "--deep", "@games.corpus"]).exit, Exit::Ok);
    });
    let hits = server.run(&["search", "@games.corpus", "plies=3", "--format", "jsonl"]);
    let hit: Value = serde_json::from_str(hits.text().lines().next().unwrap()).unwrap();
    let game = server.json(&format!("/api/game/{}", hit["game"].as_str().unwrap()));
    let ply = &game["evals"]["plies"][1];
    assert_eq!((&ply["judgement"], &ply["best"]), (&json!("blunder"), &json!("decline")));
    assert!(ply["words"].as_str().unwrap().contains("better to decline the chain"), "{ply}");
    // The server marks lines, and accepts the word among moves.
    let rules = RULES.replace(' ', "%20");
    let analysis = |moves: &str| {
        server.json(&format!("/api/analysis?rules={rules}&moves={moves}&nodes=2000&lines=2&format=json"))
    };
    assert_eq!(analysis("a2-d2")["lines"][0]["moves"][0], "decline");
    assert_ne!(analysis("a2-d2,decline")["lines"][0]["moves"][0], "decline");
    let position = |moves: &str| server.json(&format!("/api/position?rules={rules}&moves={moves}"));
    let chain = position("a2-d2");
    assert_eq!((&chain["to_move"], &chain["may_decline"]), (&json!("attackers"), &json!(true)));
    let declined = position("a2-d2,decline");
    assert_eq!((&declined["to_move"], &declined["may_decline"]), (&json!("defenders"), &json!(null)));
}

#[test]
fn uci_declines_by_a_move_of_the_other_side_and_reads_null_moves() {
    let input = "position startpos moves a2d2\ngo depth 4\nposition startpos moves a2d2 0000\ngo depth 4\n\
                 position startpos moves 0000\n";
    let lines = engine("uci", input);
    assert_eq!(lines.len(), 3, "{lines:?}");
    // Without a reply to ponder.
    let [word, best] = lines[0].split(' ').collect::<Vec<_>>()[..] else { panic!("{lines:?}") };
    assert!(word == "bestmove" && !best.starts_with("d2"), "{lines:?}");
    assert!(lines[1].starts_with("bestmove ") && !lines[1].starts_with("bestmove d2"), "{lines:?}");
    assert_eq!(lines[2], "info string error: the attackers have no chain that they may decline");
}

#[test]
fn htp_and_otep_decline_without_moving_a_piece_of_the_other_side() {
    let board = "/4t2/3t1t1/t1T1t2/2tKt1t/2tTt2/4t2/1t4t/";
    let lines = engine("htp", "play attacker a2 d2\ngenerate_move\nshow_board_open_tafl\nplay_from\n");
    assert!(lines[1].starts_with("= play attacker declines, score: "), "{lines:?}");
    assert_eq!(lines[2], format!("= {board}"));
    assert!(lines[3].starts_with("= defender "), "{lines:?}");
    let input = "rules RULES\nopponent-move a2-d2\nplay attackers\nplay defenders\n";
    let lines = engine("otep", &input.replace("RULES", RULES));
    assert_eq!(lines[..3], ["hello", "simple-moves on", "move decline"]);
    assert!(lines[3].starts_with("move ") && lines[3] != "move decline", "{lines:?}");
}

#[test]
fn clients_of_htp_decline_by_a_word_or_by_the_next_move() {
    let lines = engine(
        "htp",
        "play attacker a2 d2\nplay_from\nplay attacker c3 c2\nplay_to defender c3\nplay attacker declines\n\
         play attacker d2 c2\nplay_undo\nplay defender c3 c2\nplay_from\nplay attacker declines\n",
    );
    // In the chain, the attackers may only continue with the man on d2.
    assert_eq!(lines[..3], ["= e2", "= attacker d2", "? the piece on c3 is not one of the attackers"]);
    assert!(lines[3].split(' ').any(|cell| cell == "c2"), "{lines:?}");
    assert_eq!(lines[4], "= ");
    assert!(lines[5].starts_with("? it is the turn of the defenders"), "{lines:?}");
    assert_eq!(lines[6..8], ["= ", "= "]);
    assert!(lines[8].starts_with("= attacker e1 "), "{lines:?}");
    assert_eq!(lines[9], "? the attackers have no chain that they may decline");
}
