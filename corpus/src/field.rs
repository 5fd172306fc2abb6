//! Every column of the tables, once: name, type, use in queries, meaning. `docs/corpus.md` is made from it.

use crate::row::{GameRow, Value};

/// The type of a column in Parquet. Every column may be null.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Text in UTF-8.
    Text,
    /// A whole number of 64 bits with a sign.
    Int64,
    /// A whole number of 32 bits without a sign.
    UInt32,
    /// A whole number of 16 bits with a sign.
    Int16,
    /// A whole number of 16 bits without a sign.
    UInt16,
    /// A whole number of 8 bits without a sign.
    UInt8,
    /// A number of 64 bits with a point.
    Float64,
    /// True or false.
    Bool,
}

impl Kind {
    /// Returns the name that Parquet tools show.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Text => "string",
            Kind::Int64 => "int64",
            Kind::UInt32 => "uint32",
            Kind::Int16 => "int16",
            Kind::UInt16 => "uint16",
            Kind::UInt8 => "uint8",
            Kind::Float64 => "float64",
            Kind::Bool => "bool",
        }
    }
}

/// How queries use a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Usage {
    /// As one word that is equal or not, without regard to case.
    Word,
    /// As text in which words are looked for.
    Text,
    /// As a number that is compared.
    Number,
    /// As a day, month or year, compared as far as it is known.
    Date,
    /// Not by name: positions have conditions of their own for it, or it is for tables alone.
    None,
}

impl Usage {
    /// Returns the word of the documentation.
    pub const fn word(self) -> &'static str {
        match self {
            Usage::Word => "word",
            Usage::Text => "text",
            Usage::Number => "number",
            Usage::Date => "date",
            Usage::None => "-",
        }
    }
}

/// A column.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// Its name in the tables and in queries.
    pub name: &'static str,
    /// Its type.
    pub kind: Kind,
    /// How queries use it.
    pub usage: Usage,
    /// What it says, in one sentence.
    pub doc: &'static str,
}

/// A column of the table of games.
#[derive(Debug, Clone, Copy)]
pub struct GameField {
    /// What it is.
    pub field: Field,
    /// Returns what a game says there.
    pub get: fn(&GameRow) -> Value<'_>,
}

const fn game(
    name: &'static str,
    (kind, usage): (Kind, Usage),
    doc: &'static str,
    get: fn(&GameRow) -> Value<'_>,
) -> GameField {
    GameField { field: Field { name, kind, usage, doc }, get }
}

const fn ply(name: &'static str, kind: Kind, doc: &'static str) -> Field {
    Field { name, kind, usage: Usage::None, doc }
}

const ID: (Kind, Usage) = (Kind::Int64, Usage::Word);
const WORD: (Kind, Usage) = (Kind::Text, Usage::Word);
const TEXT: (Kind, Usage) = (Kind::Text, Usage::Text);
const COUNT: (Kind, Usage) = (Kind::UInt32, Usage::Number);
const NUMBER: (Kind, Usage) = (Kind::Int64, Usage::None);
const SMALL: (Kind, Usage) = (Kind::UInt16, Usage::None);
const SIGNED: (Kind, Usage) = (Kind::Int16, Usage::Number);
const ASIDE: (Kind, Usage) = (Kind::Text, Usage::None);

/// The columns of the table of games, in order.
pub static GAMES: &[GameField] = &[
    game("game", ID, "The number of the game: line of play, players and date.", |row| {
        Value::Number(row.game.as_i64())
    }),
    game("line", NUMBER, "The number of the line of play, the same for all symmetric ones.", |row| {
        Value::Number(row.line.as_i64())
    }),
    game(
        "orientation",
        (Kind::UInt8, Usage::None),
        "The symmetry of the board that leads to the form of the line that `line` counts.",
        |row| Value::Number(row.orientation.into()),
    ),
    game("variant", WORD, "The variant's name in the catalog; null for other rules.", |row| {
        Value::text(&row.variant)
    }),
    game("rules", ASIDE, "The rules string.", |row| Value::Text(&row.rules)),
    game("rules_id", NUMBER, "The number of the rules.", |row| Value::Number(row.rules_id.as_i64())),
    game("shape", WORD, "The board, such as `11x11` or `hex 4`.", |row| Value::Text(&row.shape)),
    game("start", ASIDE, "The position record of the start.", |row| Value::Text(&row.start)),
    game("first", ASIDE, "Who moved first: `attackers` or `defenders`.", |row| Value::Text(row.first.word())),
    game("attackers", TEXT, "Who played the attackers.", |row| Value::text(&row.attackers)),
    game("defenders", TEXT, "Who played the defenders.", |row| Value::text(&row.defenders)),
    game("attackers_rating", SIGNED, "The attackers' rating.", |row| Value::number(row.attackers_rating)),
    game("defenders_rating", SIGNED, "The defenders' rating.", |row| Value::number(row.defenders_rating)),
    game("event", TEXT, "The tournament or match.", |row| Value::text(&row.event)),
    game("site", TEXT, "The place or the server.", |row| Value::text(&row.site)),
    game("round", TEXT, "The round of a tournament.", |row| Value::text(&row.round)),
    game(
        "date",
        (Kind::Text, Usage::Date),
        "The day as far as it is known: `2019-03-01`, `2019-03` or `2019`. A day that the month does not have is left out.",
        |row| Value::text(&row.date),
    ),
    game("year", SIGNED, "The year.", |row| Value::number(row.year)),
    game("time_control", TEXT, "The time control, as written.", |row| Value::text(&row.time_control)),
    game("result", WORD, "How it ended: `attackers`, `defenders`, `draw` or `unfinished`.", |row| {
        Value::Text(row.result.word())
    }),
    game("reason", WORD, "Why it ended, such as `king captured` or `resignation`.", |row| {
        row.reason.map_or(Value::None, |reason| Value::Text(reason.words()))
    }),
    game("plies", COUNT, "How many plies were played.", |row| Value::Number(row.plies.into())),
    game("attackers_captures", SMALL, "How many pieces the attackers captured.", |row| {
        Value::Number(row.captures.attackers.into())
    }),
    game("defenders_captures", SMALL, "How many pieces the defenders captured.", |row| {
        Value::Number(row.captures.defenders.into())
    }),
    game("source", TEXT, "The file that the record comes from, as it was named.", |row| {
        Value::text(&row.source)
    }),
    game("place", (Kind::UInt32, Usage::None), "The line of that file in which the record begins.", |row| {
        Value::number(row.place)
    }),
    game("format", WORD, "The notation of the record; null for games that a program made.", |row| {
        row.format.map_or(Value::None, |format| Value::Text(format.name()))
    }),
    game("verdict", WORD, "`sound`, or `explained` where every fault of the record has a reason.", |row| {
        Value::Text(row.verdict.word())
    }),
    game("findings", TEXT, "The codes of what was found in the record, separated by blanks.", |row| {
        Value::text(&row.findings)
    }),
    game(
        "worth",
        (Kind::UInt32, Usage::None),
        "How much the record says; of two copies the better one has more.",
        |row| Value::Number(row.worth.into()),
    ),
    game(
        "copies",
        ASIDE,
        "Other copies of the game as JSON: source, place, format, symmetry, and how many plies they have.",
        |row| Value::owned(row.copies_json()),
    ),
    game("comments", TEXT, "All comments, one behind the other.", |row| Value::text(&row.comments)),
    game("tags", TEXT, "All other statements of the record as a JSON object.", |row| {
        Value::owned(row.tags_json())
    }),
    game("text", ASIDE, "The record as it was read; null for games that a program made.", |row| {
        Value::text(&row.text)
    }),
];

/// The columns of the table of plies, in order.
pub static PLIES: &[Field] = &[
    ply("game", Kind::Int64, "The number of the game."),
    ply(
        "ply",
        Kind::UInt16,
        "The number of the ply in its game, from 1; 65535 stands for all later ones, too.",
    ),
    ply("side", Kind::Text, "Who moved: `attackers` or `defenders`."),
    ply("piece", Kind::Text, "What moved: `man`, `king`, `commander`, `knight`, `mercenary` or `guard`."),
    ply("from", Kind::Text, "The cell that it left."),
    ply("to", Kind::Text, "The cell that it reached."),
    ply("captured", Kind::Text, "The cells of the pieces that fell, separated by blanks; null if none did."),
    ply(
        "key",
        Kind::Int64,
        "The canonical key of the position after the ply: the same for symmetric positions.",
    ),
    ply("attackers", Kind::UInt16, "How many pieces the attackers have after the ply."),
    ply("defenders", Kind::UInt16, "How many pieces the defenders have after the ply."),
    ply("moves", Kind::UInt16, "How many legal moves there were before the ply."),
    ply(
        "king_distance",
        Kind::UInt8,
        "The fewest moves of the defenders' king to a goal while all others stay: 0 to 6, 7 for more or no way.",
    ),
    ply("king_lines", Kind::UInt8, "To how many goal cells he has an open line: 0 to 2, 3 for more."),
    ply(
        "king_danger",
        Kind::Bool,
        "Whether the attackers, if it were their turn, could capture him with one move.",
    ),
    ply("king_cordon", Kind::Bool, "Whether a cordon is closed around him."),
    ply("attackers_king_distance", Kind::UInt8, "The same of the attackers' king, in games with two kings."),
    ply("attackers_king_lines", Kind::UInt8, "The same of the attackers' king."),
    ply("attackers_king_danger", Kind::Bool, "The same of the attackers' king."),
    ply("attackers_king_cordon", Kind::Bool, "The same of the attackers' king."),
    ply("events", Kind::Text, "What the ply did, in words separated by blanks; null if it was but a move."),
];

/// The columns of the table of evaluations, in order. Scores and expectations are the attackers'.
pub static EVALS: &[Field] = &[
    ply("run", Kind::Text, "The run: engine, limits, curves and thresholds as sixteen hexadecimal digits."),
    ply("game", Kind::Int64, "The number of the game."),
    ply(
        "ply",
        Kind::UInt16,
        "The number of the ply in its game, from 1; 65535 stands for all later ones, too.",
    ),
    ply("side", Kind::Text, "Who moved: `attackers` or `defenders`."),
    ply(
        "score_before",
        Kind::Int16,
        "The attackers' score before the ply, in hundredths of a man; null where a win was found.",
    ),
    ply("score_after", Kind::Int16, "The same after the ply."),
    ply(
        "win_before",
        Kind::Int16,
        "In how many plies the attackers win from the position before; negative where the defenders do.",
    ),
    ply("win_after", Kind::Int16, "The same from the position after the ply."),
    ply(
        "ended",
        Kind::Text,
        "Who won with this ply: `attackers`, `defenders` or `draw`; null if it ended nothing.",
    ),
    ply("expected_before", Kind::Float64, "What the attackers could expect before the ply, from 0 to 1."),
    ply("expected_after", Kind::Float64, "What they could expect after it."),
    ply(
        "loss",
        Kind::Float64,
        "The expectation that the mover lost, from 0 to 1; null where it is not known.",
    ),
    ply("judgement", Kind::Text, "`good`, `inaccuracy`, `mistake` or `blunder`; null where it is not known."),
    ply("best", Kind::Text, "The engine's move, such as `d4-d1`."),
    ply("depth", Kind::UInt16, "How deep the search before the ply was, in plies."),
    ply("engine", Kind::Text, "The engine: name, version, parameters, weights."),
    ply("limits", Kind::Text, "The limits of each search."),
    ply("curves", Kind::Text, "The curves and thresholds."),
];

/// Returns the column of the table of games with a name.
pub fn of_games(name: &str) -> Option<&'static GameField> {
    GAMES.iter().find(|field| field.field.name == name)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::path::Path;

    use super::*;

    #[test]
    fn names_are_given_once() {
        let games: Vec<&str> = GAMES.iter().map(|game| game.field.name).collect();
        let plies: Vec<&str> = PLIES.iter().map(|field| field.name).collect();
        let evals: Vec<&str> = EVALS.iter().map(|field| field.name).collect();
        for names in [games, plies, evals] {
            assert!(names.iter().enumerate().all(|(at, name)| !names[..at].contains(name)));
        }
    }

    #[test]
    fn columns_are_used_as_questions_use_them() {
        use crate::query::game::{FieldKind, GameField};
        for column in GAMES.iter().map(|game| &game.field) {
            // Some are asked for by other words, and the record itself not at all.
            let word = match column.name {
                "findings" => "finding",
                "comments" | "tags" => "text",
                "text" => "",
                name => name,
            };
            let usage = match GameField::from_word(word).map(GameField::kind) {
                Some(FieldKind::Word) => Usage::Word,
                Some(FieldKind::Text) => Usage::Text,
                Some(FieldKind::Number) => Usage::Number,
                Some(FieldKind::Date) => Usage::Date,
                None if word == "shape" => Usage::Word,
                None => Usage::None,
            };
            assert_eq!(column.usage, usage, "{}", column.name);
        }
    }

    fn table<'f>(fields: impl Iterator<Item = &'f Field>) -> String {
        let mut out = String::from("| column | type | query | meaning |\n|---|---|---|---|\n");
        for Field { name, kind, usage, doc } in fields {
            let _ = writeln!(out, "| `{name}` | {} | {} | {doc} |", kind.name(), usage.word());
        }
        out
    }

    /// `UPDATE=1 cargo test` writes the tables of columns into the page.
    #[test]
    fn the_page_has_every_column() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/corpus.md");
        let page = std::fs::read_to_string(&path).unwrap();
        let mut wanted = page.clone();
        let games = table(GAMES.iter().map(|game| &game.field));
        let tables = [("games", games), ("plies", table(PLIES.iter())), ("evals", table(EVALS.iter()))];
        for (name, table) in tables {
            let mark = format!("<!-- {name}: generated -->\n");
            let from = wanted.find(&mark).expect("the page has the mark") + mark.len();
            let to = from + wanted[from..].find("<!-- end -->").expect("the mark has an end");
            wanted.replace_range(from..to, &table);
        }
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&path, wanted).unwrap();
        } else {
            assert!(page == wanted, "docs/corpus.md is not up to date: run the tests with UPDATE=1");
        }
    }

    #[test]
    fn the_page_has_every_event() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/corpus.md");
        let page = std::fs::read_to_string(path).unwrap();
        for event in tafl_rules::facts::Event::ALL {
            assert!(page.contains(&format!("`{}`", event.word())), "{}", event.word());
        }
    }
}
