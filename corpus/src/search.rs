//! Search of a whole corpus: the index returns candidate games, and replaying the move log decides.
//!
//! Hits come in the order of the segments, of the games in them and of the plies in these, with any number of threads.

mod execution;
mod page;
mod position;
mod prepared_segment;
mod relevance;
mod rows;
mod sample;
mod segment;
mod setup_class;
mod similar;
mod table;
#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashMap};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use tafl_rules::Setup;

use crate::cancel::CancelCheck;
use crate::error::Result;
use crate::folder::{Corpus, GameAt};
use crate::index::SegmentIndex;
use crate::move_log::{GameSetup, MoveLogError};
use crate::query::{CompiledSetup, GameCondition, GameHit, Query};
use execution::SearchExecution;
pub use page::{CountEffort, GameMatch, HitUnit, PageRequest};
pub use rows::{HitDetail, HitRow};
pub use segment::SearchSegment;
use setup_class::SetupClasses;
pub use similar::SimilarWord;
pub use table::{HitFormat, write_hits};

/// A searcher of the segments of a corpus. It opens an index on first use.
///
/// # Examples
///
/// ```no_run
/// use std::num::NonZeroUsize;
/// use tafl_corpus::{Corpus, Query, Searcher};
///
/// let corpus = Corpus::open("games.corpus".as_ref())?;
/// let searcher = Searcher::open(&corpus, NonZeroUsize::new(4).unwrap());
/// let games = searcher.games(&Query::parse("player:aberg and shieldwall")?)?;
/// println!("{} games", games.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Searcher {
    segments: Vec<SearchSegment>,
    threads: NonZeroUsize,
    /// The compiled game setups, cached for later queries.
    compiled_setups: Mutex<HashMap<GameSetup, Arc<CompiledSetup>>>,
    setup_classes: SetupClasses,
}

/// The maximum number of compiled game setups that are cached. No known archive has as many; the limit bounds the memory
/// of a server.
const MAX_CACHED: usize = 1 << 11;

/// Caches the value for a game setup. A full cache is cleared.
fn cache<T>(cached: &mut HashMap<GameSetup, T>, game_setup: &GameSetup, made: T) {
    if cached.len() >= MAX_CACHED {
        cached.clear();
    }
    cached.insert(game_setup.clone(), made);
}

/// A number of hits or games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Total {
    /// Exactly this many.
    Exactly(u64),
    /// At least this many: the search stopped when the page was full.
    AtLeast(u64),
    /// About this many: an estimate from a sample of the games.
    About(CountEstimate),
}

/// An estimated number with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountEstimate {
    /// The number.
    pub value: u64,
    /// The lower end.
    pub low: u64,
    /// The upper end.
    pub high: u64,
}

impl Total {
    /// Returns the total with a known number added.
    const fn plus(self, known: u64) -> Total {
        match self {
            Total::Exactly(number) => Total::Exactly(number + known),
            Total::AtLeast(number) => Total::AtLeast(number + known),
            Total::About(CountEstimate { value, low, high }) => {
                Total::About(CountEstimate { value: value + known, low: low + known, high: high + known })
            }
        }
    }

    /// Returns the number, exact or not.
    pub const fn number(self) -> u64 {
        match self {
            Total::Exactly(number) | Total::AtLeast(number) => number,
            Total::About(estimate) => estimate.value,
        }
    }
}

/// A hit in a game of the corpus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SearchHit {
    /// The index of the segment.
    pub segment: usize,
    /// The row of the game in its segment, from 0.
    pub row: u32,
    /// The hit in the game.
    pub hit: GameHit,
}

impl SearchHit {
    /// Returns the location of the game.
    pub const fn at(self) -> GameAt {
        GameAt { segment: self.segment, row: self.row }
    }
}

/// The hits of a page, and their total number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HitPage {
    /// The hits of the page.
    pub hits: Vec<SearchHit>,
    /// For pages of games, the number of hits in the game of each entry of `hits`, which is the first one; else empty.
    pub matches: Vec<u64>,
    /// The number of hits.
    pub total: Total,
    /// The number of games with hits.
    pub games: Total,
    /// The number of candidate games that the index returned, which are replayed.
    pub candidates: u64,
}

impl Searcher {
    /// Returns a searcher of segments that uses `threads` threads.
    pub fn new(segments: Vec<SearchSegment>, threads: NonZeroUsize) -> Searcher {
        let setup_classes = SetupClasses::new(segments.len());
        Searcher { segments, threads, compiled_setups: Mutex::default(), setup_classes }
    }

    /// Returns a searcher of a corpus that uses `threads` threads.
    pub fn open(corpus: &Corpus, threads: NonZeroUsize) -> Searcher {
        Searcher::new(corpus.segments().iter().map(SearchSegment::of).collect(), threads)
    }

    /// Returns the segments.
    pub fn segments(&self) -> &[SearchSegment] {
        &self.segments
    }

    /// Passes all hits to `sink` in order, without their placements, until it returns `Break`.
    ///
    /// # Errors
    ///
    /// Returns the file that is missing or damaged.
    pub fn each(&self, query: &Query, sink: impl FnMut(SearchHit) -> ControlFlow<()> + Send) -> Result<()> {
        self.each_cancelable(query, CancelCheck::NEVER, sink)
    }

    /// Passes hits to `sink` as [`Searcher::each`] does, with a check for cancellation.
    ///
    /// # Errors
    ///
    /// Returns the file that is missing or damaged, or that the operation was canceled.
    pub fn each_cancelable(
        &self,
        query: &Query,
        cancel: CancelCheck<'_>,
        mut sink: impl FnMut(SearchHit) -> ControlFlow<()> + Send,
    ) -> Result<()> {
        SearchExecution::new(self, query, cancel).each(&mut sink).map(|_| ())
    }

    /// Returns the games that have hits, in the order of the corpus.
    ///
    /// # Errors
    ///
    /// Returns the file that is missing or damaged.
    pub fn games(&self, query: &Query) -> Result<Vec<GameAt>> {
        let mut games: Vec<GameAt> = Vec::new();
        self.each(query, |found| {
            let at = found.at();
            if games.last() != Some(&at) {
                games.push(at);
            }
            ControlFlow::Continue(())
        })?;
        Ok(games)
    }

    /// Returns the names of the variants that the corpus has, removed games included, in rising order.
    ///
    /// # Errors
    ///
    /// Fails if an index is missing or damaged.
    pub fn variants(&self) -> Result<Vec<String>> {
        let mut all = BTreeSet::new();
        for segment in &self.segments {
            all.extend(segment.with_index(SegmentIndex::variants)?);
        }
        Ok(all.into_iter().collect())
    }

    /// Returns the numbers of the positions and patterns of a query that do not fit on any board of the corpus, in the
    /// order in which they are written.
    ///
    /// # Errors
    ///
    /// Fails if a move log is damaged.
    pub fn misfits(&self, query: &Query) -> Result<Vec<u16>> {
        let mut all: Vec<u16> = (0..).take(query.boards().len()).collect();
        for segment in &self.segments {
            for game_setup in segment.move_log()?.game_setups() {
                let compiled_setup =
                    self.compiled_setup(game_setup).map_err(|error| segment.move_log_error(error))?;
                let misfits = query.compile_in(&compiled_setup).misfits();
                all.retain(|number| misfits.contains(number));
            }
        }
        Ok(all)
    }

    /// Returns a compiled game setup from the cache.
    fn compiled_setup(
        &self,
        game_setup: &GameSetup,
    ) -> std::result::Result<Arc<CompiledSetup>, MoveLogError> {
        let mut compiled_setups = self.compiled_setups.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = compiled_setups.get(game_setup) {
            return Ok(known.clone());
        }
        let compiled_setup =
            Arc::new(CompiledSetup::of(game_setup).map_err(|error| MoveLogError::Setups(error.to_string()))?);
        cache(&mut compiled_setups, game_setup, compiled_setup.clone());
        Ok(compiled_setup)
    }

    /// Returns whether a condition holds for any game, removed ones included.
    ///
    /// # Errors
    ///
    /// Fails if an index is missing or damaged.
    pub fn has_game_with(&self, condition: &GameCondition) -> Result<bool> {
        for segment in &self.segments {
            if !segment.with_index(|index| index.games_with(condition))?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the position of a hit.
    ///
    /// # Errors
    ///
    /// Fails if the move log is damaged.
    ///
    /// # Panics
    ///
    /// Panics if there is no such segment or game.
    pub fn position(&self, found: &SearchHit) -> Result<Setup> {
        let segment = &self.segments[found.segment];
        segment.position(found.row, found.hit.ply)
    }
}
