//! Tests of merging.

use tafl_parser::Format;

use super::*;
use crate::ingest::AddOutcome;
use crate::ingest::tests::{GAMES, LONG_GAME, tagged, take_in};
use crate::player_alias::PlayerAlias;
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

#[test]
fn a_copy_under_an_alias_is_not_stored_again() {
    let folder = tempfile::tempdir().unwrap();
    for is_known_in_part in [false, true] {
        let [path, part] =
            ["corpus", "part"].map(|name| folder.path().join(format!("{name}-{is_known_in_part}")));
        let game = tagged(r#"["attackers","sven77"],["defenders","Ann"]"#, LONG_GAME);
        take_in(&path, "a.jsonl", Format::Jsonl, &[&game]);
        take_in(&part, "b.jsonl", Format::Jsonl, &[&game]);
        let aliases = vec![PlayerAlias { alias: "sven77".to_owned(), name: "Sven".to_owned() }];
        let known = if is_known_in_part { &part } else { &path };
        change_aliases(known, "a test", CancelCheck::NEVER, |_| Ok::<_, CorpusError>(aliases)).unwrap();
        let summary = merge(&path, &[part], &IngestOptions::default(), CancelCheck::NEVER).unwrap();
        assert_eq!((summary.added, summary.doubled), (0, 1), "{is_known_in_part}");
        let corpus = Corpus::open(&path).unwrap();
        let names: Vec<_> = corpus.games().map(|at| corpus.game(at).unwrap().attackers).collect();
        assert_eq!(names, [Some("Sven".to_owned())], "{is_known_in_part}");
        assert!(verify(&path, VerifyDepth::Replay, CancelCheck::NEVER).unwrap().faults.is_empty());
    }
}
