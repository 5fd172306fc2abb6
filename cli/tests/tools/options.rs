//! Options and parameters of several commands, and their old names, which are hidden aliases.

use serde_json::{Value, json};
use tafl_cli::Exit;

use super::test_folder::TestFolder;
use super::test_server::TestServer;
use super::{RunOutput, run, run_with};

/// Two games with errors, and one without.
const GAMES: &str = "\
d2-c2 e4-e9 b4-b2,0,0,White
d2-c2 e4-e1 b4-b2 d4-e4 c2-c1 e4-e3,0,0,White
d2-b2 e4-e1 b4-b3 d4-d7,0,0,Draw
";
const RULES: &str = "dim:7 atkf:y ks:w start:/3t3/7/3T3/t1TKT1t/3T3/7/3t3/";

/// Returns a folder with a file of the games and a corpus of them.
fn folder_with_corpus() -> TestFolder {
    let folder = TestFolder::new();
    folder.file("games.csv", GAMES);
    let output = folder.run(&["import", "@corpus", "@games.csv", "--variant", "brandubh7", "-q"]);
    assert_ne!(output.exit, Exit::Error, "{}", output.stderr);
    folder
}

/// Returns the output of a run without its duration.
fn outcome(output: &RunOutput) -> (&str, &str, Exit) {
    let text = output.text().split(" nodes in ").next().unwrap_or_default();
    (text, &output.stderr, output.exit)
}

#[test]
fn old_options_equal_the_new_ones() {
    let folder = folder_with_corpus();
    let explore = ["explore", "@corpus", "--variant", "brandubh7"];
    let eval = ["eval", "--variant", "brandubh7", "--depth", "1", "-q"];
    for (command, old, new) in [
        (&explore[..], &["--where", "plies > 2"][..], &["--query", "plies > 2"][..]),
        (&explore, &["--tree", "2", "--format", "otg"], &["--tree", "2", "--format", "opentafl"]),
        (&["search", "@corpus", "plies > 1"], &["--format", "otn"], &["--format", "opentafl"]),
        (&["convert", "@games.csv", "--variant", "brandubh7"], &["--to", "otg"], &["--to", "opentafl"]),
        (&["show"], &["--rules", RULES], &["--variant", RULES]),
        (&["validate", "@games.csv"], &["--rules", "brandubh7"], &["--variant", "brandubh7"]),
        (
            &["repair", "@games.csv", "--variant", "brandubh7"],
            &["--limit", "1"],
            &["--limit-per-record", "1"],
        ),
        (&["infer", "@games.csv"], &["--limit", "1"], &["--limit-per-list", "1"]),
        (&["report", "players", "@corpus", "--format", "md"], &["--least", "1"], &["--min-games", "1"]),
        (
            &[
                "report",
                "compare",
                "@corpus",
                "--query",
                "plies > 1",
                "--query",
                "plies > 9999",
                "--format",
                "md",
            ],
            &["--matters", "9"],
            &["--min-difference", "9"],
        ),
        (&eval, &["--threads", "1"], &["--search-threads", "1"]),
        (&eval, &["-j", "1"], &["--search-threads", "1"]),
    ] {
        let run_with = |args: &[&str]| folder.run(&[command, args].concat());
        let (by_old, by_new) = (run_with(old), run_with(new));
        assert_eq!(outcome(&by_old), outcome(&by_new), "{command:?} {old:?}");
        assert!(!by_new.stdout.is_empty(), "{command:?} {new:?}: {}", by_new.stderr);
    }
    // These games have no puzzles, so nothing is written.
    let puzzles = |options: [&str; 4]| {
        let command = ["puzzles", "@games.csv", "--variant", "brandubh7", "--nodes", "50"];
        folder.run(&[&command[..], &options].concat())
    };
    let by_old = puzzles(["--most", "0.5", "--least", "1"]);
    let by_new = puzzles(["--max-second", "0.5", "--min-plies", "1"]);
    assert_eq!((by_old.exit, &by_old.stdout), (by_new.exit, &by_new.stdout));
    assert_ne!(by_new.exit, Exit::Error, "{}", by_new.stderr);
    let engine = |option| run_with(&["engine", option, "2"], "quit\n").exit;
    assert_eq!((engine("--threads"), engine("--search-threads")), (Exit::Ok, Exit::Ok));
}

#[test]
fn an_import_takes_the_notation_by_its_old_name() {
    let place = TestFolder::new();
    place.file("games.csv", GAMES);
    let import = |option: &str, corpus: &str| {
        let import = ["import", corpus, "@games.csv", "--variant", "brandubh7", option, "movelist", "-q"];
        let exit = place.run(&import).exit;
        let info = place.run(&["info", corpus, "--format", "json"]).json();
        (exit, info["games"].clone(), info["hash"].clone())
    };
    let by_new = import("--as", "@new.corpus");
    assert_ne!(by_new.0, Exit::Error);
    assert_eq!(import("--notation", "@old.corpus"), by_new);
}

#[test]
fn serve_takes_the_client_timeout_by_its_old_name() {
    let place = TestFolder::new();
    // A server that starts would not return.
    let stderr = |option: &str, seconds: &str| place.run(&["serve", "@no.corpus", option, seconds]).stderr;
    assert_eq!(stderr("--patience", "7"), stderr("--client-timeout", "7"));
    assert!(stderr("--patience", "7").contains("no.corpus"));
    assert!(stderr("--patience", "0").contains("0 is not in 1..=600"));
}

#[test]
fn help_omits_old_options() {
    for (command, old) in [
        ("explore", "--where"),
        ("explore", "--rules"),
        ("explore", "otg"),
        ("search", "otn"),
        ("eval", "--threads"),
        ("engine", "--threads"),
        ("infer", "--limit "),
        ("import", "--notation"),
        ("serve", "--patience"),
        ("repair", "--limit "),
    ] {
        let help = run(&[command, "--help"]);
        // Compare whole words, because a new name may begin with an old one.
        let help_words = help.text().split(|symbol: char| symbol.is_whitespace() || "[],:".contains(symbol));
        assert!(help_words.into_iter().all(|word| word != old.trim()), "{command} {old}");
    }
}

#[test]
fn options_without_effect_are_errors() {
    let explore = ["explore", "corpus", "--variant", "brandubh7"];
    let solve = ["solve", "--check", "proof.txt"];
    let build = ["solve", "--variant", "brandubh7", "--build-tables", "tables"];
    for (command, options) in [
        (&explore[..], &["--tree", "2", "--limit", "3"][..]),
        (&explore, &["--min-games", "2"]),
        (&explore, &["--min-games", "2", "--limit", "3"]),
        (&explore, &["--heat-maps", "--min-games", "2"]),
        (&explore, &["--heat-maps", "--side", "attackers"]),
        (&["import", "corpus", "games.csv"], &["--interval", "3"]),
        (&solve, &["--certificate", "copy.txt"]),
        (&solve, &["--goal", "defenders"]),
        (&solve, &["--hash", "16"]),
        (&build, &["--time", "60"]),
        (&build, &["--shortest"]),
        (&["solve", "--variant", "brandubh7"], &["--pieces", "3"]),
        (&["solve", "--variant", "brandubh7", "--nodes", "10"], &["--pieces", "3"]),
    ] {
        let output = run(&[command, options].concat());
        assert_eq!(output.exit, Exit::Error, "{command:?} {options:?}");
        let is_named = output.stderr.contains("cannot be used with")
            || output.stderr.contains("required arguments were not provided");
        assert!(is_named && output.stderr.contains(command[0]), "{command:?} {options:?}: {}", output.stderr);
    }
}

#[test]
fn limits_apply_to_the_total_or_to_each_code() {
    let folder = TestFolder::new();
    folder.file(
        "games.csv",
        "d2-c2 e4-e9,0,0,White\nd2-c2 e4-e9,0,0,White\nd2-c2 d4-d7,1,0,White\nd2-c2 d4-d7,1,0,White\n",
    );
    let findings = |args: &[&str]| {
        let base = ["validate", "@games.csv", "--variant", "brandubh7", "--format", "json"];
        folder.run(&[&base[..], args].concat()).json()["findings"].as_array().unwrap().len()
    };
    let all = findings(&[]);
    assert!(all > 3, "{all}");
    assert_eq!((findings(&["--limit", "3"]), findings(&["--limit", "0"])), (3, 0));
    let per_code = findings(&["--limit-per-code", "1"]);
    assert!((2..all).contains(&per_code), "{per_code} of {all}");
    assert_eq!(findings(&["--limit-per-code", "1", "--limit", "1"]), 1);
}

#[test]
fn every_command_with_rules_accepts_rule_changes() {
    let folder = TestFolder::new();
    let change = ["--rule", "king_capture=w"];
    let output_of = |args: &[&str]| {
        let output = folder.run(args);
        assert_eq!(output.exit, Exit::Ok, "{args:?}: {}", output.stderr);
        output.text().to_owned()
    };
    for command in [&["rules", "show", "copenhagen11"][..], &["rules", "explain", "copenhagen11"]] {
        assert_ne!(output_of(command), output_of(&[command, &change].concat()), "{command:?}");
    }
    let slow = ["--rule", "spd:1"];
    let perft = ["perft", "brandubh7", "1"];
    assert_ne!(output_of(&perft), output_of(&[&perft[..], &slow].concat()));
    folder.file("games.csv", "d2-b2\n");
    let replay = ["replay", "@games.csv", "--variant", "brandubh7"];
    assert_eq!(folder.run(&replay).exit, Exit::Ok);
    assert_eq!(folder.run(&[&replay[..], &slow].concat()).exit, Exit::Findings);
    let output = folder.run(&["replay", "@games.csv", "--rule", "spd:1"]);
    assert_eq!(output.exit, Exit::Error);
    assert!(output.stderr.contains("no variant is given"), "{}", output.stderr);
    let output = folder.run(&["replay", "@games.csv", "--variant", "brandubh7", "--rule", "spd"]);
    assert_eq!(output.exit, Exit::Error);
    let jobs = ["selfplay", "--jobs", "-", "--nodes", "50", "--plies", "4", "-q"];
    let job = |rule: Value| json!({ "taflbase_job": 1, "variant": "brandubh7", "seed": 1, "games": 1, "rule": rule });
    let games_with = |rule| run_with(&jobs, &format!("{}\n", job(rule))).text().to_owned();
    assert_ne!(games_with(json!([])), games_with(json!(["spd:1"])));
}

#[test]
fn old_parameters_equal_the_new_ones() {
    let server = TestServer::start(&[]);
    let rules = RULES.replace(' ', "%20");
    let rules = rules.as_str();
    let assert_same = |path: &str, old: &str, new: &str| {
        let [by_old, by_new] = [old, new].map(|query| {
            let mut response = server.json(&format!("{path}?{query}"));
            response["took_ms"] = Value::Null;
            response
        });
        assert_eq!(by_old, by_new, "{path}?{old}");
    };
    assert_same("/api/explore", "variant=brandubh7&where=plies%3E4", "variant=brandubh7&query=plies%3E4");
    assert_same("/api/games", "where=plies%3E4", "query=plies%3E4");
    assert_same("/api/board", &format!("rules={rules}"), &format!("variant={rules}"));
    let error = server.assert_rejected(
        server.get("/api/games?where=plies%3E4&query=plies%3E4"),
        400,
        "bad-parameter",
    );
    assert_eq!(error["message"], "`query` is given twice");
    assert_eq!(server.json("/api/explore?variant=brandubh7&query=plies%3E4")["query"], "plies>4");
}

#[test]
fn the_rule_parameter_changes_the_rules() {
    let server = TestServer::start(&[]);
    let rules =
        |query: &str| server.json(&format!("/api/board?variant=copenhagen11{query}"))["rules"].clone();
    let both = rules("&rule=sw=w&rule=xnom=draw");
    assert_ne!(both, rules(""));
    assert_ne!(both, rules("&rule=sw=w"));
    let error =
        server.assert_rejected(server.get("/api/board?variant=copenhagen11&rule=sw"), 400, "bad-rules");
    assert_eq!(error["parameter"], "rule");
}
