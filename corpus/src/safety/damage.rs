//! Damaged files: every change is found, and none changes an answer or ends the program.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;

use tafl_parser::Format;
use tafl_rules::{AnyRulebook, Game, catalog};

use super::assert_sound;
use crate::cancel::CancelCheck;
use crate::error::{CorpusError, FileFault};
use crate::evals::add_evals;
use crate::explorer::{Explorer, GameSubset};
use crate::file::files_below;
use crate::folder::Corpus;
use crate::ingest::tests::{GAMES, LONG_GAME, take_in};
use crate::lock::LOCK_FILE;
use crate::openings::{Orientation, QueryPosition};
use crate::query::Query;
use crate::schema::{EvalRow, EvalRun};
use crate::search::{CountEffort, HitUnit, PageRequest, Searcher};
use crate::segment_files::CHECKSUMS_FILE;
use crate::sql::sql;
use crate::verify::{VerifyDepth, verify};

#[test]
fn every_flipped_byte_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    take_in(&path, "a.csv", Format::MoveList, &[LONG_GAME, "d2-c2 e4-e1 b4-c5 d4-e4"]);
    take_in(&path, "b.csv", Format::MoveList, &[LONG_GAME]);
    let files = files_below(&path).unwrap();
    assert!(files.iter().any(|file| file.starts_with("copies/")), "{files:?}");
    assert!(files.iter().any(|file| file.starts_with("rejected/")), "{files:?}");
    assert!(files.iter().filter(|file| file.contains("/index/")).count() > 3, "{files:?}");
    for name in files.iter().filter(|name| *name != LOCK_FILE) {
        let file = path.join(name);
        let bytes = fs::read(&file).unwrap();
        let step = (bytes.len() / 40).max(1);
        for at in (0..bytes.len()).step_by(step) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << (at % 8);
            fs::write(&file, damaged).unwrap();
            let message = match verify(&path, VerifyDepth::Files, CancelCheck::NEVER) {
                Ok(report) => report.faults.iter().map(ToString::to_string).collect(),
                Err(error) => error.to_string(),
            };
            assert!(message.contains(name.as_str()), "{name}, byte {at}: {message}");
        }
        fs::write(&file, &bytes[..bytes.len() - 1]).unwrap();
        assert!(
            !verify(&path, VerifyDepth::Files, CancelCheck::NEVER)
                .is_ok_and(|report| report.faults.is_empty()),
            "{name} is short"
        );
        fs::remove_file(&file).unwrap();
        assert!(
            !verify(&path, VerifyDepth::Files, CancelCheck::NEVER)
                .is_ok_and(|report| report.faults.is_empty()),
            "{name} is gone"
        );
        fs::write(&file, bytes).unwrap();
    }
    assert_sound(&path);
}

#[test]
fn damage_never_panics() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    take_in(&path, "a.csv", Format::MoveList, &GAMES);
    for name in files_below(&path).unwrap().iter().filter(|name| name.starts_with("segments/")) {
        let file = path.join(name);
        let bytes = fs::read(&file).unwrap();
        for at in (0..bytes.len()).step_by((bytes.len() / 5).max(1)) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x41;
            fs::write(&file, damaged).unwrap();
            // Damaged or not, no call may panic.
            if let Ok(corpus) = Corpus::open(&path) {
                let _ = corpus.segments()[0].games();
                for at in corpus.games() {
                    let _ = corpus.game(at).map(|row| corpus.segments()[at.segment].plies(&[row], at.row));
                }
            }
        }
        fs::write(&file, bytes).unwrap();
    }
}

/// Returns the answers of a corpus to a question of each kind.
pub(super) fn answers(corpus: &Corpus) -> Vec<Result<String, CorpusError>> {
    let start = catalog::find("brandubh7").unwrap().rules();
    let book = AnyRulebook::compile(&start).unwrap();
    let threads = NonZeroUsize::new(2).unwrap();
    let searcher = Searcher::open(corpus, threads);
    let ask = |text: String| {
        let page = PageRequest { unit: HitUnit::Position, offset: 0, limit: 10, effort: CountEffort::Exact };
        let query = Query::parse(&text).unwrap();
        let found = searcher.page(&query, page, CancelCheck::NEVER)?;
        searcher.rows(corpus, &query, &found).map(|rows| format!("{found:?} {rows:?}"))
    };
    let explore = || {
        let position = QueryPosition::new(&Game::new(&book), &book, Orientation::Folded);
        Explorer::open(corpus)?
            .position(&position, GameSubset::All, CancelCheck::NEVER)
            .map(|node| format!("{node:?}"))
    };
    let rows = || {
        let rows = corpus.segments()[0].games()?;
        corpus.segments()[0].plies(&rows, 0).map(|plies| format!("{rows:?} {plies:?}"))
    };
    let position = format!("position \"{}\"", start.start);
    let texts = ["capture", "plies>3", "pattern \"tT\"", &position].map(str::to_owned);
    let tables = SQL.iter().map(|question| sql(corpus, question).map(|table| format!("{table:?}")));
    let game = corpus.segments()[0].game_ids().map(|games| games[0]);
    let evals = game.and_then(|game| corpus.game_evals(game)).map(|rows| format!("{rows:?}"));
    let beside = [
        corpus.late_copies().map(|copies| format!("{copies:?}")),
        corpus.rejected().map(|records| format!("{records:?}")),
        evals,
    ];
    texts.into_iter().map(ask).chain([explore(), rows()]).chain(tables).chain(beside).collect()
}

/// Queries over every table, and with conditions and limits that polars passes down to the files.
const SQL: [&str; 6] = [
    "SELECT COUNT(*) FROM games",
    "SELECT * FROM games",
    "SELECT \"from\", \"to\" FROM plies WHERE captured IS NOT NULL LIMIT 3",
    "SELECT * FROM openings ORDER BY ply, key LIMIT 2",
    "SELECT g.variant, SUM(p.moves) FROM games g JOIN plies p ON g.game = p.game GROUP BY g.variant",
    "SELECT * FROM evals",
];

/// Creates a corpus with files of every kind: a segment, a copy, a rejected record, and evaluations.
pub(super) fn with_every_file(path: &Path) {
    take_in(path, "a.csv", Format::MoveList, &[LONG_GAME, GAMES[1], GAMES[2]]);
    take_in(path, "b.csv", Format::MoveList, &[LONG_GAME, "d1-d9 e4-e5"]);
    let game = Corpus::open(path).unwrap().segments()[0].game_ids().unwrap()[0];
    let rows = [1, 2].map(|ply| EvalRow { game, ply, loss: Some(0.25), ..EvalRow::default() });
    add_evals(path, "a test", &EvalRun::default(), &rows).unwrap();
}

/// Damages every file of a corpus in several ways, and compares the answers of a reader that opened it before, and of one
/// that opens it afterward, with the right ones. Returns the number of errors.
fn damage_each_file(path: &Path) -> usize {
    let right: Vec<String> = answers(&Corpus::open(path).unwrap()).into_iter().map(Result::unwrap).collect();
    let mut n_errors = 0;
    let mut check = |found: Vec<Result<String, CorpusError>>, file: &str| {
        for (found, right) in found.into_iter().zip(&right) {
            match found {
                Ok(found) => assert!(found == *right, "{file}: {found} instead of {right}"),
                Err(CorpusError::Damaged { .. }) => n_errors += 1,
                Err(error) => panic!("{file}: {error}"),
            }
        }
    };
    let files = files_below(path).unwrap();
    for name in files.iter().filter(|name| name.contains('/') && !name.ends_with(".lock")) {
        let file = path.join(name);
        let bytes = fs::read(&file).unwrap();
        let flipped = |at: usize| {
            let mut bytes = bytes.clone();
            bytes[at] ^= 0x10;
            bytes
        };
        let half = bytes.len() / 2;
        for damaged in [Vec::new(), bytes[..half].to_vec(), flipped(half), flipped(bytes.len() - 1)] {
            let before = Corpus::open(path).unwrap();
            // Truncates the file and writes into it: the readers have the same file open.
            fs::write(&file, damaged).unwrap();
            check(answers(&before), name);
            check(Corpus::open(path).map_or_else(|error| vec![Err(error)], |corpus| answers(&corpus)), name);
            fs::write(&file, &bytes).unwrap();
        }
    }
    n_errors
}

#[test]
fn a_file_that_changes_below_a_reader_never_changes_an_answer_or_ends_the_reader() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    with_every_file(&path);
    let n_errors = damage_each_file(&path);
    assert!(n_errors > 60, "{n_errors}");
}

#[test]
fn files_without_checksums_of_their_blocks_are_checked_as_a_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    with_every_file(&path);
    // As an older version wrote it.
    let mut writer = crate::writer::CorpusWriter::open(&path, "").unwrap();
    let mut entry = writer.manifest().segments[0].clone();
    fs::remove_file(path.join("segments").join(&entry.name).join(CHECKSUMS_FILE)).unwrap();
    entry.files.retain(|file| file.path != CHECKSUMS_FILE);
    writer.replace(0, 1, Some(entry));
    writer.commit().unwrap();
    drop(writer);
    let n_errors = damage_each_file(&path);
    assert!(n_errors > 60, "{n_errors}");
}

#[test]
fn a_missing_table_of_evaluations_is_an_error_only_for_those_who_read_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus");
    with_every_file(&path);
    let file = Corpus::open(&path).unwrap().eval_files()[0].path().to_owned();
    fs::remove_file(file).unwrap();
    let corpus = Corpus::open(&path).unwrap();
    assert!(sql(&corpus, "SELECT COUNT(*) FROM games").is_ok());
    for error in [sql(&corpus, "SELECT * FROM evals").map(drop), corpus.eval_tables().map(drop)] {
        let error = error.unwrap_err();
        assert!(matches!(error, CorpusError::Damaged { fault: FileFault::Missing, .. }), "{error}");
    }
}
