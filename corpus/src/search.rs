//! Questions asked of a whole corpus: the index says where to look, the tape says what is true.
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

use crate::error::Result;
use crate::folder::{Corpus, GameAt};
use crate::index::SegmentIndex;
use crate::query::{GameCondition, Hit, Query, Ring};
use crate::stop::Stop;
use crate::tape::{Arena, TapeError};
use execution::SearchExecution;
pub use rows::{HitRow, Spot};
pub use segment::SearchSegment;
pub use table::{TableFormat, write_hits};

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
    /// What was read of arenas, for later questions.
    rings: Mutex<HashMap<Arena, Arc<Ring>>>,
}

/// What is made of so many arenas is kept; more than any archive has, and a server never ends.
const MOST_KEPT: usize = 1 << 11;

/// Keeps what was made of an arena; where there is too much, all that was kept before goes.
fn keep<T>(kept: &mut HashMap<Arena, T>, arena: &Arena, made: T) {
    if kept.len() >= MOST_KEPT {
        kept.clear();
    }
    kept.insert(arena.clone(), made);
}

/// Which hits are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// How many hits are passed over.
    pub offset: u64,
    /// How many follow at most.
    pub limit: u64,
    /// How far hits are counted.
    pub count: Count,
}

/// How far hits are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
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

/// A place in a game of the corpus where a question holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Found {
    /// The number of the segment, from 0.
    pub segment: usize,
    /// The row of the game in its segment, from 0.
    pub game: u32,
    /// The place in the game.
    pub hit: Hit,
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The hits of the page.
    pub hits: Vec<Found>,
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
        Searcher { segments, threads, rings: Mutex::default() }
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
    pub fn search(&self, query: &Query, page: Page) -> Result<Answer> {
        self.search_until(query, page, Stop::NEVER)
    }

    /// Returns the hits of a page, unless it takes too long.
    ///
    /// # Errors
    ///
    /// Returns which file is missing or damaged, or that it was time to give up.
    pub fn search_until(&self, query: &Query, page: Page, stop: Stop<'_>) -> Result<Answer> {
        let execution = SearchExecution::new(self, query, stop);
        let mut answer =
            Answer { hits: Vec::new(), total: Total::Exactly(0), games: Total::Exactly(0), candidates: 0 };
        let (mut n_hits, mut n_games) = (0u64, 0u64);
        let end = page.offset.saturating_add(page.limit);
        let mut last_game = None;
        let flow = execution.each(&mut |found| {
            if page.count == Count::Page && n_hits >= end {
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
    pub fn each(&self, query: &Query, sink: impl FnMut(Found) -> ControlFlow<()> + Send) -> Result<()> {
        self.each_until(query, Stop::NEVER, sink)
    }

    /// Gives hits to `sink` as [`Searcher::each`] does, unless it takes too long.
    ///
    /// # Errors
    ///
    /// Returns which file is missing or damaged, or that it was time to give up.
    pub fn each_until(
        &self,
        query: &Query,
        stop: Stop<'_>,
        mut sink: impl FnMut(Found) -> ControlFlow<()> + Send,
    ) -> Result<()> {
        SearchExecution::new(self, query, stop).each(&mut sink).map(|_| ())
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

    /// Returns the numbers of the boards and patterns of a question that no board of the corpus has room for, in the
    /// order in which they are written.
    ///
    /// # Errors
    ///
    /// Returns which tape is damaged.
    pub fn misfits(&self, query: &Query) -> Result<Vec<u16>> {
        let mut all: Vec<u16> = (0..).take(query.boards().len()).collect();
        for segment in &self.segments {
            for arena in segment.tape().arenas() {
                let ring = self.ring(arena).map_err(|error| segment.tape_error(error))?;
                let misfits = query.compile_in(&ring).misfits();
                all.retain(|number| misfits.contains(number));
            }
        }
        Ok(all)
    }

    /// Returns what questions need of an arena; it is read when it is asked for first.
    fn ring(&self, arena: &Arena) -> std::result::Result<Arc<Ring>, TapeError> {
        let mut rings = self.rings.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = rings.get(arena) {
            return Ok(known.clone());
        }
        let ring = Arc::new(Ring::of(arena).map_err(|error| TapeError::Arenas(error.to_string()))?);
        keep(&mut rings, arena, ring.clone());
        Ok(ring)
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
    /// Returns that the tape is damaged.
    ///
    /// # Panics
    ///
    /// Panics if there is no such segment or game.
    pub fn position(&self, found: &Found) -> Result<Setup> {
        let segment = &self.segments[found.segment];
        segment.position(found.game, found.hit.ply)
    }
}
