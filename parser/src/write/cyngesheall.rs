//! Writer for Cyngesheall's notation, in OpenTafl's frame.

use tafl_rules::{Coord, Reason, Role, Shape};

use super::WriteGame;
use super::frame::{self, MoveNotation};
use super::game_start::game_start;
use super::losses::{Keeps, RecordLosses};
use super::moves::{WriterStep, push_cell};
use crate::diagnostic::Lost;
use crate::record::{Format, Letter, MoveLineId, MoveMark, WrittenMove};

/// Appends a record.
pub(crate) fn write(game: WriteGame<'_>, out: &mut String, losses: &mut RecordLosses) {
    // In this notation, `!` marks the move that wins; elsewhere, a good move.
    let has_own_marks = game.record.format == Format::Cyngesheall;
    let marks: &[MoveMark] = if has_own_marks { &[MoveMark::Bang] } else { &[] };
    let keeps = Keeps { letters: true, marks, jumps: false, chains: false, captures: true, sides: false };
    losses.moves(game.record, keeps, usize::MAX);
    let mut notation = Cyngesheall { winner: winning_move(game), has_own_marks, other_letters: 0 };
    frame::write(game, &mut notation, out, losses);
    losses.left_out(Lost::Letters, notation.other_letters);
}

/// Returns the reason why the notation cannot express a game at all: its board has 7x7 cells. Records of other boards are
/// read, for the games of Cyningstan, so they are also written.
pub(crate) fn refusal(game: WriteGame<'_>) -> Option<String> {
    if game.record.format == Format::Cyngesheall {
        return None;
    }
    let shape = game_start(game)?.setup.shape();
    (Some(shape) != Shape::square(7)).then(|| format!("the board is {shape}, not 7x7"))
}

/// Returns the move that wins on the board, as the address of the record's move; `None` unless every move is
/// a known ply, because the last one might then not be the winning one.
fn winning_move(game: WriteGame<'_>) -> Option<*const WrittenMove> {
    let played = game.played?;
    let moves = &game.record.line(MoveLineId::MAIN).moves;
    let wins = matches!(played.outcome?.reason, Reason::KingCaptured | Reason::KingReachedGoal);
    let is_whole = played.plies.len() == moves.len();
    moves.last().filter(|_| wins && is_whole).map(std::ptr::from_ref)
}

struct Cyngesheall {
    winner: Option<*const WrittenMove>,
    /// Whether the marks of the record are those of this notation.
    has_own_marks: bool,
    /// The number of letters for pieces that do not exist in the game.
    other_letters: usize,
}

impl Cyngesheall {
    fn letter(&mut self, letter: Letter, out: &mut String) {
        match letter.role() {
            Some(Role::King) => out.push('K'),
            Some(Role::Commander) => out.push('C'),
            Some(Role::Soldier | Role::Knight | Role::Mercenary | Role::Guard) => self.other_letters += 1,
            None => self.other_letters += usize::from(letter.get().is_some()),
        }
    }
}

fn push_upper(cell: Coord, out: &mut String) {
    let start = out.len();
    push_cell(cell, out);
    out[start..].make_ascii_uppercase();
}

impl MoveNotation for Cyngesheall {
    fn push(&mut self, step: &WriterStep<'_>, out: &mut String) {
        self.letter(step.letter, out);
        push_upper(step.mv.from, out);
        out.push('-');
        push_upper(step.mv.to, out);
        for (nth, (cell, letter)) in step.captures.iter().enumerate() {
            out.push(if nth == 0 { 'x' } else { '/' });
            self.letter(*letter, out);
            push_upper(*cell, out);
        }
        if self.has_own_marks && step.mark == MoveMark::Bang
            || self.winner == Some(std::ptr::from_ref(step.mv))
        {
            out.push('!');
        }
    }

    fn after_comments(&self) -> &'static str {
        // A blank line would end a record without tags.
        "\n"
    }

    fn is_chained(&self, _mv: &WrittenMove) -> bool {
        false
    }

    fn resignation(&self) -> Option<&'static str> {
        None
    }
}
