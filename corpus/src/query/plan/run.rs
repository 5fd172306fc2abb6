//! A question asked of a game.

use super::Plan;
use super::evaluate::holds;
use super::state::GameEvaluation;
use super::tree::{Local, Node};
use crate::query::GameTruth;
use crate::query::hit::Hit;
use crate::query::plies::{Holds, Plies};
use crate::tape::{BLOCK, Player, TapeError};

/// Finds the hits in some blocks of a game whose moments show by themselves whether they are hits.
pub(super) fn run_in(
    plan: &Plan,
    (player, blocks): (&mut Player<'_>, &dyn Fn(u32) -> bool),
    truth: &dyn GameTruth,
    hits: &mut Vec<Hit>,
) -> Result<(), TapeError> {
    let Node::Local(_, local) = &plan.root else { return run(plan, player, truth, hits) };
    if plan.is_about_games {
        return run(plan, player, truth, hits);
    }
    let truth: Vec<bool> = (0..plan.n_conditions).map(|number| truth.holds(number)).collect();
    let mut state = GameEvaluation::new(plan, player, truth);
    let Some(last) = (0..=state.n_plies / BLOCK).rev().find(|block| blocks(*block)) else { return Ok(()) };
    let mut is_in = blocks(0);
    loop {
        let moment = player.moment();
        if is_in && holds(local, &state, moment) {
            hits.push(Hit { ply: moment.ply, placement: None });
        }
        let next = moment.ply + 1;
        if next.is_multiple_of(BLOCK) {
            if next / BLOCK > last {
                return Ok(());
            }
            is_in = blocks(next / BLOCK);
        }
        if !player.advance()? {
            return Ok(());
        }
        state.advance(player.moment());
    }
}

/// Finds the hits in a game.
pub(super) fn run(
    plan: &Plan,
    player: &mut Player<'_>,
    truth: &dyn GameTruth,
    hits: &mut Vec<Hit>,
) -> Result<(), TapeError> {
    let truth: Vec<bool> = (0..plan.n_conditions).map(|number| truth.holds(number)).collect();
    let bounds = plan.root.bounds(&truth);
    if !bounds.can_hold {
        return Ok(());
    }
    if plan.is_about_games && !bounds.can_fail {
        hits.push(Hit { ply: 0, placement: None });
        return Ok(());
    }
    let mut locals: Vec<(usize, &Local)> = Vec::new();
    plan.root.each_local(&mut |number, local| locals.push((number, local)));
    locals.sort_by_key(|(number, _)| *number);
    let mut sets = vec![Plies::default(); locals.len()];
    let mut state = GameEvaluation::new(plan, player, truth);
    loop {
        let moment = player.moment();
        for ((_, local), set) in locals.iter().zip(&mut sets) {
            set.push(holds(local, &state, moment));
        }
        if !player.advance()? {
            break;
        }
        state.advance(player.moment());
    }
    let len = state.n_plies as usize + 1;
    let found = moments_of(&plan.root, &sets, len);
    let placement = None;
    if plan.is_about_games {
        hits.extend((!found.is_empty()).then_some(Hit { ply: 0, placement }));
    } else {
        hits.extend(found.iter().map(|ply| Hit { ply: ply as u32, placement }));
    }
    Ok(())
}

/// Returns the moments at which a part of a question holds.
fn moments_of(node: &Node, sets: &[Plies], len: usize) -> Plies {
    let joined = |parts: &[Node], join: fn(&mut Plies, &Plies)| {
        let mut parts = parts.iter().map(|part| moments_of(part, sets, len));
        let mut all = parts.next().expect("a list of parts is never empty");
        parts.for_each(|part| join(&mut all, &part));
        all
    };
    let always = |holds: bool| Plies::constant(Holds::when(holds), len);
    match node {
        Node::Local(number, _) => sets[*number].clone(),
        Node::All(parts) => joined(parts, Plies::and),
        Node::Any(parts) => joined(parts, Plies::or),
        Node::Not(part) => {
            let mut moments = moments_of(part, sets, len);
            moments.invert();
            moments
        }
        Node::Then(first, last, within) => {
            let mut moments = moments_of(first, sets, len).after(*within);
            moments.and(&moments_of(last, sets, len));
            moments
        }
        Node::Before(first, last, within) => {
            let mut moments = moments_of(last, sets, len).before(*within);
            moments.and(&moments_of(first, sets, len));
            moments
        }
        Node::Ever(part) => always(!moments_of(part, sets, len).is_empty()),
        Node::Never(part) => always(moments_of(part, sets, len).is_empty()),
        Node::Count(part, comparison, number) => {
            always(comparison.holds(moments_of(part, sets, len).count(), *number))
        }
        Node::First(part) => {
            let moments = moments_of(part, sets, len);
            moments.only(moments.first())
        }
        Node::Last(part) => {
            let moments = moments_of(part, sets, len);
            moments.only(moments.last())
        }
    }
}
