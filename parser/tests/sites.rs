//! The records of sites and programs as streams: made-up ones from the fixtures, and the real archives where the
//! environment variable `TAFL_RECORDS` names their folder.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

use tafl_parser::reader::{ReadOptions, Records};
use tafl_parser::{Format, Parsed, Record};

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fixtures/records");

/// The fixtures with their formats, and how many records each holds.
const STREAMS: [(&str, Format, usize); 12] = [
    ("aagenielsen.jsonl", Format::AageNielsen, 3),
    ("abstractplay-hexentafl.json", Format::AbstractPlay, 1),
    ("abstractplay-tablut.json", Format::AbstractPlay, 1),
    ("ashton-log-escape.txt", Format::AshtonLog, 1),
    ("ashton-log-refused.txt", Format::AshtonLog, 1),
    ("ashton-log-timeout.txt", Format::AshtonLog, 1),
    ("hnefatafl-org.json", Format::HnefataflOrg, 1),
    ("hnefatafl-org-7.json", Format::HnefataflOrg, 1),
    ("hnefatafl-org.ron", Format::HnefataflOrg, 1),
    ("ludii-trial-brandub.trl", Format::LudiiTrial, 1),
    ("ludii-trial-hexentafl.trl", Format::LudiiTrial, 1),
    ("playtaflonline.json", Format::PlayTaflOnline, 1),
];

/// Returns the format that was found out and every record of a file, with what is said about each.
fn read(path: &Path) -> (Option<Format>, Vec<Parsed<Record>>) {
    let file = File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut records = Records::new(&path.display().to_string(), file, ReadOptions::default())
        .expect("the file can be read");
    let mut parsed = Vec::new();
    while let Some(batch) = records.next_batch().expect("the file can be read") {
        assert_eq!(batch.findings(), [], "{}", path.display());
        parsed.extend(batch.parse().map(|(_, parsed)| parsed));
    }
    (records.format(), parsed)
}

#[test]
fn every_fixture_is_found_out_and_read_without_a_finding() {
    for (name, format, n_records) in STREAMS {
        let (found, records) = read(&Path::new(FIXTURES).join("valid").join(name));
        assert_eq!((found, records.len()), (Some(format), n_records), "{name}");
        for parsed in records {
            let findings: Vec<&str> =
                parsed.diagnostics.iter().map(|finding| finding.code().name()).collect();
            assert!(findings.iter().all(|name| *name == "refused-move"), "{name}: {findings:?}");
        }
    }
}

#[test]
fn every_game_of_aagenielsen_is_read() {
    let Some(root) = std::env::var_os("TAFL_RECORDS") else {
        return println!("skipped: TAFL_RECORDS is not set");
    };
    let (format, records) = read(&Path::new(&root).join("aagenielsen/games.jsonl.gz"));
    assert_eq!((format, records.len()), (Some(Format::AageNielsen), 28_876));
    let mut findings: BTreeMap<&str, usize> = BTreeMap::new();
    for finding in records.iter().flat_map(|parsed| &parsed.diagnostics) {
        *findings.entry(finding.code().name()).or_default() += 1;
    }
    let count = |of: fn(&Record) -> usize| records.iter().map(|parsed| of(&parsed.value)).sum::<usize>();
    let n_moves = count(|record| record.main().moves.len());
    let n_endings = count(|record| usize::from(record.ending.is_some()));
    let n_results = count(|record| usize::from(record.result.is_some()));
    println!("{n_moves} moves, {n_endings} endings, {n_results} results, findings {findings:?}");
    assert_eq!((n_moves, n_endings, n_results), (1_242_289, 16_563, 28_876));
    // Two games go on after a first `timeout` and have a second ending word.
    assert_eq!(findings, BTreeMap::from([("stray-text", 2)]));
}
