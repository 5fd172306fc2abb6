//! Notations of real archives; the environment variable `TAFL_RECORDS` names their folder.

use std::fs;

use tafl_parser::{Format, Parsed, ReadOptions, Record, Records, Source, WriteGame, retrace, write_record};
use tafl_tests::data;

fn findings(parsed: &Parsed<Record>) -> Vec<&'static str> {
    parsed.diagnostics.iter().map(|finding| finding.code().name()).collect()
}

#[test]
#[cfg_attr(not(has_records), ignore = "TAFL_RECORDS is not set")]
fn every_line_of_the_csv_archives_is_read() {
    for file in data::record_files("csv", ".csv") {
        for line in fs::read_to_string(file).unwrap().lines() {
            let parsed = Format::MoveList.parse(&Source::new(line));
            assert_eq!(findings(&parsed), [""; 0], "{line}");
        }
    }
}

#[test]
#[cfg_attr(not(has_records), ignore = "TAFL_RECORDS is not set")]
fn every_opentafl_file_is_read() {
    for file in data::record_files("otg", ".otg") {
        let text = fs::read_to_string(&file).unwrap();
        let parsed = Format::OpenTafl.parse(&Source::new(&text));
        let found = findings(&parsed);
        assert!(found.iter().all(|name| *name == "rules-tag-not-last"), "{}: {found:?}", file.display());
        assert!(parsed.value.rules.is_some() && parsed.value.result.is_some());
    }
}

#[test]
#[cfg_attr(not(has_records), ignore = "TAFL_RECORDS is not set")]
fn every_line_of_the_csv_archives_is_written_as_it_was() {
    for file in data::record_files("csv", ".csv") {
        for line in fs::read_to_string(file).unwrap().lines() {
            let record = Format::MoveList.parse(&Source::new(line)).value;
            let mut text = String::new();
            let losses =
                write_record(WriteGame { record: &record, played: None }, Format::MoveList, &mut text);
            assert_eq!(losses.as_deref(), Ok(&[][..]), "{line}");
            assert_eq!(text.strip_suffix('\n'), Some(line));
        }
    }
}

#[test]
#[cfg_attr(not(has_records), ignore = "TAFL_RECORDS is not set")]
fn every_opentafl_file_is_written_without_loss() {
    for file in data::record_files("otg", ".otg") {
        let text = fs::read_to_string(&file).unwrap();
        let source = Source::new(&text);
        let mut record = Format::OpenTafl.parse(&source).value;
        assert_eq!(retrace(&record, &source), text, "{}", file.display());
        let mut again = String::new();
        let losses = write_record(WriteGame { record: &record, played: None }, Format::OpenTafl, &mut again);
        assert_eq!(losses.as_deref(), Ok(&[][..]), "{}", file.display());
        let mut read = Format::OpenTafl.parse(&Source::new(&again)).value;
        read.forget_places();
        record.forget_places();
        assert_eq!(read, record, "{}", file.display());
    }
}

#[test]
#[cfg_attr(not(has_records), ignore = "TAFL_RECORDS is not set")]
fn the_notation_of_every_archive_is_recognized() {
    let folders = [
        ("csv", "csv", Format::MoveList),
        ("otg", "otg", Format::OpenTafl),
        ("ashton", "txt", Format::AshtonLog),
        ("ludii", "txt", Format::LudiiTrial),
        ("aagenielsen", "gz", Format::AageNielsen),
    ];
    for (folder, ending, format) in folders {
        for file in data::record_files(folder, ending) {
            let stream = Records::new("-", fs::File::open(&file).unwrap(), ReadOptions::default()).unwrap();
            assert_eq!(stream.format(), Some(format), "{}", file.display());
        }
    }
}
