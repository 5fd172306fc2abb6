//! The tables of a corpus as lazy frames: scans of the Parquet files of all segments, without removed games.

use std::sync::Arc;

use polars::error::PolarsError;
use polars::frame::DataFrame;
use polars::prelude::{
    Column, IntoLazy, JoinArgs, JoinType, LazyFrame, PolarsResult, UnionArgs, by_name, col, concat, lit,
};

use crate::checked_tables::{of_corpus, scan_tables};
use crate::error::{CorpusError, Result};
use crate::folder::Corpus;
use crate::parquet::{TableFile, empty_games, empty_plies, guarded};
use crate::segment::Segment;

impl Corpus {
    /// Returns a lazy scan of the table of games, in the order of the corpus. Removed games are not included.
    ///
    /// The columns are those of [`GAMES`](crate::schema::GAMES); one that a segment lacks because an older version
    /// wrote it is null. Nothing is read until the frame is collected, see [`collect`].
    ///
    /// # Errors
    ///
    /// Returns the file that is missing or damaged.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// use polars::prelude::{col, len};
    /// use tafl_corpus::{Corpus, collect};
    ///
    /// let corpus = Corpus::open("games".as_ref())?;
    /// let wins = corpus.scan_games()?.group_by([col("variant"), col("result")]).agg([len()]);
    /// println!("{}", collect(wins)?);
    /// # Ok::<(), tafl_corpus::CorpusError>(())
    /// ```
    pub fn scan_games(&self) -> Result<LazyFrame> {
        self.scan(&TableScan::games()?)
    }

    /// Returns a lazy scan of the table of plies, in the order of the corpus. Plies of removed games are not included.
    ///
    /// # Errors
    ///
    /// As [`Corpus::scan_games`].
    pub fn scan_plies(&self) -> Result<LazyFrame> {
        self.scan(&TableScan::plies()?)
    }

    /// Returns [`Corpus::scan_games`] with two more columns: `segment`, the index in [`Corpus::segments`], and `row`,
    /// the row there. Together they are a [`GameAt`](crate::folder::GameAt).
    ///
    /// # Errors
    ///
    /// As [`Corpus::scan_games`].
    pub fn scan_games_at(&self) -> Result<LazyFrame> {
        let scan = TableScan::games()?;
        let part = |(nth, segment): (u32, &Segment)| {
            let rows = scan.files(std::slice::from_ref(segment))?.with_row_index("row", None);
            let rows = if segment.entry().n_removed() == 0 { rows } else { scan.live(rows, segment, "row")? };
            Ok(rows.with_column(lit(nth).alias("segment")))
        };
        let mut parts = (0..).zip(self.segments()).map(part).collect::<Result<Vec<LazyFrame>>>()?;
        if parts.is_empty() {
            let empty = scan.empty.clone().lazy().with_row_index("row", None);
            parts.push(empty.with_column(lit(0u32).alias("segment")));
        }
        concat(parts, UnionArgs::default()).map_err(query_error)
    }

    fn scan(&self, scan: &TableScan) -> Result<LazyFrame> {
        let segments = self.segments();
        if segments.is_empty() {
            return Ok(scan.empty.clone().lazy());
        }
        if segments.iter().all(|segment| segment.entry().n_removed() == 0) {
            return scan.files(segments);
        }
        let part = |segment: &Segment| {
            let rows = scan.files(std::slice::from_ref(segment))?;
            if segment.entry().n_removed() == 0 {
                return Ok(rows);
            }
            Ok(scan.live(rows.with_row_index(ROW, None), segment, ROW)?.drop(by_name([ROW], true, false)))
        };
        let parts = segments.iter().map(part).collect::<Result<Vec<LazyFrame>>>()?;
        concat(parts, UnionArgs::default()).map_err(query_error)
    }
}

/// Collects a lazy frame. Damaged files are errors, even where polars panics on them.
///
/// # Errors
///
/// Fails if the query is invalid, or if a file is missing or damaged.
pub fn collect(frame: LazyFrame) -> Result<DataFrame> {
    collect_with(|| Ok(frame.clone()))
}

/// Collects a lazy frame, which may be planned twice.
///
/// # Errors
///
/// As [`collect`].
pub(crate) fn collect_with(mut plan: impl FnMut() -> PolarsResult<LazyFrame>) -> Result<DataFrame> {
    let mut run = |pushdown: bool| plan()?.with_projection_pushdown(pushdown).collect();
    let answer = guarded(|| match run(true) {
        // To count the rows of several files, the optimizer asks for a type that this build of polars lacks.
        Err(error) if error.to_string().contains("UInt128") => run(false),
        answer => answer,
    });
    answer.map_err(query_error)
}

/// Returns the error of the corpus that stopped a query, or the message of polars without the plan that it appends.
pub(crate) fn query_error(error: PolarsError) -> CorpusError {
    if let Some(error) = of_corpus(&error) {
        return error;
    }
    let text = error.to_string();
    let reason = text.split_once("\n\n").map_or(text.as_str(), |(reason, _)| reason).trim_end();
    CorpusError::Sql(reason.to_owned())
}

/// The temporary column used to exclude removed rows.
const ROW: &str = "row of the segment";

/// One table of all segments.
struct TableScan {
    table: fn(&Segment) -> &TableFile,
    /// Returns the rows of removed games.
    removed: fn(&Segment) -> Result<Vec<u32>>,
    empty: DataFrame,
}

impl TableScan {
    fn games() -> Result<TableScan> {
        let empty = empty_games().map_err(query_error)?;
        Ok(TableScan { table: Segment::games_table, removed: removed_games, empty })
    }

    fn plies() -> Result<TableScan> {
        let empty = empty_plies().map_err(query_error)?;
        Ok(TableScan { table: Segment::plies_table, removed: removed_plies, empty })
    }

    fn files(&self, segments: &[Segment]) -> Result<LazyFrame> {
        let tables: Vec<TableFile> = segments.iter().map(|segment| (self.table)(segment).clone()).collect();
        scan_tables(move || Ok(tables.clone()), Arc::clone(self.empty.schema())).map_err(query_error)
    }

    /// Excludes the rows of removed games. The column `row` has the row number: a better copy of a game has the same
    /// game number, and may be in the same segment.
    fn live(&self, rows: LazyFrame, segment: &Segment, row: &'static str) -> Result<LazyFrame> {
        let removed = (self.removed)(segment)?;
        let removed =
            DataFrame::new(removed.len(), vec![Column::new(row.into(), removed)]).map_err(query_error)?;
        Ok(rows.join(removed.lazy(), [col(row)], [col(row)], JoinArgs::new(JoinType::Anti)))
    }
}

/// Returns the rows of removed games.
fn removed_games(segment: &Segment) -> Result<Vec<u32>> {
    Ok((0..segment.n_games()).filter(|row| segment.is_removed(*row)).collect())
}

/// Returns the rows of the table of plies that belong to removed games.
pub(crate) fn removed_plies(segment: &Segment) -> Result<Vec<u32>> {
    let games = (0..).zip(segment.first_plies()?.windows(2));
    let removed = games.filter(|(game, _)| segment.is_removed(*game));
    Ok(removed.flat_map(|(_, plies)| plies[0]..plies[1]).collect())
}

#[cfg(test)]
mod tests {
    use tafl_parser::Format;

    use super::*;
    use crate::ingest::tests::{GAMES, take_in};

    fn rows(frame: LazyFrame, columns: [&str; 2]) -> Vec<[i64; 2]> {
        let frame = collect(frame.select(columns.map(col))).unwrap();
        let column = |name: &str| {
            let column = frame.column(name).unwrap().cast(&polars::prelude::DataType::Int64).unwrap();
            column.i64().unwrap().iter().map(Option::unwrap).collect::<Vec<i64>>()
        };
        column(columns[0]).into_iter().zip(column(columns[1])).map(|(one, other)| [one, other]).collect()
    }

    #[test]
    fn scans_return_live_games_with_their_places() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("corpus");
        take_in(&path, "none.csv", Format::MoveList, &[]);
        assert_eq!(
            rows(Corpus::open(&path).unwrap().scan_games_at().unwrap(), ["segment", "row"]),
            [[0; 2]; 0]
        );
        take_in(&path, "a.csv", Format::MoveList, &GAMES[..2]);
        take_in(&path, "b.csv", Format::MoveList, &GAMES[2..]);
        let first = |corpus: &Corpus| Ok::<_, CorpusError>(corpus.games().take(1).collect());
        crate::remove::remove(&path, "a test", first).unwrap();
        let corpus = Corpus::open(&path).unwrap();
        let at: Vec<[i64; 2]> =
            corpus.games().map(|game| [game.segment as i64, i64::from(game.row)]).collect();
        assert_eq!(at, [[0, 1], [1, 0]]);
        assert_eq!(rows(corpus.scan_games_at().unwrap(), ["segment", "row"]), at);
        let games = rows(corpus.scan_games().unwrap(), ["game", "plies"]);
        let plies = rows(corpus.scan_plies().unwrap(), ["game", "ply"]);
        let counted: Vec<[i64; 2]> = games
            .iter()
            .map(|[game, _]| [*game, plies.iter().filter(|[of, _]| of == game).count() as i64])
            .collect();
        assert_eq!(counted, games);
        assert_eq!(collect(corpus.scan_evals().unwrap()).unwrap().height(), 0);
    }
}
