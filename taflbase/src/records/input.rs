//! One input: a file, standard input, or a game of one.

use std::fmt;
use std::path::{Path, PathBuf};

use tafl_parser::{Code, LineCol};

/// The path that means standard input, as `-` does.
pub const STDIN_PATH: &str = "/dev/stdin";

/// Returns whether a path means standard input.
pub(super) fn names_stdin(path: &Path) -> bool {
    path.as_os_str() == "-" || path.as_os_str() == STDIN_PATH
}

/// One thing to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// Standard input, `-`.
    Stdin,
    /// A stream that the program has, such as a text in memory, with its name.
    Stream(String),
    /// A file that was named, or that a glob found.
    Named(PathBuf),
    /// One game of a file or of standard input, such as `games.otg:3`.
    Game {
        /// The file, or standard input.
        input: Box<Input>,
        /// The game.
        game: GameSelector,
    },
    /// A file that was found in this folder. It may contain no records.
    Found {
        /// The file.
        path: PathBuf,
        /// The folder that was named.
        folder: PathBuf,
    },
}

/// A game of a file, as people select it after the name of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GameSelector {
    /// `games.otg:3`: the third game, or the one with this ID.
    Number(u64),
    /// `games.otg:L12`: the first game that has a part of this line.
    Line(u64),
    /// `games.otg:12:5`: the game that has this place, which findings print with line and column.
    Place(LineCol),
    /// `games.otg:final`: the game with this ID.
    Id(Box<str>),
}

impl GameSelector {
    /// Returns the selector that a text after the name of a file stands for.
    pub(super) fn of(text: &str) -> GameSelector {
        if let Ok(number) = text.parse() {
            return GameSelector::Number(number);
        }
        if let Some(line) = text.strip_prefix('L').and_then(|line| line.parse().ok()) {
            return GameSelector::Line(line);
        }
        let place = text.split_once(':').and_then(|(line, column)| {
            Some(GameSelector::Place(LineCol { line: line.parse().ok()?, column: column.parse().ok()? }))
        });
        place.unwrap_or_else(|| GameSelector::Id(text.into()))
    }
}

impl fmt::Display for GameSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameSelector::Number(number) => write!(f, "{number}"),
            GameSelector::Line(line) => write!(f, "L{line}"),
            GameSelector::Place(LineCol { line, column }) => write!(f, "{line}:{column}"),
            GameSelector::Id(id) => f.write_str(id),
        }
    }
}

impl Input {
    /// Returns the name for people: the path, or `-`.
    pub fn name(&self) -> String {
        match self {
            Input::Game { input, .. } => input.name(),
            Input::Stdin => "-".to_owned(),
            Input::Stream(name) => name.clone(),
            Input::Named(path) | Input::Found { path, .. } => path.display().to_string(),
        }
    }

    /// Returns the path, if it is a file.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Input::Game { input, .. } => input.path(),
            Input::Stdin | Input::Stream(_) => None,
            Input::Named(path) | Input::Found { path, .. } => Some(path),
        }
    }

    /// Returns the only game to read, if all others are skipped.
    pub fn game(&self) -> Option<&GameSelector> {
        match self {
            Input::Game { game, .. } => Some(game),
            Input::Stdin | Input::Stream(_) | Input::Named(_) | Input::Found { .. } => None,
        }
    }

    /// Returns whether it is standard input, or a game of it.
    pub(super) fn is_stdin(&self) -> bool {
        match self {
            Input::Stdin => true,
            Input::Game { input, .. } => input.is_stdin(),
            Input::Stream(_) | Input::Named(_) | Input::Found { .. } => false,
        }
    }

    /// Returns whether a finding about the file means only that a folder holds other files too.
    pub fn is_skipped_for(&self, code: Code) -> bool {
        is_foreign(code) && matches!(self, Input::Found { .. })
    }

    /// Returns the path below the folder that was named, or the file's name; `-` is `stdin`.
    pub fn relative(&self) -> &Path {
        match self {
            Input::Game { input, .. } => input.relative(),
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
