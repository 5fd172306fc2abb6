//! Searches for one position: the key table of a segment has its blocks, and the table of frequent positions the number
//! of its hits. The cost of a page and of a count does not grow with the number of games that share the position.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use tafl_rules::CanonicalKey;

use super::execution::{CandidateBlocks, PreparedSegment, SearchExecution, Sink};
use super::setup_class::PositionPlan;
use super::{HitPage, PageRequest, Total};
use crate::error::Result;
use crate::explorer::Occurrences;
use crate::move_log::MoveLog;
use crate::pattern::PatternSymmetries;
use crate::query::{Expr, PlyTest, QueryPlan};

/// The most blocks of a key that are looked up at first, which is more than a page of ten hits needs.
const FIRST_BLOCKS: usize = 64;

/// The plans of the classes of a segment, and all their keys.
struct SegmentPlans {
    plans: Vec<Arc<PositionPlan>>,
    of_setups: Arc<[u16]>,
    keys: Vec<CanonicalKey>,
}

impl SearchExecution<'_> {
    /// Returns whether the query is for one position, and nothing else.
    pub(super) fn is_position(&self) -> bool {
        matches!(self.query.expr(), Expr::Ply(PlyTest::Position { .. }))
    }

    /// Passes all hits of the position in a segment to the sink in order, until it returns `Break`.
    pub(super) fn each_in(&self, number: usize, sink: &mut Sink<'_>) -> Result<ControlFlow<()>> {
        self.cancel.check()?;
        let segment = &self.searcher.segments[number];
        let position = self.segment_plans(number)?;
        let look_up = |most| segment.with_index(|index| index.first_blocks_with_keys(&position.keys, most));
        let (blocks, are_all) = look_up(FIRST_BLOCKS)?;
        if blocks.is_empty() {
            return Ok(ControlFlow::Continue(()));
        }
        let mut prepared = self.prepare_blocks(number, &position, blocks);
        // The last game may have more blocks, which were not looked up.
        let next = if are_all { None } else { Some(prepared.games.pop().unwrap_or(0)) };
        self.n_candidates.fetch_add(prepared.games.len() as u64, Ordering::Relaxed);
        if self.run(number..number + 1, &[prepared], sink)?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
        let Some(next) = next else { return Ok(ControlFlow::Continue(())) };
        let (blocks, _) = look_up(usize::MAX)?;
        let mut prepared = self.prepare_blocks(number, &position, blocks);
        prepared.games.retain(|game| *game >= next);
        self.n_candidates.fetch_add(prepared.games.len() as u64, Ordering::Relaxed);
        self.run(number..number + 1, &[prepared], sink)
    }

    /// Returns the hits of a page, without their placements, and the number of all hits. Games are replayed only for
    /// the page, where the position is frequent.
    pub(super) fn page_of_all(&self, page: PageRequest) -> Result<HitPage> {
        let end = page.offset.saturating_add(page.limit);
        let (mut hits, mut n_hits, mut n_games) = (Vec::new(), 0u64, 0u64);
        for number in 0..self.searcher.segments.len() {
            let known = self.occurrences(number)?;
            let mut here = Occurrences::default();
            let is_on_page = |known: Occurrences| n_hits < end && n_hits + known.n_positions > page.offset;
            if known.is_none_or(is_on_page) {
                let mut last_game = None;
                let _ = self.each_in(number, &mut |found| {
                    let nth = n_hits + here.n_positions;
                    if known.is_some() && nth >= end {
                        return ControlFlow::Break(());
                    }
                    if (page.offset..end).contains(&nth) {
                        hits.push(found);
                    }
                    here.n_positions += 1;
                    here.n_games += u64::from(last_game != Some(found.game));
                    last_game = Some(found.game);
                    ControlFlow::Continue(())
                })?;
            }
            let here = known.unwrap_or(here);
            n_hits += here.n_positions;
            n_games += here.n_games;
        }
        let (total, games) = (Total::Exactly(n_hits), Total::Exactly(n_games));
        Ok(HitPage { hits, matches: Vec::new(), total, games, candidates: self.n_candidates() })
    }

    /// Returns the number of hits in a segment if the table of frequent positions has it.
    fn occurrences(&self, number: usize) -> Result<Option<Occurrences>> {
        let segment = &self.searcher.segments[number];
        let is_folded =
            |expr: &Expr| matches!(expr, Expr::Ply(PlyTest::Position { turns: PatternSymmetries::All, .. }));
        if !is_folded(self.query.expr()) || segment.has_removed() {
            return Ok(None);
        }
        let Some(table) = segment.openings()? else { return Ok(None) };
        let mut position = self.segment_plans(number)?;
        // The keys of both sides to move, and of chains: a game may have several of them, which the numbers of games do
        // not show.
        let frequent = |key: &CanonicalKey| table.occurrences(key.0).map(|found| (*key, found));
        let mut frequent = position.keys.iter().filter_map(frequent);
        let (Some((key, found)), None) = (frequent.next(), frequent.next()) else { return Ok(None) };
        drop(frequent);
        position.keys.retain(|other| *other != key);
        let blocks = segment.with_index(|index| index.blocks_with_keys(&position.keys))?;
        if !blocks.is_empty() {
            let prepared = self.prepare_blocks(number, &position, blocks);
            if self.run(number..number + 1, &[prepared], &mut |_| ControlFlow::Break(()))?.is_break() {
                return Ok(None);
            }
        }
        Ok(Some(found))
    }

    /// Returns the plans of the classes of a segment's game setups.
    fn segment_plans(&self, number: usize) -> Result<SegmentPlans> {
        let classes = self.searcher.classes_of(number)?;
        let plans: Vec<Arc<PositionPlan>> =
            classes.classes.iter().map(|class| self.position_plan(*class)).collect();
        let mut keys: Vec<CanonicalKey> = plans.iter().flat_map(|plan| plan.keys.iter().copied()).collect();
        keys.sort_unstable_by_key(|key| key.0);
        keys.dedup();
        Ok(SegmentPlans { plans, of_setups: classes.of_setups.clone(), keys })
    }

    /// Returns the plan of the position for a class of game setups.
    fn position_plan(&self, class: usize) -> Arc<PositionPlan> {
        let mut plans = self.position_plans.lock().unwrap_or_else(PoisonError::into_inner);
        if plans.len() <= class {
            plans.resize(class + 1, None);
        }
        let made = || {
            let plan = self.query.compile_in(&self.searcher.setup_classes.setup(class));
            let mut keys = Vec::new();
            let is_by_keys = plan.prefilter().keys(&mut keys);
            debug_assert!(is_by_keys, "a position is looked up by its keys");
            Arc::new(PositionPlan { plan: Arc::new(plan), keys })
        };
        plans[class].get_or_insert_with(made).clone()
    }

    /// Returns the plan of the position for a game setup of a segment; `None` if the query is not for one position.
    pub(super) fn position_plan_of(
        &self,
        number: usize,
        game_setup: usize,
    ) -> Result<Option<Arc<QueryPlan>>> {
        if !self.is_position() {
            return Ok(None);
        }
        let classes = self.searcher.classes_of(number)?;
        let class = classes.of_setups.get(game_setup).map(|at| classes.classes[usize::from(*at)]);
        Ok(class.map(|class| self.position_plan(class).plan.clone()))
    }

    /// Returns a segment with the games of blocks as candidates.
    fn prepare_blocks(&self, number: usize, position: &SegmentPlans, blocks: Vec<u32>) -> PreparedSegment {
        let segment = &self.searcher.segments[number];
        let move_log = segment.move_log();
        let may_hit = |game: &u32| {
            let plan = position.of_setups.get(usize::from(move_log.entry(*game).game_setup));
            // A game whose setup is missing is replayed, which reports that the move log is damaged.
            plan.is_none_or(|plan| !position.plans[usize::from(*plan)].keys.is_empty())
                && !segment.is_removed(*game)
        };
        let games = games_of(move_log, &blocks).into_iter().filter(may_hit).collect();
        let blocks = CandidateBlocks::List(blocks.into());
        let plans = position.plans.iter().map(|known| (known.plan.clone(), blocks.clone())).collect();
        PreparedSegment { plans, of_setups: position.of_setups.clone(), games, truths: Vec::new() }
    }
}

/// Returns the games of blocks, which are in rising order.
fn games_of(move_log: &MoveLog, blocks: &[u32]) -> Vec<u32> {
    let (mut games, mut next, mut end) = (Vec::new(), 0, 0);
    for block in blocks {
        // Other blocks are of the game before.
        if *block >= end {
            let game = move_log.game_of_block_from(*block, next);
            let entry = move_log.entry(game);
            // In a damaged directory, games can have any blocks.
            end = entry.first_block.saturating_add(entry.n_blocks()).max(block.saturating_add(1));
            next = (game + 1).min(move_log.n_games() - 1);
            games.push(game);
        }
    }
    games
}
