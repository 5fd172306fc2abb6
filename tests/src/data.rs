//! Test data outside the repository: archives of real games, and results of independent models.
//!
//! Tests that need it have an attribute, so that they are reported as ignored if the data is absent (`tests/build.rs`):
//! `#[cfg_attr(not(has_records), ignore = "TAFL_RECORDS is not set")]`.

use std::fs;
use std::path::PathBuf;

fn folder(variable: &str) -> PathBuf {
    let folder = std::env::var_os(variable).unwrap_or_else(|| panic!("{variable} is not set"));
    PathBuf::from(folder)
}

/// Returns a part of the archives of real games, the folder that `TAFL_RECORDS` names.
///
/// # Panics
///
/// Panics if the variable is not set or the part is missing.
pub fn records(part: &str) -> PathBuf {
    let path = folder("TAFL_RECORDS").join(part);
    assert!(path.exists(), "TAFL_RECORDS names a folder without {part}");
    path
}

/// Returns the files of a part of the archives with an extension, sorted.
///
/// # Panics
///
/// Panics like [`records`], and if there are no such files.
pub fn record_files(part: &str, ending: &str) -> Vec<PathBuf> {
    let folder = records(part);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the folder can be listed").path())
        .filter(|path| path.to_string_lossy().ends_with(ending))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{} has no {ending}", folder.display());
    files
}

/// Returns the folder of oracle data, which `TAFL_ORACLE` names.
///
/// # Panics
///
/// Panics if the variable is not set.
pub fn oracle() -> PathBuf {
    folder("TAFL_ORACLE")
}
