//! `tafl import --watch` as a process: files that appear, half-written files, and interruption.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::tafl;

/// Returns the number of games in a corpus.
fn n_games(corpus: &Path) -> u64 {
    tafl_corpus::Corpus::open(corpus).unwrap().n_games()
}

#[test]
fn a_watched_folder_is_imported_until_the_program_is_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let (corpus, games) = (folder.path().join("corpus"), folder.path().join("games"));
    fs::create_dir(&games).unwrap();
    fs::write(games.join("a.csv"), "d2-c2 e4-e1 b4-b2 d4-e4\n").unwrap();
    for signal in ["-INT", "-TERM"] {
        let mut child = tafl(&[
            "import",
            corpus.to_str().unwrap(),
            "--watch",
            games.to_str().unwrap(),
            "--variant",
            "brandubh7",
            "--interval",
            "0.2",
            "--format",
            "json",
        ]);
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut next =
            || -> serde_json::Value { serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap() };
        let first = next();
        if signal == "-INT" {
            assert_eq!((first["added"].as_u64(), n_games(&corpus)), (Some(1), 1));
            // A file that is written slowly is read once it is complete.
            for text in ["d2-e2 c4", "d2-e2 c4-c3 b4", "d2-e2 c4-c3 b4-b3 c3-c2\n"] {
                fs::write(games.join("b.csv"), text).unwrap();
                std::thread::sleep(Duration::from_millis(100));
            }
            let second = next();
            assert_eq!(
                (second["added"].as_u64(), second["rejected"].as_u64()),
                (Some(1), Some(0)),
                "{second}"
            );
            // Another program can write between two batches.
            let other = tafl(&["compact", corpus.to_str().unwrap()]).wait().unwrap();
            assert!(other.success());
        } else {
            // After a restart, all files are copies.
            assert_eq!((first["added"].as_u64(), first["doubled"].as_u64()), (Some(0), Some(2)));
        }
        let killed = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(killed.success());
        assert_eq!(child.wait().unwrap().code(), Some(0), "{signal}");
        assert_eq!(n_games(&corpus), 2);
    }
}
