//! Games by a query.

use std::num::NonZeroUsize;

use crate::error::Result;
use crate::folder::{Corpus, GameAt};
use crate::query::Query;
use crate::search::Searcher;

impl Corpus {
    /// Returns the games that a query finds, in the order of the corpus.
    ///
    /// # Errors
    ///
    /// Returns which file is missing or damaged.
    pub fn select(&self, query: &Query) -> Result<Vec<GameAt>> {
        let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Searcher::open(self, threads).games(query)
    }
}
