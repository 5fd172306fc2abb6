//! Pages of hits by game or by position, with totals that are exact or estimated.

use std::ops::ControlFlow;

use super::execution::SearchExecution;
use super::{CountMode, HitPage, PageRequest, SearchHit, Searcher, Total};
use crate::cancel::CancelCheck;
use crate::error::Result;
use crate::query::Query;

/// The most hits that are counted after the page is full. Counting them takes milliseconds, and an
/// estimate from this number is accurate to about a tenth.
const COUNTED_HITS: u64 = 10_000;
/// The most games that are passed after the page is full, for the time of queries with few hits in a large corpus.
const COUNTED_GAMES: u64 = 50_000;

/// What a hit of a page is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HitUnit {
    /// A game, with the first position that matches.
    Game,
    /// A position.
    Position,
}

/// How far a search counts beyond its page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountEffort {
    /// To the end: totals are exact.
    Exact,
    /// As long as it takes little time: totals are exact or estimated.
    Estimate,
}

/// The part of the hits that a search returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HitRange {
    /// What a hit is.
    pub unit: HitUnit,
    /// The number of hits that are skipped.
    pub offset: u64,
    /// The most hits that are returned.
    pub limit: u64,
    /// How far the search counts.
    pub effort: CountEffort,
}

/// A game with hits: the first one, and their number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameMatch {
    /// The first hit, without its placement.
    pub first: SearchHit,
    /// The number of hits in the game; 1 for queries about games.
    pub n_hits: u64,
}

/// Counts hits and collects a page of them.
struct PageCollector {
    range: HitRange,
    end: u64,
    hits: Vec<SearchHit>,
    matches: Vec<u64>,
    n_hits: u64,
    n_games: u64,
    last_game: Option<(usize, u32)>,
    /// The numbers of hits and of games passed when the page was full.
    full_at: Option<(u64, u64)>,
}

impl PageCollector {
    fn new(range: HitRange) -> PageCollector {
        PageCollector {
            range,
            end: range.offset.saturating_add(range.limit),
            hits: Vec::new(),
            matches: Vec::new(),
            n_hits: 0,
            n_games: 0,
            last_game: None,
            full_at: None,
        }
    }

    /// Takes a hit in the game that is number `passed` of the corpus.
    fn take(&mut self, found: SearchHit, passed: u64) -> ControlFlow<()> {
        let game = Some((found.segment, found.game));
        let is_new = game != self.last_game;
        let nth = match self.range.unit {
            HitUnit::Game => self.n_games,
            HitUnit::Position => self.n_hits,
        };
        if nth >= self.end && (is_new || self.range.unit == HitUnit::Position) {
            let (hits, games) = *self.full_at.get_or_insert((self.n_hits, passed));
            let is_enough = self.n_hits - hits >= COUNTED_HITS || passed - games >= COUNTED_GAMES;
            // A game is counted whole, so that the number of its hits is right.
            if self.range.effort == CountEffort::Estimate && is_enough && is_new {
                return ControlFlow::Break(());
            }
        }
        let is_in_page = (self.range.offset..self.end).contains(&nth);
        match self.range.unit {
            HitUnit::Position if is_in_page => self.hits.push(found),
            HitUnit::Game if is_new && is_in_page => {
                self.hits.push(found);
                self.matches.push(1);
            }
            HitUnit::Game if !is_new && (self.range.offset..self.end).contains(&(self.n_games - 1)) => {
                if let Some(matches) = self.matches.last_mut() {
                    *matches += 1;
                }
            }
            _ => {}
        }
        self.n_hits += 1;
        self.n_games += u64::from(is_new);
        self.last_game = game;
        ControlFlow::Continue(())
    }
}

impl Searcher {
    /// Returns a page of hits, in the order of the corpus.
    ///
    /// The totals are exact if the search reached the end; otherwise they are estimated from the part of the corpus that it
    /// passed.
    ///
    /// # Errors
    ///
    /// Returns the file that is missing or damaged, or that the operation was canceled.
    pub fn page(&self, query: &Query, range: HitRange, cancel: CancelCheck<'_>) -> Result<HitPage> {
        if range.limit == 0 && range.effort == CountEffort::Exact {
            let count = PageRequest { offset: 0, limit: 0, count: CountMode::All };
            return self.search_cancelable(query, count, cancel);
        }
        let execution = SearchExecution::new(self, query, cancel);
        let firsts = self.first_games();
        let mut collector = PageCollector::new(range);
        let mut stopped_at = 0;
        let flow = execution.each(&mut |found| {
            let passed = firsts[found.segment] + u64::from(found.game);
            stopped_at = passed;
            let flow = collector.take(found, passed);
            if range.effort == CountEffort::Exact && collector.full_at.is_some() {
                execution.count_the_rest();
            }
            flow
        })?;
        let (counted, counted_games) = execution.counted();
        let n_games = firsts.last().copied().unwrap_or(0);
        let total = |number: u64| match flow {
            ControlFlow::Continue(()) => Total::Exactly(number),
            ControlFlow::Break(()) => {
                let whole = u128::from(number) * u128::from(n_games) / u128::from(stopped_at.max(1));
                Total::About(u64::try_from(whole).unwrap_or(u64::MAX))
            }
        };
        let mut page = HitPage {
            total: total(collector.n_hits + counted),
            games: total(collector.n_games + counted_games),
            hits: collector.hits,
            matches: collector.matches,
            candidates: execution.n_candidates(),
        };
        execution.locate(&mut page.hits)?;
        Ok(page)
    }

    /// Returns the games with hits, in the order of the corpus.
    ///
    /// # Errors
    ///
    /// As [`Searcher::page`].
    pub fn game_matches(&self, query: &Query, cancel: CancelCheck<'_>) -> Result<Vec<GameMatch>> {
        let mut games: Vec<GameMatch> = Vec::new();
        self.each_cancelable(query, cancel, |found| {
            match games.last_mut() {
                Some(last) if (last.first.segment, last.first.game) == (found.segment, found.game) => {
                    last.n_hits += 1;
                }
                _ => games.push(GameMatch { first: found, n_hits: 1 }),
            }
            ControlFlow::Continue(())
        })?;
        Ok(games)
    }

    /// Returns the hits of some games, which are in the order of the corpus, without their placements.
    ///
    /// # Errors
    ///
    /// As [`Searcher::page`].
    pub fn hits_in(
        &self,
        query: &Query,
        games: &[GameMatch],
        cancel: CancelCheck<'_>,
    ) -> Result<Vec<SearchHit>> {
        let place = |found: &SearchHit| (found.segment, found.game);
        let mut hits = Vec::new();
        self.each_cancelable(query, cancel, |found| {
            if games.binary_search_by_key(&place(&found), |game| place(&game.first)).is_ok() {
                hits.push(found);
            }
            match games.last() {
                Some(last) if place(&found) <= place(&last.first) => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            }
        })?;
        Ok(hits)
    }

    /// Sets the placements of hits.
    ///
    /// # Errors
    ///
    /// As [`Searcher::page`].
    pub fn locate(&self, query: &Query, hits: &mut [SearchHit], cancel: CancelCheck<'_>) -> Result<()> {
        // The hits of a game are located in one replay, so they have to be neighbors in rising order of plies.
        let mut order: Vec<usize> = (0..hits.len()).collect();
        order.sort_by_key(|at| (hits[*at].segment, hits[*at].game, hits[*at].hit.ply));
        let mut sorted: Vec<SearchHit> = order.iter().map(|at| hits[*at]).collect();
        SearchExecution::new(self, query, cancel).locate(&mut sorted)?;
        for (at, found) in order.into_iter().zip(sorted) {
            hits[at] = found;
        }
        Ok(())
    }

    /// Returns the number of games before each segment, and of all games; removed ones count, too.
    fn first_games(&self) -> Vec<u64> {
        let mut firsts = vec![0];
        for segment in self.segments() {
            firsts.push(firsts[firsts.len() - 1] + u64::from(segment.n_games()));
        }
        firsts
    }
}
