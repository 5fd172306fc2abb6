//! What engines said about the games of a corpus: the table `evals`.
//!
//! A run is an engine with limits, curves and thresholds; it has one file of rows in the folder `evals`, a row for each ply
//! that was judged. The manifest names the files. Corpora of version 1 have files there that it does not name; they are
//! read, and become a part of the corpus when evaluations are added. Games that were removed from the corpus are in no
//! answer.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use polars::frame::DataFrame;
use polars::io::parquet::write::ParquetWriter;
use polars::prelude::{
    Column, DataType, IntoLazy, JoinArgs, JoinType, LazyFrame, PolarsResult, UnionArgs, col, concat, lit,
};
use tafl_rules::Side;

use crate::error::{CorpusError, Result};
use crate::file::{checksum, hex, make_folder};
use crate::folder::Corpus;
use crate::id::GameId;
use crate::manifest::{Manifest, is_unnamed_evals};
use crate::scan::{scan_files, wrong};
use crate::schema::EVALS;
use crate::table::guarded;
use crate::writer::Writer;

pub use crate::manifest::{EVALS_FOLDER, EVALS_VERSION};

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
    if rows.is_empty() {
        return Manifest::read(corpus).map(drop);
    }
    let mut writer = Writer::open(corpus, note)?;
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
pub fn of_game(corpus: &Corpus, game: GameId) -> Result<Option<(Run, Vec<EvalRow>)>> {
    for path in files(corpus)?.iter().rev() {
        let rows = guarded(|| read_game(path, game)).map_err(|error| CorpusError::table(path, error))?;
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

impl Corpus {
    /// Returns a lazy scan of the evaluations of all runs. Those of removed games are not included.
    ///
    /// # Errors
    ///
    /// As [`Corpus::scan_games`].
    pub fn scan_evals(&self) -> Result<LazyFrame> {
        table(self, self.scan_games()?)
    }
}

/// Returns the table of all runs, for games that `games` has.
fn table(corpus: &Corpus, games: LazyFrame) -> Result<LazyFrame> {
    let files = files(corpus)?;
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
    frame(&Run { engine: String::new(), limits: String::new(), curves: String::new() }, &[])
}

/// Returns the files of all runs, in the order in which they were written; those of other versions are passed over.
///
/// # Errors
///
/// Fails when the folder of a corpus of version 1 cannot be read.
pub fn files(corpus: &Corpus) -> Result<Vec<PathBuf>> {
    let manifest = corpus.manifest();
    let folder = corpus.path().join(EVALS_FOLDER);
    if manifest.evals.is_empty() {
        return Ok(unnamed(corpus.path())?.iter().map(|name| folder.join(name)).collect());
    }
    let infix = format!("{EVALS_VERSION}-");
    let is_known = |name: &str| {
        name.rsplit_once(&infix).is_some_and(|(before, _)| before.is_empty() || before.ends_with('-'))
    };
    let names = manifest.evals.iter().filter_map(|file| file.path.rsplit('/').next());
    // A file that a later change of the corpus took away is only gone.
    Ok(names
        .filter(|name| is_known(name))
        .map(|name| folder.join(name))
        .filter(|path| path.is_file())
        .collect())
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
mod tests;
