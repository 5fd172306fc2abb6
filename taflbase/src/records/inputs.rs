//! The inputs that paths name: files, folders, globs, and standard input.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::corpus_folder::is_corpus;
use super::input::{GameSelector, Input, names_stdin};
use crate::escape::escape_path;

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
    /// The folder of a corpus. Its files belong to the corpus, and are not read as records.
    Corpus {
        /// The folder.
        path: PathBuf,
        /// Whether it was named; otherwise it is in a folder that was named.
        is_named: bool,
    },
}

impl InputProblem {
    /// Returns whether something can't be read; if not, there is only something to know.
    pub fn is_error(&self) -> bool {
        matches!(self, InputProblem::Missing { .. } | InputProblem::Corpus { is_named: true, .. })
    }
}

impl fmt::Display for InputProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputProblem::Missing { path, reason } => write!(f, "{}: {reason}", escape_path(path)),
            InputProblem::StdinTwice => {
                f.write_str("`-` is given more than once, but standard input can be read only once")
            }
            InputProblem::EmptyFolder(path) => {
                write!(f, "{}: the folder contains no files", escape_path(path))
            }
            InputProblem::Corpus { path, is_named } => {
                let skipped = if *is_named { "" } else { "skipped " };
                let help = "`tafl export` writes its games as records, and `tafl merge` joins corpora";
                write!(f, "{skipped}{}: a corpus; {help}", escape_path(path))
            }
        }
    }
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

    /// Returns the short names that different files share, so that only their whole names tell them apart.
    pub fn ambiguous_names(&self) -> HashSet<&Path> {
        let mut known: HashMap<&Path, Option<&Path>> = HashMap::new();
        let mut ambiguous = HashSet::new();
        for input in &self.list {
            let (name, path) = (input.relative(), input.path());
            if known.insert(name, path).is_some_and(|other| other != path) {
                ambiguous.insert(name);
            }
        }
        ambiguous
    }

    fn add(&mut self, path: &Path) {
        if names_stdin(path) {
            self.add_stdin(Input::Stdin);
        } else if let Some((file, game)) = split_game(path) {
            let of = |input| Input::Game { input: Box::new(input), game };
            if names_stdin(file) {
                self.add_stdin(of(Input::Stdin));
            } else if file.is_dir() {
                self.miss(path, "not a file; FILE:GAME selects a game of a file");
            } else if file.exists() {
                self.list.push(of(Input::Named(file.to_owned())));
            } else {
                self.add_path(path);
            }
        } else {
            self.add_path(path);
        }
    }

    fn add_stdin(&mut self, input: Input) {
        if self.list.iter().any(Input::is_stdin) {
            self.problems.push(InputProblem::StdinTwice);
        } else {
            self.list.push(input);
        }
    }

    /// Adds a file, a folder, or the files of a glob.
    fn add_path(&mut self, path: &Path) {
        if path.is_dir() {
            let before = (self.list.len(), self.problems.len());
            self.walk(path, path);
            if (self.list.len(), self.problems.len()) == before {
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

    /// Adds every file below a folder, by name; hidden ones and corpora are skipped, and links to folders are not followed.
    fn walk(&mut self, folder: &Path, root: &Path) {
        if is_corpus(folder) {
            self.problems.push(InputProblem::Corpus { path: folder.to_owned(), is_named: folder == root });
            return;
        }
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
        let Some(pattern) = pattern else { return self.miss(path, missing(path)) };
        let found = match glob::glob(pattern) {
            Ok(found) => found,
            Err(error) => return self.miss(path, error.msg),
        };
        let before = (self.list.len(), self.problems.len());
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
        if (self.list.len(), self.problems.len()) == before {
            self.miss(path, "nothing matches");
        }
    }

    fn miss(&mut self, path: &Path, reason: &str) {
        self.problems.push(InputProblem::Missing { path: path.to_owned(), reason: reason.to_owned() });
    }
}

/// Splits `games.otg:3` into the file and the game. If a file has the whole name, it is that file.
fn split_game(path: &Path) -> Option<(&Path, GameSelector)> {
    let text = path.to_str()?;
    let (file, game) = text.rsplit_once(':')?;
    let is_game = |game: &str| !game.is_empty() && !game.contains(['/', '\\']);
    if file.is_empty() || !is_game(game) || path.exists() {
        return None;
    }
    // The place of a finding has a line and a column.
    let place = file.rsplit_once(':').map(|(file, _)| (file, &text[file.len() + 1..]));
    let place = place.filter(|(name, place)| {
        let is_place = matches!(GameSelector::of(place), GameSelector::Place(_));
        is_place && !Path::new(file).exists() && (Path::new(name).exists() || names_stdin(Path::new(name)))
    });
    let (file, game) = place.unwrap_or((file, game));
    Some((Path::new(file), GameSelector::of(game)))
}

/// Returns the reason why a path without a file is not read. More than a game may follow the name of a file.
fn missing(path: &Path) -> &'static str {
    let mut file = path.to_str().unwrap_or_default();
    while let Some((before, _)) = file.rsplit_once(':') {
        if Path::new(before).is_file() {
            return "no such file or folder; FILE:GAME selects a game of the file";
        }
        file = before;
    }
    "no such file or folder"
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
    use tafl_parser::LineCol;

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
    fn the_files_of_a_corpus_are_not_records() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join("games/old.corpus/rejected")).unwrap();
        for name in
            ["games/a.csv", "games/old.corpus/manifest.json", "games/old.corpus/rejected/000001.jsonl"]
        {
            fs::write(root.join(name), "").unwrap();
        }
        let path = root.join("games/old.corpus");
        let corpus = |is_named| vec![InputProblem::Corpus { path: path.clone(), is_named }];
        let found = find(root, &["games"]);
        assert_eq!((names(root, &["games"]), found.is_incomplete()), (vec!["a.csv".to_owned()], false));
        assert_eq!(found.problems, corpus(false));
        for pattern in ["games/old.corpus", "games/*.corpus"] {
            let found = find(root, &[pattern]);
            assert_eq!((found.list.len(), found.is_incomplete()), (0, true), "{pattern}");
            assert_eq!(found.problems, corpus(true), "{pattern}");
        }
        // A person may name the file itself.
        assert_eq!(names(root, &["games/old.corpus/rejected/000001.jsonl"]), ["000001.jsonl"]);
    }

    #[test]
    fn a_game_follows_the_last_colon_unless_a_file_has_the_whole_name() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["games.otg", "games.otg:2"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let path = |name: &str| folder.path().join(name);
        let games = |name: &str| {
            let list = find(folder.path(), &[name]).list;
            list.iter()
                .map(|input| (input.path().unwrap().to_owned(), input.game().cloned()))
                .collect::<Vec<_>>()
        };
        let expected = |name: &str, game: Option<GameSelector>| vec![(path(name), game)];
        assert_eq!(games("games.otg:3"), expected("games.otg", Some(GameSelector::Number(3))));
        assert_eq!(games("games.otg:final"), expected("games.otg", Some(GameSelector::Id("final".into()))));
        assert_eq!(games("games.otg:L12"), expected("games.otg", Some(GameSelector::Line(12))));
        let place = |line, column| GameSelector::Place(LineCol { line, column });
        assert_eq!(games("games.otg:12:5"), expected("games.otg", Some(place(12, 5))));
        // The name of a file may end with a number.
        assert_eq!(games("games.otg:2:3"), expected("games.otg:2", Some(GameSelector::Number(3))));
        assert_eq!(games("games.otg:2"), expected("games.otg:2", None));
        assert_eq!(games("games.otg:"), vec![]);
        let problem = |name: &str| find(folder.path(), &[name]).problems[0].to_string();
        assert!(problem("games.otg:3:7:1").ends_with("FILE:GAME selects a game of the file"));
        assert!(problem("nowhere.otg:3").ends_with("no such file or folder"));
        let inputs = Inputs::find(&["-:2".into(), "-".into()]);
        let problems = vec![InputProblem::StdinTwice];
        assert_eq!((inputs.list[0].game(), inputs.problems), (Some(&GameSelector::Number(2)), problems));
        assert_eq!(Inputs::find(&["-:4:1".into()]).list[0].game(), Some(&place(4, 1)));
    }

    #[test]
    fn names_that_files_of_several_folders_share_are_ambiguous() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a/games.csv", "a/more.csv", "b/games.csv"] {
            fs::create_dir_all(folder.path().join(name).parent().unwrap()).unwrap();
            fs::write(folder.path().join(name), "").unwrap();
        }
        let inputs = find(folder.path(), &["a", "b", "a/more.csv"]);
        assert_eq!(inputs.ambiguous_names(), HashSet::from([Path::new("games.csv")]));
    }

    #[test]
    fn standard_input_is_read_once() {
        let inputs = Inputs::find(&["-".into(), "-".into()]);
        assert_eq!((inputs.list, inputs.problems), (vec![Input::Stdin], vec![InputProblem::StdinTwice]));
        let inputs = Inputs::find(&["/dev/stdin:2".into()]);
        let game = inputs.list[0].game();
        assert_eq!((inputs.list[0].is_stdin(), game), (true, Some(&GameSelector::Number(2))));
    }
}
