//! SQL for DuckDB.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_corpus::duckdb_views;

use super::{CorpusRequest, CorpusSnapshot};
use crate::{App, Job, Result};

/// Write SQL with views of a corpus for DuckDB
///
/// The answer is the text of the statements. Their files are those of the present state of the corpus.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ViewsRequest {}

impl CorpusRequest for ViewsRequest {
    type Answer = String;

    fn run_on(self, corpus: &Arc<CorpusSnapshot>, _: &App, job: &Job) -> Result<String> {
        job.check()?;
        Ok(duckdb_views(corpus.corpus())?)
    }
}
