//! Round trips of records through every notation, and of games through an export.
//!
//! `mutate --round-trips` checks more random records, and whole archives (`tests/fuzz/README.md`).

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use tafl_corpus::{Corpus, GameId, GameRow};
use tafl_parser::{Format, ReadOptions, Record, Records};
use tafl_rules::Rng;
use tafl_tests::data;
use tafl_tests::random_record::RandomRecords;
use tafl_tests::round_trip::{RoundTrip, RoundTrips, writable_formats};
use taflbase::database::{ExportRequest, ExportedGame, ImportRequest};
use taflbase::{App, Job, Named, StreamRequest, WritableNotation};

/// One of this number of games of the play site is checked.
const SAMPLE: usize = 97;

/// Counts the round trips of a record, and adds the differences to `failures`.
fn check(
    record: &Record,
    trips: &mut RoundTrips,
    counts: &mut BTreeMap<Format, u64>,
    failures: &mut Vec<String>,
) {
    for format in writable_formats() {
        match trips.check(record, format) {
            Ok(RoundTrip::Same) => *counts.entry(format).or_default() += 1,
            Ok(RoundTrip::NotExpressible) => {}
            Err(difference) => failures.push(format!("{difference}\n{}", trips.text())),
        }
    }
}

#[test]
fn random_records_come_back_or_their_losses_are_listed() {
    let (mut records, mut trips) = (RandomRecords::new(), RoundTrips::default());
    let (mut counts, mut failures) = (BTreeMap::new(), Vec::new());
    for number in 0..400 {
        let record = records.record(&mut Rng::stream(1, number));
        check(&record, &mut trips, &mut counts, &mut failures);
    }
    assert!(failures.is_empty(), "{} of {counts:?}, such as {}", failures.len(), failures[0]);
    assert_eq!(counts.len(), writable_formats().len(), "{counts:?}");
}

/// Returns the files of the archives.
fn archives() -> Vec<PathBuf> {
    let parts = [("csv", "csv"), ("otg", "otg"), ("ashton", "txt"), ("ludii", "txt"), ("aagenielsen", "gz")];
    parts.into_iter().flat_map(|(part, ending)| data::record_files(part, ending)).collect()
}

/// Passes the records of a file to a function.
fn each_record(path: &Path, mut take: impl FnMut(&Record)) {
    let file = fs::File::open(path).unwrap();
    let mut records = Records::new("-", file, ReadOptions::default()).unwrap();
    while let Some(batch) = records.next_batch().unwrap() {
        batch.parse().for_each(|(_, parsed)| take(&parsed.value));
    }
}

#[test]
#[cfg_attr(not(has_records), ignore = "TAFL_RECORDS is not set")]
fn records_of_the_archives_come_back_or_their_losses_are_listed() {
    let mut trips = RoundTrips::default();
    let (mut counts, mut failures, mut n_valid, mut nth) = (BTreeMap::new(), Vec::new(), 0, 0);
    for path in archives() {
        let is_large = path.extension().is_some_and(|extension| extension == "gz" || extension == "csv");
        each_record(&path, |record| {
            nth += 1;
            if (is_large && nth % SAMPLE != 0) || !trips.is_valid(record) {
                return;
            }
            n_valid += 1;
            check(record, &mut trips, &mut counts, &mut failures);
        });
    }
    println!("{n_valid} records: {counts:?}");
    failures.iter().for_each(|failure| println!("{}", failure.lines().next().unwrap_or_default()));
    assert!(failures.is_empty(), "{} of {counts:?}, such as {}", failures.len(), failures[0]);
    assert!(n_valid > 300);
}

/// Imports files into a new corpus, and returns it.
fn import(folder: &Path, name: &str, paths: Vec<PathBuf>) -> Corpus {
    let corpus = folder.join(name);
    let request = ImportRequest { corpus: corpus.clone(), paths, ..ImportRequest::default() };
    request.run(&App::new(), &Job::default(), &mut |_| Ok(())).unwrap();
    Corpus::open(&corpus).unwrap()
}

/// Returns the games of a corpus as texts in alphabetical order, without what depends on the file from which they came: also
/// the numbers of possible copies, which are made of its name and the line.
fn games(corpus: &Corpus) -> Vec<String> {
    let game = |at| {
        let row = corpus.game(at).unwrap();
        let tags = row.tags.iter().filter(|(name, _)| name != "corpus-id").cloned().collect();
        let row =
            GameRow { source: None, place: None, text: None, format: None, findings: None, tags, ..row };
        let (game, duplicate_of, copies) = (GameId::default(), None, Vec::new());
        format!("{:?}", GameRow { game, duplicate_of, copies, quality_score: 0, ..row })
    };
    let mut games: Vec<String> = corpus.games().map(game).collect();
    games.sort();
    games
}

#[test]
#[cfg_attr(not(has_records), ignore = "TAFL_RECORDS is not set")]
fn an_export_imported_into_an_empty_corpus_has_the_same_games() {
    let folder = tempfile::tempdir().unwrap();
    let sample = folder.path().join("sample.jsonl");
    let archive = data::record_files("aagenielsen", "gz").remove(0);
    let mut text = Vec::new();
    std::io::Read::read_to_end(
        &mut flate2::read::GzDecoder::new(fs::File::open(archive).unwrap()),
        &mut text,
    )
    .unwrap();
    let lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').step_by(SAMPLE).collect();
    fs::write(&sample, lines.concat()).unwrap();
    let others = ["csv", "otg", "ashton", "ludii"].map(data::records);
    let stored = import(folder.path(), "stored", [sample].into_iter().chain(others).collect());
    let exported = folder.path().join("exported.jsonl");
    let to = Named(WritableNotation(Format::Jsonl));
    let request = ExportRequest { corpus: stored.path().to_owned(), to, ..ExportRequest::default() };
    let mut out = String::new();
    let mut take = |game: ExportedGame| {
        out += &game.text;
        Ok(())
    };
    request.run(&App::new(), &Job::default(), &mut take).unwrap();
    fs::write(&exported, out).unwrap();
    let again = import(folder.path(), "again", vec![exported]);
    let (stored, again) = (games(&stored), games(&again));
    assert!(stored.len() > 1000, "{}", stored.len());
    assert_eq!(again.len(), stored.len());
    for (again, stored) in again.iter().zip(&stored) {
        assert_eq!(again, stored);
    }
}
