//! What requests look at: the corpus as it was when it was opened.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use tafl_corpus::Corpus;
use tafl_corpus::error::Result;
use tafl_corpus::explorer::Explorer;
use tafl_corpus::search::Searcher;
use tafl_corpus::summaries::GameSummaryCache;

use super::census::Census;
use taflbase::App;

/// The corpus as it was when it was opened. It never changes; a request keeps the one that it began with.
pub(crate) struct Snapshot {
    /// The corpus.
    pub(crate) corpus: Corpus,
    /// What was played.
    pub(crate) explorer: Explorer,
    /// Questions.
    pub(crate) searcher: Searcher,
    /// What is said of games in lists.
    pub(crate) cards: GameSummaryCache,
    census: OnceLock<Census>,
    /// What outlives the snapshot, such as compiled rules.
    pub(crate) app: Arc<App>,
}

impl Snapshot {
    /// Opens a corpus; questions are answered on so many threads. What an older snapshot knows of files that are still
    /// there is kept.
    ///
    /// # Errors
    ///
    /// Returns which file is missing or damaged.
    pub(crate) fn open(
        path: &Path,
        threads: NonZeroUsize,
        app: Arc<App>,
        old: Option<&Snapshot>,
    ) -> Result<Snapshot> {
        let corpus = Corpus::open(path)?;
        let explorer = Explorer::open(&corpus)?;
        let searcher = Searcher::open(&corpus, threads);
        let cards = GameSummaryCache::new(&corpus, old.map(|old| &old.cards));
        Ok(Snapshot { corpus, explorer, searcher, cards, census: OnceLock::new(), app })
    }

    /// Returns what the corpus has; it is counted when it is asked for first.
    ///
    /// # Errors
    ///
    /// Returns which file is missing or damaged.
    pub(crate) fn census(&self) -> Result<&Census> {
        if let Some(census) = self.census.get() {
            return Ok(census);
        }
        let census = Census::of(&self.corpus, &self.cards)?;
        Ok(self.census.get_or_init(|| census))
    }
}
