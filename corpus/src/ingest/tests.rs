//! Imported games are stored once, and can be read back.

use std::path::Path;

use tafl_parser::{Format, ReplayOptions, Replayer, RuleChoice, Source, WriteGame};
use tafl_rules::{Game, Outcome, Reason, Side, catalog};

use super::{
    AddOutcome, CheckedRecord, GeneratedGame, Ingest, IngestOptions, IngestSummary, PreparedRecord, Preparer,
};
use crate::Corpus;
use crate::cancel::CancelCheck;
use crate::row::RecordVerdict;
use crate::verify::{VerifyDepth, verify};

/// Three games of Brandubh; the second one ends with a win.
pub(crate) const GAMES: [&str; 3] = [
    "d2-c2 e4-e1 b4-b2 d4-e4 c2-c1 e4-e3",
    "d6-c6 e4-e6 d1-e1 d5-g5 f4-f5 d3-g3xg4 b4-b3 d4-g4 d7-f7 g3-f3 d2-g2 g4-g3xg2 e1-e2 g3-g1,0,2,White",
    "d2-e2 c4-c3 b4-b3 c3-c2",
];

/// A game of Brandubh that is long enough for its moves to be evidence of a copy.
pub(crate) const LONG_GAME: &str = "b4-b5 c4-c5 d6-c6 e4-e1 a4-c4xc5 d5-g5 c6-g6xg5 d4-e4 g6-e6 d3-a3 b5-e5 e4-e3 c4-c3 e1-e2 g4-g3 e2-e1 d7-e7 a3-a4 e6-f6 a4-a3 f6-d6 a3-a5 d6-f6 a5-a6 c3-d3 e3-e2";

/// [`LONG_GAME`] on the board with files and ranks exchanged.
pub(crate) const MIRRORED_GAME: &str = "d2-e2 d3-e3 f4-f3 d5-a5 d1-d3xe3 e4-e7 f3-f7xe7 d4-d5 f7-f5 c4-c1 e2-e5 d5-c5 d3-c3 a5-b5 d7-c7 b5-a5 g4-g5 c1-d1 f5-f6 d1-c1 f6-f4 c1-e1 f4-f6 e1-f1 c3-c4 c5-b5";

/// Prepares records of Brandubh.
pub(crate) struct RecordPreparer {
    replayer: Replayer,
    preparer: Preparer,
}

impl RecordPreparer {
    pub(crate) fn new() -> RecordPreparer {
        let rules = catalog::find("brandubh7").map(RuleChoice::named);
        let replayer = Replayer::new(ReplayOptions { rules, ..ReplayOptions::default() });
        RecordPreparer { replayer, preparer: Preparer::default() }
    }

    pub(crate) fn prepare(&mut self, source: Source<'_>, format: Format) -> PreparedRecord {
        let parsed = format.parse(&source);
        let replay = self.replayer.replay(&parsed.value);
        let diagnostics: Vec<_> = parsed.diagnostics.iter().chain(&replay.diagnostics).cloned().collect();
        self.preparer.prepare(&CheckedRecord {
            source,
            record: &parsed.value,
            replay: &replay,
            verdict: replay.soundness(),
            diagnostics: &diagnostics,
        })
    }
}

/// Returns a record of our JSON lines; tags are written as there: `["event","Club"],["site","here"]`.
pub(crate) fn tagged(tags: &str, moves: &str) -> String {
    format!(
        r#"{{"taflbase":1,"format":"movelist","tags":[{tags}],"captures":"listed","lines":[{{"moves":"{moves}"}}]}}"#
    )
}

/// Imports records, each as a line of a file with this name. Returns the outcome of each, and the counts.
pub(crate) fn take_in(
    path: &Path,
    source: &str,
    format: Format,
    texts: &[&str],
) -> (Vec<AddOutcome>, IngestSummary) {
    let mut preparer = RecordPreparer::new();
    let mut ingest = Ingest::begin(path, &IngestOptions::default()).unwrap();
    let mut added = Vec::new();
    for (line, text) in (1..).zip(texts) {
        let source = Source { line, ..Source::named(source, text) };
        added.push(ingest.add(preparer.prepare(source, format)).unwrap());
    }
    (added, ingest.finish().unwrap())
}

#[test]
fn games_come_back_as_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    let (added, summary) = take_in(&path, "games.csv", Format::MoveList, &GAMES);
    assert_eq!(added, [AddOutcome::New; 3]);
    assert_eq!((summary.added, summary.plies, summary.doubled, summary.rejected), (3, 24, 0, 0));
    let corpus = Corpus::open(&path).unwrap();
    assert_eq!(corpus.n_games(), 3);
    let segment = &corpus.segments()[0];
    let rows = segment.games().unwrap();
    assert_eq!(rows[1].text.as_deref(), Some(GAMES[1]));
    assert_eq!(rows[1].place, Some(2));
    assert_eq!(rows[1].result.as_str(), "defenders");
    assert_eq!(rows[1].verdict, RecordVerdict::Sound);
    assert_eq!((rows[1].attackers_captures, rows[1].defenders_captures), (0, 2));
    assert_eq!(segment.game(2).unwrap(), rows[2]);
    let plies = segment.plies(&rows, 0).unwrap();
    let lengths: Vec<usize> = plies.iter().map(Vec::len).collect();
    assert_eq!(lengths, [6, 14, 4]);
    assert_eq!(segment.plies(&rows[1..2], 1).unwrap()[0], plies[1]);
    assert_eq!(plies[1][5].captured.len(), 1);
    assert!(plies.iter().flatten().all(|ply| ply.n_moves > 10));
}

#[test]
fn placeholders_for_unknown_players_are_no_names() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    let named = |name: &str| tagged(&format!(r#"["attackers","{name}"],["defenders","Ann"]"#), LONG_GAME);
    for (nth, name) in ["?", "-", " * ", "N.N.", "Unknown", "(none)"].into_iter().enumerate() {
        let (added, _) = take_in(&path, "a.jsonl", Format::Jsonl, &[&named(name)]);
        assert_eq!(added, [if nth == 0 { AddOutcome::New } else { AddOutcome::Copy }], "{name}");
    }
    let corpus = Corpus::open(&path).unwrap();
    let row = corpus.game(corpus.games().next().unwrap()).unwrap();
    assert_eq!((row.attackers.as_deref(), row.defenders.as_deref()), (None, Some("Ann")));
    assert!(row.tags.contains(&("attackers".to_owned(), "?".to_owned())), "{:?}", row.tags);
    let other = folder.path().join("other");
    take_in(&other, "a.jsonl", Format::Jsonl, &[&named("None the Wiser")]);
    let corpus = Corpus::open(&other).unwrap();
    let row = corpus.game(corpus.games().next().unwrap()).unwrap();
    assert_eq!(row.attackers.as_deref(), Some("None the Wiser"));
}

#[test]
fn a_mirrored_copy_is_found_and_noted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    take_in(&path, "a.csv", Format::MoveList, &[LONG_GAME]);
    // The same game with files and ranks changed for each other.
    let (added, summary) =
        take_in(&path, "b.csv", Format::MoveList, &[LONG_GAME, MIRRORED_GAME, MIRRORED_GAME]);
    assert_eq!(added, [AddOutcome::Copy; 3]);
    assert_eq!((summary.added, summary.doubled), (0, 3));
    let corpus = Corpus::open(&path).unwrap();
    let copies = corpus.late_copies().unwrap();
    let notes: Vec<_> = copies.values().flatten().map(|note| (note.place, note.symmetry)).collect();
    assert_eq!(notes, [(Some(1), 0), (Some(2), 4), (Some(3), 4)]);
    // The same records once more say nothing new.
    let generation = corpus.manifest().generation;
    take_in(&path, "b.csv", Format::MoveList, &[LONG_GAME, MIRRORED_GAME]);
    assert_eq!(Corpus::open(&path).unwrap().manifest().generation, generation);
}

#[test]
fn the_better_copy_takes_the_place_of_the_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    take_in(&path, "a.csv", Format::MoveList, &[LONG_GAME, GAMES[1], GAMES[2]]);
    let named = |name: &str| tagged(&format!("[\"attackers\",\"{name}\"]"), LONG_GAME);
    let (asa, bo) = (named("Asa"), named("Bo"));
    let (added, _) = take_in(&path, "b.jsonl", Format::Jsonl, &[&asa, &bo, LONG_GAME]);
    assert_eq!(
        added[..2],
        [AddOutcome::Replaced, AddOutcome::New],
        "the other player's game is another game"
    );
    let corpus = Corpus::open(&path).unwrap();
    assert_eq!(corpus.n_games(), 4);
    let rows: Vec<_> = corpus.games().map(|at| corpus.game(at).unwrap()).collect();
    let names: Vec<_> = rows.iter().map(|row| row.attackers.as_deref()).collect();
    assert_eq!(names, [None, None, Some("Asa"), Some("Bo")]);
    assert_eq!(rows[2].copies[0].source.as_deref(), Some("a.csv"));
    let found = corpus.find(&[rows[2].game]).unwrap();
    assert_eq!(corpus.game(found[0]).unwrap(), rows[2]);
}

/// Returns a record of two players on a day.
fn dated(moves: &str, date: &str) -> String {
    tagged(&format!("[\"attackers\",\"Asa\"],[\"defenders\",\"Bo\"],[\"date\",\"{date}\"]"), moves)
}

#[test]
fn the_beginning_of_a_game_is_a_copy() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    let short = dated("d2-c2 e4-e1 b4-b2", "2019.03.01");
    let middle = dated("d2-c2 e4-e1 b4-b2 d4-e4", "2019.03.01");
    let long = dated(GAMES[0], "2019.03.01");
    let elsewhere = dated("d2-c2 e4-e1 b4-b2", "2019.03.02");
    let (added, summary) = take_in(&path, "a.jsonl", Format::Jsonl, &[&middle, &short, &elsewhere]);
    assert_eq!(added, [AddOutcome::New, AddOutcome::Copy, AddOutcome::New]);
    assert_eq!(summary.prefixes, 1);
    let (added, _) = take_in(&path, "b.jsonl", Format::Jsonl, &[&long, &middle]);
    assert_eq!(added, [AddOutcome::Replaced, AddOutcome::Copy]);
    let corpus = Corpus::open(&path).unwrap();
    let rows: Vec<_> = corpus.games().map(|at| corpus.game(at).unwrap()).collect();
    assert_eq!(rows.iter().map(|row| row.plies).collect::<Vec<_>>(), [3, 6]);
    let notes: Vec<_> = rows[1].copies.iter().map(|note| note.plies).collect();
    assert_eq!(notes, [Some(4), Some(3), Some(4)], "the last one is not noted with the game that is gone");
    assert!(corpus.late_copies().unwrap().is_empty());
    assert_eq!(rows[1].date.as_deref(), Some("2019-03-01"));
}

#[test]
fn new_games_are_counted_as_they_are_stored() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    let short = dated("d2-c2 e4-e1 b4-b2", "2019.03.01");
    let middle = dated("d2-c2 e4-e1 b4-b2 d4-e4", "2019.03.01");
    let long = dated(GAMES[0], "2019.03.01");
    let plies = || Corpus::open(&path).unwrap().info(CancelCheck::NEVER).unwrap().plies;
    let (added, summary) = take_in(&path, "a.jsonl", Format::Jsonl, &[&short, &middle]);
    assert_eq!(added, [AddOutcome::New, AddOutcome::Replaced]);
    assert_eq!((summary.added, summary.doubled, summary.replaced, summary.replaced_new), (1, 1, 1, 1));
    assert_eq!((summary.plies, summary.replaced_plies, plies()), (4, 0, 4));
    assert_eq!(summary.variants.values().sum::<u64>(), 1);
    let (added, summary) = take_in(&path, "b.jsonl", Format::Jsonl, &[&long]);
    assert_eq!(added, [AddOutcome::Replaced]);
    assert_eq!((summary.added, summary.doubled, summary.replaced, summary.replaced_new), (0, 1, 1, 0));
    assert_eq!((summary.plies, summary.replaced_plies, plies()), (0, 2, 6));
}

#[test]
fn an_earlier_game_is_not_new_because_two_copies_in_a_row_replace_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    let moves = ["d2-c2 e4-e1 b4-b2", "d2-c2 e4-e1 b4-b2 d4-e4", GAMES[0]];
    let [short, middle, long] = moves.map(|moves| dated(moves, "2019.03.01"));
    take_in(&path, "a.jsonl", Format::Jsonl, &[&short]);
    let (_, summary) = take_in(&path, "b.jsonl", Format::Jsonl, &[&middle, &long]);
    assert_eq!((summary.added, summary.plies, summary.variants.len()), (0, 0, 0));
    assert_eq!((summary.replaced, summary.replaced_new, summary.replaced_plies), (2, 1, 3));
}

#[test]
fn copies_of_a_beginning_are_beginnings_of_the_whole_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    let (short, long) = (dated("d2-c2 e4-e1 b4-b2", "2019.03.01"), dated(GAMES[0], "2019.03.01"));
    let (added, _) = take_in(&path, "a.jsonl", Format::Jsonl, &[&short, &short, &long]);
    assert_eq!(added, [AddOutcome::New, AddOutcome::Copy, AddOutcome::Replaced]);
    let corpus = Corpus::open(&path).unwrap();
    let at = corpus.games().next().unwrap();
    let notes: Vec<_> = corpus.game(at).unwrap().copies.iter().map(|note| (note.place, note.plies)).collect();
    assert_eq!(notes, [(Some(1), Some(3)), (Some(2), Some(3))]);
}

#[test]
fn copies_go_with_the_better_copy_and_are_noted_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    take_in(&path, "a.csv", Format::MoveList, &[LONG_GAME]);
    take_in(&path, "b.csv", Format::MoveList, &[LONG_GAME]);
    let better = tagged("[\"event\",\"Club\"]", LONG_GAME);
    let (added, _) = take_in(&path, "c.jsonl", Format::Jsonl, &[&better]);
    assert_eq!(added, [AddOutcome::Replaced]);
    let corpus = Corpus::open(&path).unwrap();
    let at = corpus.games().next().unwrap();
    assert_eq!(corpus.game(at).unwrap().copies.len(), 2);
    assert!(corpus.late_copies().unwrap().is_empty());
    assert_eq!(corpus.info(CancelCheck::NEVER).unwrap().copies, 2);
}

#[test]
fn records_that_cannot_be_stored_are_rejected_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    let bad = "d2-c2 e4-e1 b4-c5 d4-e4";
    let (added, summary) = take_in(&path, "a.csv", Format::MoveList, &[bad, GAMES[0], bad]);
    assert_eq!(added, [AddOutcome::Rejected, AddOutcome::New, AddOutcome::Rejected]);
    assert_eq!((summary.rejected, summary.rejected_before), (2, 1));
    let rejected = Corpus::open(&path).unwrap().rejected().unwrap();
    assert_eq!(rejected.len(), 1);
    assert_eq!((&*rejected[0].text, rejected[0].place), (bad, 1));
    assert!(!rejected[0].codes.is_empty());
}

#[test]
fn generated_games_need_no_text() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    let rules = catalog::find("brandubh7").map(RuleChoice::named).unwrap();
    let mut game = Game::new(&rules.chosen().book);
    let mut moves = Vec::new();
    while moves.len() < 40 && game.outcome().is_none() {
        let legal = game.moves();
        moves.push(legal[moves.len() * 7919 % legal.len()]);
        game.play(moves[moves.len() - 1]).unwrap();
    }
    let outcome =
        Some(Outcome::win(Side::Defenders, Reason::Resignation)).filter(|_| game.outcome().is_none());
    let tags =
        [("attackers", "engine 1"), ("date", "2026-11-20"), ("attackers-rating", "1500"), ("seed", "7")];
    let made = GeneratedGame { rules: &rules, moves: &moves, outcome, tags: &tags };
    let prepared = Preparer::default().prepare_generated(&made).unwrap();
    let mut ingest = Ingest::begin(&path, &IngestOptions::default()).unwrap();
    assert_eq!(ingest.add_game(prepared).unwrap(), AddOutcome::New);
    ingest.finish().unwrap();
    let corpus = Corpus::open(&path).unwrap();
    let at = corpus.games().next().unwrap();
    let row = corpus.game(at).unwrap();
    assert_eq!((row.plies as usize, row.attackers_rating, &row.text), (moves.len(), Some(1500), &None));
    assert_eq!(row.tags, [("seed".to_owned(), "7".to_owned())]);
    assert!(verify(&path, VerifyDepth::Replay, CancelCheck::NEVER).unwrap().faults.is_empty());
    // Exported as a record and imported from its text, it is the same game.
    let record = corpus.record(at, &row).unwrap().value;
    let mut text = String::new();
    tafl_parser::write_record(WriteGame { record: &record, played: None }, Format::Jsonl, &mut text).unwrap();
    let (added, summary) = take_in(&path, "again.jsonl", Format::Jsonl, &[&text]);
    assert_ne!(added, [AddOutcome::New], "{summary:?}");
    assert!(Preparer::default().prepare_generated(&GeneratedGame { moves: &[], ..made }).is_none());
}
