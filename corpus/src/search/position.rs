//! Searches for one position: the key table of a segment has its blocks, and the table of frequent positions the number
//! of its hits. The cost of a page and of a count does not grow with the number of games that share the position.

use std::cmp::Reverse;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use tafl_rules::{CanonicalKey, Side};

use super::execution::{SearchExecution, Sink};
use super::prepared_segment::{CandidateBlocks, PreparedSegment};
use super::setup_class::{ClassPlans, PositionPlan};
use super::{HitPage, PageRequest, Total};
use crate::error::Result;
use crate::move_log::{MoveLog, MoveLogError};
use crate::openings::Occurrences;
use crate::pattern::PatternSymmetries;
use crate::query::{Expr, PlyTest, QueryPlan, RunBuffers};

/// The maximum number of blocks of a key that are looked up at first, which is more than a page of ten hits needs.
const FIRST_BLOCKS: usize = 64;

/// The maximum number of games of a segment that are counted without a table of frequent positions.
const SMALL_SEGMENT: u32 = 4096;

/// The plans of a segment.
struct SegmentPlans {
    of_classes: Arc<ClassPlans>,
    /// The number of the plan of each game setup.
    of_setups: Arc<[u16]>,
}

impl SegmentPlans {
    /// Returns the plan of a game setup; `None` if the setup is missing.
    fn plan(&self, setup: usize) -> Option<&PositionPlan> {
        self.of_setups.get(setup).map(|plan| &*self.of_classes.plans[usize::from(*plan)])
    }
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
        let look_up =
            |most| segment.with_index(|index| index.first_blocks_with_keys(&position.of_classes.keys, most));
        let (blocks, are_all) = look_up(FIRST_BLOCKS)?;
        if blocks.is_empty() {
            return Ok(ControlFlow::Continue(()));
        }
        let mut prepared = self.prepare_blocks(number, &position, blocks)?;
        // The last game may have more blocks, which were not looked up.
        let next = if are_all { None } else { Some(prepared.rows.pop().unwrap_or(0)) };
        self.n_candidates.fetch_add(prepared.rows.len() as u64, Ordering::Relaxed);
        if self.run(number..number + 1, &[prepared], sink)?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
        let Some(next) = next else { return Ok(ControlFlow::Continue(())) };
        let (blocks, _) = look_up(usize::MAX)?;
        let mut prepared = self.prepare_blocks(number, &position, blocks)?;
        prepared.rows.retain(|row| *row >= next);
        self.n_candidates.fetch_add(prepared.rows.len() as u64, Ordering::Relaxed);
        self.run(number..number + 1, &[prepared], sink)
    }

    /// Looks up all candidate games of the position in a segment.
    pub(super) fn prepare_position(&self, number: usize) -> Result<PreparedSegment> {
        let position = self.segment_plans(number)?;
        let segment = &self.searcher.segments[number];
        let blocks = segment.with_index(|index| index.blocks_with_keys(&position.of_classes.keys))?;
        self.prepare_blocks(number, &position, blocks)
    }

    /// Returns the hits of a page, without their placements, and the number of all hits. If the position is frequent,
    /// games are replayed only for the page.
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
                    here.n_games += u64::from(last_game != Some(found.row));
                    last_game = Some(found.row);
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

    /// Returns whether the hits of the position can be counted at once: every large segment has a table of frequent
    /// positions that is right.
    pub(super) fn is_counted_at_once(&self) -> Result<bool> {
        if !self.is_position() || !self.is_folded() {
            return Ok(false);
        }
        for segment in &self.searcher.segments {
            let is_large = segment.n_games() > SMALL_SEGMENT;
            if is_large && (segment.has_removed() || segment.openings()?.is_none()) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns whether the query finds the position in all orientations, as the table of frequent positions counts it.
    fn is_folded(&self) -> bool {
        matches!(self.query.expr(), Expr::Ply(PlyTest::Position { symmetries: PatternSymmetries::All, .. }))
    }

    /// Returns the number of hits in a segment if the table of frequent positions has it.
    fn occurrences(&self, number: usize) -> Result<Option<Occurrences>> {
        let segment = &self.searcher.segments[number];
        if !self.is_folded() || segment.has_removed() {
            return Ok(None);
        }
        let Some(table) = segment.openings()? else { return Ok(None) };
        let position = self.segment_plans(number)?;
        // The keys of both sides to move, and of chains.
        let known = |key: &CanonicalKey| {
            // Under rules with fewer symmetries, a mirrored position may have the same key without being a hit.
            let has_key =
                |setup: u32| position.plan(setup as usize).is_some_and(|plan| plan.keys.contains(key));
            table.occurrences(key.0, has_key).map(|found| (*key, found))
        };
        let mut frequent: Vec<(CanonicalKey, Occurrences)> =
            position.of_classes.keys.iter().filter_map(known).collect();
        frequent.sort_by_key(|(_, found)| Reverse(found.n_games));
        let Some((most_frequent, _)) = frequent.first().copied() else { return Ok(None) };
        let mut sum = Occurrences::default();
        for (_, found) in &frequent {
            sum.n_positions += found.n_positions;
            sum.n_games += found.n_games;
        }
        // In games with another key of the position, the table lacks hits, or has counted the game more than once.
        let others: Vec<CanonicalKey> =
            position.of_classes.keys.iter().copied().filter(|key| *key != most_frequent).collect();
        let frequent: Vec<CanonicalKey> = frequent.into_iter().map(|(key, _)| key).collect();
        self.count_by_other_keys(number, &position, &others, &frequent, &mut sum)?;
        Ok(Some(sum))
    }

    /// Adds the hits that a segment has by other keys than the frequent ones, and lets games that have several keys count
    /// once. `keys` are all keys of the position but one: the other games are right.
    fn count_by_other_keys(
        &self,
        number: usize,
        position: &SegmentPlans,
        keys: &[CanonicalKey],
        frequent: &[CanonicalKey],
        sum: &mut Occurrences,
    ) -> Result<()> {
        let segment = &self.searcher.segments[number];
        let move_log = segment.move_log()?;
        let blocks = segment.with_index(|index| index.blocks_with_keys(keys))?;
        if blocks.is_empty() {
            return Ok(());
        }
        let mut buffers = RunBuffers::default();
        let rows = self.prepare_blocks(number, position, blocks)?.rows;
        self.n_candidates.fetch_add(rows.len() as u64, Ordering::Relaxed);
        for row in rows {
            self.cancel.check()?;
            let plan = position.plan(usize::from(move_log.entry(row).game_setup));
            let counted = plan.ok_or(MoveLogError::Game { game: row }).and_then(|plan| {
                let hits = plan.hits_by_side(move_log, row, &mut buffers)?;
                Ok((plan, hits))
            });
            let (plan, hits) = counted.map_err(|error| segment.move_log_error(error))?;
            // The keys of a position that fits on the board begin with those of both sides to move.
            let keys = Side::ALL.into_iter().zip(&plan.keys);
            let (known, others): (Vec<_>, Vec<_>) = keys.partition(|(_, key)| frequent.contains(key));
            let n_known = known.iter().filter(|(side, _)| hits.by_side[*side] > 0).count() as u64;
            let n_others = others.iter().map(|(side, _)| hits.by_side[*side]).sum::<u64>() + hits.in_chains;
            sum.n_positions += n_others;
            sum.n_games = (sum.n_games + u64::from(n_known + n_others > 0)).saturating_sub(n_known);
        }
        Ok(())
    }

    /// Returns the plans of a segment's game setups.
    fn segment_plans(&self, number: usize) -> Result<SegmentPlans> {
        let classes = self.searcher.classes_of(number)?;
        Ok(SegmentPlans {
            of_classes: self.class_plans(&classes.classes),
            of_setups: classes.of_setups.clone(),
        })
    }

    /// Returns the plans of the position for some classes.
    fn class_plans(&self, classes: &[usize]) -> Arc<ClassPlans> {
        {
            let made = self.position_plans.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some((_, known)) = made.of_classes.iter().find(|(known, _)| known == classes) {
                return known.clone();
            }
        }
        let plans: Vec<Arc<PositionPlan>> = classes.iter().map(|class| self.position_plan(*class)).collect();
        let mut keys: Vec<CanonicalKey> = plans.iter().flat_map(|plan| plan.keys.iter().copied()).collect();
        keys.sort_unstable_by_key(|key| key.0);
        keys.dedup();
        let made = Arc::new(ClassPlans { plans, keys });
        let mut plans = self.position_plans.lock().unwrap_or_else(PoisonError::into_inner);
        plans.of_classes.push((classes.to_vec(), made.clone()));
        made
    }

    /// Returns the plan of the position for a class of game setups.
    fn position_plan(&self, class: usize) -> Arc<PositionPlan> {
        let mut plans = self.position_plans.lock().unwrap_or_else(PoisonError::into_inner);
        let plans = &mut plans.by_class;
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
    fn prepare_blocks(
        &self,
        number: usize,
        position: &SegmentPlans,
        blocks: Vec<u32>,
    ) -> Result<PreparedSegment> {
        let segment = &self.searcher.segments[number];
        let move_log = segment.move_log()?;
        let may_hit = |row: &u32| {
            let plan = position.plan(usize::from(move_log.entry(*row).game_setup));
            // A game whose setup is missing is replayed, which reports that the move log is damaged.
            plan.is_none_or(|plan| !plan.keys.is_empty()) && !segment.is_removed(*row)
        };
        let rows = rows_of(move_log, &blocks).into_iter().filter(may_hit).collect();
        let blocks = CandidateBlocks::List(blocks.into());
        let plans = &position.of_classes.plans;
        let plans = plans.iter().map(|known| (known.plan.clone(), blocks.clone())).collect();
        Ok(PreparedSegment {
            plans,
            of_setups: position.of_setups.clone(),
            rows,
            truths: Vec::new(),
            first_places: Arc::default(),
        })
    }
}

/// Returns the rows of the games of blocks, which are in rising order.
fn rows_of(move_log: &MoveLog, blocks: &[u32]) -> Vec<u32> {
    let (mut rows, mut next, mut end) = (Vec::new(), 0, 0);
    for block in blocks {
        // Other blocks are of the game before.
        if *block >= end {
            let row = move_log.game_of_block_from(*block, next);
            let entry = move_log.entry(row);
            // In a damaged directory, games can have any blocks.
            end = entry.first_block.saturating_add(entry.n_blocks()).max(block.saturating_add(1));
            next = (row + 1).min(move_log.n_games() - 1);
            rows.push(row);
        }
    }
    rows
}
