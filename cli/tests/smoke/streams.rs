//! Standard output on a full device, and closed standard streams.

use std::fs::{self, OpenOptions};
use std::path::Path;
use std::process::{Command, Stdio};

use super::tafl;

/// A command line for each kind of command; `GAMES`, `CORPUS`, and `NEW` are placeholders for paths.
const COMMAND_LINES: &[&str] = &[
    "--help",
    "validate --help",
    "validate GAMES",
    "validate GAMES --format json",
    "convert --to opentafl GAMES",
    "replay GAMES",
    "lines GAMES",
    "rows GAMES",
    "eval --variant brandubh7 --nodes 10",
    "solve --variant brandubh7 --nodes 10",
    "selfplay --variant brandubh7 --games 1 --nodes 1 --plies 4",
    "match random random --variant brandubh7 --pairs 1 --plies 4",
    "annotate GAMES --nodes 10",
    "show GAMES",
    "rules list",
    "perft brandubh7 1",
    "import NEW GAMES",
    "merge NEW CORPUS",
    "info CORPUS",
    "verify CORPUS",
    "compact CORPUS",
    "export CORPUS --to jsonl",
    "search CORPUS plies>2",
    "explore CORPUS --variant brandubh7",
    "report balance CORPUS",
];

/// Creates the files of the command lines, and returns a function that splits a command line and inserts their paths.
fn with_paths(folder: &Path) -> impl Fn(&str) -> Vec<String> {
    let (games, corpus) = (folder.join("games.csv"), folder.join("corpus"));
    fs::write(&games, "b4-b2 c4-c5 b2-b1 c5-c4 b1-c1 c4-c2\n").unwrap();
    let args = ["import", corpus.to_str().unwrap(), games.to_str().unwrap(), "--variant", "brandubh7", "-q"];
    assert!(tafl(&args).wait().unwrap().success());
    let new = folder.join("new");
    move |line| {
        let _ = fs::remove_dir_all(&new);
        line.split(' ')
            .map(|word| match word {
                "GAMES" => games.display().to_string(),
                "CORPUS" => corpus.display().to_string(),
                "NEW" => new.display().to_string(),
                word => word.to_owned(),
            })
            .collect()
    }
}

#[test]
#[cfg(target_os = "linux")]
fn unwritable_output_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let args = with_paths(folder.path());
    for line in COMMAND_LINES {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_tafl"))
            .args(args(line))
            .stdin(Stdio::null())
            .stdout(full)
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{line}: {stderr}");
        assert!(stderr.contains("error: standard output: No space left"), "{line}: {stderr}");
        assert!(stderr.contains("help: free some space"), "{line}: {stderr}");
    }
}

#[test]
fn a_closed_output_pipe_is_not_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let args = with_paths(folder.path());
    for line in COMMAND_LINES {
        let args = args(line);
        let mut child = tafl(&args.iter().map(String::as_str).collect::<Vec<_>>());
        drop((child.stdout.take(), child.stdin.take()));
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{line}: {stderr}");
        assert!(!stderr.contains("panicked"), "{line}: {stderr}");
    }
}
