//! Work that is broken off: what was there stays, what was left aside goes, and the same command goes on.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::tafl;

/// Waits until something is so.
fn until(is_so: impl Fn() -> bool) {
    for _ in 0..3000 {
        if is_so() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("it never came to be so");
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn a_killed_conversion_leaves_the_old_file_and_the_next_one_takes_over_what_was_left() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    fs::write(&path, "old").unwrap();
    let out = path.to_str().unwrap();
    let words = ["convert", "--to", "jsonl", "--variant", "brandubh7", "--as", "movelist", "-", "-o", out];
    for _ in 0..3 {
        let mut child = tafl(&words);
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(b"b4-b2 c4-c5\n").unwrap();
        until(|| names(folder.path()).len() == 2);
        child.kill().unwrap();
        child.wait().unwrap();
        drop(stdin);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(folder.path()), [".games.jsonl.part", "games.jsonl"]);
    }
    let mut child = tafl(&words);
    child.stdin.take().unwrap().write_all(b"b4-b2 c4-c5\n").unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(names(folder.path()), ["games.jsonl"]);
    assert_ne!(fs::read(&path).unwrap(), b"old");
}

/// Plays games with a file to go on from; killed as soon as some are in it, unless it is to come to its end.
fn play(folder: &Path, is_killed: impl Fn(&Path) -> bool) -> PathBuf {
    let (state, games) = (folder.join("state.json"), folder.join("games.jsonl"));
    let (state_text, games_text) = (state.to_str().unwrap(), games.to_str().unwrap());
    let words = ["match", "taflbase", "random", "--variant", "brandubh7", "--pairs", "12", "--nodes", "200"];
    let files = ["--plies", "30", "--resume", state_text, "-o", games_text];
    let mut child = tafl(&[&words[..], &files].concat());
    until(|| is_killed(&state) || games.exists());
    if !games.exists() {
        child.kill().unwrap();
    }
    child.wait().unwrap();
    games
}

#[test]
fn a_match_that_is_killed_again_and_again_is_that_of_one_run() {
    let (whole, broken) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let wanted = fs::read(play(whole.path(), |_| false)).unwrap();
    let mut kills = 0;
    loop {
        let known = fs::read(broken.path().join("state.json")).unwrap_or_default();
        let games = play(broken.path(), |state| fs::read(state).unwrap_or_default() != known);
        if games.exists() {
            break;
        }
        kills += 1;
    }
    assert!(kills >= 2, "{kills} kills");
    assert_eq!(fs::read(broken.path().join("games.jsonl")).unwrap(), wanted);
    assert_eq!(names(broken.path()), ["games.jsonl", "state.json"]);
}
