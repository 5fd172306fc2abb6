//! Checks of a corpus for damage.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_corpus::{CorpusError, VerifyDepth, VerifyReport, verify};

use super::error::under;
use crate::{App, Job, Request, Result};

/// Check a corpus for damage
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct VerifyRequest {
    /// The folder of the corpus
    pub corpus: PathBuf,
    /// Replay every game, check the best moves of evaluations, and compare tables, move log, and index
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub deep: bool,
}

/// The faults of a corpus.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VerifyAnswer {
    /// The number of files that were read.
    pub files: u64,
    /// The size of these files in bytes.
    pub bytes: u64,
    /// The number of games that were replayed, including removed games that `compact` has not dropped yet.
    pub games: u64,
    /// The faults, each with its file; empty if the corpus is sound.
    pub faults: Vec<String>,
}

impl Request for VerifyRequest {
    type Answer = VerifyAnswer;

    fn run(self, _: &App, job: &Job) -> Result<VerifyAnswer> {
        let depth = if self.deep { VerifyDepth::Replay } else { VerifyDepth::Files };
        let report = under(job, |stop| match verify(&self.corpus, depth, stop) {
            // A damaged manifest is an answer, too.
            Err(fault @ CorpusError::Damaged { .. }) => {
                Ok(VerifyReport { faults: vec![fault], ..VerifyReport::default() })
            }
            other => other,
        })?;
        let VerifyReport { files, bytes, games, faults } = report;
        Ok(VerifyAnswer { files, bytes, games, faults: faults.iter().map(ToString::to_string).collect() })
    }
}
