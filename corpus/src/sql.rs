//! SQL queries over the tables.

mod duckdb;
mod functions;
mod views;
mod write;

use std::sync::Arc;

use polars::frame::DataFrame;
use polars::prelude::AnyValue;
use polars::sql::SQLContext;

use crate::error::{CorpusError, Result};
use crate::folder::Corpus;
use crate::scan::collect_with;
pub use duckdb::duckdb_views;
use functions::{SqlFunctionName, SqlFunctions};

/// The result of an SQL query.
#[derive(Debug, Clone)]
pub struct SqlTable(pub(crate) DataFrame);

/// The first words of statements that read. Polars also executes `DROP TABLE` and `DELETE`, but on the tables of this query
/// only, which would look as if the corpus had been changed.
const READING: [&str; 6] = ["select", "with", "from", "show", "explain", "values"];

/// Runs an SQL query over the tables `games`, `plies`, and `evals`, and the views `players` and `openings`. Removed games are
/// not included. Identifiers are strings of 16 hexadecimal digits. The functions `board`, `moves`, `piece`, and `position_key`
/// give boards, lines, and keys.
///
/// # Errors
///
/// Fails if the query is invalid or would change a table, or if a file is missing or damaged.
pub fn sql(corpus: &Corpus, query: &str) -> Result<SqlTable> {
    let statement = first_word(query);
    if !statement.is_empty() && !READING.iter().any(|word| statement.eq_ignore_ascii_case(word)) {
        return Err(CorpusError::Sql(format!("`{statement}` is not a query; expected SELECT or WITH")));
    }
    let functions = SqlFunctions::new(corpus);
    let mut context = SQLContext::new().with_function_registry(Arc::new(functions.clone()));
    for name in views::NAMES {
        context.register(name, views::view(name, corpus, functions.get(SqlFunctionName::Moves))?);
    }
    collect_with(|| context.execute(query)).map(SqlTable).map_err(explained)
}

/// Returns an error of polars with advice for SQL in place of that for its own interface.
fn explained(error: CorpusError) -> CorpusError {
    match error {
        CorpusError::Sql(message) => match message.split_once("duplicate output name '") {
            Some((_, rest)) => {
                let name = rest.split('\'').next().unwrap_or_default();
                CorpusError::Sql(format!(
                    "two columns of the result are called `{name}`; name one of them with AS"
                ))
            }
            None => CorpusError::Sql(message),
        },
        other => other,
    }
}

/// Returns the first word of a statement, after comments and parentheses.
fn first_word(statement: &str) -> &str {
    let mut rest = statement;
    loop {
        rest = rest.trim_start_matches(|letter: char| letter.is_whitespace() || letter == '(');
        let comment_end = match rest.get(..2) {
            Some("--") => "\n",
            Some("/*") => "*/",
            _ => break,
        };
        rest = rest.split_once(comment_end).map_or("", |(_, rest)| rest);
    }
    rest.split(|letter: char| !letter.is_ascii_alphabetic()).next().unwrap_or_default()
}

impl SqlTable {
    /// Returns the number of rows.
    pub fn n_rows(&self) -> usize {
        self.0.height()
    }

    /// Returns the names of the columns.
    pub fn columns(&self) -> Vec<&str> {
        self.0.get_column_names().into_iter().map(|name| name.as_str()).collect()
    }

    /// Returns whether a column has numbers.
    pub fn is_numeric(&self, column: usize) -> bool {
        self.0.columns()[column].dtype().is_primitive_numeric()
    }

    /// Returns the cell of a row and a column as text; `None` if it is null.
    ///
    /// # Panics
    ///
    /// Panics if there is no such cell.
    pub fn cell(&self, row: usize, column: usize) -> Option<String> {
        match self.0.columns()[column].get(row).expect("there is such a row") {
            AnyValue::Null => None,
            AnyValue::String(text) => Some(text.to_owned()),
            AnyValue::StringOwned(text) => Some(text.to_string()),
            value => Some(value.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use tafl_parser::Format;

    use super::*;
    use crate::CorpusError;
    use crate::ingest::AddOutcome;
    use crate::ingest::tests::{GAMES, tagged, take_in};

    fn cells(corpus: &Corpus, question: &str) -> Vec<Vec<Option<String>>> {
        let table = sql(corpus, question).unwrap();
        let width = table.columns().len();
        (0..table.n_rows()).map(|row| (0..width).map(|column| table.cell(row, column)).collect()).collect()
    }

    #[test]
    fn removed_games_are_in_no_table() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("corpus");
        take_in(&path, "a.csv", Format::MoveList, &GAMES);
        let counts = |corpus: &Corpus| {
            let games = cells(corpus, "SELECT COUNT(*) FROM games")[0][0].clone().unwrap();
            let plies = cells(corpus, "SELECT COUNT(*) FROM plies")[0][0].clone().unwrap();
            (games, plies)
        };
        assert_eq!(counts(&Corpus::open(&path).unwrap()), ("3".to_owned(), "24".to_owned()));
        let second = |corpus: &Corpus| Ok::<_, CorpusError>(corpus.games().skip(1).take(1).collect());
        assert_eq!(crate::remove::remove(&path, "a test", second).unwrap(), 1);
        let corpus = Corpus::open(&path).unwrap();
        assert_eq!(counts(&corpus), ("2".to_owned(), "10".to_owned()));
        let joined = "SELECT g.variant, p.\"from\", p.\"to\" FROM games g JOIN plies p ON g.game = p.game WHERE p.ply = 4 ORDER BY p.\"from\"";
        let text = |text: &str| Some(text.to_owned());
        let expected =
            [["brandubh7", "c3", "c2"], ["brandubh7", "d4", "e4"]].map(|row| row.map(text).to_vec());
        assert_eq!(cells(&corpus, joined), expected);
    }

    #[test]
    fn a_better_copy_in_the_same_segment_is_in_the_tables() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("corpus");
        let player = "[\"attackers\",\"Asa\"],[\"defenders\",\"Bo\"]";
        let plain = tagged(player, GAMES[0]);
        let better = tagged(&format!("{player},[\"event\",\"Club\"]"), GAMES[0]);
        let (added, _) = take_in(&path, "a.jsonl", Format::Jsonl, &[&plain, &better]);
        assert_eq!(added, [AddOutcome::New, AddOutcome::Replaced]);
        let corpus = Corpus::open(&path).unwrap();
        assert_eq!(corpus.segments().len(), 1);
        assert_eq!(cells(&corpus, "SELECT event FROM games"), [[Some("Club".to_owned())]]);
        let plies = cells(&corpus, "SELECT ply FROM plies ORDER BY ply");
        assert_eq!((plies.len(), plies[5][0].as_deref()), (6, Some("6")));
        assert_eq!(sql(&corpus, "SELECT * FROM plies").unwrap().columns().len(), crate::schema::PLIES.len());
    }

    #[test]
    fn every_column_can_be_queried() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("corpus");
        take_in(&path, "a.csv", Format::MoveList, &GAMES);
        let corpus = Corpus::open(&path).unwrap();
        for (table, names) in [
            ("games", crate::schema::GAMES.iter().map(|field| field.field.name).collect::<Vec<_>>()),
            ("plies", crate::schema::PLIES.iter().map(|field| field.name).collect()),
            ("evals", crate::schema::EVALS.iter().map(|eval| eval.field.name).collect()),
        ] {
            assert_eq!(sql(&corpus, &format!("SELECT * FROM {table}")).unwrap().columns(), names);
        }
    }

    #[test]
    fn an_empty_corpus_has_empty_tables_and_bad_queries_are_errors() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("corpus");
        take_in(&path, "a.csv", Format::MoveList, &[]);
        let corpus = Corpus::open(&path).unwrap();
        assert_eq!(cells(&corpus, "SELECT COUNT(*) FROM plies")[0][0].as_deref(), Some("0"));
        assert_eq!(cells(&corpus, "SELECT variant FROM games").len(), 0);
        for bad in ["SELEC", "SELECT nothing FROM games", "SELECT * FROM nowhere", ""].into_iter().chain([
            "DROP TABLE games",
            "-- a comment\n(DELETE FROM games",
            "/* a comment */ truncate games",
        ]) {
            match sql(&corpus, bad) {
                Err(CorpusError::Sql(why)) => assert!(!why.contains('\n'), "{bad}: {why}"),
                other => panic!("{bad}: {other:?}"),
            }
        }
    }
}
