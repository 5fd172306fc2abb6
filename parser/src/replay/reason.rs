//! Reasons for differences between a record and the rules that can be found in the position.

use std::fmt::Write;

use tafl_rules::{Cell, Game, Move, Shape};

use super::ReplayPly;

/// Returns a cell from which a piece would have captured the piece on `victim` if it had moved there instead.
pub(super) fn would_fall(before: &Game, mv: Move, victim: Cell) -> Option<Cell> {
    // The nearest such cell is the most likely one: the player released the piece too early or too late.
    let distance = |to: &Cell| to.index().abs_diff(mv.to.index());
    let mut targets: Vec<Cell> = before.targets(mv.from).iter().filter(|to| *to != mv.to).collect();
    targets.sort_by_key(distance);
    targets.into_iter().find(|to| {
        let mut game = before.clone();
        game.play(Move::new(mv.from, *to)).is_ok_and(|ply| ply.captured.contains(victim))
    })
}

/// Formats the unwritten steps of the last turn as `e5-e7xe6 e7-g7`. If the turn is written as one move, its
/// last step is included.
pub(super) fn steps_of_turn(plies: &[ReplayPly], shape: Shape) -> Box<str> {
    let before = plies.len().saturating_sub(1);
    let first = plies[..before].iter().rposition(|ply| ply.written.is_some()).map_or(0, |last| last + 1);
    let mut words = String::new();
    for ply in &plies[first..] {
        if !words.is_empty() {
            words.push(' ');
        }
        words += &shape.name(ply.mv.from);
        write!(words, "-{}", shape.name(ply.mv.to)).expect("a String takes everything");
        for cell in ply.captured.iter() {
            write!(words, "x{}", shape.name(cell)).expect("a String takes everything");
        }
    }
    words.into()
}

/// Returns the first written move that is taken back.
pub(super) fn first_taken_back(plies: &[ReplayPly], n_kept: usize) -> Option<usize> {
    plies.get(n_kept..)?.iter().find_map(|ply| ply.written).map(|index| index as usize)
}
