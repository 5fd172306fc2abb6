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

/// Runs the match with more options, and returns its JSON output.
fn match_result(args: &[&str]) -> Value {
    let output = run(&[&MATCH[..], &["json"], args].concat());
    assert_eq!((output.exit, output.stderr.as_str()), (Exit::Ok, ""), "{args:?}");
    output.json()
}

#[test]
fn a_match_reports_the_better_player() {
    let report = match_result(&["--pairs", "4"]);
    let result = &report["result"];
    let sum = |key: &str| result["games"][key].as_u64().unwrap();
    assert_eq!(sum("games"), 8);
    assert_eq!(sum("won") + sum("drawn") + sum("lost") + sum("unfinished"), 8);
    assert!(sum("won") >= 5, "{result}");
    assert_eq!(report["variants"][1]["variant"], "hexentafl4");
    assert_eq!(report["variants"][0]["result"]["games"]["games"], 4);
    assert_eq!(result["faults"], json!([]));
    let identity = report["first"]["identity"][0].as_str().unwrap();
    assert!(identity.starts_with("taflbase "), "{identity}");
}

#[test]
fn threads_and_resuming_do_not_change_the_result() {
    let uninterrupted = match_result(&["--pairs", "4"]);
    assert_eq!(match_result(&["--pairs", "4", "--threads", "3"]), uninterrupted);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.json");
    let resume = ["--resume", path.to_str().unwrap()];
    match_result(&[&resume[..], &["--pairs", "1"]].concat());
    assert_eq!(match_result(&[&resume[..], &["--pairs", "4"]].concat()), uninterrupted);
    // Finished pairs are not played again, and a smaller number selects the first ones.
    assert_eq!(match_result(&[&resume[..], &["--pairs", "4"]].concat()), uninterrupted);
    assert_eq!(match_result(&[&resume[..], &["--pairs", "1"]].concat()), match_result(&["--pairs", "1"]));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "there are no temporary files");
}

#[test]
fn a_resume_file_belongs_to_its_match() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.json");
    let resume = ["--resume", path.to_str().unwrap(), "--pairs", "1"];
    match_result(&resume);
    let why = |args: &[&str]| {
        let output = run(args);
        assert_eq!((output.exit, output.text()), (Exit::Error, ""), "{args:?}");
        output.stderr
    };
    let message = |why: &str| format!("error: {} can't be resumed: {why}\n", path.display());
    let other = why(&[&MATCH[..9], &["--seed", "6"], &resume[..]].concat());
    let seed =
        "it was written with --seed 5, but --seed 6 is requested (use --seed 5, or a new file with --resume)";
    assert_eq!(other, message(seed));
    // The names of the players depend on the number of variants, but the variants differ first.
    let other =
        why(&[&MATCH[..4], &["brandubh7"], &MATCH[5..], &["text", "--rule", "sw=w"], &resume[..]].concat());
    let both = "--variant brandubh7,hexentafl4";
    let variants = format!(
        "it was written with {both}, but --variant brandubh7 --rule sw=w is requested (use {both}, or a new file with --resume)"
    );
    assert_eq!(other, message(&variants));
    let other = why(&[&["match", "taflbase:nodes=2"], &MATCH[2..], &["text"], &resume[..]].concat());
    let player = "it was written with first player `taflbase:nodes=200`, but first player `taflbase:nodes=2` is requested \
                  (use a new file with --resume)";
    assert_eq!(other, message(player));
    let league = why(&[&["league"], &MATCH[1..], &["text"], &resume[..]].concat());
    assert_eq!(league, message("it is a file of `tafl match` (use a new file with --resume)"));
    fs::write(&path, "{\"version\":1").unwrap();
    let broken = why(&[&MATCH[..], &["json"], &resume[..]].concat());
    assert_eq!(broken, message("it is damaged (use a new file with --resume)"));
    fs::write(&path, "garbage").unwrap();
    let garbage = why(&[&MATCH[..], &["json"], &resume[..]].concat());
    assert_eq!(garbage, message("it is not a file of --resume (use a new file with --resume)"));
    let find = why(&["openings", "find", "--variant", "brandubh7", "--resume", path.to_str().unwrap()]);
    assert_eq!(find, garbage);
}

#[test]
fn games_and_the_series_cannot_have_the_same_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.json");
    let again = folder.path().join(".").join("m.json");
    let files = ["--resume", path.to_str().unwrap(), "-o", again.to_str().unwrap()];
    for command in [&["match", "random", "random"][..], &["league", "random", "taflbase"], &["selfplay"]] {
        let output = run(&[command, &["--variant", "brandubh7"], &files[..]].concat());
        assert_eq!((output.exit, output.text()), (Exit::Error, ""), "{command:?}");
        assert!(
            output.stderr.contains("--resume and -o name the same file"),
            "{command:?}: {}",
            output.stderr
        );
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}

#[test]
fn games_and_the_result_cannot_have_the_same_target() {
    let output = run(&[&MATCH[..], &["text", "--pairs", "1", "-o", "-"]].concat());
    assert_eq!((output.exit, output.text()), (Exit::Error, ""));
    assert!(output.stderr.contains("give a file instead of `-`"), "{}", output.stderr);
}

#[test]
fn games_of_a_match_are_sound_records() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let path = path.to_str().unwrap();
    match_result(&["--pairs", "2", "-o", path]);
    let output = run(&["validate", path]);
    assert_eq!(output.exit, Exit::Ok, "{}{}", output.text(), output.stderr);
    let text = fs::read_to_string(path).unwrap();
    assert_eq!(text.lines().count(), 4);
    assert!(text.contains("200 nodes") && text.contains("random"), "{text}");
}

#[test]
fn a_decided_test_ends_the_match() {
    let args = ["--pairs", "60", "--sprt", "0,200", "--errors", "0.2,0.2"];
    let output = run(&[
        &["match", "taflbase:nodes=300", "random", "--variant", "brandubh7", "--format", "json"],
        &args[..],
    ]
    .concat());
    let result = &output.json()["result"];
    assert_eq!(result["sprt"]["verdict"], "H1 accepted", "{result}");
    assert!(result["elo"]["note"].as_str().unwrap().starts_with("the test stopped the match"), "{result}");
    assert!(result["pairs"].as_u64().unwrap() < 60);
}

#[test]
fn a_failing_player_is_reported_and_loses() {
    let play = |program: &str, more: &[&str]| {
        let args = [
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
        run(&[&args[..], &["--time", "0.05"], more].concat())
    };
    if cfg!(unix) {
        // A program that fails in a game loses it, and the match continues.
        let crash =
            "echo uciok; echo readyok; read a; read b; read c; read d; echo out of memory >&2; exit 3";
        let output = play(&format!("uci:sh -c '{crash}'"), &[]);
        assert_eq!(output.exit, Exit::Findings, "{}", output.stderr);
        let lost = "loses as defenders: the program is not running: it ended with exit status: 3";
        assert!(output.stderr.contains(lost), "{}", output.stderr);
        assert_eq!(output.stderr.matches("\n  | out of memory\n").count(), 4, "{}", output.stderr);
        assert!(output.text().contains("4  first wins (forfeit: gone)"), "{}", output.text());
        let output = play(
            "uci:sh -c 'echo uciok; echo readyok; echo bestmove a1a9; sleep 5'",
            &["--on-fault", "stop"],
        );
        assert!(
            output.text().contains("first wins (forfeit: nonsense)"),
            "{}{}",
            output.text(),
            output.stderr
        );
        assert!(output.text().contains("pairs         1 "), "the match stops: {}", output.text());
        let output = play("uci:sh -c 'echo uciok; echo readyok; sleep 5'", &["--on-fault", "stop"]);
        assert!(output.text().contains("first wins (forfeit: silent)"), "{}{}", output.text(), output.stderr);
        let output = play(
            "uci:sh -c 'echo uciok; echo readyok; echo bestmove d1d7; sleep 5'",
            &["--on-fault", "stop"],
        );
        assert!(output.stderr.contains("the move d1-d7 is illegal"), "{}", output.stderr);
    }
}

#[test]
fn a_program_that_does_not_start_is_an_error_and_no_result() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("series.json");
    let error_of = |command: &str, program: &str| {
        let fixed = [command, "random", program, "--variant", "brandubh7", "--pairs", "1", "--plies", "4"];
        let output = run(&[&fixed[..], &["--resume", path.to_str().unwrap()]].concat());
        assert_eq!((output.exit, output.text()), (Exit::Error, ""), "{}", output.stderr);
        assert!(!path.exists(), "no game was played");
        output.stderr
    };
    for command in ["match", "league"] {
        let missing = error_of(command, "uci:./there-is-no-such-engine");
        let message = "error: `uci:./there-is-no-such-engine` does not start: the program is not running: ";
        assert!(missing.starts_with(message), "{missing}");
        if cfg!(unix) {
            let failed =
                error_of(command, "uci:sh -c 'echo loading >&2; echo net.onnx is missing >&2; exit 2'");
            assert!(failed.contains("it ended with exit status: 2"), "{failed}");
            assert!(failed.ends_with("; its standard error: loading | net.onnx is missing\n"), "{failed}");
        }
    }
    if cfg!(unix) {
        // A program that does not know the first command.
        let other = error_of("match", "htp:sh -c 'read a; echo \"? unknown command\"'");
        assert!(other.contains("does not start: the program rejects the position"), "{other}");
    }
}

#[test]
fn invalid_matches_are_errors() {
    let error_of = |args: &[&str]| {
        let output = run(&[&["match"], args].concat());
        assert_eq!(output.exit, Exit::Error, "{args:?}");
        output.stderr
    };
    assert!(error_of(&["taflbase", "gnu", "--variant", "brandubh7"]).contains("unknown player `gnu`"));
    assert!(error_of(&["taflbase", "random", "--variant", "chess"]).contains("`chess` is not a variant"));
    let test = error_of(&["random", "random", "--variant", "brandubh7", "--sprt", "5,0"]);
    assert!(test.contains("elo0 must be less than elo1"), "{test}");
    assert!(
        error_of(&["random", "random", "--variant", "brandubh7", "--sprt", "much"]).contains("two numbers")
    );
}

#[test]
fn an_unwritable_output_is_reported_before_play() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let long = ["--games", "1000000", "--nodes", "100000", "-o", path];
    let output = run(&[&["selfplay", "--variant", "brandubh7"], &long[..]].concat());
    assert_eq!(output.exit, Exit::Error);
    assert!(output.stderr.contains("this is a folder"), "{}", output.stderr);
    let output = run(&["match", "random", "random", "--variant", "brandubh7", "--pairs", "20", "-o", path]);
    assert_eq!((output.exit, output.text()), (Exit::Error, ""), "{}", output.stderr);
}

fn selfplay(args: &[&str]) -> String {
    let fixed = ["selfplay", "--seed", "3", "--nodes", "150", "--plies", "80"];
    let output = run(&[&fixed[..], args].concat());
    assert_eq!((output.exit, output.stderr.as_str()), (Exit::Ok, ""), "{args:?}");
    output.text().to_owned()
}

#[test]
fn self_play_does_not_depend_on_the_number_of_threads() {
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
fn self_play_of_unusual_variants_is_sound() {
    let folder = tempfile::tempdir().unwrap();
    for variant in ["cyngesheall7", "hexentafl5", "berserk11", "alea19"] {
        let path = folder.path().join(format!("{variant}.jsonl"));
        let path = path.to_str().unwrap();
        selfplay(&["--variant", variant, "--games", "2", "-o", path]);
        let output = run(&["validate", path]);
        assert_eq!(output.exit, Exit::Ok, "{variant}: {}{}", output.text(), output.stderr);
        assert!(fs::read_to_string(path).unwrap().contains("150 nodes"));
    }
}

#[test]
fn unnamed_rules_are_written_into_the_records() {
    let rules = "dim:7 ks:w start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";
    let games = selfplay(&["--variant", rules, "--games", "1"]);
    assert!(games.contains("dim:7 ks:w"), "{games}");
}

const LEAGUE: [&str; 9] = [
    "league",
    "taflbase:nodes=200",
    "taflbase:nodes=20",
    "random",
    "--variant",
    "brandubh7",
    "--plies",
    "60",
    "--format",
];

fn league_result(args: &[&str]) -> Value {
    let output = run(&[&LEAGUE[..], &["json"], args].concat());
    assert_eq!((output.exit, output.stderr.as_str()), (Exit::Ok, ""), "{args:?}");
    output.json()
}

#[test]
fn a_league_rates_its_players() {
    let report = league_result(&["--pairs", "3"]);
    let players = report["players"].as_array().unwrap();
    assert_eq!(players[2]["player"], "random", "{players:?}");
    for player in players {
        assert_eq!(
            player["all"]["games"], 12,
            "each player meets two others three times with each side: {player}"
        );
    }
    let elo = |at: usize| players[at]["rating"]["elo"].as_f64().unwrap();
    assert!(elo(0) >= elo(1) && elo(1) > elo(2));
    assert!((elo(0) + elo(1) + elo(2)).abs() < 0.2, "the mean is 0");
    let pairings = report["pairings"].as_array().unwrap();
    let won: i64 = pairings.iter().map(|pairing| pairing["all"]["won"].as_i64().unwrap()).sum();
    assert_eq!(pairings.len(), 3);
    assert!(won >= 12, "{pairings:?}");
    assert_eq!(report["variants"][0]["variant"], "brandubh7");
}

#[test]
fn in_a_gauntlet_only_the_first_player_meets_the_others() {
    let report = league_result(&["--pairs", "1", "--gauntlet"]);
    let of_first: Vec<&Value> =
        report["pairings"].as_array().unwrap().iter().map(|pairing| &pairing["player"]).collect();
    assert_eq!(of_first, ["taflbase:nodes=200", "taflbase:nodes=200"]);
}

#[test]
fn an_interrupted_league_continues() {
    let uninterrupted = league_result(&["--pairs", "2"]);
    assert_eq!(league_result(&["--pairs", "2", "--threads", "3"]), uninterrupted);
    let folder = tempfile::tempdir().unwrap();
    let (path, games) = (folder.path().join("league.json"), folder.path().join("games.jsonl"));
    let resume = ["--resume", path.to_str().unwrap(), "-o", games.to_str().unwrap()];
    league_result(&[&resume[..], &["--pairs", "1"]].concat());
    assert_eq!(league_result(&[&resume[..], &["--pairs", "2"]].concat()), uninterrupted);
    assert_eq!(fs::read_to_string(&games).unwrap().lines().count(), 12);
    let checked = run(&["validate", games.to_str().unwrap()]);
    assert_eq!(checked.exit, Exit::Ok, "{}", checked.text());
}

#[test]
fn a_league_rejects_one_player_under_two_names() {
    let output = run(&["league", "random", "random", "--variant", "brandubh7"]);
    assert_eq!(output.exit, Exit::Error);
    assert!(output.stderr.contains("`random` is named twice"), "{}", output.stderr);
}

#[test]
fn a_league_distinguishes_unfinished_pairs_from_pairs_not_played() {
    let play = |plies: &str, more: &[&str]| {
        let fixed = ["league", "random", "taflbase:nodes=1", "taflbase:nodes=2", "--variant", "brandubh7"];
        run(&[&fixed[..], &["--pairs", "1", "--plies", plies], more].concat())
    };
    let unfinished = play("6", &[]);
    let why = "no ratings: every pair that was played has an unfinished game, and such pairs don't count; a game ends as \
               unfinished after 6 plies (--plies)\n";
    assert!(unfinished.text().contains(why), "{}", unfinished.text());
    assert!(unfinished.text().contains("random against taflbase:nodes=1: +0 =0 -0, 2 unfinished\n"));
    if cfg!(unix) {
        // The first pair has a fault, and the league stops.
        let program = "uci:sh -c 'echo uciok; echo readyok; echo bestmove a1a9; sleep 5'";
        let league = ["league", "random", program, "taflbase:nodes=1", "--variant", "brandubh7"];
        let stopped = run(&[&league[..], &["--pairs", "1", "-j", "1", "--on-fault", "stop"]].concat());
        let text = "random against taflbase:nodes=1: not played yet\n";
        assert!(stopped.text().contains(text), "{}{}", stopped.text(), stopped.stderr);
    }
}
