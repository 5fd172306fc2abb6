//! Pages of hits by game or by position, with totals that are exact or estimated.

use std::ops::ControlFlow;

use super::execution::SearchExecution;
use super::{HitPage, SearchHit, Searcher, Total};
use crate::cancel::CancelCheck;
use crate::error::Result;
use crate::folder::GameAt;
use crate::query::Query;

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
    /// Not at all: the search stops when the page is full and one more hit is known.
    Page,
}

/// The part of the hits that a search returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageRequest {
    /// What a hit is.
    pub unit: HitUnit,
    /// The number of hits that are skipped.
    pub offset: u64,
    /// The maximum number of hits that are returned.
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
    request: PageRequest,
    end: u64,
    hits: Vec<SearchHit>,
    matches: Vec<u64>,
    n_hits: u64,
    n_games: u64,
    last_game: Option<GameAt>,
    /// Whether the page is full.
    is_full: bool,
    /// The first game after a full page, if the search does not count to the end.
    stopped_at: Option<GameAt>,
}

impl PageCollector {
    fn new(request: PageRequest) -> PageCollector {
        PageCollector {
            request,
            end: request.offset.saturating_add(request.limit),
            hits: Vec::new(),
            matches: Vec::new(),
            n_hits: 0,
            n_games: 0,
            last_game: None,
            is_full: false,
            stopped_at: None,
        }
    }

    /// Takes a hit.
    fn take(&mut self, found: SearchHit) -> ControlFlow<()> {
        let game = Some(found.at());
        let is_new = game != self.last_game;
        let nth = match self.request.unit {
            HitUnit::Game => self.n_games,
            HitUnit::Position => self.n_hits,
        };
        if nth >= self.end && (is_new || self.request.unit == HitUnit::Position) {
            self.is_full = true;
            match self.request.effort {
                // A game is counted whole, so that the number of its hits is right.
                CountEffort::Estimate if is_new => {
                    self.stopped_at = game;
                    return ControlFlow::Break(());
                }
                CountEffort::Page => {
                    self.n_hits += 1;
                    self.n_games += u64::from(is_new);
                    self.stopped_at = game;
                    return ControlFlow::Break(());
                }
                CountEffort::Exact | CountEffort::Estimate => {}
            }
        }
        let is_in_page = (self.request.offset..self.end).contains(&nth);
        match self.request.unit {
            HitUnit::Position if is_in_page => self.hits.push(found),
            HitUnit::Game if is_new && is_in_page => {
                self.hits.push(found);
                self.matches.push(1);
            }
            HitUnit::Game if !is_new && (self.request.offset..self.end).contains(&(self.n_games - 1)) => {
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
    /// The totals are exact if all games could be counted. Otherwise they are estimated from a sample of the games after
    /// the page; with [`CountEffort::Page`], they are lower bounds.
    ///
    /// # Errors
    ///
    /// Returns the file that is missing or damaged, or that the operation was canceled.
    pub fn page(&self, query: &Query, request: PageRequest, cancel: CancelCheck<'_>) -> Result<HitPage> {
        let execution = SearchExecution::new(self, query, cancel);
        if request.effort == CountEffort::Exact {
            let lists_positions = request.unit == HitUnit::Position || request.limit == 0;
            if lists_positions && execution.is_position() {
                let mut page = execution.page_of_all(request)?;
                execution.locate(&mut page.hits)?;
                return Ok(page);
            }
            if request.limit == 0 {
                execution.count_the_rest();
            }
        }
        let mut collector = PageCollector::new(request);
        let _ = execution.each(&mut |found| {
            let flow = collector.take(found);
            if request.effort == CountEffort::Exact && collector.is_full {
                execution.count_the_rest();
            }
            flow
        })?;
        let counted = execution.counted();
        let (total, games) = match collector.stopped_at {
            Some(_) if request.effort == CountEffort::Page => {
                (Total::AtLeast(collector.n_hits), Total::AtLeast(collector.n_games))
            }
            Some(_) if execution.is_counted_at_once()? => {
                let all = execution.page_of_all(PageRequest { offset: 0, limit: 0, ..request })?;
                (all.total, all.games)
            }
            Some(at) => {
                let rest = execution.count_from(at.segment, at.row)?;
                (rest.hits.plus(collector.n_hits), rest.games.plus(collector.n_games))
            }
            None => (
                Total::Exactly(collector.n_hits + counted.hits),
                Total::Exactly(collector.n_games + counted.games),
            ),
        };
        let mut page = HitPage {
            total,
            games,
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
                Some(last) if last.first.at() == found.at() => {
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
        let mut hits = Vec::new();
        self.each_cancelable(query, cancel, |found| {
            if games.binary_search_by_key(&found.at(), |game| game.first.at()).is_ok() {
                hits.push(found);
            }
            match games.last() {
                Some(last) if found.at() <= last.first.at() => ControlFlow::Continue(()),
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
        order.sort_by_key(|at| (hits[*at].at(), hits[*at].hit.ply));
        let mut sorted: Vec<SearchHit> = order.iter().map(|at| hits[*at]).collect();
        SearchExecution::new(self, query, cancel).locate(&mut sorted)?;
        for (at, found) in order.into_iter().zip(sorted) {
            hits[at] = found;
        }
        Ok(())
    }
}
