//! What compaction, removal, and a second writer do to a corpus.

mod damage;
mod repair;

use std::fs;
use std::path::Path;

use tafl_parser::Format;

use crate::cancel::CancelCheck;
use crate::compact::{CompactSummary, Compaction, compact};
use crate::error::{CorpusError, FileFault};
use crate::file::files_below;
use crate::folder::Corpus;
use crate::ingest::tests::{GAMES, LONG_GAME, tagged, take_in};
use crate::ingest::{Ingest, IngestOptions};
use crate::lock::LOCK_FILE;
use crate::remove::remove;
use crate::row::{GameRow, PlyRow};
use crate::verify::{VerifyDepth, verify};

fn rows(path: &Path) -> Vec<(GameRow, Vec<PlyRow>)> {
    rows_of(&Corpus::open(path).unwrap())
}

fn rows_of(corpus: &Corpus) -> Vec<(GameRow, Vec<PlyRow>)> {
    let of = |at: crate::folder::GameAt| {
        let row = corpus.game(at).unwrap();
        let plies = corpus.segments()[at.segment].plies(std::slice::from_ref(&row), at.row).unwrap();
        (row, plies.into_iter().flatten().collect())
    };
    corpus.games().map(of).collect()
}

fn assert_sound(path: &Path) {
    let report = verify(path, VerifyDepth::Replay, CancelCheck::NEVER).unwrap();
    assert!(report.faults.is_empty(), "{:?}", report.faults);
}

/// A corpus of three segments with a game each.
fn three(path: &Path) {
    for (nth, game) in [LONG_GAME, GAMES[1], GAMES[2]].iter().enumerate() {
        take_in(path, &format!("{nth}.csv"), Format::MoveList, &[game]);
    }
}

#[test]
fn compaction_keeps_games_and_their_order() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    three(&path);
    take_in(&path, "again.csv", Format::MoveList, &[LONG_GAME]);
    let mut before = rows(&path);
    let hash = Corpus::open(&path).unwrap().content_hash().unwrap();
    let summary = compact(&path, "a test", Compaction::Needed, CancelCheck::NEVER).unwrap();
    assert_eq!((summary.before, summary.after, summary.written), (3, 1, 1));
    let after = rows(&path);
    assert_eq!(after[0].0.copies.len(), 1, "the late copy is in the table");
    assert!(Corpus::open(&path).unwrap().late_copies().unwrap().is_empty());
    before[0].0.copies.clone_from(&after[0].0.copies);
    assert_eq!(before, after);
    assert_eq!(Corpus::open(&path).unwrap().content_hash().unwrap(), hash);
    assert_sound(&path);
    let again = compact(&path, "a test", Compaction::Needed, CancelCheck::NEVER).unwrap();
    assert_eq!((again.before, again.written), (1, 0));
    assert_eq!(compact(&path, "a test", Compaction::All, CancelCheck::NEVER).unwrap().written, 1);
    assert_eq!(rows(&path), after);
    assert_sound(&path);
}

#[test]
fn a_full_tier_of_small_segments_is_joined() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    let join = || compact(&path, "a test", Compaction::FullTier, CancelCheck::NEVER).unwrap();
    for number in 0..8 {
        let summary = if number > 0 { join() } else { CompactSummary::default() };
        assert_eq!((summary.after, summary.written), (number, 0), "the tier is not full");
        let text = tagged(&format!(r#"["attackers","A{number}"],["defenders","B{number}"]"#), LONG_GAME);
        let (added, _) = take_in(&path, &format!("{number}.jsonl"), Format::Jsonl, &[&text, &text]);
        assert_eq!(added[0], crate::ingest::AddOutcome::New);
        if number == 2 {
            let text = tagged(r#"["attackers","A1"],["defenders","B1"]"#, LONG_GAME);
            take_in(&path, "again.jsonl", Format::Jsonl, &[&text]);
        }
    }
    let (before, late) = (rows(&path), Corpus::open(&path).unwrap().late_copies().unwrap());
    assert_eq!(late.len(), 1);
    let summary = join();
    assert_eq!((summary.before, summary.after, summary.written), (8, 1, 1));
    assert_eq!(rows(&path), before);
    assert_eq!(Corpus::open(&path).unwrap().late_copies().unwrap(), late, "copies stay with their games");
    assert_sound(&path);
    assert_eq!(join().written, 0);
}

#[test]
fn small_segments_before_a_larger_one_are_joined() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    let join = || compact(&path, "a test", Compaction::FullTier, CancelCheck::NEVER).unwrap();
    let text =
        |number: usize| tagged(&format!(r#"["attackers","A{number}"],["defenders","B{number}"]"#), LONG_GAME);
    for number in 0..4 {
        take_in(&path, &format!("{number}.jsonl"), Format::Jsonl, &[&text(number)]);
    }
    assert_eq!(join().written, 0, "more of them may come");
    let texts: Vec<String> = (4..8).map(text).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    take_in(&path, "large.jsonl", Format::Jsonl, &texts);
    let before = rows(&path);
    let summary = join();
    assert_eq!((summary.before, summary.after, summary.written), (5, 2, 1));
    assert_eq!(rows(&path), before);
    assert_sound(&path);
    assert_eq!(join().written, 0);
}

#[test]
fn removed_games_are_gone_and_can_come_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    take_in(&path, "a.csv", Format::MoveList, &GAMES);
    let all = rows(&path);
    let middle = [all[1].0.game];
    assert_eq!(remove(&path, "a test", |corpus| corpus.find(&middle)).unwrap(), 1);
    assert_eq!(remove(&path, "a test", |corpus| corpus.find(&middle)).unwrap(), 0);
    assert_eq!(rows(&path), [all[0].clone(), all[2].clone()]);
    assert_eq!(compact(&path, "a test", Compaction::Needed, CancelCheck::NEVER).unwrap().dropped, 1);
    assert_eq!(rows(&path), [all[0].clone(), all[2].clone()]);
    assert_sound(&path);
    let (added, _) = take_in(&path, "a.csv", Format::MoveList, &GAMES[1..2]);
    assert_eq!(added, [crate::ingest::AddOutcome::New]);
    remove(&path, "a test", |corpus| Ok::<_, CorpusError>(corpus.games().collect())).unwrap();
    compact(&path, "a test", Compaction::Needed, CancelCheck::NEVER).unwrap();
    let corpus = Corpus::open(&path).unwrap();
    assert_eq!((corpus.n_games(), corpus.segments().len()), (0, 0));
    assert_sound(&path);
}

#[test]
fn a_copy_of_a_removed_game_can_come_as_a_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    take_in(&path, "a.csv", Format::MoveList, &[LONG_GAME]);
    take_in(&path, "b.csv", Format::MoveList, &[LONG_GAME]);
    assert_eq!(Corpus::open(&path).unwrap().late_copies().unwrap().len(), 1);
    remove(&path, "a test", |corpus| Ok::<_, CorpusError>(corpus.games().collect())).unwrap();
    let (added, _) = take_in(&path, "b.csv", Format::MoveList, &[LONG_GAME]);
    assert_eq!(added, [crate::ingest::AddOutcome::New]);
    let corpus = Corpus::open(&path).unwrap();
    assert!(corpus.late_copies().unwrap().is_empty(), "it is not a copy of itself");
    assert_sound(&path);
}

#[test]
fn a_second_writer_is_refused_and_readers_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    three(&path);
    let options = IngestOptions { note: "since noon".into(), ..IngestOptions::default() };
    let first = Ingest::begin(&path, &options).unwrap();
    let error = Ingest::begin(&path, &options).unwrap_err();
    assert!(matches!(&error, CorpusError::Locked { holder, .. } if holder.contains("since noon")), "{error}");
    assert!(compact(&path, "", Compaction::Needed, CancelCheck::NEVER).is_err());
    assert_eq!(Corpus::open(&path).unwrap().n_games(), 3);
    drop(first);
    Ingest::begin(&path, &options).unwrap();
}

#[test]
fn readers_keep_their_snapshot() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    three(&path);
    let reader = Corpus::open(&path).unwrap();
    let before: Vec<_> = reader.games().map(|at| reader.game(at).unwrap()).collect();
    compact(&path, "", Compaction::Needed, CancelCheck::NEVER).unwrap();
    let still: Vec<_> = reader.games().map(|at| reader.game(at).unwrap()).collect();
    assert_eq!(before, still);
    // Old files go when their readers had two generations to finish.
    let folders = || fs::read_dir(path.join("segments")).unwrap().count();
    assert_eq!(folders(), 4);
    for nth in 0..3 {
        take_in(&path, "c.csv", Format::MoveList, &[["d6-c6 e4-e6", "d6-c6 e4-e7", "d6-b6 e4-e6"][nth]]);
    }
    assert_eq!(folders(), 4, "the three old ones are gone, three new ones came");
    assert_sound(&path);
}

#[test]
fn readers_and_a_writer_do_not_disturb_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    three(&path);
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for cell in ["c1", "c2", "c3", "c5", "c6", "c7"] {
                take_in(&path, "d.csv", Format::MoveList, &[&format!("d6-c6 e4-e6 c6-{cell}")]);
                compact(&path, "", Compaction::All, CancelCheck::NEVER).unwrap();
            }
        });
        let mut seen = 3;
        while !writer.is_finished() {
            let reader = Corpus::open(&path).unwrap();
            assert!(reader.n_games() >= seen, "games never become fewer");
            seen = reader.n_games();
            let found = rows_of(&reader);
            assert_eq!(found.len() as u64, seen);
        }
    });
    assert_sound(&path);
}

#[test]
fn leftovers_of_a_killed_writer_are_swept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    // Killed while the corpus was made.
    fs::create_dir_all(path.join("segments")).unwrap();
    fs::write(path.join(LOCK_FILE), "process 1").unwrap();
    take_in(&path, "a.csv", Format::MoveList, &GAMES);
    // Killed while a segment was written.
    let aside = path.join("segments/.new-9");
    fs::create_dir_all(&aside).unwrap();
    fs::write(aside.join("games.parquet"), "half").unwrap();
    fs::create_dir_all(path.join("segments/000009-00000000")).unwrap();
    fs::write(path.join("rejected/000009.jsonl"), "half").unwrap();
    assert_eq!(Corpus::open(&path).unwrap().n_games(), 3);
    take_in(&path, "b.csv", Format::MoveList, &GAMES);
    assert!(!aside.exists() && !path.join("rejected/000009.jsonl").exists());
    assert_sound(&path);
}

#[test]
fn nothing_is_swept_while_files_that_the_manifest_names_are_missing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    take_in(&path, "a.csv", Format::MoveList, &GAMES);
    let (old, manifest) = (Corpus::open(&path).unwrap(), path.join("manifest.json"));
    let text = fs::read(&manifest).unwrap();
    compact(&path, "", Compaction::All, CancelCheck::NEVER).unwrap();
    let newer = Corpus::open(&path).unwrap().segments()[0].folder().to_owned();
    // An older manifest is restored whose files no longer exist.
    fs::write(&manifest, text).unwrap();
    fs::remove_dir_all(old.segments()[0].folder()).unwrap();
    assert!(Ingest::begin(&path, &IngestOptions::default()).is_err());
    assert!(newer.join("games.parquet").exists());
}

#[test]
fn a_corpus_without_its_manifest_is_damaged_and_not_begun_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    take_in(&path, "a.csv", Format::MoveList, &GAMES);
    fs::remove_file(path.join("manifest.json")).unwrap();
    assert!(matches!(Corpus::open(&path), Err(CorpusError::Damaged { fault: FileFault::Missing, .. })));
    assert!(Ingest::begin(&path, &IngestOptions::default()).is_err());
    assert!(!path.join("manifest.json").exists());
}

#[test]
fn other_folders_are_not_corpora() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    assert!(matches!(Corpus::open(path), Err(CorpusError::NotACorpus { .. })));
    assert!(matches!(Corpus::open(&path.join("no")), Err(CorpusError::NotFound { .. })));
    fs::write(path.join("games.csv"), "d2-c2").unwrap();
    let error = Ingest::begin(path, &IngestOptions::default()).unwrap_err();
    assert!(matches!(error, CorpusError::Occupied { .. }), "{error}");
    assert!(matches!(Corpus::open(&path.join("games.csv")), Err(CorpusError::NotACorpus { .. })));
    let error = Ingest::begin(&path.join("games.csv"), &IngestOptions::default()).unwrap_err();
    assert!(matches!(error, CorpusError::Occupied { .. }), "{error}");
}

#[test]
fn illegal_stored_games_are_found_by_deep_verification() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    take_in(&path, "a.csv", Format::MoveList, &GAMES);
    // A table in which two bytes of a key differ, with checksums that fit: only the rules can tell.
    let corpus = Corpus::open(&path).unwrap();
    let mut writer = crate::writer::CorpusWriter::open(&path, "").unwrap();
    let mut buffer = crate::ingest::SegmentBuffer::new(writer.number());
    let mut setups = crate::replay_setups::ReplaySetups::default();
    crate::rebuild::each_game(&corpus.segments()[0], |at, row, mut plies| {
        if at == 1 {
            plies[3].key ^= 1;
        }
        buffer.add(setups.of(&row).unwrap().prepare(row, plies));
        Ok(())
    })
    .unwrap();
    let entry = crate::segment::seal(&path, buffer.into_draft()).unwrap();
    writer.replace(0, 1, Some(entry));
    writer.commit().unwrap();
    drop(writer);
    assert!(verify(&path, VerifyDepth::Files, CancelCheck::NEVER).unwrap().faults.is_empty());
    let report = verify(&path, VerifyDepth::Replay, CancelCheck::NEVER).unwrap();
    let fault = &report.faults[0];
    let is_it = matches!(fault, CorpusError::Damaged { fault: FileFault::Play { row: 1, ply: 4, .. }, .. });
    assert!(is_it, "{fault}");
}

#[test]
fn an_index_of_other_games_is_found_by_a_deep_look() {
    let folder = tempfile::tempdir().unwrap();
    let (path, other) = (folder.path().join("corpus"), folder.path().join("other"));
    take_in(&path, "a.csv", Format::MoveList, &GAMES);
    take_in(&other, "a.csv", Format::MoveList, &[GAMES[0], GAMES[1], "d2-e2 c4-c3 b4-b3 c3-c1"]);
    assert_sound(&path);
    let index = |path: &Path| Corpus::open(path).unwrap().segments()[0].index_folder();
    let (own, foreign) = (index(&path), index(&other));
    fs::remove_dir_all(&own).unwrap();
    fs::rename(&foreign, &own).unwrap();
    // The manifest lists the foreign files, so only a check of their contents finds the fault.
    let mut writer = crate::writer::CorpusWriter::open(&path, "").unwrap();
    let mut entry = writer.manifest().segments[0].clone();
    let segment = path.join("segments").join(&entry.name);
    entry.files = files_below(&segment)
        .unwrap()
        .iter()
        .filter(|file| !file.ends_with(".lock"))
        .map(|file| crate::file::FileEntry::of(&segment, file).unwrap())
        .collect();
    writer.replace(0, 1, None);
    writer.add(entry);
    writer.commit().unwrap();
    drop(writer);
    assert!(verify(&path, VerifyDepth::Files, CancelCheck::NEVER).unwrap().faults.is_empty());
    let faults = verify(&path, VerifyDepth::Replay, CancelCheck::NEVER).unwrap().faults;
    assert!(faults.len() == 1 && faults[0].to_string().contains("its terms differ"), "{faults:?}");
}
