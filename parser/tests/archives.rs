//! Real archives, where the environment variable `TAFL_RECORDS` names their folder.

use std::fs;
use std::path::PathBuf;

use tafl_parser::{Format, Parsed, Record, Source};

/// Returns the files of a folder of the archives, or nothing, and says so, where there are none.
fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let Some(root) = std::env::var_os("TAFL_RECORDS") else {
        println!("skipped: TAFL_RECORDS is not set");
        return Vec::new();
    };
    let folder = PathBuf::from(root).join(folder);
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("the folder can be listed").path())
        .filter(|path| path.extension().is_some_and(|found| found == ending))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{} holds no .{ending}", folder.display());
    files
}

fn findings(parsed: &Parsed<Record>) -> Vec<&'static str> {
    parsed.diagnostics.iter().map(|finding| finding.code().name()).collect()
}

#[test]
fn every_line_of_the_csv_archives_is_read() {
    for file in files("csv", "csv") {
        for line in fs::read_to_string(file).unwrap().lines() {
            let parsed = Format::MoveList.parse(&Source::new(line));
            assert_eq!(findings(&parsed), [""; 0], "{line}");
        }
    }
}

#[test]
fn every_opentafl_file_is_read() {
    for file in files("otg", "otg") {
        let text = fs::read_to_string(&file).unwrap();
        let parsed = Format::OpenTafl.parse(&Source::new(&text));
        let found = findings(&parsed);
        println!(
            "{}: {} moves {} lines {found:?}",
            file.display(),
            parsed.value.main().moves.len(),
            parsed.value.lines.len()
        );
        assert!(found.iter().all(|name| *name == "rules-tag-not-last"), "{}: {found:?}", file.display());
        assert!(parsed.value.rules.is_some() && parsed.value.result.is_some());
    }
}
