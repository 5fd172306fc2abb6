//! Writer for HEN.

use std::fmt::Write;

use tafl_rules::{Coord, Role, Setup, Side};

use super::WriteGame;
use super::game_start::{known_rules, lacks_rules, stated_rules};
use super::losses::{Keeps, RecordLosses};
use super::moves::step;
use super::position::{self, WriterPosition};
use crate::diagnostic::Lost;
use crate::format::hen;
use crate::record::{
    Format, MoveLineId, MoveMark, MovePlace, Record, WrittenBoard, WrittenMove, WrittenVerdict,
};

const KEEPS: Keeps = Keeps {
    letters: false,
    marks: &[MoveMark::Star],
    jumps: false,
    chains: false,
    captures: false,
    sides: false,
};

/// The longest line of moves, in characters.
const LINE: usize = 100;

/// Appends a record: the first board, the moves, the last board, and the state of the game.
pub(crate) fn write(game: WriteGame<'_>, out: &mut String, losses: &mut RecordLosses) {
    let record = game.record;
    let n_moves = record.main().moves.len();
    let first = first(game);
    let last = last(game, first.as_ref());
    note_losses(game, first.as_ref(), last.as_ref(), losses);
    push_comments(game, 0, out, losses);
    match &first {
        Some(first) => push_board(game, first, out, losses),
        None => losses.needs_rules(Lost::Start),
    }
    let first_mover = first.and_then(|first| first.to_move).or(record.first_mover);
    push_moves(game, first_mover, out, losses);
    if n_moves > 0 {
        push_comments(game, n_moves, out, losses);
    }
    if let Some(setup) = last.as_ref().and_then(|last| drawing(&last.setup)) {
        out.push_str(&setup);
    }
    push_status(game, last.and_then(|last| last.to_move), out, losses);
}

/// Returns the reason why the notation cannot express a game at all: the board, which begins a game, is unknown, or the
/// notation has no letters for it or its pieces.
pub(crate) fn refusal(game: WriteGame<'_>) -> Option<String> {
    if game.record.format == Format::Hen {
        return None;
    }
    let Some(first) = first(game) else {
        return Some("the rules are unknown, and with them the board that begins a game".to_owned());
    };
    position::refusal_of_board(&first.setup)
}

/// Returns the first position: in its own notation, a record keeps the one that it has.
fn first(game: WriteGame<'_>) -> Option<WriterPosition> {
    let rules = if game.record.format == Format::Hen { stated_rules(game) } else { known_rules(game) };
    position::first(game, rules.as_ref())
}

/// Returns the last position: that of a record of this format if it has one, otherwise that of the board.
fn last(game: WriteGame<'_>, first: Option<&WriterPosition>) -> Option<WriterPosition> {
    let of = |board: &WrittenBoard| WriterPosition { setup: board.setup.clone(), to_move: board.to_move };
    if game.record.format == Format::Hen {
        return last_board(game).map(of);
    }
    position::last(game, first?)
}

/// Returns the board that a record of this format has after its moves.
fn last_board(game: WriteGame<'_>) -> Option<&WrittenBoard> {
    let n_moves = game.record.main().moves.len();
    let last = game.record.boards.last().filter(|board| board.after as usize == n_moves);
    last.filter(|_| game.record.format == Format::Hen)
}

fn push_board(game: WriteGame<'_>, first: &WriterPosition, out: &mut String, losses: &mut RecordLosses) {
    let Ok(rows) = first.setup.to_hen() else {
        position::note_board(&first.setup, losses);
        return;
    };
    out.push_str(&rows);
    // A record of this format without moves and without a side to move is a position in which a side has won.
    let record = game.record;
    let is_over =
        record.format == Format::Hen && record.first_mover.is_none() && record.main().moves.is_empty();
    let winner = record.result.filter(|_| is_over).and_then(|result| result.verdict.winner());
    out.push_str(match (winner, first.to_move) {
        (Some(Side::Attackers), _) => "!B",
        (Some(Side::Defenders), _) => "!W",
        (None, Some(Side::Defenders)) => ",W",
        (None, _) => "",
    });
    out.push_str("\n\n");
}

fn push_moves(game: WriteGame<'_>, first: Option<Side>, out: &mut String, losses: &mut RecordLosses) {
    let moves = &game.record.main().moves;
    if moves.is_empty() {
        return;
    }
    let mut line = String::new();
    let second = usize::from(first == Some(Side::Defenders));
    let mut n_unnamed = 0;
    for nth in 0..moves.len() {
        let step = step(game, losses.format(), MoveLineId::MAIN, nth);
        let mut word = String::new();
        let place = nth + second;
        if place % 2 == 0 || nth == 0 {
            write!(word, "{}.", place / 2 + 1).expect("a String takes everything");
        }
        if nth == 0 && second == 1 {
            word.push_str("- ");
        }
        n_unnamed +=
            usize::from(!push_cell(step.mv.from, &mut word)) + usize::from(!push_cell(step.mv.to, &mut word));
        let is_capture = !step.captures.is_empty() || step.mark == MoveMark::Star;
        word.extend(is_capture.then_some('*'));
        if line.len() + 1 + word.len() > LINE {
            out.push_str(&line);
            out.push('\n');
            line.clear();
        }
        line.push_str(if line.is_empty() { "" } else { " " });
        line.push_str(&word);
    }
    out.push_str(&line);
    out.push_str("\n\n");
    losses.left_out(Lost::Cells, n_unnamed);
}

/// Appends a cell, and returns whether the notation has a name for it. Ranks above 11 are written as numbers.
fn push_cell(cell: Coord, out: &mut String) -> bool {
    let text = cell.to_string();
    match cell.rank {
        9 => out.extend(text.chars().next().into_iter().chain(['X'])),
        10 => out.extend(text.chars().next().into_iter().chain(['L'])),
        _ => out.push_str(&text),
    }
    (0..26).contains(&cell.file) && (-1..99).contains(&cell.rank)
}

/// Appends a move as two cells, with the sign of a capture.
pub(crate) fn push_move(_: &Record, mv: &WrittenMove, out: &mut String) {
    push_cell(mv.from, out);
    push_cell(mv.to, out);
    out.extend((mv.mark == MoveMark::Star).then_some('*'));
}

/// Returns the text of a comment without the marks that begin or end one.
fn without_marks(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("--") {
        let (before, run) = rest.split_at(at);
        out.push_str(before);
        rest = run.trim_start_matches('-');
        // One hyphen of the run is kept. If only `-->` were replaced by `->`, `--->` would become `-->`.
        let is_mark = rest.starts_with('>') || out.ends_with("<!");
        out.push_str(if is_mark { "-" } else { &run[..run.len() - rest.len()] });
    }
    out + rest
}

/// Appends the comments after a number of moves.
fn push_comments(game: WriteGame<'_>, after: usize, out: &mut String, losses: &mut RecordLosses) {
    let place = MovePlace::in_main(after);
    for comment in game.record.comments.iter().filter(|comment| comment.place == place) {
        let text = without_marks(comment.text);
        let text = text.trim();
        losses.changed(Lost::Comments, usize::from(!text.is_empty() && text != comment.text));
        if !text.is_empty() {
            write!(out, "<!-- {text} -->\n\n").expect("a String takes everything");
        }
    }
}

/// Returns the drawn board, or `None` for a board that cannot be drawn.
fn drawing(setup: &Setup) -> Option<String> {
    setup.to_hen().ok()?;
    let shape = setup.shape();
    let side = shape.n_ranks();
    let mut out = String::new();
    for rank in (0..side).rev() {
        let label = match rank + 1 {
            10 => "X".to_owned(),
            11 => "L".to_owned(),
            number => number.to_string(),
        };
        write!(out, "{label} ").expect("a String takes everything");
        for file in 0..side {
            let piece = shape.cell(Coord::new(file, rank)).and_then(|cell| setup.piece(cell));
            out.push(match piece.map(|piece| (piece.side, piece.role)) {
                None => '.',
                Some((_, Role::King)) => 'K',
                Some((Side::Attackers, _)) => 'v',
                Some((Side::Defenders, _)) => 'V',
            });
        }
        out.push('\n');
    }
    let files: String = ('a'..='z').take(side as usize).collect();
    write!(out, "  {files}\n\n").expect("a String takes everything");
    Some(out)
}

/// Appends the state of the game.
fn push_status(game: WriteGame<'_>, to_move: Option<Side>, out: &mut String, losses: &mut RecordLosses) {
    let status = match (game.result_to_write(true, losses).map(|stated| stated.verdict), to_move) {
        (Some(WrittenVerdict::Win(Side::Attackers)), _) => "Black Wins",
        (Some(WrittenVerdict::Win(Side::Defenders)), _) => "White Wins",
        (Some(WrittenVerdict::Ongoing), Some(Side::Attackers)) => "Black's Move",
        (Some(WrittenVerdict::Ongoing), Some(Side::Defenders)) => "White's Move",
        (Some(WrittenVerdict::Ongoing), None) => "Incomplete Game",
        (Some(WrittenVerdict::Draw), _) => {
            losses.left_out(Lost::Result, 1);
            return;
        }
        // Nothing is lost without an unknown result.
        (Some(WrittenVerdict::Unknown) | None, _) => return,
    };
    out.push_str(status);
    out.push_str("\n\n");
}

fn note_losses(
    game: WriteGame<'_>,
    first: Option<&WriterPosition>,
    last: Option<&WriterPosition>,
    losses: &mut RecordLosses,
) {
    let record = game.record;
    losses.left_out(Lost::Clocks, record.clocks.len());
    losses.left_out(Lost::Refused, record.refused.len());
    losses.left_out(Lost::MoveCounts, record.move_counts.len());
    let is_drawn = last_board(game).is_some() && last.is_some_and(|last| drawing(&last.setup).is_some());
    losses.left_out(Lost::Boards, record.boards.len() - usize::from(is_drawn));
    losses.moves(record, KEEPS, 1);
    losses.unknown_captures(game);
    losses.reason(record, None);
    losses.left_out_tags(record.tags.iter().map(|tag| tag.name));
    let implied = first.and_then(|first| hen::variant_on(first.setup.shape()));
    losses.left_out(Lost::Rules, usize::from(lacks_rules(game, Format::Hen, implied)));
    losses.left_out(Lost::Variant, usize::from(record.variant.is_some()));
    losses.left_out(Lost::Variations, record.variations.len());
    let n_moves = record.main().moves.len();
    let ends = [MovePlace::in_main(0), MovePlace::in_main(n_moves)];
    let lost = record
        .comments
        .iter()
        .filter(|comment| !ends.contains(&comment.place) || without_marks(comment.text).trim().is_empty());
    losses.left_out(Lost::Comments, lost.count());
    losses.left_out(Lost::FirstMover, usize::from(record.main().opens_with_second));
    losses.capture_counts_and_ending(record);
}
