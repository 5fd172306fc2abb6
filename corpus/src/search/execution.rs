//! The execution of a query over the segments.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tafl_parser::in_order;

use super::prepared_segment::{CandidateBlocks, PreparedSegment, SegmentTruth, candidates, tasks};
use super::setup_class::PositionPlans;
use super::{SearchHit, SearchSegment, Searcher, cache};
use crate::cancel::CancelCheck;
use crate::error::Result;
use crate::index::{IndexError, IndexLookup, NumberSet};
use crate::move_log::{GameSetup, MoveLog, MoveLogError};
use crate::query::{GameCondition, GameHit, PlyTest, Query, QueryPlan, RunBuffers, SearchedGame};

/// The minimum number of games for which threads are started: fewer games are searched faster than a thread starts.
pub(super) const GAMES_FOR_THREADS: usize = 256;

/// The minimum mean number of blocks per game setup for which longer prefilters are made. Tests always make them.
const MIN_BLOCKS_PER_SETUP: u64 = if cfg!(test) { 1 } else { 1 << 14 };

/// The execution of a query over the segments.
pub(super) struct SearchExecution<'s> {
    pub(super) searcher: &'s Searcher,
    pub(super) query: &'s Query,
    conditions: Vec<&'s GameCondition>,
    /// Whether the game setups of the segments have many games each.
    has_many_games: bool,
    plans: Mutex<HashMap<GameSetup, Arc<QueryPlan>>>,
    /// The plans of a query for one position.
    pub(super) position_plans: Mutex<PositionPlans>,
    pub(super) n_candidates: AtomicU64,
    pub(super) cancel: CancelCheck<'s>,
    /// Whether hits are only counted from now on.
    is_counting: AtomicBool,
    /// The number of hits that were only counted, and of their games.
    n_counted: AtomicU64,
    n_counted_games: AtomicU64,
}

/// The number of hits, and of their games.
pub(super) struct HitCounts {
    pub(super) hits: u64,
    pub(super) games: u64,
}

pub(super) type Sink<'a> = dyn FnMut(SearchHit) -> ControlFlow<()> + Send + 'a;

impl<'s> SearchExecution<'s> {
    pub(super) fn new(
        searcher: &'s Searcher,
        query: &'s Query,
        cancel: CancelCheck<'s>,
    ) -> SearchExecution<'s> {
        SearchExecution {
            searcher,
            query,
            conditions: query.game_conditions(),
            has_many_games: has_many_games(searcher),
            plans: Mutex::default(),
            position_plans: Mutex::default(),
            n_candidates: AtomicU64::new(0),
            cancel,
            is_counting: AtomicBool::new(false),
            n_counted: AtomicU64::new(0),
            n_counted_games: AtomicU64::new(0),
        }
    }

    /// Lets the rest of the search count its hits, which takes less time than passing them to a sink. Hits of games that
    /// are being replayed are still passed.
    pub(super) fn count_the_rest(&self) {
        self.is_counting.store(true, Ordering::Relaxed);
    }

    /// Returns the counts of the hits that were not passed to a sink, at the end of a search.
    pub(super) fn counted(&self) -> HitCounts {
        HitCounts {
            hits: self.n_counted.load(Ordering::Relaxed),
            games: self.n_counted_games.load(Ordering::Relaxed),
        }
    }

    /// Returns the number of candidate games so far.
    pub(super) fn n_candidates(&self) -> u64 {
        self.n_candidates.load(Ordering::Relaxed)
    }

    /// Passes all hits to the sink in order, until it returns `Break`.
    pub(super) fn each(&self, sink: &mut Sink<'_>) -> Result<ControlFlow<()>> {
        let segments = &self.searcher.segments;
        if self.is_position() {
            for number in 0..segments.len() {
                if self.each_in(number, sink)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            return Ok(ControlFlow::Continue(()));
        }
        let threads = self.searcher.threads;
        // One segment per thread at a time: a page is often full before the last segments.
        for group in (0..segments.len()).step_by(threads.get()) {
            let group = group..(group + threads.get()).min(segments.len());
            let prepared = self.prepare_all(group.clone())?;
            if self.run(group, &prepared, sink)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn prepare_all(&self, group: Range<usize>) -> Result<Vec<PreparedSegment>> {
        let prepared = self.prepare_each(group, |number| self.prepare(&self.searcher.segments[number]))?;
        let n_candidates: usize = prepared.iter().map(|prepared| prepared.rows.len()).sum();
        self.n_candidates.fetch_add(n_candidates as u64, Ordering::Relaxed);
        Ok(prepared)
    }

    /// Looks up the candidate games of some segments, given by their numbers.
    pub(super) fn prepare_chosen(&self, numbers: &[usize]) -> Result<Vec<PreparedSegment>> {
        self.prepare_each(numbers.iter().copied(), |number| {
            if self.is_position() {
                self.prepare_position(number)
            } else {
                self.prepare(&self.searcher.segments[number])
            }
        })
    }

    /// Prepares segments on several threads.
    fn prepare_each(
        &self,
        numbers: impl IntoIterator<Item = usize, IntoIter: Send>,
        prepare: impl Fn(usize) -> Result<PreparedSegment> + Sync,
    ) -> Result<Vec<PreparedSegment>> {
        let mut numbers = numbers.into_iter();
        let mut all = Ok(Vec::new());
        let threads = if self.is_quick() { NonZeroUsize::MIN } else { self.searcher.threads };
        in_order(
            threads,
            || numbers.next(),
            prepare,
            |prepared| match (&mut all, prepared) {
                (Ok(all), Ok(prepared)) => {
                    all.push(prepared);
                    ControlFlow::Continue(())
                }
                (all, Err(error)) => {
                    *all = Err(error);
                    ControlFlow::Break(())
                }
                (Err(_), Ok(_)) => ControlFlow::Break(()),
            },
        );
        all
    }

    /// Returns whether the index answers faster than threads start: for queries of a whole position only.
    fn is_quick(&self) -> bool {
        let is_position = |test: &&PlyTest| matches!(test, PlyTest::Position { .. });
        self.conditions.is_empty() && self.query.boards().iter().any(is_position)
    }

    /// Looks up the candidate games of a segment in the index.
    pub(super) fn prepare(&self, segment: &SearchSegment) -> Result<PreparedSegment> {
        let move_log = segment.move_log()?;
        let plans = self.plans_of(segment)?;
        let (mut rows, blocks, truths, first_places) = segment.with_index(|index| {
            let mut lookup = IndexLookup::new(index, move_log);
            let candidate_games = plans.iter().map(|plan| lookup.games(plan.prefilter()));
            let candidate_games: Vec<NumberSet> =
                candidate_games.collect::<std::result::Result<_, IndexError>>()?;
            let rows = candidates(move_log, &candidate_games);
            let blocks = plans.iter().map(|plan| {
                if plan.is_about_single_plies() && !rows.is_empty() {
                    lookup.places_of_plies(plan.prefilter())
                } else {
                    Ok(None)
                }
            });
            let blocks = blocks.map(|found| Ok(found?.map_or(CandidateBlocks::All, CandidateBlocks::Places)));
            let blocks = blocks.collect::<std::result::Result<Vec<CandidateBlocks>, IndexError>>()?;
            let truths = if rows.is_empty() {
                Vec::new()
            } else {
                let asked = self.conditions.iter().map(|condition| lookup.condition(condition));
                asked.collect::<std::result::Result<_, _>>()?
            };
            Ok((rows, blocks, truths, lookup.first_places().clone()))
        })?;
        rows.retain(|row| !segment.is_removed(*row));
        // A segment has at most 2^16 game setups.
        let of_setups = (0..plans.len()).map(|number| number as u16).collect();
        Ok(PreparedSegment {
            plans: plans.into_iter().zip(blocks).collect(),
            of_setups,
            rows,
            truths,
            first_places,
        })
    }

    /// Returns the plans of the game setups of a segment.
    fn plans_of(&self, segment: &SearchSegment) -> Result<Vec<Arc<QueryPlan>>> {
        let plans = segment.move_log()?.game_setups().iter().map(|game_setup| {
            // A plan of a large pattern takes part of a second, and a segment may have many game setups.
            self.cancel.check()?;
            self.plan(game_setup).map_err(|error| segment.move_log_error(error))
        });
        plans.collect()
    }

    /// Returns the plan for a game setup.
    fn plan(&self, game_setup: &GameSetup) -> std::result::Result<Arc<QueryPlan>, MoveLogError> {
        let mut plans = self.plans.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = plans.get(game_setup) {
            return Ok(known.clone());
        }
        let setup = self.searcher.compiled_setup(game_setup)?;
        let plan = if self.has_many_games {
            self.query.compile_for_many(&setup)
        } else {
            self.query.compile_in(&setup)
        };
        let plan = Arc::new(plan);
        cache(&mut plans, game_setup, plan.clone());
        Ok(plan)
    }

    /// Replays the candidates of some segments.
    pub(super) fn run(
        &self,
        group: Range<usize>,
        prepared: &[PreparedSegment],
        sink: &mut Sink<'_>,
    ) -> Result<ControlFlow<()>> {
        let n_games: usize = prepared.iter().map(|prepared| prepared.rows.len()).sum();
        let threads = if n_games < GAMES_FOR_THREADS { NonZeroUsize::MIN } else { self.searcher.threads };
        let mut give =
            |found: Result<Vec<SearchHit>>| found.map(|found| found.into_iter().try_for_each(&mut *sink));
        let mut tasks = tasks(group, prepared);
        if let Some((number, prepared, rows)) = tasks.next()
            && give(self.play(number, prepared, rows))?.is_break()
        {
            return Ok(ControlFlow::Break(()));
        }
        let mut result = Ok(ControlFlow::Continue(()));
        in_order(
            threads,
            || tasks.next(),
            |(number, prepared, rows)| self.play(number, prepared, rows),
            |found| {
                result = give(found);
                if matches!(result, Ok(ControlFlow::Continue(()))) {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(())
                }
            },
        );
        result
    }

    /// Replays games and returns their hits, or counts them.
    fn play(&self, number: usize, prepared: &PreparedSegment, rows: &[u32]) -> Result<Vec<SearchHit>> {
        let segment = &self.searcher.segments[number];
        let move_log = segment.move_log()?;
        let is_counting = self.is_counting.load(Ordering::Relaxed);
        let play = || {
            let (mut found, mut hits, mut buffers) = (Vec::new(), Vec::new(), RunBuffers::default());
            let (mut n_hits, mut n_games) = (0, 0);
            self.play_each(move_log, prepared, rows, |row, plan, searched| {
                if is_counting {
                    let n = plan.count(searched, &mut buffers)?;
                    n_hits += n;
                    n_games += u64::from(n > 0);
                } else {
                    plan.find(searched, &mut buffers, &mut hits)?;
                    found.extend(hits.drain(..).map(|hit| SearchHit { segment: number, row, hit }));
                }
                Ok(())
            })?;
            self.n_counted.fetch_add(n_hits, Ordering::Relaxed);
            self.n_counted_games.fetch_add(n_games, Ordering::Relaxed);
            Ok(found)
        };
        let found = play().map_err(|error| segment.move_log_error(error))?;
        self.cancel.check().map(|()| found)
    }

    /// Passes games with their plans to `each`, until the search is canceled.
    pub(super) fn play_each(
        &self,
        move_log: &MoveLog,
        prepared: &PreparedSegment,
        rows: &[u32],
        mut each: impl FnMut(u32, &QueryPlan, SearchedGame<'_, '_>) -> std::result::Result<(), MoveLogError>,
    ) -> std::result::Result<(), MoveLogError> {
        let mut cursor = None;
        for row in rows.iter().take_while(|_| !self.cancel.is_canceled()) {
            let cursor = move_log.cursor_in(&mut cursor, *row)?;
            let entry = move_log.entry(*row);
            let (plan, blocks) =
                &prepared.plans[usize::from(prepared.of_setups[usize::from(entry.game_setup)])];
            let truth = SegmentTruth { truths: &prepared.truths, row: *row };
            let has = |block: u32| blocks.has(prepared, *row, entry.first_block, block);
            let blocks: Option<&dyn Fn(u32) -> bool> =
                if matches!(blocks, CandidateBlocks::All) { None } else { Some(&has) };
            each(*row, plan, SearchedGame { cursor, blocks, truth: &truth })?;
        }
        Ok(())
    }

    /// Sets the placements of hits.
    pub(super) fn locate(&self, found: &mut [SearchHit]) -> Result<()> {
        for hits in found.chunk_by_mut(|one, other| one.at() == other.at()) {
            self.cancel.check()?;
            let segment = &self.searcher.segments[hits[0].segment];
            let mut places: Vec<GameHit> = hits.iter().map(|found| found.hit).collect();
            let move_log = segment.move_log()?;
            let setup = usize::from(move_log.entry(hits[0].row).game_setup);
            let plan = match self.position_plan_of(hits[0].segment, setup)? {
                Some(plan) => Ok(plan),
                None => self.plan(&move_log.game_setups()[setup]),
            };
            let play = plan.and_then(|plan| plan.locate(&mut move_log.cursor(hits[0].row)?, &mut places));
            play.map_err(|error| segment.move_log_error(error))?;
            hits.iter_mut().zip(places).for_each(|(found, hit)| found.hit = hit);
        }
        Ok(())
    }
}

/// Returns whether the game setups of the segments have many games each, so that a prefilter that takes a millisecond saves
/// more time than that.
fn has_many_games(searcher: &Searcher) -> bool {
    // The search itself reports a damaged move log.
    let move_logs = || searcher.segments.iter().filter_map(|segment| segment.move_log().ok());
    let n_blocks: u64 = move_logs().map(|move_log| u64::from(move_log.n_blocks())).sum();
    let n_setups: u64 = move_logs().map(|move_log| move_log.game_setups().len() as u64).sum();
    n_blocks >= MIN_BLOCKS_PER_SETUP * n_setups
}
