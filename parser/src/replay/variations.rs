//! The replay of variations, each from its branch point.

use tafl_rules::{Game, Move, Span};

use crate::diagnostic::{Diagnostic, LegalityFinding, PlayFinding};
use crate::record::{MoveLine, Record};

/// The maximum number of moves played for the variations of one record; real records need a few thousand.
const MAX_MOVES: usize = 4_000_000;

/// Plays every variation and reports moves that cannot be played. Captures and ends are not compared.
///
/// `start` is the game before the first move. A variation is skipped if its parent cannot be played up to the
/// branch point, because the parent's diagnostic already covers it.
pub(super) fn check(record: &Record, start: &Game, findings: &mut Vec<Diagnostic>) {
    let mut left = MAX_MOVES;
    for (nth, line) in record.variations.iter().enumerate() {
        if left == 0 {
            let variations = (record.variations.len() - nth) as u32;
            findings.push(Diagnostic::new(Span::default(), PlayFinding::Unchecked { variations }));
            return;
        }
        if let Some(mut game) = before_within(record, start, line, &mut left) {
            left = left.saturating_sub(line.moves.len());
            play(&mut game, line, line.moves.len(), findings);
        }
    }
}

/// Returns the game at the branch point of a variation; `None` if its parent cannot be played that far.
///
/// `start` is the game before the first move of the record.
pub fn before(record: &Record, start: &Game, line: MoveLine<'_>) -> Option<Game> {
    let mut left = usize::MAX;
    before_within(record, start, line, &mut left)
}

/// Like [`before`], and subtracts the number of moves played from `left`.
fn before_within(record: &Record, start: &Game, line: MoveLine<'_>, left: &mut usize) -> Option<Game> {
    let mut path: Vec<(MoveLine<'_>, usize, MoveLine<'_>)> = Vec::new();
    let mut child = line;
    while let Some(branch) = child.branch {
        let parent = record.find_line(branch.parent)?;
        path.push((parent, branch.at as usize, child));
        child = parent;
    }
    *left = left.saturating_sub(path.iter().map(|(_, n, _)| n + 1).sum());
    let mut game = start.clone();
    let is_played = path.into_iter().rev().all(|(parent, n, child)| {
        let at = n + usize::from(replaces_the_answer(parent, n, child, &game));
        play(&mut game, parent, at, &mut Vec::new())
    });
    is_played.then_some(game)
}

/// Returns whether a variation replaces the move after the one that its address names.
///
/// OpenTafl writes `3a.2.1a.1.1a. ..... b1-b2` for a variation of the second player's move in turn 1 of the
/// line `3a.2`, although the address names the first player's move. This reading is used only if no other is
/// possible. `n` is the number of moves of `parent` before the variation.
fn replaces_the_answer(parent: MoveLine<'_>, n: usize, child: MoveLine<'_>, game: &Game) -> bool {
    let Some(first) = child.moves.first().filter(|_| child.opens_with_second && n < parent.moves.len())
    else {
        return false;
    };
    let mut game = game.clone();
    if !play(&mut game, parent, n, &mut Vec::new()) {
        return false;
    }
    let piece = game.shape().cell(first.from).and_then(|cell| game.piece(cell));
    piece.is_some_and(|piece| piece.side != game.to_move())
}

/// Plays the first `n` moves of a line; returns whether all of them were legal.
fn play(game: &mut Game, line: MoveLine<'_>, n: usize, findings: &mut Vec<Diagnostic>) -> bool {
    let shape = game.shape();
    for written in line.moves.iter().take(n) {
        game.clear_outcome();
        let (Some(from), Some(to)) = (shape.cell(written.from), shape.cell(written.to)) else {
            let cell = if shape.has(written.from) { written.to } else { written.from };
            findings.push(Diagnostic::new(written.span, LegalityFinding::UnknownCell { cell }));
            return false;
        };
        let mv = Move::new(from, to);
        if let Err(why) = game.play(mv) {
            findings.push(super::report::illegal(game, mv, why, written));
            return false;
        }
    }
    true
}
