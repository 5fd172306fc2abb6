//! What a build without the database still does, and what it says of the rest. The other tests need the whole program.
#![cfg(not(feature = "database"))]

use std::fs;

use tafl_cli::{Exit, Io};

/// Runs the program, and returns its exit, its answer and its messages.
fn run(words: &[&str], stdin: &str) -> (Exit, String, String) {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut io = Io::new(stdin.as_bytes(), &mut stdout, &mut stderr);
    let exit = tafl_cli::run([&["tafl"], words].concat(), &mut io);
    drop(io);
    let text = |bytes| String::from_utf8(bytes).expect("the program writes text");
    (exit, text(stdout), text(stderr))
}

#[test]
fn the_demo_runs_and_names_the_missing_parts() {
    let folder = tempfile::tempdir().expect("a folder");
    let (exit, answer, messages) = run(&["demo", "--tour", &folder.path().display().to_string()], "");
    assert_eq!((exit, messages.as_str()), (Exit::Ok, ""), "{answer}");
    assert!(answer.contains("$ tafl rules diff copenhagen11 fetlar11"), "{answer}");
    assert!(!answer.contains("$ tafl import"), "{answer}");
    assert!(answer.contains("The rest of the demo needs the database"), "{answer}");
}

#[test]
fn a_missing_command_names_the_build_that_has_it() {
    for words in [&["import", "games.corpus", "games/"][..], &["help", "sql"], &["serve", "games.corpus"]] {
        let (exit, answer, messages) = run(words, "");
        assert_eq!((exit, answer.as_str()), (Exit::Error, ""), "{words:?}");
        assert!(messages.contains("which this build of tafl does not have"), "{words:?}: {messages}");
        assert!(messages.contains("`cargo install --path cli`"), "{words:?}: {messages}");
    }
    let (exit, _, messages) = run(&["improt"], "");
    assert!(exit == Exit::Error && messages.contains("unrecognized subcommand"), "{messages}");
}

#[test]
fn a_corpus_as_input_is_rejected_with_a_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("manifest.json"), "{}").expect("a file");
    let (exit, _, messages) = run(&["annotate", &folder.path().display().to_string(), "--nodes", "10"], "");
    assert!(exit == Exit::Error && messages.contains("a corpus needs the database"), "{messages}");
}

#[test]
fn records_are_judged_cut_and_annotated() {
    let game = "b4-b2 c4-c5\n";
    let of_movelist = ["--variant", "brandubh7", "--as", "movelist", "-"];
    let (exit, answer, messages) = run(&[&["validate"], &of_movelist[..]].concat(), game);
    assert_eq!(exit, Exit::Ok, "{answer}{messages}");
    let (exit, lines, messages) = run(&[&["lines"], &of_movelist[..]].concat(), game);
    assert_eq!(exit, Exit::Ok, "{messages}");
    let (exit, answer, messages) =
        run(&["annotate", "-", "--record-lines", "--nodes", "200", "--format", "jsonl"], &lines);
    assert_eq!((exit, answer.lines().count()), (Exit::Ok, 1), "{messages}");
}

#[test]
fn help_and_version_tell_what_is_there() {
    let (_, help, _) = run(&["--help"], "");
    assert!(help.contains("validate") && !help.contains("import") && !help.contains("serve"), "{help}");
    let (exit, answer, _) = run(&["--version"], "");
    assert_eq!((exit, answer.lines().nth(1)), (Exit::Ok, Some("without: database, serve")));
}

#[test]
fn help_without_the_database_does_not_mention_corpora() {
    for (command, left_out) in [
        ("annotate", &["games.corpus", "tafl sql", "--query"][..]),
        ("calibrate", &["games.corpus", "--query"][..]),
        ("puzzles", &["games.corpus", "--query"][..]),
    ] {
        let (exit, help, _) = run(&[command, "--help"], "");
        assert!(exit == Exit::Ok && help.contains("Examples:"), "{help}");
        for words in left_out {
            assert!(!help.contains(words), "{command} {words}: {help}");
        }
    }
}
