//! Tables as a source of lazy frames. Every part is checked when it is read, and no file is mapped into memory: polars
//! itself maps Parquet files, so that a changed byte changes an answer, and a truncated file ends the program.

use std::any::Any;
use std::io;
use std::sync::Arc;

use polars::error::PolarsError;
use polars::frame::DataFrame;
use polars::prelude::{
    AnonymousScan, AnonymousScanArgs, Column, IntoLazy, LazyFrame, PolarsResult, ScanArgsAnonymous, Schema,
    SchemaRef,
};

use crate::error::{CorpusError, Result};
use crate::parquet::TableFile;

/// Tables with the same columns, which are scanned as one.
struct CheckedTables {
    open: Box<dyn Fn() -> Result<Vec<TableFile>> + Send + Sync>,
    schema: SchemaRef,
}

/// Scans tables as one; columns of `schema` that a table lacks are null. Tables that cannot be opened are an error only if
/// the frame is collected.
///
/// # Errors
///
/// Does not fail, because the schema is known.
pub(crate) fn scan_tables(
    open: impl Fn() -> Result<Vec<TableFile>> + Send + Sync + 'static,
    schema: SchemaRef,
) -> PolarsResult<LazyFrame> {
    let args = ScanArgsAnonymous {
        schema: Some(Arc::clone(&schema)),
        name: "CHECKED TABLES",
        ..ScanArgsAnonymous::default()
    };
    LazyFrame::anonymous_scan(Arc::new(CheckedTables { open: Box::new(open), schema }), args)
}

impl AnonymousScan for CheckedTables {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn scan(&self, wanted: AnonymousScanArgs) -> PolarsResult<DataFrame> {
        let names: Vec<&str> = match &wanted.with_columns {
            Some(names) => names.iter().map(|name| name.as_str()).collect(),
            None => self.schema.iter_names().map(|name| name.as_str()).collect(),
        };
        let mut left = wanted.n_rows;
        let mut all = with_columns(DataFrame::empty(), &names, &self.schema)?;
        for table in &(self.open)().map_err(in_polars)? {
            if left == Some(0) {
                break;
            }
            let frame = self.read(table, &names, left)?;
            left = left.map(|left| left.saturating_sub(frame.height()));
            // A condition is applied to one table at a time, so that the rows it excludes are not all in memory.
            let frame = match &wanted.predicate {
                Some(condition) => frame.lazy().filter(condition.clone()).collect()?,
                None => frame,
            };
            all.vstack_mut_owned(frame)?;
        }
        Ok(all)
    }

    fn allows_predicate_pushdown(&self) -> bool {
        true
    }

    fn allows_projection_pushdown(&self) -> bool {
        true
    }
}

impl CheckedTables {
    /// Reads the rows of a table, or the first ones.
    fn read(&self, table: &TableFile, names: &[&str], limit: Option<usize>) -> PolarsResult<DataFrame> {
        // Without columns, only the number of rows matters.
        let first = self.schema.get_at_index(0).map(|(name, _)| name.as_str());
        let read: Vec<&str> = if names.is_empty() { first.into_iter().collect() } else { names.to_vec() };
        let frame = table.read(&read, limit.map(|limit| (0, limit))).map_err(in_polars)?;
        with_columns(frame, names, &self.schema)
    }
}

/// Returns columns of a frame, in their order; those that it lacks are null.
pub(crate) fn with_columns(frame: DataFrame, names: &[&str], schema: &Schema) -> PolarsResult<DataFrame> {
    let column = |name: &&str| match (frame.column(name), schema.get(name)) {
        (Ok(column), _) => Ok(column.clone()),
        (Err(_), Some(kind)) => Ok(Column::full_null((*name).into(), frame.height(), kind)),
        (Err(error), None) => Err(error),
    };
    let columns = names.iter().map(column).collect::<PolarsResult<Vec<Column>>>()?;
    DataFrame::new(frame.height(), columns)
}

/// Returns an error as polars passes it on; [`of_corpus`] returns it from there.
pub(crate) fn in_polars(error: CorpusError) -> PolarsError {
    PolarsError::IO { error: Arc::new(io::Error::other(error)), msg: None }
}

/// Returns the error that [`in_polars`] passed on.
pub(crate) fn of_corpus(error: &PolarsError) -> Option<CorpusError> {
    match error {
        PolarsError::IO { error, .. } => match error.get_ref()?.downcast_ref()? {
            CorpusError::Damaged { path, fault } => {
                Some(CorpusError::Damaged { path: path.clone(), fault: fault.clone() })
            }
            CorpusError::Io { path, source } => {
                let source = io::Error::new(source.kind(), source.to_string());
                Some(CorpusError::Io { path: path.clone(), source })
            }
            _ => None,
        },
        PolarsError::Context { error, .. } | PolarsError::ExprContext { error, .. } => of_corpus(error),
        _ => None,
    }
}
