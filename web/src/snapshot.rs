//! What requests look at: the corpus as it was when it was opened.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use taflbase::corpus::Corpus;
use taflbase::corpus::error::Result;
use taflbase::corpus::explorer::Explorer;
use taflbase::corpus::search::Searcher;
use taflbase::corpus::summaries::GameSummaryCache;

use super::corpus_stats::CorpusStats;
use taflbase::App;

/// The corpus as it was when it was opened. It never changes; a request keeps the one that it began with.
pub struct Snapshot {
    /// The corpus.
    pub corpus: Corpus,
    /// What was played.
    pub explorer: Explorer,
    /// Questions.
    pub searcher: Searcher,
    /// What is said of games in lists.
    pub summaries: GameSummaryCache,
    stats: OnceLock<CorpusStats>,
    /// What outlives the snapshot, such as compiled rules.
    pub app: Arc<App>,
}

impl Snapshot {
    /// Opens a corpus; questions are answered on so many threads. What an older snapshot knows of files that are still
    /// there is kept.
    ///
    /// # Errors
    ///
    /// Returns which file is missing or damaged.
    pub fn open(
        path: &Path,
        threads: NonZeroUsize,
        app: Arc<App>,
        old: Option<&Snapshot>,
    ) -> Result<Snapshot> {
        let corpus = Corpus::open(path)?;
        let explorer = Explorer::open(&corpus)?;
        let searcher = Searcher::open(&corpus, threads);
        let summaries = GameSummaryCache::new(&corpus, old.map(|old| &old.summaries));
        Ok(Snapshot { corpus, explorer, searcher, summaries, stats: OnceLock::new(), app })
    }

    /// Returns what the corpus has; it is counted when it is asked for first.
    ///
    /// # Errors
    ///
    /// Returns which file is missing or damaged.
    pub fn stats(&self) -> Result<&CorpusStats> {
        if let Some(stats) = self.stats.get() {
            return Ok(stats);
        }
        let stats = CorpusStats::of(&self.corpus, &self.summaries)?;
        Ok(self.stats.get_or_init(|| stats))
    }
}
