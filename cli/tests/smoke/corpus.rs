//! Corpora and processes that are killed, run concurrently, or run out of disk space.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tafl_corpus::{CancelCheck, Corpus, VerifyDepth, verify};
use tafl_rules::{AnyRulebook, Game, Rng, catalog};

use super::tafl;

/// Returns records of random games.
fn records(seed: u64, n_games: usize) -> String {
    let book = AnyRulebook::compile(&catalog::find("brandubh7").unwrap().rules()).unwrap();
    let mut rng = Rng::new(seed);
    let mut text = String::new();
    for _ in 0..n_games {
        let mut game = Game::new(&book);
        let mut moves = Vec::new();
        while moves.len() < 30 && game.outcome().is_none() {
            let legal = game.moves();
            let mv = legal[rng.below(legal.len())];
            moves.push(format!("{}-{}", game.shape().name(mv.from), game.shape().name(mv.to)));
            game.play(mv).unwrap();
        }
        let moves = moves.join(" ");
        let _ = writeln!(
            text,
            r#"{{"taflbase":1,"format":"movelist","variant":"brandubh7","captures":"not-written","lines":[{{"moves":"{moves}"}}]}}"#
        );
    }
    text
}

/// Returns the number of games in a corpus without damaged files.
fn n_games(corpus: &Path) -> u64 {
    let report = verify(corpus, VerifyDepth::Files, CancelCheck::NEVER).unwrap();
    assert!(report.faults.is_empty(), "{:?}", report.faults);
    Corpus::open(corpus).unwrap().n_games()
}

#[test]
fn a_killed_import_adds_the_whole_batch_or_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    let corpus = path.to_str().unwrap();
    let input = folder.path().join("games.jsonl");
    let mut rng = Rng::new(7);
    let (mut before, mut n_added, mut n_unchanged) = (0, 0, 0);
    let mut run_time = Duration::from_millis(400);
    for round in 0..24 {
        fs::write(&input, records(round, 60)).unwrap();
        let start = Instant::now();
        let mut child = tafl(&["import", corpus, input.to_str().unwrap(), "-j", "2"]);
        // Every fourth run completes and gives the time within which the others are killed.
        if round % 4 == 0 {
            assert!(child.wait().unwrap().success());
            run_time = start.elapsed();
        } else {
            std::thread::sleep(run_time.mul_f64(rng.below(1100) as f64 / 1000.0));
            child.kill().unwrap();
            child.wait().unwrap();
        }
        if !path.join("manifest.json").exists() {
            continue;
        }
        let now = n_games(&path);
        assert!(now == before || now == before + 60, "round {round}: {before} games became {now}");
        if now == before {
            n_unchanged += 1
        } else {
            n_added += 1
        }
        before = now;
    }
    assert!(n_added >= 6 && n_unchanged >= 1, "{n_added} batches added, {n_unchanged} without effect");
    // The next writer removes the files that killed runs left.
    assert!(tafl(&["import", corpus, input.to_str().unwrap()]).wait().unwrap().success());
    let manifest = Corpus::open(&path).unwrap().manifest().clone();
    let segments = manifest.segments.iter().map(|segment| segment.name.clone());
    // A writer that adds nothing removes obsolete files, but the manifest on disk still names them.
    let obsolete = manifest.obsolete.iter().map(|gone| gone.path.replace("segments/", ""));
    let named: HashSet<String> = segments.chain(obsolete).collect();
    for entry in fs::read_dir(path.join("segments")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(named.contains(&name), "a killed run left the segment {name}");
    }
    let deep = verify(&path, VerifyDepth::Replay, CancelCheck::NEVER).unwrap();
    assert!(deep.faults.is_empty(), "{:?}", deep.faults);
}

#[test]
fn a_second_writer_is_rejected_while_readers_work() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    let corpus = path.to_str().unwrap();
    let input = folder.path().join("games.jsonl");
    fs::write(&input, records(1, 5)).unwrap();
    assert!(tafl(&["import", corpus, input.to_str().unwrap()]).wait().unwrap().success());
    let mut first = tafl(&["import", corpus, "-"]);
    let mut stdin = first.stdin.take().unwrap();
    stdin.write_all(records(2, 5).as_bytes()).unwrap();
    let id = format!("process {}", first.id());
    let rejected = (0..200).find_map(|_| {
        std::thread::sleep(Duration::from_millis(20));
        let lock = fs::read_to_string(path.join("writer.lock")).unwrap_or_default();
        lock.contains(&id).then(|| tafl(&["compact", corpus]).wait_with_output().unwrap())
    });
    let rejected = rejected.expect("the first writer takes the lock");
    let stderr = String::from_utf8_lossy(&rejected.stderr);
    assert_eq!(rejected.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("another program is writing") && stderr.contains(&id), "{stderr}");
    assert_eq!(tafl(&["info", corpus]).wait().unwrap().code(), Some(0));
    assert_eq!(n_games(&path), 5);
    drop(stdin);
    assert!(first.wait().unwrap().success());
    assert_eq!(n_games(&path), 10);
}

/// Simulates a full disk by a file size limit: both make a write fail in the middle.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_reported_with_the_file_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    let corpus = path.to_str().unwrap();
    let (small, large) = (folder.path().join("small.jsonl"), folder.path().join("large.jsonl"));
    fs::write(&small, records(1, 5)).unwrap();
    fs::write(&large, records(2, 300)).unwrap();
    assert!(tafl(&["import", corpus, small.to_str().unwrap()]).wait().unwrap().success());
    // In blocks of 512 bytes: from the first bytes of a table to all but the largest file.
    for blocks in 1..60 {
        let script = format!("ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let output = Command::new("sh")
            .args(["-c", &script, env!("CARGO_BIN_EXE_tafl"), "import", corpus, large.to_str().unwrap()])
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{blocks} blocks: {stderr}");
        assert!(stderr.contains(corpus) && !stderr.contains("panicked"), "{blocks} blocks: {stderr}");
        let has_cause =
            stderr.contains("(os error 27)") && stderr.contains("help: raise the file size limit");
        assert!(has_cause && !stderr.contains("damaged"), "{blocks} blocks: {stderr}");
        assert_eq!(n_games(&path), 5);
    }
    assert!(tafl(&["import", corpus, large.to_str().unwrap()]).wait().unwrap().success());
}
