//! `tafl match` and `tafl selfplay`.

use std::fs;

use serde_json::{Value, json};
use tafl_cli::Exit;

use super::run;

const MATCH: [&str; 12] = [
    "match",
    "taflbase:nodes=200",
    "random",
    "--variant",
    "brandubh7,hexentafl4",
    "--plies",
    "60",
    "--opening-plies",
    "2",
    "--seed",
    "5",
    "--format",
];

fn answer(words: &[&str]) -> Value {
    let ran = run(&[&MATCH[..], &["json"], words].concat());
    assert_eq!((ran.exit, ran.stderr.as_str()), (Exit::Ok, ""), "{words:?}");
    ran.json()
}

#[test]
fn a_match_reports_the_better_player() {
    let answer = answer(&["--pairs", "4"]);
    let result = &answer["result"];
    let sum = |key: &str| result["games"][key].as_u64().unwrap();
    assert_eq!(sum("games"), 8);
    assert_eq!(sum("won") + sum("drawn") + sum("lost") + sum("unfinished"), 8);
    assert!(sum("won") >= 5, "{result}");
    assert_eq!(answer["variants"][1]["variant"], "hexentafl4");
    assert_eq!(answer["variants"][0]["result"]["games"]["games"], 4);
    assert_eq!(result["faults"], json!([]));
    let identity = answer["first"]["identity"][0].as_str().unwrap();
    assert!(identity.starts_with("taflbase "), "{identity}");
}

#[test]
fn threads_and_going_on_change_nothing() {
    let straight = answer(&["--pairs", "4"]);
    assert_eq!(answer(&["--pairs", "4", "--threads", "3"]), straight);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.json");
    let resume = ["--resume", path.to_str().unwrap()];
    answer(&[&resume[..], &["--pairs", "1"]].concat());
    assert_eq!(answer(&[&resume[..], &["--pairs", "4"]].concat()), straight);
    // Everything has been played: nothing is played again, and fewer pairs are those that came first.
    assert_eq!(answer(&[&resume[..], &["--pairs", "4"]].concat()), straight);
    assert_eq!(answer(&[&resume[..], &["--pairs", "1"]].concat()), answer(&["--pairs", "1"]));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left aside");
}

#[test]
fn a_resume_file_belongs_to_its_match() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.json");
    let resume = ["--resume", path.to_str().unwrap(), "--pairs", "1"];
    answer(&resume);
    let other = run(&[&MATCH[..9], &["--seed", "6"], &resume[..]].concat());
    assert_eq!(other.exit, Exit::Error);
    assert!(
        other.stderr.contains("belongs to other games: `seed` is 5 there, and 6 now"),
        "{}",
        other.stderr
    );
    fs::write(&path, "{\"version\":1").unwrap();
    let broken = run(&[&MATCH[..], &["json"], &resume[..]].concat());
    assert!(broken.stderr.contains("can't be resumed"), "{}", broken.stderr);
}

#[test]
fn games_and_the_result_cannot_have_the_same_target() {
    let ran = run(&[&MATCH[..], &["text", "--pairs", "1", "-o", "-"]].concat());
    assert_eq!((ran.exit, ran.text()), (Exit::Error, ""));
    assert!(ran.stderr.contains("name a file instead of `-`"), "{}", ran.stderr);
}

#[test]
fn games_of_a_match_are_sound_records() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let path = path.to_str().unwrap();
    answer(&["--pairs", "2", "-o", path]);
    let ran = run(&["validate", path]);
    assert_eq!(ran.exit, Exit::Ok, "{}{}", ran.text(), ran.stderr);
    let text = fs::read_to_string(path).unwrap();
    assert_eq!(text.lines().count(), 4);
    assert!(text.contains("200 nodes") && text.contains("random"), "{text}");
}

#[test]
fn a_decided_test_ends_the_match() {
    let words = ["--pairs", "60", "--sprt", "0,200", "--errors", "0.2,0.2"];
    let ran = run(&[
        &["match", "taflbase:nodes=300", "random", "--variant", "brandubh7", "--format", "json"],
        &words[..],
    ]
    .concat());
    let result = &ran.json()["result"];
    assert_eq!(result["sprt"]["verdict"], "H1 accepted", "{result}");
    assert!(result["pairs"].as_u64().unwrap() < 60);
}

#[test]
fn a_player_that_fails_is_named_and_the_match_continues() {
    let play = |program: &str, more: &[&str]| {
        let words = [
            "match",
            "taflbase:nodes=50",
            program,
            "--variant",
            "brandubh7",
            "--pairs",
            "2",
            "--grace",
            "0.2",
        ];
        run(&[&words[..], &["--time", "0.05"], more].concat())
    };
    // A program that ends, and one that writes nonsense: the match continues with both.
    let ran = play("uci:./there-is-no-such-engine", &[]);
    assert_eq!(ran.exit, Exit::Findings);
    assert!(ran.stderr.contains("loses as defenders: the program is not running"), "{}", ran.stderr);
    assert!(ran.text().contains("4  first wins (forfeit: gone)"), "{}", ran.text());
    if cfg!(unix) {
        let ran = play(
            "uci:sh -c 'echo uciok; echo readyok; echo bestmove a1a9; sleep 5'",
            &["--on-fault", "stop"],
        );
        assert!(ran.text().contains("first wins (forfeit: nonsense)"), "{}{}", ran.text(), ran.stderr);
        assert!(ran.text().contains("pairs         1 "), "it stops: {}", ran.text());
        let ran = play("uci:sh -c 'echo uciok; echo readyok; sleep 5'", &["--on-fault", "stop"]);
        assert!(ran.text().contains("first wins (forfeit: silent)"), "{}{}", ran.text(), ran.stderr);
        let ran = play(
            "uci:sh -c 'echo uciok; echo readyok; echo bestmove d1d7; sleep 5'",
            &["--on-fault", "stop"],
        );
        assert!(ran.stderr.contains("the move d1-d7 is illegal"), "{}", ran.stderr);
    }
}

#[test]
fn unplayable_games_are_errors() {
    let why = |words: &[&str]| {
        let ran = run(&[&["match"], words].concat());
        assert_eq!(ran.exit, Exit::Error, "{words:?}");
        ran.stderr
    };
    assert!(why(&["taflbase", "gnu", "--variant", "brandubh7"]).contains("unknown player `gnu`"));
    assert!(why(&["taflbase", "random", "--variant", "chess"]).contains("`chess` is not a variant"));
    let few = why(&["taflbase", "random", "--variant", "brandubh7", "--opening-plies", "1"]);
    assert!(few.contains("different openings of 1 plies, but 50 are needed"), "{few}");
    let test = why(&["random", "random", "--variant", "brandubh7", "--sprt", "5,0"]);
    assert!(test.contains("elo0 must be less than elo1"), "{test}");
    assert!(why(&["random", "random", "--variant", "brandubh7", "--sprt", "much"]).contains("two numbers"));
}

#[test]
fn games_that_cannot_be_written_are_not_played() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().to_str().unwrap();
    let long = ["--games", "1000000", "--nodes", "100000", "-o", place];
    let ran = run(&[&["selfplay", "--variant", "brandubh7"], &long[..]].concat());
    assert_eq!(ran.exit, Exit::Error);
    assert!(ran.stderr.contains("this is a folder"), "{}", ran.stderr);
    let ran = run(&["match", "random", "random", "--variant", "brandubh7", "--pairs", "20", "-o", place]);
    assert_eq!((ran.exit, ran.text()), (Exit::Error, ""), "{}", ran.stderr);
}

fn selfplay(words: &[&str]) -> String {
    let fixed = ["selfplay", "--seed", "3", "--nodes", "150", "--plies", "80"];
    let ran = run(&[&fixed[..], words].concat());
    assert_eq!((ran.exit, ran.stderr.as_str()), (Exit::Ok, ""), "{words:?}");
    ran.text().to_owned()
}

#[test]
fn self_play_is_the_same_on_any_number_of_threads() {
    let games = selfplay(&["--variant", "brandubh7", "--games", "5"]);
    assert_eq!(games.lines().count(), 5);
    assert_eq!(selfplay(&["--variant", "brandubh7", "--games", "5", "--threads", "3"]), games);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.json");
    let resume = ["--variant", "brandubh7", "--resume", path.to_str().unwrap(), "--games"];
    selfplay(&[&resume[..], &["2"]].concat());
    assert_eq!(selfplay(&[&resume[..], &["5"]].concat()), games);
}

#[test]
fn self_play_of_odd_variants_is_sound() {
    let folder = tempfile::tempdir().unwrap();
    for variant in ["cyngesheall7", "hexentafl5", "berserk11", "alea19"] {
        let path = folder.path().join(format!("{variant}.jsonl"));
        let path = path.to_str().unwrap();
        selfplay(&["--variant", variant, "--games", "2", "-o", path]);
        let ran = run(&["validate", path]);
        assert_eq!(ran.exit, Exit::Ok, "{variant}: {}{}", ran.text(), ran.stderr);
        assert!(fs::read_to_string(path).unwrap().contains("150 nodes"));
    }
}

#[test]
fn unnamed_rules_are_written_into_the_records() {
    let rules = "dim:7 ks:w start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";
    let games = selfplay(&["--variant", rules, "--games", "1"]);
    assert!(games.contains("dim:7 ks:w"), "{games}");
}
