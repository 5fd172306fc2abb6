//! A record whose turns may have further steps that are not written.
//!
//! The written moves are played one after another. Where one of them does not fit, the last turn that could have gone on
//! goes on in another way. The search is bounded; what came furthest counts.

use tafl_rules::{AnyRulebook, Game, Move};

use super::game::Evidence;
use super::trial::{Run, Trial};

/// How many written moves may be played for a record, for each that it has.
const EFFORT: usize = 12;
/// The most ways to go on with a turn, and the most steps of each.
const MOST_WAYS: usize = 24;
const MOST_STEPS: usize = 3;

/// A turn that could have gone on.
struct Fork {
    /// The written move that comes next.
    index: usize,
    trial: Trial,
    /// The games that are left to be tried, the likeliest last.
    ways: Vec<Game>,
}

/// Returns what a record comes to that `game` stands at the start of.
pub(super) fn trial(book: &AnyRulebook, game: &mut Game, evidence: &Evidence) -> Trial {
    let mut forks: Vec<Fork> = Vec::new();
    let mut best: Option<(usize, Trial)> = None;
    let mut left = EFFORT * evidence.steps.len() + 50;
    let mut run = Run::new(book, game, evidence, Trial::default());
    let mut index = 0;
    loop {
        while index < evidence.steps.len() && run.trial.agrees() {
            left = left.saturating_sub(1);
            if !run.step(index, &evidence.steps[index]) {
                break;
            }
            index += 1;
            if run.trial.agrees() && run.game.chain().is_some() {
                let mut ways = Vec::new();
                collect(run.game, 0, &mut ways);
                ways.reverse();
                forks.push(Fork { index, trial: run.trial, ways });
            }
        }
        if index == evidence.steps.len() && run.trial.agrees() {
            run.end();
        }
        let rank = |(reach, trial): &(usize, Trial)| (trial.agrees(), *reach, u16::MAX - trial.n_faults);
        let found = (index, run.trial);
        if best.as_ref().is_none_or(|best| rank(best) < rank(&found)) {
            best = Some(found);
        }
        // A game that only ends strangely would end well in some longer turn by almost any rules: that is no evidence.
        if run.trial.agrees() || left == 0 {
            break;
        }
        while forks.last().is_some_and(|fork| fork.ways.is_empty()) {
            forks.pop();
        }
        let Some(fork) = forks.last_mut() else { break };
        let Some(way) = fork.ways.pop() else { break };
        *run.game = way;
        index = fork.index;
        let trial = fork.trial;
        run.again(trial);
    }
    best.map(|(_, trial)| trial).unwrap_or_default()
}

/// Adds the ways to go on with a turn, one step before those that go on from there.
fn collect(game: &Game, n_steps: usize, ways: &mut Vec<Game>) {
    let Some(at) = game.chain() else { return };
    let mut next = Vec::new();
    for to in game.targets(at).iter() {
        let mut after = game.clone();
        if after.play(Move::new(at, to)).is_ok() {
            next.push(after);
        }
    }
    ways.extend(next.iter().cloned());
    for game in &next {
        if n_steps + 1 < MOST_STEPS && ways.len() < MOST_WAYS {
            collect(game, n_steps + 1, ways);
        }
    }
    ways.truncate(MOST_WAYS);
}
