//! Evaluations in a corpus: whose rows are kept, and which files.

use std::fs;
use std::path::PathBuf;

use tafl_parser::Format;

use tafl_rules::Side;

use super::*;
use crate::cancel::CancelCheck;
use crate::error::FileFault;
use crate::folder::Corpus;
use crate::ingest::tests::{GAMES, take_in};
use crate::sql::sql;
use crate::verify::{VerifyDepth, verify};

fn run(limits: &str) -> EvalRun {
    EvalRun { engine: "some engine".into(), limits: limits.into(), curves: "some curves".into() }
}

fn row(game: GameId, ply: u16, loss: f64) -> EvalRow {
    EvalRow {
        game,
        ply,
        side: Side::Attackers,
        score_before: Some(120),
        score_after: None,
        win_before: None,
        win_after: Some(-3),
        ended: None,
        expected_before: Some(0.6),
        expected_after: Some(0.6 - loss),
        loss: Some(loss),
        judgement: Some("blunder"),
        best: Some("d2-c2".into()),
        depth: Some(7),
    }
}

/// Returns a corpus of three games without evaluations, its path, and the IDs of the games.
fn corpus() -> (tempfile::TempDir, PathBuf, Vec<GameId>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    take_in(&path, "a.csv", Format::MoveList, &GAMES);
    let games = open(&path).segments()[0].game_ids().unwrap();
    (folder, path, games)
}

fn open(path: &Path) -> Corpus {
    Corpus::open(path).unwrap()
}

fn cell(corpus: &Corpus, question: &str) -> String {
    sql(corpus, question).unwrap().cell(0, 0).unwrap_or_default()
}

#[test]
fn evaluations_are_a_table_of_their_own() {
    let (_folder, path, games) = corpus();
    assert_eq!(cell(&open(&path), "SELECT COUNT(*) FROM evals"), "0");
    let first = [row(games[0], 1, 0.1), row(games[0], 2, 0.2), row(games[1], 1, 0.3)];
    add_evals(&path, "a test", &run("nodes 1"), &first).unwrap();
    assert_eq!(cell(&open(&path), "SELECT COUNT(*) FROM evals"), "3");
    // New evaluations of a game replace those of the same run; another run has its own.
    add_evals(&path, "a test", &run("nodes 1"), &[row(games[0], 1, 0.5)]).unwrap();
    add_evals(&path, "a test", &run("nodes 2"), &[row(games[0], 1, 0.5)]).unwrap();
    assert_eq!(cell(&open(&path), "SELECT COUNT(*) FROM evals"), "3");
    assert_eq!(cell(&open(&path), "SELECT COUNT(*) FROM evals WHERE limits = 'nodes 1' AND loss > 0.2"), "2");
    let joined = "SELECT COUNT(*) FROM evals e JOIN games g ON e.game = g.game WHERE e.judgement = 'blunder'";
    assert_eq!(cell(&open(&path), joined), "3");
}

#[test]
fn a_game_has_the_rows_of_the_run_that_was_written_last() {
    let (_folder, path, games) = corpus();
    assert_eq!(open(&path).game_evals(games[0]).unwrap(), None);
    let old = [row(games[0], 1, 0.1), row(games[1], 1, 0.3)];
    add_evals(&path, "a test", &run("nodes 1"), &old).unwrap();
    let rows = [row(games[0], 2, 0.0), row(games[0], 1, 0.25)];
    add_evals(&path, "a test", &run("nodes 2"), &rows).unwrap();
    let [second, first] = rows;
    assert_eq!(open(&path).game_evals(games[0]).unwrap(), Some((run("nodes 2"), vec![first, second])));
    assert_eq!(open(&path).game_evals(games[1]).unwrap(), Some((run("nodes 1"), vec![old[1].clone()])));
}

#[test]
fn removed_games_have_no_evaluations() {
    let (_folder, path, games) = corpus();
    add_evals(&path, "a test", &run("nodes 1"), &[row(games[0], 1, 0.1), row(games[1], 1, 0.3)]).unwrap();
    let first = |corpus: &Corpus| Ok::<_, CorpusError>(corpus.games().take(1).collect());
    crate::remove::remove(&path, "a test", first).unwrap();
    assert_eq!(cell(&open(&path), "SELECT COUNT(*) FROM evals"), "1");
}

#[test]
fn every_column_is_there() {
    let frame = frame(&run("nodes 1"), &[]).unwrap();
    let names: Vec<&str> = EVALS.iter().map(|eval| eval.field.name).collect();
    assert_eq!(frame.get_column_names().iter().map(|name| name.as_str()).collect::<Vec<_>>(), names);
}

#[test]
fn damage_of_evaluations_is_found_and_old_files_leave_the_folder() {
    let (_folder, path, games) = corpus();
    for loss in [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7] {
        add_evals(&path, "a test", &run("nodes 1"), &[row(games[0], 1, loss)]).unwrap();
    }
    let n_files = fs::read_dir(path.join(EVALS_FOLDER)).unwrap().count();
    assert!(n_files <= 4, "{n_files} files: the present one, and those that readers may still have open");
    assert!(verify(&path, VerifyDepth::Replay, CancelCheck::NEVER).unwrap().faults.is_empty());
    let file = open(&path).eval_files()[0].path().to_owned();
    let mut bytes = fs::read(&file).unwrap();
    bytes[9] ^= 1;
    fs::write(&file, bytes).unwrap();
    let faults = verify(&path, VerifyDepth::Files, CancelCheck::NEVER).unwrap().faults;
    assert!(faults.len() == 1 && faults[0].to_string().contains("evals/"), "{faults:?}");
}

#[test]
fn an_illegal_best_move_is_found_by_deep_verification() {
    let (_folder, path, games) = corpus();
    let best =
        |game: usize, ply: u16, mv: &str| EvalRow { best: Some(mv.to_owned()), ..row(games[game], ply, 0.1) };
    let legal = [best(0, 1, "d2-c2"), best(0, 2, "d3-c3"), best(1, 1, "d6-c6"), best(2, 4, "c3-c2")];
    add_evals(&path, "a test", &run("nodes 1"), &legal).unwrap();
    // No piece, a piece of the other side, a cell off the board, no move, and a ply that the game does not have.
    let illegal = [
        best(0, 2, "a1-a2"),
        best(0, 1, "d4-d1"),
        best(1, 3, "d1-z9"),
        best(2, 4, "unknown"),
        best(2, 5, "d2-c2"),
        best(2, 1, "d2-c2"),
    ];
    assert!(verify(&path, VerifyDepth::Replay, CancelCheck::NEVER).unwrap().faults.is_empty());
    add_evals(&path, "a test", &run("nodes 2"), &illegal).unwrap();
    assert!(verify(&path, VerifyDepth::Files, CancelCheck::NEVER).unwrap().faults.is_empty());
    let faults = verify(&path, VerifyDepth::Replay, CancelCheck::NEVER).unwrap().faults;
    let found: Vec<String> = faults.iter().map(ToString::to_string).collect();
    let rows: Vec<usize> = faults
        .iter()
        .map(|fault| match fault {
            CorpusError::Damaged { fault: FileFault::BestMove { row, .. }, .. } => *row,
            other => panic!("{other}"),
        })
        .collect();
    assert_eq!(rows, [1, 0, 2, 3, 4], "{found:?}");
    let first = format!("row 1: the best move `d4-d1` is not legal before ply 1 of game {}", games[0]);
    assert!(found[0].contains("evals/") && found[0].ends_with(&first), "{}", found[0]);
    assert_eq!(faults[0].repair_command(), None);
    // Games that were removed have no evaluations.
    crate::remove::remove(&path, "a test", |corpus: &Corpus| Ok::<_, CorpusError>(corpus.games().collect()))
        .unwrap();
    assert!(verify(&path, VerifyDepth::Replay, CancelCheck::NEVER).unwrap().faults.is_empty());
}

#[test]
fn files_that_a_manifest_of_version_1_does_not_name_are_read_and_taken_over() {
    let (_folder, path, games) = corpus();
    let evals = path.join(EVALS_FOLDER);
    fs::create_dir(&evals).unwrap();
    for (limits, ply) in [("nodes 1", 1), ("nodes 2", 2)] {
        let mut bytes = Vec::new();
        let mut frame = frame(&run(limits), &[row(games[0], ply, 0.5)]).unwrap();
        ParquetWriter::new(&mut bytes).finish(&mut frame).unwrap();
        fs::write(evals.join(format!("1-{}.parquet", run(limits).id())), bytes).unwrap();
    }
    assert_eq!(open(&path).manifest().taflbase_corpus, 1);
    assert_eq!(cell(&open(&path), "SELECT COUNT(*) FROM evals"), "2");
    // A change that has nothing to do with them leaves them as they are.
    take_in(&path, "b.csv", Format::MoveList, &["d6-c6 e4-e6"]);
    assert_eq!(cell(&open(&path), "SELECT COUNT(*) FROM evals"), "2");
    add_evals(&path, "a test", &run("nodes 2"), &[row(games[0], 2, 0.1), row(games[0], 3, 0.1)]).unwrap();
    assert_eq!(open(&path).manifest().taflbase_corpus, 2);
    assert_eq!(open(&path).manifest().evals.len(), 2);
    assert_eq!(cell(&open(&path), "SELECT COUNT(*) FROM evals"), "3");
    assert!(verify(&path, VerifyDepth::Files, CancelCheck::NEVER).unwrap().faults.is_empty());
}

#[test]
fn files_of_a_killed_annotation_are_removed() {
    let (_folder, path, games) = corpus();
    let evals = path.join(EVALS_FOLDER);
    fs::create_dir(&evals).unwrap();
    fs::write(evals.join("cache.log"), "a log").unwrap();
    fs::write(evals.join("000009-1-0123456789abcdef.parquet"), "half").unwrap();
    assert_eq!(cell(&open(&path), "SELECT COUNT(*) FROM evals"), "0");
    add_evals(&path, "a test", &run("nodes 1"), &[row(games[0], 1, 0.5)]).unwrap();
    assert_eq!(cell(&open(&path), "SELECT COUNT(*) FROM evals"), "1");
    assert!(!evals.join("000009-1-0123456789abcdef.parquet").exists());
    assert!(evals.join("cache.log").exists());
}
