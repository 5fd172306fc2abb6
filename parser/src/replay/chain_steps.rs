//! The possible continuations of a turn of several steps.

use tafl_rules::{Cell, CellSet, Game, Move, Role};

/// The maximum number of continuations of a turn, and the maximum number of their steps.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ChainLimits {
    pub(crate) continuations: usize,
    pub(crate) steps: usize,
    /// Whether to try all alternatives for the next step before longer continuations (breadth first).
    pub(crate) siblings_first: bool,
}

/// A continuation of a turn.
#[derive(Debug, Clone)]
pub(crate) struct Continuation {
    pub(crate) steps: Vec<Move>,
    /// The game after the steps.
    pub(crate) game: Game,
    /// The cells of the pieces captured by the steps, without kings.
    pub(crate) captured: Vec<Cell>,
}

/// Returns the continuations of the current turn; empty if the turn is over.
pub(crate) fn chain_steps(game: &Game, limits: ChainLimits) -> Vec<Continuation> {
    let mut all = Vec::new();
    collect(game, limits, &mut ChainPath::default(), &mut all);
    all
}

/// The steps of a continuation, and the cells of the pieces that they capture, without kings.
#[derive(Default)]
struct ChainPath {
    steps: Vec<Move>,
    captured: Vec<Cell>,
}

/// Adds the continuations after `path`.
fn collect(game: &Game, limits: ChainLimits, path: &mut ChainPath, all: &mut Vec<Continuation>) {
    let Some(at) = game.chain() else { return };
    let first = all.len();
    for to in game.targets(at).iter() {
        if all.len() >= limits.continuations || path.steps.len() >= limits.steps {
            break;
        }
        let mut next = game.clone();
        let mv = Move::new(at, to);
        let Ok(ply) = next.play(mv) else { continue };
        let n_captured = path.captured.len();
        path.steps.push(mv);
        path.captured.extend(men_among(&next, ply.captured));
        let (steps, captured) = (path.steps.clone(), path.captured.clone());
        all.push(Continuation { steps, game: next.clone(), captured });
        if ply.goes_on && !limits.siblings_first {
            collect(&next, limits, path, all);
        }
        path.steps.pop();
        path.captured.truncate(n_captured);
    }
    if limits.siblings_first {
        for nth in first..all.len() {
            let Continuation { steps, game, captured } = all[nth].clone();
            collect(&game, limits, &mut ChainPath { steps, captured }, all);
        }
    }
}

/// Returns those of the cells on which the last ply captured a piece other than a king.
pub(crate) fn men_among(game: &Game, captured: CellSet) -> Vec<Cell> {
    let is_man = |cell: &Cell| game.captured_piece(*cell).is_some_and(|piece| piece.role != Role::King);
    captured.iter().filter(is_man).collect()
}
