//! Changes of a corpus besides imports: compaction, removal of games, and merging.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_corpus::{CompactSummary, Compaction, Corpus, MergeSummary, compact, merge, remove};

use super::error::under;
use super::import::writer_note;
use super::{CopyChoice, CorpusSnapshot, DuplicateChoice, GameSelection};
use crate::{App, Error, Job, Request, Result, SummaryTag};

/// Write a corpus again: fewer files, without removed games
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct CompactRequest {
    /// The folder of the corpus
    pub corpus: PathBuf,
    /// Rewrite every segment, and rebuild the move log and the index from the tables
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub reindex: bool,
}

/// Take games out of a corpus
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct RemoveRequest {
    /// The folder of the corpus
    pub corpus: PathBuf,
    /// The games.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub select: GameSelection,
}

/// The number of games that were removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RemoveAnswer {
    /// The number of games that were removed.
    pub removed: u64,
    /// Possible reasons why no game was selected; empty if games were removed.
    #[serde(default)]
    pub notes: Vec<String>,
}

/// Join corpora that were built separately
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct MergeRequest {
    /// The folder of the corpus; it is created if it doesn't exist
    pub corpus: PathBuf,
    /// The folders of the corpora to add
    #[cfg_attr(feature = "clap", arg(value_name = "PART", required = true))]
    pub parts: Vec<PathBuf>,
    /// Of several copies of a game, keep this one
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "WHICH", default_value_t, value_enum))]
    pub keep: CopyChoice,
    /// Select the treatment of games with the moves of a stored game, as for `import`
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long, value_name = "WHAT", default_value_t, value_enum))]
    pub duplicates: DuplicateChoice,
}

/// The counts of a merge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MergeAnswer {
    /// Always `summary`.
    pub r#type: SummaryTag,
    /// Parts, segments, games, and rejected records.
    #[serde(flatten)]
    pub counts: MergeSummary,
    /// The number of games in the corpus after the merge.
    pub corpus_games: u64,
}

impl Request for CompactRequest {
    type Answer = CompactSummary;

    fn run(self, _: &App, job: &Job) -> Result<CompactSummary> {
        let which = if self.reindex { Compaction::All } else { Compaction::Needed };
        under(job, |stop| compact(&self.corpus, &writer_note(), which, stop))
    }
}

impl Request for RemoveRequest {
    type Answer = RemoveAnswer;

    fn run(self, _: &App, job: &Job) -> Result<RemoveAnswer> {
        if self.select.is_all() {
            return Err(Error::parameter("query", "no games are selected; give `query` or `game`"));
        }
        // Chosen while this program is the only writer, so that no row has another place meanwhile.
        let mut notes = Vec::new();
        let removed = remove(&self.corpus, &writer_note(), |corpus| {
            let snapshot = CorpusSnapshot::of(corpus.clone(), None);
            let found = self.select.find(&snapshot, job)?;
            notes = self.select.no_match_notes(&snapshot, &found)?;
            Ok::<_, Error>(found)
        })?;
        Ok(RemoveAnswer { removed, notes })
    }
}

impl Request for MergeRequest {
    type Answer = MergeAnswer;

    fn run(self, _: &App, job: &Job) -> Result<MergeAnswer> {
        let options = self.keep.options(self.duplicates);
        let counts = under(job, |stop| merge(&self.corpus, &self.parts, &options, stop))?;
        let corpus_games = Corpus::open(&self.corpus)?.n_games();
        Ok(MergeAnswer { r#type: SummaryTag::Summary, counts, corpus_games })
    }
}
