//! The evaluation of a query for a game.

use std::ops::Range;

use super::QueryPlan;
use super::evaluate::holds;
use super::evaluation::GameEvaluation;
use super::test::{BoardTest, CompiledTest};
use super::tree::{LocalTest, PlanNode};
use crate::move_log::{BLOCK_SIZE, MoveLogError, ReplayCursor};
use crate::pattern::game_matcher::{GameMatcher, MatchBuffers, MatchRange};
use crate::query::GameTruth;
use crate::query::hit::GameHit;
use crate::query::ply_set::PlySet;

/// Buffers that are reused from game to game.
#[derive(Debug, Default)]
pub(crate) struct RunBuffers {
    matches: MatchBuffers,
    plies: PlySet,
    #[cfg(feature = "store")]
    hits: Vec<GameHit>,
}

/// A game in which hits are searched for.
pub(crate) struct SearchedGame<'g, 't> {
    /// A cursor at the start of the game.
    pub(crate) cursor: &'g mut ReplayCursor<'t>,
    /// Returns whether a block of the game, by its number from 0, may contain hits; `None` if any may. Only plans about
    /// single plies use it.
    pub(crate) blocks: Option<&'g dyn Fn(u32) -> bool>,
    /// The truth of the conditions of the query on the game.
    pub(crate) truth: &'g dyn GameTruth,
}

/// Finds the hits in a game.
pub(super) fn run(
    plan: &QueryPlan,
    game: SearchedGame<'_, '_>,
    buffers: &mut RunBuffers,
    hits: &mut Vec<GameHit>,
) -> Result<(), MoveLogError> {
    if let Some(matcher) = only_matcher(plan) {
        run_matcher(matcher, &game, buffers)?;
        hits.extend(buffers.plies.iter().map(|ply| GameHit { ply: ply as u32, placement: None }));
        return Ok(());
    }
    match (&plan.root, game.blocks) {
        (PlanNode::Local(_, local), Some(blocks)) if !plan.is_about_games => {
            run_in_blocks(plan, local, game, blocks, hits)
        }
        _ => run_in_game(plan, game.cursor, game.truth, hits),
    }
}

/// Returns the number of hits in a game.
#[cfg(feature = "store")]
pub(super) fn count(
    plan: &QueryPlan,
    game: SearchedGame<'_, '_>,
    buffers: &mut RunBuffers,
) -> Result<u64, MoveLogError> {
    if let Some(matcher) = only_matcher(plan) {
        run_matcher(matcher, &game, buffers)?;
        return Ok(buffers.plies.count().into());
    }
    let mut hits = std::mem::take(&mut buffers.hits);
    hits.clear();
    run(plan, game, buffers, &mut hits)?;
    buffers.hits = hits;
    Ok(buffers.hits.len() as u64)
}

/// Finds the hits in some blocks of a game whose positions show by themselves whether they are hits.
fn run_in_blocks(
    plan: &QueryPlan,
    local: &LocalTest,
    SearchedGame { cursor, truth, .. }: SearchedGame<'_, '_>,
    blocks: &dyn Fn(u32) -> bool,
    hits: &mut Vec<GameHit>,
) -> Result<(), MoveLogError> {
    let truth: Vec<bool> = (0..plan.n_conditions).map(|number| truth.holds(number)).collect();
    let mut evaluation = GameEvaluation::new(plan, cursor, truth)?;
    let Some(last) = (0..=evaluation.n_plies / BLOCK_SIZE).rev().find(|block| blocks(*block)) else {
        return Ok(());
    };
    let mut is_in = blocks(0);
    loop {
        let state = cursor.state();
        if is_in && holds(local, &evaluation, state) {
            hits.push(GameHit { ply: state.ply, placement: None });
        }
        let next = state.ply + 1;
        if next.is_multiple_of(BLOCK_SIZE) {
            if next / BLOCK_SIZE > last {
                return Ok(());
            }
            is_in = blocks(next / BLOCK_SIZE);
        }
        if !cursor.advance()? {
            return Ok(());
        }
        evaluation.advance(cursor.state());
    }
}

/// Finds the hits in a whole game.
fn run_in_game(
    plan: &QueryPlan,
    cursor: &mut ReplayCursor<'_>,
    truth: &dyn GameTruth,
    hits: &mut Vec<GameHit>,
) -> Result<(), MoveLogError> {
    let truth: Vec<bool> = (0..plan.n_conditions).map(|number| truth.holds(number)).collect();
    let bounds = plan.root.bounds(&truth);
    if !bounds.can_hold {
        return Ok(());
    }
    if plan.is_about_games && !bounds.can_fail {
        hits.push(GameHit { ply: 0, placement: None });
        return Ok(());
    }
    let mut locals: Vec<(usize, &LocalTest)> = Vec::new();
    plan.root.each_local(&mut |number, local| locals.push((number, local)));
    locals.sort_by_key(|(number, _)| *number);
    let mut sets = vec![PlySet::default(); locals.len()];
    let mut evaluation = GameEvaluation::new(plan, cursor, truth)?;
    loop {
        let state = cursor.state();
        for ((_, local), set) in locals.iter().zip(&mut sets) {
            set.push(holds(local, &evaluation, state));
        }
        if !cursor.advance()? {
            break;
        }
        evaluation.advance(cursor.state());
    }
    let len = evaluation.n_plies as usize + 1;
    let found = plies_of(&plan.root, &sets, len);
    let placement = None;
    if plan.is_about_games {
        hits.extend((!found.is_empty()).then_some(GameHit { ply: 0, placement }));
    } else {
        hits.extend(found.iter().map(|ply| GameHit { ply: ply as u32, placement }));
    }
    Ok(())
}

/// Returns the matcher of a plan that is one pattern and nothing else.
fn only_matcher(plan: &QueryPlan) -> Option<&GameMatcher> {
    let PlanNode::Local(_, LocalTest::Test(CompiledTest::Board(number))) = &plan.root else { return None };
    match &plan.boards[*number] {
        BoardTest::Pattern(_, matcher) if !plan.is_about_games => Some(matcher),
        BoardTest::Pattern(..) | BoardTest::Position(_) => None,
    }
}

/// Sets the plies of the buffers to those at which a pattern matches.
fn run_matcher(
    matcher: &GameMatcher,
    game: &SearchedGame<'_, '_>,
    buffers: &mut RunBuffers,
) -> Result<(), MoveLogError> {
    let RunBuffers { matches, plies, .. } = buffers;
    let cursor = &*game.cursor;
    let Some(blocks) = game.blocks else { return matcher.find(cursor, MatchRange::WHOLE, matches, plies) };
    let n_blocks = (cursor.state().ply + cursor.n_plies_left()) / BLOCK_SIZE + 1;
    let Some(last) = (0..n_blocks).rev().find(|block| blocks(*block)) else {
        plies.clear();
        return Ok(());
    };
    // A damaged game may have any number of plies.
    let end = (last + 1).saturating_mul(BLOCK_SIZE);
    let has = |plies: Range<u32>| (plies.start / BLOCK_SIZE..plies.end.div_ceil(BLOCK_SIZE)).any(blocks);
    matcher.find(cursor, MatchRange { end, has: Some(&has) }, matches, plies)
}

/// Returns the positions at which a part of a query holds.
fn plies_of(node: &PlanNode, sets: &[PlySet], len: usize) -> PlySet {
    let joined = |parts: &[PlanNode], join: fn(&mut PlySet, &PlySet)| {
        let mut parts = parts.iter().map(|part| plies_of(part, sets, len));
        let mut all = parts.next().expect("a list of parts is never empty");
        parts.for_each(|part| join(&mut all, &part));
        all
    };
    let constant = |holds: bool| if holds { PlySet::full(len) } else { PlySet::empty(len) };
    match node {
        PlanNode::Local(number, _) => sets[*number].clone(),
        PlanNode::All(parts) => joined(parts, PlySet::and),
        PlanNode::Any(parts) => joined(parts, PlySet::or),
        PlanNode::Not(part) => {
            let mut plies = plies_of(part, sets, len);
            plies.invert();
            plies
        }
        PlanNode::Then(first, last, within) => {
            let mut plies = plies_of(first, sets, len).after(*within);
            plies.and(&plies_of(last, sets, len));
            plies
        }
        PlanNode::Before(first, last, within) => {
            let mut plies = plies_of(last, sets, len).before(*within);
            plies.and(&plies_of(first, sets, len));
            plies
        }
        PlanNode::Ever(part) => constant(!plies_of(part, sets, len).is_empty()),
        PlanNode::Never(part) => constant(plies_of(part, sets, len).is_empty()),
        PlanNode::Count(part, comparison, number) => {
            constant(comparison.holds(plies_of(part, sets, len).count(), *number))
        }
        PlanNode::First(part) => {
            let plies = plies_of(part, sets, len);
            plies.only(plies.first())
        }
        PlanNode::Last(part) => {
            let plies = plies_of(part, sets, len);
            plies.only(plies.last())
        }
    }
}
