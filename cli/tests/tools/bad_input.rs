//! Invalid arguments and names: each run prints a clear error and no output.

use std::fs;

use tafl_cli::Exit;

use super::test_folder::TestFolder;
use super::{run, run_with};

/// Invalid command lines, each with a part of its error message.
const CASES: &[(&[&str], &str)] = &[
    (&["rules", "show", "copenhagn"], "did you mean `copenhagen`"),
    (&["rules", "show", "zzzzzzzzzzzz"], "`tafl rules list` lists all variants"),
    (
        &["rules", "show", "dim:7 ks:q start:/7/7/7/7/7/7/7/"],
        "invalid value `ks:q`; expected `s`, `c`, `m`, or `w`",
    ),
    (
        &["rules", "show", "dim:7 start:/3t3/3t3/3T4/ttTKTtt/3T3/3t3/3t3/"],
        "rank 3 has 7 cells, but its row continues at column 8",
    ),
    (&["rules", "explain", "dim:7 start:/3/"], "a 7x7 board has 7 ranks, but the record has 1 rows"),
    (&["rules", "diff", "brandubh7", "dim:99 start:/"], "unsupported board size `99`"),
    (&["rules", "diff", "unknown", "brandubh7"], "`unknown` is not a variant"),
    (&["perft", "nope", "1"], "`nope` is not a variant"),
    (&["perft", "brandubh7", "1", "--position", "/7/7/7/7/7/7/7/"], "the position is empty"),
    (&["perft", "brandubh7", "1", "--position", "/9/9/9/9/9/9/9/9/9/"], "it is a position of a 9x9 board"),
    (&["perft", "brandubh7", "1", "--position", "/3q3/7/7/7/7/7/7/"], "unknown piece `q` in rank 1"),
    (&["move", "d1-d2"], "no rules are given"),
    (&["move", "--variant", "brandubh7", "z9-z8"], "`z9` is not a cell of a 7x7 board"),
    (&["move", "--variant", "brandubh7", "castles"], "`castles` is not a move"),
    (&["move", "--variant", "brandubh7", "--rule", "swx=1", "d1-c1"], "unknown rule key or option `swx`"),
    (&["move", "--variant", "brandubh7", "--rule", "sw", "d1-c1"], "write KEY=VALUE"),
    (&["show"], "nothing to show; name a file of records, a --variant, or a --position"),
    (&["show", "no/such/file.csv"], "no/such/file.csv"),
    (
        &["show", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml:1:12:3")],
        "; FILE:GAME selects a game of the file",
    ),
    (
        &["search", env!("CARGO_MANIFEST_DIR"), "capture"],
        "manifest.json is missing (create one with `tafl import`)",
    ),
    (&["show", "--position", "/3/"], "fits no board"),
    (&["show", "--variant", "brandubh7", "--format", "gif"], "GIF is for games"),
    (&["show", "--variant", "brandubh7", "--format", "png", "--width", "7"], "7 is not in 32..=6000"),
    (&["man", "rule"], "unknown command `rule` of `tafl`"),
];

#[test]
fn each_error_is_reported_without_output() {
    let mut failures = Vec::new();
    for (args, message) in CASES {
        let output = run(args);
        let is_rejected =
            output.exit == Exit::Error && output.stdout.is_empty() && output.stderr.starts_with("error: ");
        if !is_rejected || !output.stderr.contains(message) {
            failures.push(format!("{args:?}: {message}\n{}", output.stderr));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn outputs_do_not_overwrite_inputs() {
    const GAMES: &str = "d2-c2 e4-e1 b4-b2 d4-e4\nd2-e2 c4-c3 b4-b3 c3-c2\n";
    let folder = TestFolder::new();
    folder.file("games/a.csv", GAMES);
    folder.run(&["import", "@corpus", "@games/a.csv", "--variant", "brandubh7"]);
    let manifest = fs::read(folder.path("corpus/manifest.json")).unwrap();
    let annotate = ["annotate", "@games", "--variant", "brandubh7", "--nodes", "50"];
    let tune = ["tune", "@games", "--variant", "brandubh7", "--nodes", "50"];
    let matched =
        ["match", "random", "random", "--variant", "brandubh7", "--openings", "@games", "--pairs", "1"];
    for args in [
        [&annotate[..], &["-o", "@games/a.csv"]].concat(),
        [&annotate[..], &["--summary", "@games/a.csv"]].concat(),
        [&tune[..], &["-o", "@games/a.csv"]].concat(),
        [&tune[..], &["-o", "@new", "--keep", "@games/a.csv"]].concat(),
        [&matched[..], &["-o", "@games/a.csv"]].concat(),
        vec!["convert", "@games", "--to", "opentafl", "-o", "@new", "--losses", "@games/a.csv"],
        vec!["show", "@games/a.csv:1", "--format", "svg", "-o", "@games/a.csv"],
        vec!["report", "lengths", "@games", "-o", "@games/a.csv"],
        vec!["search", "@corpus", "capture", "-o", "@corpus/manifest.json"],
    ] {
        let output = folder.run(&args);
        assert_eq!(output.exit, Exit::Error, "{args:?}: {}", output.stderr);
        assert!(
            output.stderr.contains("is an input and would be overwritten"),
            "{args:?}: {}",
            output.stderr
        );
        assert_eq!(fs::read_to_string(folder.path("games/a.csv")).unwrap(), GAMES, "{args:?}");
    }
    assert_eq!(fs::read(folder.path("corpus/manifest.json")).unwrap(), manifest);
    assert!(!folder.path("new").exists());
}

#[test]
fn escape_sequences_in_arguments_are_escaped() {
    for word in ["\u{1b}]0;x\u{7}", "\u{202e}2"] {
        for args in [&["perft", "brandubh7", word][..], &["rules", "show", word], &[word]] {
            let output = run(args);
            assert_eq!(output.exit, Exit::Error);
            let is_safe = |symbol: char| symbol == '\n' || !(symbol.is_control() || symbol == '\u{202e}');
            assert!(output.stderr.chars().all(is_safe), "{:?}", output.stderr);
        }
    }
}

#[test]
fn control_characters_in_record_lines_are_escaped() {
    let line = |text: &str| {
        let source = "\\u001b]0;x\\u0007games";
        format!(
            "{{\"taflbase_record\":1,\"source\":\"{source}\",\"text\":\"{text}\",\"format\":\"movelist\"}}\n"
        )
    };
    let valid = line("d2-c2 e4-e1 c2-c1 e1-f1,0,0,Ongoing") + &line("a1-b1 b1-c1,0,0,Ongoing");
    let illegal = line("d2-c2 d2-d3,0,0,Ongoing");
    let annotate = ["annotate", "-", "--variant", "brandubh7", "--nodes", "50"];
    for (args, stdin) in [(&["infer", "-", "-j", "1"][..], valid), (&annotate[..], illegal)] {
        let output = run_with(args, &stdin);
        let text = format!("{}{}", output.text(), output.stderr);
        assert_eq!(output.exit, Exit::Findings, "{text:?}");
        assert!(text.contains("\\u{1b}]0;x\\u{7}games"), "{text:?}");
        assert!(!text.contains(|symbol: char| symbol != '\n' && symbol.is_control()), "{text:?}");
    }
}

#[test]
fn a_large_empty_board_is_rejected() {
    let empty = format!("dim:21 start:/{}", "21/".repeat(21));
    for args in [&["rules", "show", &empty][..], &["rules", "explain", &empty], &["perft", &empty, "1"]] {
        let output = run(args);
        assert_eq!(output.exit, Exit::Error);
        assert!(output.stderr.contains("the attackers have no pieces at the start"), "{}", output.stderr);
    }
}

#[test]
fn an_error_in_a_rules_string_is_marked() {
    let output = run(&["rules", "show", "dim:7 ks:c start:/3t3/3t3/3T4/ttTKTtt/3T3/3t3/3t3/"]);
    let expected = "\
error: rank 3 has 7 cells, but its row continues at column 8
 --> rules string:1:29
  |
1 | dim:7 ks:c start:/3t3/3t3/3T4/ttTKTtt/3T3/3t3/3t3/
  |                             ^
";
    assert_eq!(output.stderr, expected);
}

#[test]
fn an_unknown_key_of_a_rules_string_is_a_warning() {
    let output = run(&["rules", "show", "dim:7 foo:3 start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"]);
    assert_eq!(output.exit, Exit::Ok);
    assert!(output.stderr.starts_with("warning: unknown key `foo:3`"), "{}", output.stderr);
    assert!(output.text().starts_with("dim:7 foo:3 start:"), "{}", output.text());
}
