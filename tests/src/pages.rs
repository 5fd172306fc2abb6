//! Reads rules pages: prose with examples that run.
//!
//! An example is a fenced block of the kind `tafl`:
//!
//! ```text
//! rules: copenhagen11 xsw:one        a variant and keys that differ, or keys alone; the drawing gives the board
//! side: attackers                    who moves
//! . . t T T . .                      the board, highest rank first; without a drawing, the start of the variant
//! move: e5-e1                        the moves; the following lines are about the last one
//! captures: f1 g1                    none where the line is missing
//! then: attackers win (king captured)   or `illegal`; without this line, the game continues
//! legal: c4-f4                       all legal moves afterwards; optional
//! king: distance=2 lines=0 danger    the status of the defenders' king afterwards; `dark king:` is the attackers' king
//! events: capture custodial          the events of the last move
//! ```
//!
//! More than one `move:` may follow; each begins at the drawing again. `with: key:value` before a move changes the rules for
//! that move and those after it.

use std::fs;
use std::path::Path;

use tafl_rules::{BySide, RuleSet, Setup, Shape, Side};

use crate::variants;

/// One example of a page.
#[derive(Debug, Clone)]
pub struct Example {
    /// File and line, for messages.
    pub place: String,
    /// The rules, with the drawing as the start.
    pub rules: RuleSet,
    /// Who moves first.
    pub side: Side,
    /// The moves as text.
    pub moves: Vec<String>,
    /// The names of the captured cells, sorted.
    pub captures: Vec<String>,
    /// What follows the last move.
    pub then: String,
    /// All legal moves afterwards, sorted, if the page lists them.
    pub legal: Option<Vec<String>>,
    /// The status of the kings afterwards, if the page gives it: `distance=2 lines=0`, with `danger` and `cordon`.
    pub kings: BySide<Option<String>>,
    /// The events of the last move, sorted, if the page lists them.
    pub events: Option<Vec<String>>,
}

/// Reads every page of a folder.
///
/// # Panics
///
/// Panics with file and line where a page is malformed.
pub fn read(folder: &Path) -> Vec<Example> {
    let mut paths: Vec<_> = fs::read_dir(folder)
        .expect("the folder of pages can be read")
        .map(|entry| entry.expect("the folder of pages can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    paths.sort();
    let mut examples = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).expect("a page can be read");
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        examples.extend(page(&name, &text));
    }
    examples
}

fn page(name: &str, text: &str) -> Vec<Example> {
    let mut examples = Vec::new();
    let mut block: Option<Block> = None;
    for (n, line) in text.lines().enumerate() {
        let place = format!("{name}:{}", n + 1);
        match (&mut block, line.trim()) {
            (None, "```tafl") => block = Some(Block::default()),
            (None, _) => {}
            (Some(open), "```") => {
                examples.extend(std::mem::take(open).examples);
                block = None;
            }
            (Some(open), line) => open.take(&place, line),
        }
    }
    assert!(block.is_none(), "{name}: a block is not closed");
    examples
}

/// A block while it is read.
#[derive(Default)]
struct Block {
    keys: Vec<String>,
    side: Option<Side>,
    drawing: Vec<String>,
    examples: Vec<Example>,
}

impl Block {
    fn take(&mut self, place: &str, line: &str) {
        let list = |value: &str| -> Vec<String> { value.split_whitespace().map(str::to_owned).collect() };
        let sorted = |value: &str| {
            let mut words = list(value);
            words.sort();
            words
        };
        let Some((key, value)) = line.split_once(':') else {
            self.drawing.extend((!line.is_empty()).then(|| line.to_owned()));
            return;
        };
        if key == "move" {
            let example = self.example(place, list(value));
            self.examples.push(example);
            return;
        }
        let last = self.examples.last_mut();
        match (key, last) {
            ("rules" | "with", _) => self.keys.extend(list(value)),
            ("side", _) => self.side = Some(crate::oracle::side(value.trim())),
            ("captures", Some(last)) => last.captures = sorted(value),
            ("then", Some(last)) => last.then = value.trim().to_owned(),
            ("king", Some(last)) => last.kings.defenders = Some(list(value).join(" ")),
            ("dark king", Some(last)) => last.kings.attackers = Some(list(value).join(" ")),
            ("events", Some(last)) => last.events = Some(sorted(value)),
            ("legal", Some(last)) => last.legal = Some(sorted(value)),
            _ => panic!("{place}: `{key}` is not understood here"),
        }
    }

    fn example(&self, place: &str, moves: Vec<String>) -> Example {
        let rules = self.rules(place);
        Example {
            place: place.to_owned(),
            side: self.side.unwrap_or(rules.first_mover),
            rules,
            moves,
            captures: Vec::new(),
            then: "continues".to_owned(),
            legal: None,
            kings: BySide::default(),
            events: None,
        }
    }

    /// Puts variant, keys and drawing together.
    fn rules(&self, place: &str) -> RuleSet {
        let mut words = self.keys.clone();
        if !self.drawing.is_empty() {
            let is_hex = |word: &String| {
                if word.contains(':') { word == "xtopo:hex" } else { variants::rules(word).shape().is_hex() }
            };
            let hex = words.iter().any(is_hex);
            let side = if hex { self.drawing.len().div_ceil(2) } else { self.drawing.len() };
            words.push(format!("dim:{side}"));
            words.push(format!("start:{}", self.record(place, hex)));
        }
        variants::with_keys(&words.join(" "))
    }

    fn record(&self, place: &str, hex: bool) -> Setup {
        let n = self.drawing.len();
        let shape = if hex { Shape::hex(n.div_ceil(2) as u8) } else { Shape::square(n as u8) };
        let shape = shape.unwrap_or_else(|| panic!("{place}: a board cannot have {n} rows"));
        let row = |row: &String| row.chars().filter(|letter| *letter != ' ').collect::<String>();
        let rows: Vec<String> = self.drawing.iter().rev().map(row).map(|row| row.replace('.', "1")).collect();
        // A row such as `1t11` has a count for each cell.
        let rows: Vec<String> = rows.iter().map(|row| counts(row)).collect();
        let record = format!("/{}/", rows.join("/"));
        Setup::parse(shape, &record).unwrap_or_else(|error| panic!("{place}: {error}: {record}"))
    }
}

/// Adds up neighboring ones: `1t11` becomes `1t2`.
fn counts(row: &str) -> String {
    let mut text = String::new();
    let mut gap = 0;
    for letter in row.chars().chain(['/']) {
        if letter == '1' {
            gap += 1;
            continue;
        }
        if gap > 0 {
            text.push_str(&gap.to_string());
        }
        gap = 0;
        text.push(letter);
    }
    text.pop();
    text
}
