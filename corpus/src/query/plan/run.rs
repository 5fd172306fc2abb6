//! The evaluation of a query for a game.

use super::QueryPlan;
use super::evaluate::holds;
use super::evaluation::GameEvaluation;
use super::test::{BoardTest, CompiledTest};
use super::tree::{LocalTest, PlanNode};
use crate::move_log::{BLOCK_SIZE, MoveLogError, ReplayCursor};
use crate::pattern::game_matcher::{FitWords, GameMatcher};
use crate::query::GameTruth;
use crate::query::hit::GameHit;
use crate::query::ply_set::{Holds, PlySet};

/// Finds the hits in some blocks of a game whose positions show by themselves whether they are hits.
pub(super) fn run_in(
    plan: &QueryPlan,
    (cursor, blocks): (&mut ReplayCursor<'_>, &dyn Fn(u32) -> bool),
    truth: &dyn GameTruth,
    hits: &mut Vec<GameHit>,
) -> Result<(), MoveLogError> {
    let PlanNode::Local(_, local) = &plan.root else { return run(plan, cursor, truth, hits) };
    if plan.is_about_games {
        return run(plan, cursor, truth, hits);
    }
    if let Some(matcher) = only_matcher(plan) {
        let n_blocks = (cursor.state().ply + cursor.n_plies_left()) / BLOCK_SIZE + 1;
        let Some(last) = (0..n_blocks).rev().find(|block| blocks(*block)) else { return Ok(()) };
        return run_matcher(matcher, cursor, (last + 1) * BLOCK_SIZE, hits);
    }
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

/// Finds the hits in a game.
pub(super) fn run(
    plan: &QueryPlan,
    cursor: &mut ReplayCursor<'_>,
    truth: &dyn GameTruth,
    hits: &mut Vec<GameHit>,
) -> Result<(), MoveLogError> {
    if let Some(matcher) = only_matcher(plan) {
        return run_matcher(matcher, cursor, u32::MAX, hits);
    }
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
        BoardTest::Pattern(_, matcher) if !plan.is_about_games => matcher.as_deref(),
        BoardTest::Pattern(..) | BoardTest::Position(_) => None,
    }
}

/// Finds the hits of a pattern before a ply of a game.
fn run_matcher(
    matcher: &GameMatcher,
    cursor: &mut ReplayCursor<'_>,
    end: u32,
    hits: &mut Vec<GameHit>,
) -> Result<(), MoveLogError> {
    let plies = matcher.find(cursor, end, &mut FitWords::default())?;
    if !plies.is_empty() {
        hits.extend(plies.iter().map(|ply| GameHit { ply: ply as u32, placement: None }));
    }
    Ok(())
}

/// Returns the positions at which a part of a query holds.
fn plies_of(node: &PlanNode, sets: &[PlySet], len: usize) -> PlySet {
    let joined = |parts: &[PlanNode], join: fn(&mut PlySet, &PlySet)| {
        let mut parts = parts.iter().map(|part| plies_of(part, sets, len));
        let mut all = parts.next().expect("a list of parts is never empty");
        parts.for_each(|part| join(&mut all, &part));
        all
    };
    let always = |holds: bool| PlySet::constant(Holds::when(holds), len);
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
        PlanNode::Ever(part) => always(!plies_of(part, sets, len).is_empty()),
        PlanNode::Never(part) => always(plies_of(part, sets, len).is_empty()),
        PlanNode::Count(part, comparison, number) => {
            always(comparison.holds(plies_of(part, sets, len).count(), *number))
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
