//! An open corpus, and requests about it.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tafl_corpus::{
    Corpus, Explorer, GameAt, GameSummary, GameSummaryCache, RulesId, Searcher, VariantNameCount,
};
use tafl_rules::RuleSet;

use crate::{App, Job, Request, Result};

/// A corpus as it was when it was opened, with the state that requests about it share. It never changes.
pub struct CorpusSnapshot {
    corpus: Corpus,
    searcher: Searcher,
    threads: NonZeroUsize,
    /// Opened by the first request that explores.
    explorer: OnceLock<Explorer>,
    /// Counted by the first request that explores.
    names_by_rules: OnceLock<HashMap<RulesId, Vec<VariantNameCount>>>,
    summaries: GameSummaryCache,
    keeps_summaries: bool,
}

impl CorpusSnapshot {
    /// Opens the corpus in a folder. Searches use `threads` threads, or as many as there are cores.
    ///
    /// # Errors
    ///
    /// Returns an error if the folder is not a corpus, or a file is missing or damaged.
    pub fn open(path: &Path, threads: Option<NonZeroUsize>) -> Result<CorpusSnapshot> {
        Ok(CorpusSnapshot::of(Corpus::open(path)?, threads))
    }

    /// Creates a snapshot of a corpus that is open.
    pub fn of(corpus: Corpus, threads: Option<NonZeroUsize>) -> CorpusSnapshot {
        let threads = threads.unwrap_or_else(n_cores);
        CorpusSnapshot {
            searcher: Searcher::open(&corpus, threads),
            explorer: OnceLock::new(),
            names_by_rules: OnceLock::new(),
            summaries: GameSummaryCache::new(&corpus, None),
            keeps_summaries: false,
            corpus,
            threads,
        }
    }

    /// Keeps summaries of all games in memory, for programs that answer many requests.
    #[must_use]
    pub fn keep_summaries(self) -> CorpusSnapshot {
        CorpusSnapshot { keeps_summaries: true, ..self }
    }

    /// Opens the same corpus as it is now. Summaries of segments that didn't change are not read again.
    ///
    /// # Errors
    ///
    /// As [`CorpusSnapshot::open`].
    pub fn reopen(&self) -> Result<CorpusSnapshot> {
        let new = CorpusSnapshot::open(self.corpus.path(), Some(self.threads))?;
        let summaries = GameSummaryCache::new(&new.corpus, Some(&self.summaries));
        Ok(CorpusSnapshot { summaries, keeps_summaries: self.keeps_summaries, ..new })
    }

    /// Returns the corpus.
    pub fn corpus(&self) -> &Corpus {
        &self.corpus
    }

    /// Returns the number of threads that a search uses.
    pub fn threads(&self) -> NonZeroUsize {
        self.threads
    }

    /// Returns the searcher of the corpus.
    pub fn searcher(&self) -> &Searcher {
        &self.searcher
    }

    /// Returns the explorer, which counts the games with a position.
    ///
    /// # Errors
    ///
    /// Fails if a file is missing or damaged.
    pub fn explorer(&self) -> Result<&Explorer> {
        if let Some(explorer) = self.explorer.get() {
            return Ok(explorer);
        }
        let explorer = Explorer::open(&self.corpus)?;
        Ok(self.explorer.get_or_init(|| explorer))
    }

    /// Returns the names of the variants with the same rules, if games have several: the explorer counts them together.
    ///
    /// # Errors
    ///
    /// Fails if a file is missing or damaged.
    pub(super) fn names_of_rules(&self, rules: &RuleSet) -> Result<Vec<VariantNameCount>> {
        let names = match self.names_by_rules.get() {
            Some(names) => names,
            None => {
                let names = self.corpus.names_by_rules()?;
                self.names_by_rules.get_or_init(|| names)
            }
        };
        let own = names.get(&RulesId::of(rules)).filter(|names| names.len() > 1);
        Ok(own.cloned().unwrap_or_default())
    }

    /// Returns the summaries of games, which stay in memory after the first use.
    pub fn summaries(&self) -> &GameSummaryCache {
        &self.summaries
    }

    /// Passes the summary of a game to a function. Unless summaries are kept, only the row of that game is read.
    ///
    /// # Errors
    ///
    /// Fails if a file is missing or damaged.
    pub fn with_summary<T>(&self, at: GameAt, make: impl FnOnce(&GameSummary<'_>) -> T) -> Result<T> {
        if self.keeps_summaries {
            return Ok(make(&self.summaries.get(at)?));
        }
        Ok(make(&GameSummary::of(&self.corpus.game(at)?)))
    }

    /// Returns whether summaries of all games are kept in memory.
    pub(super) fn keeps_all_summaries(&self) -> bool {
        self.keeps_summaries
    }
}

fn n_cores() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// A task about a corpus that is open.
pub trait CorpusRequest: Sized {
    /// The answer, which serializes to the JSON of the command line and of the web server.
    type Answer;

    /// Runs the request.
    ///
    /// # Errors
    ///
    /// Fails if a parameter is wrong, a file is damaged, or the job is stopped.
    fn run_on(self, corpus: &Arc<CorpusSnapshot>, app: &App, job: &Job) -> Result<Self::Answer>;
}

/// A request about the corpus in a folder, which the application keeps open.
///
/// # Examples
///
/// ```no_run
/// use taflbase::database::{OnCorpus, SearchRequest};
/// use taflbase::{App, Job, Request};
///
/// let request = SearchRequest { query: "shieldwall".to_owned(), ..SearchRequest::default() };
/// let answer = OnCorpus { corpus: "games.corpus".into(), request }.run(&App::new(), &Job::default())?;
/// println!("{} hits", answer.summary.hits);
/// # Ok::<(), taflbase::Error>(())
/// ```
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "{R}")]
pub struct OnCorpus<R> {
    /// The folder of the corpus
    pub corpus: PathBuf,
    /// The request.
    #[serde(flatten)]
    pub request: R,
}

impl<R: CorpusRequest> Request for OnCorpus<R> {
    type Answer = R::Answer;

    fn run(self, app: &App, job: &Job) -> Result<R::Answer> {
        self.request.run_on(&app.corpora().open(&self.corpus)?, app, job)
    }
}
