//! What to read: files, folders, globs and standard input.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use tafl_parser::Code;

use crate::Io;

/// One thing to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Input {
    /// Standard input, `-`.
    Stdin,
    /// A file that was named, or that a glob found.
    Named(PathBuf),
    /// A file that was found in this folder. It may be something else than records.
    Found {
        /// The file.
        path: PathBuf,
        /// The folder that was named.
        folder: PathBuf,
    },
}

/// Everything to read, in the order of the command line; files of a folder by name.
#[derive(Debug, Default)]
pub(crate) struct Inputs {
    /// What can be tried.
    pub(crate) list: Vec<Input>,
    /// Whether something that was named is not there. It has been said on standard error.
    pub(crate) is_incomplete: bool,
}

impl Input {
    /// Returns the name for people: the path, or `-`.
    pub(crate) fn name(&self) -> String {
        self.path().map_or_else(|| "-".to_owned(), |path| path.display().to_string())
    }

    /// Returns the path, if it is a file.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Input::Stdin => None,
            Input::Named(path) | Input::Found { path, .. } => Some(path),
        }
    }

    /// Returns whether a finding about the file means no more than that a folder holds other files too.
    pub(crate) fn is_passed_over(&self, code: Code) -> bool {
        Input::is_foreign(code) && matches!(self, Input::Found { .. })
    }

    /// Returns whether a finding about a file means that it is something else than records.
    pub(crate) fn is_foreign(code: Code) -> bool {
        ["unknown-format", "binary-data"].contains(&code.name())
    }

    /// Returns the path below the folder that was named, or the file's name; `-` is `stdin`.
    pub(crate) fn relative(&self) -> &Path {
        match self {
            Input::Stdin => Path::new("stdin"),
            Input::Named(path) => path.file_name().map_or(path, Path::new),
            Input::Found { path, folder } => path.strip_prefix(folder).unwrap_or(path),
        }
    }
}

impl Inputs {
    /// Finds everything that the paths of a command line mean; what is missing is said on standard error.
    pub(crate) fn find(paths: &[PathBuf], io: &mut Io<'_>) -> Inputs {
        let mut inputs = Inputs::default();
        for path in paths {
            inputs.add(path, io);
        }
        inputs
    }

    fn add(&mut self, path: &Path, io: &mut Io<'_>) {
        if path.as_os_str() == "-" {
            if self.list.contains(&Input::Stdin) {
                io.notice("`-` is named more than once; standard input is read once");
            } else {
                self.list.push(Input::Stdin);
            }
        } else if path.is_dir() {
            let before = self.list.len();
            self.walk(path, path, io);
            if self.list.len() == before {
                io.notice(&format!("{}: the folder holds no files", taflbase::escape::escape_path(path)));
            }
        } else {
            match path.try_exists() {
                Ok(true) => self.list.push(Input::Named(path.to_owned())),
                // Nobody can say whether it is there: a folder above it is closed.
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                    self.miss(path, &error.to_string(), io);
                }
                Ok(false) | Err(_) => self.add_glob(path, io),
            }
        }
    }

    /// Adds every file below a folder, by name; hidden ones are passed over, links to folders are not followed.
    fn walk(&mut self, folder: &Path, root: &Path, io: &mut Io<'_>) {
        let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        let mut entries = match entries {
            Ok(entries) => entries,
            Err(error) => return self.miss(folder, &error.to_string(), io),
        };
        entries.retain(|entry| !is_hidden(&entry.file_name()));
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let path = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                self.walk(&path, root, io);
            } else if path.is_file() {
                self.list.push(Input::Found { path, folder: root.to_owned() });
            }
        }
    }

    /// Adds what a path with `*`, `?` or `[` stands for, where the shell has not done so; hidden files and folders only where
    /// the pattern has the dot, as a shell does it.
    fn add_glob(&mut self, path: &Path, io: &mut Io<'_>) {
        let pattern = path.to_str().filter(|text| text.contains(['*', '?', '[']));
        let Some(pattern) = pattern else { return self.miss(path, "no such file or folder", io) };
        let found = match glob::glob(pattern) {
            Ok(found) => found,
            Err(error) => return self.miss(path, error.msg, io),
        };
        let before = self.list.len();
        let dots = n_hidden(Path::new(pattern));
        for path in found {
            match path {
                // The option of `glob` for this fails at names that are no UTF-8.
                Ok(path) if n_hidden(&path) > dots => {}
                Ok(path) if path.is_dir() => self.walk(&path, &path, io),
                Ok(path) => self.list.push(Input::Named(path)),
                Err(error) => self.miss(error.path(), &error.error().to_string(), io),
            }
        }
        if self.list.len() == before {
            self.miss(path, "nothing matches", io);
        }
    }

    fn miss(&mut self, path: &Path, why: &str, io: &mut Io<'_>) {
        self.is_incomplete = true;
        io.error(&format!("{}: {why}", path.display()));
    }
}

fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

/// Returns how many parts of a path are hidden.
fn n_hidden(path: &Path) -> usize {
    path.components().filter(|part| matches!(part, Component::Normal(name) if is_hidden(name))).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path, patterns: &[&str]) -> (Vec<String>, bool, String) {
        let paths: Vec<PathBuf> = patterns.iter().map(|pattern| folder.join(pattern)).collect();
        let mut errors = Vec::new();
        let mut io = Io::new(io::empty(), io::sink(), &mut errors);
        let inputs = Inputs::find(&paths, &mut io);
        drop(io);
        let names = inputs.list.iter().map(|input| input.relative().display().to_string()).collect();
        (names, inputs.is_incomplete, String::from_utf8(errors).unwrap())
    }

    #[test]
    fn folders_globs_and_missing_files() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join("games/old")).unwrap();
        for name in ["games/b.csv", "games/a.csv", "games/old/c.otg", "games/.hidden", "games/x[1].csv"] {
            fs::write(root.join(name), "").unwrap();
        }
        assert_eq!(names(root, &["games"]).0, ["a.csv", "b.csv", "old/c.otg", "x[1].csv"]);
        assert_eq!(names(root, &["games/?.csv"]).0, ["a.csv", "b.csv"]);
        assert_eq!(names(root, &["games/*"]).0, ["a.csv", "b.csv", "c.otg", "x[1].csv"]);
        assert_eq!(names(root, &["games/.h*"]).0, [".hidden"]);
        assert_eq!(names(root, &["games/x[1].csv"]).0, ["x[1].csv"]);
        let (found, is_incomplete, errors) = names(root, &["nowhere", "games/a.csv"]);
        assert_eq!((found, is_incomplete), (vec!["a.csv".to_owned()], true));
        assert!(errors.contains("nowhere: no such file or folder"), "{errors}");
        assert!(names(root, &["games/*.pgn"]).1);
    }

    #[test]
    fn standard_input_is_read_once() {
        let mut io = Io::new(io::empty(), io::sink(), io::sink());
        let inputs = Inputs::find(&["-".into(), "-".into()], &mut io);
        assert_eq!(inputs.list, [Input::Stdin]);
    }
}
