//! Reads oracle data: single-move cases, random games, node counts. The folder is named by `TAFL_ORACLE`.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use tafl_rules::{Cell, Coord, Move, Shape, Side};

/// A single move with its expected result.
#[derive(Debug, Clone)]
pub struct Case {
    /// Its name, such as `F01`.
    pub id: String,
    /// The variant.
    pub variant: String,
    /// The position record.
    pub position: String,
    /// The side to move.
    pub side: Side,
    /// The move as text.
    pub mv: String,
    /// `illegal`, or the captures and the outcome: `xe4/f3 ; continues`.
    pub expected: String,
    /// The position record afterwards, if the move is legal.
    pub after: Option<String>,
}

/// Reads `cases.json`.
///
/// # Panics
///
/// Panics if the file cannot be read: oracle data is not user data.
pub fn cases(folder: &std::path::Path) -> Vec<Case> {
    let text = fs::read_to_string(folder.join("cases.json")).expect("cases.json is there");
    let all: Value = serde_json::from_str(&text).expect("cases.json is JSON");
    let word = |case: &Value, key: &str| case[key].as_str().unwrap_or_default().to_owned();
    all.as_array()
        .expect("cases.json is a list")
        .iter()
        .map(|case| Case {
            id: word(case, "id"),
            variant: word(case, "variant"),
            position: word(case, "position"),
            side: side(&word(case, "to_move")),
            mv: word(case, "move"),
            expected: word(case, "expected"),
            after: case["after"].as_str().map(str::to_owned),
        })
        .collect()
}

/// A random game.
#[derive(Debug, Clone)]
pub struct Game {
    /// The variant.
    pub variant: String,
    /// The plies.
    pub plies: Vec<GamePly>,
    /// `side0`, `side1`, `draw` or `ongoing`.
    pub result: String,
    /// The reason in the words of the JSON interface.
    pub reason: String,
    /// The position record after the last ply.
    pub last: String,
}

/// One ply of a random game.
#[derive(Debug, Clone)]
pub struct GamePly {
    /// The move as text.
    pub mv: String,
    /// The captured cells as text.
    pub captured: Vec<String>,
    /// The number of legal moves.
    pub n_moves: usize,
}

/// Reads the random games of every variant, each with the name of its file and the number of its line.
///
/// # Panics
///
/// Panics if a file cannot be read.
pub fn games(folder: &std::path::Path) -> Vec<(String, Game)> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .expect("the oracle folder can be read")
        .map(|entry| entry.expect("the oracle folder can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"))
        .collect();
    files.sort();
    let mut games = Vec::new();
    for path in files {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let text = fs::read_to_string(&path).expect("oracle files can be read");
        games.extend(text.lines().enumerate().map(|(n, line)| (format!("{name}:{}", n + 1), game(line))));
    }
    games
}

fn game(line: &str) -> Game {
    let value: Value = serde_json::from_str(line).expect("a game is JSON");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let texts = |value: &Value| value.as_array().map_or_else(Vec::new, |all| all.iter().map(text).collect());
    let ply = |ply: &Value| GamePly {
        mv: text(&ply["m"]),
        captured: texts(&ply["x"]),
        n_moves: ply["n"].as_u64().expect("a number of moves") as usize,
    };
    Game {
        variant: text(&value["variant"]),
        plies: value["plies"].as_array().expect("plies").iter().map(ply).collect(),
        result: text(&value["result"]),
        reason: text(&value["reason"]),
        last: text(&value["final"]),
    }
}

/// Reads `variant`, `depth` and `nodes` of a file of node counts; lines with `#` are comments.
///
/// # Panics
///
/// Panics if a line has fewer columns.
pub fn node_counts(text: &str) -> Vec<(String, u32, u64)> {
    text.lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
        .map(|line| {
            let mut columns = line.split_whitespace();
            let mut next = || columns.next().expect("three columns");
            let variant = next().to_owned();
            (variant, next().parse().expect("a depth"), next().parse().expect("nodes"))
        })
        .collect()
}

/// Reads `attackers` or `defenders`.
///
/// # Panics
///
/// Panics for other words.
pub fn side(word: &str) -> Side {
    word.parse().unwrap_or_else(|_| panic!("`{word}` is not a side"))
}

/// Reads a cell name.
///
/// # Panics
///
/// Panics if the board has no such cell.
pub fn cell(shape: Shape, name: &str) -> Cell {
    let coord: Option<Coord> = name.parse().ok();
    coord.and_then(|coord| shape.cell(coord)).unwrap_or_else(|| panic!("`{name}` is not a cell"))
}

/// Reads a move such as `d1-d3`; `=` joins the steps of a chain as `-` does.
///
/// # Panics
///
/// Panics if the text is not a move.
pub fn mv(shape: Shape, text: &str) -> Move {
    let (from, to) = text.split_once(['-', '=']).unwrap_or_else(|| panic!("`{text}` is not a move"));
    Move::new(cell(shape, from), cell(shape, to))
}
