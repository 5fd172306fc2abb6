//! A build without the database: the commands that it has, and its messages about the others. The other tests need a full build.
#![cfg(not(feature = "database"))]

use std::fs;
use std::io::Cursor;

use tafl_cli::{Exit, Io};

/// Runs the program, and returns its exit status, standard output, and standard error.
fn run(args: &[&str], stdin: &str) -> (Exit, String, String) {
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut io = Io::new(Cursor::new(stdin.to_owned()), &mut stdout, &mut stderr);
    let exit = tafl_cli::run([&["tafl"], args].concat(), &mut io);
    drop(io);
    let text = |bytes| String::from_utf8(bytes).expect("the output is UTF-8");
    (exit, text(stdout), text(stderr))
}

#[test]
fn the_demo_runs_and_names_the_missing_parts() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let (exit, output, messages) = run(&["demo", "--tour", &folder.path().display().to_string()], "");
    assert_eq!((exit, messages.as_str()), (Exit::Ok, ""), "{output}");
    assert!(output.contains("$ tafl rules diff copenhagen11 fetlar11"), "{output}");
    assert!(!output.contains("$ tafl import"), "{output}");
    assert!(output.contains("The rest of the demo needs the database"), "{output}");
}

#[test]
fn a_missing_command_names_the_build_that_has_it() {
    for args in
        [&["import", "games.corpus", "games/"][..], &["help", "sql"], &["serve", "games.corpus"], &["mcp"]]
    {
        let (exit, output, messages) = run(args, "");
        assert_eq!((exit, output.as_str()), (Exit::Error, ""), "{args:?}");
        assert!(messages.contains("which this build of tafl does not have"), "{args:?}: {messages}");
        // The default build has everything but `tafl mcp`.
        let options = if args == ["mcp"] { " --features mcp" } else { "" };
        assert!(messages.contains(&format!("`cargo install --path cli{options}`")), "{args:?}: {messages}");
    }
    let (exit, _, messages) = run(&["improt"], "");
    assert!(exit == Exit::Error && messages.contains("unrecognized subcommand"), "{messages}");
}

#[test]
fn a_corpus_as_input_is_rejected_with_a_reason() {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    fs::write(folder.path().join("manifest.json"), "{}").expect("the file can be written");
    let (exit, _, messages) = run(&["annotate", &folder.path().display().to_string(), "--nodes", "10"], "");
    assert!(exit == Exit::Error && messages.contains("a corpus needs the database"), "{messages}");
}

#[test]
fn records_are_validated_split_and_annotated() {
    let game = "b4-b2 c4-c5\n";
    let of_movelist = ["--variant", "brandubh7", "--as", "movelist", "-"];
    let (exit, output, messages) = run(&[&["validate"], &of_movelist[..]].concat(), game);
    assert_eq!(exit, Exit::Ok, "{output}{messages}");
    let (exit, lines, messages) = run(&[&["lines"], &of_movelist[..]].concat(), game);
    assert_eq!(exit, Exit::Ok, "{messages}");
    let (exit, output, messages) =
        run(&["annotate", "-", "--record-lines", "--nodes", "200", "--format", "jsonl"], &lines);
    assert_eq!((exit, output.lines().count()), (Exit::Ok, 1), "{messages}");
}

#[test]
fn help_and_version_list_the_included_features() {
    let (_, help, _) = run(&["--help"], "");
    assert!(help.contains("validate") && !help.contains("import") && !help.contains("serve"), "{help}");
    let (exit, output, _) = run(&["--version"], "");
    assert_eq!((exit, output.lines().nth(1)), (Exit::Ok, Some("without: database, serve, mcp")));
}

#[test]
fn help_without_the_database_does_not_mention_corpora() {
    for (command, absent) in [
        ("annotate", &["games.corpus", "tafl sql", "--query"][..]),
        ("calibrate", &["games.corpus", "--query"][..]),
        ("puzzles", &["games.corpus", "--query"][..]),
    ] {
        let (exit, help, _) = run(&[command, "--help"], "");
        assert!(exit == Exit::Ok && help.contains("Examples:"), "{help}");
        for text in absent {
            assert!(!help.contains(text), "{command} {text}: {help}");
        }
    }
}
