//! Which records with the same moves are copies, and what becomes of them.

use std::collections::HashSet;
use std::path::Path;

use tafl_parser::{Format, Source};

use super::tests::{GAMES, LONG_GAME, RecordPreparer, tagged, take_in};
use super::{AddOutcome, DuplicatePolicy, Ingest, IngestOptions, IngestSummary, PreparedRecord};
use crate::Corpus;
use crate::cancel::CancelCheck;
use crate::row::{GameRow, RecordVerdict};
use crate::verify::{VerifyDepth, verify};

fn rows(path: &Path) -> Vec<GameRow> {
    let corpus = Corpus::open(path).unwrap();
    assert!(verify(path, VerifyDepth::Replay, CancelCheck::NEVER).unwrap().faults.is_empty());
    corpus.games().map(|at| corpus.game(at).unwrap()).collect()
}

fn import(path: &Path, duplicates: DuplicatePolicy, name: &str, texts: &[&str]) -> IngestSummary {
    let mut preparer = RecordPreparer::new();
    let options = IngestOptions { duplicates, ..IngestOptions::default() };
    let mut ingest = Ingest::begin(path, &options).unwrap();
    for (line, text) in (1..).zip(texts) {
        let source = Source { line, ..Source::named(name, text) };
        ingest.add(preparer.prepare(source, Format::MoveList)).unwrap();
    }
    ingest.finish().unwrap()
}

#[test]
fn equal_short_games_of_unknown_players_are_kept_and_marked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    let (_, summary) = take_in(&path, "a.csv", Format::MoveList, &[GAMES[0]; 9]);
    assert_eq!((summary.added, summary.doubled, summary.possible_copies), (9, 0, 8));
    let all = rows(&path);
    assert_eq!(all[0].duplicate_of, None);
    assert!(all[1..].iter().all(|row| row.duplicate_of.is_some()));
    assert_eq!(all.iter().map(|row| row.game).collect::<HashSet<_>>().len(), 9, "each has its own number");
    // The same lines of the same file are the same records.
    let (_, summary) = take_in(&path, "a.csv", Format::MoveList, &[GAMES[0]; 9]);
    assert_eq!((summary.added, summary.doubled), (0, 9));
    assert_eq!(rows(&path), all);
}

#[test]
fn equal_short_games_with_different_ids_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    let with_id = |id: usize| {
        tagged(&format!("[\"attackers\",\"Asa\"],[\"defenders\",\"Bo\"],[\"id\",\"{id}\"]"), GAMES[0])
    };
    let texts: Vec<String> = (1..=9).map(with_id).collect();
    let texts: Vec<&str> = texts.iter().map(|text| &**text).collect();
    let (_, summary) = take_in(&path, "a.jsonl", Format::Jsonl, &texts);
    assert_eq!((summary.added, summary.doubled, summary.possible_copies), (9, 0, 0));
    let (_, summary) = take_in(&path, "b.jsonl", Format::Jsonl, &texts);
    assert_eq!((summary.added, summary.doubled), (0, 9), "the same IDs are the same games");
    assert!(rows(&path).iter().all(|row| row.duplicate_of.is_none()));
    assert_eq!(Corpus::open(&path).unwrap().late_copies().unwrap().len(), 9);
}

#[test]
fn a_short_game_of_the_same_players_is_a_copy() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    let of = |players: &str| tagged(players, GAMES[0]);
    let both = of("[\"attackers\",\"Asa\"],[\"defenders\",\"Bo\"]");
    let (one, none) = (of("[\"attackers\",\"Asa\"]"), of(""));
    let (_, summary) = take_in(&path, "a.jsonl", Format::Jsonl, &[&both, &both, &one, &none]);
    assert_eq!((summary.added, summary.doubled, summary.possible_copies), (3, 1, 2));
}

#[test]
fn long_copies_are_dropped_or_marked_or_kept_as_asked() {
    let folder = tempfile::tempdir().unwrap();
    for (name, policy, counts, marked) in [
        ("drop", DuplicatePolicy::Drop, (3, 1, 1), [false, false, true, false]),
        ("note", DuplicatePolicy::Note, (4, 0, 2), [false, false, true, true]),
        ("keep", DuplicatePolicy::Keep, (4, 0, 0), [false; 4]),
    ] {
        let path = folder.path().join(name);
        import(&path, policy, "a.csv", &[LONG_GAME, GAMES[0]]);
        let summary = import(&path, policy, "b.csv", &[GAMES[0], LONG_GAME]);
        assert_eq!((summary.added + 2, summary.doubled, summary.possible_copies), counts, "{name}");
        let all = rows(&path);
        let marks: Vec<bool> = all.iter().map(|row| row.duplicate_of.is_some()).collect();
        assert_eq!(marks, marked[..all.len()], "{name}");
        let again = import(&path, policy, "b.csv", &[GAMES[0], LONG_GAME]);
        assert_eq!(again.added, 0, "{name}: a record is stored once");
    }
}

#[test]
fn a_copy_keeps_the_other_name_of_its_rules() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    let (_, summary) = take_in(&path, "a.csv", Format::MoveList, &[LONG_GAME, LONG_GAME]);
    assert_eq!(summary.doubled, 1);
    let mut ingest = Ingest::begin(&path, &IngestOptions::default()).unwrap();
    let mut preparer = RecordPreparer::new();
    let source = Source::named("b.csv", LONG_GAME);
    let PreparedRecord::Game(mut game) = preparer.prepare(source, Format::MoveList) else {
        panic!("the game is sound")
    };
    game.row.variant = Some("other-name".to_owned());
    ingest.add_game(*game).unwrap();
    ingest.finish().unwrap();
    let copies = Corpus::open(&path).unwrap().late_copies().unwrap();
    let names: Vec<_> = copies.values().flatten().map(|note| note.variant.as_deref()).collect();
    assert_eq!(names, [Some("other-name")]);
    assert_eq!(rows(&path)[0].copies[0].variant, None, "the same name is not repeated");
}

#[test]
fn a_record_that_was_exported_is_the_same_game_by_its_number() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    take_in(&path, "a.csv", Format::MoveList, &GAMES[..1]);
    let own = rows(&path)[0].game;
    let exported = tagged(&format!("[\"corpus-id\",\"{own}\"]"), GAMES[0]);
    let (_, summary) = take_in(&path, "b.jsonl", Format::Jsonl, &[&exported]);
    assert_eq!((summary.added, summary.doubled, summary.possible_copies), (0, 1, 0));
    let other = tagged("[\"corpus-id\",\"0123456789abcdef\"]", GAMES[0]);
    let (_, summary) = take_in(&path, "c.jsonl", Format::Jsonl, &[&other, &other]);
    assert_eq!(
        (summary.added, summary.doubled, summary.possible_copies),
        (1, 1, 1),
        "the second is the first"
    );
}

#[test]
fn an_export_of_a_game_with_an_explained_fault_is_no_better() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    let (moves, _) = GAMES[1].split_once(',').unwrap();
    // Its numbers of captures are wrong.
    let list = moves.replace(' ', "\",\"");
    let text =
        format!(r#"{{"BlackPiecesCaptured":1,"WhitePiecesCaptured":1,"Moves":["{list}"],"WhoWon":"White"}}"#);
    take_in(&path, "a.jsonl", Format::AageNielsen, &[&text]);
    let stored = rows(&path).pop().unwrap();
    assert_eq!(stored.verdict, RecordVerdict::Explained);
    let exported = format!("[\"corpus-id\",\"{}\"]", stored.game);
    let (_, summary) = take_in(&path, "b.jsonl", Format::Jsonl, &[&tagged(&exported, moves)]);
    assert_eq!((summary.doubled, summary.replaced), (1, 0));
    let named = format!("{exported},[\"event\",\"Club\"]");
    let (_, summary) = take_in(&path, "c.jsonl", Format::Jsonl, &[&tagged(&named, moves)]);
    assert_eq!((summary.doubled, summary.replaced), (1, 1), "an export with more tags is better");
}

#[test]
fn a_record_of_which_only_the_beginning_can_be_played_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    let text = tagged("", "d2-c2 d3-b3 c2-c3 d2-d3 c3-c2");
    let (added, _) = take_in(&path, "a.jsonl", Format::Jsonl, &[&text]);
    assert_eq!(added, [AddOutcome::Rejected]);
    let rejected = Corpus::open(&path).unwrap().rejected().unwrap();
    assert_eq!(rejected[0].codes, ["L002"]);
}
