//! Inputs: files, folders, globs, and standard input.

use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use tafl_parser::Code;

/// One thing to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// Standard input, `-`.
    Stdin,
    /// A stream that the program has, such as a text in memory, with its name.
    Stream(String),
    /// A file that was named, or that a glob found.
    Named(PathBuf),
    /// A file that was found in this folder. It may contain no records.
    Found {
        /// The file.
        path: PathBuf,
        /// The folder that was named.
        folder: PathBuf,
    },
}

/// The inputs in the order of the arguments; the files of a folder by name.
#[derive(Debug, Default)]
pub struct Inputs {
    /// The inputs to read.
    pub list: Vec<Input>,
    /// The problems of the paths.
    pub problems: Vec<InputProblem>,
}

/// The reason why a path is not read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum InputProblem {
    /// It does not exist or can't be looked at.
    Missing {
        /// The path.
        path: PathBuf,
        /// The reason, in words.
        reason: String,
    },
    /// Standard input was named more than once.
    StdinTwice,
    /// A folder without files.
    EmptyFolder(PathBuf),
}

impl InputProblem {
    /// Returns whether something can't be read; if not, there is only something to know.
    pub fn is_error(&self) -> bool {
        matches!(self, InputProblem::Missing { .. })
    }
}

impl fmt::Display for InputProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputProblem::Missing { path, reason } => write!(f, "{}: {reason}", path.display()),
            InputProblem::StdinTwice => {
                f.write_str("`-` is given more than once, but standard input can be read only once")
            }
            InputProblem::EmptyFolder(path) => write!(f, "{}: the folder contains no files", path.display()),
        }
    }
}

impl Input {
    /// Returns the name for people: the path, or `-`.
    pub fn name(&self) -> String {
        match self {
            Input::Stdin => "-".to_owned(),
            Input::Stream(name) => name.clone(),
            Input::Named(path) | Input::Found { path, .. } => path.display().to_string(),
        }
    }

    /// Returns the path, if it is a file.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Input::Stdin | Input::Stream(_) => None,
            Input::Named(path) | Input::Found { path, .. } => Some(path),
        }
    }

    /// Returns whether a finding about the file means only that a folder holds other files too.
    pub fn is_skipped_for(&self, code: Code) -> bool {
        is_foreign(code) && matches!(self, Input::Found { .. })
    }

    /// Returns the path below the folder that was named, or the file's name; `-` is `stdin`.
    pub fn relative(&self) -> &Path {
        match self {
            Input::Stdin => Path::new("stdin"),
            Input::Stream(name) => Path::new(name).file_name().map_or(Path::new("stream"), Path::new),
            Input::Named(path) => path.file_name().map_or(path, Path::new),
            Input::Found { path, folder } => path.strip_prefix(folder).unwrap_or(path),
        }
    }
}

/// Returns whether a finding about a file means that it contains no records.
pub(super) fn is_foreign(code: Code) -> bool {
    ["unknown-format", "binary-data"].contains(&code.name())
}

impl Inputs {
    /// Finds everything that paths mean.
    pub fn find(paths: &[PathBuf]) -> Inputs {
        let mut inputs = Inputs::default();
        for path in paths {
            inputs.add(path);
        }
        inputs
    }

    /// Returns whether something that was named can't be read.
    pub fn is_incomplete(&self) -> bool {
        self.problems.iter().any(InputProblem::is_error)
    }

    fn add(&mut self, path: &Path) {
        if path.as_os_str() == "-" {
            if self.list.contains(&Input::Stdin) {
                self.problems.push(InputProblem::StdinTwice);
            } else {
                self.list.push(Input::Stdin);
            }
        } else if path.is_dir() {
            let before = self.list.len();
            self.walk(path, path);
            if self.list.len() == before {
                self.problems.push(InputProblem::EmptyFolder(path.to_owned()));
            }
        } else {
            match path.try_exists() {
                Ok(true) => self.list.push(Input::Named(path.to_owned())),
                // It may or may not exist: a folder above it is closed.
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                    self.miss(path, &error.to_string());
                }
                Ok(false) | Err(_) => self.add_glob(path),
            }
        }
    }

    /// Adds every file below a folder, by name; hidden ones are skipped, and links to folders are not followed.
    fn walk(&mut self, folder: &Path, root: &Path) {
        let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        let mut entries = match entries {
            Ok(entries) => entries,
            Err(error) => return self.miss(folder, &error.to_string()),
        };
        entries.retain(|entry| !is_hidden(&entry.file_name()));
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let path = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                self.walk(&path, root);
            } else if path.is_file() {
                self.list.push(Input::Found { path, folder: root.to_owned() });
            }
        }
    }

    /// Expands a path with `*`, `?` or `[`, if the shell has not done so. Hidden files and folders are added
    /// only if the pattern has the dot, as in a shell.
    fn add_glob(&mut self, path: &Path) {
        let pattern = path.to_str().filter(|text| text.contains(['*', '?', '[']));
        let Some(pattern) = pattern else { return self.miss(path, "no such file or folder") };
        let found = match glob::glob(pattern) {
            Ok(found) => found,
            Err(error) => return self.miss(path, error.msg),
        };
        let before = self.list.len();
        let dots = n_hidden(Path::new(pattern));
        for path in found {
            match path {
                // The option of `glob` for this fails for names that aren't UTF-8.
                Ok(path) if n_hidden(&path) > dots => {}
                Ok(path) if path.is_dir() => self.walk(&path, &path),
                Ok(path) => self.list.push(Input::Named(path)),
                Err(error) => self.miss(error.path(), &error.error().to_string()),
            }
        }
        if self.list.len() == before {
            self.miss(path, "nothing matches");
        }
    }

    fn miss(&mut self, path: &Path, reason: &str) {
        self.problems.push(InputProblem::Missing { path: path.to_owned(), reason: reason.to_owned() });
    }
}

fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// Returns the number of hidden components of a path.
fn n_hidden(path: &Path) -> usize {
    path.components().filter(|part| matches!(part, Component::Normal(name) if is_hidden(name))).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(folder: &Path, patterns: &[&str]) -> Inputs {
        let paths: Vec<PathBuf> = patterns.iter().map(|pattern| folder.join(pattern)).collect();
        Inputs::find(&paths)
    }

    fn names(folder: &Path, patterns: &[&str]) -> Vec<String> {
        find(folder, patterns).list.iter().map(|input| input.relative().display().to_string()).collect()
    }

    #[test]
    fn folders_globs_and_missing_files() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join("games/old")).unwrap();
        for name in ["games/b.csv", "games/a.csv", "games/old/c.otg", "games/.hidden", "games/x[1].csv"] {
            fs::write(root.join(name), "").unwrap();
        }
        assert_eq!(names(root, &["games"]), ["a.csv", "b.csv", "old/c.otg", "x[1].csv"]);
        assert_eq!(names(root, &["games/?.csv"]), ["a.csv", "b.csv"]);
        assert_eq!(names(root, &["games/*"]), ["a.csv", "b.csv", "c.otg", "x[1].csv"]);
        assert_eq!(names(root, &["games/.h*"]), [".hidden"]);
        assert_eq!(names(root, &["games/x[1].csv"]), ["x[1].csv"]);
        let found = find(root, &["nowhere", "games/a.csv"]);
        assert_eq!((found.list.len(), found.is_incomplete()), (1, true));
        assert!(found.problems[0].to_string().ends_with("nowhere: no such file or folder"));
        assert!(find(root, &["games/*.pgn"]).is_incomplete());
    }

    #[test]
    fn standard_input_is_read_once() {
        let inputs = Inputs::find(&["-".into(), "-".into()]);
        assert_eq!((inputs.list, inputs.problems), (vec![Input::Stdin], vec![InputProblem::StdinTwice]));
    }
}
