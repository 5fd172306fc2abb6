//! Engine evaluations of the games of a corpus: the table `evals`.
//!
//! A run is an engine with limits, curves and thresholds; it has one file of rows in the folder `evals`, a row for
//! each ply with an evaluation. The manifest names the files. Corpora of version 1 have files there that it does not
//! name; they are read, and are added to the manifest when evaluations are added. Evaluations of removed games are
//! never returned.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use polars::error::PolarsError;
use polars::frame::DataFrame;
use polars::io::parquet::write::ParquetWriter;
use polars::prelude::{
    Column, DataType, IntoLazy, JoinArgs, JoinType, LazyFrame, PolarsResult, UnionArgs, col, concat, lit,
};

use crate::checked_tables::{scan_tables, with_columns};
use crate::error::{CorpusError, Result};
use crate::eval_file::{EvalFile, unnamed};
use crate::file::make_folder;
use crate::folder::Corpus;
use crate::id::GameId;
use crate::manifest::{EVALS_VERSION, Manifest};
use crate::parquet::{TableFile, column, guarded};
use crate::scan::{collect, query_error};
use crate::schema::{CellValue, ColumnType, EVALS, EvalRow, EvalRun};
use crate::writer::CorpusWriter;

mod carried;

pub use crate::manifest::EVALS_FOLDER;
pub(crate) use carried::ReplacedGames;

/// Adds rows to those of a run. For games that the run already has, the new rows replace the old ones.
///
/// # Errors
///
/// Fails if there is no corpus, another program is writing to it, or a file cannot be read or written.
pub fn add_evals(corpus: &Path, note: &str, run: &EvalRun, rows: &[EvalRow]) -> Result<()> {
    if rows.is_empty() {
        return Manifest::read(corpus).map(drop);
    }
    let mut writer = CorpusWriter::open(corpus, note)?;
    make_folder(&corpus.join(EVALS_FOLDER))?;
    adopt_unnamed(&mut writer)?;
    let ending = file_ending(run);
    let old = writer.manifest().evals.iter().find(|file| file.path.ends_with(&ending));
    let path = corpus.join(old.map_or(&*ending, |file| &*file.path));
    let table_error = |error| CorpusError::table(&path, error);
    let mut frame = frame(run, rows).map_err(table_error)?;
    if let Some(file) = old {
        frame = merged(TableFile::open_with(path.clone(), Some(&file.checksums()))?, &frame, rows)?;
    }
    let mut bytes = Vec::new();
    ParquetWriter::new(&mut bytes).finish(&mut frame).map_err(table_error)?;
    writer.add_evals(&ending, &bytes)?;
    writer.commit()
}

/// Returns the end of the name of the file of a run, which follows a number.
fn file_ending(run: &EvalRun) -> String {
    format!("{EVALS_VERSION}-{}.parquet", run.id())
}

/// Adds the files of a corpus of version 1 to its manifest.
fn adopt_unnamed(writer: &mut CorpusWriter) -> Result<()> {
    if writer.manifest().evals.is_empty() {
        for name in unnamed(writer.path())? {
            writer.adopt_evals(&format!("{EVALS_FOLDER}/{name}"))?;
        }
    }
    Ok(())
}

/// Returns the rows of a file, without games that the new rows have, followed by the new rows.
fn merged(old: TableFile, new: &DataFrame, rows: &[EvalRow]) -> Result<DataFrame> {
    let games: HashSet<i64> = rows.iter().map(|row| row.game.as_i64()).collect();
    let mut games: Vec<i64> = games.into_iter().collect();
    games.sort_unstable();
    let plan = || {
        let games = DataFrame::new(games.len(), vec![Column::new("game".into(), games)])?.lazy();
        let kept = scan(move || Ok(vec![old.clone()]))?.join(
            games,
            [col("game")],
            [col("game")],
            JoinArgs::new(JoinType::Anti),
        );
        concat([kept, new.clone().lazy()], UnionArgs::default())
    };
    collect(plan().map_err(query_error)?)
}

/// Reads the rows of a game.
fn read_game(table: &TableFile, game: GameId) -> Result<Option<(EvalRun, Vec<EvalRow>)>> {
    let fault = |error| CorpusError::table(table.path(), error);
    let games = table.read_columns(&["game"])?;
    let games = games.column("game").and_then(|column| column.i64()).map_err(fault)?;
    let mut own = games.iter().enumerate().filter(|(_, id)| *id == Some(game.as_i64())).map(|(row, _)| row);
    let Some(first) = own.next() else { return Ok(None) };
    let last = own.next_back().unwrap_or(first);
    // A run adds all rows of a game at once, so that there are few others between them.
    let frame = table.read(&[], Some((first, last - first + 1)))?;
    let read = || {
        let names: Vec<&str> = EVALS.iter().map(|eval| eval.field.name).collect();
        let frame = with_columns(frame, &names, empty()?.schema())?;
        let own = frame.lazy().filter(col("game").eq(lit(game.as_i64())));
        rows_of(&own.sort(["ply"], Default::default()).collect()?)
    };
    guarded(read).map_err(fault)
}

/// Reads columns of the file of a run. Columns that the file lacks, because an older version wrote it, are null.
///
/// # Errors
///
/// Fails if the file is missing, damaged, or cannot be read.
pub(crate) fn read_columns(file: &EvalFile, names: &[&str]) -> Result<DataFrame> {
    let frame = file.table()?.read_columns(names)?;
    let read = || with_columns(frame, names, empty()?.schema());
    guarded(read).map_err(|error| CorpusError::table(file.path(), error))
}

/// Returns the rows of a frame, and their run.
fn rows_of(frame: &DataFrame) -> PolarsResult<Option<(EvalRun, Vec<EvalRow>)>> {
    let (mut run, mut rows) = (EvalRun::default(), vec![EvalRow::default(); frame.height()]);
    for column in EVALS {
        let field = column.field;
        let values = frame.column(field.name)?;
        let mut read = |at: usize, row: &mut EvalRow, value: CellValue<'_>| {
            let message = || format!("row {at}: missing or invalid value of `{}`", field.name);
            let is_usable = (column.read)(&mut run, row, &value);
            if is_usable { Ok(()) } else { Err(PolarsError::ComputeError(message().into())) }
        };
        let rows = rows.iter_mut().enumerate();
        match field.kind {
            ColumnType::Text => {
                for ((at, row), value) in rows.zip(values.str()?.iter()) {
                    read(at, row, value.map_or(CellValue::None, CellValue::Text))?;
                }
            }
            ColumnType::Float64 => {
                for ((at, row), value) in rows.zip(values.f64()?.iter()) {
                    read(at, row, value.map_or(CellValue::None, CellValue::Real))?;
                }
            }
            ColumnType::Id
            | ColumnType::UInt32
            | ColumnType::Int16
            | ColumnType::UInt16
            | ColumnType::UInt8
            | ColumnType::Bool => {
                for ((at, row), value) in rows.zip(values.cast(&DataType::Int64)?.i64()?.iter()) {
                    read(at, row, value.map_or(CellValue::None, CellValue::Number))?;
                }
            }
        }
    }
    Ok((!rows.is_empty()).then_some((run, rows)))
}

impl Corpus {
    /// Returns a lazy scan of the evaluations of all runs. Those of removed games are not included.
    ///
    /// # Errors
    ///
    /// As [`Corpus::scan_games`].
    pub fn scan_evals(&self) -> Result<LazyFrame> {
        table(self, self.scan_games()?)
    }

    /// Returns the evaluations of a game by the newest run that has the game, in the order of the plies.
    ///
    /// # Errors
    ///
    /// Returns the file that is damaged or cannot be read.
    pub fn game_evals(&self, game: GameId) -> Result<Option<(EvalRun, Vec<EvalRow>)>> {
        for file in self.eval_files().iter().rev() {
            let rows = read_game(&file.table()?, game)?;
            if rows.is_some() {
                return Ok(rows);
            }
        }
        Ok(None)
    }

    /// Returns whether there is a table of evaluations.
    pub fn has_evals(&self) -> bool {
        !self.eval_files().is_empty()
    }

    /// Returns the tables of evaluations of all runs, in the order in which they were written.
    ///
    /// # Errors
    ///
    /// Returns the file that is missing or damaged.
    pub fn eval_tables(&self) -> Result<Vec<TableFile>> {
        self.eval_files().iter().map(EvalFile::table).collect()
    }
}

/// Returns the table of all runs, for games that `games` has.
fn table(corpus: &Corpus, games: LazyFrame) -> Result<LazyFrame> {
    let files = corpus.eval_files().to_vec();
    if files.is_empty() {
        return empty().map(IntoLazy::lazy).map_err(query_error);
    }
    let all = scan(move || files.iter().map(EvalFile::table).collect()).map_err(query_error)?;
    let games = games.select([col("game")]);
    Ok(all.join(games, [col("game")], [col("game")], JoinArgs::new(JoinType::Semi)))
}

fn scan(open: impl Fn() -> Result<Vec<TableFile>> + Send + Sync + 'static) -> PolarsResult<LazyFrame> {
    scan_tables(open, Arc::clone(empty()?.schema()))
}

/// Returns the table without rows.
fn empty() -> PolarsResult<DataFrame> {
    frame(&EvalRun::default(), &[])
}

/// Returns rows as a table; columns are in the order of [`EVALS`].
fn frame(run: &EvalRun, rows: &[EvalRow]) -> PolarsResult<DataFrame> {
    let columns = EVALS.iter().map(|eval| column(&eval.field, rows, |row| (eval.get)(run, row)));
    DataFrame::new(rows.len(), columns.collect())
}

#[cfg(test)]
mod tests;
