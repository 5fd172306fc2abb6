//! Tests of integrations, which run as their users run them: code scanning, the GitHub action, and grammars of editors.

mod action;
mod editors;
mod sarif;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// Returns a path in the workspace.
fn in_workspace(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// Returns a folder with the samples in `games`.
fn sample_folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games");
    fs::create_dir(&games).unwrap();
    for entry in fs::read_dir(in_workspace("cli/samples")).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, games.join(path.file_name().unwrap())).unwrap();
    }
    folder
}

/// Runs the program in a folder.
fn tafl(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tafl")).args(args).current_dir(folder).output().unwrap()
}

/// Returns the lines of an output.
fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}
