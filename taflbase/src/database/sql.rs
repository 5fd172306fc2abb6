//! SQL over the tables of a corpus.

use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, SendError};
use std::thread;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_corpus::{CorpusError, SqlTable, sql};

use super::{CorpusRequest, CorpusSnapshot};
use crate::{App, Error, ErrorKind, Job, Result};

/// The time between two checks of the job.
const CHECK_INTERVAL: Duration = Duration::from_millis(20);

/// The help for wrong queries.
const HELP: &str = "the tables are `games`, `plies`, `players`, `openings`, and `evals` (docs/corpus.md lists their columns); \
    write texts in single quotes, and names such as \"from\" in double quotes";

/// Ask the tables of a corpus in SQL
///
/// The answer is a [`SqlTable`], which writes itself as CSV, JSON, or Parquet.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct SqlRequest {
    /// The query
    #[cfg_attr(feature = "clap", arg(value_name = "SELECT"))]
    pub question: String,
}

impl CorpusRequest for SqlRequest {
    type Answer = SqlTable;

    fn run_on(self, corpus: &Arc<CorpusSnapshot>, _: &App, job: &Job) -> Result<SqlTable> {
        job.check()?;
        let (sender, receiver) = mpsc::channel();
        let (corpus, question) = (Arc::clone(corpus), self.question);
        // Polars can't stop a query, so the query of a canceled job ends on its own thread, and its answer is dropped.
        thread::spawn(move || {
            let _: Result<_, SendError<_>> = sender.send(sql(corpus.corpus(), &question));
        });
        let answer = loop {
            match receiver.recv_timeout(CHECK_INTERVAL) {
                Ok(answer) => break answer,
                Err(RecvTimeoutError::Timeout) => job.check()?,
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Error::new(ErrorKind::Internal, "the query has no answer"));
                }
            }
        };
        match answer {
            Err(error @ CorpusError::Sql(_)) => {
                let message = format!("{error}; {HELP}");
                Err(Error::new(ErrorKind::BadQuery, message).of("question"))
            }
            answer => Ok(answer?),
        }
    }
}
