//! Games by a query.

use std::num::NonZeroUsize;

use crate::error::Result;
use crate::folder::{Corpus, GameAt};
use crate::query::Query;
use crate::search::Searcher;

impl Corpus {
    /// Returns the games that have a hit of a query, in the order of the corpus, each once.
    ///
    /// # Errors
    ///
    /// Returns the file that is missing or damaged.
    pub fn select(&self, query: &Query, threads: NonZeroUsize) -> Result<Vec<GameAt>> {
        Searcher::open(self, threads).games(query)
    }
}
