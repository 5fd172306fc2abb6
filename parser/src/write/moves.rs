//! The text of moves.

use std::collections::HashMap;
use std::fmt::Write;

use tafl_rules::{Coord, Piece, Role, Side};

use super::{PlayedMoves, PlayedPly, WriteGame};
use crate::record::{Comment, Letter, MoveLineId, MoveMark, Record, WrittenMove};

/// A move as written in the target format.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct WriterStep<'a> {
    /// The move in the record.
    pub(super) mv: &'a WrittenMove,
    /// The letter of the moving piece.
    pub(super) letter: Letter,
    /// The cells of the captured pieces, with their letters.
    pub(super) captures: Vec<(Coord, Letter)>,
    /// The mark after it.
    pub(super) mark: MoveMark,
}

/// Returns a move with its captures and letters. They are those on the board if known and the record is in a
/// different format than the target, otherwise the written ones.
pub(super) fn step<'a>(
    game: WriteGame<'a>,
    target: crate::Format,
    line: MoveLineId,
    nth: usize,
) -> WriterStep<'a> {
    let record = game.record;
    let mv = &record.line(line).moves[nth];
    let played = game.played.filter(|_| line == MoveLineId::MAIN && record.format != target);
    if let Some((played, ply)) = played.and_then(|played| Some((played, played.plies.get(nth)?))) {
        let captures = captures_of_ply(played, ply).collect();
        return WriterStep { mv, letter: letter_of(ply.piece), captures, mark: mv.mark };
    }
    as_written(record, mv)
}

/// Returns the cells of the pieces that a ply captured, with their letters.
pub(super) fn captures_of_ply<'p>(
    played: &'p PlayedMoves,
    ply: &PlayedPly,
) -> impl Iterator<Item = (Coord, Letter)> + Clone + use<'p> {
    let first = ply.first_capture as usize;
    let captured = played.captures.get(first..first + usize::from(ply.n_captures)).unwrap_or(&[]);
    captured.iter().map(|(cell, piece)| (*cell, letter_of(*piece)))
}

/// Returns a move as written in the record.
pub(super) fn as_written<'a>(record: &Record, mv: &'a WrittenMove) -> WriterStep<'a> {
    let captures = record.captures_of(mv).iter().map(|capture| (capture.cell, capture.letter)).collect();
    WriterStep { mv, letter: mv.letter, captures, mark: mv.mark }
}

/// Returns the letter of a piece in OpenTafl's notation: none for men, uppercase for defenders.
fn letter_of(piece: Piece) -> Letter {
    match piece.role {
        Role::Soldier => Letter::NONE,
        Role::King | Role::Commander | Role::Knight | Role::Mercenary | Role::Guard => {
            Letter::new(piece.letter() as u8)
        }
    }
}

/// Returns the comments on the main line by the number of moves before them.
pub(super) fn main_comments(record: &Record) -> HashMap<usize, Vec<Comment<'_>>> {
    let mut comments: HashMap<usize, Vec<Comment<'_>>> = HashMap::new();
    for comment in record.comments.iter().filter(|comment| comment.place.line == MoveLineId::MAIN) {
        comments.entry(comment.place.after as usize).or_default().push(comment);
    }
    comments
}

/// Returns whether a captured piece is a king, judging by its letter.
pub(super) fn is_king(letter: Letter) -> bool {
    letter.role() == Some(Role::King)
}

/// Appends a letter, if there is one.
fn push_letter(letter: Letter, out: &mut String) {
    out.extend(letter.get());
}

/// Appends a move in OpenTafl's notation: `Ne6^=e8xce7/f8--`.
pub(super) fn push_opentafl(step: &WriterStep<'_>, out: &mut String) {
    push_letter(step.letter, out);
    push_cell(step.mv.from, out);
    out.push_str(match (step.mv.jump, step.mv.chained) {
        (false, false) => "-",
        (true, false) => "^",
        (false, true) => "=",
        (true, true) => "^=",
    });
    push_cell(step.mv.to, out);
    for (nth, (cell, letter)) in step.captures.iter().enumerate() {
        out.push(if nth == 0 { 'x' } else { '/' });
        push_letter(*letter, out);
        push_cell(*cell, out);
    }
    out.push_str(step.mark.as_str());
}

/// Appends a cell name.
pub(super) fn push_cell(cell: Coord, out: &mut String) {
    write!(out, "{cell}").expect("a String takes everything");
}

/// Returns the side of each move of a game without written sides: sides alternate, except for later steps of
/// a turn.
pub(super) fn sides(moves: &[WrittenMove], first: Side) -> impl Iterator<Item = Side> {
    let mut next = first;
    let mut last = first;
    moves.iter().map(move |mv| {
        if !mv.chained {
            last = next;
            next = next.other();
        }
        mv.side.unwrap_or(last)
    })
}
