//! Repair of damaged files: everything but the tables of a segment is rebuilt from them, byte by byte.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::damage::{answers, with_every_file};
use super::{assert_sound, rows};
use crate::cancel::CancelCheck;
use crate::compact::{CompactSummary, Compaction, compact};
use crate::error::CorpusError;
use crate::file::files_below;
use crate::folder::Corpus;
use crate::manifest::{MANIFEST_FILE, Manifest};
use crate::segment_files::{CHECKSUMS_FILE, MOVE_LOG_FILE, is_derived};
use crate::sql::sql;
use crate::verify::{VerifyDepth, verify};

/// A corpus with a segment that no compaction needs to rewrite.
struct SoundCorpus {
    path: PathBuf,
    /// The files of the segment.
    files: BTreeMap<String, Vec<u8>>,
    /// The answers to all questions, and to those that need only the tables.
    answers: Vec<String>,
    table_answers: Vec<String>,
    _folder: tempfile::TempDir,
}

impl SoundCorpus {
    fn new() -> SoundCorpus {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("corpus");
        with_every_file(&path);
        // Puts the late copy into its row.
        compacted(&path);
        assert_eq!(compacted(&path).written, 0);
        let corpus = Corpus::open(&path).unwrap();
        let right = |found: Vec<Result<String, CorpusError>>| found.into_iter().map(Result::unwrap).collect();
        let (answers, table_answers) = (right(answers(&corpus)), right(table_answers(&corpus)));
        SoundCorpus { files: segment_files(&path), path, answers, table_answers, _folder: folder }
    }

    /// Checks that a damaged file is found, and that the fault names it and the command that repairs it.
    fn assert_damage_is_found(&self, file: &str, case: &str) {
        let faults = verify(&self.path, VerifyDepth::Files, CancelCheck::NEVER).unwrap().faults;
        assert_eq!(faults.len(), 1, "{case}: {faults:?}");
        assert_names_file_and_command(&faults[0], file, case);
    }

    /// Checks that only answers that need a damaged file are errors.
    fn assert_answers_are_right_or_errors(&self, file: &str, case: &str) {
        let corpus = Corpus::open(&self.path).unwrap_or_else(|error| panic!("{case}: {error}"));
        for (found, right) in answers(&corpus).into_iter().zip(&self.answers) {
            match found {
                Ok(found) => assert_eq!(found, *right, "{case}"),
                Err(error) => assert_names_file_and_command(&error, file, case),
            }
        }
        for (found, right) in table_answers(&corpus).into_iter().zip(&self.table_answers) {
            assert_eq!(found.unwrap_or_else(|error| panic!("{case}: {error}")), *right, "{case}");
        }
    }

    /// Repairs the corpus, and checks that the files of the segment are as they were.
    fn assert_is_repaired(&self, case: &str) {
        let summary = compacted(&self.path);
        assert_eq!((summary.repaired, summary.written, summary.after), (1, 1, 1), "{case}");
        let files = segment_files(&self.path);
        assert!(files.keys().eq(self.files.keys()), "{case}: {:?}", files.keys());
        for (name, bytes) in &files {
            assert!(*bytes == self.files[name], "{case}: {name} differs");
        }
    }

    fn assert_all_answers_are_right(&self, case: &str) {
        let found = answers(&Corpus::open(&self.path).unwrap());
        let found: Vec<String> = found.into_iter().map(Result::unwrap).collect();
        assert_eq!(found, self.answers, "{case}");
    }
}

fn compacted(path: &Path) -> CompactSummary {
    compact(path, "a test", Compaction::Needed, CancelCheck::NEVER).unwrap()
}

fn segment_folder(path: &Path) -> PathBuf {
    let manifest = Manifest::read(path).unwrap();
    path.join("segments").join(&manifest.segments[0].name)
}

fn segment_files(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let folder = segment_folder(path);
    let names = files_below(&folder).unwrap().into_iter().filter(|name| !name.ends_with(".lock"));
    names.map(|name| (name.clone(), fs::read(folder.join(name)).unwrap())).collect()
}

/// Returns the answers of a corpus to questions for which the tables suffice.
fn table_answers(corpus: &Corpus) -> Vec<Result<String, CorpusError>> {
    let tables = ["SELECT * FROM games", "SELECT * FROM plies", "SELECT * FROM players"];
    let tables = tables.iter().map(|question| sql(corpus, question).map(|table| format!("{table:?}")));
    let records = corpus.games().map(|at| {
        let row = corpus.game(at)?;
        corpus.record(at, &row).map(|record| format!("{record:?}"))
    });
    let counts = corpus.info(CancelCheck::NEVER).map(|info| format!("{:?}", (info.variants, info.hash)));
    let plies = corpus.segments()[0].games().and_then(|rows| corpus.segments()[0].plies(&rows[1..], 1));
    let plies = plies.map(|plies| format!("{plies:?}"));
    tables.chain(records).chain([counts, plies]).collect()
}

fn assert_names_file_and_command(error: &CorpusError, file: &str, case: &str) {
    let message = error.to_string();
    assert!(
        message.contains(&format!("/{file}: the file is damaged: "))
            && message.contains("run `tafl compact` on"),
        "{case}: {message}"
    );
}

/// Returns damaged versions of a file, with a description; `None` for a missing file.
fn damaged_versions(bytes: &[u8], n_flips: usize) -> Vec<(String, Option<Vec<u8>>)> {
    let flipped = |at: usize| {
        let mut bytes = bytes.to_vec();
        bytes[at] ^= 1 << (at % 8);
        (format!("byte {at} flipped"), Some(bytes))
    };
    let last = bytes.len() - 1;
    // The magic numbers and versions at the start, everything between, and the footers and checksums at the end.
    let ends = [0, 8, last.saturating_sub(31), last.saturating_sub(8), last];
    let places = ends.into_iter().chain((0..bytes.len()).step_by(bytes.len().div_ceil(n_flips)));
    let cut = [bytes[..last].to_vec(), bytes[..bytes.len() / 2].to_vec(), Vec::new()];
    let cut = cut.into_iter().map(|bytes| (format!("cut to {} bytes", bytes.len()), Some(bytes)));
    places.map(flipped).chain(cut).chain([("removed".to_owned(), None)]).collect()
}

fn write_damage(file: &Path, damaged: Option<&[u8]>) {
    match damaged {
        Some(bytes) => fs::write(file, bytes).unwrap(),
        None => fs::remove_file(file).unwrap(),
    }
}

#[test]
fn every_derived_file_is_rebuilt_as_it_was() {
    let sound = SoundCorpus::new();
    let derived: Vec<&String> =
        sound.files.keys().filter(|name| is_derived(&segment_folder(&sound.path).join(name))).collect();
    assert_eq!(derived.len(), sound.files.len() - 2, "only the tables cannot be rebuilt");
    for name in derived {
        let n_flips = if name == MOVE_LOG_FILE { 16 } else { 2 };
        for (nth, (damage, damaged)) in damaged_versions(&sound.files[name], n_flips).into_iter().enumerate()
        {
            let case = format!("{name}, {damage}");
            write_damage(&segment_folder(&sound.path).join(name), damaged.as_deref());
            sound.assert_damage_is_found(name, &case);
            // All questions take longer than everything else.
            if nth % 6 == 0 || damaged.is_none() {
                sound.assert_answers_are_right_or_errors(name, &case);
            }
            sound.assert_is_repaired(&case);
        }
        sound.assert_all_answers_are_right(name);
    }
    assert_sound(&sound.path);
}

#[test]
fn tables_are_not_repaired_and_nothing_is_made_of_damaged_ones() {
    let sound = SoundCorpus::new();
    let folder = segment_folder(&sound.path);
    for table in ["games.parquet", "plies.parquet"] {
        let bytes = &sound.files[table];
        let middle = bytes.len() / 2;
        let mut damaged = bytes.clone();
        damaged[middle] ^= 4;
        fs::write(folder.join(table), damaged).unwrap();
        // Nothing else needs the segment to be rewritten at first.
        for move_log in [&sound.files[MOVE_LOG_FILE][..], b""] {
            fs::write(folder.join(MOVE_LOG_FILE), move_log).unwrap();
            let error = compact(&sound.path, "a test", Compaction::Needed, CancelCheck::NEVER).unwrap_err();
            assert!(error.to_string().contains(table) && error.repair_command().is_none(), "{error}");
        }
        fs::write(folder.join(table), bytes).unwrap();
        fs::write(folder.join(MOVE_LOG_FILE), &sound.files[MOVE_LOG_FILE]).unwrap();
        sound.assert_all_answers_are_right(table);
    }
}

#[test]
fn a_repair_that_is_killed_changes_nothing_and_the_next_one_completes_it() {
    let sound = SoundCorpus::new();
    for damaged in [Some(&b"TAFL"[..]), None] {
        write_damage(&segment_folder(&sound.path).join(MOVE_LOG_FILE), damaged);
        let manifest = fs::read(sound.path.join(MANIFEST_FILE)).unwrap();
        // Killed while it writes the new segment.
        let aside = sound.path.join(format!("segments/.new-{}", Manifest::read(&sound.path).unwrap().next));
        fs::create_dir(&aside).unwrap();
        fs::write(aside.join(MOVE_LOG_FILE), "half").unwrap();
        fs::write(sound.path.join("manifest.new"), "half").unwrap();
        sound.assert_damage_is_found(MOVE_LOG_FILE, "killed while writing");
        sound.assert_is_repaired("killed while writing");
        // Killed when the segment is complete, before it replaces the manifest.
        fs::write(sound.path.join(MANIFEST_FILE), &manifest).unwrap();
        sound.assert_damage_is_found(MOVE_LOG_FILE, "killed before the commit");
        sound.assert_is_repaired("killed before the commit");
    }
    sound.assert_all_answers_are_right("after all");
    assert_sound(&sound.path);
}

#[test]
fn a_corpus_is_changed_while_its_move_log_is_damaged() {
    use tafl_parser::Format;

    use crate::ingest::tests::take_in;

    let sound = SoundCorpus::new();
    write_damage(&segment_folder(&sound.path).join(MOVE_LOG_FILE), None);
    let before = rows(&sound.path);
    let (_, summary) = take_in(&sound.path, "c.csv", Format::MoveList, &["d6-c6 e4-e6"]);
    assert_eq!(summary.added, 1);
    let first = |corpus: &Corpus| Ok::<_, CorpusError>(corpus.games().take(1).collect());
    assert_eq!(crate::remove::remove(&sound.path, "a test", first).unwrap(), 1);
    let after = rows(&sound.path);
    assert_eq!(after[..before.len() - 1], before[1..]);
    assert_eq!(compacted(&sound.path).repaired, 1);
    assert_eq!(rows(&sound.path), after);
    assert_sound(&sound.path);
}

#[test]
fn without_the_checksums_of_blocks_every_answer_is_right() {
    let sound = SoundCorpus::new();
    fs::write(segment_folder(&sound.path).join(CHECKSUMS_FILE), "not checksums").unwrap();
    let found = answers(&Corpus::open(&sound.path).unwrap());
    assert!(found.into_iter().map(Result::unwrap).eq(sound.answers.iter().cloned()));
}
