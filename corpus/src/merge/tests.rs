//! Tests of merging.

use tafl_parser::Format;

use super::*;
use crate::ingest::AddOutcome;
use crate::ingest::tests::{GAMES, LONG_GAME, take_in};
use crate::verify::{VerifyDepth, verify};

#[test]
fn copies_that_a_part_found_later_come_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let (path, part) = (folder.path().join("corpus"), folder.path().join("part"));
    let again =
        || merge(&path, std::slice::from_ref(&part), &IngestOptions::default(), CancelCheck::NEVER).unwrap();
    take_in(&part, "a.csv", Format::MoveList, &[LONG_GAME, GAMES[1], GAMES[2]]);
    assert_eq!(again().added, 3);
    take_in(&part, "b.csv", Format::MoveList, &[LONG_GAME]);
    let late = |path: &Path| Corpus::open(path).unwrap().late_copies().unwrap();
    assert_eq!(late(&part).len(), 1);
    assert_eq!(again().known, 1);
    assert_eq!(late(&path), late(&part));
    let generation = Manifest::read(&path).unwrap().generation;
    again();
    assert_eq!(Manifest::read(&path).unwrap().generation, generation, "nothing is noted twice");
}

#[test]
fn possible_copies_of_different_parts_are_kept_and_marked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    let parts = ["a", "b"].map(|name| folder.path().join(name));
    for (part, name) in parts.iter().zip(["a.csv", "b.csv"]) {
        let (added, _) = take_in(part, name, Format::MoveList, &[GAMES[0], GAMES[0], LONG_GAME]);
        assert_eq!(added, [AddOutcome::New; 3]);
    }
    let again = |options: &IngestOptions| merge(&path, &parts, options, CancelCheck::NEVER).unwrap();
    let summary = again(&IngestOptions::default());
    assert_eq!((summary.added, summary.doubled, summary.possible_copies), (5, 1, 2));
    let corpus = Corpus::open(&path).unwrap();
    let rows: Vec<GameRow> = corpus.games().map(|at| corpus.game(at).unwrap()).collect();
    let marked: Vec<bool> = rows.iter().map(|row| row.duplicate_of.is_some()).collect();
    assert_eq!(marked, [false, true, false, true, true]);
    let numbers: HashSet<GameId> = rows.iter().map(|row| row.game).collect();
    assert_eq!(numbers.len(), 5, "each game has its own number");
    assert!(verify(&path, VerifyDepth::Replay, CancelCheck::NEVER).unwrap().faults.is_empty());
    assert_eq!(again(&IngestOptions::default()).added, 0, "games that are merged again are known");
    let kept = folder.path().join("kept");
    let options = IngestOptions { duplicates: DuplicatePolicy::Keep, ..IngestOptions::default() };
    let summary = merge(&kept, &parts, &options, CancelCheck::NEVER).unwrap();
    assert_eq!((summary.added, summary.doubled, summary.possible_copies), (6, 0, 0));
    assert!(verify(&kept, VerifyDepth::Replay, CancelCheck::NEVER).unwrap().faults.is_empty());
}
