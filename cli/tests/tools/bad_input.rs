//! Bad input: a clear error each, and nothing else.

use std::fs;

use tafl_cli::Exit;

use super::test_folder::TestFolder;
use super::{run, run_with};

/// A wrong command line, and the message about it.
const CASES: &[(&[&str], &str)] = &[
    (&["rules", "show", "copenhagn"], "did you mean `copenhagen`"),
    (&["rules", "show", "zzzzzzzzzzzz"], "`tafl rules list` names the variants"),
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
    (&["rules", "diff", "nobody", "brandubh7"], "`nobody` is not a variant"),
    (&["perft", "nope", "1"], "`nope` is not a variant"),
    (&["perft", "brandubh7", "1", "--position", "/7/7/7/7/7/7/7/"], "the position is empty"),
    (&["perft", "brandubh7", "1", "--position", "/9/9/9/9/9/9/9/9/9/"], "it is a position of a 9x9 board"),
    (&["perft", "brandubh7", "1", "--position", "/3q3/7/7/7/7/7/7/"], "unknown piece `q` in rank 1"),
    (&["move", "d1-d2"], "no rules are given"),
    (&["move", "--variant", "brandubh7", "z9-z8"], "`z9` is not a cell of a 7x7 board"),
    (&["move", "--variant", "brandubh7", "castles"], "`castles` is not a move"),
    (&["move", "--variant", "brandubh7", "--rule", "swx=1", "d1-c1"], "unknown rule key or option `swx`"),
    (&["move", "--variant", "brandubh7", "--rule", "sw", "d1-c1"], "write KEY=VALUE"),
    (&["show"], "name a file of records, a --variant or a --position"),
    (&["show", "no/such/file.csv"], "no/such/file.csv"),
    (
        &["show", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml:1:12")],
        "; FILE:GAME names one game of a file",
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
fn each_error_is_named_and_there_is_no_answer() {
    let mut wrong = Vec::new();
    for (words, message) in CASES {
        let ran = run(words);
        let is_refused =
            ran.exit == Exit::Error && ran.stdout.is_empty() && ran.stderr.starts_with("error: ");
        if !is_refused || !ran.stderr.contains(message) {
            wrong.push(format!("{words:?}: {message}\n{}", ran.stderr));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn outputs_do_not_overwrite_inputs() {
    const GAMES: &str = "d2-c2 e4-e1 b4-b2 d4-e4\nd2-e2 c4-c3 b4-b3 c3-c2\n";
    let place = TestFolder::new();
    place.file("games/a.csv", GAMES);
    place.run(&["import", "@corpus", "@games/a.csv", "--variant", "brandubh7"]);
    let manifest = fs::read(place.path("corpus/manifest.json")).unwrap();
    let annotate = ["annotate", "@games", "--variant", "brandubh7", "--nodes", "50"];
    let tune = ["tune", "@games", "--variant", "brandubh7", "--nodes", "50"];
    let matched =
        ["match", "random", "random", "--variant", "brandubh7", "--openings", "@games", "--pairs", "1"];
    for words in [
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
        let ran = place.run(&words);
        assert_eq!(ran.exit, Exit::Error, "{words:?}: {}", ran.stderr);
        assert!(ran.stderr.contains("is an input and would be overwritten"), "{words:?}: {}", ran.stderr);
        assert_eq!(fs::read_to_string(place.path("games/a.csv")).unwrap(), GAMES, "{words:?}");
    }
    assert_eq!(fs::read(place.path("corpus/manifest.json")).unwrap(), manifest);
    assert!(!place.path("new").exists());
}

#[test]
fn escape_sequences_in_arguments_are_escaped() {
    for word in ["\u{1b}]0;x\u{7}", "\u{202e}2"] {
        for words in [&["perft", "brandubh7", word][..], &["rules", "show", word], &[word]] {
            let ran = run(words);
            assert_eq!(ran.exit, Exit::Error);
            let is_safe = |symbol: char| symbol == '\n' || !(symbol.is_control() || symbol == '\u{202e}');
            assert!(ran.stderr.chars().all(is_safe), "{:?}", ran.stderr);
        }
    }
}

#[test]
fn names_in_record_lines_cannot_act_on_a_terminal() {
    let line = |text: &str| {
        let source = "\\u001b]0;x\\u0007games";
        format!(
            "{{\"taflbase_record\":1,\"source\":\"{source}\",\"text\":\"{text}\",\"format\":\"movelist\"}}\n"
        )
    };
    let known = line("d2-c2 e4-e1 c2-c1 e1-f1,0,0,Ongoing") + &line("a1-b1 b1-c1,0,0,Ongoing");
    let illegal = line("d2-c2 d2-d3,0,0,Ongoing");
    let annotate = ["annotate", "-", "--variant", "brandubh7", "--nodes", "50"];
    for (words, stdin) in [(&["infer", "-", "-j", "1"][..], known), (&annotate[..], illegal)] {
        let ran = run_with(words, &stdin);
        let output = format!("{}{}", ran.text(), ran.stderr);
        assert_eq!(ran.exit, Exit::Findings, "{output:?}");
        assert!(output.contains("\\u{1b}]0;x\\u{7}games"), "{output:?}");
        assert!(!output.contains(|symbol: char| symbol != '\n' && symbol.is_control()), "{output:?}");
    }
}

#[test]
fn a_large_empty_board_is_rejected() {
    let empty = format!("dim:21 start:/{}", "21/".repeat(21));
    for words in [&["rules", "show", &empty][..], &["rules", "explain", &empty], &["perft", &empty, "1"]] {
        let ran = run(words);
        assert_eq!(ran.exit, Exit::Error);
        assert!(ran.stderr.contains("the attackers have no pieces at the start"), "{}", ran.stderr);
    }
}

#[test]
fn an_error_in_a_rules_string_is_marked() {
    let ran = run(&["rules", "show", "dim:7 ks:c start:/3t3/3t3/3T4/ttTKTtt/3T3/3t3/3t3/"]);
    let expected = "\
error: rank 3 has 7 cells, but its row continues at column 8
 --> rules string:1:29
  |
1 | dim:7 ks:c start:/3t3/3t3/3T4/ttTKTtt/3T3/3t3/3t3/
  |                             ^
";
    assert_eq!(ran.stderr, expected);
}

#[test]
fn an_unknown_key_of_a_rules_string_is_a_warning() {
    let ran = run(&["rules", "show", "dim:7 foo:3 start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"]);
    assert_eq!(ran.exit, Exit::Ok);
    assert!(ran.stderr.starts_with("warning: unknown key `foo:3`"), "{}", ran.stderr);
    assert!(ran.text().starts_with("dim:7 foo:3 start:"), "{}", ran.text());
}
