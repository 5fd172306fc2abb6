//! The summaries of all games, in memory.
//!
//! Reading a row of the table of games takes milliseconds, since columns are compressed. A program that lists games
//! again and again keeps a [`GameSummaryCache`], which reads a segment when one of its games is requested.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::error::Result;
use crate::folder::{Corpus, GameAt};
use crate::id::GameId;
pub(crate) use crate::schema::GameSummary;
use crate::schema::SummaryPage;
use crate::segment::Segment;

/// The summaries of the games of a corpus.
///
/// # Examples
///
/// ```no_run
/// use tafl_corpus::{Corpus, GameSummaryCache};
///
/// let corpus = Corpus::open("games".as_ref())?;
/// let summaries = GameSummaryCache::new(&corpus, None);
/// for at in corpus.games().take(10) {
///     let game = summaries.get(at)?;
///     println!("{} - {}", game.attackers.unwrap_or("?"), game.defenders.unwrap_or("?"));
/// }
/// # Ok::<(), tafl_corpus::CorpusError>(())
/// ```
pub struct GameSummaryCache {
    segments: Vec<SegmentSummaries>,
}

/// The summaries of a segment, which may not be read yet.
#[derive(Clone)]
struct SegmentSummaries {
    segment: Segment,
    shared: Arc<SharedPage>,
}

/// A page that is read once, by the first thread that needs it.
#[derive(Default)]
struct SharedPage {
    page: OnceLock<SummaryPage>,
    /// Held while the page is read: other threads wait instead of reading it, too.
    reading: Mutex<()>,
}

impl GameSummaryCache {
    /// Returns the summaries of a corpus. Segments that an older cache has read are not read again.
    pub fn new(corpus: &Corpus, old: Option<&GameSummaryCache>) -> GameSummaryCache {
        let known = |segment: &Segment| {
            let segments = old.map_or(&[][..], |old| &old.segments);
            let is_same = |other: &&SegmentSummaries| {
                other.segment.folder() == segment.folder()
                    && other.segment.entry().files == segment.entry().files
            };
            segments.iter().find(is_same).map(|other| Arc::clone(&other.shared))
        };
        let summaries = |segment: &Segment| SegmentSummaries {
            segment: segment.clone(),
            shared: known(segment).unwrap_or_default(),
        };
        GameSummaryCache { segments: corpus.segments().iter().map(summaries).collect() }
    }

    /// Returns the summary of a game.
    ///
    /// # Errors
    ///
    /// Returns the file that is missing or damaged.
    ///
    /// # Panics
    ///
    /// Panics if there is no such game.
    pub fn get(&self, at: GameAt) -> Result<GameSummary<'_>> {
        Ok(self.segments[at.segment].page()?.get(at.row))
    }

    /// Returns the place of the game with a number, unless it was removed.
    ///
    /// # Errors
    ///
    /// Returns the file that is missing or damaged.
    pub fn find(&self, game: GameId) -> Result<Option<GameAt>> {
        for (number, summaries) in self.segments.iter().enumerate() {
            let mut rows = summaries.page()?.rows_of(game);
            if let Some(row) = rows.find(|row| !summaries.segment.is_removed(*row)) {
                return Ok(Some(GameAt { segment: number, row }));
            }
        }
        Ok(None)
    }
}

impl SegmentSummaries {
    fn page(&self) -> Result<&SummaryPage> {
        let shared = &*self.shared;
        if let Some(page) = shared.page.get() {
            return Ok(page);
        }
        let _reading = shared.reading.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(page) = shared.page.get() {
            return Ok(page);
        }
        let page = SummaryPage::of(&self.segment.game_summaries()?);
        Ok(shared.page.get_or_init(|| page))
    }
}
