//! Killed commands: old files remain, partial files are replaced, the same command resumes, and a command that is stopped by a
//! signal prints what is saved.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::tafl;

/// Waits until a condition holds.
///
/// # Panics
///
/// Panics after 30 seconds.
fn wait_until(condition: impl Fn() -> bool) {
    for _ in 0..3000 {
        if condition() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("timed out after 30 seconds");
}

/// Returns the names of the files in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn a_killed_conversion_keeps_the_old_file_and_the_next_one_replaces_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    fs::write(&path, "old").unwrap();
    let out = path.to_str().unwrap();
    let args = ["convert", "--to", "jsonl", "--variant", "brandubh7", "--as", "movelist", "-", "-o", out];
    for _ in 0..3 {
        let mut child = tafl(&args);
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(b"b4-b2 c4-c5\n").unwrap();
        wait_until(|| names(folder.path()).len() == 2);
        child.kill().unwrap();
        child.wait().unwrap();
        drop(stdin);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(folder.path()), [".games.jsonl.part", "games.jsonl"]);
    }
    let mut child = tafl(&args);
    child.stdin.take().unwrap().write_all(b"b4-b2 c4-c5\n").unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(names(folder.path()), ["games.jsonl"]);
    assert_ne!(fs::read(&path).unwrap(), b"old");
}

/// Plays a match with `--resume`, kills it when `should_kill` returns true for the state file, and returns the path of the
/// games.
fn play(folder: &Path, should_kill: impl Fn(&Path) -> bool) -> PathBuf {
    let (state, games) = (folder.join("state.json"), folder.join("games.jsonl"));
    let (state_text, games_text) = (state.to_str().unwrap(), games.to_str().unwrap());
    let args = ["match", "taflbase", "random", "--variant", "brandubh7", "--pairs", "12", "--nodes", "200"];
    let files = ["--plies", "30", "--resume", state_text, "-o", games_text];
    let mut child = tafl(&[&args[..], &files].concat());
    wait_until(|| should_kill(&state) || games.exists());
    if !games.exists() {
        child.kill().unwrap();
    }
    child.wait().unwrap();
    games
}

#[test]
fn a_repeatedly_killed_match_resumes_to_the_same_games() {
    let (uninterrupted, interrupted) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let expected = fs::read(play(uninterrupted.path(), |_| false)).unwrap();
    let mut kills = 0;
    loop {
        let old_state = fs::read(interrupted.path().join("state.json")).unwrap_or_default();
        let games = play(interrupted.path(), |state| fs::read(state).unwrap_or_default() != old_state);
        if games.exists() {
            break;
        }
        kills += 1;
    }
    assert!(kills >= 2, "{kills} kills");
    assert_eq!(fs::read(interrupted.path().join("games.jsonl")).unwrap(), expected);
    assert_eq!(names(interrupted.path()), ["games.jsonl", "state.json"]);
}

/// Stops a program by a signal, and returns what it wrote to standard error.
#[cfg(unix)]
fn stop(child: std::process::Child, (name, number): (&str, i32)) -> String {
    use std::os::unix::process::ExitStatusExt as _;

    let sent = std::process::Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let output = child.wait_with_output().unwrap();
    // A shell reports 128 plus the number of the signal, but the program itself has no exit code.
    assert_eq!((output.status.code(), output.status.signal()), (None, Some(number)));
    String::from_utf8(output.stderr).unwrap()
}

#[cfg(unix)]
const INTERRUPT: (&str, i32) = ("-INT", 2);
#[cfg(unix)]
const TERMINATE: (&str, i32) = ("-TERM", 15);

#[test]
#[cfg(unix)]
fn a_stopped_match_prints_the_number_of_saved_pairs() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state.json");
    // With a limit of time, a pair takes about as long in every build.
    let terms = ["match", "taflbase", "random", "--variant", "brandubh7", "--pairs", "12", "--time", "0.05"];
    let start = |options: &[&str]| tafl(&[&terms[..], &["--plies", "30"], options].concat());
    for signal in [INTERRUPT, TERMINATE] {
        let old_state = fs::read(&state).unwrap_or_default();
        let child = start(&["--resume", state.to_str().unwrap()]);
        wait_until(|| fs::read(&state).unwrap_or_default() != old_state);
        // The line is set after the file is replaced.
        std::thread::sleep(Duration::from_millis(200));
        let printed = stop(child, signal);
        let line = printed.lines().last().unwrap();
        let n_saved = line.strip_prefix("stopped: saved ").and_then(|rest| rest.split(' ').next());
        let n_saved: usize = n_saved.unwrap_or_else(|| panic!("{printed}")).replace(',', "").parse().unwrap();
        let expected = format!("of 12 pairs in {}; run the command again to go on", state.display());
        assert!(line.ends_with(&expected), "{printed}");
        let saved: serde_json::Value = serde_json::from_slice(&fs::read(&state).unwrap()).unwrap();
        // The file may have been replaced once more.
        let n_played = saved["played"].as_array().unwrap().len();
        assert!(n_saved > 0 && (n_saved..=n_saved + 1).contains(&n_played), "{n_played}: {printed}");
    }
    let quiet = start(&["--resume", state.to_str().unwrap(), "--quiet"]);
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(stop(quiet, TERMINATE), "");
}

#[test]
#[cfg(all(unix, feature = "database"))]
fn a_stopped_import_prints_that_nothing_is_stored() {
    let folder = tempfile::tempdir().unwrap();
    let corpus = folder.path().join("games.corpus");
    let mut child =
        tafl(&["import", corpus.to_str().unwrap(), "-", "--variant", "brandubh7", "--as", "movelist"]);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"b4-b2 c4-c5\n").unwrap();
    // The import has begun, and waits for more.
    wait_until(|| corpus.exists());
    let printed = stop(child, INTERRUPT);
    drop(stdin);
    let advice = "run the command again, with --commit-every N to store games during the import";
    assert_eq!(printed, format!("stopped: nothing is stored yet; {advice}\n"));
}
