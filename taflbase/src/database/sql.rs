//! SQL over the tables of a corpus.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_corpus::{CorpusError, SqlTable, sql};

use super::{CorpusRequest, CorpusSnapshot};
use crate::{App, Error, ErrorKind, Job, Result};

/// What helps to repair a query.
const HELP: &str = "the tables are `games`, `plies` and `evals` (docs/corpus.md has their columns), a text stands in \
    single quotes, a name such as \"from\" in double ones";

/// Ask the tables of a corpus in SQL
///
/// The answer is a [`SqlTable`], which writes itself as CSV, JSON, or Parquet.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct SqlRequest {
    /// The question
    #[cfg_attr(feature = "clap", arg(value_name = "SELECT"))]
    pub question: String,
}

impl CorpusRequest for SqlRequest {
    type Answer = SqlTable;

    fn run_on(self, corpus: &Arc<CorpusSnapshot>, _: &App, job: &Job) -> Result<SqlTable> {
        job.check()?;
        // Polars runs a query to its end; only what follows can be canceled.
        let table = match sql(corpus.corpus(), &self.question) {
            Err(error @ CorpusError::Sql(_)) => {
                let message = format!("{error}; {HELP}");
                return Err(Error::new(ErrorKind::BadQuery, message).of("question"));
            }
            table => table?,
        };
        job.check()?;
        Ok(table)
    }
}
