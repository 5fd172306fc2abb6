//! Engine evaluations of the games of a corpus: the table `evals`.
//!
//! A run is an engine with limits, curves and thresholds; it has one file of rows in the folder `evals`, a row for
//! each ply with an evaluation. The manifest names the files. Corpora of version 1 have files there that it does not
//! name; they are read, and are added to the manifest when evaluations are added. Evaluations of removed games are
//! never answer.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use polars::error::PolarsError;
use polars::frame::DataFrame;
use polars::io::parquet::write::ParquetWriter;
use polars::prelude::{
    Column, DataType, IntoLazy, JoinArgs, JoinType, LazyFrame, PolarsResult, UnionArgs, col, concat, lit,
};

use crate::error::{CorpusError, Result};
use crate::file::make_folder;
use crate::folder::Corpus;
use crate::id::GameId;
use crate::manifest::{Manifest, is_unnamed_evals};
use crate::parquet::{column, guarded};
use crate::scan::{scan_files, wrong};
use crate::schema::{CellValue, ColumnType, EVALS};
use crate::writer::CorpusWriter;

pub use crate::manifest::EVALS_FOLDER;
use crate::manifest::EVALS_VERSION;
use crate::schema::{EvalRow, EvalRun};

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
    if writer.manifest().evals.is_empty() {
        for name in unnamed(corpus)? {
            writer.adopt_evals(&format!("{EVALS_FOLDER}/{name}"))?;
        }
    }
    let ending = format!("{EVALS_VERSION}-{}.parquet", run.id());
    let old = writer.manifest().evals.iter().find(|file| file.path.ends_with(&ending));
    let path = corpus.join(old.map_or(&*ending, |file| &*file.path));
    let wrong = |error| CorpusError::table(&path, error);
    let mut frame = frame(run, rows).map_err(wrong)?;
    if old.is_some() {
        frame = guarded(|| merged(&path, &frame, rows)).map_err(wrong)?;
    }
    let mut bytes = Vec::new();
    ParquetWriter::new(&mut bytes).finish(&mut frame).map_err(wrong)?;
    writer.add_evals(&ending, &bytes)?;
    writer.commit()
}

/// Returns the rows of a file, without games that the new rows have, followed by the new rows.
fn merged(path: &Path, new: &DataFrame, rows: &[EvalRow]) -> PolarsResult<DataFrame> {
    let games: HashSet<i64> = rows.iter().map(|row| row.game.as_i64()).collect();
    let mut games: Vec<i64> = games.into_iter().collect();
    games.sort_unstable();
    let games = DataFrame::new(games.len(), vec![Column::new("game".into(), games)])?.lazy();
    let old = scan(std::slice::from_ref(&path.to_owned()))?;
    let kept = old.join(games, [col("game")], [col("game")], JoinArgs::new(JoinType::Anti));
    concat([kept, new.clone().lazy()], UnionArgs::default())?.collect()
}

fn read_game(path: &PathBuf, game: GameId) -> PolarsResult<Option<(EvalRun, Vec<EvalRow>)>> {
    let own = scan(std::slice::from_ref(path))?.filter(col("game").eq(lit(game.as_i64())));
    let frame = own.sort(["ply"], Default::default()).collect()?;
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
        for path in self.eval_files()?.iter().rev() {
            let rows = guarded(|| read_game(path, game)).map_err(|error| CorpusError::table(path, error))?;
            if rows.is_some() {
                return Ok(rows);
            }
        }
        Ok(None)
    }

    /// Returns the files of all runs, in the order in which they were written. Files of other versions are skipped.
    ///
    /// # Errors
    ///
    /// Fails if the folder of a corpus of version 1 cannot be read.
    pub fn eval_files(&self) -> Result<Vec<PathBuf>> {
        let manifest = self.manifest();
        let folder = self.path().join(EVALS_FOLDER);
        if manifest.evals.is_empty() {
            return Ok(unnamed(self.path())?.iter().map(|name| folder.join(name)).collect());
        }
        let infix = format!("{EVALS_VERSION}-");
        let is_known = |name: &str| {
            name.rsplit_once(&infix).is_some_and(|(before, _)| before.is_empty() || before.ends_with('-'))
        };
        let names = manifest.evals.iter().filter_map(|file| file.path.rsplit('/').next());
        // A missing file was removed by a later change of the corpus.
        Ok(names
            .filter(|name| is_known(name))
            .map(|name| folder.join(name))
            .filter(|path| path.is_file())
            .collect())
    }
}

/// Returns the table of all runs, for games that `games` has.
fn table(corpus: &Corpus, games: LazyFrame) -> Result<LazyFrame> {
    let files = corpus.eval_files()?;
    if files.is_empty() {
        return empty().map(IntoLazy::lazy).map_err(wrong);
    }
    let all = scan(&files).map_err(wrong)?;
    let games = games.select([col("game")]);
    Ok(all.join(games, [col("game")], [col("game")], JoinArgs::new(JoinType::Semi)))
}

fn scan(files: &[PathBuf]) -> PolarsResult<LazyFrame> {
    scan_files(files, Arc::clone(empty()?.schema()))
}

/// Returns the table without rows.
fn empty() -> PolarsResult<DataFrame> {
    frame(&EvalRun::default(), &[])
}

/// Returns the files of evaluations that lie in the folder of a corpus whose manifest names none: the oldest first.
fn unnamed(corpus: &Path) -> Result<Vec<String>> {
    let folder = corpus.join(EVALS_FOLDER);
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(CorpusError::io(&folder)(error)),
    };
    let mut dated = Vec::new();
    for entry in entries {
        let entry = entry.map_err(CorpusError::io(&folder))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if is_unnamed_evals(&name) {
            let changed = entry.metadata().and_then(|data| data.modified()).ok();
            dated.push((changed, name));
        }
    }
    dated.sort();
    Ok(dated.into_iter().map(|(_, name)| name).collect())
}

/// Returns rows as a table; columns are in the order of [`EVALS`].
fn frame(run: &EvalRun, rows: &[EvalRow]) -> PolarsResult<DataFrame> {
    let columns = EVALS.iter().map(|eval| column(&eval.field, rows, |row| (eval.get)(run, row)));
    DataFrame::new(rows.len(), columns.collect())
}

#[cfg(test)]
mod tests;
