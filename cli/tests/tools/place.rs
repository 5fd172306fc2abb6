//! A folder in which the program is run.

use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

use super::{Ran, run_with};

/// A folder that ends with its test.
pub(super) struct Place(TempDir);

impl Place {
    /// Returns an empty folder.
    pub(super) fn new() -> Place {
        Place(tempfile::tempdir().unwrap())
    }

    /// Returns a path below the folder.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file below the folder, and makes the folders on the way to it.
    pub(super) fn file(&self, name: &str, content: &(impl AsRef<[u8]> + ?Sized)) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// Returns the words of a command line; words with `@` are paths below the folder.
    pub(super) fn words(&self, words: &[&str]) -> Vec<String> {
        let path = |word: &&str| match word.strip_prefix('@') {
            Some(name) => self.path(name).display().to_string(),
            None => (*word).to_owned(),
        };
        words.iter().map(path).collect()
    }

    /// Runs the program; words with `@` are paths below the folder.
    pub(super) fn run(&self, words: &[&str]) -> Ran {
        self.run_with(words, "")
    }

    /// Runs the program with standard input; words with `@` are paths below the folder.
    pub(super) fn run_with(&self, words: &[&str], stdin: &str) -> Ran {
        run_with(&self.words(words).iter().map(String::as_str).collect::<Vec<_>>(), stdin)
    }
}
