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
    let other = run(&[&MATCH[..9], &["--seed", "6"], &resume[..]].concat());
    assert_eq!(other.exit, Exit::Error);
    assert!(
        other.stderr.contains("was written with other settings: `seed` is 5 there, but 6 now"),
        "{}",
        other.stderr
    );
    fs::write(&path, "{\"version\":1").unwrap();
    let broken = run(&[&MATCH[..], &["json"], &resume[..]].concat());
    assert!(broken.stderr.contains("can't be resumed"), "{}", broken.stderr);
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
fn without_a_number_of_pairs_there_is_one_for_each_opening() {
    let default = |more: &[&str]| {
        let fixed =
            ["match", "taflbase:nodes=10", "taflbase:nodes=5", "--variant", "brandubh7", "--plies", "20"];
        let output = run(&[&fixed[..], &["--format", "json"], more].concat());
        assert_eq!(output.exit, Exit::Ok, "{more:?}: {}", output.stderr);
        output
    };
    let balanced = default(&["--openings", "balanced"]);
    let notice = "18 pairs are played between two players, because there are no more different openings\n";
    assert_eq!(balanced.stderr, notice);
    let answer = balanced.json();
    assert_eq!(answer["result"]["games"]["games"], 36);
    assert_eq!(answer["opening_plies"], Value::Null, "balanced openings have their own lengths");
    let short = default(&["--opening-plies", "1"]);
    assert!(short.stderr.contains("because there are no more different openings"), "{}", short.stderr);
    let many = default(&["--opening-plies", "3"]);
    assert_eq!((many.stderr.as_str(), &many.json()["result"]["games"]["games"]), ("", &json!(100)));
    // With two variants, the 18 openings of Brandubh suffice for 36 pairs, and the 17 of Fetlar for 35.
    let two = ["random", "taflbase:nodes=1", "--plies", "1", "--openings", "balanced", "--variant"];
    let league = run(&[&["league"], &two[..], &["brandubh7,fetlar11"]].concat());
    assert!(league.stderr.starts_with("35 pairs are played between two players"), "{}", league.stderr);
    assert_eq!(league.exit, Exit::Ok);
    let too_many = ["taflbase:nodes=1", "taflbase:nodes=2", "--variant", "brandubh7", "--pairs", "19"];
    let too_many = run(&[&["match"], &too_many[..], &["--openings", "balanced"]].concat());
    assert_eq!(too_many.exit, Exit::Error);
    assert!(too_many.stderr.contains("only 18 balanced openings, but 19 are wanted"), "{}", too_many.stderr);
}

#[test]
fn balanced_openings_have_their_own_lengths() {
    for command in ["match", "league"] {
        let players = [command, "random", "taflbase:nodes=1", "--variant", "brandubh7", "--pairs", "1"];
        let output = run(&[&players[..], &["--openings", "balanced", "--opening-plies", "4"]].concat());
        assert_eq!((output.exit, output.text()), (Exit::Error, ""), "{command}");
        let message = "--opening-plies has no effect on balanced openings";
        assert!(output.stderr.contains(message), "{command}: {}", output.stderr);
    }
}

#[test]
fn advice_about_too_few_openings_helps() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.csv");
    let name = path.to_str().unwrap();
    // The first and the second game differ in the third ply, and the third game is short.
    let games = [
        "d2-e2 c4-c2 b4-b3 c2-b2,0,0,Ongoing\n",
        "d2-e2 c4-c2 f4-f3 c2-b2,0,0,Ongoing\n",
        "d2-c2,0,0,Ongoing\n",
    ];
    fs::write(&path, games.concat()).unwrap();
    let error_of = |variant: &str, more: &[&str]| {
        let fixed = ["match", "random", "taflbase:nodes=1", "--plies", "8", "--variant", variant];
        let output = run(&[&fixed[..], more].concat());
        assert_eq!(output.exit, Exit::Error, "{more:?}: {}", output.text());
        output.stderr
    };
    let of_games = |plies: &str, pairs: &[&str]| {
        error_of("brandubh7", &[&["--openings", name, "--opening-plies", plies], pairs].concat())
    };
    // Longer openings differ.
    let same = of_games("2", &["--pairs", "2"]);
    let message = "brandubh7 has only 1 different opening of 2 plies from 3 games, but 2 are needed (try";
    assert!(same.contains(message), "{same}");
    assert!(same.contains("(try --pairs 1, --opening-plies 3, or other games"), "{same}");
    // No length helps if there are fewer games than pairs.
    let few = of_games("3", &["--pairs", "4"]);
    assert!(few.contains("only 2 different openings of 3 plies from 3 games, but 4 are needed"), "{few}");
    assert!(few.contains("(try --pairs 2 or more games"), "{few}");
    // Only shorter openings are possible.
    let long = of_games("5", &[]);
    assert!(long.contains("brandubh7 has no opening of 5 plies from 3 games"), "{long}");
    assert!(long.contains("(try --opening-plies 4 or other games"), "{long}");
    let elsewhere = error_of("copenhagen11", &["--openings", name]);
    assert!(elsewhere.contains("no game of --openings is on the board of copenhagen11"), "{elsewhere}");
    let random = error_of("brandubh7", &["--opening-plies", "1", "--pairs", "50"]);
    assert!(random.contains("different openings of 1 ply, but 50 are needed"), "{random}");
    assert!(random.contains(" or --opening-plies 2)\n"), "{random}");
}

#[test]
fn games_on_other_boards_have_no_openings() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let small = path("brandubh.csv", "d2-e2 c4-c2 b4-b3 c2-b2,0,0,Ongoing\n");
    let large = path("copenhagen.csv", "b6-b10 d6-b6 f2-b2 e5-b5,0,0,Ongoing\n");
    let players = ["match", "random", "random", "--variant", "brandubh7", "--pairs", "1"];
    let output = run(&[&players[..], &["--opening-plies", "2", "--openings", &large, &small]].concat());
    assert_eq!(output.exit, Exit::Ok, "{}", output.stderr);
    assert!(output.stderr.contains("skipped 1 game of --openings on other boards"), "{}", output.stderr);
}

#[test]
fn one_game_of_a_file_is_an_opening() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.csv");
    fs::write(&path, "d2-e2 c4-c2 b4-b3 c2-b2,0,0,Ongoing\nd2-c2 e4-e1 b4-b2 d4-e4,0,0,Ongoing\n").unwrap();
    let play = |game: &str, pairs: &str| {
        let openings = format!("{}:{game}", path.display());
        let fixed = ["match", "random", "random", "--variant", "brandubh7", "--opening-plies", "4"];
        run(&[&fixed[..], &["--plies", "6", "--pairs", pairs, "--openings", &openings]].concat())
    };
    assert_eq!(play("2", "1").exit, Exit::Ok);
    let few = play("2", "2").stderr;
    assert!(few.contains("has only 1 different opening of 4 plies from 1 game, but 2 are needed"), "{few}");
    let missing = play("3", "1");
    assert_eq!(missing.exit, Exit::Error);
    assert!(missing.stderr.contains("no game `3`"), "{}", missing.stderr);
}

#[test]
fn balanced_openings_are_found_resumed_and_played() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (whole, part, resumed) = (path("whole"), path("part"), path("resumed"));
    let find = |more: &[&str]| {
        let fixed = ["openings", "find", "--variant", "brandubh7", "--nodes", "200"];
        let output = run(&[&fixed[..], more].concat());
        assert_eq!(output.exit, Exit::Ok, "{}{}", output.text(), output.stderr);
        output.text().to_owned()
    };
    let text = find(&["--rounds", "2", "-o", &whole]);
    assert!(text.contains("second series the attackers score"), "{text}");
    find(&["--rounds", "1", "--resume", &part]);
    find(&["--rounds", "2", "--resume", &part, "-o", &resumed]);
    assert_eq!(std::fs::read(&whole).unwrap(), std::fs::read(&resumed).unwrap());
    let play = |variant: &str| {
        run(&["match", "random", "random", "--variant", variant, "--pairs", "2", "--openings", &whole])
    };
    assert_eq!(play("brandubh7").exit, Exit::Ok);
    let other = play("copenhagen11");
    assert!(other.stderr.contains("no balanced openings for copenhagen11"), "{}", other.stderr);
    let often = |first: &str| {
        let players = [first, "taflbase:nodes=5", "--variant", "brandubh7", "--plies", "30"];
        run(&[&["match"], &players[..], &["--pairs", "50", "--openings", &whole]].concat())
    };
    assert_eq!(often("random").exit, Exit::Ok);
    let repeated = often("taflbase:nodes=10");
    assert_eq!(repeated.exit, Exit::Error);
    assert!(repeated.stderr.contains("play the same games again"), "{}", repeated.stderr);
    let players =
        ["match", "taflbase:nodes=10", "taflbase:nodes=5", "--variant", "brandubh7", "--pairs", "2"];
    let without = run(&[&players[..], &["--opening-plies", "0"]].concat());
    assert_eq!(without.exit, Exit::Error);
    assert!(without.stderr.contains("play the same games again"), "{}", without.stderr);
}

#[test]
fn a_search_that_finds_no_opening_writes_none() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let find = |more: &[&str]| {
        let fixed = ["openings", "find", "--variant", "brandubh7", "--rounds", "1", "--nodes", "20"];
        run(&[&fixed[..], &["--plies", "1"], more].concat())
    };
    let (new, old) = (path("new.txt"), path("old.txt"));
    fs::write(&old, "older openings").unwrap();
    for target in [&new, &old] {
        let output = find(&["-o", target]);
        assert_eq!(output.exit, Exit::Findings, "{}", output.stderr);
        assert!(output.text().starts_with("openings      0 found in 1 round ("), "{}", output.text());
        let why = format!("{target} is not written: no balanced opening was found; try more --rounds");
        assert!(output.stderr.contains(&why), "{}", output.stderr);
    }
    assert!(!std::path::Path::new(&new).exists());
    assert_eq!(fs::read_to_string(&old).unwrap(), "older openings");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "there are no temporary files");
    // A file that is both the state and the result keeps the state.
    let output = find(&["--resume", &new, "-o", &new]);
    assert_eq!((output.exit, output.stderr.as_str()), (Exit::Findings, ""), "{}", output.text());
    assert!(fs::read_to_string(&new).unwrap().starts_with("tafl-openings 1\n"));
}

#[test]
fn a_different_setting_of_a_resumed_search_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("openings.txt");
    let resume = path.to_str().unwrap();
    let find = |more: &[&str]| {
        let fixed = ["openings", "find", "--rounds", "1", "--resume", resume];
        run(&[&fixed[..], more].concat())
    };
    let first = find(&["--variant", "brandubh7", "--nodes", "20", "--plies", "1"]);
    assert_eq!(first.exit, Exit::Findings, "{}", first.stderr);
    let error_of = |more: &[&str]| {
        let output = find(more);
        assert_eq!(output.exit, Exit::Error, "{more:?}");
        output.stderr
    };
    let nodes = error_of(&["--variant", "brandubh7", "--nodes", "30", "--plies", "1"]);
    assert!(nodes.contains("it was written with --nodes 20, but --nodes 30 is requested"), "{nodes}");
    assert!(nodes.contains("(use --nodes 20, or a new file with --resume)"), "{nodes}");
    let plies = error_of(&["--variant", "brandubh7", "--nodes", "20"]);
    assert!(plies.contains("it was written with --plies 1, but --plies 16 is requested"), "{plies}");
    let rules = error_of(&["--variant", "hexentafl4", "--nodes", "20", "--plies", "1"]);
    assert!(rules.contains("it was written with --variant `dim:7 name:Brandubh"), "{rules}");
    fs::write(&path, fs::read_to_string(&path).unwrap().replace("engine taflbase", "engine other")).unwrap();
    let engine = error_of(&["--variant", "brandubh7", "--nodes", "20", "--plies", "1"]);
    assert!(engine.contains("it was written with engine `other"), "{engine}");
    assert!(engine.contains("(use a new file with --resume: another version"), "{engine}");
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
