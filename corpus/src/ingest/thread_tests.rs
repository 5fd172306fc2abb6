//! An import gives the same corpus with any number of threads.

use std::num::NonZeroUsize;
use std::path::Path;

use tafl_parser::{Format, RuleChoice, Source};
use tafl_rules::{Game, Move, RepetitionMode, Rng, catalog};

use super::tests::{GAMES, LONG_GAME, RecordPreparer, tagged};
use super::{GeneratedGame, Ingest, IngestOptions, Preparer};
use crate::Corpus;
use crate::cancel::CancelCheck;
use crate::manifest::Manifest;
use crate::verify::{VerifyDepth, verify};

/// Returns the moves of a random game.
fn random_moves(rules: &RuleChoice, rng: &mut Rng) -> Vec<Move> {
    let mut game = Game::with_mode(&rules.chosen().book, RepetitionMode::Report);
    let mut moves = Vec::new();
    while moves.len() < 40 && game.outcome().is_none() {
        let legal = game.moves();
        if legal.is_empty() {
            break;
        }
        moves.push(legal[rng.below(legal.len())]);
        game.play(moves[moves.len() - 1]).unwrap();
    }
    moves
}

/// Imports generated games, copies and beginnings of them, and records with and without faults, with `threads` threads
/// and small segments, in two batches.
fn import(path: &Path, threads: usize) -> Manifest {
    let options = IngestOptions { threads: NonZeroUsize::new(threads).unwrap(), ..IngestOptions::default() };
    let rules = RuleChoice::named(catalog::find("brandubh7").unwrap());
    let mut rng = Rng::new(3);
    let mut generator = Preparer::default();
    let mut replayer = RecordPreparer::new();
    let mut played: Vec<Vec<Move>> = Vec::new();
    for batch in 0..2 {
        let mut ingest = Ingest::with_segments_of(500, path, &options).unwrap();
        for number in 0..60 {
            let moves = match rng.below(4) {
                0 if !played.is_empty() => played[rng.below(played.len())].clone(),
                1 if !played.is_empty() => {
                    let longer = &played[rng.below(played.len())];
                    longer[..1 + rng.below(longer.len())].to_vec()
                }
                _ => random_moves(&rules, &mut rng),
            };
            played.push(moves.clone());
            // A copy with more tags takes the place of the stored game, which may be in a segment that is being written.
            let tags = [("event", "Club"), ("date", "2020-01-02")];
            let tags = &tags[..rng.below(3)];
            let made = GeneratedGame { rules: &rules, moves: &moves, outcome: None, tags };
            ingest.add_game(generator.prepare_generated(&made).unwrap()).unwrap();
            let text = match number % 6 {
                0 => LONG_GAME.to_owned(),
                1 => tagged(r#"["event","Cup"]"#, LONG_GAME),
                2 => "nothing".to_owned(),
                n => GAMES[n - 3].to_owned(),
            };
            let name = format!("{batch}.csv");
            let source = Source { line: number as u64 + 1, ..Source::named(&name, &text) };
            let format = if number % 6 == 1 { Format::Jsonl } else { Format::MoveList };
            ingest.add(replayer.prepare(source, format)).unwrap();
        }
        ingest.finish().unwrap();
    }
    Manifest::read(path).unwrap()
}

#[test]
fn the_corpus_is_the_same_for_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let made = |threads: usize| {
        let path = folder.path().join(threads.to_string());
        (import(&path, threads), path)
    };
    let (expected, path) = made(1);
    assert!(expected.segments.len() > 4, "{} segments", expected.segments.len());
    assert!(!expected.copies.is_empty() && !expected.rejected.is_empty());
    assert!(expected.segments.iter().any(|segment| segment.n_removed() > 0));
    let report = verify(&path, VerifyDepth::Replay, CancelCheck::NEVER).unwrap();
    assert!(report.faults.is_empty(), "{:?}", report.faults);
    for threads in [2, 3, 8] {
        let (manifest, path) = made(threads);
        // The index and the tables have the names and the checksums of their contents.
        assert_eq!(manifest, expected, "{threads} threads");
        assert!(Corpus::open(&path).is_ok());
    }
}
