//! Writer for positions in FEN, in the form of TaflZero.

use super::WriteGame;
use super::game_start::{rules_beyond_name, stated_rules};
use super::losses::{Keeps, RecordLosses};
use super::position::{self, WriterPosition};
use super::uci::{line_comments, push_moves};
use crate::diagnostic::Lost;
use crate::record::{Format, MovePlace, Record};

const KEEPS: Keeps =
    Keeps { letters: false, marks: &[], jumps: false, chains: false, captures: false, sides: false };

/// Appends a line: the position after the last move. A record of this format keeps its position and its moves.
pub(crate) fn write(game: WriteGame<'_>, out: &mut String, losses: &mut RecordLosses) {
    let record = game.record;
    let is_own = record.format == Format::Fen;
    note_losses(game, losses);
    let rules = stated_rules(game);
    let Some(first) = position::first(game, rules.as_ref()) else {
        losses.needs_rules(Lost::LastPosition);
        return;
    };
    // A record of this format without a side to move leaves it to the rules.
    let position = if is_own {
        Some(WriterPosition { to_move: record.first_mover, ..first })
    } else {
        last(game, &first, losses)
    };
    let Some(text) = position.and_then(|position| position::fen(&position, losses)) else { return };
    out.push_str(&text);
    if let Some(counters) = counters(record) {
        out.push(' ');
        out.push_str(counters);
    }
    if is_own {
        push_moves(&record.main().moves, out);
    }
    let place = MovePlace::in_main(if is_own { 0 } else { record.main().moves.len() });
    // A comment and moves cannot be in the same line.
    let comments = if is_own && !record.main().moves.is_empty() {
        Vec::new()
    } else {
        line_comments(record, place, losses)
    };
    let n_kept = comments.len();
    losses.left_out(Lost::Comments, record.comments.len() - n_kept);
    if n_kept > 0 {
        out.push_str(" # ");
        out.push_str(&comments.join(" "));
        losses.changed(Lost::Comments, n_kept - 1);
    }
    out.push('\n');
}

/// Returns the reason why the notation cannot express a game at all: its last position is unknown, or has no letters.
pub(crate) fn refusal(game: WriteGame<'_>) -> Option<String> {
    if game.record.format == Format::Fen {
        return None;
    }
    let Some(first) = position::first(game, stated_rules(game).as_ref()) else {
        return Some("the rules are unknown, and with them the last position".to_owned());
    };
    match position::last(game, &first) {
        Some(last) => position::refusal_of_board(&last.setup),
        None if game.played.is_none() => {
            Some("the rules are unknown, and with them the last position".to_owned())
        }
        None => Some("a move is illegal, so the last position is unknown".to_owned()),
    }
}

/// Returns the counters of a record of this format.
fn counters(record: &Record) -> Option<&str> {
    let is_counter = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'-' | b' ');
    let counters = record.tag("counters").filter(|_| record.format == Format::Fen)?;
    (!counters.is_empty() && counters.bytes().all(is_counter)).then_some(counters)
}

fn last(game: WriteGame<'_>, first: &WriterPosition, losses: &mut RecordLosses) -> Option<WriterPosition> {
    let last = position::last(game, first);
    match (&last, game.played) {
        (Some(_), _) => losses.left_out(Lost::Moves, game.record.main().moves.len()),
        (None, Some(_)) => losses.left_out(Lost::LastPosition, 1),
        (None, None) => losses.needs_rules(Lost::LastPosition),
    }
    last
}

fn note_losses(game: WriteGame<'_>, losses: &mut RecordLosses) {
    let record = game.record;
    let is_own = record.format == Format::Fen;
    losses.checks(record);
    losses.reason(record, None);
    if is_own {
        losses.moves(record, KEEPS, 1);
    }
    losses.left_out(Lost::Tags, record.tags.len() - usize::from(counters(record).is_some()));
    losses.left_out(Lost::Rules, usize::from(rules_beyond_name(game).is_some()));
    losses.left_out(Lost::Variant, usize::from(record.variant.is_some()));
    losses.left_out(Lost::Variations, record.variations.len());
    losses.capture_counts_and_ending(record);
    // The last position does not tell how the game ended.
    let is_over = game.played.is_some_and(|played| played.outcome.is_some()) && !is_own;
    losses.result(record);
    losses.left_out(Lost::Result, usize::from(record.result.is_none() && is_over));
}
