//! Games by a query.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use crate::error::Result;
use crate::folder::{Corpus, GameAt};
use crate::query::Query;
use crate::search::Searcher;

impl Corpus {
    /// Returns the games that have a hit of a query, in the order of the corpus, each once.
    ///
    /// # Errors
    ///
    /// Returns which file is missing or damaged.
    pub fn select(&self, query: &Query, threads: NonZeroUsize) -> Result<Vec<GameAt>> {
        let mut games: Vec<GameAt> = Vec::new();
        Searcher::open(self, threads).each(query, |found| {
            let at = GameAt { segment: found.segment, row: found.game };
            if games.last() != Some(&at) && !self.segments()[at.segment].is_removed(at.row) {
                games.push(at);
            }
            ControlFlow::Continue(())
        })?;
        Ok(games)
    }
}
