//! Snapshots: the state of the corpus when it was opened.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use taflbase::App;
use taflbase::corpus::Corpus;
use taflbase::database::CorpusSnapshot;

use super::corpus_stats::CorpusStats;
use super::report_cache::ReportCache;

/// The state of the corpus when it was opened. It never changes; a request keeps its snapshot until it is finished.
pub(crate) struct Snapshot {
    /// The corpus.
    pub(crate) corpus: Arc<CorpusSnapshot>,
    /// The state that snapshots share, such as compiled rules.
    pub(crate) app: Arc<App>,
    /// The reports about this state.
    pub(crate) reports: ReportCache,
    stats: OnceLock<CorpusStats>,
}

impl Snapshot {
    /// Opens a corpus for searches with this number of threads.
    ///
    /// # Errors
    ///
    /// Returns an error if a file is missing or damaged.
    pub(crate) fn open(
        path: &Path,
        threads: NonZeroUsize,
        app: Arc<App>,
    ) -> Result<Snapshot, taflbase::corpus::CorpusError> {
        let corpus = CorpusSnapshot::of(Corpus::open(path)?, Some(threads)).keep_summaries();
        Ok(Snapshot::new(Arc::new(corpus), app))
    }

    /// Opens the current state of the same corpus. The caches of unchanged segments are kept.
    ///
    /// # Errors
    ///
    /// As [`Snapshot::open`].
    pub(crate) fn reopen(&self) -> taflbase::Result<Snapshot> {
        let corpus = Arc::new(self.corpus.reopen()?);
        Ok(Snapshot::new(corpus, Arc::clone(&self.app)))
    }

    fn new(corpus: Arc<CorpusSnapshot>, app: Arc<App>) -> Snapshot {
        Snapshot { corpus, app, reports: ReportCache::new(), stats: OnceLock::new() }
    }

    /// Returns the numbers of games and plies, which are computed by the first call.
    ///
    /// # Errors
    ///
    /// Returns an error if a file is missing or damaged.
    pub(crate) fn stats(&self) -> taflbase::Result<&CorpusStats> {
        if let Some(stats) = self.stats.get() {
            return Ok(stats);
        }
        let stats = CorpusStats::of(self.corpus.corpus(), self.corpus.summaries())?;
        Ok(self.stats.get_or_init(|| stats))
    }
}

/// Returns the snapshot of a new corpus with one game of six plies, and its folder.
#[cfg(test)]
pub(crate) fn snapshot_of_one_game() -> (tempfile::TempDir, std::sync::Arc<Snapshot>) {
    use taflbase::database::ImportRequest;
    use taflbase::{Job, RulesRequest, StreamRequest as _};

    let folder = tempfile::tempdir().unwrap();
    let (corpus, file) = (folder.path().join("corpus"), folder.path().join("games.csv"));
    std::fs::write(&file, "d2-c2 e4-e1 b4-b2 d4-e4 c2-c1 e4-e3\n").unwrap();
    let (app, rules) = (std::sync::Arc::new(taflbase::App::new()), RulesRequest::of("brandubh7"));
    let import =
        ImportRequest { corpus: corpus.clone(), paths: vec![file], rules, ..ImportRequest::default() };
    import.run(&app, &Job::default(), &mut |_| Ok(())).unwrap();
    let snapshot = Snapshot::open(&corpus, std::num::NonZeroUsize::MIN, app).unwrap();
    (folder, std::sync::Arc::new(snapshot))
}
