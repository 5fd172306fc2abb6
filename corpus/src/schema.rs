//! The columns of the tables, each declared once.
//!
//! [`GAMES`] declares a column of the table of games in one entry. The [`GameRow`], the Parquet column, record lines,
//! the field of queries and of the index, the [`GameSummary`], the tables of hits, and the tables in `docs/corpus.md`
//! are made from it. To add a column, add an entry, and compute its value in `ingest`. Rows that were written without
//! the column have null there.

mod evals;
mod games;
mod plies;
mod summary_value;
mod value;

pub use evals::{EVALS, EvalColumn, EvalRow, EvalRun};
#[cfg(feature = "store")]
pub(crate) use games::SummaryPage;
pub use games::{GAMES, GameColumn, GameRow, GameSummary};
pub use plies::PLIES;
pub use value::CellValue;
pub(crate) use value::{ColumnValue, SharedTexts};

/// The type of a column in Parquet. Every column may be null.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ColumnType {
    /// Text in UTF-8.
    Text,
    /// An identifier of 64 bits: a signed integer in Parquet files, 16 hexadecimal digits everywhere else.
    Id,
    /// An unsigned 32-bit integer.
    UInt32,
    /// A signed 16-bit integer.
    Int16,
    /// An unsigned 16-bit integer.
    UInt16,
    /// An unsigned 8-bit integer.
    UInt8,
    /// A 64-bit floating-point number.
    Float64,
    /// True or false.
    Bool,
}

impl ColumnType {
    /// Returns the name that Parquet tools show.
    pub const fn name(self) -> &'static str {
        match self {
            ColumnType::Text => "string",
            ColumnType::Id => "int64",
            ColumnType::UInt32 => "uint32",
            ColumnType::Int16 => "int16",
            ColumnType::UInt16 => "uint16",
            ColumnType::UInt8 => "uint8",
            ColumnType::Float64 => "float64",
            ColumnType::Bool => "bool",
        }
    }
}

/// How queries use a column, and therefore how the index holds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ColumnUsage {
    /// One word that is equal or not, without regard to case.
    Word,
    /// Text that is searched for words.
    Text,
    /// A number that is compared.
    Number,
    /// A day, month, or year, compared as far as it is known.
    Date,
    /// A word about the rules and the start, which queries compare with those of the game, not with this column.
    Setup,
    /// Not by name: positions have conditions of their own for it, or it is only for tables.
    None,
}

impl ColumnUsage {
    /// Returns the word of the documentation.
    pub const fn as_str(self) -> &'static str {
        match self {
            ColumnUsage::Word | ColumnUsage::Setup => "word",
            ColumnUsage::Text => "text",
            ColumnUsage::Number => "number",
            ColumnUsage::Date => "date",
            ColumnUsage::None => "-",
        }
    }
}

/// The name, type, and meaning of a column.
#[derive(Debug, Clone, Copy)]
pub struct TableColumn {
    /// The name in the tables.
    pub name: &'static str,
    /// The type.
    pub kind: ColumnType,
    /// The use in queries.
    pub usage: ColumnUsage,
    /// The meaning, in one sentence.
    pub doc: &'static str,
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::path::Path;

    use super::*;

    #[test]
    fn names_are_given_once() {
        let games: Vec<&str> = GAMES.iter().map(|column| column.field.name).collect();
        let plies: Vec<&str> = PLIES.iter().map(|field| field.name).collect();
        let evals: Vec<&str> = EVALS.iter().map(|eval| eval.field.name).collect();
        for names in [games, plies, evals] {
            assert!(names.iter().enumerate().all(|(at, name)| !names[..at].contains(name)));
        }
    }

    fn table<'f>(fields: impl Iterator<Item = &'f TableColumn>) -> String {
        let mut out = String::from("| column | type | query | meaning |\n|---|---|---|---|\n");
        for TableColumn { name, kind, usage, doc } in fields {
            let (kind, usage, doc) = (kind.name(), usage.as_str(), doc.trim());
            let _ = writeln!(out, "| `{name}` | {kind} | {usage} | {doc} |");
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
        let tables = [
            ("games", games),
            ("plies", table(PLIES.iter())),
            ("evals", table(EVALS.iter().map(|eval| &eval.field))),
        ];
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
        for event in tafl_rules::Event::ALL {
            assert!(page.contains(&format!("`{}`", event.as_str())), "{}", event.as_str());
        }
    }
}
