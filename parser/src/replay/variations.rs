//! Replays variations: each from the place where it leaves its parent.

use tafl_rules::{Game, Move};

use crate::diagnostic::{Diagnostic, Legality};
use crate::record::{Line, Record};

/// Plays every variation and says where one cannot be played. Captures and ends are not compared there.
///
/// `start` is the game before the first move; `found` takes what is found. A variation whose parent breaks before it
/// leaves is not played: the finding about its parent says it all.
pub(super) fn check(record: &Record, start: &Game, findings: &mut Vec<Diagnostic>) {
    for line in record.lines.iter().skip(1) {
        if let Some(mut game) = before(record, start, line) {
            play(&mut game, line, line.moves.len(), findings);
        }
    }
}

/// Returns the game at the place where a variation leaves its parent.
fn before(record: &Record, start: &Game, line: &Line) -> Option<Game> {
    let mut path: Vec<(&Line, usize)> = Vec::new();
    let mut next = line.branch;
    while let Some(branch) = next {
        let parent = record.lines.get(branch.parent.index())?;
        path.push((parent, branch.at as usize));
        next = parent.branch;
    }
    let mut game = start.clone();
    path.iter().rev().all(|(line, n)| play(&mut game, line, *n, &mut Vec::new())).then_some(game)
}

/// Plays the first `n` moves of a line; returns whether all could be played.
fn play(game: &mut Game, line: &Line, n: usize, findings: &mut Vec<Diagnostic>) -> bool {
    let shape = game.shape();
    for written in line.moves.iter().take(n) {
        game.resume();
        let (Some(from), Some(to)) = (shape.cell(written.from), shape.cell(written.to)) else {
            let cell = if shape.has(written.from) { written.to } else { written.from };
            findings.push(Diagnostic::new(written.span, Legality::UnknownCell { cell }));
            return false;
        };
        let mv = Move::new(from, to);
        if let Err(why) = game.play(mv) {
            findings.push(super::walk::illegal(game, mv, why, written));
            return false;
        }
    }
    true
}
