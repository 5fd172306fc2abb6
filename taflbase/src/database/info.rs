//! The contents of a corpus, in numbers.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_corpus::CorpusInfo;

use super::error::under;
use super::{CorpusRequest, CorpusSnapshot};
use crate::{App, Job, Result};

/// Count the games, plies, variants, and bytes of a corpus
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InfoRequest {}

impl CorpusRequest for InfoRequest {
    type Answer = CorpusInfo;

    fn run_on(self, corpus: &Arc<CorpusSnapshot>, _: &App, job: &Job) -> Result<CorpusInfo> {
        under(job, |stop| corpus.corpus().info(stop))
    }
}
