//! What requests look at: the corpus as it was when it was opened.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use taflbase::App;
use taflbase::corpus::Corpus;
use taflbase::database::CorpusSnapshot;

use super::corpus_stats::CorpusStats;

/// The corpus as it was when it was opened. It never changes; a request keeps the one that it began with.
pub(crate) struct Snapshot {
    /// The corpus.
    pub(crate) corpus: Arc<CorpusSnapshot>,
    /// What outlives the snapshot, such as compiled rules.
    pub(crate) app: Arc<App>,
    stats: OnceLock<CorpusStats>,
}

impl Snapshot {
    /// Opens a corpus, which is searched by this number of threads.
    ///
    /// # Errors
    ///
    /// Returns which file is missing or damaged.
    pub(crate) fn open(
        path: &Path,
        threads: NonZeroUsize,
        app: Arc<App>,
    ) -> Result<Snapshot, taflbase::corpus::CorpusError> {
        let corpus = CorpusSnapshot::of(Corpus::open(path)?, Some(threads)).keep_summaries();
        Ok(Snapshot { corpus: Arc::new(corpus), app, stats: OnceLock::new() })
    }

    /// Opens the same corpus as it is now. What is known of segments that didn't change is kept.
    ///
    /// # Errors
    ///
    /// As [`Snapshot::open`].
    pub(crate) fn reopen(&self) -> taflbase::Result<Snapshot> {
        let corpus = Arc::new(self.corpus.reopen()?);
        Ok(Snapshot { corpus, app: Arc::clone(&self.app), stats: OnceLock::new() })
    }

    /// Returns what the corpus has; it is counted when it is asked for first.
    ///
    /// # Errors
    ///
    /// Returns which file is missing or damaged.
    pub(crate) fn stats(&self) -> taflbase::Result<&CorpusStats> {
        if let Some(stats) = self.stats.get() {
            return Ok(stats);
        }
        let stats = CorpusStats::of(self.corpus.corpus(), self.corpus.summaries())?;
        Ok(self.stats.get_or_init(|| stats))
    }
}
