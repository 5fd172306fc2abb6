//! The tables and views of a corpus as SQL for DuckDB, which reads the files of the segments.

use std::fmt::Write as _;
use std::path::Path;

use super::views::OPENING_PLIES;
use crate::error::{CorpusError, Result};
use crate::eval_file::EvalFile;
use crate::folder::Corpus;
use crate::scan::removed_plies;
use crate::schema::{ColumnType, EVALS, GAMES, PLIES, TableColumn};
use crate::segment::Segment;
use crate::segment_files::{GAMES_FILE, PLIES_FILE};

/// The helpers: identifiers as texts, and back, and the words of columns. Words are in the order of the alphabet, so
/// that they are sorted as texts are.
const HELPERS: &str = "\
CREATE OR REPLACE TYPE tafl_side AS ENUM ('attackers', 'defenders');
CREATE OR REPLACE TYPE tafl_result AS ENUM ('attackers', 'defenders', 'draw', 'unfinished');
CREATE OR REPLACE MACRO tafl_id(number) AS lpad(lower(hex(number)), 16, '0');
CREATE OR REPLACE MACRO tafl_number(id) AS (('0x' || id)::UBIGINT::HUGEINT
    - CASE WHEN ('0x' || id)::UBIGINT > 9223372036854775807 THEN 18446744073709551616::HUGEINT ELSE 0 END)::BIGINT;
";

/// The views over the tables; they have the columns of [`super::sql`].
const VIEWS: &str = "\
CREATE OR REPLACE VIEW players AS
WITH seats AS (
    SELECT attackers AS player, 'attackers' AS side, result, attackers_rating AS rating, date
    FROM tafl_games WHERE attackers IS NOT NULL
    UNION ALL
    SELECT defenders, 'defenders', result, defenders_rating, date FROM tafl_games WHERE defenders IS NOT NULL)
SELECT player, count(*) AS games, count(*) FILTER (WHERE result = side) AS won,
    count(*) FILTER (WHERE result IN ('attackers', 'defenders') AND result <> side) AS lost,
    count(*) FILTER (WHERE result = 'draw') AS drawn, count(*) FILTER (WHERE result = 'unfinished') AS unfinished,
    count(*) FILTER (WHERE side = 'attackers') AS as_attackers,
    count(*) FILTER (WHERE side = 'attackers' AND result = side) AS won_as_attackers,
    count(*) FILTER (WHERE side = 'defenders') AS as_defenders,
    count(*) FILTER (WHERE side = 'defenders' AND result = side) AS won_as_defenders,
    max(rating) AS highest_rating, min(date) AS first_date, max(date) AS last_date
FROM seats GROUP BY player;
";

/// Returns statements for DuckDB that create the views `games`, `plies`, `players`, `openings`, and `evals` of a
/// corpus, without removed games. They have the columns of [`super::sql`], and refer to the files by absolute paths.
///
/// `tafl_games` and `tafl_plies` are the same tables with identifiers as numbers, and the place of each row; the macros
/// `tafl_id` and `tafl_number` convert identifiers. Sides and results are enums. The views are those of the present
/// state: after a change of the corpus, old files disappear.
///
/// # Errors
///
/// Returns the file that is missing or damaged.
pub fn duckdb_views(corpus: &Corpus) -> Result<String> {
    let folder = corpus.path();
    let whole = folder.canonicalize().map_err(CorpusError::io(folder))?;
    let mut out = format!(
        "-- Views of generation {} of a corpus, for DuckDB. After a change of the corpus, write them again.\n",
        corpus.manifest().generation
    );
    out.push_str(HELPERS);
    let games: Vec<&TableColumn> = GAMES.iter().map(|column| &column.field).collect();
    let plies: Vec<&TableColumn> = PLIES.iter().collect();
    let evals: Vec<&TableColumn> = EVALS.iter().map(|column| &column.field).collect();
    let parts = |file: &'static str, removed: &dyn Fn(&Segment) -> Result<Vec<[u32; 2]>>| {
        let part = |(nth, segment): (usize, &Segment)| {
            let below = segment.folder().strip_prefix(folder).unwrap_or(segment.folder());
            Ok(table_part(&whole.join(below).join(file), nth, &removed(segment)?))
        };
        corpus.segments().iter().enumerate().map(part).collect::<Result<Vec<String>>>()
    };
    let games_parts = parts(GAMES_FILE, &|segment| Ok(segment.entry().removed.clone()))?;
    let plies_parts = parts(PLIES_FILE, &|segment| match segment.entry().n_removed() {
        0 => Ok(Vec::new()),
        _ => Ok(ranges(&removed_plies(segment)?)),
    })?;
    table("tafl_games", &games, &games_parts, &mut out);
    table("tafl_plies", &plies, &plies_parts, &mut out);
    let runs: Vec<String> = corpus
        .eval_files()
        .iter()
        .map(EvalFile::path)
        .enumerate()
        .map(|(nth, path)| {
            let part = table_part(&whole.join(path.strip_prefix(folder).unwrap_or(path)), nth, &[]);
            format!("{part} WHERE game IN (SELECT game FROM tafl_games)")
        })
        .collect();
    table("tafl_evals", &evals, &runs, &mut out);
    view_of("games", &games, &mut out);
    view_of("plies", &plies, &mut out);
    view_of("evals", &evals, &mut out);
    out.push_str(VIEWS);
    openings(&mut out);
    Ok(out)
}

/// Returns the rows of a file, with their places, without the removed ones.
fn table_part(file: &Path, number: usize, removed: &[[u32; 2]]) -> String {
    let path = file.to_string_lossy().replace('\'', "''");
    let mut part = format!(
        "SELECT * EXCLUDE (file_row_number), {number} AS segment, file_row_number AS \"row\"\n    \
         FROM read_parquet('{path}', file_row_number = true)"
    );
    if !removed.is_empty() {
        let ranges =
            removed.iter().map(|[first, last]| format!("file_row_number BETWEEN {first} AND {last}"));
        write!(part, " WHERE NOT ({})", ranges.collect::<Vec<_>>().join(" OR "))
            .expect("texts take everything");
    }
    part
}

/// Adds a table of parts. It begins with no row of all columns, so that their types are fixed, and columns that a part lacks
/// are null.
fn table(name: &str, columns: &[&TableColumn], parts: &[String], out: &mut String) {
    let none =
        columns.iter().map(|column| format!("NULL::{} AS \"{}\"", duckdb_type(column.kind), column.name));
    let none = none.collect::<Vec<_>>().join(", ");
    let mut sql = format!(
        "CREATE OR REPLACE VIEW {name} AS\n    SELECT {none}, NULL::BIGINT AS segment, NULL::BIGINT AS \"row\" WHERE false"
    );
    for part in parts {
        write!(sql, "\n    UNION ALL BY NAME {part}").expect("texts take everything");
    }
    out.push_str(&sql);
    out.push_str(";\n");
}

/// Returns the enum with the words of a column.
fn enum_of(column: &str) -> Option<&'static str> {
    match column {
        "first" | "side" => Some("tafl_side"),
        "result" => Some("tafl_result"),
        _ => None,
    }
}

/// Adds the view of a table as SQL of the program shows it: identifiers are texts.
fn view_of(name: &str, columns: &[&TableColumn], out: &mut String) {
    let column = |column: &&TableColumn| match column.kind {
        ColumnType::Id => format!("tafl_id(\"{0}\") AS \"{0}\"", column.name),
        _ => match enum_of(column.name) {
            Some(words) => format!("\"{0}\"::{words} AS \"{0}\"", column.name),
            None => format!("\"{}\"", column.name),
        },
    };
    let columns = columns.iter().map(column).collect::<Vec<_>>().join(", ");
    writeln!(out, "CREATE OR REPLACE VIEW {name} AS SELECT {columns} FROM tafl_{name};")
        .expect("texts take everything");
}

/// Adds the view of positions that games with the same rules reach. The first game of each is the first one of the corpus.
fn openings(out: &mut String) {
    let count = |result: &str| format!("count(*) FILTER (WHERE result = '{result}')");
    writeln!(
        out,
        "CREATE OR REPLACE VIEW openings AS
WITH reached AS (
    SELECT rules_id, ply, key, result, game, g.segment, g.\"row\"
    FROM tafl_plies p JOIN tafl_games g USING (game) WHERE ply <= {OPENING_PLIES}),
positions AS (
    SELECT rules_id, ply, key, count(*) AS games, {} AS attackers, {} AS defenders, {} AS draws,
        {} AS unfinished, arg_min(game, (segment, \"row\")) AS game
    FROM reached GROUP BY rules_id, ply, key)
SELECT (SELECT any_value(g.variant) FROM tafl_games g WHERE g.game = o.game) AS variant,
    tafl_id(rules_id) AS rules_id, ply,
    (SELECT string_agg(m.\"from\" || '-' || m.\"to\", ' ' ORDER BY m.ply) FROM tafl_plies m
        WHERE m.game = o.game AND m.ply <= o.ply) AS moves,
    tafl_id(key) AS key, games, attackers, defenders, draws, unfinished, tafl_id(game) AS game
FROM positions o;",
        count("attackers"),
        count("defenders"),
        count("draw"),
        count("unfinished")
    )
    .expect("texts take everything");
}

/// Returns the type of a column: integers are signed, as in SQL of the program.
const fn duckdb_type(kind: ColumnType) -> &'static str {
    match kind {
        ColumnType::Text => "VARCHAR",
        ColumnType::Id | ColumnType::UInt32 | ColumnType::Int16 | ColumnType::UInt16 | ColumnType::UInt8 => {
            "BIGINT"
        }
        ColumnType::Float64 => "DOUBLE",
        ColumnType::Bool => "BOOLEAN",
    }
}

/// Returns rising numbers as ranges from the first to the last.
fn ranges(numbers: &[u32]) -> Vec<[u32; 2]> {
    let runs = numbers.chunk_by(|one, next| one + 1 == *next);
    runs.filter_map(|run| Some([*run.first()?, *run.last()?])).collect()
}

#[cfg(test)]
mod tests {
    use tafl_parser::Format;

    use super::*;
    use crate::ingest::tests::{GAMES, take_in};

    #[test]
    fn removed_rows_are_ranges_of_their_segment() {
        assert_eq!(ranges(&[1, 2, 3, 7, 9, 10]), [[1, 3], [7, 7], [9, 10]]);
        assert!(ranges(&[]).is_empty());
    }

    #[test]
    fn views_name_the_files_without_removed_rows() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("it's");
        take_in(&path, "a.csv", Format::MoveList, &GAMES);
        let second = |corpus: &Corpus| Ok::<_, CorpusError>(corpus.games().skip(1).take(1).collect());
        crate::remove::remove(&path, "a test", second).unwrap();
        let sql = duckdb_views(&Corpus::open(&path).unwrap()).unwrap();
        let n_games = sql.matches("games.parquet").count();
        assert_eq!(
            (n_games, sql.matches("WHERE NOT (file_row_number BETWEEN 1 AND 1)").count()),
            (1, 1),
            "{sql}"
        );
        assert!(sql.contains("it''s") && !sql.contains("it's"), "{sql}");
        // The second game has 14 of the 24 plies.
        assert_eq!(sql.matches("WHERE NOT").count(), 2, "{sql}");
    }
}
