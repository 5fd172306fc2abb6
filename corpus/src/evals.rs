//! What engines said about the games of a corpus: the table `evals`.
//!
//! A run is an engine with limits, curves and thresholds; it has one file of rows in the folder `evals`, a row for each ply
//! that was judged. The rows are made from the games and can be made again, so the manifest does not name the files: one
//! that is taken away is only gone. Games that were removed from the corpus are in no answer.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use polars::frame::DataFrame;
use polars::io::parquet::write::ParquetWriter;
use polars::prelude::{
    Column, DataType, IntoLazy, JoinArgs, JoinType, LazyFrame, PlRefPath, PolarsResult, ScanArgsParquet,
    UnionArgs, col, concat, lit,
};
use tafl_rules::Side;

use crate::error::{CorpusError, Result};
use crate::field::EVALS;
use crate::file::{checksum, hex, make_folder, replace};
use crate::id::GameId;
use crate::lock::WriterLock;
use crate::manifest::Manifest;

/// The folder of the files, below that of the corpus.
pub const EVALS_FOLDER: &str = "evals";

/// The version of the table; it stands in the names of the files.
pub const EVALS_VERSION: u32 = 1;

/// Who judged, and how: rows of different runs never mix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The engine: name, version, parameters, weights.
    pub engine: String,
    /// The limits of each search.
    pub limits: String,
    /// The curves and thresholds.
    pub curves: String,
}

impl Run {
    /// Returns the name of the run: sixteen hexadecimal digits.
    pub fn id(&self) -> String {
        hex(checksum(format!("{}\n{}\n{}", self.engine, self.limits, self.curves).as_bytes()))
    }
}

/// What is known about a ply. Scores and expectations are the attackers'.
#[derive(Debug, Clone, PartialEq)]
pub struct EvalRow {
    /// The game.
    pub game: GameId,
    /// The number of the ply, from 1.
    pub ply: u16,
    /// Who moved.
    pub side: Side,
    /// The score before the ply in hundredths of a man; nothing where a win was found, or the position not evaluated.
    pub score_before: Option<i16>,
    /// The score after it.
    pub score_after: Option<i16>,
    /// In how many plies the attackers win from the position before; negative where the defenders do.
    pub win_before: Option<i16>,
    /// The same from the position after it; 0 never occurs: a game that the ply ends has [`EvalRow::ended`].
    pub win_after: Option<i16>,
    /// Who won with this ply: `attackers`, `defenders` or `draw`.
    pub ended: Option<&'static str>,
    /// What the attackers could expect before, from 0 to 1.
    pub expected_before: Option<f64>,
    /// What they could expect after it.
    pub expected_after: Option<f64>,
    /// What the mover lost, from 0 to 1.
    pub loss: Option<f64>,
    /// `good`, `inaccuracy`, `mistake` or `blunder`; nothing where it was not judged.
    pub judgement: Option<&'static str>,
    /// The engine's move, such as `d4-d1`.
    pub best: Option<String>,
    /// How deep the search before the ply was, in plies.
    pub depth: Option<u16>,
}

/// Adds rows to those of a run. Games that the run has already get the new rows.
///
/// # Errors
///
/// Returns that there is no corpus, who writes into it already, or that a file cannot be read or written.
pub fn add(corpus: &Path, note: &str, run: &Run, rows: &[EvalRow]) -> Result<()> {
    Manifest::read(corpus)?;
    if rows.is_empty() {
        return Ok(());
    }
    let _lock = WriterLock::take(corpus, note)?;
    let folder = corpus.join(EVALS_FOLDER);
    make_folder(&folder)?;
    let path = folder.join(format!("{EVALS_VERSION}-{}.parquet", run.id()));
    let wrong = |error| CorpusError::table(&path, error);
    let mut frame = frame(run, rows).map_err(wrong)?;
    if path.is_file() {
        frame = merged(&path, &frame, rows).map_err(wrong)?;
    }
    let mut bytes = Vec::new();
    ParquetWriter::new(&mut bytes).finish(&mut frame).map_err(wrong)?;
    replace(&path, &bytes)
}

/// Returns the rows of a file without the games of the new ones, and the new ones behind them.
fn merged(path: &Path, new: &DataFrame, rows: &[EvalRow]) -> PolarsResult<DataFrame> {
    let games: HashSet<i64> = rows.iter().map(|row| row.game.as_i64()).collect();
    let mut games: Vec<i64> = games.into_iter().collect();
    games.sort_unstable();
    let games = DataFrame::new(games.len(), vec![Column::new("game".into(), games)])?.lazy();
    let old = scan(std::slice::from_ref(&path.to_owned()))?;
    let kept = old.join(games, [col("game")], [col("game")], JoinArgs::new(JoinType::Anti));
    concat([kept, new.clone().lazy()], UnionArgs::default())?.collect()
}

/// Returns what the run whose file is the newest says about a game, its plies in order; nothing where no run has the game.
///
/// # Errors
///
/// Returns that a file cannot be read, or is damaged.
pub fn of_game(corpus: &Path, game: GameId) -> Result<Option<(Run, Vec<EvalRow>)>> {
    let mut dated = Vec::new();
    for path in files(corpus)? {
        // A file that was taken away meanwhile is only gone.
        let changed = fs::metadata(&path).and_then(|data| data.modified()).ok();
        dated.push((changed, path));
    }
    dated.sort();
    for (_, path) in dated.iter().rev() {
        let rows = read_game(path, game).map_err(|error| CorpusError::table(path, error))?;
        if rows.is_some() {
            return Ok(rows);
        }
    }
    Ok(None)
}

fn read_game(path: &PathBuf, game: GameId) -> PolarsResult<Option<(Run, Vec<EvalRow>)>> {
    let own = scan(std::slice::from_ref(path))?.filter(col("game").eq(lit(game.as_i64())));
    let frame = own.sort(["ply"], Default::default()).collect()?;
    let text = |name: &str| -> PolarsResult<Vec<Option<String>>> {
        Ok(frame.column(name)?.str()?.iter().map(|text| text.map(ToOwned::to_owned)).collect())
    };
    let number = |name: &str| -> PolarsResult<Vec<Option<i64>>> {
        Ok(frame.column(name)?.cast(&DataType::Int64)?.i64()?.iter().collect())
    };
    let part = |name: &str| -> PolarsResult<Vec<Option<f64>>> {
        Ok(frame.column(name)?.cast(&DataType::Float64)?.f64()?.iter().collect())
    };
    let (engine, limits, curves) = (text("engine")?, text("limits")?, text("curves")?);
    let first = |column: &[Option<String>]| column.first().cloned().flatten().unwrap_or_default();
    let run = Run { engine: first(&engine), limits: first(&limits), curves: first(&curves) };
    let (ply, depth, side) = (number("ply")?, number("depth")?, text("side")?);
    let (score_before, score_after) = (number("score_before")?, number("score_after")?);
    let (win_before, win_after) = (number("win_before")?, number("win_after")?);
    let (expected_before, expected_after) = (part("expected_before")?, part("expected_after")?);
    let (loss, best) = (part("loss")?, text("best")?);
    let (ended, judgement) = (text("ended")?, text("judgement")?);
    let small = |number: Option<i64>| number.and_then(|number| i16::try_from(number).ok());
    let count = |number: Option<i64>| number.and_then(|number| u16::try_from(number).ok());
    let rows: Vec<EvalRow> = (0..frame.height())
        .map(|row| EvalRow {
            game,
            ply: count(ply[row]).unwrap_or_default(),
            side: if side[row].as_deref() == Some(Side::Defenders.word()) {
                Side::Defenders
            } else {
                Side::Attackers
            },
            score_before: small(score_before[row]),
            score_after: small(score_after[row]),
            win_before: small(win_before[row]),
            win_after: small(win_after[row]),
            ended: known(ENDS, ended[row].as_deref()),
            expected_before: expected_before[row],
            expected_after: expected_after[row],
            loss: loss[row],
            judgement: known(JUDGEMENTS, judgement[row].as_deref()),
            best: best[row].clone(),
            depth: count(depth[row]),
        })
        .collect();
    Ok((!rows.is_empty()).then_some((run, rows)))
}

/// The words of [`EvalRow::ended`].
const ENDS: &[&str] = &["attackers", "defenders", "draw"];
/// The words of [`EvalRow::judgement`].
const JUDGEMENTS: &[&str] = &["good", "inaccuracy", "mistake", "blunder"];

fn known(words: &[&'static str], text: Option<&str>) -> Option<&'static str> {
    words.iter().copied().find(|word| Some(*word) == text)
}

/// Returns the table of all runs, for games that `games` has.
pub(crate) fn table(corpus: &Path, games: LazyFrame) -> Result<LazyFrame> {
    let wrong = |error: polars::error::PolarsError| CorpusError::Sql(error.to_string());
    let files = files(corpus)?;
    if files.is_empty() {
        return frame(&Run { engine: String::new(), limits: String::new(), curves: String::new() }, &[])
            .map(IntoLazy::lazy)
            .map_err(wrong);
    }
    let all = scan(&files).map_err(wrong)?;
    let games = games.select([col("game")]);
    Ok(all.join(games, [col("game")], [col("game")], JoinArgs::new(JoinType::Semi)))
}

fn scan(files: &[PathBuf]) -> PolarsResult<LazyFrame> {
    let args = ScanArgsParquet { glob: false, ..ScanArgsParquet::default() };
    let at = |path: &PathBuf| PlRefPath::new(path.to_string_lossy().into_owned());
    LazyFrame::scan_parquet_files(files.iter().map(at).collect(), args)
}

/// Returns the files of all runs in order; those of other versions are passed over.
fn files(corpus: &Path) -> Result<Vec<PathBuf>> {
    let folder = corpus.join(EVALS_FOLDER);
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(CorpusError::io(&folder)(error)),
    };
    let prefix = format!("{EVALS_VERSION}-");
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(CorpusError::io(&folder))?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if name.starts_with(&prefix) && name.ends_with(".parquet") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Returns rows as a table; columns are in the order of [`EVALS`].
fn frame(run: &Run, rows: &[EvalRow]) -> PolarsResult<DataFrame> {
    let id = run.id();
    fn of<'r, T>(rows: &'r [EvalRow], get: impl Fn(&'r EvalRow) -> T) -> Vec<T> {
        rows.iter().map(get).collect()
    }
    let columns = EVALS.iter().map(|field| {
        let name = field.name.into();
        match field.name {
            "run" => Column::new(name, vec![id.as_str(); rows.len()]),
            "game" => Column::new(name, of(rows, |row| row.game.as_i64())),
            "ply" => Column::new(name, of(rows, |row| row.ply)),
            "side" => Column::new(name, of(rows, |row| row.side.word())),
            "score_before" => Column::new(name, of(rows, |row| row.score_before)),
            "score_after" => Column::new(name, of(rows, |row| row.score_after)),
            "win_before" => Column::new(name, of(rows, |row| row.win_before)),
            "win_after" => Column::new(name, of(rows, |row| row.win_after)),
            "ended" => Column::new(name, of(rows, |row| row.ended)),
            "expected_before" => Column::new(name, of(rows, |row| row.expected_before)),
            "expected_after" => Column::new(name, of(rows, |row| row.expected_after)),
            "loss" => Column::new(name, of(rows, |row| row.loss)),
            "judgement" => Column::new(name, of(rows, |row| row.judgement)),
            "best" => Column::new(name, of(rows, |row| row.best.as_deref())),
            "depth" => Column::new(name, of(rows, |row| row.depth)),
            "engine" => Column::new(name, vec![run.engine.as_str(); rows.len()]),
            "limits" => Column::new(name, vec![run.limits.as_str(); rows.len()]),
            _ => Column::new(name, vec![run.curves.as_str(); rows.len()]),
        }
    });
    DataFrame::new(rows.len(), columns.collect())
}

#[cfg(test)]
mod tests {
    use tafl_parser::Format;

    use super::*;
    use crate::folder::Corpus;
    use crate::ingest::tests::{GAMES, take_in};
    use crate::sql::sql;

    fn run(limits: &str) -> Run {
        Run { engine: "some engine".into(), limits: limits.into(), curves: "some curves".into() }
    }

    fn row(game: GameId, ply: u16, loss: f64) -> EvalRow {
        EvalRow {
            game,
            ply,
            side: Side::Attackers,
            score_before: Some(120),
            score_after: None,
            win_before: None,
            win_after: Some(-3),
            ended: None,
            expected_before: Some(0.6),
            expected_after: Some(0.6 - loss),
            loss: Some(loss),
            judgement: Some("blunder"),
            best: Some("d4-d1".into()),
            depth: Some(7),
        }
    }

    fn cell(corpus: &Corpus, question: &str) -> String {
        sql(corpus, question).unwrap().cell(0, 0).unwrap_or_default()
    }

    #[test]
    fn evaluations_are_a_table_of_their_own() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("corpus");
        take_in(&path, "a.csv", Format::MoveList, &GAMES);
        let corpus = Corpus::open(&path).unwrap();
        assert_eq!(cell(&corpus, "SELECT COUNT(*) FROM evals"), "0");
        let games: Vec<GameId> = corpus.segments()[0].game_ids().unwrap();
        let first = [row(games[0], 1, 0.1), row(games[0], 2, 0.2), row(games[1], 1, 0.3)];
        add(&path, "a test", &run("nodes 1"), &first).unwrap();
        assert_eq!(cell(&corpus, "SELECT COUNT(*) FROM evals"), "3");
        // The same game judged again replaces its rows; another run has its own.
        add(&path, "a test", &run("nodes 1"), &[row(games[0], 1, 0.5)]).unwrap();
        add(&path, "a test", &run("nodes 2"), &[row(games[0], 1, 0.5)]).unwrap();
        assert_eq!(cell(&corpus, "SELECT COUNT(*) FROM evals"), "3");
        assert_eq!(cell(&corpus, "SELECT COUNT(*) FROM evals WHERE limits = 'nodes 1' AND loss > 0.2"), "2");
        let joined =
            "SELECT COUNT(*) FROM evals e JOIN games g ON e.game = g.game WHERE e.judgement = 'blunder'";
        assert_eq!(cell(&corpus, joined), "3");
    }

    #[test]
    fn a_game_has_the_rows_of_the_run_that_was_written_last() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("corpus");
        take_in(&path, "a.csv", Format::MoveList, &GAMES);
        let games: Vec<GameId> = Corpus::open(&path).unwrap().segments()[0].game_ids().unwrap();
        assert_eq!(of_game(&path, games[0]).unwrap(), None);
        let old = [row(games[0], 1, 0.1), row(games[1], 1, 0.3)];
        add(&path, "a test", &run("nodes 1"), &old).unwrap();
        let file = files(&path).unwrap().remove(0);
        let long_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(60);
        fs::File::options().append(true).open(file).unwrap().set_modified(long_ago).unwrap();
        let rows = [row(games[0], 2, 0.0), row(games[0], 1, 0.25)];
        add(&path, "a test", &run("nodes 2"), &rows).unwrap();
        let [second, first] = rows;
        assert_eq!(of_game(&path, games[0]).unwrap(), Some((run("nodes 2"), vec![first, second])));
        assert_eq!(of_game(&path, games[1]).unwrap(), Some((run("nodes 1"), vec![old[1].clone()])));
    }

    #[test]
    fn removed_games_have_no_evaluations() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("corpus");
        take_in(&path, "a.csv", Format::MoveList, &GAMES);
        let games: Vec<GameId> = Corpus::open(&path).unwrap().segments()[0].game_ids().unwrap();
        add(&path, "a test", &run("nodes 1"), &[row(games[0], 1, 0.1), row(games[1], 1, 0.3)]).unwrap();
        let first = |corpus: &Corpus| Ok::<_, CorpusError>(corpus.games().take(1).collect());
        crate::remove::remove(&path, "a test", first).unwrap();
        assert_eq!(cell(&Corpus::open(&path).unwrap(), "SELECT COUNT(*) FROM evals"), "1");
    }

    #[test]
    fn every_column_is_there() {
        let frame = frame(&run("nodes 1"), &[]).unwrap();
        let names: Vec<&str> = EVALS.iter().map(|field| field.name).collect();
        assert_eq!(frame.get_column_names().iter().map(|name| name.as_str()).collect::<Vec<_>>(), names);
    }
}
