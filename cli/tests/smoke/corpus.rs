//! What only processes can show of a corpus: they are killed, meet each other, and run out of space.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tafl_corpus::{CancelCheck, Corpus, VerifyDepth, verify};
use tafl_rules::{AnyRulebook, Game, catalog};

use super::tafl;

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }
}

/// Returns records of games that the dice play.
fn records(seed: u64, n_games: usize) -> String {
    let book = AnyRulebook::compile(&catalog::find("brandubh7").unwrap().rules()).unwrap();
    let mut dice = Dice(seed);
    let mut text = String::new();
    for _ in 0..n_games {
        let mut game = Game::new(&book);
        let mut moves = Vec::new();
        while moves.len() < 30 && game.outcome().is_none() {
            let legal = game.moves();
            let mv = legal[dice.roll(legal.len())];
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

fn n_games(corpus: &Path) -> u64 {
    let report = verify(corpus, VerifyDepth::Files, CancelCheck::NEVER).unwrap();
    assert!(report.faults.is_empty(), "{:?}", report.faults);
    Corpus::open(corpus).unwrap().n_games()
}

#[test]
fn a_killed_import_leaves_the_corpus_as_it_was_or_with_the_whole_batch() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    let corpus = path.to_str().unwrap();
    let input = folder.path().join("games.jsonl");
    let mut dice = Dice(7);
    let (mut before, mut n_whole, mut n_none) = (0, 0, 0);
    let mut full = Duration::from_millis(400);
    for round in 0..24 {
        fs::write(&input, records(round, 60)).unwrap();
        let begun = Instant::now();
        let mut child = tafl(&["import", corpus, input.to_str().unwrap(), "-j", "2"]);
        // Every fourth run comes to its end, so that the others are killed at moments spread over a whole run.
        if round % 4 == 0 {
            assert!(child.wait().unwrap().success());
            full = begun.elapsed();
        } else {
            std::thread::sleep(full.mul_f64(dice.roll(1100) as f64 / 1000.0));
            child.kill().unwrap();
            child.wait().unwrap();
        }
        if !path.join("manifest.json").exists() {
            continue;
        }
        let now = n_games(&path);
        assert!(now == before || now == before + 60, "round {round}: {before} games became {now}");
        if now == before {
            n_none += 1
        } else {
            n_whole += 1
        }
        before = now;
    }
    assert!(n_whole >= 6 && n_none >= 1, "{n_whole} whole batches, {n_none} without effect");
    // Nothing of the killed runs stays behind the next writer.
    assert!(tafl(&["import", corpus, input.to_str().unwrap()]).wait().unwrap().success());
    let manifest = Corpus::open(&path).unwrap().manifest().clone();
    let folders = fs::read_dir(path.join("segments")).unwrap().count();
    assert_eq!(folders, manifest.segments.len() + manifest.obsolete.len());
    let deep = verify(&path, VerifyDepth::Meaning, CancelCheck::NEVER).unwrap();
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
    let refused = (0..200).find_map(|_| {
        std::thread::sleep(Duration::from_millis(20));
        let lock = fs::read_to_string(path.join("writer.lock")).unwrap_or_default();
        lock.contains(&id).then(|| tafl(&["compact", corpus]).wait_with_output().unwrap())
    });
    let refused = refused.expect("the first writer takes the lock");
    let stderr = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("another program is writing") && stderr.contains(&id), "{stderr}");
    assert_eq!(tafl(&["info", corpus]).wait().unwrap().code(), Some(0));
    assert_eq!(n_games(&path), 5);
    drop(stdin);
    assert!(first.wait().unwrap().success());
    assert_eq!(n_games(&path), 10);
}

/// A limit on the size of files stands for a full disk: both make a write fail in the middle.
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
    // Blocks of 512 bytes: room for small files, then for the tables, then for the tape.
    for blocks in ["4", "16", "40", "60"] {
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let output = Command::new("sh")
            .args(["-c", &script, env!("CARGO_BIN_EXE_tafl"), "import", corpus, large.to_str().unwrap()])
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{blocks} blocks: {stderr}");
        assert!(stderr.contains(corpus) && !stderr.contains("panicked"), "{blocks} blocks: {stderr}");
        assert_eq!(n_games(&path), 5);
    }
    assert!(tafl(&["import", corpus, large.to_str().unwrap()]).wait().unwrap().success());
}
