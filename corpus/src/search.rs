//! Queries asked of a whole corpus: the index says where to look, the move log says what is true.
//!
//! Hits come in the order of the segments, of the games in them and of the plies in these, with any number of threads.

mod execution;
mod rows;
mod segment;
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
pub use rows::{HitDetail, HitRow};
pub use segment::SearchSegment;
pub use table::{HitFormat, write_hits};

/// The segments of a corpus, ready to be searched. An index is opened when it is needed first.
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
    /// What was read of game setups, for later queries.
    compiled_setups: Mutex<HashMap<GameSetup, Arc<CompiledSetup>>>,
}

/// What is made of so many game setups is kept; more than any archive has, and a server never ends.
const MOST_KEPT: usize = 1 << 11;

/// Keeps what was made of a game setup; where there is too much, all that was kept before goes.
fn keep<T>(kept: &mut HashMap<GameSetup, T>, game_setup: &GameSetup, made: T) {
    if kept.len() >= MOST_KEPT {
        kept.clear();
    }
    kept.insert(game_setup.clone(), made);
}

/// Which hits are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageRequest {
    /// How many hits are passed over.
    pub offset: u64,
    /// How many follow at most.
    pub limit: u64,
    /// How far hits are counted.
    pub count: CountMode,
}

/// How far hits are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountMode {
    /// To the end.
    All,
    /// Until the page is full and one more hit is known.
    Page,
}

/// How many there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Total {
    /// This many.
    Exactly(u64),
    /// This many or more: the search stopped when the page was full.
    AtLeast(u64),
}

impl Total {
    /// Returns the number, exact or not.
    pub const fn number(self) -> u64 {
        match self {
            Total::Exactly(number) | Total::AtLeast(number) => number,
        }
    }
}

/// A place in a game of the corpus where a query holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SearchHit {
    /// The number of the segment, from 0.
    pub segment: usize,
    /// The row of the game in its segment, from 0.
    pub game: u32,
    /// The place in the game.
    pub hit: GameHit,
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HitPage {
    /// The hits of the page.
    pub hits: Vec<SearchHit>,
    /// How many hits there are.
    pub total: Total,
    /// How many games have hits.
    pub games: Total,
    /// How many games the index left to be played.
    pub candidates: u64,
}

impl Searcher {
    /// Returns a searcher of segments that works on so many threads.
    pub fn new(segments: Vec<SearchSegment>, threads: NonZeroUsize) -> Searcher {
        Searcher { segments, threads, compiled_setups: Mutex::default() }
    }

    /// Returns a searcher of a corpus that works on so many threads.
    pub fn open(corpus: &Corpus, threads: NonZeroUsize) -> Searcher {
        Searcher::new(corpus.segments().iter().map(SearchSegment::of).collect(), threads)
    }

    /// Returns the segments.
    pub fn segments(&self) -> &[SearchSegment] {
        &self.segments
    }

    /// Returns the hits of a page.
    ///
    /// # Errors
    ///
    /// Returns which file is missing or damaged.
    pub fn search(&self, query: &Query, page: PageRequest) -> Result<HitPage> {
        self.search_cancelable(query, page, CancelCheck::NEVER)
    }

    /// Returns the hits of a page, unless it takes too long.
    ///
    /// # Errors
    ///
    /// Returns which file is missing or damaged, or that it was time to give up.
    pub fn search_cancelable(
        &self,
        query: &Query,
        page: PageRequest,
        cancel: CancelCheck<'_>,
    ) -> Result<HitPage> {
        let execution = SearchExecution::new(self, query, cancel);
        let mut answer =
            HitPage { hits: Vec::new(), total: Total::Exactly(0), games: Total::Exactly(0), candidates: 0 };
        let (mut n_hits, mut n_games) = (0u64, 0u64);
        let end = page.offset.saturating_add(page.limit);
        let mut last_game = None;
        let flow = execution.each(&mut |found| {
            if page.count == CountMode::Page && n_hits >= end {
                n_hits += 1;
                return ControlFlow::Break(());
            }
            if (page.offset..end).contains(&n_hits) {
                answer.hits.push(found);
            }
            n_hits += 1;
            let game = Some((found.segment, found.game));
            n_games += u64::from(game != last_game);
            last_game = game;
            ControlFlow::Continue(())
        })?;
        let total = |number| match flow {
            ControlFlow::Continue(()) => Total::Exactly(number),
            ControlFlow::Break(()) => Total::AtLeast(number),
        };
        (answer.total, answer.games) = (total(n_hits), total(n_games));
        answer.candidates = execution.n_candidates();
        execution.locate(&mut answer.hits)?;
        Ok(answer)
    }

    /// Gives all hits to `sink`, in order, without their placements, until it breaks off.
    ///
    /// # Errors
    ///
    /// Returns which file is missing or damaged.
    pub fn each(&self, query: &Query, sink: impl FnMut(SearchHit) -> ControlFlow<()> + Send) -> Result<()> {
        self.each_cancelable(query, CancelCheck::NEVER, sink)
    }

    /// Gives hits to `sink` as [`Searcher::each`] does, unless it takes too long.
    ///
    /// # Errors
    ///
    /// Returns which file is missing or damaged, or that it was time to give up.
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
    /// Returns which file is missing or damaged.
    pub fn games(&self, query: &Query) -> Result<Vec<GameAt>> {
        let mut games: Vec<GameAt> = Vec::new();
        self.each(query, |found| {
            let at = GameAt { segment: found.segment, row: found.game };
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
    /// Returns which index is missing or damaged.
    pub fn variants(&self) -> Result<Vec<String>> {
        let mut all = BTreeSet::new();
        for segment in &self.segments {
            all.extend(segment.ask(SegmentIndex::variants)?);
        }
        Ok(all.into_iter().collect())
    }

    /// Returns the numbers of the boards and patterns of a query that no board of the corpus has room for, in the
    /// order in which they are written.
    ///
    /// # Errors
    ///
    /// Returns which move log is damaged.
    pub fn misfits(&self, query: &Query) -> Result<Vec<u16>> {
        let mut all: Vec<u16> = (0..).take(query.boards().len()).collect();
        for segment in &self.segments {
            for game_setup in segment.move_log().game_setups() {
                let compiled_setup =
                    self.compiled_setup(game_setup).map_err(|error| segment.move_log_error(error))?;
                let misfits = query.compile_in(&compiled_setup).misfits();
                all.retain(|number| misfits.contains(number));
            }
        }
        Ok(all)
    }

    /// Returns what queries need of a game setup; it is read when it is asked for first.
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
        keep(&mut compiled_setups, game_setup, compiled_setup.clone());
        Ok(compiled_setup)
    }

    /// Returns whether any game meets a condition, removed ones included.
    ///
    /// # Errors
    ///
    /// Returns which index is missing or damaged.
    pub fn has_game_with(&self, condition: &GameCondition) -> Result<bool> {
        for segment in &self.segments {
            if !segment.ask(|index| index.games_with(condition))?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the position of a hit.
    ///
    /// # Errors
    ///
    /// Returns that the move log is damaged.
    ///
    /// # Panics
    ///
    /// Panics if there is no such segment or game.
    pub fn position(&self, found: &SearchHit) -> Result<Setup> {
        let segment = &self.segments[found.segment];
        segment.position(found.game, found.hit.ply)
    }
}
