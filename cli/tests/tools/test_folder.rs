//! A temporary folder in which tests run the program.

use std::fs;
use std::path::PathBuf;

use tafl_cli::Exit;
use tempfile::TempDir;

use super::{RunOutput, run_with};

/// A temporary folder, which is removed when it is dropped.
pub(super) struct TestFolder(TempDir);

impl TestFolder {
    /// Returns an empty folder.
    pub(super) fn new() -> TestFolder {
        TestFolder(tempfile::tempdir().unwrap())
    }

    /// Returns a folder with files, and a corpus of their games, which must be without findings. `args` are more arguments of
    /// the import.
    pub(super) fn with_corpus(files: &[(&str, &str)], args: &[&str]) -> TestFolder {
        let folder = TestFolder::new();
        for (name, text) in files {
            folder.file(name, text);
        }
        let paths: Vec<String> = files.iter().map(|(name, _)| format!("@{name}")).collect();
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        let output = folder.run(&[&["import", "@corpus"], &*paths, args].concat());
        assert_eq!(output.exit, Exit::Ok, "{}{}", output.text(), output.stderr);
        folder
    }

    /// Returns a path in the folder.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file in the folder, and creates missing parent folders.
    pub(super) fn file(&self, name: &str, content: &(impl AsRef<[u8]> + ?Sized)) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// Returns the arguments of a command line; those with `@` are paths in the folder.
    pub(super) fn args(&self, args: &[&str]) -> Vec<String> {
        let path = |word: &&str| match word.strip_prefix('@') {
            Some(name) => self.path(name).display().to_string(),
            None => (*word).to_owned(),
        };
        args.iter().map(path).collect()
    }

    /// Runs the program; arguments with `@` are paths in the folder.
    pub(super) fn run(&self, args: &[&str]) -> RunOutput {
        self.run_with(args, "")
    }

    /// Runs the program with standard input; arguments with `@` are paths in the folder.
    pub(super) fn run_with(&self, args: &[&str], stdin: &str) -> RunOutput {
        run_with(&self.args(args).iter().map(String::as_str).collect::<Vec<_>>(), stdin)
    }
}
